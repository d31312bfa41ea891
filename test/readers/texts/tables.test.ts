import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

const VENUES = ['Stadthalle', 'Village Hall', 'Salle des fêtes', 'Centro Cívico'].map((venue, i) => ({
  id: i + 1,
  name: venue,
}))

const draftsOf = (text: string, timezone = 'Europe/Berlin') =>
  readAnnouncement(text, {
    venues: VENUES,
    organizers: [],
    today: '2027-01-14',
    timezone,
    currency: '€',
  }).drafts

/** The start, the end and the title of each draft, with all that must not be there. */
const inShort = (text: string, timezone?: string): string[] =>
  draftsOf(text, timezone).map(({ start_date: start, end_date: end, dates, title, event_status: status }) =>
    [start.slice(0, 16), end?.slice(0, 16) ?? '', title ?? '', ...(dates ?? []), status ?? '']
      .join(' | ')
      .replace(/( \| )+$/, ''),
  )

const LANGUAGES = [
  {
    timezone: 'Europe/London',
    names: { title: 'Event', venue: 'Place', date: 'Date', start: 'Start', end: 'End', note: 'Remarks' },
    titles: ['Seed swap', 'Quiz night', 'Book club'],
    venue: 'Village Hall',
    note: 'all welcome',
    date: (day: string, month: string) => `${day}/${month}/2027`,
  },
  {
    timezone: 'Europe/Berlin',
    names: { title: 'Anlass', venue: 'Wo', date: 'Datum', start: 'Von', end: 'Bis', note: 'Hinweis' },
    titles: ['Tauschbörse', 'Quizabend', 'Lesekreis'],
    venue: 'Stadthalle',
    note: 'Gäste willkommen',
    date: (day: string, month: string) => `${day}.${month}.2027`,
  },
  {
    timezone: 'Europe/Paris',
    names: {
      title: 'Quoi',
      venue: 'Lieu',
      date: 'Quand',
      start: 'Heure',
      end: 'Heure de fin',
      note: 'Infos',
    },
    titles: ['Bourse aux graines', 'Soirée quiz', 'Goûter des aînés'],
    venue: 'Salle des fêtes',
    note: 'ouvert à tous',
    date: (day: string, month: string) => `${day}/${month}/2027`,
  },
  {
    timezone: 'Europe/Madrid',
    names: {
      title: 'Acto',
      venue: 'Lugar',
      date: 'Fecha',
      start: 'Hora',
      end: 'Hasta',
      note: 'Observaciones',
    },
    titles: ['Trueque de semillas', 'Noche de preguntas', 'Club de lectura'],
    venue: 'Centro Cívico',
    note: 'abierto a todos',
    date: (day: string, month: string) => `${day}/${month}/2027`,
  },
]

const ORDERS = [
  ['date', 'start', 'end', 'title', 'venue', 'note'],
  ['title', 'venue', 'note', 'date', 'start', 'end'],
  ['title', 'date', 'start', 'end', 'venue'],
] as const

type Column = (typeof ORDERS)[number][number]

const cellOf = (tag: string, inner = ''): ((cell: string) => string) => {
  const [open, close] = inner ? [`<${inner}>`, `</${inner}>`] : ['', '']
  return cell => `<${tag}>${open}${cell}${close}</${tag}>`
}

/** The forms of a table, each a function of its rows. */
const FORMS: Record<string, (rows: readonly (readonly string[])[]) => string> = {
  tabs: rows => rows.map(row => row.join('\t')).join('\n'),
  semicolons: rows => rows.map(row => row.join(';')).join('\n'),
  commas: rows => rows.map(row => row.map(cell => `"${cell}"`).join(',')).join('\n'),
  strokes: rows => rows.map(row => row.join(' | ')).join('\n'),
  Markdown: rows =>
    rows
      .map(row => `| ${row.join(' | ')} |`)
      .toSpliced(1, 0, `|${'---|'.repeat(rows[0]?.length ?? 0)}`)
      .join('\n'),
  'aligned columns': rows =>
    rows
      .map(row =>
        row
          .map(cell => cell.padEnd(26))
          .join('')
          .trimEnd(),
      )
      .join('\n'),
  HTML: rows => `<table>${rows.map(row => `<tr>${row.map(cellOf('td')).join('')}</tr>`).join('\n')}</table>`,
  'HTML of a word processor': rows =>
    `<table>\n${rows.map(row => `<tr>\n ${row.map(cellOf('td', 'p')).join('\n ')}\n</tr>`).join('\n')}</table>`,
}

describe('a table with headings', () => {
  const cases = LANGUAGES.flatMap(language =>
    ORDERS.flatMap(order => Object.keys(FORMS).map(form => ({ language, order, form }))),
  )
  it.each(cases.map(one => [one.language.timezone, one.order.join(' '), one.form, one] as const))(
    'gives an event for each row: %s, %s, %s',
    (_zone, _order, _form, { language, order, form }) => {
      const rows = language.titles.map((title, i) => {
        const cells: Record<Column, string> = {
          ...{ title, venue: language.venue, note: language.note },
          ...{ date: language.date(`0${i + 1}`, '03'), start: `1${i}:15`, end: `1${i + 2}:45` },
        }
        return order.map(column => cells[column])
      })
      const text = FORMS[form]?.([order.map(column => language.names[column]), ...rows]) ?? ''
      const drafts = draftsOf(text, language.timezone)
      expect(drafts.map(({ evidence, ...draft }) => draft)).toEqual(
        language.titles.map((title, i) => ({
          start_date: `2027-03-0${i + 1} 1${i}:15:00`,
          end_date: `2027-03-0${i + 1} 1${i + 2}:45:00`,
          all_day: false,
          title,
          venue: { id: expect.any(Number), venue: language.venue },
        })),
      )
      // Each value is marked where it was sent.
      const marked = (span: readonly [number, number] | undefined) => span && text.slice(...span)
      expect(drafts.map(({ evidence }) => [evidence.title, evidence.venue].map(marked))).toEqual(
        language.titles.map(title => [title, language.venue]),
      )
    },
  )

  it.each([
    [
      'dates and hours in columns of their own',
      'Subject\tStart Date\tStart Time\tEnd Date\tEnd Time\nQuiz\t13/02/2027\t19:30\t13/02/2027\t22:00\nCamp\t20/02/2027\t10:00\t21/02/2027\t12:00\nFair\t27/02/2027\t\t28/02/2027\t\nTalk\t27/02/2027\t19:00\t\t',
      [
        '2027-02-13 19:30 | 2027-02-13 22:00 | Quiz',
        '2027-02-20 10:00 | 2027-02-21 12:00 | Camp',
        '2027-02-27 | 2027-02-28 | Fair',
        '2027-02-27 19:00 |  | Talk',
      ],
    ],
    [
      'moments as programs write them',
      'Start,End,Title\n2027-02-05T19:30:00,2027-02-05T22:00:00,Gig',
      ['2027-02-05 19:30 | 2027-02-05 22:00 | Gig'],
    ],
    [
      'hours without minutes',
      'Datum;Beginn;Titel\n05.02.2027;20;Konzert\n12.02.2027;19;Lesung',
      ['2027-02-05 20:00 |  | Konzert', '2027-02-12 19:00 |  | Lesung'],
    ],
    [
      'an end after midnight',
      'Datum;Von;Bis;Titel\n05.02.2027;19:30;01:00;Fasching',
      ['2027-02-05 19:30 | 2027-02-06 01:00 | Fasching'],
    ],
    [
      'a title in the one column that nobody knows',
      'Datum | Uhrzeit | Thema\n05.02.2027 | 19:30 | Wölfe im Wald\n12.02.2027 | 19:30 | Moore',
      ['2027-02-05 19:30 |  | Wölfe im Wald', '2027-02-12 19:30 |  | Moore'],
    ],
    [
      'days in a row, each with an event of its own',
      'Date\tBegins\tSubject\n14/02/2027\t9.30am\tBook club\n15/02/2027\t2.00pm\tJumble sale',
      ['2027-02-14 09:30 |  | Book club', '2027-02-15 14:00 |  | Jumble sale'],
    ],
    [
      'a day that stands in the first of its rows alone',
      'Datum;Zeit;Was\n05.02.2027;15:00;Kinderfest\n;17:00;Lesung\n06.02.2027;11:00;Matinee',
      ['2027-02-05 15:00 |  | Kinderfest', '2027-02-05 17:00 |  | Lesung', '2027-02-06 11:00 |  | Matinee'],
    ],
    [
      'days on which nothing is',
      'Datum;Uhrzeit;Was\n01.02.2027;19:00;Probe\n08.02.2027;;keine Probe\n15.02.2027;;Winterferien\n01.03.2027;19:00;Probe',
      ['2027-02-01 19:00 |  | Probe', '2027-03-01 19:00 |  | Probe'],
    ],
    [
      'what is called off in another column, which names a new date',
      'Date\tTime\tEvent\tNotes\n05/03/2027\t19:30\tDinner\tcancelled - now 12/03\n12/03/2027\t19:30\tDinner\t',
      ['2027-03-05 19:30 |  | Dinner | canceled', '2027-03-12 19:30 |  | Dinner'],
    ],
    [
      'a separator in quotation marks, and numbers in a title',
      'Termin;Titel\nFr, 05.02.2027, 19.30 Uhr;"Romeo; Julia"\nSa, 06.02.2027, 19.30 Uhr;Abba Tribute 2027',
      ['2027-02-05 19:30 |  | Romeo; Julia', '2027-02-06 19:30 |  | Abba Tribute 2027'],
    ],
    [
      'quotation marks in a title, which CSV doubles',
      'Date,Time,Title\n05/02/2027,19:30,"The ""Big"" Night, live"\n06/02/2027,20:00,"""Faust"""',
      ['2027-02-05 19:30 |  | The "Big" Night, live', '2027-02-06 20:00 |  | "Faust"'],
    ],
    [
      'cells of several lines in quotation marks',
      'Datum,Titel,Ort,Info\n05.02.2027 19:30,"Romeo\nund Julia","Stadthalle\n\nObertal","""Neu"", am 9.2.\nauch für Kinder"\n06.02.2027 20:00,Faust,Stadthalle,',
      ['2027-02-05 19:30 |  | Romeo und Julia', '2027-02-06 20:00 |  | Faust'],
    ],
    [
      'quotation marks that nobody closes, and inches',
      'Datum;Titel;Info\n05.02.2027 19:30;"Faust;neu\n06.02.2027 20:00;"Faust;12" Vinyl\n07.02.2027 20:00;Hamlet;"alt',
      [
        '2027-02-05 19:30 |  | "Faust;neu',
        '2027-02-06 20:00 |  | "Faust;12" Vinyl',
        '2027-02-07 20:00 |  | Hamlet',
      ],
    ],
    [
      'whole days and statuses in columns of their own, as programs export them',
      'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Status\nMeeting,16/02/2027,09:30,16/02/2027,12:00,False,Confirmed\nHoliday camp,22/03/2027,00:00,23/03/2027,00:00,True,Confirmed\nStaff do,26/03/2027,19:00,27/03/2027,01:00,False,Cancelled',
      [
        '2027-02-16 09:30 | 2027-02-16 12:00 | Meeting',
        '2027-03-22 |  | Holiday camp',
        '2027-03-26 19:00 | 2027-03-27 01:00 | Staff do | canceled',
      ],
    ],
    [
      'a title below a kind of event, and hours below a name that nobody knows',
      'Película\tDía\tPases\tVersión\nEl faro\tviernes 5 de marzo\t20:15\tVO\nLos visones\tdomingo 7 de marzo\t18:30\tVE',
      ['2027-03-05 20:15 |  | El faro', '2027-03-07 18:30 |  | Los visones'],
    ],
    [
      'no name of whoever serves for a title',
      'Bar;Datum;Beginn;Ende;Name\nFrühjahrskonzert;20.03.2027;18:30;23:30;Uli + Moni',
      ['2027-03-20 18:30 | 2027-03-20 23:30'],
    ],
    [
      'hours of four digits',
      'FECHA | HORA | QUÉ\nvie 19/02 | 2000 | Ensayo\ndom 28/02 | 1230 | Misa cantada',
      ['2027-02-19 20:00 |  | Ensayo', '2027-02-28 12:30 |  | Misa cantada'],
    ],
    [
      'hours in the morning in a language without a word that tells it',
      'Date | RDV | Sortie\n17/01 | 8h30 | Le Puy Mouret\n31/01 | 8h00 | Crêtes du Nord',
      ['2027-01-17 08:30 |  | Le Puy Mouret', '2027-01-31 08:00 |  | Crêtes du Nord'],
    ],
    [
      'two tables, and what stands around them',
      'Hallo,\nJanuar\nDatum\tWas\tWo\n20.01.2027 19:00\tVortrag\tPfarrheim\n\nFebruar\nDatum\tWas\tWo\n10.02.2027 19:00\tQuiz\tStadthalle\n\nAußerdem laden wir am 5. März um 18 Uhr zur Hauptversammlung ein.',
      [
        '2027-01-20 19:00 |  | Vortrag',
        '2027-02-10 19:00 |  | Quiz',
        '2027-03-05 18:00 |  | Hauptversammlung',
      ],
    ],
  ])('has %s', (_name, text, expected) => {
    expect(inShort(text, 'Europe/London')).toEqual(expected)
  })

  it('has the emphasised words and entities of a cell in one title', () => {
    const text =
      '<table><tr><th>Datum</th><th>Was</th></tr><tr><td>05.02.2027 20:00</td><td><b>Rock &amp; Roll</b> im&nbsp;Park</td></tr></table>'
    expect(inShort(text)).toEqual(['2027-02-05 20:00 |  | Rock & Roll im Park'])
  })

  it('has cells over several rows and columns', () => {
    const text =
      '<table><tr><th>Datum</th><th>Zeit</th><th>Was</th><th>Wo</th></tr><tr><td rowspan="3">Sa, 10.04.2027</td><td>10:00</td><td>Flohmarkt</td><td rowspan="2">Stadthalle</td></tr><tr><td>14:00</td><td>Kinderkino</td></tr><tr><td>20:00</td><td>Jazzkonzert</td><td>Pfarrheim</td></tr><tr><td colspan="2">So, 11.04.2027 11:00</td><td>Matinee</td><td>Stadthalle</td></tr></table>'
    expect(draftsOf(text).map(({ start_date: start, title, venue }) => [start, title, venue?.venue])).toEqual(
      [
        ['2027-04-10 10:00:00', 'Flohmarkt', 'Stadthalle'],
        ['2027-04-10 14:00:00', 'Kinderkino', 'Stadthalle'],
        ['2027-04-10 20:00:00', 'Jazzkonzert', 'Pfarrheim'],
        ['2027-04-11 11:00:00', 'Matinee', 'Stadthalle'],
      ],
    )
  })

  it('is read in a short time, and nothing is thrown, however many cells it has', () => {
    const cells = Array.from({ length: 600 }, (_, i) => `<td>${i % 2 ? 'Date' : 'Event'}</td>`).join('')
    expect(draftsOf(`<table><tr>${cells}</tr><tr>${cells}</tr></table>`)).toEqual([])
    const many = ['Date|Event', ...Array.from({ length: 4_000 }, () => 'a|b')].join('\n')
    const venues = Array.from({ length: 1_000 }, (_, i) => ({ id: i + 1, name: `Hall ${i} of the Market` }))
    const known = { venues, organizers: [], today: '2027-01-14', timezone: 'Europe/London', currency: '£' }
    expect(readAnnouncement(many, known)).toMatchObject({ drafts: [], hasMore: true })
  })

  it('says that it has more rows than become drafts', () => {
    const rows = Array.from({ length: 25 }, (_, i) => `${i + 1}.3.2027;19:30;Abend ${i + 1}`)
    const known = {
      venues: [],
      organizers: [],
      today: '2027-01-14',
      timezone: 'Europe/Berlin',
      currency: '€',
    }
    const { drafts, hasMore } = readAnnouncement(['Datum;Beginn;Titel', ...rows].join('\n'), known)
    expect([drafts.length, hasMore]).toEqual([20, true])
  })
})

describe('a table without headings', () => {
  it.each([
    [
      'weekdays and numbers in two cells, below their months',
      'FÉVRIER 2027\ndim\t7\t8h30\tBoucle des étangs\ndim\t21\t9h\tCrêtes du Nord\nMARS 2027\nsam\t6\t14h\tInitiation à la boussole',
      [
        '2027-02-07 08:30 |  | Boucle des étangs',
        '2027-02-21 09:00 |  | Crêtes du Nord',
        '2027-03-06 14:00 |  | Initiation à la boussole',
      ],
    ],
    [
      'the number before the weekday, and no minutes from the next line',
      'Februar\n12.\tFr\tPreisschafkopf\t19 Uhr\n28.\tSo\tWinterwanderung\t9 Uhr\nMärz\n6.\tSa\tArbeitseinsatz\t8-12 Uhr',
      [
        '2027-02-12 19:00 |  | Preisschafkopf',
        '2027-02-28 09:00 |  | Winterwanderung',
        '2027-03-06 08:00 | 2027-03-06 12:00 | Arbeitseinsatz',
      ],
    ],
    [
      'the day from which a row was moved in brackets',
      'Sa, 30.01.27  16:00  Hausen - Neckartal\nSa, 20.02.27  18:00  Neckartal - Berg  (verlegt vom 13.02.)',
      ['2027-01-30 16:00 |  | Hausen - Neckartal', '2027-02-20 18:00 |  | Neckartal - Berg'],
    ],
  ])('has %s', (_name, text, expected) => {
    expect(inShort(text)).toEqual(expected)
  })
})

describe('what a program copies of an event', () => {
  it('has no title from its labels, and no event from the end of its sales', () => {
    const text =
      'Sourdough for Beginners\nBy Crumb & Co\n\nDate and time\nSun, 7 Feb 2027 10:00 - 15:30 GMT\n\nLocation\nUnit 6, Leeds\nSales end on 5 Feb 2027\nGet tickets'
    const [first, ...others] = inShort(text, 'Europe/London')
    expect([first?.slice(0, 35), others]).toEqual(['2027-02-07 10:00 | 2027-02-07 15:30', []])
    expect(draftsOf(text)[0]?.title ?? '').not.toMatch(/date/i)
  })

  it('ends where the next line says so', () => {
    expect(inShort('Mariage\nDébut  5 juin 2027 15:00\nFin  6 juin 2027 02:00')).toEqual([
      '2027-06-05 15:00 | 2027-06-06 02:00 | Mariage',
    ])
    expect(inShort('Casa rural\nde 18:00 vie, 14 may 2027\na 17:00 dom, 16 may 2027')).toEqual([
      '2027-05-14 18:00 | 2027-05-16 17:00 | Casa rural',
    ])
  })
})

describe('a start and an end with a day each', () => {
  it.each([
    'Quiz night, 13/02/2027 19:30 – 13/02/2027 22:00',
    'Quiz night, Sat 13 Feb 2027 19:30 to Sat 13 Feb 2027 22:00',
    'Quiz night\nStart: 13/02/2027 19:30\nEnd: 13/02/2027 22:00',
    'Quiz night\nVon: 13.02.2027 19:30 Uhr\nBis: 13.02.2027 22:00 Uhr',
    'Quiz night\nDébut : samedi 13 février à 19h30\nFin : samedi 13 février à 22h',
    'Quiz night\t13.02.2027 19:30\t13.02.2027 22:00',
    'Quiz night | Sa 13.02. | 19:30 Uhr | Sa 13.02. | 22:00 Uhr',
  ])('is no series: %s', text => {
    expect(inShort(text)).toEqual(['2027-02-13 19:30 | 2027-02-13 22:00 | Quiz night'])
  })

  it('ends on another day', () => {
    expect(inShort('Hackathon\nStart: 13/02/2027 19:30\nEnd: 14/02/2027 09:00')).toEqual([
      '2027-02-13 19:30 | 2027-02-14 09:00 | Hackathon',
    ])
  })

  it('may be two performances in a row, or the first and the last evening of a course', () => {
    expect(inShort('Hamlet | Sa 13.2. 20 Uhr | So 14.2. 17 Uhr')).toEqual([
      '2027-02-13 20:00 |  |  | 2027-02-14 17:00:00',
    ])
    const [course] = draftsOf('Kurs Yoga\nStart: 13.01.2027\nEnde: 03.02.2027\nmittwochs 19 Uhr')
    expect([course?.start_date, ...(course?.dates ?? [])]).toEqual([
      '2027-01-20 19:00:00',
      '2027-01-27 19:00:00',
      '2027-02-03 19:00:00',
    ])
  })
})

describe('what isn’t known yet', () => {
  const valuesOf = (text: string) => draftsOf(text).map(({ title, venue }) => [title, venue?.venue])

  it('is neither the title nor the place of a row', () => {
    const rows = [
      'TBA;TBC',
      'noch offen;T.B.A.',
      'N. N.;à définir',
      'Por confirmar;to be announced',
      '???;???',
    ]
    const table = ['Date;Time;Event;Venue', ...rows.map((row, i) => `${i + 5} March 2027;7pm;${row}`)]
    expect(valuesOf(table.join('\n'))).toEqual(rows.map(() => [undefined, undefined]))
  })

  it('is no title of a line or a form', () => {
    expect(valuesOf('Fri 5 March 7pm: TBA\nFri 12 March 7pm: The Weavers')).toEqual([
      [undefined, undefined],
      ['The Weavers', undefined],
    ])
    expect(valuesOf('Titel: noch offen\nDatum: 5. März 2027, 20 Uhr')).toEqual([[undefined, undefined]])
  })

  it('may be a part of a name', () => {
    expect(valuesOf('Offenes Singen am Freitag, 5. März 2027, 20 Uhr')).toEqual([
      ['Offenes Singen', undefined],
    ])
    expect(valuesOf('Date;Time;Event\n5 March 2027;7pm;NN Trio')).toEqual([['NN Trio', undefined]])
  })
})
