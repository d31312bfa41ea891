import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exportCalendar } from '../../../../src/commands/backup/export.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { type Calendar, restoreInto } from '../../../commands/backup/rich.ts'
import { makeDatabase, makeFolder, makeStore, NOW } from '../../../readers/database.ts'

it('a restored calendar has registrations that are closed, with what events said before', async () => {
  const from: Calendar = await makeDatabase()
  const to: Calendar = await makeDatabase()
  const former = JSON.stringify({ ticketed: true, ticket_availability: 'few' })
  await from.query(
    `INSERT INTO registrations (event_id, places, question, opens_days, opens_time, taken, tickets, former, api)
      VALUES (7, 8, 'Meat?', 3, '09:00:00', 8, 'sold_out', ?, 'https://town.example/calendar/events/v1')`,
    former,
  )
  const folder = join(makeFolder(), 'out')
  await exportCalendar(new Database(from.d1), { folder, store: makeStore(), now: NOW, progress: () => {} })
  await restoreInto(to, folder)
  expect(await to.query('SELECT * FROM registrations')).toMatchObject([
    { event_id: 7, places: 8, question: 'Meat?', opens_days: 3, opens_time: '09:00:00', closed: 1, former },
  ])
  expect(await to.query('SELECT taken, tickets FROM registrations')).toEqual([{ taken: 0, tickets: '' }])
  await from.close()
  await to.close()
})
