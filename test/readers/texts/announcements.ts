// Announcements as clubs, theatres and towns write them, and the events that are in them. All names are
// invented.

/** An event as tests show it: what a draft says, without its evidence and seconds. */
export type Shown = Readonly<{
  title?: string
  start: string
  end?: string
  dates?: readonly string[]
  venue?: string
  organizer?: string
  address?: string
  city?: string
  cost?: string
  website?: string
  event_status?: string
}>

export const VENUES: readonly string[] = [
  'Ballymore Arts Centre',
  'Dunlea Library',
  'Old Mill Studio',
  'The Anchor',
  'Ashbury Village Hall',
  "The Potters' Loft",
  'Marlow Playhouse',
  'The Red Barn',
  'Cedar Park',
  'Port Elmer Community Center',
  'Maple Falls Public Library',
  'Grey Heron Brewing',
  'Kulturscheune Unterbergen',
  'Mehrzweckhalle Zellikon',
  'Pfarrsaal Moosach',
  'Stadtbücherei Obertal',
  'Schlossgarten Obertal',
  'Bürgerhaus Steinach',
  'Theater am Mühlbach',
  'Gasthof Zum Goldenen Adler',
  'Evangelische Kirche St. Lukas',
  'Salle des fêtes de Valmont',
  'Église Saint-Servan',
  'Place du Champ',
  'Cinéma Le Palace',
  'Médiathèque Jeanne-Aubry',
  'Le Moulin à Vent',
  'Théâtre de la Tannerie',
  'Biblioteca Pública Rosa Olmedo',
  'Plaza de la Fuente',
  'Parroquia de San Roque',
  'Casa de la Cultura de Torrealta',
  'Pabellón Polideportivo El Prado',
  'Centro Cívico La Huerta',
  'Paseo del Puerto',
  'Bodega Los Dos Ríos',
  'Sala El Altillo',
]

export const ORGANIZERS: readonly string[] = [
  'Ballymore Film Club',
  'Maple Falls Garden Club',
  'Elmer County Food Bank',
  'The Stone Pier Singers',
  'Kulturverein Unterbergen e. V.',
  'Frauenchor Zellikon',
  'Naturfreunde Steinach',
  'Musikkapelle Moosach',
  'Freiwillige Feuerwehr Steinach',
  'Comité des fêtes de Valmont',
  'Chorale À Mi-Voix',
  'Association Les Pages Tournées',
  'Club de Montaña Peña Blanca',
  'Coral Polifónica de Torrealta',
  'Dunlea Tidy Towns',
]

export const ANNOUNCEMENTS: readonly (readonly [text: string, events: readonly Shown[]])[] = [
  [
    "Summer Fair at St Mark's School on Saturday 12th June from 2-5pm. Bouncy castle, raffle, BBQ. Entry £1, under 5s free.",
    [
      {
        cost: '£1',
        title: 'Summer Fair',
        start: '2027-06-12 14:00',
        end: '2027-06-12 17:00',
        venue: "St Mark's School",
      },
    ],
  ],
  [
    'Ballymore Film Club presents "The Quiet Girl" – Wednesday 3rd February @ 8pm, Ballymore Arts Centre. Tickets €9/€7 conc. Doors 7.30.',
    [
      {
        cost: '7 - 9',
        title: 'The Quiet Girl',
        start: '2027-02-03 20:00',
        venue: 'Ballymore Arts Centre',
        organizer: 'Ballymore Film Club',
      },
    ],
  ],
  [
    `Dear all,
Our AGM will be held on Tuesday, February 9th at 7:30 pm in the Dunlea Library. All members are asked to attend. Nominations must reach the secretary by January 31st.
Regards, Mary`,
    [{ title: 'AGM', start: '2027-02-09 19:30', venue: 'Dunlea Library' }],
  ],
  [
    'Weekly yoga class every Tuesday from 2 February to 23 March, 6.15-7.30pm, Old Mill Studio. €10 drop in.',
    [
      {
        cost: '10',
        title: 'Weekly yoga class',
        start: '2027-02-02 18:15',
        end: '2027-02-02 19:30',
        dates: [
          '2027-02-09 18:15',
          '2027-02-16 18:15',
          '2027-02-23 18:15',
          '2027-03-02 18:15',
          '2027-03-09 18:15',
          '2027-03-16 18:15',
          '2027-03-23 18:15',
        ],
        venue: 'Old Mill Studio',
      },
    ],
  ],
  [
    "Sat 6 Mar & Sun 7 Mar: Craft Weekend. 10am to 4pm both days. Free admission. The Potters' Loft, Mill Lane 3, Ballymore",
    [
      {
        cost: '0',
        title: 'Craft Weekend',
        start: '2027-03-06 10:00',
        end: '2027-03-06 16:00',
        dates: ['2027-03-07 10:00'],
        venue: "The Potters' Loft",
        address: 'Mill Lane 3',
        city: 'Ballymore',
      },
    ],
  ],
  [
    'Open day: Marlow Playhouse opens its doors on 13 & 14 March between 11am and 5pm. Backstage tours at 12 noon and 3pm. Free but booking required: haverleighplayhouse.example/openday',
    [
      {
        cost: '0',
        website: 'https://haverleighplayhouse.example/openday',
        title: 'Open day',
        start: '2027-03-13 11:00',
        end: '2027-03-13 17:00',
        dates: ['2027-03-14 11:00'],
        venue: 'Marlow Playhouse',
      },
    ],
  ],
  [
    'The committee met last Monday 11 January. The next meeting takes place on Monday 8 February at 8pm in the clubhouse.',
    [{ start: '2027-02-08 20:00', venue: 'clubhouse' }],
  ],
  [
    'Blues Night w/ Sam Hollis. Thursday, March 4 / 9 PM / The Red Barn / $10 / 21 and over',
    [{ cost: '10', title: 'Blues Night', start: '2027-03-04 21:00', venue: 'The Red Barn' }],
  ],
  [
    'Garden Club Plant Sale! May 8, 9am-noon, Cedar Park pavilion. Proceeds benefit the Maple Falls Garden Club.',
    [
      {
        title: 'Garden Club Plant Sale',
        start: '2027-05-08 09:00',
        end: '2027-05-08 12:00',
        venue: 'Cedar Park',
        organizer: 'Maple Falls Garden Club',
      },
    ],
  ],
  [
    'Christmas concert was a great success, thank you all! Photos from 19 December are online. Next rehearsal: Monday 1 Feb, 7pm, parish hall.',
    [{ start: '2027-02-01 19:00' }],
  ],
  [
    'Liebe Redaktion,\n\nder Chor lädt ein: Adventskonzert des Kirchenchors\nam Samstag, 6. März 2027, 18:00 bis 19:30 Uhr, im Gemeindehaus, Lindenweg 4. Eintritt frei.',
    [
      {
        title: 'Adventskonzert des Kirchenchors',
        start: '2027-03-06 18:00',
        end: '2027-03-06 19:30',
        venue: 'Gemeindehaus',
        address: 'Lindenweg 4',
        cost: '0',
      },
    ],
  ],
  [
    'Tea dance, 6 March 2027, 3 pm, Old Dairy, 3 Mill Lane, Admission free',
    [
      {
        title: 'Tea dance',
        start: '2027-03-06 15:00',
        venue: 'Old Dairy',
        address: '3 Mill Lane',
        cost: '0',
      },
    ],
  ],
  ['Am 6. März 2027, 18 Uhr, im Gemeindehaus', [{ start: '2027-03-06 18:00', venue: 'Gemeindehaus' }]],
  [
    'Der Kulturverein Unterbergen lädt ein zum Kabarettabend mit Lisa Fitz am Freitag, den 12. März 2027 um 20:00 Uhr in der Kulturscheune. Einlass 19 Uhr. Karten zu 18 € (ermäßigt 15 €) an der Abendkasse und unter www.kulturverein-niederwalden.example.',
    [
      {
        cost: '15 - 18',
        website: 'https://www.kulturverein-niederwalden.example',
        title: 'Kabarettabend mit Lisa Fitz',
        start: '2027-03-12 20:00',
        venue: 'Kulturscheune Unterbergen',
        organizer: 'Kulturverein Unterbergen e. V.',
      },
    ],
  ],
  [
    'Frauenchor Zellikon: Frühlingskonzert am Sonntag, 21. März, 17 Uhr, Mehrzweckhalle. Türöffnung 16.30 Uhr. Eintritt frei, Kollekte.',
    [
      {
        cost: '0',
        title: 'Frühlingskonzert',
        start: '2027-03-21 17:00',
        venue: 'Mehrzweckhalle Zellikon',
        organizer: 'Frauenchor Zellikon',
      },
    ],
  ],
  [
    `Seniorennachmittag
jeden ersten Mittwoch im Monat, 14.30 Uhr
Pfarrsaal
Nächster Termin: 3. Februar`,
    [{ title: 'Seniorennachmittag', start: '2027-02-03 14:30', venue: 'Pfarrsaal Moosach' }],
  ],
  [
    `Naturfreunde Steinach - Wanderung zum Hochkogel
Treffpunkt: Samstag 20.2. um 8:00 Uhr am Bahnhof
Gehzeit ca. 4 Stunden, Rückkehr gegen 16 Uhr
Anmeldung bis 18.2. bei Karl`,
    [
      {
        title: 'Wanderung zum Hochkogel',
        start: '2027-02-20 08:00',
        end: '2027-02-20 16:00',
        venue: 'Bahnhof',
        organizer: 'Naturfreunde Steinach',
      },
    ],
  ],
  [
    'Vom 5. bis 28. März zeigt die Stadtbücherei die Ausstellung „Farben des Südens“. Geöffnet Di-Fr 10-18 Uhr. Vernissage am 4. März um 19 Uhr.',
    [
      {
        title: 'Ausstellung „Farben des Südens“',
        start: '2027-03-05',
        end: '2027-03-28',
        venue: 'Stadtbücherei Obertal',
      },
    ],
  ],
  [
    'Ostermarkt 27./28. März, jeweils 11-18 Uhr, Schlossgarten Obertal',
    [
      {
        title: 'Ostermarkt',
        start: '2027-03-27 11:00',
        end: '2027-03-27 18:00',
        dates: ['2027-03-28 11:00'],
        venue: 'Schlossgarten Obertal',
      },
    ],
  ],
  [
    `Feuerwehrfest Steinach
Sa 12. Juni ab 18 Uhr: Live-Musik mit den Waldbuam
So 13. Juni ab 10 Uhr: Frühschoppen, 14 Uhr Kinderprogramm`,
    // A festival is one event; its second day is none of a series.
    [{ title: 'Feuerwehrfest Steinach', start: '2027-06-12 18:00' }],
  ],
  [
    'Blutspende am Montag, 15.02.2027 von 16:00 bis 20:00 Uhr im Bürgerhaus Steinach. Bitte Ausweis mitbringen!',
    [
      {
        title: 'Blutspende',
        start: '2027-02-15 16:00',
        end: '2027-02-15 20:00',
        venue: 'Bürgerhaus Steinach',
      },
    ],
  ],
  [
    'Das Konzert der Musikkapelle am 30.1. entfällt wegen Krankheit. Ein Ersatztermin wird noch bekannt gegeben.',
    [
      {
        event_status: 'canceled',
        title: 'Konzert der Musikkapelle',
        start: '2027-01-30',
      },
    ],
  ],
  ['Die Gemeindebücherei bleibt am Freitag, 5. Februar, geschlossen.', []],
  ['Krabbelgruppe dienstags 9.30 Uhr und Spielkreis donnerstags 15 Uhr im Jugendzentrum Schlot.', []],
  [
    'Filmabend „Nebel im August“ (D 2016), Do, 28.01.27, Beginn: 19:30 Uhr, Einlass: 19:00 Uhr, Ort: Theater am Mühlbach, Eintritt: 6 €',
    [
      {
        cost: '6',
        title: 'Filmabend „Nebel im August“',
        start: '2027-01-28 19:30',
        venue: 'Theater am Mühlbach',
      },
    ],
  ],
  [
    'Am 6. Februar um 20 Uhr spielt das Trio Fado in der Kulturscheune Unterbergen. VVK 12 €, AK 15 €. Das Trio wurde 2003 gegründet und tritt seit dem 1. Mai 2010 in dieser Besetzung auf.',
    [{ cost: '12 - 15', start: '2027-02-06 20:00', venue: 'Kulturscheune Unterbergen' }],
  ],
  [
    'Le comité des fêtes de Valmont organise un loto le dimanche 7 février à 14h à la salle des fêtes. Ouverture des portes à 13h. 3 € le carton, 10 € les 4.',
    [
      {
        cost: '3 - 10',
        title: 'loto',
        start: '2027-02-07 14:00',
        venue: 'Salle des fêtes de Valmont',
        organizer: 'Comité des fêtes de Valmont',
      },
    ],
  ],
  [
    `Concert de printemps de la Chorale À Mi-Voix
Samedi 20 mars 2027 à 20h30
Église Saint-Servan
Entrée : 8 €, gratuit pour les moins de 12 ans`,
    [
      {
        cost: '8',
        title: 'Concert de printemps',
        start: '2027-03-20 20:30',
        venue: 'Église Saint-Servan',
        organizer: 'Chorale À Mi-Voix',
      },
    ],
  ],
  [
    "Vide-grenier le 25 avril de 8h à 18h, Place du Champ. Exposants dès 6h. Emplacement 12 €. Inscriptions jusqu'au 10 avril.",
    [{ title: 'Vide-grenier', start: '2027-04-25 08:00', end: '2027-04-25 18:00', venue: 'Place du Champ' }],
  ],
  ['Fermeture exceptionnelle de la médiathèque le mardi 2 février. Merci de votre compréhension.', []],
  [
    'La conférence prévue le 21 janvier est reportée au jeudi 4 février, à 18h30, Médiathèque Jeanne-Aubry.',
    [{ title: 'conférence', start: '2027-02-04 18:30', venue: 'Médiathèque Jeanne-Aubry' }],
  ],
  [
    'L\'exposition "Bois et pierre" est visible du 1er au 27 mars au Moulin à Vent, tous les jours de 14h à 18h sauf le lundi. Entrée libre.',
    [
      {
        cost: '0',
        title: 'exposition "Bois et pierre"',
        start: '2027-03-01',
        end: '2027-03-27',
        venue: 'Le Moulin à Vent',
      },
    ],
  ],
  [
    `Charla sobre consumo responsable
Jueves 4 de febrero, 19:00 h
Biblioteca Pública Rosa Olmedo
Entrada libre hasta completar aforo`,
    [
      {
        cost: '0',
        title: 'Charla sobre consumo responsable',
        start: '2027-02-04 19:00',
        venue: 'Biblioteca Pública Rosa Olmedo',
      },
    ],
  ],
  [
    'El Club de Montaña Peña Blanca organiza una excursión a la sierra el domingo 21 de febrero. Salida a las 8:00 desde la Plaza de la Fuente. Precio: 12 € socios, 15 € no socios. Inscripciones hasta el 17 de febrero.',
    [
      {
        cost: '12 - 15',
        title: 'excursión a la sierra',
        start: '2027-02-21 08:00',
        venue: 'Plaza de la Fuente',
        organizer: 'Club de Montaña Peña Blanca',
      },
    ],
  ],
  [
    'Concierto de la Coral Polifónica el sábado 27 de marzo a las 20.30 h. en la Parroquia de San Roque. Entrada: 5 euros.',
    [
      {
        cost: '5',
        title: 'Concierto de la Coral Polifónica',
        start: '2027-03-27 20:30',
        venue: 'Parroquia de San Roque',
        organizer: 'Coral Polifónica de Torrealta',
      },
    ],
  ],
  [
    'Mercadillo solidario los días 6 y 7 de marzo, de 11 a 14 y de 17 a 20 h, en la Casa de la Cultura de Torrealta.',
    [
      {
        title: 'Mercadillo solidario',
        start: '2027-03-06 11:00',
        end: '2027-03-06 14:00',
        dates: ['2027-03-07 11:00'],
        venue: 'Casa de la Cultura de Torrealta',
      },
    ],
  ],
  [
    'SUSPENDIDO: el concierto de mañana viernes en el Pabellón El Prado queda suspendido por la lluvia.',
    [
      {
        event_status: 'canceled',
        title: 'concierto',
        start: '2027-01-15',
        venue: 'Pabellón Polideportivo El Prado',
      },
    ],
  ],
  ['Gracias a todos los que vinisteis a la cena del 19 de diciembre. ¡Fue un éxito!', []],
  [
    'Taller de cerámica para niños. Sábados 6, 13 y 20 de febrero, de 11:00 a 13:00. Centro Cívico La Huerta. 45 € las tres sesiones.',
    [
      {
        cost: '45',
        title: 'Taller de cerámica para niños',
        start: '2027-02-06 11:00',
        end: '2027-02-06 13:00',
        dates: ['2027-02-13 11:00', '2027-02-20 11:00'],
        venue: 'Centro Cívico La Huerta',
      },
    ],
  ],
  // What Outlook repeats below an answer, and what it passes on.
  [
    `Yes: Pub quiz, The Anchor, Thursday 28 January, 9pm. Cheers, Ann

From: Tom <tom@example.org>
Sent: Monday, 11 January 2027 09:14
To: Ann; Dunlea Library
Subject: Film night on 3 February

Can we put in the film night on 4 February at 8 pm in the Dunlea Library? https://films.example`,
    [{ title: 'Pub quiz', start: '2027-01-28 21:00', venue: 'The Anchor' }],
  ],
  [
    `Lesung mit Eva Lang, Freitag, 5. Februar 2027, 19.30 Uhr, Stadtbücherei Obertal

Von: Redaktion <kalender@example.org>
Gesendet: Dienstag, 12. Januar 2027 08:02
An: Pfarrsaal Moosach
Betreff: AW: Lesung am 6. Februar

Am 7. Februar um 20 Uhr im Pfarrsaal Moosach?`,
    [{ title: 'Lesung mit Eva Lang', start: '2027-02-05 19:30', venue: 'Stadtbücherei Obertal' }],
  ],
  [
    `Bal folk, samedi 6 février 2027 à 20h30, Salle des fêtes de Valmont.

De : Marc <marc@example.org>
Envoyé : lundi 11 janvier 2027 18:21
À : Église Saint-Servan
Objet : Bal folk du 7 février

Le 8 février à 19h, à l’Église Saint-Servan ?`,
    [{ title: 'Bal folk', start: '2027-02-06 20:30', venue: 'Salle des fêtes de Valmont' }],
  ],
  [
    `Concierto de piano, viernes 5 de febrero de 2027, 20:00 h, Sala El Altillo.

-----Mensaje original-----
De: Rosa <rosa@example.org>
Enviado el: lunes, 11 de enero de 2027 18:21
Para: Bodega Los Dos Ríos
Asunto: Concierto del 6 de febrero

¿El 7 de febrero a las 19:00 en la Bodega Los Dos Ríos?`,
    [{ title: 'Concierto de piano', start: '2027-02-05 20:00', venue: 'Sala El Altillo' }],
  ],
  [
    `Yes: Pub quiz, The Anchor, Thursday 28 January, 9pm.

-----Original Message-----
Is it on 4 February at 8 pm in the Dunlea Library?`,
    [{ title: 'Pub quiz', start: '2027-01-28 21:00', venue: 'The Anchor' }],
  ],
  [
    `Bitte aufnehmen, danke!

Von: Kulturverein <verein@example.org>
Gesendet: Dienstag, 12. Januar 2027 08:02
An: Pfarrsaal Moosach
Betreff: Lesung

Lesung mit Eva Lang, Freitag, 5. Februar 2027, 19.30 Uhr, Stadtbücherei Obertal`,
    [{ title: 'Lesung mit Eva Lang', start: '2027-02-05 19:30', venue: 'Stadtbücherei Obertal' }],
  ],
  [
    `-----Original Message-----
From: Tom <tom@example.org>
Sent: Monday, 11 January 2027 09:14
To: Dunlea Library
Subject: quiz

Pub quiz, The Anchor, Thursday 28 January, 9pm.`,
    [{ title: 'Pub quiz', start: '2027-01-28 21:00', venue: 'The Anchor' }],
  ],
  [
    `On Mon, 11 Jan 2027 at 09:14, Tom wrote:
> can we put in the pub quiz for the 28th?
> it's at 9

Yes: Pub quiz, The Anchor, Thursday 28 January, 9pm until late. Teams of up to six, €5 a head. Cheers, Ann`,
    [{ cost: '5', title: 'Pub quiz', start: '2027-01-28 21:00', venue: 'The Anchor' }],
  ],
  [
    `Film night: The Third Man

Tuesday 2 February 2027, 8 pm to 10 pm
Old Dairy, 3 Mill Lane, Kilkenny`,
    [
      {
        title: 'Film night: The Third Man',
        start: '2027-02-02 20:00',
        end: '2027-02-02 22:00',
        venue: 'Old Dairy',
        address: '3 Mill Lane',
        city: 'Kilkenny',
      },
    ],
  ],
  [
    "Dance! The Stone Pier Singers' Ceilidh, Saturday 27 February, 8pm - 1am, Ashbury Village Hall. Bar till midnight. £10 on the door, £8 in advance from the Post Office (open 9-5).",
    [
      {
        cost: '£8 - £10',
        start: '2027-02-27 20:00',
        end: '2027-02-28 01:00',
        title: "The Stone Pier Singers' Ceilidh",
        venue: 'Ashbury Village Hall',
        organizer: 'The Stone Pier Singers',
      },
    ],
  ],
  [
    "PLEASE NOTE: the concert on 5 February is NOT cancelled, as some have said. It goes ahead at 7.30pm in St Aldhelm's Church. Tickets £12.",
    [{ cost: '£12', title: 'concert', start: '2027-02-05 19:30', venue: "St Aldhelm's Church" }],
  ],
  [
    'Fri Feb 5, 6-9 pm: First Friday Art Walk, downtown Maple Falls. Sat Feb 6, 10 am: Story hour at the Maple Falls Public Library.',
    [
      {
        title: 'First Friday Art Walk',
        start: '2027-02-05 18:00',
        end: '2027-02-05 21:00',
        organizer: 'Maple Falls Garden Club',
      },
      { title: 'Story hour', start: '2027-02-06 10:00', venue: 'Maple Falls Public Library' },
    ],
  ],
  [
    "Elmer County Food Bank's Empty Bowls dinner returns Thursday, March 11, at Grey Heron Brewing, 220 Canal Street, Port Elmer. Seatings at 5:30 and 7 p.m. $25 adults, $10 kids under 12. Last year's event raised $9,400.",
    [
      {
        address: '220 Canal Street',
        city: 'Port Elmer',
        cost: '10 - 25',
        title: 'Empty Bowls dinner',
        start: '2027-03-11 17:30',
        dates: ['2027-03-11 19:00'],
        venue: 'Grey Heron Brewing',
        organizer: 'Elmer County Food Bank',
      },
    ],
  ],
  [
    'Zoom talk: Winter birds. Tuesday 26 January 2027, 18:00-19:00 GMT. Free, register at https://birds.example/winter by 25 January.',
    [
      {
        cost: '0',
        website: 'https://birds.example/winter',
        title: 'Zoom talk: Winter birds',
        start: '2027-01-26 18:00',
        end: '2027-01-26 19:00',
      },
    ],
  ],
  [
    `Skibasar
Annahme: Freitag, 22. Januar, 17–19 Uhr
Verkauf: Samstag, 23. Januar, 9–12 Uhr
Mehrzweckhalle`,
    [
      {
        title: 'Skibasar',
        start: '2027-01-23 09:00',
        end: '2027-01-23 12:00',
        venue: 'Mehrzweckhalle Zellikon',
      },
    ],
  ],
  [
    'Theaterstück „Der Brandner Kaspar“, Premiere am 5. März, weitere Aufführungen am 6., 12. und 13. März, Beginn jeweils 20 Uhr, sonntags (14. März) 18 Uhr. Kulturscheune. Eintritt 12 Euro, Kartenvorverkauf ab 1. Februar bei Elektro Huber.',
    [
      {
        cost: '12',
        title: 'Theaterstück „Der Brandner Kaspar“',
        start: '2027-03-05 20:00',
        dates: ['2027-03-06 20:00', '2027-03-12 20:00', '2027-03-13 20:00', '2027-03-14 18:00'],
        venue: 'Kulturscheune Unterbergen',
      },
    ],
  ],
  [
    'Auf vielfachen Wunsch: Zusatzvorstellung! Die Komödie „Pension Schöller“ wird am Donnerstag, 4. Februar 2027, um 20.00 Uhr noch einmal gespielt. Die Vorstellung vom 22. Januar ist ausverkauft.',
    [{ title: 'Pension Schöller', start: '2027-02-04 20:00' }],
  ],
  [
    'Liebe Sängerinnen, die Probe am 20. Jänner fällt aus. Nächste Probe 27. Jänner, 19:30.',
    [{ title: 'Probe', start: '2027-01-27 19:30' }],
  ],
  [
    'Faschingsball im Gasthof Zum Goldenen Adler, Samstag 6. Februar, Beginn 20 Uhr, Ende 2 Uhr. Maskenprämierung um 22 Uhr. Eintritt: 8 Euro, Kinder 5 Euro.',
    [
      {
        cost: '5 - 8',
        title: 'Faschingsball',
        start: '2027-02-06 20:00',
        end: '2027-02-07 02:00',
        venue: 'Gasthof Zum Goldenen Adler',
      },
    ],
  ],
  [
    'Der Wochenmarkt findet wegen des Feiertags bereits am Mittwoch, 31. März, von 7 bis 13 Uhr statt.',
    [{ title: 'Wochenmarkt', start: '2027-03-31 07:00', end: '2027-03-31 13:00' }],
  ],
  [
    `Kammerkonzert
So 31.01.2027
17:00
Evangelische Kirche St. Lukas
Eintritt frei – Spenden erbeten`,
    [
      {
        cost: '0',
        title: 'Kammerkonzert',
        start: '2027-01-31 17:00',
        venue: 'Evangelische Kirche St. Lukas',
      },
    ],
  ],
  [
    'Nachtwächterführung jeden Freitag im Februar, 20 Uhr, Treffpunkt Marktplatz, 7 €',
    [
      {
        cost: '7',
        title: 'Nachtwächterführung',
        start: '2027-02-05 20:00',
        dates: ['2027-02-12 20:00', '2027-02-19 20:00', '2027-02-26 20:00'],
      },
    ],
  ],
  [
    'Repas des aînés le samedi 6 mars à partir de 12 h, salle des fêtes de Valmont. Participation : 15 €. Inscription en mairie avant le 25 février.',
    [
      {
        cost: '15',
        title: 'Repas des aînés',
        start: '2027-03-06 12:00',
        venue: 'Salle des fêtes de Valmont',
      },
    ],
  ],
  [
    'Spectacle jeune public « Petit Ours » (à partir de 3 ans, 40 min), mercredi 17 février à 10h30 et 15h, Théâtre de la Tannerie. Tarif : 6 €.',
    [
      {
        cost: '6',
        title: 'Spectacle jeune public « Petit Ours »',
        start: '2027-02-17 10:30',
        dates: ['2027-02-17 15:00'],
        venue: 'Théâtre de la Tannerie',
      },
    ],
  ],
  [
    "Assemblée générale de l'association Les Pages Tournées : vendredi 5 février à 18 h 30 à la médiathèque. Elle sera suivie du verre de l'amitié.",
    [
      {
        title: 'Assemblée générale',
        start: '2027-02-05 18:30',
        venue: 'Médiathèque Jeanne-Aubry',
        organizer: 'Association Les Pages Tournées',
      },
    ],
  ],
  [
    'Balade botanique dimanche matin (17 janvier), rendez-vous à 9h sur la place du Champ, retour vers 12h. Prévoir de bonnes chaussures. 3 €/pers.',
    [
      {
        cost: '3',
        title: 'Balade botanique',
        start: '2027-01-17 09:00',
        end: '2027-01-17 12:00',
        venue: 'Place du Champ',
      },
    ],
  ],
  [
    'Bal folk samedi soir 23 janvier de 20h30 à minuit au Moulin à Vent. Initiation à 19h30. PAF 8 €.',
    [
      {
        cost: '8',
        title: 'Bal folk',
        start: '2027-01-23 20:30',
        end: '2027-01-24 00:00',
        venue: 'Le Moulin à Vent',
      },
    ],
  ],
  [
    "Fête de la musique : lundi 21 juin, dès 18h, place du Champ. Concerts jusqu'à 1h du matin. Gratuit.",
    [
      {
        cost: '0',
        title: 'Fête de la musique',
        start: '2027-06-21 18:00',
        end: '2027-06-22 01:00',
        venue: 'Place du Champ',
      },
    ],
  ],
  [
    'Presentación del libro «Agua de mayo», de Elena Ríos. Martes 9 de febrero a las siete y media de la tarde en la Biblioteca Pública Rosa Olmedo. Presenta la autora Marta Gil.',
    [
      {
        title: 'Presentación del libro «Agua de mayo»',
        start: '2027-02-09 19:30',
        venue: 'Biblioteca Pública Rosa Olmedo',
      },
    ],
  ],
  [
    'Cena de gala el 13 de febrero a las 21:30 h en la Bodega Los Dos Ríos. 45 € por persona (menú incluido). Reservas antes del día 8 en el 600 000 123.',
    [{ cost: '45', title: 'Cena de gala', start: '2027-02-13 21:30', venue: 'Bodega Los Dos Ríos' }],
  ],
  [
    'Cine de verano: todos los viernes de julio a las 22:00 en la Plaza de la Fuente. Gratis.',
    [
      {
        cost: '0',
        title: 'Cine de verano',
        start: '2027-07-02 22:00',
        dates: ['2027-07-09 22:00', '2027-07-16 22:00', '2027-07-23 22:00', '2027-07-30 22:00'],
        venue: 'Plaza de la Fuente',
      },
    ],
  ],
  [
    'Marcha solidaria. Domingo 7 de marzo. Salida 10:00 h Paseo del Puerto, llegada prevista 13:00 h. Dorsal 5 €.',
    [{ cost: '5', title: 'Marcha solidaria', start: '2027-03-07 10:00', venue: 'Paseo del Puerto' }],
  ],
  [
    'Exposición de acuarelas de Lola Prado. Sala El Altillo. Hasta el 27 de febrero. De lunes a viernes, de 17:00 a 20:00 h.',
    [],
  ],
  [
    'Noche de monólogos, sábado 30 de enero, 23:00 h (apertura de puertas 22:30), Sala El Altillo. Anticipada 8 €, taquilla 10 €.',
    [{ cost: '8 - 10', title: 'Noche de monólogos', start: '2027-01-30 23:00', venue: 'Sala El Altillo' }],
  ],
  [
    'Liebe Eltern,\nam Donnerstag, 25. Februar 2027, findet um 19.30 Uhr unser Elternabend in der Aula statt.\nBitte geben Sie den Zettel bis 18. Februar ab.',
    [{ title: 'Elternabend', start: '2027-02-25 19:30', venue: 'Aula' }],
  ],
  [
    'The next meeting of the Parish Council takes place on Tuesday 2nd February at 7.15pm in the Reading Room. All are welcome.',
    [{ title: 'meeting of the Parish Council', start: '2027-02-02 19:15', venue: 'Reading Room' }],
  ],
  [
    'Le club de lecture se réunit le jeudi 4 février à 18h30 à la médiathèque. Livre du mois : « La Peste ».',
    [{ title: 'club de lecture', start: '2027-02-04 18:30', venue: 'Médiathèque Jeanne-Aubry' }],
  ],
  [
    'Thé dansant dimanche 7 février à 15h, foyer rural, 6 €',
    [{ cost: '6', title: 'Thé dansant', start: '2027-02-07 15:00', venue: 'foyer rural' }],
  ],
]
