import { beforeEach, describe, expect, it, vi } from 'vitest'
import { declareUser, query } from '../../factories.ts'
import { openInbox } from './mail.ts'

declareUser('administrator')
// Each test has a day of its own, so that limits count nothing of the others.
let day = 0
beforeEach(() => vi.setSystemTime(Date.UTC(2027, 0, ++day, 10)))

const tableOf = (rows: readonly (readonly string[])[], heading: string): string =>
  `<table>${rows
    .map((cells, i) => {
      const name = i === 0 ? heading : 'td'
      return `<tr>\n${cells.map(cell => `  <${name}>${cell}</${name}>\n`).join('')}</tr>\n`
    })
    .join('')}</table>`

/** The events of an e-mail: start, end, title, and venue of each. */
async function sendAndListEvents(subject: string, html: string): Promise<string[]> {
  const [last] = await query('SELECT max(id) AS id FROM events')
  expect(await openInbox().send({ subject, html })).toBe('taken')
  const rows = await query(
    `SELECT e.start_date, e.end_date, e.title, v.name AS venue FROM events e
      LEFT JOIN event_venues l ON l.event_id = e.id LEFT JOIN venues v ON v.id = l.target_id
      WHERE e.id > ${Number(last?.id ?? 0)} ORDER BY e.start_date`,
  )
  return rows.map(({ start_date: start, end_date: end, title, venue }) =>
    [String(start).slice(0, 16), String(end).slice(11, 16), title, venue].join(' | '),
  )
}

describe('a table in the HTML of an e-mail', () => {
  it.each(['th', 'td'])('has the cells of its columns, below headings in %s', async heading => {
    const rows = [
      ['Datum', 'Beginn', 'Ende', 'Titel', 'Ort'],
      ['16.04.2027', '19:30', '21:30', `Frühjahrskonzert ${heading}`, 'Stadthalle'],
      ['17.04.2027', '20:00', '01:00', `Tanznacht ${heading}`, 'Clubhaus Süd'],
      ['', '21:00', '', `Kellerbar ${heading}`, 'Keller West'],
    ]
    expect(await sendAndListEvents(`Programm ${heading}`, `<p>Hallo</p>${tableOf(rows, heading)}`)).toEqual([
      `2027-04-16 19:30 | 21:30 | Frühjahrskonzert ${heading} | Stadthalle`,
      `2027-04-17 20:00 | 01:00 | Tanznacht ${heading} | Clubhaus Süd`,
      `2027-04-17 21:00 | 21:00 | Kellerbar ${heading} | Keller West`,
    ])
  })

  it('has a paragraph in each cell, as word processors write it', async () => {
    const rows = [
      ['Termin', 'Gremium', 'Raum'],
      ['Di, 02.03.2027, 16:00&nbsp;Uhr', 'Bauausschuss', 'Sitzungssaal'],
      ['Do, 11.03.2027, 17:30&nbsp;Uhr', 'Kulturausschuss', 'Altes Rathaus'],
    ].map(cells => cells.map(cell => `<p class="MsoNormal"><b>${cell}</b><o:p></o:p></p>`))
    const found = await sendAndListEvents('Sitzungen', `<p>Hallo</p>${tableOf(rows, 'td')}<p>Gruß</p>`)
    expect(found.map(event => event.split(' | ').slice(0, 3))).toEqual([
      ['2027-03-02 16:00', '16:00', 'Bauausschuss'],
      ['2027-03-11 17:30', '17:30', 'Kulturausschuss'],
    ])
  })

  it('keeps the articles of a newsletter in two columns apart', async () => {
    const article = (title: string, when: string) =>
      `<td><p>${title}</p><p>${when}, Village Hall. ${'All are welcome to come and listen. '.repeat(4)}</p></td>`
    const html = `<table><tr>${article('Harvest supper', 'Sat 5 June 2027, 7pm')}${article('Choir concert', 'Sat 12 June 2027, 7.30pm')}</tr></table>`
    expect((await sendAndListEvents('News', html)).map(event => event.split(' | ')[0])).toEqual([
      '2027-06-05 19:00',
      '2027-06-12 19:30',
    ])
  })

  it('may be the layout of a newsletter', async () => {
    const html = `<table role="presentation"><tr><td>&nbsp;</td><td></td></tr><tr><td></td><td><h2>Harvest concert</h2></td></tr><tr><td> </td><td>Sat 24 April 2027, 7.30pm<br>Village Hall</td><td></td></tr></table>`
    expect(await sendAndListEvents('News of the choir', html)).toEqual([
      '2027-04-24 19:30 | 19:30 | Harvest concert | Village Hall',
    ])
  })

  it('tells in each event what its row says, and to reviewers which rows have no day', async () => {
    const rows = [
      ['Datum', 'Beginn', 'Titel', 'Raum', 'Bemerkung'],
      ['18.04.2027', '20:00', 'Weinprobe', 'Keller', 'Ab 18 Jahren'],
      ['31.06.2027', '20:00', 'Sommerabend', 'Hof', 'mit Grill'],
      ['offen', '20:00', 'Herbstball', 'Saal', ''],
    ]
    await sendAndListEvents('Termine im Frühling', tableOf(rows, 'th'))
    const [event] = await query(
      'SELECT title, description, received FROM submissions JOIN events ON events.id = event_id ORDER BY submissions.id DESC LIMIT 1',
    )
    expect(event?.title).toBe('Weinprobe')
    expect(event?.description).toMatch(/Raum: Keller.*Bemerkung: Ab 18 Jahren/s)
    expect(event?.description).not.toMatch(/Sommerabend|Grill|Herbstball/)
    expect(String(event?.received).split('\n')[1]).toBe(
      'Rows of the table were left out, because they have no day that can be read: 31.06.2027 20:00 Sommerabend Hof mit Grill · offen 20:00 Herbstball Saal',
    )
  })
})
