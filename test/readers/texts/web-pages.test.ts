import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

// What people copy from websites: the page with its menus, and lists of events in blocks.

const draftsOf = (text: string) =>
  readAnnouncement(text, {
    venues: [],
    organizers: [],
    today: '2027-01-14',
    timezone: 'Europe/London',
    currency: '€',
  }).drafts.map(({ title, start_date, cost }) => [title, start_date, cost])

const PAGES: readonly [language: string, title: string, text: string][] = [
  [
    'English',
    'The Women Who Dug the Canal',
    `Skip to main content
Harrowby Museum
Opening times today: 10am - 5pm
Visit
What's on
Learn
Basket (0)
Home > What's on > Talks

The Women Who Dug the Canal

Thursday 11 February 2027, 6.30pm – 8pm
£8

Book now

You might also like
Sketching Sunday
Sunday 14 February 2027, 11am

© Harrowby Museum 2027`,
  ],
  [
    'German',
    'Die Frauen vom Kanalbau',
    `Zum Inhalt springen
Stadtmuseum Ellbach
Heute geöffnet 10–17 Uhr
Besuch Ausstellungen Veranstaltungen Vermittlung Shop
Startseite / Veranstaltungen / Führungen
Die Frauen vom Kanalbau
Donnerstag, 11. Februar 2027, 18:30 Uhr
Eintritt 8 €
In den Kalender eintragen
Impressum | Datenschutz
Wir verwenden Cookies. Alle akzeptieren`,
  ],
  [
    'French',
    'Les femmes du canal',
    `Aller au contenu principal
Musée du canal
Ouvert aujourd'hui de 14h à 18h
Accueil > Agenda > Les femmes du canal

Les femmes du canal
Jeudi 11 février 2027, 18h30
Tarif : 8 €
Ajouter au calendrier
Vous aimerez aussi
Dessin au musée
Dimanche 14 février 2027, 11h`,
  ],
  [
    'Spanish',
    'Las mujeres del canal',
    `Saltar al contenido
Museo del Canal
Horario de hoy: 10:00 - 14:00
Inicio | Visítanos | Agenda | Tienda
Las mujeres del canal
Jueves 11 de febrero de 2027, 18:30
Entrada: 8 €
Añadir al calendario
También te puede interesar
Domingo de dibujo
14 de febrero de 2027, 11:00`,
  ],
]

describe('a page of a website', () => {
  it.each(PAGES)('is read without what stands around it, in %s', (_language, title, text) => {
    const [[ownTitle, start, cost] = [], ...others] = draftsOf(text)
    expect([ownTitle, start, cost?.replace('£', ''), others]).toEqual([title, '2027-02-11 18:30:00', '8', []])
  })

  it('leaves out what comes next, unless that is what the page lists', () => {
    const events = 'Seniorenjass\nDo 4. Februar 2027, 14 Uhr'
    const page = (text: string) => `Zum Inhalt springen\nSchalter 8.00 – 11.30\n${text}\nImpressum`
    const starts = (text: string) => draftsOf(page(text)).map(([, start]) => start)
    expect(starts(`Infoabend\n27. Januar 2027, 19 Uhr\nNächste Anlässe\n${events}`)).toEqual([
      '2027-01-27 19:00:00',
    ])
    expect(starts(`Nächste Anlässe\n${events}`)).toEqual(['2027-02-04 14:00:00'])
  })

  it('is not assumed for the menu of a dinner, or a heading above further dates in a letter', () => {
    expect(draftsOf('Burns Supper at the Bell\nMenu\nHaggis\nMonday 25 January, 7pm')).toEqual([
      ['Burns Supper at the Bell', '2027-01-25 19:00:00', undefined],
    ])
    expect(
      draftsOf(`Liebe Eltern,
wir backen Cookies! Am Samstag, 6. Februar, um 15 Uhr im Pfarrheim.
Weitere Veranstaltungen
Fr 12.2. 19 Uhr Spieleabend
Sa 20.2. 14 Uhr Flohmarkt`).map(([, start]) => start),
    ).toEqual(['2027-02-06 15:00:00', '2027-02-12 19:00:00', '2027-02-20 14:00:00'])
    expect(draftsOf('Tag der offenen Tür\nHeute geöffnet von 10 bis 17 Uhr')).toEqual([
      ['Tag der offenen Tür', '2027-01-14', undefined],
    ])
  })
})

it.each([
  ['en', 'Today | This week | This month | All', 'Next'],
  ['de', 'Heute | Diese Woche | Dieser Monat | Alle', 'Startseite'],
  ['fr', 'Aujourd’hui | Cette semaine | Ce mois-ci | Tout', 'Accueil'],
  ['es', 'Hoy | Esta semana | Este mes | Todo', 'Inicio'],
])('takes no filter of a page for a day: %s', (_, filter, home) => {
  const page = `${home} › Agenda\n${filter}\n\nLos Molinos del Lora\n5.3.2027, 20:00\n\n${home}\nAgenda`
  expect(draftsOf(page).map(([, start]) => start)).toEqual(['2027-03-05 20:00:00'])
})

describe('tiles with the day of an event', () => {
  it.each([
    ['30\nJAN', 'Sat 30 January 2027, 11:00am'],
    ['JAN\n30', 'Saturday, January 30 | 11:00 AM'],
    ['30 ENE', 'Sábado, 30 de enero de 2027 · 11:00 h'],
    ['JAN 30', 'Samstag, 30. Januar, 11 Uhr'],
  ])('name it once: %j', (tile, day) => {
    const page = `${tile}\nWorkshop\nTeddy Bear Morning\n${day}\n\n6\nFEB\nWorkshop\nRag Rug Weaving\nSat 6 February 2027, 2pm`
    expect(draftsOf(page).map(([title, start]) => [title, start])).toEqual([
      ['Teddy Bear Morning', '2027-01-30 11:00:00'],
      ['Rag Rug Weaving', '2027-02-06 14:00:00'],
    ])
  })

  it('are the days where no other line names them', () => {
    expect(draftsOf('22\nJAN\nFilm night\n7pm').map(([, start]) => start)).toEqual(['2027-01-22 19:00:00'])
  })
})

describe('events in blocks without empty lines between them', () => {
  it('are one draft each, with the day above the title', () => {
    expect(
      draftsOf(`Kulturhaus Lindenhof
Programm Februar 2027
Sa 13.02. 20:00
Trio Nachtfalter
Jazz aus Leipzig
VVK 14 € / AK 17 €
Fr 19.02. 19:30
Poetry Slam
AK 8 €`),
    ).toEqual([
      ['Trio Nachtfalter', '2027-02-13 20:00:00', '14 - 17'],
      ['Poetry Slam', '2027-02-19 19:30:00', '8'],
    ])
  })

  it('keep their times and prices apart', () => {
    expect(
      draftsOf(`Saturday 27th February
MUD LARKS
+ support from Tin Hat
Doors 7.30pm
Tickets £12 adv / £14 door
Friday 5th March
THE BIG BAD QUIZ
8pm
Free entry`),
    ).toEqual([
      ['MUD LARKS', '2027-02-27', '£12 - £14'],
      ['THE BIG BAD QUIZ', '2027-03-05 20:00:00', '0'],
    ])
  })

  it('are one draft each, with the title above the day, and with a day of some lines', () => {
    expect(
      draftsOf(`Atelier vitrail
ven. 12 fév. 2027 20:30
Théâtre de l'Écluse
Le Bal des ombres
mar. 2 mars 2027 20:30
Théâtre de l'Écluse
La Nuit des rois
sam. 6 mars 2027 18:00
Salle des fêtes de Luzy`),
    ).toEqual([
      [expect.anything(), '2027-02-12 20:30:00', undefined],
      ['Le Bal des ombres', '2027-03-02 20:30:00', undefined],
      ['La Nuit des rois', '2027-03-06 18:00:00', undefined],
    ])
    expect(
      draftsOf('13\nFEB\nTrio Nachtfalter\n20:00 Kulturhaus\n19\nFEB\nPoetry Slam\n19:30 Kulturhaus').map(
        ([, start]) => start,
      ),
    ).toEqual(['2027-02-13 20:00:00', '2027-02-19 19:30:00'])
  })
})

it.each([
  'The Tweed Boys on tour\nSat 6 March 19:30\nVillage Hall, Oakham\nSun 7 March 15:00\nVillage Hall, Uppingham',
  'Der Geizige\nFreitag, 5. März, 20 Uhr\nPremiere\nSamstag, 6. März, 20 Uhr\nSonntag, 7. März, 17 Uhr\nEintritt 15 €',
  'Stadtfest\nSamstag, 5. Juni\n10 Uhr Gottesdienst\nSonntag, 6. Juni\n14 Uhr Umzug',
  'Dear all,\nour concert will be on\nSaturday 6 March\nin the hall, the rehearsal on\nFriday 5 March\nas usual.',
])('makes one draft of the dates of one event: %s', text => expect(draftsOf(text)).toHaveLength(1))
