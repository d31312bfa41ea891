import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { forgetValues, oldUndoRemovalStatement } from '../../../src/kit/db/audit.ts'
import { Database } from '../../../src/kit/db/database.ts'
import {
  declareUser,
  makeCategory,
  makeDatabaseAnew,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  query,
  send,
} from '../../factories.ts'

const editor = declareUser('editor')

type Entry = { id: number; action: string; kind: string; object_id: number; changed: string | null }

const entries = async (condition = '1'): Promise<Entry[]> =>
  await query<Entry>(`SELECT * FROM audit WHERE ${condition} ORDER BY id`)

const latest = async (kind: string): Promise<Record<string, [unknown, unknown]>> => {
  const found = (await entries(`kind = '${kind}'`)).at(-1)
  return JSON.parse(found?.changed ?? 'null')
}

const patch = async (path: string, fields: object) => {
  const { status, body } = await send('PATCH', path, { as: editor, json: fields })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

describe('a change is kept with its values', () => {
  it('of an event: those that differ, under the names of the API, along with derived ones', async () => {
    const hall = await makeVenue(editor, 'Hall')
    const barn = await makeVenue(editor, 'Barn')
    const event = await makeEvent(editor, { title: 'Jazz', cost: '$5', venue: hall.id, tags: ['free'] })
    expect((await entries(`kind = 'event'`)).at(-1)?.changed).toBeNull()
    const [tag] = event.tags
    await patch(`/events/${event.id}`, {
      title: 'Jazz night',
      cost: '$5',
      all_day: true,
      featured: true,
      venue: [barn.id, { venue: 'New yard' }],
      tags: ['Free', 'new'],
      image: 'https://img.example/a.png',
      custom_fields: { door: { label: 'Doors', value: '7' } },
      slug: 'jazz-night',
      post_parent: 0,
    })
    const [yard] = (await send('GET', '/venues?search=yard')).body.venues
    const fresh = (await send('GET', '/tags?slug=new')).body.tags[0]
    const { image } = (await send('GET', `/events/${event.id}`)).body
    expect(await latest('event')).toEqual({
      title: ['Jazz', 'Jazz night'],
      all_day: [false, true],
      start_date: [event.start_date, '2027-01-10 00:00:00'],
      end_date: [event.end_date, '2027-01-10 23:59:59'],
      featured: [false, true],
      venue: [[hall.id], [barn.id, yard.id]],
      tags: [[tag.id], [tag.id, fresh.id]],
      image: [0, image.id],
      custom_fields: [{}, { door: { label: 'Doors', value: '7' } }],
      slug: ['jazz', 'jazz-night'],
    })
    // Values that are sent back unchanged change nothing, and leave no entry.
    const before = await entries()
    await patch(`/events/${event.id}`, { title: 'Jazz night', venue: [barn.id, yard.id], image: image.id })
    expect(await entries()).toEqual(before)
    await send('DELETE', `/events/${event.id}`, { as: editor })
    expect(await latest('event')).toEqual({ status: ['publish', 'trash'] })
    await patch(`/events/${event.id}`, { status: 'publish' })
    expect(await latest('event')).toEqual({ status: ['trash', 'publish'] })
    await send('DELETE', `/events/${event.id}?force=true`, { as: editor })
    expect(await latest('event')).toEqual({ title: ['Jazz night', null] })
  })

  it('of venues, organizers, terms', async () => {
    const venue = await makeVenue(editor, 'Old hall', { geo_lat: 1, geo_lng: 2 })
    await patch(`/venues/${venue.id}`, { venue: 'Great hall', city: 'Rome', geo_lat: '', geo_lng: '' })
    expect(await latest('venue')).toEqual({
      venue: ['Old hall', 'Great hall'],
      city: ['', 'Rome'],
      geo_lat: [1, ''],
      geo_lng: [2, ''],
    })
    const organizer = await makeOrganizer(editor, 'Choir')
    await patch(`/organizers/${organizer.id}`, { email: 'a@example.org', status: 'draft' })
    expect(await latest('organizer')).toEqual({ email: ['', 'a@example.org'], status: ['publish', 'draft'] })
    const above = await makeCategory(editor, 'Music')
    const category = await makeCategory(editor, 'Jazz')
    await patch(`/categories/${category.id}`, { name: 'Jazz & more', parent: above.id, slug: 'music' })
    expect(await latest('category')).toEqual({
      name: ['Jazz', 'Jazz & more'],
      parent: [0, above.id],
      slug: ['jazz', 'music-music'],
    })
    const tag = await makeTag(editor, 'open')
    await send('DELETE', `/tags/${tag.id}`, { as: editor })
    expect(await latest('tag')).toEqual({ name: ['open', null] })
  })

  it('of a series once, however many dates it has', async () => {
    const event = await makeEvent(editor, { title: 'Class', recurrence: 'FREQ=DAILY;COUNT=40' })
    const before = (await entries()).length
    await patch(`/events/${event.id}`, {
      scope: 'all',
      title: 'Course',
      start_date: '2027-01-10 11:00:00',
      recurrence: 'FREQ=DAILY;COUNT=30',
      venue: { venue: 'School' },
    })
    const [, ...more] = (await entries()).slice(before).filter(({ kind }) => kind !== 'venue')
    expect(more).toEqual([])
    const [venue] = (await send('GET', '/venues?search=school')).body.venues
    const rule = (rrule: string) => ({ rrule, rdate: [], exdate: [] })
    expect(await latest('series')).toEqual({
      title: ['Class', 'Course'],
      start_date: ['2027-01-10 10:00:00', '2027-01-10 11:00:00'],
      venue: [[], [venue.id]],
      recurrence: [rule('FREQ=DAILY;COUNT=40'), rule('FREQ=DAILY;COUNT=30')],
      dates: [null, { made: 0, moved: 30, dropped: 10, back: 0 }],
    })
    const { body } = await send('GET', `/events?series=${event.series.id}&per_page=3`)
    await patch(`/events/${body.events[2].id}`, { scope: 'following', cost: '7' })
    const [following] = (await entries(`kind = 'series' AND action = 'update'`)).slice(-1)
    expect(JSON.parse(following?.changed ?? '')).toMatchObject({ cost: ['', '7'] })
  })

  it('with digests of long texts, which show whether they are the same', async () => {
    const long = `<p>${'word '.repeat(2_000)}</p>`
    const event = await makeEvent(editor, { description: long })
    await patch(`/events/${event.id}`, { description: 'Short' })
    const [first] = (await latest('event')).description ?? []
    expect(first).toMatchObject({
      digest: expect.stringMatching(/^[\da-f]{64}$/),
      length: expect.any(Number),
    })
    await patch(`/events/${event.id}`, { description: long })
    expect((await latest('event')).description?.[1]).toEqual(first)
    expect(JSON.stringify(await latest('event')).length).toBeLessThan(1_000)
  })
})

it('values are deleted after 400 days, some at a time, and the entries stay', async () => {
  await makeDatabaseAnew()
  await query(`INSERT INTO audit (at_utc, action, kind, object_id, changed)
      SELECT CASE WHEN value <= 700 THEN '2025-01-01 00:00:00' ELSE '2026-01-01 00:00:00' END,
        'update', 'event', value, iif(value % 2, '{}', NULL)
      FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 800) SELECT value FROM n)`)
  const now = Date.parse('2026-11-20T12:00:00Z')
  const left = async () => (await entries('changed IS NOT NULL')).length
  const run = async () => {
    const db = new Database(env.DB)
    await forgetValues(db, now)
    return db.metrics.rowsRead
  }
  await run()
  expect(await left()).toBe(150)
  await run()
  expect(await left()).toBe(50)
  expect((await entries()).length).toBe(800)
  expect(await run()).toBeLessThan(6)
})

it('how to undo a change is deleted after an hour', async () => {
  await makeDatabaseAnew()
  await query(
    `INSERT INTO undo_requests (audit_id, at_utc, request) VALUES (1, '2026-11-20 10:59:59', '{}'), (2, '2026-11-20 11:00:01', '{}')`,
  )
  await new Database(env.DB).write([oldUndoRemovalStatement(Date.parse('2026-11-20T12:00:00Z'))])
  expect(await query('SELECT audit_id FROM undo_requests')).toEqual([{ audit_id: 2 }])
})
