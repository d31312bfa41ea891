import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addressItems } from '../../src/intake/readers/addresses.ts'
import { NODE_TRANSPORT } from '../../src/intake/readers/node-transport.ts'
import { beginAtNoon } from '../clock.ts'
import type { Connection } from '../connection.ts'
import {
  CONTEXT,
  empty,
  exportTo,
  importInto,
  makeDatabase,
  makeDatabases,
  makeFolder,
  restoreInto,
  WINDOW,
} from './database.ts'
import { serveWorker, workerOver } from './worker.ts'

// A series that was divided (`scope: following`) is two of one slug: their occurrences have pages below the same address.

type Database = Awaited<ReturnType<typeof makeDatabases>>[number]

let from: Database
let to: Database
const folder = makeFolder()

const yoga = {
  title: 'Yoga',
  start_date: '2027-01-05 20:00:00',
  end_date: '2027-01-05 21:00:00',
  recurrence: 'FREQ=WEEKLY;COUNT=4',
}

beginAtNoon()
beforeAll(async () => {
  const [first, second] = await makeDatabases()
  from = first
  to = second
  const send = await workerOver(from)
  await send('POST', 'events', yoga)
  const third = 'events/by-slug/yoga-2027-01-19'
  const { status } = await send('PATCH', third, { title: 'Yoga outdoors', scope: 'following' })
  if (status !== 200) throw new Error(`${status}`)
})
afterEach(() => empty(to))
afterAll(async () => {
  await from.close()
})

const slugs = async (db: Connection) => ({
  series: await db.query('SELECT title, slug FROM series ORDER BY title'),
  events: await db.query('SELECT title, slug FROM events ORDER BY start_date'),
})

describe('a series in two parts', () => {
  it('has one slug', async () => {
    expect((await slugs(from)).series).toEqual([
      { title: 'Yoga', slug: 'yoga' },
      { title: 'Yoga outdoors', slug: 'yoga' },
    ])
  })

  it('keeps it in a backup', async () => {
    const out = join(folder, 'out')
    await exportTo(from, out)
    const restored = await makeDatabase()
    await restoreInto(restored, out)
    expect(await slugs(restored)).toEqual(await slugs(from))
  })

  it('keeps it when a site is imported, but where another has it', async () => {
    const source = await serveWorker(from)
    const retry = { pauseMs: 0, attempts: 1, transport: NODE_TRANSPORT }
    const importSite = () =>
      importInto(
        to,
        addressItems(source.address, { window: WINDOW, client: retry, namespace: undefined }, CONTEXT),
      )
    try {
      expect((await importSite()).reasons).toEqual([])
      expect(await slugs(to)).toEqual(await slugs(from))
      await empty(to)
      const send = await workerOver(to)
      await send('POST', 'events', { ...yoga, title: 'Here', slug: 'yoga' })
      await importSite()
      expect((await slugs(to)).series).toEqual([
        { title: 'Here', slug: 'yoga' },
        { title: 'Yoga', slug: 'yoga-2' },
        { title: 'Yoga outdoors', slug: 'yoga-3' },
      ])
    } finally {
      await source.close()
    }
  })
})
