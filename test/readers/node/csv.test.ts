import { rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Guesses } from '../../../src/calendar/imports/guesses.ts'
import type { EventRecord, ReaderContext, SourceItem } from '../../../src/calendar/imports/records.ts'
import type { Report } from '../../../src/calendar/imports/report.ts'
import { FirstEvents } from '../../../src/commands/progress.ts'
import { csvColumns } from '../../../src/readers/csv/columns.ts'
import { fileItems } from '../../../src/readers/files.ts'
import { connectionTo } from '../../connection.ts'
import { API, type Calendar, openCalendar } from '../../node-calendar.ts'
import { CONTEXT, countsOf, emptyDatabase, importInto, makeFolder, WINDOW } from '../database.ts'

const folder = makeFolder()
const db = emptyDatabase()

const notes: string[] = []
async function* itemsOf(
  content: string | Uint8Array,
  context: Partial<ReaderContext> = {},
  name = 'events.csv',
): AsyncGenerator<SourceItem> {
  const path = join(folder, name)
  await writeFile(path, content)
  notes.length = 0
  yield* fileItems([path], WINDOW, { ...CONTEXT, note: text => void notes.push(text), ...context })
}

/** What is read of a file: its events, and what is wrong with it. */
async function read(content: string | Uint8Array, context?: Partial<ReaderContext>) {
  const items = await Array.fromAsync(itemsOf(content, context))
  const events = items.flatMap((item): EventRecord[] =>
    item.type === 'record' && item.record.kind === 'event' ? [item.record] : [],
  )
  const reasons = items.flatMap(item =>
    item.type === 'failed' || item.type === 'skipped' ? [`${item.line ?? ''} ${item.reason}`.trim()] : [],
  )
  return { events, reasons }
}

const timesOf = ({ start, end, all_day, timezone }: EventRecord) =>
  [start.wall.slice(0, 16), end.wall.slice(0, 16), ...(all_day ? ['all day'] : []), timezone].join(' ')

/** The times of a row with some cells. */
async function timesOfRow(cells: Record<string, string>, context?: Partial<ReaderContext>) {
  const names = Object.keys(cells)
  const text = [
    ['Title', ...names],
    ['x', ...Object.values(cells)],
  ]
    .map(row => row.join(';'))
    .join('\n')
  const { events, reasons } = await read(text, context)
  return [...events.map(timesOf), ...reasons]
}

describe('days and times', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'the importer of the plugin',
      {
        'EVENT START DATE': '2027-06-10',
        'EVENT START TIME': '6:00 PM',
        'EVENT END DATE': '2027-06-10',
        'EVENT END TIME': '9:30 PM',
        TIMEZONE: 'America/New_York',
      },
      '2027-06-10 18:00 2027-06-10 21:30 America/New_York',
    ],
    [
      'German',
      { Datum: '10.06.2027', Uhrzeit: '19:30', Endzeit: '22.00 Uhr' },
      '2027-06-10 19:30 2027-06-10 22:00 UTC',
    ],
    [
      'German, short, with a weekday',
      { Datum: 'Do., 10.6.27', Uhrzeit: '9' },
      '2027-06-10 09:00 2027-06-10 09:00 UTC',
    ],
    ['Spanish', { Fecha: '31/12/2027', Hora: '20:00' }, '2027-12-31 20:00 2027-12-31 20:00 UTC'],
    ['French', { 'Date de début': '31/12/2027', Heure: '20h30' }, '2027-12-31 20:30 2027-12-31 20:30 UTC'],
    [
      'American',
      { 'Start Date': '12/31/2027', 'Start Time': '12 a.m.', 'End Time': '12 pm' },
      '2027-12-31 00:00 2027-12-31 12:00 UTC',
    ],
    ['in words', { Date: 'June 10, 2027', Time: '8pm' }, '2027-06-10 20:00 2027-06-10 20:00 UTC'],
    [
      'in one cell',
      { Start: '2027-06-10T18:00:00', End: '2027-06-11 01:15' },
      '2027-06-10 18:00 2027-06-11 01:15 UTC',
    ],
    [
      'past midnight',
      { Date: '2027-06-10', Time: '22:00', 'End Time': '02:00' },
      '2027-06-10 22:00 2027-06-11 02:00 UTC',
    ],
    [
      'all night',
      { Date: '2027-06-10', Time: '20:00', 'End Time': '08:00' },
      '2027-06-10 20:00 2027-06-11 08:00 UTC',
    ],
    [
      'from morning till night',
      { Date: '2027-06-10', Time: '10:00', 'End Time': '01:30' },
      '2027-06-10 10:00 2027-06-11 01:30 UTC',
    ],
    [
      'with an end in another zone',
      { Start: '2027-06-10T19:30:00+02:00', 'End Time': '18:00Z' },
      '2027-06-10 19:30 2027-06-10 20:00 UTC+2',
    ],
    ['without a time', { Date: '2027-06-10' }, '2027-06-10 00:00 2027-06-10 23:59 all day UTC'],
    [
      'of days, with times that do not count',
      { Date: '2027-06-10', Time: '10:00', 'End Date': '2027-06-12', 'All Day Event': 'TRUE' },
      '2027-06-10 00:00 2027-06-12 23:59 all day UTC',
    ],
    [
      'of days, as a German spreadsheet writes what it has read as TRUE',
      { Datum: '2027-06-10', Uhrzeit: '10:00', Ganztägig: 'WAHR' },
      '2027-06-10 00:00 2027-06-10 23:59 all day UTC',
    ],
    [
      'not of days, as a French one writes FALSE',
      { Date: '2027-06-10', 'Journée entière': 'FAUX' },
      '2027-06-10 00:00 2027-06-10 00:00 UTC',
    ],
    ['the same either way', { Date: '06/06/2027' }, '2027-06-06 00:00 2027-06-06 23:59 all day UTC'],
  ])('%s', async (_, cells, expected) => {
    expect(await timesOfRow(cells)).toEqual([expected])
  })

  it('reads each end as what it is, whatever others have', async () => {
    const ends = async (text: string) => {
      const { events, reasons } = await read(text)
      return [...events.map(timesOf), ...reasons]
    }
    const heading = 'Titel;Datum;Beginn;Ende\n'
    const times = 'b;20.10.27;19:00;21:00\nc;21.10.27;19:00;21.00.00\nd;22.10.27;19:00;20 Uhr\n'
    expect(await ends(`${heading}a;16.10.27;;18.10.27\n${times}e;22.10.27;19:00;21:00\n`)).toEqual([
      '2027-10-16 00:00 2027-10-18 23:59 all day UTC',
      '2027-10-20 19:00 2027-10-20 21:00 UTC',
      '2027-10-21 19:00 2027-10-21 21:00 UTC',
      '2027-10-22 19:00 2027-10-22 20:00 UTC',
      '2027-10-22 19:00 2027-10-22 21:00 UTC',
    ])
    const days = 'a;1.11.27;10:00;2.11.27\nb;2.11.27;10:00;2027-11-04 17 Uhr\nc;3.11.27;10:00;12\n'
    expect(await ends(`${heading}${days}d;20.10.27;19:00;21:00\ne;22.10.27;19:00;21.10.27\n`)).toEqual([
      '2027-11-01 10:00 2027-11-02 10:00 UTC',
      '2027-11-02 10:00 2027-11-04 17:00 UTC',
      '2027-10-20 19:00 2027-10-20 21:00 UTC',
      '4 Ende "12" is not a day: write it as 2027-12-31',
      '6 its end is before its start',
    ])
  })

  it.each<[string, string, string]>([
    ['Datum;Beginn;Ende', '12.06.2027;19:00;24:00', '2027-06-12 19:00 2027-06-13 00:00'],
    ['Datum;Beginn;Ende', '12.06.2027;24:00;02:00', '2027-06-13 00:00 2027-06-13 02:00'],
    ['Datum;Beginn;Enddatum;Ende', '12.06.2027;24:00;12.06.2027;02:00', '2027-06-13 00:00 2027-06-13 02:00'],
    ['Datum;Beginn;Enddatum;Ende', '12.06.2027;24:00;12.06.2027;24:00', '2027-06-13 00:00 2027-06-13 00:00'],
    ['Beginn', '12.06.2027 24:00', '2027-06-13 00:00 2027-06-13 00:00'],
    ['Datum;Beginn;Ende', '12.06.2027;0,8125;0,9166666667', '2027-06-12 19:30 2027-06-12 22:00'],
    ['Date;Start;End', '12/31/2027;7:00 PM;9:30 PM', '2027-12-31 19:00 2027-12-31 21:30'],
    ['Datum;Beginn;Endzeit', '12.06.2027;20:00;01:00', '2027-06-12 20:00 2027-06-13 01:00'],
    ['von;bis', '12.06.2027;14.06.2027', '2027-06-12 00:00 2027-06-14 23:59 all day'],
    ['von;bis', '12.06.2027 19:00;12.06.2027 22:00', '2027-06-12 19:00 2027-06-12 22:00'],
    ['Datum;von;bis', '12.06.2027;19;22', '2027-06-12 19:00 2027-06-12 22:00'],
    ['Startdatum;Enddatum;Beginn;Ende', '12.6.27;12.6.27;9:00;17:00', '2027-06-12 09:00 2027-06-12 17:00'],
    ['Tag;Zeit', '12. Juni 2027;ab 18 Uhr', '2027-06-12 18:00 2027-06-12 18:00'],
    ['Datum;Uhrzeit', '12.6.27;19.30 - 21.00 Uhr', '2027-06-12 19:30 2027-06-12 21:00'],
    // Words that announcements have as well.
    ['Datum;Uhrzeit', '12.6.27;7 Uhr abends', '2027-06-12 19:00 2027-06-12 19:00'],
    ['Datum;Uhrzeit', '12.6.27;20 Uhr abends', '2027-06-12 20:00 2027-06-12 20:00'],
    ['Datum;Uhrzeit', '12.6.27;19 Uhr 30', '2027-06-12 19:30 2027-06-12 19:30'],
    ['Datum;Uhrzeit', '12.6.27;9 bis 12 Uhr mittags', '2027-06-12 09:00 2027-06-12 12:00'],
    ['Datum;Uhrzeit', '12.6.27;20 Uhr bis Mitternacht', '2027-06-12 20:00 2027-06-13 00:00'],
    ['Datum;Uhrzeit', '12.6.27;12 Uhr mittags', '2027-06-12 12:00 2027-06-12 12:00'],
    ['Jour;Heure', '12 juin 2027;20 heures 30', '2027-06-12 20:30 2027-06-12 20:30'],
    ['Jour;Heure', '12 juin 2027;8 h du soir', '2027-06-12 20:00 2027-06-12 20:00'],
    ['Fecha;Hora', '12 de junio de 2027;20:30 horas', '2027-06-12 20:30 2027-06-12 20:30'],
    ['Fecha;Hora', '12 de junio de 2027;8 de la tarde', '2027-06-12 20:00 2027-06-12 20:00'],
    ['Date;Time', '2027-06-12;8 a. m. to 1 p. m.', '2027-06-12 08:00 2027-06-12 13:00'],
    ['Date;Time', '2027-06-12;7:30 in the evening', '2027-06-12 19:30 2027-06-12 19:30'],
    ['Datum;Uhrzeit', '12.6.27;ganztägig', '2027-06-12 00:00 2027-06-12 23:59 all day'],
    ['Termin', '12.06.2027 um 19:30 Uhr', '2027-06-12 19:30 2027-06-12 19:30'],
    ['Wann', 'Samstag, 12. Juni 2027, 19 Uhr', '2027-06-12 19:00 2027-06-12 19:00'],
    [
      'Beginnt am;Beginnt um;Endet am;Endet um;Erinnerung um',
      '12.6.27;19:00:00;12.6.27;21:00:00;18:45:00',
      '2027-06-12 19:00 2027-06-12 21:00',
    ],
    ['Datum;Einlass;Beginn', '12.06.2027;18:00;19:00', '2027-06-12 19:00 2027-06-12 19:00'],
    ['Date;Time', '2027-06-12;7-9pm', '2027-06-12 19:00 2027-06-12 21:00'],
    ['Date;Time', '2027-06-12;11am to 1:30 pm', '2027-06-12 11:00 2027-06-12 13:30'],
    ['Date;Time', '2027-06-12;11-1pm', '2027-06-12 11:00 2027-06-12 13:00'],
    ['When', 'June 12, 2027 7:00 PM', '2027-06-12 19:00 2027-06-12 19:00'],
    ['Date;De;À', '12 juin 2027;14h00;18h00', '2027-06-12 14:00 2027-06-12 18:00'],
    ['Début;Début;Fin;Fin', '31/12/2027;20:00;31/12/2027;22:00', '2027-12-31 20:00 2027-12-31 22:00'],
    ['Jour;Horaires', '1er août 2027;de 14h à 18h', '2027-08-01 14:00 2027-08-01 18:00'],
    ['Fecha y hora', '12 de junio de 2027 a las 20:00', '2027-06-12 20:00 2027-06-12 20:00'],
    ['Fecha;Inicio;Fin', '31/12/2027;20:00 h;22:00 h', '2027-12-31 20:00 2027-12-31 22:00'],
    // The cells of a column that says what it has, and has something else.
    ['Start Time;End Time', '2027-06-12 19:00;2027-06-12 21:00', '2027-06-12 19:00 2027-06-12 21:00'],
    // Words before a time, and what people write where the end is open.
    ['Datum;Beginn;Ende', '12.06.2027;ca. 19 Uhr;ca.22 Uhr', '2027-06-12 19:00 2027-06-12 22:00'],
    ['Jour;Horaires', '31/12/2027;à partir de 19h', '2027-12-31 19:00 2027-12-31 19:00'],
    ['Fecha;Hora', '12.06.2027;desde las 22 h', '2027-06-12 22:00 2027-06-12 22:00'],
    ['Datum;Uhrzeit', '12.06.2027;20:00 Uhr - open end', '2027-06-12 20:00 2027-06-12 20:00'],
    ['Datum;Uhrzeit', '12.06.2027;20 Uhr –', '2027-06-12 20:00 2027-06-12 20:00'],
    ['Datum;Beginn;Ende', '12.06.2027;19:00;-', '2027-06-12 19:00 2027-06-12 19:00'],
    // English days with their ordinal.
    ['Date;Time', 'Saturday 12th of June 2027;7.30pm', '2027-06-12 19:30 2027-06-12 19:30'],
    ['Date;Time', 'the 3rd of June, 2027;noon', '2027-06-03 12:00 2027-06-03 12:00'],
  ])('in columns %s: %s', async (names, cells, expected) => {
    const { events, reasons } = await read(`Title;${names}\nx;${cells}\n`)
    expect([...events.map(timesOf), ...reasons]).toEqual([`${expected} UTC`])
  })

  it('are read in a column where most cells have them, and another cell is an error', async () => {
    const rows = ['a;12.06.2027;19:00', 'b;13.06.2027;', 'c;14.06.2027;20 Uhr', 'd;15.06.2027;später']
    const { events, reasons } = await read(['Titel;Datum;Ende', ...rows].join('\n'))
    expect(events.map(({ title, all_day }) => [title, all_day])).toEqual([
      ['a', false],
      ['b', true],
      ['c', false],
    ])
    expect(reasons).toEqual(['5 Ende "später" is not a time: write it as 18:30'])
  })

  it('that nobody knows yet are left out, and the report says so', async () => {
    const rows = ['a;12.06.2027;19:00;open end', 'b;13.06.2027;folgt;?', 'c;14.06.2027;20:00;-']
    const { events, reasons } = await read(['Titel;Datum;Beginn;Ende', ...rows].join('\n'))
    expect([...events.map(timesOf), ...reasons]).toEqual([
      '2027-06-12 19:00 2027-06-12 19:00 UTC',
      '2027-06-13 00:00 2027-06-13 23:59 all day UTC',
      '2027-06-14 20:00 2027-06-14 20:00 UTC',
    ])
    expect(notes).toEqual([
      'events.csv, line 2: Ende cannot be understood, left out: "open end"',
      'events.csv, line 3: Ende cannot be understood, left out: "?"',
      'events.csv, line 3: Beginn cannot be understood, left out: "folgt"',
    ])
  })

  it('are read of a column with few of them, and its other cells are errors', async () => {
    const rows = ['a;12.06.2027;19:00', 'b;13.06.2027;nach der Messe', 'c;14.06.2027;nach dem Essen']
    const { events, reasons } = await read(['Titel;Datum;Beginn', ...rows].join('\n'))
    expect(events.map(timesOf)).toEqual(['2027-06-12 19:00 2027-06-12 19:00 UTC'])
    expect(reasons).toEqual([
      '3 Beginn "nach der Messe" is not a time: write it as 18:30',
      '4 Beginn "nach dem Essen" is not a time: write it as 18:30',
    ])
  })

  it.each([
    ['12.06.2027, 19.06.2027', 'has several days: give each a row of its own'],
    ['12.6., 19.6. und 26.6.2027', 'has several days: give each a row of its own'],
    ['12.6. und 19.6.2027', 'has several days: give each a row of its own'],
    ["12 June '27", 'is not a time: write it as 18:30'],
  ])(
    'of several days, or an unknown year, are refused, with a time in another cell or without: %s',
    async (day, reason) => {
      for (const cells of [{ Datum: day }, { Datum: day, Uhrzeit: '19:00' }])
        expect(await timesOfRow(cells)).toEqual([expect.stringContaining(reason)])
    },
  )

  it.each([
    ['Datum;Beginn;Pause', '12.06.2027;19:00;20:15', '"Pause"'],
    ['Datum;RSVP', '12.06.2027;01.06.2027', '"RSVP"'],
    ['Date;Start;;End', '2027-06-12;19:00;20:00;21:00', '"number 4"'],
    ['Datum;Beginn;Start', '12.06.2027;19:00;20:00', '"Start"'],
  ])('that would not be read are an error that names their columns: %s', async (names, cells, column) => {
    const { events, reasons } = await read(`Title;${names}\nx;${cells}\n`)
    expect(events).toEqual([])
    expect(reasons).toEqual([
      expect.stringContaining(`days or times of these columns would not be read: ${column}.`),
    ])
  })

  it('are shown of the first ten events, with titles and places', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => `Concert ${i};2027-06-${10 + i};19:00;21:00;Hall`)
    rows[1] = 'Fair;2027-06-11;;;'
    rows[2] = 'Night;2027-06-12;22:00;02:00;Club'
    const first = new FirstEvents()
    await Array.fromAsync(first.noting(itemsOf(['Title;Date;Start;End;Place', ...rows].join('\n'))))
    const lines = first.lines()
    expect(lines).toHaveLength(11)
    expect(lines.slice(1, 4)).toEqual([
      '  2027-06-10 19:00 - 21:00, Concert 0, Hall',
      '  2027-06-11 (all day), Fair',
      '  2027-06-12 22:00 - 2027-06-13 02:00, Night, Club',
    ])
  })

  it.each(['Plätze', 'VVK', 'Telefon', 'Alter', 'Verhältnis'])(
    'are not what other columns have: %s',
    async name => {
      const cells = { Plätze: '20', VVK: '12.50', Telefon: '0431 19-21', Alter: '6-10', Verhältnis: '1 zu 3' }
      const { events } = await read(
        `Title;Date;${name}\nx;2027-06-12;${new Map(Object.entries(cells)).get(name)}\n`,
      )
      expect(events).toHaveLength(1)
      expect(notes).toEqual([`events.csv: columns that are not read: ${name}`])
    },
  )

  it.each([
    [
      '05/06/2027',
      '2 Date "05/06/2027" can be read as 2027-06-05 and as 2027-05-06: say which with --dates dmy (day first) or --dates mdy (month first)',
    ],
    [
      '5-6-27',
      '2 Date "5-6-27" can be read as 2027-06-05 and as 2027-05-06: say which with --dates dmy (day first) or --dates mdy (month first)',
    ],
    ['30.02.2027', '2 Date "30.02.2027" is not a day that exists'],
    ['46183', '2 Date "46183" is a number: give the column a date format and save the file again'],
    ['tomorrow', '2 Date "tomorrow" is not a day: write it as 2027-12-31'],
    ['', '2 it has no start date'],
  ])('refuses the day %j', async (day, reason) => {
    expect(await timesOfRow({ Date: day })).toEqual([reason])
  })

  it.each<[string, Record<string, string>, string]>([
    ['a time', { Date: '2027-06-10', Time: '25:00' }, '2 Time "25:00" is not a time: write it as 18:30'],
    [
      'a half of the day that may be another',
      { Date: '2027-06-10', Time: '1 de la noche' },
      '2 Time "1 de la noche" is not a time: write it as 18:30',
    ],
    ['an end', { Date: '2027-06-10', 'End Date': '2027-06-09' }, '2 its end is before its start'],
    [
      'an end before its start that is not at night',
      { Date: '2027-06-10', Time: '21:00', 'End Time': '18:00' },
      '2 its end is before its start',
    ],
    [
      'a day with an hour later than a night',
      { Date: '2027-06-10', Time: '20:00', 'End Time': '08:30' },
      '2 its end is before its start',
    ],
  ])('refuses %s', async (_, cells, reason) => {
    expect(await timesOfRow(cells)).toEqual([reason])
  })

  // Today is 20 November 2026.
  it.each<[string, string, string]>([
    ['Datum', 'Sa 12.12.', '2026-12-12 00:00 2026-12-12 23:59 all day'],
    ['Datum', '12.6.', '2027-06-12 00:00 2027-06-12 23:59 all day'],
    ['Datum', '20.8.', '2026-08-20 00:00 2026-08-20 23:59 all day'],
    ['Datum', '19.8.', '2027-08-19 00:00 2027-08-19 23:59 all day'],
    // 19 August is a Wednesday in 2026, and a Saturday in 2028.
    ['Datum', 'Mi., 19.8., 20 Uhr', '2026-08-19 20:00 2026-08-19 20:00'],
    ['Datum', 'Samstag 19.8.', '2028-08-19 00:00 2028-08-19 23:59 all day'],
    ['Datum', '29.2.', '2028-02-29 00:00 2028-02-29 23:59 all day'],
    ['Date', 'Sat, Dec 12, 8 pm', '2026-12-12 20:00 2026-12-12 20:00'],
    ['Date', 'June 10', '2027-06-10 00:00 2027-06-10 23:59 all day'],
    ['Date', '13/6', '2027-06-13 00:00 2027-06-13 23:59 all day'],
    ['Date', '12 juin à 20h', '2027-06-12 20:00 2027-06-12 20:00'],
    ['Fecha', 'sábado, 12 de junio', '2027-06-12 00:00 2027-06-12 23:59 all day'],
    ['Datum;Uhrzeit;bis', '30.12.;19.30;2.1.', '2026-12-30 19:30 2027-01-02 19:30'],
    ['Datum;Uhrzeit', '12.12.;19.30', '2026-12-12 19:30 2026-12-12 19:30'],
    // Two days over New Year, of which the second has the year, if any.
    ['Datum', '31.12./1.1.2028', '2027-12-31 00:00 2028-01-01 23:59 all day'],
    ['Datum', '31.12. und 1.1.2028', '2027-12-31 00:00 2028-01-01 23:59 all day'],
    ['Datum', '31.12./01.01.29', '2028-12-31 00:00 2029-01-01 23:59 all day'],
    ['Datum', '31.12.2027/1.1.2028', '2027-12-31 00:00 2028-01-01 23:59 all day'],
    ['Datum', '31.12.2027/1.1.', '2027-12-31 00:00 2028-01-01 23:59 all day'],
    ['Datum', '31.12./1.1.', '2026-12-31 00:00 2027-01-01 23:59 all day'],
    ['Datum', '31. Dezember / 1. Januar 2028', '2027-12-31 00:00 2028-01-01 23:59 all day'],
    ['Date', 'December 31 & January 1, 2028', '2027-12-31 00:00 2028-01-01 23:59 all day'],
    ['Datum', '30.6./1.7.2028', '2028-06-30 00:00 2028-07-01 23:59 all day'],
    ['Datum', '28.2./1.3.2027', '2027-02-28 00:00 2027-03-01 23:59 all day'],
    // Only leap years have 29 February.
    ['Datum', '28./29.2.', '2028-02-28 00:00 2028-02-29 23:59 all day'],
    ['Datum', '29.2./1.3.', '2028-02-29 00:00 2028-03-01 23:59 all day'],
    ['Datum', '28.2. - 29.2.', '2028-02-28 00:00 2028-02-29 23:59 all day'],
    ['Datum', '30.12. - 29.2.', '2027-12-30 00:00 2028-02-29 23:59 all day'],
    ['Date', 'Feb 28 & 29', '2028-02-28 00:00 2028-02-29 23:59 all day'],
    ['von;bis', '27.2.;29.2.', '2028-02-27 00:00 2028-02-29 23:59 all day'],
    ['Date;End', '2/27;2/29', '2028-02-27 00:00 2028-02-29 23:59 all day'],
    ['Datum', '28.2./1.3.', '2027-02-28 00:00 2027-03-01 23:59 all day'],
    ['Date;End', '2029-12-30;Jan 2', '2029-12-30 00:00 2030-01-02 23:59 all day'],
  ])('without a year, in columns %s: %s', async (names, cells, expected) => {
    const { events, reasons } = await read(`Title;${names}\nx;${cells}\n`)
    expect([...events.map(timesOf), ...reasons]).toEqual([`${expected} UTC`])
  })

  it.each([
    '31.12.2028/1.1.2028',
    '31.12.2027/1.1.2029',
    '31.12./2.1.2028',
    '28.2./1.3.2028',
    '1.1./31.12.2028',
  ])('two days of which the second is not the one after the first are refused: %s', async cell => {
    expect(await timesOfRow({ Datum: cell })).toEqual([expect.stringContaining(cell)])
  })

  it('without a year are refused if there is no such day, or there are two', async () => {
    expect(await timesOfRow({ Date: '12/6' })).toEqual([
      '2 Date "12/6" can be read as 2027-06-12 and as 2026-12-06: say which with --dates dmy (day first) or --dates mdy (month first)',
    ])
    expect(await timesOfRow({ Date: '12/6' }, { dayOrder: 'mdy' })).toEqual([
      '2026-12-06 00:00 2026-12-06 23:59 all day UTC',
    ])
    expect(await timesOfRow({ Date: 'Sa 31.6.' })).toEqual([
      expect.stringContaining('is not a day that exists'),
    ])
    // 2027 has no such day, and the event does not last until 2028.
    for (const today of ['2026-11-20', '2028-11-20'])
      expect(
        await timesOfRow({ Date: '28.2.2027', 'End Date': '29.2.' }, { nowMs: Date.parse(today) }),
      ).toEqual([expect.stringContaining('is not a day that exists')])
  })

  it('that can be read two ways are read like those of the column that can be read in one', async () => {
    const days = async (...cells: string[]) => {
      const { events } = await read(['Title,Date', ...cells.map((day, i) => `x${i},${day}`)].join('\n'))
      return events.length
    }
    expect(await days('5/6/2027', '13/6/2027')).toBe(2)
    expect(await days('5/6/2027', '6/13/2027')).toBe(2)
    expect(await days('5/6/2027', '6/13/2027', '13/6/2027')).toBe(2)
    expect(await days('5/6/2027', '13.6.2027', '5/5/2027')).toBe(2)
    expect(await timesOfRow({ Date: '5/6/2027', 'End date': '13/6/2027' })).toEqual([
      expect.stringContaining('2027-06-05'),
    ])
  })

  it('that can be read two ways are read as --dates says, and days that contradict it are refused', async () => {
    const day = (text: string, dayOrder: 'dmy' | 'mdy') => timesOfRow({ Date: text }, { dayOrder })
    expect(await day('05/06/2027', 'dmy')).toEqual(['2027-06-05 00:00 2027-06-05 23:59 all day UTC'])
    expect(await day('05/06/2027', 'mdy')).toEqual(['2027-05-06 00:00 2027-05-06 23:59 all day UTC'])
    expect(await day('31/12/2027', 'mdy')).toEqual(['2 Date "31/12/2027" is not a day that exists'])
    expect(await day('05.06.2027', 'mdy')).toEqual(['2027-06-05 00:00 2027-06-05 23:59 all day UTC'])
  })
})

describe('files', () => {
  const text = 'Titel;Datum;Ort\r\nCafé «Zürich»;10.06.2027;Köln\r\n'
  it.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['Windows-1252', Buffer.from(text, 'latin1')],
    ['UTF-16, with tabs', Buffer.from(`\ufeff${text.replaceAll(';', '\t')}`, 'utf16le')],
    ['UTF-8, with commas', Buffer.from(text.replaceAll(';', ','))],
    ['a separator on a line of its own', Buffer.from(`sep=;\r\n${text}`)],
  ])('may be in %s', async (_, bytes) => {
    const { events, reasons } = await read(bytes)
    expect(events).toMatchObject([{ title: 'Café «Zürich»', venues: ['Köln'] }])
    expect(reasons).toEqual([])
  })

  it('with a byte order mark are UTF-8, whatever single bytes they have', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeffTitel;Datum;Ort\r\n'),
      Buffer.from('Caf\xe9;10.06.2027;Ulm\r\n', 'latin1'),
    ])
    const { events } = await read(bytes)
    expect(events).toMatchObject([{ title: 'Café', venues: ['Ulm'] }])
  })

  it.each([
    ['', 'it is empty'],
    ['a,b\n1,2\n', 'its first line names no column "Event Name" or "Event Start Date": it has "a", "b"'],
    ['Title,Place\n1,2\n', 'its first line names no column "Event Start Date": it has "Title", "Place"'],
    [
      '<!doctype html><title>Sign in</title>',
      'it is a web page without events as JSON-LD or microdata: save the calendar that it links to, or import its address',
    ],
    ['PK\u0003\u0004…', 'it is a workbook or an archive: save the table as CSV'],
    [
      'Title,Date\n"a,2027-01-01\n',
      'it cannot be read as CSV: Quote Not Closed: the parsing is finished with an opening quote at line 2',
    ],
  ])('that are invalid are refused: %j', async (content, reason) => {
    expect((await read(content)).reasons).toEqual([reason])
  })

  it('say which rows are wrong, and which columns are not read', async () => {
    const content =
      'Title,Date,Foo\n"Two\nlines",2027-01-01,\n,2027-01-01,\n\nTwo lines,2027-01-01,\n,,\nLast,never,\n'
    const { events, reasons } = await read(content)
    expect(events.map(({ title }) => title)).toEqual(['Two lines'])
    expect(reasons).toEqual([
      '4 it has no title',
      '6 it is the same event as in line 2',
      '8 Date "never" is not a day: write it as 2027-12-31',
    ])
    expect(notes).toEqual(['events.csv: columns that are not read: Foo'])
    const many = Array.from({ length: 30 }, (_, i) => `c${i}`)
    await read(`Title,Date,${many}\nx,2027-01-01\n`)
    expect(notes).toEqual([`events.csv: columns that are not read: ${many.slice(0, 20).join(', ')}, …`])
  })

  it('of more than 256 MB are refused, and the others read', async () => {
    const path = join(folder, 'large.csv')
    await writeFile(path, '')
    // Without content, it takes no room on the disk.
    await truncate(path, 256 * 1024 ** 2 + 1)
    const other = join(folder, 'other.csv')
    await writeFile(other, 'Title,Date\nOther,2027-01-01\n')
    const items = await Array.fromAsync(fileItems([path, other], WINDOW, CONTEXT))
    await rm(path)
    expect(items).toMatchObject([
      { type: 'failed', what: 'large.csv', reason: 'it is larger than 256 MB' },
      { type: 'expect' },
      { type: 'record', record: { title: 'Other' } },
    ])
  })

  it('mark events as hidden or private in the words of their languages', async () => {
    const flagsOf = async (content: string) =>
      (await read(content)).events.map(event => [event.hide_from_listings, event.featured, event.status])
    expect(
      await flagsOf('Title,Date,Hide Event From Event Listings,Featured\nx,2027-01-01,WAHR,x\n'),
    ).toEqual([[true, true, 'publish']])
    expect(await flagsOf('Subject,Start Date,Private\nx,2027-01-01,True\ny,2027-01-01,False\n')).toEqual([
      // What is public comes first.
      [false, false, 'publish'],
      [false, false, 'private'],
    ])
    expect(notes).toEqual([])
  })

  const OF_OUTLOOK = 'Betreff,Beginnt am,Privat,Vertraulichkeit,Ort'
  it.each<[names: string, cells: string, status: string]>([
    [OF_OUTLOOK, 'x,10.6.2027,Ein,Normal,', 'private'],
    [OF_OUTLOOK, 'x,10.6.2027,Aus,Normal,', 'publish'],
    [OF_OUTLOOK, 'x,10.6.2027,Aus,Privat,', 'private'],
    [OF_OUTLOOK, 'x,10.6.2027,Aus,Vertraulich,', 'private'],
    [OF_OUTLOOK, 'x,10.6.2027,,Persönlich,', 'private'],
    [OF_OUTLOOK, 'x,10.6.2027,Jein,Normal,', 'pending'],
    [OF_OUTLOOK, 'x,10.6.2027,Aus,Streng,', 'pending'],
    [OF_OUTLOOK, 'x,10.6.2027,Jein,Privat,', 'private'],
    ['Objet,Début,Privé,Critère de diffusion', 'x,31/12/2027 18:00,Vrai,Normale', 'private'],
    ['Objet,Début,Critère de diffusion', 'x,31/12/2027,Confidentiel', 'private'],
    ['Asunto,Fecha de comienzo,Privado', 'x,31/12/2027,Verdadero', 'private'],
    ['Subject,Start Date,Private,Sensitivity', 'x,2027-06-10,False,Confidential', 'private'],
    ['Name,Date,Private', 'x,2027-06-10,checked', 'private'],
    ['Name,Date,Private', 'x,2027-06-10,', 'publish'],
    ['Name,Date,Private', 'x,2027-06-10,WAAR', 'private'],
    ['Name,Date,Private', 'x,2027-06-10,Y', 'private'],
    ['Name,Date,Private', 'x,2027-06-10,T', 'private'],
    ['Name,Date,Private', 'x,2027-06-10,✓', 'private'],
    ['Name,Date,Private', 'x,2027-06-10,✔️', 'private'],
    ['Name,Date,Private', 'x,2027-06-10,ИСТИНА', 'private'],
    ['Name,Date,Private', 'x,2027-06-10,onwaar', 'publish'],
    ['Name,Date,Private', 'x,2027-06-10,unchecked', 'publish'],
    ['Name,Date,Private', 'x,2027-06-10,private', 'private'],
    ['Name,Date,Private', 'x,2027-06-10,✗', 'pending'],
    ['Name,Date,Private', 'x,2027-06-10,maybe', 'pending'],
    ['Name,Date,Visibility', 'x,2027-06-10,Public', 'publish'],
    ['Name,Date,Public', 'x,2027-06-10,no', 'private'],
    ['Titel,Datum,Öffentlich', 'x,10.6.2027,ja', 'publish'],
    // Here it says for whom an event is.
    ['Titre,Date,Public', 'x,31/12/2027,Familles', 'publish'],
    ['Name,Date,Hide from listings', 'x,2027-06-10,perhaps', 'pending'],
    // The least public of several columns counts.
    ['Name,Date,Private,Privat', 'x,2027-06-10,no,yes', 'private'],
    ['Name,Date,Private,Confidential', 'x,2027-06-10,no,yes', 'private'],
    ['Name,Date,Sensitivity,Visibility', 'x,2027-06-10,Normal,Private', 'private'],
    ['Name,Date,Status,Zustand', 'x,2027-06-10,confirmed,Entwurf', 'draft'],
    ['Name,Date,Published', 'x,2027-06-10,maybe', 'pending'],
    ['Name,Date,Published', 'x,2027-06-10,2027-01-02', 'publish'],
    ['Name,Date,Post Status', 'x,2027-06-10,draft', 'draft'],
    ['Name,Date,post_status', 'x,2027-06-10,private', 'private'],
    ['Name,Date,Hidden', 'x,2027-06-10,yes', 'private'],
    ['Name,Date,is_private', 'x,2027-06-10,1', 'private'],
    ['Name,Date,Nur intern', 'x,2027-06-10,Ja', 'private'],
    ['Name,Date,Not public', 'x,2027-06-10,x', 'private'],
    // Columns with names that nobody knows, by their cells.
    ['Name,Date,Class', 'x,2027-06-10,CONFIDENTIAL', 'private'],
    ['Name,Date,Class', 'x,2027-06-10,Yoga', 'publish'],
    ['Name,Date,Access', 'x,2027-06-10,Members only', 'private'],
    ['Name,Date,State', 'x,2027-06-10,Draft', 'draft'],
    ['Name,Date,State', 'x,2027-06-10,Utah', 'publish'],
  ])('never publish what may be private, in columns %s: %s', async (names, cells, status) => {
    const { events, reasons } = await read(`${names}\n${cells}\n`)
    expect([...events.map(event => event.status), ...reasons]).toEqual([status])
    expect(notes.filter(text => text.includes('waits'))).toHaveLength(status === 'pending' ? 1 : 0)
  })

  it.each<[names: string, rows: string[], ...states: string[]]>([
    [
      'Name,Date,Public',
      ['x,2027-06-10,maybe', 'y,2027-06-11,sort of', 'z,2027-06-12,no'],
      'z private',
      'x pending',
      'y pending',
    ],
    [
      'Nombre,Fecha,Estado',
      ['x,10/6/2027,raro', 'y,11/6/2027,raro2', 'z,25/6/2027,cancelado'],
      'z publish canceled',
      'x pending',
      'y pending',
    ],
    [
      'Name,Date,Status,Zustand',
      ['x,2027-06-10,confirmed,abgesagt', 'y,2027-06-11,abgesagt,bestätigt', 'z,2027-06-12,,'],
      'x publish canceled',
      'y publish canceled',
      'z publish',
    ],
  ])('take no word for one that shows, in columns %s: %j', async (names, rows, ...states) => {
    const { events } = await read([names, ...rows, ''].join('\n'))
    const found = events.map(({ title, status, event_status }) =>
      [title, status, event_status === 'scheduled' ? '' : event_status].join(' ').trim(),
    )
    expect(found.toSorted()).toEqual(states.toSorted())
  })

  it('hide what any column hides from listings', async () => {
    const names = 'Name,Date,Hide from listings,Hide Event From Event Listings'
    const { events } = await read(`${names}\nx,2027-06-10,no,yes\ny,2027-06-11,no,no\n`)
    expect(events.map(event => [event.title, event.hide_from_listings])).toEqual([
      ['x', true],
      ['y', false],
    ])
  })

  it('have the terms of several columns, of lines and between strokes', async () => {
    const { events, reasons } = await read(
      'Anlass;Datum;Kategorie 1;Kategorie 2;Schlagworte\nx;12.06.2027;Konzert, Kinder;"Rock\nJazz";a | b\n',
    )
    expect(reasons).toEqual([])
    expect(notes).toEqual([])
    expect(events.map(({ categories, tags }) => [categories, tags])).toEqual([
      [
        ['konzert', 'kinder', 'rock', 'jazz'],
        ['a', 'b'],
      ],
    ])
  })

  it.each([
    [['open', 'public'], ['Kurzinfo']],
    [['open', 'sold out'], []],
    [['open', 'cancelled'], []],
    [['open', 'draft'], []],
  ])('know a column of statuses by its cells only if one stands out: %j', (cells, unreadNames) => {
    const rows = cells.map(cell => ['x', '2027-06-10', cell])
    expect(csvColumns(['Name', 'Date', 'Kurzinfo'], rows).unread).toEqual(unreadNames)
  })

  it('count each of several columns that somebody has chosen to hide events', () => {
    const chosen = { A: 'private', B: 'private' } as const
    const { several, unread } = csvColumns(
      ['Name', 'Date', 'A', 'B'],
      [['x', '2027-06-10', 'no', 'yes']],
      chosen,
    )
    expect([several.get('private'), unread]).toEqual([[2, 3], []])
  })

  it.each([
    'Title,Date,Description\nJazz,2027-06-10,"Doors 7 pm\nTickets, drinks and food"\n',
    'Title,Date,Venue,Description\nJazz,2027-06-10,Hall,"With:\nAnn, piano; Bob, bass; Cy, drums"\n',
  ])('say nothing of lines of a description, which are no rows: %j', async text => {
    expect((await read(text)).events).toHaveLength(1)
    expect(notes).toEqual([])
  })

  it('name a column whose meaning another one has', async () => {
    await read('Title,Date,Description,Text\nJazz,2027-06-10,One,Two\n')
    expect(notes).toEqual(['events.csv: columns that are not read: Text'])
  })

  it('know a row by its ID in its own file, unless others have the same', async () => {
    const rows = (title: string, day: string) => `ID,Title,Date\n1,${title},${day}\n2,Other,2027-06-12\n`
    await importInto(db, itemsOf(rows('One', '2027-06-10'), {}, 'a.csv'))
    const others = await importInto(db, itemsOf(rows('Else', '2027-06-11'), {}, 'b.csv'))
    expect(countsOf(others)).toEqual(['event created 2'])
    const moved = await importInto(db, itemsOf(rows('One', '2027-06-14'), {}, 'a.csv'))
    expect(countsOf(moved)).toEqual(['event updated 1', 'event unchanged 1'])
    expect(await db.query('SELECT title, external_id FROM events ORDER BY start_date, title')).toMatchObject(
      [
        ['Else', ''],
        ['Other', ''],
        ['Other', ''],
        ['One', ''],
      ].map(([title, external_id]) => ({ title, external_id })),
    )
    const { events, reasons } = await read('ID,Title,Date\n7,One,2027-06-10\n7,One,2027-06-11\n')
    expect([events.length, reasons]).toEqual([2, []])
  })

  it.each([
    ['Titel;Datum\nx;13./20.03.2027', '2 Datum "13./20.03.2027" is not a day: write it as 2027-12-31'],
    ['Titel;Datum\nx;15.03. - 13.03.2027', '2 its end is before its start'],
    ['Titel;Datum\nx;31.02. - 13.03.2027', '2 Datum "31.02.2027" is not a day that exists'],
    ['Title;Date;Time\nx;2027-06-10;19:30 XYZ', '2 Time "19:30 XYZ" is not a time: write it as 18:30'],
    [
      'Titel;Text;Datum\r\na;"eins\r\nzwei\r\ndrei";12.06.2027\r\nx;y;31.02.2027',
      '5 Datum "31.02.2027" is not a day that exists',
    ],
    ['sep=;\r\nTitel;Datum\r\n\r\nx;31.02.2027', '4 Datum "31.02.2027" is not a day that exists'],
    [
      'Titel;Datum;Beginn\nx;12.06.2027;#NV\ny;12.06.2027;19:00\nz;12.06.2027;20:00',
      '2 Beginn "#NV" is not a time: write it as 18:30',
    ],
  ])('refuse what cannot be read in one way: %j', async (content, reason) => {
    expect((await read(content)).reasons).toEqual([reason])
  })

  it.each([
    ['Title,Date,Time,Zone\nx,2027-06-10,20:00,Mars/Base', 'unknown time zone "Mars/Base", read as UTC'],
    ['Title,Start\nx,2027-06-10T19:30:00+25:00', 'unknown time zone "+25:00", read as UTC'],
    ['Title,Date,Time\nx,2027-06-10,19:30 EDT', 'unknown time zone "EDT", read as UTC'],
    ['Title,Date,All day\nx,2027-06-10,perhaps', 'All day cannot be understood, left out: "perhaps"'],
    ['Title,Date,Featured\nx,2027-06-10,perhaps', 'Featured cannot be understood, left out: "perhaps"'],
    ['Title,Date,Image\nx,2027-06-10,17', 'Image cannot be understood, left out: "17"'],
    ['Title,Date,Place,Lat\nx,2027-06-10,Hall,north', 'Lat cannot be understood, left out: "north"'],
    [
      'Title,Date,Wheelchair access\nx,2027-06-10,perhaps',
      'Wheelchair access cannot be understood, left out: "perhaps"',
    ],
    ['Title,Date,Status\nx,2027-06-10,Idea', 'Status "Idea" is not known, so the event waits'],
    [
      'Title,Date\nx,10/4/2027\ny,13/4/2027\nz,11/4/2027',
      '"10/4/2027" and days like it were read as 2027-04-10, judging by other rows',
    ],
    [
      'Titel;Datum\nx;10/4/2027\nz;11/4/2027',
      '"10/4/2027" and days like it were read as 2027-04-10, because of the language of the headings',
    ],
    [
      'Title,Date,Time\nx,2027-06-10,7\ny,2027-06-11,7:30',
      '"7" and times like it, without am or pm, were read as in the morning: 07:00',
    ],
    [
      'Title,Date,Time\nx,2027-06-10,7:30-9\ny,2027-06-11,8pm',
      '"7:30-9" and times like it, without am or pm, were read as in the morning: 07:30',
    ],
    ['Titel;Datum\nx;4.3.\ny;5.3.', '"4.3." and days like it, without a year, were read as 2027-03-04'],
    ['Title,Date,Time\nx,2027-06-10,midnight', 'Time "midnight" was read as 2027-06-11 00:00:00'],
    ['Title,Date,Location\nx,2027-06-10,#REF!', 'Location cannot be understood, left out: "#REF!"'],
  ])('say what was guessed: %j', async (content, guess) => {
    const { reasons } = await read(content, { language: 'de' })
    expect(reasons).toEqual([])
    expect(notes).toEqual([`events.csv, line 2: ${guess}`])
  })

  it('count the rows of which one thing is guessed', async () => {
    const guesses = new Guesses()
    await read('Title,Date,Time\nw,2027-06-09,9\nx,10/4/2027,7\ny,13/4/2027,7:30\nz,11/4/2027,6', {
      guess: guesses.take,
    })
    expect(guesses.lines).toEqual([
      'events.csv, line 3: "10/4/2027" and days like it were read as 2027-04-10, judging by other rows (2 times)',
      'events.csv, line 3: "7" and times like it, without am or pm, were read as in the morning: 07:00 (3 times)',
    ])
  })

  it.each([
    'Title,Date,Time\nx,2027-06-10,7:30\ny,2027-06-11,19:30',
    'Title,Date,Time\nx,2027-06-10,07:30',
    'Title,Date,Time\nx,2027-06-10,7 Uhr',
    'Title,Date,Time,End time\nx,2027-06-10,7,13:00',
    'Title,Start\nx,2027-06-10 7:30\ny,2027-06-11 19:30',
  ])('say nothing of the morning where it is meant: %j', async content => {
    await read(content)
    expect(notes).toEqual([])
  })

  it('say nothing of what is not written in two ways', async () => {
    await read('Titel;Datum;Ganztägig;Barrierefrei\nx;10.4.2027;nein;\ny;13/4/2027;;\n', { language: 'de' })
    expect(notes).toEqual(['events.csv: columns that are not read: Barrierefrei'])
    await read('Title,Date,Wheelchair access,Time\nx,4/10/2027,yes,19:30 MESZ\n', {
      ...{ dayOrder: 'mdy', timezone: 'Europe/Berlin' },
    })
    expect(notes).toEqual([])
  })

  it('hide the venue and the organizers of private events, unless others name them', async () => {
    const content =
      'Title,Date,Place,Organizer,Private\nBoard,2027-06-10,Green,Ann,Ein\nTax,2027-06-11,Office,Bob,Ein\nMaybe,2027-06-12,Loft,Eve,Jein\nChoir,2027-06-13,Green,Ann,Aus\n'
    await importInto(db, itemsOf(content))
    expect(notes).toEqual(['events.csv, line 4: Private "Jein" is not known, so the event waits'])
    const rows = await db.query(
      `SELECT title AS name, status FROM events UNION ALL SELECT name, status FROM venues
        UNION ALL SELECT name, status FROM organizers`,
    )
    const named = (status: string) => rows.flatMap(row => (row.status === status ? [row.name] : [])).sort()
    expect(named('publish')).toEqual(['Ann', 'Choir', 'Green'])
    expect(named('private')).toEqual(['Board', 'Bob', 'Office', 'Tax'])
    expect(named('pending')).toEqual(['Eve', 'Loft', 'Maybe'])
  })

  it('are marked in a dry run where they stay private or wait', async () => {
    const first = new FirstEvents()
    const lines: string[] = []
    await importInto(
      db,
      first.noting(
        itemsOf('Title,Date,Private\nOne <&> 1,2027-06-10,Ein\nTwo,2027-06-11,?\nThree,2027-06-12,\n'),
      ),
      { dryRun: true, say: line => lines.push(line) },
    )
    expect(first.lines().slice(1)).toEqual([
      '  2027-06-12 (all day), Three',
      '  2027-06-10 (all day), One <&> 1 (private)',
      '  2027-06-11 (all day), Two (pending)',
    ])
    expect(lines.map(line => line.replace(/\d+/, 'n'))).toEqual([
      'would create event n: Three',
      'would create event n: One <&> 1 (private)',
      'would create event n: Two (pending)',
    ])
  })

  it('bring venues, organizers, terms, costs and images', async () => {
    const content = `EVENT NAME,EVENT EXCERPT,EVENT VENUE NAME,EVENT ORGANIZER NAME,EVENT START DATE,EVENT START TIME,EVENT END DATE,EVENT END TIME,ALL DAY EVENT,TIMEZONE,HIDE FROM EVENT LISTINGS,STICKY IN MONTH VIEW,EVENT CATEGORY,EVENT TAGS,EVENT COST,EVENT CURRENCY SYMBOL,EVENT CURRENCY POSITION,EVENT ISO CURRENCY CODE,EVENT FEATURED IMAGE,EVENT WEBSITE,EVENT SHOW MAP LINK,EVENT SHOW MAP,ALLOW COMMENTS,ALLOW TRACKBACKS AND PINGBACKS,EVENT DESCRIPTION
Jazz,Short,The Hall,"Ann, Bob",2027-06-10,20:00,2027-06-10,22:00,FALSE,Europe/Rome,FALSE,TRUE,"Music, Jazz",evening,13,€,suffix,EUR,https://i.example/a.jpg,https://jazz.example/,TRUE,FALSE,TRUE,FALSE,<p>Long</p>
Film,,,,2027-06-11,20:00,,,,,,,Film,,free,$,prefix,USD,,,,,,,
Vespers,,,,2027-06-12,18:00,,,,,,,Music,,"0,00",€,prefix,EUR,,,,,,,
`
    const report = await importInto(db, itemsOf(content))
    expect(countsOf(report)).toEqual([
      ...['category created 3', 'tag created 1', 'venue created 1', 'organizer created 2', 'event created 3'],
    ])
    const rows =
      await db.query(`SELECT title, cost, sticky, show_map, show_map_link, excerpt, description, website,
      timezone, external_id FROM events ORDER BY title`)
    expect(rows).toMatchObject([
      { title: 'Film', cost: 'free', sticky: 0, show_map: 0 },
      {
        title: 'Jazz',
        cost: '13 €',
        sticky: 1,
        show_map: 0,
        show_map_link: 1,
        timezone: 'Europe/Rome',
        ...{
          excerpt: expect.stringContaining('Short'),
          description: '<p>Long</p>',
          website: 'https://jazz.example/',
        },
      },
      { title: 'Vespers', cost: '0,00' },
    ])
    expect(countsOf(await importInto(db, itemsOf(content)))).toContain('event unchanged 3')
  })

  it('are online if their place says so in words', async () => {
    const { events } = await read(
      'Title;Date;Place;City;Website\na;2027-06-10;Online-Veranstaltung;;\nb;2027-06-10;Webinar;Online;\nc;2027-06-10;Zoom;Frankfurt;\nd;2027-06-10;https://zoom.us/j/1;;\ne;2027-06-10;https://hall.example/;;\nf;2027-06-10;https://hall.example/;;https://jazz.example/',
    )
    expect(
      events.map(({ virtual_event_type, virtual_url, venues, website }) =>
        [virtual_event_type, virtual_url, venues.join(), website].join('|'),
      ),
    ).toEqual([
      'virtual|||',
      'virtual|||',
      '||Zoom, Frankfurt|',
      'virtual|https://zoom.us/j/1||',
      '|||https://hall.example/',
      '|||https://jazz.example/',
    ])
    expect(notes).toEqual([
      'events.csv, line 6: Place "https://hall.example/" was read as Website',
      'events.csv, line 7: Place cannot be understood, left out: "https://hall.example/"',
    ])
  })

  it('know a row by its UID in any file, else by the file, its title and start', async () => {
    const rows = (title: string, day = '2027-06-10') => `Title,Date,UID\n${title},${day},u-1\nOther,${day},\n`
    await importInto(db, itemsOf(rows('One')))
    const again = (content: string, name?: string): Promise<Report> =>
      importInto(db, itemsOf(content, {}, name))
    expect(countsOf(await again(rows('Changed', '2027-06-11')))).toEqual([
      'event created 1',
      'event updated 1',
    ])
    expect(countsOf(await again(rows('Changed', '2027-06-11'), 'b.csv'))).toEqual([
      'event created 1',
      'event unchanged 1',
    ])
    expect(await db.query("SELECT title, start_date FROM events WHERE external_id = 'u-1'")).toMatchObject([
      { title: 'Changed', start_date: '2027-06-11 00:00:00' },
    ])
    const mirrored = await importInto(db, itemsOf('Title,Date\nNew,2027-06-10\n'), { mirror: true })
    expect(countsOf(mirrored)).toEqual(['event created 1'])
  })
})

describe.each([
  ['en', ','],
  ['de', ';'],
])('events.csv of a calendar in %s, with `%s`', (LANGUAGE, separator) => {
  let calendar: Calendar
  beforeAll(async () => {
    calendar = await openCalendar(undefined, undefined, { LANGUAGE })
    await calendar.setUp()
  })
  afterAll(() => calendar.stop())
  const csv = async (query = ''): Promise<string> =>
    // `text()` would drop the byte order mark.
    Buffer.from(await (await calendar.ask(`${API}/events.csv${query}`)).arrayBuffer()).toString()

  it('has no formulas, and brings the same events elsewhere', async () => {
    const when = {
      start_date: '2027-06-10 20:00:00',
      end_date: '2027-06-11 01:30:00',
      timezone: 'Europe/Rome',
    }
    const titles = [
      '=1+1',
      '+49 30',
      '-5 °C',
      '-5',
      '-5-1',
      '@home',
      "'=quoted",
      "'plain'",
      'a, "b"; c',
      'a;=1+1;b',
      'a;"=1+1;b',
      "a;'=1+1",
      'a;-5;-5-1; -6',
      // In full width.
      '＝1+1',
      '＋49 30',
      '－5',
      '＠home',
      "'＝quoted",
      'a;＝1+1;"＠b',
      // Not after a comma that separates no cells, so that what others read stays as it is.
      'a,=1+1,b',
      "a,'=1+1",
      'a,-5,-5-1, -6',
      'Ünïcödé 日本語 &lt; 1',
    ]
    for (const [i, title] of titles.entries())
      await calendar.must('POST', '/events', {
        ...when,
        title,
        cost: `${i} €`,
        website: `https://e.example/?a=1,2&i=${i}`,
        description: `<p>=SUM(A1)</p>\n<ul>\n\t<li>One, "two"</li>\n</ul>\n<p>Bring:\n=1+1\n- bread;+1\t@A1</p>`,
        venue: {
          venue: `=Hall, ${i}`,
          address: '-1 Street',
          city: 'Rome',
          country: 'Italy',
          geo_lat: -41.5,
          geo_lng: 12.25,
        },
        organizer: [{ organizer: 'Ann, "A"', email: 'ann@example.org' }, { organizer: 'Bob; B' }],
        categories: ['Music, live', '=C'],
        tags: ['@tag', 'b'],
        ...{
          featured: i === 0,
          show_map: i === 1,
          wheelchair: i === 5 ? 'limited' : '',
          accessibility: i === 6 ? 'Ramp, "left"' : '',
          room: i === 7 ? 'Hall; 1' : '',
          event_status: i === 2 ? 'canceled' : 'scheduled',
        },
        ...(i === 3 && {
          is_virtual: true,
          virtual_event_type: 'hybrid',
          virtual_url: 'https://meet.example/',
        }),
        ...(i === 4 && { image: 'https://i.example/a.png' }),
      })
    await calendar.must('POST', '/events', {
      title: 'Days',
      all_day: true,
      start_date: '2027-07-01',
      end_date: '2027-07-03',
      recurrence: 'FREQ=WEEKLY;COUNT=2',
    })
    await calendar.must('POST', '/events', { ...when, title: 'Draft', status: 'draft' })
    const text = await csv()
    expect(text.startsWith(`\ufeffEvent Name${separator}Event Description${separator}`)).toBe(true)
    const rows = parse(text, { bom: true, delimiter: separator })
    expect(rows).toHaveLength(1 + titles.length + 2)
    // A negative number is no formula, and spreadsheets and other importers take an escaped one for a text.
    const begun = rows.flat().filter(cell => /^[=+\-@＝＋－＠\t\r]/.test(cell))
    const numbers = ['-5', '-41.5']
    expect([...new Set(begun)].sort()).toEqual([...numbers].sort())
    // Others split rows elsewhere, where quotation marks inside of a cell are text.
    const isGuardedOrNumber = new RegExp(`^(?:'|-5(?:$|["${separator}]))`)
    for (const delimiter of [separator === ',' ? ';' : ',', '\t']) {
      const split = parse(text, { bom: true, delimiter, quote: null, relax_column_count: true }).flat()
      expect(split.length).toBeGreaterThan(2 * titles.length)
      expect(
        split.filter(cell => /^["']*[=+\-@＝＋－＠]/.test(cell) && !isGuardedOrNumber.test(cell)),
      ).toEqual([])
    }
    expect(text).toContain(`"a;'=1+1;b"`)
    expect(text).toContain(`"a;-5;'-5-1; -6"`)
    expect(text).toContain(separator === ';' ? `"a,-5,'-5-1, -6"` : `"a,-5,-5-1, -6"`)
    const shown = async (rows: Calendar['rows']) => {
      const names = (kind: string) =>
        `(SELECT group_concat(name, ' | ') FROM (SELECT ${kind}s.name FROM event_${kind}s AS link CROSS JOIN ${kind}s
          ON ${kind}s.id = target_id WHERE event_id = events.id ORDER BY 1))`
      return rows(`SELECT title, description, excerpt, all_day, start_date, end_date, utc_start_date, timezone, cost, website,
        show_map, show_map_link, wheelchair, accessibility, sticky, featured, event_status, virtual_event_type, virtual_url, ${names('venue')} AS venue,
        ${names('organizer')} AS organizer, ${names('term')} AS terms, (SELECT url FROM images WHERE id = image_id) AS image
        FROM events WHERE status = 'publish' ORDER BY start_date, title`)
    }
    const report = await importInto(db, itemsOf(text))
    expect(countsOf(report)).toContain(`event created ${titles.length + 2}`)
    const here = await shown(async sql => db.query(sql))
    // Those of a series have its texts.
    expect(here).toEqual(
      (await shown(calendar.rows)).map(row => ({
        ...row,
        description: row.description ?? '',
        excerpt: row.excerpt ?? '',
      })),
    )
    expect(
      await db.query('SELECT name, address, city, country, geo_lat, geo_lng FROM venues'),
    ).toContainEqual({
      ...{
        name: '=Hall, 0',
        address: '-1 Street',
        city: 'Rome',
        country: 'Italy',
        geo_lat: -41.5,
        geo_lng: 12.25,
      },
    })
    expect(await db.query("SELECT email FROM organizers WHERE email <> ''")).toEqual([
      { email: 'ann@example.org' },
    ])
    // In the calendar that they are from, they are its own events.
    const home = await importInto(connectionTo(calendar.DB), itemsOf(text, { host: 'town.example' }))
    expect(countsOf(home)).toEqual([`event skipped ${titles.length + 2}`])
  })

  it('has the events of a filter', async () => {
    expect(parse(await csv('?featured=true'), { bom: true, delimiter: separator })).toHaveLength(2)
    expect((await calendar.ask(`${API}/events.csv?venue=999`)).status).toBe(400)
  })
})

it.each([' ', '  ', '\t'])('%j after a quotation mark is no text', async blank => {
  const { events } = await read(`Title,Date\n"Reading, with wine"${blank},2027-06-10\n`)
  expect(events.map(({ title }) => title)).toEqual(['Reading, with wine'])
})

it('headings with a separator too many keep their columns', async () => {
  const rows = 'Jazz;2027-06-10;19:30;Hall;London\nBlues;2027-06-11;20:00;Mill;London\n'
  const { events } = await read(`Title;Date;Time;;Place;City\n${rows}`)
  expect(events).toEqual((await read(`Title;Date;Time;Place;City\n${rows}`)).events)
  // A column without a name has cells of its own.
  const own = rows.replaceAll(';Hall', ';x;Hall').replaceAll(';Mill', ';y;Mill')
  expect((await read(`Title;Date;Time;;Place;City\n${own}`)).events).toEqual(events)
})
