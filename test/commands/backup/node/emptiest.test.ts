import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileItems } from '../../../../src/readers/files.ts'
import { beginAtNoon } from '../../../clock.ts'
import {
  CONTEXT,
  contentsOf,
  exportTo,
  importInto,
  makeDatabases,
  makeFolder,
  restoreInto,
  WINDOW,
} from '../../../readers/database.ts'

beginAtNoon()
const folder = makeFolder()

const ICS = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:x
BEGIN:VEVENT
UID:single@x.example
DTSTART:20270610T200000Z
END:VEVENT
BEGIN:VEVENT
UID:series@x.example
DTSTART:20270611T200000Z
RRULE:FREQ=WEEKLY;COUNT=3
END:VEVENT
END:VCALENDAR
`

const JSON_EVENTS = {
  events: [
    {
      id: 1,
      start_date: '2027-06-10 20:00:00',
      url: 'https://y.example/event/1/',
      rest_url: 'https://y.example/wp-json/tribe/events/v1/events/1',
      venue: { id: 2 },
      organizer: [{ id: 3 }],
      categories: [{ id: 4, name: 'Music', description: 'x'.repeat(6_000) }],
    },
  ],
  rest_url: 'https://y.example/wp-json/tribe/events/v1/events',
  total: 1,
  total_pages: 1,
}

it('a backup with the emptiest rows that imports write is restored as it was', async () => {
  const files = join(folder, 'files')
  await mkdir(files)
  await writeFile(join(files, 'a.ics'), ICS.replaceAll('\n', '\r\n'))
  await writeFile(join(files, 'b.json'), JSON.stringify(JSON_EVENTS))
  const [from, to] = await makeDatabases()
  await importInto(from, fileItems([files], WINDOW, CONTEXT))
  const empty = await from.query(`SELECT (SELECT count(*) FROM events WHERE title = '') AS events,
    (SELECT count(*) FROM series WHERE title = '') AS series, (SELECT count(*) FROM venues WHERE name = '') AS venues,
    (SELECT count(*) FROM organizers WHERE name = '') AS organizers`)
  expect(empty).toEqual([{ events: 5, series: 1, venues: 1, organizers: 1 }])
  await exportTo(from, join(folder, 'backup'))
  await restoreInto(to, join(folder, 'backup'))
  expect(await contentsOf(to)).toEqual(await contentsOf(from))
  await from.close()
  await to.close()
})
