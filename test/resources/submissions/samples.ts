import type { Written } from '../../../src/resources/submissions/weigh.ts'

// A line each: title | description | venue | organizer | website | name | address | 'known' if the calendar knows the venue |
// how many others have sent the same text.

const read = (text: string): Written[] =>
  text
    .trim()
    .split('\n')
    .map(line => {
      const [
        title = '',
        description = '',
        venue = '',
        organizer = '',
        website = '',
        name = '',
        email = '',
        ...more
      ] = line.split('|').map(part => part.trim())
      const written = { title, description, venue, organizer, website, others: '', name, email }
      return { ...written, isAtKnownVenue: more[0] === 'known', repeats: Number(more[1] ?? 0) }
    })

/** True events, made up: short and long ones, in several languages, and such as share words with spam. */
export const EVENTS: readonly Written[] = read(`
Jazz im Hof | Das Trio Blau spielt Standards und eigene Stücke. Eintritt frei, Spenden willkommen. | Kulturhof Nord |  |  | Anna Weber | anna.weber@example.org
Casino Night for the Animal Shelter | Roulette, blackjack and poker with play money. All proceeds go to the shelter. Dress code: black tie. Tickets $40 at https://shelter.example.org/casino | Elks Lodge |  |  | Mary Hill | mary@shelter.example.org
Flohmarkt Lindenstraße | Rund 60 Stände, Kaffee und Kuchen. Standgebühr 8 Euro, Anmeldung unter 030 1234567. | Lindenstraße |  |  |  | flohmarkt@example.de
Bingo Night!!! | Doors 6 pm, first game 7 pm. Jackpot game at nine. Cards $10. | VFW Post 12
Chorprobe zum Mitsingen | Wir singen Volkslieder. Noten sind da. | Gemeindehaus St. Anna |  |  |  |  | known
Bitcoin-Stammtisch | Monatliches Treffen für alle, die sich für Bitcoin und Datenschutz interessieren. Keine Anlageberatung. | Café Zeitlos
Intro to SEO for Small Businesses | A free evening class of the public library: how search engines find your site. Bring a laptop. | Central Library, room 2 | Central Library
LAN-Party der Jugendfeuerwehr | Bringt eure Rechner mit. Pizza gibt es vor Ort. Ende gegen Mitternacht. | Feuerwehrhaus
Poetry Slam | Twelve poets, one winner. Sign up at the door until 19:30. | The Basement
Concierto de guitarra flamenca | Paco Ruiz presenta su nuevo disco. Entrada 12 €, anticipada 10 € en https://salaluna.example.es/entradas | Sala Luna |  |  | Paco Ruiz
Vide-grenier du quartier | Plus de cent exposants, buvette et animations pour les enfants. Inscription au 01 23 45 67 89. | Place de la République
Yoga in the Park | Free class for all levels, every Saturday. Bring a mat and water. WhatsApp group for rain dates: ask the teacher. | Riverside Park |  |  | Lena
Mondscheinwanderung | Zehn Kilometer, gutes Schuhwerk nötig. Treffpunkt Wanderparkplatz Eichberg. | Wanderparkplatz Eichberg | Alpenverein Sektion Mitte
TANZ IN DEN MAI | DJ Holger legt auf. Eintritt 5 €, ab 22 Uhr 7 €. | Schützenhaus
Essay Writing Workshop | Two Sundays on the personal essay with novelist Ruth Amsel. Eight places. | Writers House
Erste-Hilfe-Kurs | Neun Stunden, anerkannt für den Führerschein. Kosten 45 €. Anmeldung: https://drk.example.de/kurse | DRK-Zentrum | DRK
Kinderkino: Der kleine Maulwurf | Für Kinder ab drei Jahren, Dauer 60 Minuten, danach wird gebastelt. | Kino Casino |  |  |  |  | known
Live Stream: Council Meeting | The meeting of the town council, in the hall and online at https://town.example.gov/live | Town Hall
Repair Café | Bring what is broken: lamps, radios, printers, bikes. Volunteers help you mend it. | Makerspace
Karaoke 🎤 | Every Thursday. No cover. | O’Malley’s
Weinprobe mit Käse | Sieben Weine, fünf Käse, viel Brot. 39 € pro Person. Tel. +49 6131 555 1234. | Weingut Berg |  |  |  | info@weingut-berg.example
Blood Drive | Appointments and walk-ins, 9 to 2. Photo ID required. Call (555) 010-2233 or book at https://blood.example.org/give | Community Center
Vortrag: Sternhaufen im Winter | Dr. Ines Kolb zeigt eigene Aufnahmen. Anschließend Beobachtung, wenn der Himmel klar ist. | Volkssternwarte
Drag Bingo | Hosted by Miss Demeanor. 18+. Reservations at https://theowl.example.com/drag | The Owl
Sommerfest der Kita Regenbogen | Hüpfburg, Schminken, Grillen. Kuchenspenden bitte bis 10 Uhr abgeben. | Kita Regenbogen
Stammtisch |  | Gasthof Krone
Open Mic | Sign up 7, starts 8. | Bean There
Bal folk | Avec le groupe Tri Yann ar Mor. Initiation à 20 h, bal à 21 h. 8 €. | Salle des fêtes
Clase abierta de tango | Sin pareja y sin experiencia. Traed zapatos cómodos. | Centro Cívico
Ausstellung: Replicas & Originals | Kopien antiker Skulpturen neben den Originalen. Öffnungszeiten 10–17 Uhr, montags geschlossen. | Antikenmuseum
Marathon-Staffel | Vier Läuferinnen oder Läufer, 42 Kilometer. Meldung bis 1. Mai: www.staffel.example.de/meldung | Stadion am See
Farmers Market | Local produce, honey, bread, flowers. SNAP welcome. Our products are grown within 50 miles. | Courthouse Square
Gottesdienst mit Taufe | Predigt: Pfarrerin Seidel. Orgel: Jonas Kern. | Johanneskirche |  |  |  |  | known
Kleidertausch | Bring bis zu zehn Teile mit, nimm mit, was gefällt. Kein Verkauf. | Nachbarschaftshaus
Kredite verstehen | Abend der Verbraucherzentrale über Ratenkredite und Schuldenfallen. Kostenlos. | VHS, Raum 4
Job Fair 2027 | Sixty employers, resume help, free parking. Register at https://jobs.example.gov/fair2027 | Expo Hall | Workforce Center
Schach für alle | Bretter sind da. Anfänger willkommen. | Stadtbibliothek
Impro-Theater: Die Spontanen | Sie rufen, wir spielen. 12/8 €, Reservierung: karten@spontane.example.de | Theater im Keller
Rock am Teich | Mit Zwölfender, Nordlicht und The Wrens. Zelten erlaubt. Vorverkauf: https://rockamteich.example.de und an den bekannten Stellen. | Dorfteich Grünau
Konzert: Strc Prst Skrz Krk | Tschechische Band, zum ersten Mal in der Stadt. | Club Vltava
Laternenumzug | Treffpunkt 17 Uhr an der Schule. Danach Punsch und Brezeln. | Grundschule West
AA Meeting | Open meeting. Coffee at the door. | St. Luke’s, basement
Psychology Talk: Lost Love and Grief | Dr. Kim on grieving. Questions afterwards. Free. | University, hall 3
Dorfkino: Casino Royale | Open air, nur bei gutem Wetter. Decken mitbringen. | Dorfplatz
Fundraiser Gala | Dinner, silent auction and dancing. Sponsorship opportunities: gala@hospice.example.org. Tickets https://hospice.example.org/gala | Hotel Astoria | Hospice Friends
Infoabend Photovoltaik | Die Energieagentur berät unabhängig und kostenlos. | Rathaus, Saal
Rencontre philo | Thème : le temps. Entrée libre, chapeau pour le café. | Café des Arts
Salsa Social | Class at 8, social until 1. $10 cash or card. | Ballroom 5 |  |  |  |  |  | 1
Trommelkurs für Anfänger | Sechs Abende, Trommeln werden gestellt. 90 €. | Musikschule |  |  |  |  |  | 2
Krimidinner | Vier Gänge und ein Mord. 79 € pro Person, Reservierung unter 0221-5550101. | Schloss Eulenstein
Концерт «Калинка» | Хор русского культурного центра поёт народные песни. Вход свободный. | Русский дом
中秋节晚会 | 一起赏月，吃月饼。欢迎大家带朋友来。 | Chinesisches Kulturzentrum
Україна: вечір пісні | Співаємо разом. Збираємо кошти для лікарні. https://help.example.org | Gemeindesaal
Open House at the Fire Station | See the trucks, try the hose, hot dogs for everyone. | Station 4
Kino: Escort | Spielfilm, Norwegen 2025, 98 Minuten, Original mit Untertiteln. | Programmkino
Tango argentino – Práctica | Jeden Montag ab 20 Uhr. Einfach kommen. | Tangofabrik
Model Railway Exhibition | Twenty layouts, trade stands, café. Adults £6, children £2. See www.railway.example.org/show | Leisure Centre
Silent Disco | Three DJs, one silent hall. 15 € incl. headphones. | Alte Post
Gründerabend: Von der Idee zur Firma | Drei Gründerinnen erzählen. Danach Gespräche bei Brezeln. Anmeldung https://gruender.example.de/abend | IHK
Elternabend: Medien und Kinder | Wie viel TikTok ist zu viel? Mit der Medienpädagogin Lea Brandt. | Realschule Süd
Halloween Parade | Line up at 5 by the bank. Prizes for the best costume. Candy for all! | Main Street
Weihnachtsmarkt | Täglich 11–21 Uhr. Glühwein, Handwerk, Krippe. Am 6. kommt der Nikolaus. | Marktplatz |  |  |  |  | known
Benefizlauf „Run for Help“ | Jede Runde zählt. Startgeld 10 €. Mehr: https://runforhelp.example.org, Bilder: https://runforhelp.example.org/bilder | Sportplatz
Book Club: “The Overstory” | We meet upstairs. New readers welcome. | Page One Books
CBD-Info der Apotheke | Was Cannabidiol kann und was nicht. Vortrag der Löwen-Apotheke, Eintritt frei. | Löwen-Apotheke
Telegram to the Past: history walk | From the old telegraph office to the harbour. Two hours, 10 €. | Old Post Office
Night of the Proms (Schulorchester) | Filmmusik und Klassik. Karten im Sekretariat, 5 €. | Aula Gymnasium
Pilates am Morgen | Kleine Gruppe, alle Niveaus. 10er-Karte 110 €. Anmeldung per WhatsApp 0151 2345678. | Studio Mitte
Whiskey Tasting | Six drams from Islay with Callum MacLeod. £35 incl. snacks. 18+. | The Cask
Offene Werkstatt | Holz, Metall, Elektronik. Material zum Selbstkostenpreis. | FabLab
Puppet show | Little Red Riding Hood, 35 minutes, ages 3+. | Library
International Conference on Soil Health | Two days, 30 speakers. Programme and registration: https://soil.example.edu/2027 | University, main building | Institute of Soil Science
Webinar: Energie sparen zu Hause | Online-Abend der Stadtwerke mit Fragerunde. Zugang nach Anmeldung: https://stadtwerke.example.de/webinar |  | Stadtwerke
Lyrik & Klavier | Gedichte von Mascha Kaléko, am Flügel: Jun Sato. | Villa Rosen
Flea market – sellers wanted | Tables $15, call 555-010-4477. Rain or shine. | Drive-in Lot
Sprachcafé | Deutsch, Arabisch, Farsi, Ukrainisch. Tee gibt es auch. | Stadtteilzentrum
Rollenspiel-Abend | DSA und Pathfinder, zwei Runden, Einsteiger willkommen. | Spieleladen Drache
CPR Training | Certificate valid for two years. $60. Bring ID. | Red Cross Chapter
Trauercafé | Ein Ort zum Reden und Schweigen. | Hospiz St. Martin
Kneipenquiz | Sechs Runden, Teams bis fünf Leute. Erster Preis: ein Fass. | Zum Anker
Meditationsabend | Stille, Gehen, Tee. Auf Spendenbasis. Newsletter und Termine auf https://zen.example.org/termine. | Zen-Haus
DJ Set: XXX – 30 Jahre Club Nord | Dreißig Jahre, drei Floors. Abendkasse 12 €. | Club Nord |  |  |  |  | known
Plant swap | Cuttings, seeds, pots. Free. | Greenhouse Café
Demokratie im Gespräch | Podium mit allen Kandidatinnen und Kandidaten der Bürgermeisterwahl. | Stadthalle
Fête de la musique | Scène ouverte de 16 h à minuit. Programme : https://mairie.example.fr/fete | Place du Marché
Cata de aceites | Cinco aceites de oliva de la comarca. 15 €. | Mercado Central
Radtour zur Mühle | 38 km, flach. Start 9:30 Uhr. Helm empfohlen. Rückfragen: 07071 123456 | Bahnhof | ADFC
Swing Dance Taster | No partner needed. $5, students free. | Grange Hall
Schlachtfest | Kesselfleisch ab 11 Uhr, abends Blasmusik. | Gasthaus Hirsch
Hackathon: Code for the City | Forty-eight hours, open data, food and mentors. Repo: https://git.example.org/city, chat: https://chat.example.org/city | Innovation Lab
Vogelstimmen-Exkursion | Um 5 Uhr früh! Mit dem Ornithologen Frank Ibis. Ferngläser werden verliehen. | Parkplatz Auwald | NABU
Babytreff | Krabbeln, singen, Kaffee trinken. Von 0 bis 12 Monaten. | Familienzentrum
Movie: Gladiator (watch live with orchestra) | The full movie with the city orchestra playing the score. From $35. | Symphony Hall |  |  |  |  | known
Gospelworkshop | Samstag proben, Sonntag singen. 30 €, mit Mittagessen. | Lutherkirche
Seniorentanz | Mit dem Duo Evergreen. 4 € mit Kaffee und Kuchen. | Haus der Begegnung
Hair for Charity | Get your head shaved for the cancer ward. Pledge at https://shave.example.org | Barber Bros
Astronomie, nicht Astrologie | Warum Horoskope nicht funktionieren. Ein heiterer Abend. | Planetarium
Escape Room für Teams | 60 Minuten, vier bis sechs Leute, 25 € pro Person. | Alte Brauerei
Gaming Night: Slots open for the FIFA cup | Sixteen slots, first come first served. Snacks and prizes. | Youth Club
Straßenfest | Bühne, Essen aus aller Welt, Kinderschminken, Tombola (Hauptpreis: ein Fahrrad). | Gartenstraße
`)

/** Made-up spam of the kinds that forms of calendars get. */
export const SPAM: readonly Written[] = read(`
Buy Viagra Online Cheap | Best price without prescription. Order now https://pills.example/buy |  |  |  | pills24
V1agra & C1alis – 80% off | Click here: https://bit.ly/x1 |  |  |  | DrMax
Online Casino Bonus | Free spins, no deposit, best slots and jackpots at https://spin.example/ |  |  |  | casinoking
Slot Gacor Hari Ini | Situs judi slot online terpercaya, togel dan casino. https://gacor.example/daftar
Instant Loans Guaranteed Approval | Bad credit? Payday loans in 5 minutes. Apply https://loans.example/apply
Sofortkredit ohne Schufa | Kredit ohne Schufa in 24 Stunden. Jetzt anrufen +49 800 5550100
QuickBooks Support Number +1-888-555-0142 | Call our customer care number toll free for QuickBooks error codes.
How do I cancel my Delta flight? +1 (855) 555-0199 | Airlines customer service number, cancellation policy, flight change, refund. Call now +1 (855) 555-0199.
[[LIVE]] Arsenal vs Chelsea free live stream | Watch live HD stream free on reddit streams: https://t.co/abc https://soccer.example/hd
Watch Free Full Movie HD 123movies | Download now in 4K free https://movies.example/full
SEO Services – rank first page of Google | We offer backlinks, guest posts and link building. DA 90+ sites. Contact https://seo.example/
Buy Instagram followers | Real followers and likes, instant delivery. https://likes.example/
Essay writing service | We write my essay, dissertation help, assignment help 24/7 https://essay.example/order
Vashikaran specialist baba ji +91 98765 43210 | Love problem solution in 24 hours, get your ex back by black magic.
Marabout sérieux retour d’affection | Retour d affection rapide en 7 jours, WhatsApp me +229 55 55 01 02
Join the brotherhood Illuminati today | Become rich and famous. WhatsApp us +27 82 555 0101 https://wa.me/27825550101
Hot girls in your city | Escorts and call girls, erotic massage. https://girls.example/ https://girls.example/vip
Знакомства без регистрации | Лучшие знакомства https://love.example/ru https://love.example/new |  |  |  |  | qwe12345678@mail.ru
Казино 1xbet бонус | Ставки и казино, бонус 100% https://1x.example/
Packers and Movers in Pune | Best price packers and movers near me. Call now 9876543210. https://packers.example/
Best dentists in Dallas – affordable prices | Our clinic offers the best dental services. Visit https://dentist.example/dallas https://dentist.example/implants https://dentist.example/veneers https://dentist.example/smile
Replica Rolex Watches | Cheap watches wholesale, free shipping. https://rolex.example/
Louis Vuitton outlet | Gucci, Ray Ban and cheap bags at factory price, free shipping https://bags.example/
Buy registered driving licence online | Fake passports, IELTS certificate without exam, counterfeit notes. WhatsApp us.
Führerschein kaufen | Echten Führerschein kaufen ohne Prüfung, Telegram: @papiere https://t.me/papiere
xKdTqWzPbRm | hjkqwrtz bvcxdfgh zxcvbnmk qwrtplkj |  |  |  | QwErTyUiOp | asd123456@mail.ru
hgfdsrtk | lkjhgfdsq mnbvcxzq trwqplkjh
Great post | <a href="https://x.example/">cheap</a> <a href="https://y.example/">best</a> <a href="https://z.example/">top</a> https://w.example/ |  |  |  | john
Nice site! | [url=https://a.example/]buy[/url] [url=https://b.example/]cheap[/url] [url=https://c.example/]online[/url]
Make money online from home | Earn $500 per day, guaranteed income. DM me on Telegram https://t.me/rich
Bitcoin mining: double your bitcoin | Guaranteed profits in 24 hours. https://btc.example/
Recover stolen crypto – hire a hacker | I lost 2 BTC and they helped recover lost funds. Email or WhatsApp us +1 555 555 0123.
Forex signals VIP | Join our Telegram for forex and crypto trading signals: https://t.me/fx
Medical Coding Compliance Training – Live Webinar | HIPAA and medical billing update. Register now for this webinar: https://webinar.example/ corporate pass $399, recorded session $249.
On-Demand Training: OSHA | Compliance training for your staff, recorded session, corporate pass, CPE credits. https://train.example/osha
Attendees list CES 2027 | We provide the exhibitor list and email lists with phone numbers. Reply for price.
International Conference on Everything (Scopus) | Call for papers, Scopus indexed, fast publication. https://conf.example/ Submit https://conf.example/submit
Keto Gummies Reviews | Weight loss gummies, 100% natural, buy now with discount code https://keto.example/
CBD Gummies for sale | CBD oil and CBD gummies, free shipping, limited offer. https://cbd.example/
Male enhancement that works | Testosterone booster, order now https://male.example/
Web design services | Our company provides web design services, SEO packages and explainer videos at affordable prices. https://web.example/
IPTV subscription 4K | Best IPTV, 20,000 channels, free trial. WhatsApp us https://wa.me/447700900123
MOD APK download free | Download mod apk unlimited coins https://apk.example/
Immigration consultants – visa guaranteed | Study abroad consultants, visa services in Delhi. Call now 9812345678
Schlüsseldienst Berlin 24h 0800 555 0100 | Schlüsseldienst in Ihrer Nähe, jetzt anrufen.
Locksmith near me +1-800-555-0111 | Locksmith 24 hours, call now.
Coinbase wallet support number | Call Coinbase customer care number 1-844-555-0170 toll-free.
Printer offline? HP printer support | Printer support phone number +1 877 555 0188, activation code, error code.
Rank your website | Web traffic, backlinks, guest post on high DA 80 sites. hello@seo.example
Hausarbeit schreiben lassen | Ghostwriter Agentur, schnell und günstig. Jetzt bestellen: https://ghost.example/
Followers kaufen | TikTok followers kaufen, sofort. https://follower.example/ Telegram @follow
Paris sportifs bonus | Casino et paris sportifs, tours gratuits. https://paris.example/
Préstamos rápidos | Préstamos rápidos sin aval, WhatsApp +34 600 555 010. Haz clic https://prestamo.example/
Amarres de amor | Amarres de amor y magia. WhatsApp me +52 55 5555 0101
Ver gratis Real Madrid en vivo gratis | Ver gratis el partido completo https://roja.example/ https://bit.ly/rm
Russian brides | Mail order brides and adult dating https://brides.example/
OnlyFans leaks | Free nudes and porn xxx https://leaks.example/
🔥🔥🔥 HOT DEAL 🔥🔥🔥 | Limited time offer, buy now, promo code SAVE50 https://deal.example/ https://deal.example/2
Cheap flights | Cheap flights and airlines reservations, lowest price, call now 1-866-555-0133
Plumbers in Houston | Top rated company, affordable prices, plumbers near me. Call now (713) 555-0144
Pest control services | Pest control services with 100% guaranteed results. Our services are the best. Click here https://pest.example/
Best hospital for hair transplant | Hair transplant in Turkey, best price, WhatsApp us https://wa.me/905550101
c a s i n o bonus | S l o t s and j a c k p o t every day https://cas.example/ promo code WIN
Online pharmacy | Tramadol, Xanax, no prescription needed https://rx.example/
Ozempic without prescription | Buy semaglutide online, free shipping.
Loan offer | Dear sir, loan offer at 2% from Mr. Frank. Personal loans, guaranteed approval. Email frank.loan123456@gmail.com
Passives Einkommen | Geld verdienen im Schlaf, passives Einkommen mit Krypto. Telegram https://t.me/geld
Airdrop USDT | Claim your airdrop, connect wallet support https://airdrop.example/ https://airdrop.example/claim https://airdrop.example/now
www.best-shoes.example | Cheap shoes and cheap jerseys, wholesale.
https://cheap.example/ | Visit now |  |  | https://cheap.example/
Psychic reading love spells | Spell caster with 100% working spells. Get your ex back. +1 (929) 555-0161
Digital marketing training institute in Noida | Best training institute, 100% guaranteed placement, call now 9811122233 https://inst.example/
Explainer videos for your business | We offer the best explainer videos. Our company works worldwide. DM us. https://vid.example/
Binary options strategy | Guaranteed returns with binary options, forex and crypto investment https://bin.example/
Bookmaker 2027 | Mostbet and 1xbet bonus code, betting https://bk.example/
Roof repair | Leading company, affordable prices, free quote https://roof.example/a https://roof.example/b https://roof.example/c https://roof.example/d https://roof.example/e |  |  |  | RoofPro
Cheap essay | Write my paper, write my thesis. promo code ESSAY15
Escort Berlin | Escort, Erotikmassage, diskret. https://escort.example/
Rencontres coquines | Rencontres coquines gratuites https://coquine.example/ https://coquine.example/inscription
Togel Singapore | Judi togel, slot, baccarat https://togel.example/
MLM opportunity | Work from home, passive income, guaranteed income. Inbox me.
Antivirus renewal | Antivirus support number toll free 1-855-555-0190, call now.
Free Fire diamonds mod apk | Download free mod apk https://ff.example/
Wholesale masks | Leading manufacturer, factory price, wholesale, WhatsApp us +86 138 5555 0101
代开发票 | 代开各类发票，正规可验 https://fapiao.example/ https://fapiao.example/2 加微信 |  |  |  |  | qq12345678@list.ru
Порно онлайн | porno xxx https://p.example/ https://p.example/2 |  |  |  |  | a1234567@bk.ru
Crackstreams UFC 320 | UFC full fight watch free, crackstreams, reddit stream https://ufc.example/
BUY FAKE DOCUMENTS ONLINE | Fake documents, fake diplomas, diploma online. WhatsApp now.
Bulk SMS & bulk email | Bulk sms, bulk email and email lists of 10 million. https://bulk.example/
Voodoo love marriage specialist | Powerful voodoo, lost love, black magic removal.
Facebook likes | Buy facebook likes and buy youtube views, best price https://fb.example/
Testimony | I am so happy, this spell caster brought back my husband, contact him on WhatsApp +234 803 555 0101 |  |  |  |  |  |  | 3
Summer sale | Discount code SUN, free shipping, order now, lowest price on sunglasses https://sun.example/ |  |  |  |  |  |  | 2
Hello | Check https://a1.example/ https://a2.example/ https://a3.example/ https://a4.example/ https://a5.example/ https://a6.example/
CLICK HERE TO WIN A FREE IPHONE!!! | Act now, limited offer, click the link https://win.example/ https://bit.ly/win
Cash loans | Instant loan, no credit check, guaranteed approval, apply https://cash.example/ Telegram @cash
Acheter des followers | Acheter des abonnés TikTok https://abo.example/
Permis de conduire en ligne | Acheter en ligne votre permis de conduire en ligne sans examen. WhatsApp +33 6 55 55 01 01
Apuestas deportivas | Apuestas y casino, giros gratis https://apuesta.example/
Ray Ban 90% off | Ray-Ban sunglasses, cheap, https://rb.example/ free shipping best price
`)
