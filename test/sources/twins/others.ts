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
`
