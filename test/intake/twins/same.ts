/**
 * Pairs that are the same. A line is `event || event`, an event `title | when | where | page`; what the second one leaves
 * out is as in the first. Pages are those of both; texts behind them are not compared. `when` is a day of March 2027 and times, of the 6th if there is no day, or days for events without times.
 * `where` is `name; city; address; lat, lng`, `~` nowhere; `#1` is the same venue for both. A line `# kind` begins another kind.
 */
export const SAME = `
# spelled in another way
Jazz Night | 20:00-23:00 | Blue Note; Hamburg || JAZZ NIGHT
Rock &amp; Roll Bingo | 19:00-22:00 | The Anchor; Leeds || Rock & Roll Bingo
Rock and Roll Bingo | 19:00-22:00 | The Anchor; Leeds || Rock & Roll Bingo
Hamlet | 19:30-22:15 | Thalia Theater; Hamburg || &bdquo;Hamlet&ldquo;
“A Doll’s House” | 19:30 | Royal Exchange; Manchester || A Doll's House
A Doll&#8217;s House | 19:30 | Royal Exchange; Manchester || A Dolls House
Café Concert | 15:00-17:00 | Palm Court; Bath || Cafe Concert
Weihnachts-Oratorium | 18:00 | Michaeliskirche; Hamburg || Weihnachtsoratorium
Open-Air-Kino: Der Himmel über Berlin | 21:30 | Freilichtbühne; Trier || Open Air Kino - Der Himmel über Berlin
K-Pop Dance | 17:00-18:00 | Tanzhaus NRW; Düsseldorf || KPop Dance
Lange Nacht der Museen | 18:00 | Kunsthalle; Bremen || LANGE NACHT DER MUSEEN
Les Misérables | 20:00 | Grand Théâtre; Genève || Les Miserables
El niño y la bestia | 18:00 | Cine Doré; Madrid || El Nino y la Bestia
Tag der offenen Tür | 10:00-16:00 | Feuerwache 3; Kiel || Tag der Offenen Tuer
Swan Lake (Ballet) | 19:00 | Opera House; Leipzig || Ballet: Swan Lake
Bach: Matthäus-Passion | 19:00 | Thomaskirche; Leipzig || Bach – Matthaeus-Passion
¡Viva Flamenco! | 21:00 | Tablao Sol; Sevilla || Viva Flamenco
10,000 Maniacs | 20:00 | The Egg; Albany || 10.000 Maniacs
Poetry Slam Wien | 20:00 | Literaturhaus; Wien || poetry slam wien
First-aid course #106 | 9:00 | Red Cross; Graz || First aid course 106
Don't Look Now | 20:15 | Prince Charles Cinema; London || Dont Look Now
Müllers Marionettentheater | 16:00 | Marionettentheater; Wuppertal || Muellers Marionettentheater
Große Oper für Groß und Klein | 15:00 | Staatsoper; Stuttgart || Grosse Oper für Gross und Klein
Señora Martínez cuenta historias | 17:00 | Biblioteca Central; Cádiz || Senora Martinez cuenta historias
Nuit Blanche | 22:00 | Le Lieu Unique; Nantes || NUIT BLANCHE!
Soirée Électro | 23:00 | La Belle Électrique; Grenoble || Soiree Electro
Wet Leg | 20:00 | O2 Academy; Bristol || Wet&nbsp;Leg
# what stands beside a title
CANCELED: Symphony No. 5 | 19:30 | Heinz Hall; Pittsburgh || Symphony No. 5
Canceled – Zoning Hearing Board | 19:00 | Municipal Building #1; Bethel Park || Zoning Hearing Board
ABGESAGT: Tocotronic | 20:00 | Fabrik; Hamburg || Tocotronic
Tocotronic (ausverkauft) | 20:00 | Fabrik; Hamburg || Tocotronic
SOLD OUT! Dua Lipa | 20:00 | Roundhouse; London || Dua Lipa
Dua Lipa - Sold Out | 20:00 | Roundhouse; London || Dua Lipa
[Verschoben] Sinfoniekonzert | 20:00 | Glocke; Bremen || Sinfoniekonzert
ANNULÉ – Le Malade imaginaire | 20:30 | Comédie; Reims || Le Malade imaginaire
CANCELADO: Noche de Tango | 21:00 | Teatro Lope de Vega; Sevilla || Noche de Tango
Complet : Le Malade imaginaire | 20:30 | Comédie; Reims || Le Malade imaginaire
🎷 Jazz am Fluss 🎶 | 18:00 | Alter Hafen; Würzburg || Jazz am Fluss
🎄✨ Christmas Carols ✨🎄 | 17:00 | St Mary's Church; Ely || Christmas Carols
★ Salsa Social ★ | 21:00 | Club Havana; Köln || Salsa Social
NEW! Pottery for the Curious | 18:00 | Clay Studio; Austin || Pottery for the Curious
Repair Café – 6. März 2027 | 14:00-17:00 | Haus der Begegnung; Ulm || Repair Café
Farmers Fair - March 6, 2027 | 8:00-13:00 | Showers Common; Bloomington || Farmers Fair
Saturday Ramble 3/6 | 9:00 | Town Moor; Newcastle || Saturday Ramble
Swing Picnic (06.03.) | 15:00 | Westpark; München || Swing Picnic
2027-03-06 Linux User Group | 18:00 | Chaosdorf; Düsseldorf || Linux User Group
Linux User Group @ 6pm | 18:00 | Chaosdorf; Düsseldorf || Linux User Group
Stammtisch der Imker, 19 Uhr | 19:00 | Gasthaus Krone; Passau || Stammtisch der Imker
Spring Gala 2027 | 19:00 | Hilton; Toledo || Spring Gala
Concierto de Primavera - 6 de marzo | 20:00 | Auditorio; Murcia || Concierto de Primavera
Fête du Livre samedi 6 mars | 14:00 | Médiathèque; Albi || Fête du Livre
Jazz Lounge at the Blue Note | 20:00 | Blue Note; Hamburg || Jazz Lounge
Tango Milonga @ Kulturzentrum Alte Mälzerei | 20:00 | Alte Mälzerei; Regensburg || Tango Milonga
Wanda live | 20:00 | Zenith; München || Wanda
Nick Cave in concert | 20:00 | Waldbühne; Berlin || Nick Cave
Konzert: Wanda | 20:00 | Zenith; München || Wanda
Anna Calvi feat. Iggy Pop | 20:00 | Trianon; Paris || Anna Calvi ft. Iggy Pop
Anna Calvi with Iggy Pop | 20:00 | Trianon; Paris || Anna Calvi w/ Iggy Pop
Anna Calvi & Iggy Pop | 20:00 | Trianon; Paris || Iggy Pop + Anna Calvi
The National | 20:00 | Riverside Theatre; Milwaukee || National, The
# the same with a sign that both have
Yoga for Beginners | 18:00-19:00 | Studio Om; Graz || Beginner's Yoga
Yoga für Anfänger | 18:00-19:00 | Studio Om; Graz || Yoga (Anfänger)
Symphony No. 9 | 19:30 | Severance Hall; Cleveland || Symphony No 9
Rocky II | 20:00 | Rio Cinema; London || Rocky 2
Faust. Der Tragödie zweiter Teil | 19:00 | Schauspielhaus; Weimar || Faust: der Tragödie 2. Teil
Storytelling for Kids | 10:00-10:45 | Central Library; Tulsa; 400 Civic Center || Kids Storytelling
5k Turkey Trot | 9:00 | Schenley Park; Pittsburgh || Turkey Trot 5K
1st Annual Chili Cook-Off | 12:00 | Fire House; Moab || First Annual Chili Cook-off
Deutsch-Stammtisch on Zoom | 18:00 | ~ | https://goethe.example/stammtisch/6 || Deutsch Stammtisch (online)
Ballet Class Level 2 | 17:00-18:00 | Dance Space; Boise || Ballet Level 2
# venues of other spelling
Dido and Aeneas | 19:30 | The Fillmore Theatre; Detroit || Dido and Aeneas | | Fillmore Theater; Detroit
Sea Shanties | 19:30 | St. Mary's Church; Whitby || Sea Shanties | | Saint Marys Church; Whitby
Kammermusik am Nachmittag | 16:00 | Kulturzentrum Schlachthof; Kassel || Kammermusik am Nachmittag | | Schlachthof; Kassel
Impro-Theater Springmaus | 20:00 | Haus der Springmaus; Bonn || Impro-Theater Springmaus | | Springmaus Theater; Bonn
Slow Food Abend | 19:00 | Café Mokka; Thun || Slow Food Abend | | Cafe Mokka; Thun
Lange Tafel | 12:00 | Marktplatz 1; Fulda || Lange Tafel | | Marktplatz 1; Fulda
Bluegrass Sunday | 18:00 | Station Inn; Nashville || Bluegrass Sunday | | Station Inn, 402 12th Ave S, Nashville, TN
Bluegrass Picking | 18:00 | Station Inn; Nashville; 402 12th Ave S || Bluegrass Picking | | Station Inn; ; 402 12th Avenue South
Trivia with Bob | 19:00 | Murphy's Pub; ; ; 40.4406, -79.9959 || Trivia with Bob | | Murphys; ; ; 40.4409, -79.9955
Opera Gala | 19:00 | Müpa; Budapest; ; 47.4699, 19.0706 || Opera Gala | | Mupa; Budapest; ; 47.4702, 19.0711
Requiem de Fauré | 20:00 | Église Saint-Eustache; Paris || Requiem de Fauré | | St Eustache; Paris
Ritter Rost | 15:00 | Theater an der Wilhelmshöhe; Köln || Ritter Rost | | Theater an der Wilhelmshöhe; Cologne
Ritter Rost | 15:00 | Gasteig HP8; München || Ritter Rost | | Gasteig HP8; Munich
City Council | 18:30-20:00 | City Hall; Moab; 217 E Center St || City Council | | City Hall; Moab; 217 East Center Street
Baby Rhyme Time | 10:00-10:30 | Library; Ely || Baby Rhyme Time | | Library; Ely
Trivia Throwdown | 19:00 | Mad Mex; Pittsburgh || Trivia Throwdown | | Mad Mex
Lindy Hop Social | 20:00 | Ballhaus Walzerlinksgestrickt; Berlin || Lindy Hop Social | | Ballhaus Walzerlinksgestrikt; Berlin
Offenes Atelier | 14:00-18:00 | #1 Kulturbahnhof; Cölbe || Offenes Atelier
Meeting | 19:00-20:00 | #1 Municipal Building; Cölbe || Meeting
Ukulele Jam | 18:00 | #1 The Loft; Truro || Ukulele Jam
Ringelnatz-Abend | 20:00 | Lichtburg; Wetter || Ringelnatz-Abend | | Lichtburg Wetter; Wetter (Ruhr)
Quilt Guild | 13:00 | Grace Lutheran Church; Boulder || Quilt Guild | | Grace Lutheran; Boulder
Bicycle Film Night | 19:00 | Ritz; Sheffield; ; 53.38110, -1.47010 || Bicycle Film Night | | The Ritz; ; ; 53.3815, -1.4709
# ends of their own
Sternwarte am Samstag | 20:00-22:00 | Sternwarte; Hof || Sternwarte am Samstag | 20:00-20:00
Sternwarte am Samstag | 20:00-22:00 | Sternwarte; Hof || Sternwarte am Samstag | 20:00-23:59
Frauenfrühstück mit Vera | 9:00-11:00 | Café Lux; Hof || Frauenfrühstück mit Vera | 9:00-11:30
Book Swap Saturday Social | 11:00-12:00 | Waterstones; Hull || Book Swap Saturday Social | 11:00-14:00
Concert | 20:00-22:00 | Salle Pleyel; Paris || Concert | 20:00-22:00
# whole days
Stadtfest Lüneburg | 6-8 | Altstadt; Lüneburg || Stadtfest Lüneburg | 6-8
Tulip Time | 6 | Centennial Park; Holland || Tulip Time | 6
Kirschblütenfest | 6-7 | Altstadt; Bonn || Kirschblütenfest
# more or less in the title
Lesung mit Judith Hermann | 19:30 | Literaturhaus; Kiel || Judith Hermann: Wir hätten uns alles gesagt
Tocotronic + Support: Die Sterne | 20:00 | Fabrik; Hamburg || Tocotronic
Iron Maiden: Run for Your Lives World Tour | 20:00 | Olympiahalle; München || Iron Maiden
Shakespeare in the Park presents Twelfth Night | 19:00 | Delacorte Theater; New York || Twelfth Night
Hänsel und Gretel - Märchenoper von Engelbert Humperdinck | 17:00 | Stadttheater; Gießen || Hänsel und Gretel
An Evening with David Sedaris | 19:00 | Benaroya Hall; Seattle || David Sedaris
Vernissage: Neue Arbeiten von Lena Kramer | 18:00 | Galerie Nord; Lübeck || Lena Kramer – Neue Arbeiten
Blutspende DRK | 15:00-19:00 | Gemeindehaus; Burgdorf || Blutspendetermin des DRK
Ladies Wine Walk & Chocolate Tasting Downtown Winter Edition | 17:00 | Main Street; Salida || Wine Walk & Chocolate Tasting
Annual Firefly Hike at Cook Forest | 20:30 | Cook Forest State Park; Clarion || Firefly Hike
Krimidinner: Mord an Bord | 19:00 | MS Rheinenergie; Köln || Mord an Bord - das Krimidinner
LUG Meeting | 19:00 | Hackerspace; Ulm || Linux User Group Meeting
CSD | 12:00 | Schlossplatz; Stuttgart || Christopher Street Day
Astronomie für alle: Der Mond | 20:00 | Sternwarte; Hof || Astronomie für alle – Vortrag "Der Mond"
Cine fórum: El verdugo | 19:00 | Filmoteca; Valencia || El verdugo (cine fórum)
Balade contée au clair de lune avec Manon | 21:00 | Forêt de Brocéliande; Paimpont || Balade contée au clair de lune
Bücherflohmarkt der Stadtbücherei | 10:00-14:00 | Stadtbücherei; Soest || Bücherflohmarkt
Toronto Symphony Orchestra: Mahler 4 | 20:00 | Roy Thomson Hall; Toronto || TSO: Mahler 4
# typed wrong
Bethoven Streichquartette | 20:00 | Beethovenhaus; Bonn || Beethoven Streichquartette
Phillharmonic Orchestra Gala | 20:00 | Usher Hall; Edinburgh || Philharmonic Orchestra Gala
Frülingserwachen | 19:30 | Schauspiel; Bochum || Frühlingserwachen
Reprair Café Nordstadt | 14:00 | Bürgerzentrum; Hildesheim || Repair Café Nordstadt
Accoustic Sessions with Joni | 20:00 | Cellar Bar; Galway || Acoustic Sessions with Joni
Kapelle Petra | 20:00 | Bahnhof Langendreer; Bochum || Kappelle Petra
Wokshop Siebdruck | 14:00 | Offene Werkstatt; Jena || Workshop Siebdruck
Exposición de Joaquin Sorolla | 18:00 | Museo Sorolla; Madrid || Exposición de Joaquín Sorola
# at another minute
Tocotronic | 19:30 | Fabrik; Hamburg || Tocotronic | 20:00
Hamlet | 19:30-22:15 | Thalia Theater; Hamburg || Hamlet | 19:15-22:15
Blutspende | 15:30-19:30 | DRK-Haus; Soltau || Blutspende | 15:00-19:30
Bürgersprechstunde Ortsrat Linden | 17:00 | Freizeitheim; Hannover || Bürgersprechstunde Ortsrat Linden | 17:15
La Traviata | 19:30 | Opéra; Lyon || La Traviata | 20:00
Salsa on the Square | 18:00 | Market Square; Pittsburgh || Salsa on the Square | 17:30
Sunrise Paddle | 6:45 | Lake Merced; San Francisco || Sunrise Paddle | 6:30
# in another language
Weihnachtsmarkt Rüdesheim | 11:00 | Marktstraße; Rüdesheim || Christmas Market Rüdesheim
Concierto: Silvia Pérez Cruz | 21:00 | L'Auditori; Barcelona || Concert Silvia Pérez Cruz
Stadtführung Reichenau | 14:00 | Münster; Reichenau || City tour Reichenau
Exposition Monet | 10:00 | Musée de l'Orangerie; Paris || Monet exhibition
Atelier Kandinsky | 14:00 | Lenbachhaus; München || Kandinsky workshop
Taller de cerámica | 17:00 | Casa Encendida; Madrid || Taller cerámica
Flohmarkt Mauerpark | 10:00 | Mauerpark; Berlin || Mauerpark Flea Market
# without times
Stadtfest Lüneburg | 6 | Altstadt; Lüneburg || Stadtfest Lüneburg | 10:00-22:00
Tulip Time Parade | 6 | Centennial Park; Holland || Tulip Time Parade | 14:00
Hanse Sail Rostock | 6-8 | Stadthafen; Rostock || Hanse Sail Rostock | 6 10:00-8 18:00
Stadtfest Lüneburg | 6-8 | Altstadt; Lüneburg || Stadtfest Lüneburg | 6-7
# without a place
Wanda | 20:00 | Zenith; München || Wanda | | ~
Repair Café Nordstadt | 14:00-17:00 | Bürgerzentrum; Hildesheim || Repair Café Nordstadt | | ~
Tango Milonga in der Mälzerei | 20:00 | Alte Mälzerei; Regensburg || Tango Milonga in der Mälzerei | | ~ 
Webinar: Soil Health | 12:00 | ~ || Webinar: Soil Health
Webinar: Soil Health | 12:00 | ~ | https://soil.example/webinar/7 || Webinar: Soil Health
Rosh Hashanah | 6-7 | ~ || Rosh Hashanah
Equal Pay Day | 6 | ~ | | Equal Pay Day symbolises the day up to which women work for nothing || Equal Pay Day
# at a place of another name
Jahreshauptversammlung Turnverein 1860 | 19:00 | Gasthaus zum Löwen; Aalen; Hauptstr. 5 || Jahreshauptversammlung Turnverein 1860 | | Löwensaal; Aalen; Hauptstraße 5
Chess for Everyone | 18:00 | Carnegie Library; Pittsburgh; ; 40.4433, -79.9507 || Chess for Everyone | | CLP Main; Pittsburgh; ; 40.4434, -79.9509
Riverdance | 20:00 | American Music Theatre; ; ; 40.0248, -76.2005 || Riverdance | | American Music Theatre; ; ; -76.2005, 40.0248
Hofflohmarkt Eutritzsch | 10:00 | Geyserhaus; Leipzig; ; 51.3712, 12.3801 || Hofflohmarkt Eutritzsch | | Geyserhaus; Leipzig; ; 51.3397, 12.3731
Nachtflohmarkt Galopprennbahn | 17:00 | Haupttribüne; Bremen; ; 53.0570, 8.8870 || Nachtflohmarkt Galopprennbahn | | Galopprennbahn; Bremen; ; 53.0581, 8.8879
# under another title
Sommerfest der Freiwilligen Feuerwehr | 15:00 | Feuerwehrhaus; Melle | https://ff-melle.example/fest || Tag der Feuerwehr
Zu Gast: die Nachbarn | 18:00 | Nachbarschaftshaus; Berlin | | Wir laden alle aus dem Kiez zu Suppe, Musik und Gesprächen ein. || Kiezabend
Lost in Music | 22:00 | Club Ost; Dresden | https://club-ost.example/lost || Lost in Music – 90s Party
# from calendars of one town
Mozart-Requiem – Kantorei St. Nikolai | 19:00 | St. Nikolai; Kiel || MOZART REQUIEM (Kantorei St. Nikolai)
Wochenmarkt Südstadt | 8:00-13:00 | Lutherplatz; Kiel || Wochenmarkt Suedstadt
Kieler Umschlag – Eröffnung mit Asmus | 18:00 | Alter Markt; Kiel || Eröffnung Kieler Umschlag mit Asmus
Lesekreis: Thomas Mann „Der Zauberberg“ | 19:00-21:00 | Buchhandlung Lüders; Hamburg || Lesekreis: Thomas Mann, "Der Zauberberg"
Ü30-Party mit DJ Ralle | 21:00 | Stadthalle; Gifhorn || Ü-30 Party mit DJ Ralle
Ein Sommernachtstraum | 20:00 | Stadttheater; Fürth || Shakespeare: Ein Sommernachtstraum
Die Physiker (Dürrenmatt) | 20:00 | Stadttheater; Fürth || Friedrich Dürrenmatt: Die Physiker
Kürbisschnitzen für Familien | 14:00-17:00 | Umweltzentrum; Braunschweig || Kürbis schnitzen für Familien
Spieleabend der Brettspielfreunde | 19:00 | Jugendzentrum Mitte; Peine || Brettspielfreunde: Spieleabend
Radtour ADFC: Rund um den Elm (45 km) | 10:00 | Bahnhof; Königslutter || ADFC-Radtour rund um den Elm, 45 km
Open Stage | 20:00-23:00 | KuBa; Wolfenbüttel || Open Stage | | KuBa-Halle; Wolfenbüttel
Literarischer Salon: Saša Stanišić | 20:00 | Conti-Hochhaus; Hannover || Saša Stanišić im Literarischen Salon
NDR Radiophilharmonie: Brahms 2 | 20:00 | NDR Großer Sendesaal; Hannover || NDR Radiophilharmonie – Brahms 2 | | Großer Sendesaal des NDR; Hannover
Tatort-Gucken | 20:15 | Zum Stern; Linden || Tatort gucken
Kleidertauschparty | 15:00 | Faust e.V.; Hannover || Kleidertausch-Party | | Kulturzentrum Faust; Hannover
Grünkohlwanderung | 11:00 | Wanderparkplatz Waldkater; Peine || Grünkohl-Wanderung
Karneval der Tiere | 11:00 | Kinder- und Jugendtheater; Hannover || Karneval der Tiere | 11:15
Nachtwächterführung | 20:00 | Tourist-Info; Goslar || Nachtwächter-Rundgang
Kunst-Matinée | 11:30 | Kunstverein; Celle || Kunstmatinee
EM-Finale Public Viewing | 21:00 | Schützenplatz; Hannover || Public Viewing: EM-Finale
Blaulichttag 2027 | 10:00-17:00 | Feuerwehrtechnische Zentrale; Uelzen || Blaulichttag
# from calendars of a county
Pancake Breakfast - Lions Club | 7:30-11:00 | VFW Post 5555; Decorah || Lions Club Pancake Breakfast
Farm to Table Dinner *SOLD OUT* | 18:00 | Luna Valley Farm; Decorah || Farm-to-Table Dinner
Nordic Fest Parade | 10:00 | Water Street; Decorah || 60th Nordic Fest Parade
Oneota Film Festival: Opening Night Film | 19:00 | Hotel Winneshiek; Decorah || Opening Night Film, Oneota Film Festival
Winneshiek County Board of Supervisors | 9:30 | Courthouse; Decorah; 201 W Main St || Board of Supervisors – Winneshiek County
Contra Dance with Footnotes! | 19:00-22:00 | Hauge Center; Decorah || Contra Dance: The Footnotes
Driftless Half Marathon | 8:00 | Phelps Park; Decorah || Driftless 1/2 Marathon
Seed Library Open House | 16:00-18:00 | Decorah Public Library; Decorah || Open House: Seed Library | | Public Library; Decorah
Holiday Art Fair (Day 1) | 10:00-16:00 | Elks Lodge; Decorah || Day 1: Holiday Art Fair
Bird Walk w/ Larry | 7:00 | Dunning's Spring; Decorah || Bird Walk with Larry | | Dunnings Spring Park; Decorah
Blood Drive | 12:00-17:30 | First Lutheran Church; Decorah || Red Cross Blood Drive
Decorah Rotary | 12:00-13:00 | Family Table; Decorah || Rotary Club of Decorah
Concert on the Lawn: Absolute Hoot | 18:30 | Courthouse Lawn; Decorah || Absolute Hoot at Concert on the Lawn
Lego Build-Off (ages 6-12) | 13:00 | Library; Decorah || LEGO Build Off, ages 6–12
Mother's Day Tea | 14:00 | Porter House Museum; Decorah || Mothers Day Tea
Old-time jam | 19:00 | Java John's; Decorah || Old Time Jam Session
Tax Help (AARP) – by appointment | 9:00-12:00 | Senior Center; Decorah || AARP Tax Help
ANNUAL MEETING: Seed Savers Exchange | 13:00 | Heritage Farm; Decorah || Seed Savers Exchange Annual Meeting
Rescheduled – Ladies Night Out | 17:00 | Downtown; Decorah || Ladies' Night Out
Trout Unlimited Chapter Meeting | 18:30 | Pulpit Rock Brewing; Decorah; ; 43.3086, -91.7990 || Trout Unlimited | | Pulpit Rock Brewing Co.; ; ; 43.3084, -91.7994
Yoga in the Park | 9:00-10:00 | Phelps Park; Decorah || Yoga in the Park
Cinco de Mayo Celebration | 17:00 | Mabe's Pizza; Decorah || ¡Cinco de Mayo!
# from promoters and houses
SLEAFORD MODS | 20:00 | Gebäude 9; Köln || Sleaford Mods (UK) + Support
Sleaford Mods | 19:00 | Gebäude 9; Köln || Sleaford Mods | 20:00
Element of Crime – Zusatzkonzert | 20:00 | Palladium; Köln || Element of Crime (Zusatzkonzert)
Bosse: Übers Träumen Tour 2027 | 20:00 | Palladium; Köln || Bosse
Igor Levit spielt Beethoven | 20:00 | Kölner Philharmonie; Köln || Igor Levit | | Philharmonie Köln; Köln
Carmen (Premiere) | 19:30 | Oper; Köln || Premiere: Carmen
Otello, oper von Giuseppe Verdi | 19:30 | Staatenhaus; Köln || Otello | | Oper Köln im Staatenhaus; Köln
NightWash Live! | 20:00 | Waschsalon; Köln || NightWash
Rosenstolz-Tribute: Herzstürmer | 20:00 | Kantine; Köln || Herzstürmer – Rosenstolz Tribute
Kölsche Weihnacht | 17:00 | Volksbühne am Rudolfplatz; Köln || Kölsche Weihnacht | | Volksbühne; Köln
Ludovico Einaudi | 20:00 | Lanxess Arena; Köln || Ludovico Einaudi | | LANXESS arena; Köln-Deutz
BRIT FLOYD | 20:00 | E-Werk; Köln; Schanzenstr. 37 || Brit Floyd - The World's Greatest Pink Floyd Show | | E-Werk Köln; Köln; Schanzenstraße 37
Poetry Slam „Reim in Flammen“ | 20:30 | Gloria; Köln || Reim in Flammen – Poetry Slam | | Gloria-Theater; Köln
Le Nozze di Figaro | 19:00 | Staatenhaus; Köln || Die Hochzeit des Figaro (Le nozze di Figaro)
Tanz: Sasha Waltz & Guests | 19:30 | Depot 1; Köln || Sasha Waltz and Guests
# from feeds that know less
Fête de la musique | 6 | Vieux-Port; Marseille || Fête de la musique | 18:00-23:59
Vide-grenier du Panier | 7:00-18:00 | Place de Lenche; Marseille || Vide grenier du Panier
Course de la Bonne Mère | 6 | ~ || Course de la Bonne Mère | 6 | Esplanade; Marseille
Ciné-débat: Home | 20:00 | Le Gyptis; Marseille || Ciné débat - Home
Conférence : l'eau et la ville | 18:30 | Alcazar; Marseille || L'eau et la ville (conférence)
Concert de l'orchestre Divertimento | 20:30 | La Criée; Marseille || Orchestre Divertimento
Noche en Blanco | 6 | ~ || Noche en Blanco | 20:00 | Centro; Málaga
Ruta guiada por la Alcazaba | 11:00 | Alcazaba; Málaga || Ruta guiada: Alcazaba
XV Semana del Cine | 6-8 | Cine Albéniz; Málaga || 15 Semana del Cine
Cuentacuentos “El dragón” | 12:00 | Biblioteca Cánovas; Málaga || Cuentacuentos: El dragon
Mercadillo navideño | 6-8 | Plaza de la Marina; Málaga || Mercado de Navidad
Recital de piano – Iván Martín | 20:00 | Teatro Cervantes; Málaga || Iván Martín, piano | | Cervantes; Málaga
日本語と英語の交流会 | 14:00 | Madison Avenue Pub; Toronto || 【日本語と英語の交流会】
Japanese English Exchange 🇯🇵🇨🇦 | 14:00 | Madison Avenue Pub; Toronto || Japanese/English Exchange
Вечер поэзии | 19:00 | Библиотека; Berlin || Вечер поэзии!
`
