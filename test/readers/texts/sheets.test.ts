import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

const read = (text: string) =>
  readAnnouncement(text, {
    venues: [],
    organizers: [],
    today: '2027-01-14',
    timezone: 'Europe/Berlin',
    currency: '€',
  }).drafts

const starts = (text: string): string[] => read(text).map(({ start_date }) => start_date)

describe('a sheet of notices', () => {
  it('goes on with its month below a day of another one', () => {
    const sheet = `EN FÉVRIER À LA MÉDIATHÈQUE

mer. 3, 10h30 : L'heure du conte
ven. 12, 18h30 : rencontre avec Judith Salvaing (son livre a paru le 8 janvier)
sam. 20, 14h-17h : atelier linogravure, participation 5 €`
    expect(read(sheet).map(({ start_date, cost }) => [start_date, cost])).toEqual([
      ['2027-02-03 10:30:00', undefined],
      ['2027-02-12 18:30:00', undefined],
      ['2027-02-20 14:00:00', '5'],
    ])
  })

  it('gives no event on the day in its head', () => {
    const sheet = `Parish of St Aidan, Mallowfield
Sunday 24th January 2027

SOUP LUNCH on Wednesday 27th January at 12.30pm in the hall. All are welcome.

QUIZ NIGHT in the hall on Saturday 6th February at 7pm. Teams of six.`
    expect(starts(sheet)).toEqual(['2027-01-27 12:30:00', '2027-02-06 19:00:00'])
  })

  it('gives no event on the day in its head, if the name of the Sunday follows', () => {
    const sheet = `ST FINAN'S PARISH, DOONBRACK
Newsletter – Sunday 17th January 2027 – Second Sunday in Ordinary Time

CARD GAME in the Parish Centre this Friday, 22nd, at 8.30 p.m.

OUTING on Monday 1st February. Leaving the chapel gate at 10am sharp and home by 3pm.`
    expect(read(sheet)).toMatchObject([
      { start_date: '2027-01-22 20:30:00' },
      { start_date: '2027-02-01 10:00:00', end_date: '2027-02-01 15:00:00' },
    ])
  })

  it.each([
    [
      'ST BRIDE’S CHURCH\nWeekly sheet · 24th – 31st January 2027\n\nOn Saturday there will be a COFFEE MORNING in the church hall, 10 o’clock to 12 noon.',
      ['2027-01-30 10:00:00'],
    ],
    ['Pfarrblatt 24. bis 31. Jänner\nAm Samstag um 19 Uhr Konzert in der Kirche.', ['2027-01-30 19:00:00']],
    [
      'Feuille paroissiale du 24 au 31 janvier\nSamedi à 18h, concert à l’église. Dimanche 31 messe à 10h30.',
      ['2027-01-30 18:00:00', '2027-01-31 10:30:00'],
    ],
    [
      'Hoja semanal · del 18 al 24 de enero\n\nDespacho: martes y viernes de 18:00 a 19:30.\n\nEl viernes, a las 20:30, vigilia en la capilla.',
      ['2027-01-22 20:30:00'],
    ],
    ['Exhibition 24–30 January, Town Hall\nSaturday 10–4, Sunday 12–4', ['2027-01-24']],
    ['Basar am 6. März\nAm Samstag um 14 Uhr, Pfarrsaal', ['2027-03-06 14:00:00']],
  ])('names weekdays of its week: %s', (sheet, expected) => {
    expect(starts(sheet)).toEqual(expected)
  })

  it('gives no event for the week in its head, above days without a month', () => {
    const sheet = `CASA DE CULTURA DE ARENALES
Agenda de la semana del 25 al 31 de enero

MARTES 26 - 19:00 h. Conferencia sobre los molinos.

VIERNES 29 - 21:00 h. Cine en el salón de actos.

SÁBADO 30 – Baile a las 18:00 h.`
    expect(starts(sheet)).toEqual(['2027-01-26 19:00:00', '2027-01-29 21:00:00', '2027-01-30 18:00:00'])
    expect(starts('Friday 20 – Quiz night, 8pm')).toEqual([])
    expect(starts('Montag 15 – 18 Uhr Spieleabend')).toEqual(['2027-01-18 15:00:00'])
  })

  it('gives no event for the week in its head, without a blank line below it', () => {
    const sheet = `Weekly notices, week beginning 24 January – please take one home
Mon 25 office closed
Wed 27, 10am coffee morning in the hall
Fri 29, 7pm quiz night`
    expect(starts(sheet)).toEqual(['2027-01-27 10:00:00', '2027-01-29 19:00:00'])
    expect(
      starts('Hoja parroquial del 24 al 31 de enero · n.º 4\nEl viernes 29, a las 20 h, cine fórum.'),
    ).toEqual(['2027-01-29 20:00:00'])
    expect(
      starts(`Pfarrblatt St. Kilian
3. Sonntag im Jahreskreis – 24. Januar 2027
Das Pfarrbüro ist dienstags besetzt.
Am Samstag, 6. Februar, um 19 Uhr Konzert in der Kirche.`),
    ).toEqual(['2027-02-06 19:00:00'])
    // What is no sheet, or takes place on these days, keeps them.
    expect(
      read('Bourse aux livres du 24 au 31 janvier, médiathèque\nSamedi 30, 15h : lecture'),
    ).toMatchObject([{ start_date: '2027-01-24', end_date: '2027-01-31' }])
    expect(
      starts('Newsletter, 17 January 2027\n\nSat 23 January: Big Tidy\nSat 30 January: walk, 10am'),
    ).toEqual(['2027-01-23', '2027-01-30 10:00:00'])
  })

  it('gives no event for the week in its head', () => {
    const sheet = `PFARRBRIEF Heilig Kreuz
17. bis 31. Januar 2027

Bibelabend
Mittwoch, 20.1., 19.30 Uhr, im Saal.

Kinderfasching
Samstag, 30.1., 14 Uhr, im Saal.`
    expect(starts(sheet)).toEqual(['2027-01-20 19:30:00', '2027-01-30 14:00:00'])
  })

  it('is none if the day of the head is the event’s', () => {
    const programme = `Summer Fair
Saturday 17 July 2027

Games from 2pm on the green.

Raffle at 4pm.`
    expect(starts(programme)).toEqual(['2027-07-17 14:00:00'])
  })
})

describe('a calendar', () => {
  it('has events of their own below lines that are days', () => {
    const calendar = `WAS IST LOS?

Freitag, 22. Januar
Skatabend, 19 Uhr, Sportheim. Startgeld 8 Euro.
Vortrag über Moore, 19.30 Uhr, Kurhaus.

Samstag, 23. Januar
Kinderflohmarkt, 9 bis 12 Uhr, Grundschule
am Anger.

Zahnärztlicher Notdienst: Praxis am Markt (Sa. 8 Uhr)`
    expect(read(calendar)).toMatchObject([
      { title: 'Skatabend', start_date: '2027-01-22 19:00:00', cost: '8' },
      { title: 'Vortrag über Moore', start_date: '2027-01-22 19:30:00' },
      { title: 'Kinderflohmarkt', start_date: '2027-01-23 09:00:00', end_date: '2027-01-23 12:00:00' },
    ])
    expect(read(calendar)).toHaveLength(3)
  })

  it.each(['From the parish bulletin:', 'Bulletin de la paroisse', 'Pfarrbrief', 'Boletín parroquial'])(
    'has those of a bulletin as its own, though they are in a row: %s',
    head => {
      expect(starts(`${head}\nSat. 6 Feb. Mass 6 pm\nSun. 7 Feb. Bingo 2 pm`)).toEqual([
        '2027-02-06 18:00:00',
        '2027-02-07 14:00:00',
      ])
    },
  )

  it('has one event a day for the items of a festival programme', () => {
    const programme = `FIESTAS DE SAN BLAS. AGENDA

Viernes 5 de febrero
18:00 h. Pregón
20:00 h. Verbena

Sábado 6 de febrero
12:00 h. Misa`
    expect(starts(programme)).toEqual(['2027-02-05 18:00:00', '2027-02-06 12:00:00'])
    const fair = `KIRCHWEIH IN OBERTAL. AGENDA

Samstag, 5. Juni
14 Uhr Umzug
20 Uhr Tanz

Sonntag, 6. Juni
10 Uhr Messe`
    expect(starts(fair)).not.toContain('2027-06-05 20:00:00')
  })

  it('may have the days of a week, of which the heading says the first', () => {
    const pub = `THE DROVER, KIRKBY
What’s on week beginning 18 January

MON closed
TUES quiz night with Baz at 8.30pm, £2 a head
WED kitchen open, no music
SAT live: THE HINGES, on at 9.30pm
SUN acoustic session 6-8pm`
    expect(read(pub)).toMatchObject([
      { title: 'quiz night with Baz', start_date: '2027-01-19 20:30:00' },
      { start_date: '2027-01-23 21:30:00' },
      { title: 'acoustic session', start_date: '2027-01-24 18:00:00', end_date: '2027-01-24 20:00:00' },
    ])
    const parish = `Semana del 18 al 24 de enero

Martes: ensayo a las 20 h
Viernes: cine a las 21 h`
    expect(read(parish)).toMatchObject([
      { title: 'ensayo', start_date: '2027-01-19 20:00:00' },
      { start_date: '2027-01-22 21:00:00' },
    ])
    expect(starts('Menus for the week of 18 January\nMonday: soup\nTuesday: pie')).toEqual([])
    expect(
      starts(
        'Ferienwoche vom 18. bis 22. Januar, jeden Tag 9 bis 12 Uhr\nMontag basteln wir\nDienstag kochen wir',
      ),
    ).toEqual(['2027-01-18'])
  })

  it('may be that of a tour, with a day below it that has no hour', () => {
    const tour = `LES CORBEAUX
Tournée de printemps

ven. 5 mars — Le Garde-Manger, Montbriel — 20h30 — 12 €
sam. 6 mars — Café L’Entracte, Pont-Salvy — 21h — 14 €
jeu. 18 mars — Médiathèque de Villers — 19h — gratuit
sam. 10 avril — Grange du Haut — horaire à venir

Album dans les bacs le 26 février`
    expect(starts(tour)).toEqual([
      '2027-03-05 20:30:00',
      '2027-03-06 21:00:00',
      '2027-03-18 19:00:00',
      '2027-04-10',
    ])
  })

  it('may have what takes place each week, and an exhibition that lasts longer', () => {
    const library = `COMING UP AT THE LIBRARY

Toddler Story Time: Tuesdays, 10:30-11:00 AM, Jan 26 through Feb 23 (none Feb 16). Free.

An Evening with the Author: Thursday, Feb 4, 7 PM.

Winter Book Sale: Sat Feb 20, 9 AM - 3 PM.

Reminder: we are closed Monday Feb 15.`
    expect(read(library).map(({ start_date, dates = [] }) => [start_date, ...dates])).toEqual([
      ['2027-01-26 10:30:00', '2027-02-02 10:30:00', '2027-02-09 10:30:00', '2027-02-23 10:30:00'],
      ['2027-02-04 19:00:00'],
      ['2027-02-20 09:00:00'],
    ])
    const programme = `jeu. 4 mars 20h30 | Théâtre : La Chaise
du sam. 6 au dim. 28 mars | Exposition : Lumières
mer. 10 mars 15h | Marionnettes : Le Petit Bal
ven. 19 mars 20h30 | Concert : Gaspard
sam. 27 mars 14h | Atelier de linogravure`
    expect(starts(programme)).toEqual([
      '2027-03-04 20:30:00',
      '2027-03-06',
      '2027-03-10 15:00:00',
      '2027-03-19 20:30:00',
      '2027-03-27 14:00:00',
    ])
    const exhibition = `Exposition « Marées » du samedi 6 février au dimanche 28 mars, entrée libre.
Vernissage vendredi 5 février à 18h30.
Visite guidée dimanche 14 mars à 15h.`
    expect(starts(exhibition)).toEqual(['2027-02-06'])
  })

  it('needs a heading that says so, which no «on» and no «los» does', () => {
    const farm = `Fun on the Farm

Saturday 5 June
10am sheep shearing
2pm tractor parade

Sunday 6 June
3pm tea and cakes`
    expect(starts(farm)).not.toContain('2027-06-05 14:00:00')
    expect(starts('Holiday camp, week of 18 January\n\nMonday 10am painting\nTuesday 10am cooking')).toEqual([
      '2027-01-18 10:00:00',
    ])
  })

  it('has what begins twice on a day once, with both times', () => {
    const calendar = `AGENDA

Sábado 16 de enero
Títeres. Teatro Apolo. 12.00 y 17.30 h. 6 €.
Concierto de la banda, 20.00 h.

Domingo 17
Mercadillo. De 10.00 a 14.00 h.`
    expect(read(calendar).map(({ start_date, dates = [] }) => [start_date, ...dates])).toEqual([
      ['2027-01-16 12:00:00', '2027-01-16 17:30:00'],
      ['2027-01-16 20:00:00'],
      ['2027-01-17 10:00:00'],
    ])
  })
})

describe('the services of a week', () => {
  it('have the day above each, in its line or alone', () => {
    const sheet = `ST BRANNOC, LOWER TARRING
Hymn books are on the table by the font, the loo is through the vestry.

SERVICES AND EVENTS THIS WEEK (at St Brannoc’s unless it says otherwise)

Sun 17 Jan
   8.00    Holy Communion
   10.00   Parish Eucharist
   6.00pm  Evensong
Mon 18     (Rector’s day off)
Wed 20     10.30  Midweek Communion
Thu 21     7.30pm  Bell ringing practice
Sat 23     9.30 - 11.30  Churchyard working party

NEXT SUNDAY 24th: no services here. We join our friends at the chapel at 10.30.`
    expect(read(sheet).map(({ title, start_date }) => `${start_date.slice(0, 16)} ${title}`)).toEqual([
      '2027-01-17 08:00 Holy Communion',
      '2027-01-17 10:00 Parish Eucharist',
      '2027-01-17 18:00 Evensong',
      '2027-01-20 10:30 Midweek Communion',
      '2027-01-21 19:30 Bell ringing practice',
      '2027-01-23 09:30 Churchyard working party',
    ])
  })

  it.each([
    [
      'GOTTESDIENSTORDNUNG\n\nSamstag, 16. Januar\n17.30 Uhr Rosenkranz\n18 Uhr Messe\n\nSonntag, 17. Januar\n9 Uhr Hochamt',
      ['2027-01-16 17:30:00', '2027-01-16 18:00:00', '2027-01-17 09:00:00'],
    ],
    [
      'Messes de la semaine\n\nSamedi 16 janvier\n18h messe\nDimanche 17 janvier\n9h30 messe\n11h messe des familles',
      ['2027-01-16 18:00:00', '2027-01-17 09:30:00', '2027-01-17 11:00:00'],
    ],
    [
      'MISAS DE LA SEMANA\n\nSábado 16 de enero\n19:00 Misa\nDomingo 17 de enero\n10:00 Misa\n12:30 Misa familiar',
      ['2027-01-16 19:00:00', '2027-01-17 10:00:00', '2027-01-17 12:30:00'],
    ],
    [
      'SEMANA SANTA\n\nJUEVES SANTO, 25 de marzo\n18:00 Misa\n22:00 Procesión\n\nVIERNES SANTO, 26 de marzo\n17:00 Celebración',
      ['2027-03-25 18:00:00', '2027-03-25 22:00:00', '2027-03-26 17:00:00'],
    ],
    [
      'Holy Week\n\nMaundy Thursday, 25 March\n7.30pm Liturgy\n\nGood Friday, 26 March\n10am Walk of Witness\n2pm Meditation',
      ['2027-03-25 19:30:00', '2027-03-26 10:00:00', '2027-03-26 14:00:00'],
    ],
  ])('are an event each: %s', (text, expected) => {
    expect(starts(text)).toEqual(expected)
  })

  it('are not those of a carnival, whose days are one event', () => {
    const carnival = `AYUNTAMIENTO DE VILLANOCEDA
Concejalía de Festejos

CARNAVAL 2027

Viernes 5 de febrero
20:00 h. Pregón desde el balcón.

Domingo 7 de febrero
12:00 h. Desfile infantil.

Miércoles 10 de febrero
19:30 h. Entierro de la sardina.`
    expect(starts(carnival)).toEqual(['2027-02-05 20:00:00'])
  })
})

describe('a list of notices', () => {
  it.each([
    [
      'Term ends on Friday 12 February.\n\nBake sale: Thursday 28 January, 3pm, school hall.\n\nQuiz night: Friday 5 February, 7.30pm.',
      ['2027-01-28 15:00:00', '2027-02-05 19:30:00'],
    ],
    [
      'Ferienbeginn am Montag, 8. Februar.\n\nSpieleabend: Freitag, 5. März, 19 Uhr.\n\nKonzert: Samstag, 13. März, 20 Uhr.',
      ['2027-03-05 19:00:00', '2027-03-13 20:00:00'],
    ],
    [
      'Vacances : rentrée le lundi 1er mars.\n\n- Loto : dimanche 7 février à 14h\n\n- Carnaval : samedi 20 mars à 15h',
      ['2027-02-07 14:00:00', '2027-03-20 15:00:00'],
    ],
    [
      'Cuentacuentos: viernes 5 de febrero, 18:00\n\nClub de lectura: jueves 18 de febrero, 19:00\n\nConcurso: entregar antes o el viernes 12 de febrero.',
      ['2027-02-05 18:00:00', '2027-02-18 19:00:00'],
    ],
  ])('has days of something else, which have no time: %s', (text, days) => {
    expect(starts(text)).toEqual(days)
  })

  it.each([
    'Jubiläum am 6. März\n\nFestgottesdienst am 6. März um 10 Uhr.\n\nTanz am 6. März um 20 Uhr.',
    'Anniversary on 6 March\n\nService on 6 March at 10am.\n\nDance on 6 March at 8pm.',
  ])('is one event where all have its day: %s', text => {
    expect(read(text)).toHaveLength(1)
  })

  it('says an event once, although its day stands in a list below', () => {
    const sheet = `Open Morning on Thursday 28 January from 9.30am to 11am. Come and see the school.

Lunch costs £3 from Monday 25 January.

Film Night on Friday 5 February at 3.30pm in the hall.

Thurs 28 Jan Open Morning
Fri 5 Feb Film Night
Tues 9 Feb Parents' Evening, 4pm`
    expect(starts(sheet)).toEqual(['2027-01-28 09:30:00', '2027-02-05 15:30:00', '2027-02-09 16:00:00'])
  })
})

describe('the list of the dates of a course', () => {
  it.each([
    [
      'Life drawing course\nStarts Thursday 4 March 2027, 7pm, 3 weeks\n\nDates\n04/03/2027 7pm - 9pm Studio 2\n11/03/2027 7pm - 9pm Studio 2\n25/03/2027 7pm - 9pm Studio 2',
      ['2027-03-11 19:00:00', '2027-03-25 19:00:00'],
    ],
    [
      'Malkurs\nBeginn: Do., 4.3.2027, 19 Uhr, 3 Abende\n\nTermine anzeigen\n1 Do., 4.3.2027 19:00–21:00\n2 Do., 11.3.2027 19:00–21:00\n3 Do., 25.3.2027 19:00–21:00',
      ['2027-03-11 19:00:00', '2027-03-25 19:00:00'],
    ],
    [
      'Atelier de poterie\nDébut : jeudi 4 mars 2027, 19h\n\nDates\njeudi 4 mars 2027, 19h-21h, salle 2\njeudi 11 mars 2027, 19h-21h, salle 2\njeudi 25 mars 2027, 19h-21h, salle 2',
      ['2027-03-11 19:00:00', '2027-03-25 19:00:00'],
    ],
  ])('leaves out the weeks that it does not list: %s', (text, dates) => {
    expect(read(text)).toMatchObject([{ start_date: '2027-03-04 19:00:00', dates }])
  })
})

describe('the agenda of a meeting', () => {
  it('has neither days nor prices of it', () => {
    const [meeting, ...others] =
      read(`Der Gemeinderat tagt am Dienstag, 26. Januar 2027, um 19 Uhr im Rathaus.

Tagesordnung:
1. Niederschrift vom 2. Februar 2027, 18 Uhr
2. Neue Bänke (318 €)`)
    expect(meeting).toMatchObject({ start_date: '2027-01-26 19:00:00' })
    expect(meeting).not.toHaveProperty('cost')
    expect(others).toEqual([])
  })

  it('is a calendar where no day stands above it', () => {
    const agenda = `Agenda

1. Concert de la chorale le 20 mars 2027 à 20h
2. Loto des pompiers le 27 mars 2027 à 14h`
    expect(starts(agenda)).toEqual(['2027-03-20 20:00:00', '2027-03-27 14:00:00'])
  })
})

describe('a price', () => {
  it.each([
    'Konzert am Samstag, 20. März 2027, 20 Uhr. Die Sanierung kostet 42 600 €.',
    'Konzert am Samstag, 20. März 2027, 20 Uhr. Gesammelt wurden 3.214,50 Euro.',
  ])('is no large amount: %s', text => {
    expect(read(text)[0]).not.toHaveProperty('cost')
  })

  it('may be large in other currencies', () => {
    const text = 'Concierto el sábado 20 de marzo de 2027 a las 20:00. Entrada: 15.000 pesos.'
    expect(read(text)[0]).toMatchObject({ cost: expect.stringContaining('15000') })
  })
})
