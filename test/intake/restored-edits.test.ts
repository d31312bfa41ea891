import { join } from 'node:path'
import { expect, it } from 'vitest'
import { beginAtNoon } from '../clock.ts'
import { exportTo, importInto, makeDatabases, makeFolder, restoreInto } from './database.ts'
import { calendar, itemsOf } from './ics-calendar.ts'
import { workerOver } from './worker.ts'

const folder = makeFolder()

beginAtNoon()

/** A weekly series of a calendar file. */
const yoga = (title: string, hour: number) => {
  const times = [`DTSTART:20270301T${hour}0000Z`, `DTEND:20270301T210000Z`]
  return itemsOf(calendar([['UID:yoga', ...times, 'RRULE:FREQ=WEEKLY;COUNT=2', `SUMMARY:${title}`]]))
}

it('edits from before a backup was restored stay, whatever else the source changes', async () => {
  const [from, to] = await makeDatabases()
  const send = await workerOver(from)
  await importInto(from, yoga('Yoga', 19))
  expect((await send('PATCH', 'events/by-slug/yoga-2027-03-01', { title: 'Ours' })).status).toBe(200)
  await exportTo(from, join(folder, 'out'))
  await restoreInto(to, join(folder, 'out'))
  for (const title of ['Yoga', 'Pilates', 'Dance']) {
    await importInto(to, yoga(title, 18))
    expect(await to.query('SELECT title, start_date FROM events ORDER BY start_date')).toEqual([
      { title: 'Ours', start_date: '2027-03-01 18:00:00' },
      { title, start_date: '2027-03-08 18:00:00' },
    ])
  }
  await from.close()
})
