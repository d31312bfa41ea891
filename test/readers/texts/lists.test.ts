import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

/** What is drafted of a text in a calendar that is read on Thursday, 14 January 2027. */
const draftsOf = (text: string, timezone = 'Europe/Berlin') =>
  readAnnouncement(text, { venues: [], organizers: [], today: '2027-01-14', timezone, currency: '€' }).drafts

/** The starts of all drafts and of their dates. */
const starts = (text: string, timezone?: string): string[] =>
  draftsOf(text, timezone)
    .flatMap(({ start_date, dates = [] }) => [start_date, ...dates])
    .map(date => date.slice(0, 16))

describe('the rows of a list', () => {
  it.each([
    [
      'the number of the day before its weekday, below a month',
      'KONZERTE MÄRZ\n\n04 DO 20.00  Streichquartett\n12 FR 19.30  Orgelmusik\n21 SO 16.00  Kinderkonzert',
      ['2027-03-04 20:00', '2027-03-12 19:30', '2027-03-21 16:00'],
    ],
    [
      'hours of four digits',
      'Übungsplan\nFr 22.01. - 1930 - Funk\nSa 13.02. - 0900 - Fahrzeuge\nFr 12.03. - 2000 - Versammlung',
      ['2027-01-22 19:30', '2027-02-13 09:00', '2027-03-12 20:00'],
    ],
    [
      'dots that lead to a column',
      'SAMEDI 30 JANVIER.......20h00......Loto\nDIMANCHE 7 FÉVRIER......12h30......Repas',
      ['2027-01-30 20:00', '2027-02-07 12:30'],
    ],
    [
      'slashes around the hours, and hyphens in the days',
      'Junta de vecinos\nLun 18-01 / 19:00 hrs / Zumba\nSáb 30-01 / 21:00 hrs / Cine',
      ['2027-01-18 19:00', '2027-01-30 21:00'],
    ],
    [
      'what a spreadsheet exports',
      '2027-02-03,18:00,19:30,Old maps,G12\n2027-02-17,18:00,19:30,Early printing,G12',
      ['2027-02-03 18:00', '2027-02-17 18:00'],
    ],
    [
      'days that have names in the church year',
      'Sonntag, 17. Januar – 2. Sonntag im Jahreskreis\n09.00 Uhr Frühmesse\n10.30 Uhr Hl. Messe\nDienstag, 2. Februar – Mariä Lichtmess\n18.00 Uhr Hl. Messe',
      ['2027-01-17 09:00', '2027-01-17 10:30', '2027-02-02 18:00'],
    ],
    [
      'early hours right behind days',
      'Fr 22.01. 6.00 Rorate\nSa 23.01. 06.30 Wanderung\nSo 24.01. 09.00 Frühmesse',
      ['2027-01-22 06:00', '2027-01-23 06:30', '2027-01-24 09:00'],
    ],
    [
      'hours right behind a few days',
      'Hallenflohmarkt, 16.-17.01.2027, 10:00-18:00 Uhr',
      ['2027-01-16 10:00', '2027-01-17 10:00'],
    ],
    [
      'bars, and a title of one word that is no kind of event',
      'Sushi | Sa 27.02.2027 | 10:00-14:00 | 39 €\nExcel | Sa 06.03.2027 | 09:00-16:00 | 120 €\nVortrag Erbrecht | Mi 10.03.2027 | 18:30-20:00 | 8 €',
      ['2027-02-27 10:00', '2027-03-06 09:00', '2027-03-10 18:30'],
    ],
    [
      'numbers of rounds before the days',
      'J14 – sábado 16/01/2027 – 10:00 – Ribera\nJ15 – domingo 24/01/2027 – 11:45 – Norte\nJ16 – sábado 30/01/2027 – 9:30 – Monte',
      ['2027-01-16 10:00', '2027-01-24 11:45', '2027-01-30 09:30'],
    ],
    [
      'numbers of lessons before the days',
      'Sesión 1 → 19 enero\nSesión 2 → 26 enero\nSesión 3 → 2 febrero',
      ['2027-01-19', '2027-01-26', '2027-02-02'],
    ],
    [
      'a row without words of its own',
      'Parish of Kilbrack\nSun 17th  9am\nWed 20th  10am, Nora Feeney\nFri 22nd  7pm, Adoration\nSat 23rd  Vigil 6.30pm',
      ['2027-01-17 09:00', '2027-01-20 10:00', '2027-01-22 19:00', '2027-01-23 18:30'],
    ],
    [
      'the dates of one course, which have no words',
      'Nähkurs\nDi 26.1. 18 Uhr\nDi 2.2. 18 Uhr\nDi 9.2. 18 Uhr',
      ['2027-01-26 18:00', '2027-02-02 18:00', '2027-02-09 18:00'],
    ],
    [
      'weekdays below a week that its plan names',
      'Wochenplan 18.1.–24.1.\n\nMontag: 14 Uhr Skat\nDienstag: 10 Uhr Gymnastik\nDonnerstag: 14.30 Uhr Vortrag',
      ['2027-01-18 14:00', '2027-01-19 10:00', '2027-01-21 14:30'],
    ],
    [
      'two days of a month, joined by their points',
      'Touren\n23.1. Schneeschuhe, 7.15 Uhr\n20./21.2. Hüttenwochenende\n7.3. Skitour, 8.30 Uhr',
      ['2027-01-23 07:15', '2027-02-20', '2027-03-07 08:30'],
    ],
    [
      'the word for dates, which is no end in German',
      'Nähen, dienstags 18.30 Uhr\nTermine: 26.1., 2.2., 16.2.',
      ['2027-01-26 18:30', '2027-02-02 18:30', '2027-02-16 18:30'],
    ],
    [
      'their days in lines above them, where nothing stands above all',
      'Freitag, 22. Januar\n\nLindach: Konzert, 19 Uhr\n\nOberau: Schafkopf, 20 Uhr\n\nSamstag, 23. Januar\n\nLindach: Flohmarkt, 9 Uhr',
      ['2027-01-22 19:00', '2027-01-22 20:00', '2027-01-23 09:00'],
    ],
    [
      'a day above one event, whose points follow',
      'Saturday 23 January\nSummer School for Strings\n10am Tuning\n11am Rehearsal\nSunday 24 January\n10am Concert',
      ['2027-01-23 10:00'],
    ],
    [
      'semicolons between them',
      'Trips: 12 May – Scotney Castle, £28; 12 June – Postal Museum, £31; 18 August – Canal Cruise',
      ['2027-05-12', '2027-06-12', '2027-08-18'],
    ],
    [
      'numbers of weeks and lines on which there is nothing',
      'Pottery, Mondays 6.30-8.30pm\nWeek 1: 25 Jan – pots\nWeek 2: 1 Feb – coils\n8 Feb – half term, NO CLASS\nWeek 3: 15 Feb – slabs',
      ['2027-01-25 18:30', '2027-02-01 18:30', '2027-02-15 18:30'],
    ],
    [
      'a line on which there is nothing, within the dates of a course',
      'Stage de 14h à 17h :\nlundi 25 janvier\nlundi 1er février\nlundi 15 février : pas de cours\nlundi 1er mars',
      ['2027-01-25 14:00', '2027-02-01 14:00', '2027-03-01 14:00'],
    ],
    [
      'months before the numbers of their days',
      'Course, Mondays 7pm\nJan: 18, 25\nFeb: 1, 8',
      ['2027-01-18 19:00', '2027-01-25 19:00', '2027-02-01 19:00', '2027-02-08 19:00'],
    ],
    [
      'months before the numbers of their days, without colons',
      'Rehearsals, Thursdays 7.45pm\nJan 21, 28\nFeb 4, 11\nFeb 25',
      ['2027-01-21 19:45', '2027-02-04 19:45', '2027-02-25 19:45'],
    ],
    [
      'numbers of matches before the days',
      '12\tsam 16/01\t18h\tTréville – Combray\n13\tdim 24/01\t15h\tMorvan – Tréville\n16\tsam 13/02\t19h30\tBazoches – Tréville',
      ['2027-01-16 18:00', '2027-01-24 15:00', '2027-02-13 19:30'],
    ],
    [
      'numbers of rounds, dashes, and weekdays',
      'Fecha 1 – sáb 6/3 – 9:30 hs – Defensores\nFecha 2 – sáb 13/3 – 11 hs – La Loma\nFecha 3 – dom 4/4 – 10.15 hs – Maipú',
      ['2027-03-06 09:30', '2027-03-13 11:00', '2027-04-04 10:15'],
    ],
    [
      'rows that say that there is nothing',
      '23.01.27\t16:00\tOberlohe – Wiesental\n30.01.27\t18:15\tMühlbach – Oberlohe\n06.02.27\t–\tspielfrei\n21.02.27\t11:30\tNordrode – Oberlohe',
      ['2027-01-23 16:00', '2027-01-30 18:15', '2027-02-21 11:30'],
    ],
    [
      'a date that is called off below them',
      'Markets, 4pm till 9pm: Fri 22 Jan; Fri 5 Feb; Fri 19 Feb.\nUPDATE: Fri 19 Feb is CANCELLED.',
      ['2027-01-22 16:00', '2027-02-05 16:00'],
    ],
    [
      'hours behind the points of days',
      'KINO\nDo 21.  18:00 Das Licht\nSa 23.  15:30 Kinderkino\nSo 24.  11:00 Filmfrühstück',
      ['2027-01-21 18:00', '2027-01-23 15:30', '2027-01-24 11:00'],
    ],
    [
      'weekdays that look like francs',
      'MÄRZ\n\n05 FR 19.30  Kabale und Liebe\n19 FR 20.30  Improtheater',
      ['2027-03-05 19:30', '2027-03-19 20:30'],
    ],
  ])('may have %s', (_, text, expected) => {
    expect(starts(text)).toEqual(expected)
  })

  it('may have one letter for the half of the day', () => {
    const text = 'Grade 3\nSat 1/23 9:15a vs. Hornets\nSat 1/30 11:30a vs. Devils\nTue 2/2 practice 5:45p'
    const expected = ['2027-01-23 09:15', '2027-01-30 11:30', '2027-02-02 17:45']
    expect(starts(text, 'America/New_York')).toEqual(expected)
  })

  it('may say when people come and when it begins', () => {
    const text = 'Rotary\nTue 19 Jan, 7.30 for 8. Canals\nSat 13 Feb, 7 for 7.30. Supper for 8 people'
    expect(starts(text, 'Europe/London')).toEqual(['2027-01-19 20:00', '2027-02-13 19:30'])
    expect(starts('Supper at 7.30 for 8 people on 13 Feb', 'Europe/London')).toEqual(['2027-02-13 19:30'])
  })
})

it('leaves out the number of a day in the first month that has it', () => {
  const text = 'Curso de 5 sesiones, los lunes a las 19 h, desde el 1 de febrero (el 15 no hay clase)'
  const days = ['2027-02-01', '2027-02-08', '2027-02-22', '2027-03-01', '2027-03-08']
  expect(starts(text)).toEqual(days.map(day => `${day} 19:00`))
  const longer = text.replace('5 sesiones', '6 sesiones')
  expect(starts(longer)).toEqual([...days, '2027-03-15'].map(day => `${day} 19:00`))
})

it.each(['Silent retreat', 'Hüttenwochenende', 'Viaje a Toledo'])(
  'takes hours behind the days of %s for no hours of each',
  title => {
    expect(starts(`${title}, 16.-17.01.2027, 9:00-17:00`)).toEqual(['2027-01-16 09:00'])
    expect(starts('Am Wochenende, 16.-17.01.2027, 9:00-17:00 Flohmarkt')).toHaveLength(2)
  },
)

describe('rows that were copied out of a spreadsheet', () => {
  it('have a border where a tab is', () => {
    const text = [
      'Datum\tUhrzeit\tVeranstaltung\tOrt\tEintritt',
      '05.02.2027\t14:00\tHallenflohmarkt\tStadthalle\t5 €',
      '12.02.2027\t20:00\tKabarett Lisa Eckert\tKulturkeller\t15 € / 10 €',
      '28.02.2027\tabgesagt\tWinterwanderung\t\t',
    ].join('\n')
    const [market, cabaret, walk] = draftsOf(text)
    expect(market).toMatchObject({ title: 'Hallenflohmarkt', venue: { venue: 'Stadthalle' }, cost: '5' })
    expect(cabaret).toMatchObject({
      title: 'Kabarett Lisa Eckert',
      venue: { venue: 'Kulturkeller' },
      cost: '10 - 15',
    })
    expect(walk).toMatchObject({ title: 'Winterwanderung', event_status: 'canceled' })
    const [from = 0, to] = cabaret?.evidence.venue ?? []
    expect(text.slice(from, to)).toBe('Kulturkeller')
  })

  it('are not the lines of labels with a tab behind them', () => {
    expect(draftsOf('Wann:\t\tSamstag, 6. Februar, 20 Uhr\nWas:\t\tKonzert des Musikvereins')).toMatchObject([
      { start_date: '2027-02-06 20:00:00', title: 'Konzert des Musikvereins' },
    ])
  })
})

describe('a list of more than 20 events', () => {
  const day = (n: number): string => new Date(Date.UTC(2027, 1, n)).toISOString().slice(0, 10)
  const listOf = (n: number, itemOf = (i: number) => `${day(i)}, 20:00: Chor ${i}`): string =>
    Array.from({ length: n }, (_, i) => itemOf(i + 1)).join('\n')
  const read = (text: string) =>
    readAnnouncement(text, {
      venues: [{ id: 1, name: 'Palace Theatre' }],
      organizers: [],
      today: '2027-01-14',
      timezone: 'Europe/Berlin',
      currency: '€',
    })

  it.each([
    [1, 1, false],
    [20, 20, false],
    [21, 20, true],
    [60, 20, true],
  ])('of %i gives the first, %i, and says whether there are more: %s', (n, drafts, hasMore) => {
    const found = read(listOf(n))
    expect([found.drafts.length, found.hasMore]).toEqual([drafts, hasMore])
    expect(found.drafts.at(-1)?.start_date).toBe(`${day(drafts)} 20:00:00`)
  })

  it('counts no item that announces nothing', () => {
    const text = listOf(
      24,
      i => `${day(i)}, ${i % 6 === 0 ? 'Das Büro ist geschlossen.' : `20:00: Chor ${i}`}`,
    )
    const { drafts, hasMore } = read(text)
    expect([drafts.length, drafts.at(-1)?.start_date, hasMore]).toEqual([20, `${day(23)} 20:00:00`, false])
  })

  it('says nothing of all that only a later item says', () => {
    const { drafts } = read(`${listOf(22)}\n${day(23)}, 20:00: Jazz, Palace Theatre, https://jazz.example/`)
    expect(drafts.filter(({ venue, website }) => venue ?? website)).toEqual([])
    expect(read(`${listOf(22)}\n\nOrt: Palace Theatre`).drafts[0]?.venue).toMatchObject({ id: 1 })
  })
})
