import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkFiles, readManifest } from '../../../src/backup/manifest.ts'
import { beginAtNoon } from '../../clock.ts'
import { findDriftIn } from '../../derived/values.ts'
import { makeDatabase } from '../../intake/database.ts'
import { addPasswords, makeStore, restoreInto, send } from '../rich.ts'

// A backup that an earlier version has made of the calendar of test/backup/rich.ts. Every later version restores it.

const KEPT = join(import.meta.dirname, '../version-5')

beginAtNoon()

it('a backup of an earlier version is restored', async () => {
  const manifest = await readManifest(KEPT)
  await checkFiles(KEPT, manifest)
  const db = await makeDatabase()
  const store = makeStore()
  await restoreInto(db, KEPT, { store })
  await addPasswords(db)
  expect(store.files.size).toBe(6)
  expect(await findDriftIn(db.d1)).toEqual([])
  const read = async (path: string, as?: string) =>
    JSON.parse(await (await send(db, 'GET', path, as === undefined ? {} : { as })).text())
  const all = 'start_date=2020-01-01&end_date=2095-01-01&per_page=100'
  const everything = `${all}&status=publish,draft,pending,private,future,trash`
  const titles = async (query: string, as?: string) =>
    (await read(`events?${query}`, as)).events.map(({ title }: { title: string }) => title)
  expect((await read(`events?${everything}`, 'editor')).total).toBe(manifest.tables.events?.rows)
  expect(await titles(`${all}&search=grass`)).toEqual(['Yoga outdoors'])
  expect(await titles(`${all}&search=mat`)).toEqual(['Yoga', 'Yoga', 'Yoga'])
  expect(await titles(`${all}&categories=arts`)).toEqual(['Rock & Roll &lt;3 – café'])
  expect(await titles(`${all}&source=1`)).toEqual(['Choir', 'Brass band', 'Open air cinema'])
  expect(await read('events/1')).toMatchObject({
    ...{ image: { url: `https://town.example/media/${[...store.files.keys()][0]}` }, featured: true },
    ...{
      venue: { venue: 'The Barn', geo_lat: 51.5 },
      organizer: [{ organizer: 'Others' }, { organizer: 'The Guild' }],
    },
  })
  const led = await send(db, 'GET', 'venues/2')
  expect([led.status, led.headers.get('location')]).toEqual([301, expect.stringMatching(/\/venues\/1$/)])
  expect(await read('series/1')).toMatchObject({
    recurrence: { exdate: expect.arrayContaining(['2027-02-02 20:00:00']) },
  })
  for (const [path, total] of [
    ['webhooks', 2],
    ['submissions', 2],
    ['sources', 1],
    ['duplicates', 2],
  ] as const)
    expect((await read(path, 'administrator')).total, path).toBe(total)
})
