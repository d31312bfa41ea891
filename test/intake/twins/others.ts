/** Pairs that are not the same, written as those of same.ts. */
export const OTHERS = `
# classes at one venue
Yoga for Beginners | 18:00-19:00 | Studio Om; Graz || Yoga for Advanced
Yoga Level 1 | 18:00-19:00 | Studio Om; Graz || Yoga Level 2
Yoga | 18:00-19:00 | Studio Om; Graz || Pilates
Yoga | 18:00-19:00 | #1 Studio Om; Graz || Kids Yoga
Vinyasa Yoga | 18:00-19:00 | #1 Studio Om; Graz || Yin Yoga
Hatha Yoga with Anna | 18:00-19:00 | #1 Studio Om; Graz || Kundalini Yoga with Paul
Yoga | 18:00-19:00 | Studio Om; Graz || Yoga | 19:00-20:00
Ballet Level 2 | 17:00-18:00 | Dance Space; Boise || Ballet Level 3
Ballet Level 2 | 17:00-18:00 | Dance Space; Boise || Tap Level 2
Zumba | 18:00 | #1 YMCA; Salem || Zumba Gold
Aqua Fit | 9:00 | #1 YMCA; Salem || Lap Swim
Schwimmkurs Kinder | 15:00 | Hallenbad; Soest || Schwimmkurs Erwachsene
Deutschkurs A1 | 18:00 | #1 VHS; Bochum || Deutschkurs A2
Deutschkurs A1 | 18:00 | #1 VHS; Bochum || Englischkurs A1
Deutschkurs A1 | 18:00 | #1 VHS; Bochum || Deutschkurs A1 | 18:30
Töpfern für Kinder | 15:00 | Kreativhaus; Münster || Töpfern für Erwachsene
Gitarre Anfänger | 17:00 | Musikschule; Celle || Gitarre Fortgeschrittene
Klavier Gruppe A | 17:00 | Musikschule; Celle || Klavier Gruppe B
Jugend musiziert: Klavier | 10:00 | Musikschule; Celle || Jugend musiziert: Violine
Storytime: Bears | 10:00 | Central Library; Tulsa || Storytime: Ducks
Toddler Storytime | 10:00 | #1 Central Library; Tulsa || Preschool Storytime
Baby Storytime | 10:00 | #1 Central Library; Tulsa || Teen Anime Club
Chess Club | 16:00 | #1 Central Library; Tulsa || Lego Club
Cours de danse débutants | 19:00 | MJC; Lyon || Cours de danse avancés
Taller de pintura niños | 17:00 | Casa de Cultura; Úbeda || Taller de pintura adultos
Clase de inglés | 18:00 | Centro Cívico; Jaca || Clase de alemán
Open Gym Girls | 16:00 | Rec Center; Provo || Open Gym Boys
Swim Lessons Group 1 | 9:00 | City Pool; Provo || Swim Lessons Group 2
Karate Yellow Belts | 17:00 | Dojo; Kassel || Karate Brown Belts
Eltern-Kind-Turnen | 16:00 | Turnhalle; Olpe || Seniorenturnen
Woodworking 101 | 18:00 | Makerspace; Reno || Woodworking 102
Computer Basics: Email | 10:00 | Public Library #2; Dover || Computer Basics: Excel
Aquarell für Anfänger | 10:00 | Atelierhaus; Worpswede || Ölmalerei für Anfänger
# shows of one day
!!! | 20:00-22:00 | Rio Cinema; London || ???
Comedy Showcase (Early Show) | 19:00 | The Stand; New York || Comedy Showcase (Late Show) | 19:30
Comedy Showcase - 1st Show | 19:00 | The Stand; New York || Comedy Showcase - 2nd Show | 19:30
Early: Jazz Trio | 19:00 | Village Vanguard; New York || Late: Jazz Trio | 19:30
Cats (Matinee) | 14:00 | Playhouse; Derby || Cats | 19:30
Cats | 14:00 | Playhouse; Derby || Cats | 19:00
Zirkus Roncalli | 15:00 | Neumarkt; Köln || Zirkus Roncalli | 19:00
Dune (IMAX) | 20:00 | Cineplex; Bremen || Dune (3D)
Dune OmU | 20:00 | Cineplex; Bremen || Dune synchronisiert
Dune: Part One | 20:00 | Cineplex; Bremen || Dune: Part Two
Herr der Ringe - Teil 1 | 18:00 | Cineplex; Bremen || Herr der Ringe - Teil 2
Rocky II | 20:00 | Rio Cinema; London || Rocky III
Paddington | 15:00 | Rio Cinema; London || Paddington 2
Faust I | 19:00 | Schauspielhaus; Weimar || Faust II
Show 1: The Magic of Ray | 19:00 | Magic Castle; Ohio || Show 2: The Magic of Ray | 19:30
Frühvorstellung: Peterchens Mondfahrt | 10:00 | Theater; Celle || Spätvorstellung: Peterchens Mondfahrt | 10:30
Führung auf Deutsch | 14:00 | Dom; Speyer || Führung auf Englisch
Tour in English | 14:00 | Sagrada Familia; Barcelona || Tour in French
Visita guiada en inglés | 12:00 | Alhambra; Granada || Visita guiada en francés
Rollstuhl-Führung Altstadt | 14:00 | Rathaus; Rothenburg || Kostüm-Führung Nachtwächter
Turmführung | 14:00 | Dom; Speyer || Kryptaführung
Kinderführung im Schloss | 14:00 | Schloss; Bruchsal || Führung im Schloss für Erwachsene
VIP Meet & Greet: Dua Lipa | 18:00 | Arena; Hamburg || Einlass: Dua Lipa
# towns
Wanda | 20:00 | Zenith; München || Wanda | | Batschkapp; Frankfurt
Wanda | 20:00 | Stadthalle; Graz || Wanda | | Stadthalle; Linz
The Wiggles | 18:00 | Civic Center; Peoria || The Wiggles | | Civic Center; Amarillo
Nutcracker | 19:00 | Memorial Hall; Dayton || Nutcracker | | Memorial Auditorium; Chattanooga
Storytime | 10:00 | Barnes & Noble; Tulsa || Storytime | | Barnes & Noble; Boise
Trivia Night | 19:00 | Mellow Mushroom; Asheville || Trivia Night | | Mellow Mushroom; Savannah
Trivia Night | 19:00 | Mad Mex; ; ; 40.4406, -79.9959 || Trivia Night | | Mad Mex; ; ; 40.3573, -80.0206
City Council | 18:30 | City Hall; Moab || City Council | | City Hall; Provo
City Council Meeting | 18:30 | City Hall || City Council Meeting | | City Hall
Gemeinderatssitzung | 19:00 | Rathaus; Gauting || Gemeinderatssitzung | | Rathaus; Planegg
Gottesdienst | 10:00 | St. Martin; Marburg || Gottesdienst | | St. Michael; Marburg
Gottesdienst | 10:00 | Evangelische Kirche; Goßfelden || Gottesdienst | | Evangelische Kirche; Sarnau
Sunday Service | 10:00 | First Baptist Church; Waco || Sunday Service | | First Methodist Church; Waco
Blutspende DRK | 16:00 | Gemeindehaus; Burgdorf || Blutspende DRK | | Gemeindehaus; Lehrte
Weihnachtsmarkt | 6 | Marktplatz; Soest || Weihnachtsmarkt | | Marktplatz; Unna
Christmas Market | 6 | ~ || Christmas Market
Sommerfest | 6 | ~ || Sommerfest
Halloween Parade | 18:00 | ~ || Halloween Parade
Fireworks | 21:30 | Riverfront Park; Salem || Fireworks | | Riverfront Park; Spokane
Farmers Market | 8:00-12:00 | Town Square; Dexter || Farmers Market | | Town Square; Chelsea
Zumba | 18:00 | YMCA; Salem || Zumba | | YMCA; Albany
Bingo | 19:00 | American Legion Post 12; Ames || Bingo | | American Legion Post 77; Ames
Story Time | 10:00 | Public Library, 100 Main St, Dover || Story Time | | Public Library; Salem
Trivia Night | 19:00 | The Crown; ; ; 51.5101, -0.1301 || Trivia Night | | The Lamb; ; ; 51.5104, -0.1290
Karaoke | 21:00 | Zum Anker; Kiel; Hafenstr. 3 || Karaoke | | Zum Löwen; Kiel; Hafenstr. 9
Repair Café | 14:00 | Bürgerhaus; Leimen || Repair Café | | Bürgerhaus; Nußloch
Vernissage | 18:00 | Galerie Nord; Lübeck || Vernissage | | Galerie Süd; Lübeck
Open Mic | 20:00 | Club A; Ulm || Open Mic | | Club B; Ulm
Tag des offenen Denkmals | 6 | Mühle; Lage || Tag des offenen Denkmals | | Schloss; Brake
Pub Quiz | 20:00 | O'Neills; Leeds || Pub Quiz | | O'Learys; Leeds
Cirque Pinder | 15:00 | Place Bellecour; Lyon || Cirque Pinder | | Place Carnot; Lyon
Mercado medieval | 6 | Plaza Mayor; Ávila || Mercado medieval | | Plaza Mayor; Soria
Feria del libro | 6 | Plaza España; Vigo || Feria del libro | | Plaza España; Lugo
Poetry Slam | 20:00 | Kulturladen; Konstanz || Poetry Slam | | Kulturladen; Nürnberg
Marathon | 8:00 | ~ || Marathon
# festivals and their parts
Wave-Gotik-Treffen | 6-8 | Agra; Leipzig || Wave-Gotik-Treffen: Lacrimosa | 21:00
Jazzfest | 6-8 | Haus der Festspiele; Berlin || Jazzfest: Mary Halvorson | 20:00
Dorffest mit Zeltdisco | 6-7 | Festplatz; Brome || Kinderflohmarkt | 10:00
Buchmesse | 6-7 | Messe; Leipzig || Lesung: Daniel Kehlmann | 11:00
Art Walk | 17:00-21:00 | Downtown; Salida || Art Walk After Party | 
Eröffnung Literaturfest | 19:00 | Literaturhaus; Wien || Abschluss Literaturfest
Conference: Registration | 8:00 | Convention Center; Reno || Conference: Keynote | 8:30
Comic Con | 6-7 | Convention Center; Reno || Cosplay Contest | 14:00
Workshop A: Siebdruck | 10:00 | Offene Werkstatt; Jena || Workshop B: Linolschnitt
Track 1: Rust | 10:00 | TU; Graz || Track 2: Go
Panel: Future of Food | 10:00 | Kulturhaus; Graz || Panel: Future of Work
Main Stage: Beatsteaks | 20:00 | Tempelhof; Berlin || Zeltbühne: Fatoni
Bühne Nord: DJ Hell | 22:00 | Hafen; Kiel || Bühne Süd: DJ Koze
Filmfest: Kurzfilme 1 | 18:00 | Filmtheater; Dresden || Filmfest: Kurzfilme 3
Chorwettbewerb Vorrunde | 10:00 | Lisztzentrum; Raiding || Chorwettbewerb Finale
Tennis Open Day 1 | 10:00 | Court; Halle || Tennis Open Day 2
Hinspiel Relegation | 18:00 | Stadion; Bochum || Pressekonferenz Relegation
U12 Turnier | 10:00 | Sportpark; Melle || U14 Turnier
Semifinal: Lions vs Bears | 18:00 | Arena; Toledo || Final: Lions vs Bears
Home Game vs Wildcats | 19:00 | Stadium; Toledo || Home Game vs Hornets
FC Barcelona - Real Madrid | 21:00 | Camp Nou; Barcelona || FC Barcelona - Sevilla
# others at the same place and time
AA Meeting | 19:00 | #1 St. Paul; Akron || Al-Anon Meeting
AA Meeting | 19:00 | #1 St. Paul; Akron || Choir Practice
Bible Study | 19:00 | #1 St. Paul; Akron || Women's Bible Study
Men's Breakfast | 8:00 | #1 St. Paul; Akron || Women's Breakfast
Zoning Hearing Board | 19:00 | #1 Municipal Building; Bethel Park || Planning Commission
Parks Board | 19:00 | #1 Municipal Building; Bethel Park || Library Board
Council Meeting | 19:00 | #1 Municipal Building; Bethel Park || Council Work Session
Committee on Finance | 10:00 | City Hall #1; Detroit || Committee on Health
Seniorentreff | 14:00 | #1 Bürgerhaus; Lage || Skatrunde
Stricktreff | 14:00 | #1 Bürgerhaus; Lage || Spieletreff
Kinoabend | 19:00 | #1 Bürgerhaus; Lage || Quizabend
Chorprobe Männerchor | 19:00 | #1 Bürgerhaus; Lage || Chorprobe Frauenchor
Vortrag: Vögel im Winter | 19:00 | #1 VHS; Bochum || Vortrag: Rente und Steuern
Vortrag: Vögel im Winter | 19:00 | #1 VHS; Bochum || Lesung: Krimis aus dem Ruhrgebiet
Konzert Studierende Klavier | 19:00 | #1 Hochschule; Trossingen || Konzert Studierende Oboe
Concert | 20:00-22:00 | #1 Salle Pleyel; Paris || Conference
Christmas Day | 6 | ~ || Boxing Day
Public Holiday: Epiphany | 6 | ~ || Epiphany Bank Closing
Museum Closed | 6 | Museum; Ulm || Museum
No Storytime | 10:00 | Central Library; Tulsa || Storytime
Kein Training | 18:00 | Turnhalle; Olpe || Training
Spanish Exchange | 18:00 | Madison; Toronto || Japanese Exchange
Life Drawing | 18:00 | #1 Art Center; Bend || Figure Sculpting
Wine Tasting: Reds | 18:00 | Cellar; Napa || Wine Tasting: Whites
Blues Jam | 20:00 | #1 Loft; Köln || Techno Night
Senior Lunch | 12:00 | #1 Senior Center; Ames || Bridge Club
Grief Support Group | 18:00 | #1 Hospice; Erie || Caregiver Support Group
Tanztee | 15:00 | #1 Kurhaus; Bad Ems || Kurkonzert
Nähkurs | 18:00 | Familienbildungsstätte; Kleve || Nähkurs Taschen
Senatssitzung | 14:00 | #1 Audimax; Kiel || Studienberatung
# rooms
Team Meeting | 10:00 | Library, Room 101; Ely || Team Meeting | | Library, Room 202; Ely
Yoga | 18:00 | Studio 1; Graz || Yoga | | Studio 2; Graz
Meeting | 19:00 | Ice House Room A; Reno || Meeting | | Ice House Room B; Reno
Dune | 20:00 | Cineplex Saal 3; Bremen || Dune | | Cineplex Saal 7; Bremen
# other days
Tulip Time | 6 | Centennial Park; Holland || Tulip Time | 7
Kirschblütenfest | 6 | Altstadt; Bonn || Kirschblütenfest | 13
Tulip Time Parade | 6 | Centennial Park; Holland || Tulip Time Parade | 7 14:00
Wanda | 20:00 | Zenith; München || Wanda | 7 20:00
# calendars of one town
Wochenmarkt Südstadt | 8:00-13:00 | Lutherplatz; Kiel || Wochenmarkt Nordstadt | | Andreas-Hofer-Platz; Kiel
Mozart-Requiem | 19:00 | St. Nikolai; Kiel || Fauré-Requiem | | St. Jürgen; Kiel
Gitarrenkurs Anfänger I | 18:00 | #1 Haus der Jugend; Peine || Gitarrenkurs Anfänger II
Gitarrenkurs | 18:00 | #1 Haus der Jugend; Peine || Keyboardkurs
PEKiP-Gruppe 3-6 Monate | 9:30 | #1 Familienzentrum; Peine || PEKiP-Gruppe 6-9 Monate
Krabbelgruppe Käfer | 9:30 | #1 Familienzentrum; Peine || Krabbelgruppe Mäuse
Rückenschule | 18:00 | #1 VHS; Goslar || Rückenfit 50+
Italienisch A1.1 | 18:30 | #1 VHS; Goslar || Italienisch B1
Stadtratssitzung | 18:00 | Rathaus; Goslar || Ortsratssitzung Oker | | Rathaus; Goslar
Finanzausschuss | 17:00 | #1 Rathaus; Goslar || Bauausschuss
Ausschuss für Schule und Sport | 17:00 | #1 Rathaus; Goslar || Ausschuss für Umwelt und Klima
Skatturnier | 19:00 | Zum Stern; Linden || Skatturnier | | Zum Mond; Limmer
Schnupperkurs Bogenschießen | 14:00 | Schützenhaus; Peine || Schnupperkurs Luftgewehr
Kirchenführung | 15:00 | Marktkirche; Goslar || Kirchenführung | | Neuwerkkirche; Goslar
Themenführung „Hexen“ | 15:00 | Tourist-Info; Goslar || Themenführung „Bergbau“
Klassische Altstadtführung | 10:00 | Tourist-Info; Goslar || Klassische Altstadtführung (englisch)
Kinderkino: Pumuckl | 15:00 | KuBa; Wolfenbüttel || Kinderkino: Shaun das Schaf
Seniorenkino | 15:00 | Filmpalast; Wolfenbüttel || Kinderkino
Rund um den Elm – 45 km | 10:00 | Bahnhof; Königslutter || Rund um den Elm – 80 km
Heimspiel: Eintracht – Arminia | 14:00 | Stadion; Braunschweig || Heimspiel: Eintracht – Hansa
1. Herren vs. TSV Havelse | 15:00 | Sportplatz; Peine || 2. Herren vs. TSV Havelse
Bambini-Training | 16:00 | Sportplatz; Peine || F-Jugend-Training
Tanzkurs Discofox | 19:00 | ADTV; Celle || Tanzkurs Salsa
Discofox Stufe 1 | 19:00 | ADTV; Celle || Discofox Stufe 2
Nachhilfe Mathe | 15:00 | #1 Bibliothek; Celle || Nachhilfe Englisch
# calendars of a county
Pancake Breakfast | 8:00 | Fire Hall; Decorah || Pancake Breakfast | | Fire Hall; Calmar
Blood Drive | 12:00 | First Lutheran Church; Decorah || Blood Drive | | Good Shepherd Lutheran Church; Decorah
Storytime at the Park | 10:00 | Phelps Park; Decorah || Storytime at the Park | | Carl Selland Park; Decorah
Red Group Swim Meet | 9:00 | Pool; Decorah || Blue Group Swim Meet
JV Baseball vs Waukon | 17:00 | Field; Decorah || Varsity Baseball vs Waukon
Girls Soccer vs Waukon | 17:00 | Field; Decorah || Boys Soccer vs Waukon
8th Grade Orientation | 18:00 | High School; Decorah || 9th Grade Orientation
Band Concert Grades 5-6 | 18:30 | Middle School; Decorah || Band Concert Grades 7-8
Holiday Art Fair (Day 1) | 6 | Elks Lodge; Decorah || Holiday Art Fair (Day 2)
Spring Play: Friday Performance | 19:00 | High School; Decorah || Spring Play: Saturday Performance
AA – Big Book | 19:00 | #1 First Lutheran; Decorah || AA – Newcomers
NA Meeting | 19:00 | #1 First Lutheran; Decorah || Overeaters Anonymous
Cub Scouts Pack 51 | 18:30 | #1 First Lutheran; Decorah || Boy Scouts Troop 53
Cub Scouts Pack 51 | 18:30 | #1 First Lutheran; Decorah || Cub Scouts Pack 53
Planning & Zoning | 17:30 | #1 City Hall; Decorah || Park & Rec Board
Tree Board | 17:30 | #1 City Hall; Decorah || Historic Preservation Commission
Beginning Rosemaling | 9:00 | #1 Vesterheim; Decorah || Beginning Woodcarving
Knife-Making with Jeff | 9:00 | #1 Vesterheim; Decorah || Spoon Carving with Fred
Walk-in Clinic – Decorah | 9:00 | Public Health; Decorah || Walk-in Clinic – Ossian | | Community Center; Ossian
Fourth of July Fireworks | 21:30 | ~ || 4th of July Parade | 21:30
Live Music: Joe and Vicki | 19:00 | Pulpit Rock; Decorah || Live Music: Buffalo Galaxy | | Toppling Goliath; Decorah
Bingo Night | 19:00 | VFW; Decorah || Bingo Night | | VFW; Cresco
Open Skate | 13:00 | Rink; Decorah || Stick & Puck
Garden Club | 13:00 | #1 Library; Decorah || Writers' Group
Zoom: Medicare 101 | 10:00 | ~ || Zoom: Identity Theft
# promoters and houses
Sleaford Mods | 20:00 | Gebäude 9; Köln || Sleaford Mods | | Uebel & Gefährlich; Hamburg
Element of Crime | 20:00 | Palladium; Köln || Element of Crime | 7 20:00
DESiMOs spezial Club | 20:00 | Apollo; Hannover || Desimo: Manipulator | | Theater am Aegi; Hannover
Otello | 19:30 | Staatenhaus Saal 1; Köln || La Bohème | | Staatenhaus Saal 2; Köln
Otello: Einführung | 19:00 | Staatenhaus; Köln || Otello | 19:30
Carmen | 15:00 | Oper; Köln || Carmen | 19:30
Backstage Tour Oper | 11:00 | Oper; Köln || Familienkonzert Oper
Comedy Club 1. Show | 19:00 | Gloria; Köln || Comedy Club 2. Show | 19:30
Cat Ballou | 20:00 | Palladium; Köln; ; 50.9650, 7.0160 || Cat Ballou | | E-Werk; Köln; ; 50.9651, 7.0147
Silent Disco Floor 1 | 22:00 | Bootshaus; Köln || Silent Disco Floor 2
Meet the Artist: Einaudi | 20:00 | Arena; Köln || Einaudi VIP-Paket
Kneipenquiz | 20:00 | Café Storch; Köln || Kneipenquiz | | Café Franck; Köln
Whisky-Tasting Islay | 19:00 | Cadenhead's; Köln || Whisky-Tasting Speyside
Street Food Festival | 6-7 | Helios; Köln || Street Food Festival | 6-7 | Hafen; Mülheim
Kino: Anatomie eines Falls | 20:00 | Odeon; Köln || Kino: Poor Things
Kurzfilmrolle 1 | 20:00 | Odeon; Köln || Kurzfilmrolle 2
# feeds that know less
Messe | 10:00 | ~ || Messe | 10:00 | Église Saint-Michel; Nîmes
Cours de guitare ados | 17:00 | MJC; Nîmes || Cours de guitare adultes
Marché de Noël | 6 | Place de la Comédie; Montpellier || Marché de Noël | | Place du Capitole; Toulouse
Stage de poterie | 14:00 | ~ || Stage de théâtre
Visite guidée en français | 15:00 | Arènes; Nîmes || Visita guiada en español
Match: Nîmes - Lyon | 20:00 | Stade; Nîmes || Match: Nîmes - Bastia
Concert de Noël | 20:30 | Église Saint-Paul; Nîmes || Concert de Noël | | Église Sainte-Perpétue; Nîmes
Yoga prénatal | 18:00 | #1 Centre; Nîmes || Yoga postnatal
Taller de cocina: arroces | 18:00 | Mercado; Valencia || Taller de cocina: tapas
Clase magistral | 18:00 | Conservatorio; Jaén || Concierto de alumnos
Fiestas patronales | 6-8 | Plaza Mayor; Toro || Verbena Orquesta Panorama | 22:00
Busy | 10:00-11:00 | ~ || Busy
Event | 10:00 | ~ || Event
Reserved | 18:00-20:00 | #1 Community Room; Erie || Reserved | 18:00-21:00
Private Event | 18:00 | Ballroom A; Erie || Private Event | | Ballroom B; Erie
Rehearsal | 19:00 | ~ || Rehearsal
Office Hours | 9:00 | #1 Student Union; Raleigh || Career Fair
`
