import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Groups, Regrouping, selectGroups } from '../../../src/calendar/duplicates/groups.ts'
import { DUPLICATES_REQUEST } from '../../../src/calendar/duplicates/writes.ts'
import { eventUid, seriesUid } from '../../../src/calendar/events/ical/vevent.ts'
import { MAX_LEVELS } from '../../../src/calendar/terms/resource.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { inList } from '../../../src/kit/db/query.ts'
import { isOwnUid } from '../../../src/kit/lib/ical/lines.ts'
import { STATUSES, statusToStore } from '../../../src/kit/lib/statuses.ts'
import { findAllDuplicates, hiddenBehind, makeSourced } from '../../calendar/imports/duplicates.ts'
import {
  makeCategory,
  makeDatabaseAnew,
  makeEvent,
  makeSource,
  makeUser,
  query,
  send,
} from '../../factories.ts'

// Triggers that decide something, each compared with the code that makes the same decision.

let as: string
beforeEach(async () => {
  await makeDatabaseAnew()
  as = await makeUser('editor', 'editor')
})

describe('duplicates', () => {
  const fields = {
    title: 'Jazz of the harbour with the Quay Sisters',
    start_date: '2027-03-01 20:00:00',
    end_date: '2027-03-01 22:00:00',
    // Events at a venue of which only the name is known are never joined without asking.
    venue: { venue: 'Hall', city: 'Kent' },
  }

  it.each([
    ['is a draft', (id: number) => send('PATCH', `/events/${id}`, { as, json: { status: 'draft' } })],
    ['is hidden', (id: number) => send('PATCH', `/events/${id}`, { as, json: { hide_from_listings: true } })],
    ['is deleted', (id: number) => send('DELETE', `/events/${id}?force=true`, { as })],
  ])('show the next of their rank when the one that was shown %s', async (_, hide) => {
    for (const name of ['Oldest', 'Older', 'Newer', 'Newest']) await makeSource(name)
    const shown = Number((await makeEvent(as, fields)).id)
    const others: number[] = []
    for (const name of ['Newest', 'Older', 'Oldest', 'Newer'])
      others.push(await makeSourced(as, name, fields))
    await findAllDuplicates()
    expect(await hiddenBehind(...others)).toEqual(others.map(() => shown))
    await send('PATCH', `/events/${others[2]}`, { as, json: { status: 'draft' } })
    await query('DELETE FROM audit')
    // Each event that is shown is hidden in turn, until none is left to show.
    for (let now: number | undefined = shown; now !== undefined; ) {
      const { members, pairs }: Groups = await new Database(env.DB).read(selectGroups(inList([now])))
      await hide(now)
      members.delete(now)
      const targets = new Regrouping({ members, pairs }).targets()
      expect(await hiddenBehind(...targets.keys())).toEqual([...targets.values()].map(target => target ?? 0))
      now = [...members.values()].find(({ id, isPublic }) => isPublic && targets.get(id) === null)?.id
    }
  })

  it('get the same entries in the audit as by the cron', async () => {
    const shown = Number((await makeEvent(as, fields)).id)
    for (const name of ['Theatre', 'Church']) await makeSourced(as, name, fields)
    const entries = () =>
      query(
        `SELECT DISTINCT request_id, user_id, action, kind, fields FROM audit WHERE fields = '["duplicate_of"]'`,
      )
    await findAllDuplicates()
    const ofCron = await entries()
    expect(ofCron).toMatchObject([{ request_id: DUPLICATES_REQUEST }])
    await query('DELETE FROM audit')
    await send('PATCH', `/events/${shown}`, { as, json: { status: 'draft' } })
    expect(await entries()).toEqual(ofCron)
    await query('DELETE FROM audit')
    const [next] = await query('SELECT duplicate_of AS id FROM events WHERE duplicate_of IS NOT NULL')
    await send('DELETE', `/events/${next?.id}?force=true`, { as })
    expect(await entries()).toEqual(ofCron)
  })
})

it('the first source begins the search for duplicates after the existing events', async () => {
  const place = () => query('SELECT n, id FROM twins_place')
  const add = (n: number) =>
    send('POST', '/sources', {
      as: admin,
      json: { name: `Site ${n}`, url: `https://site${n}.example/feed.ics`, kind: 'ical', every: 'day' },
    })
  const admin = await makeUser('ada', 'administrator')
  await makeEvent(as)
  expect(await place()).toEqual([{ n: 1, id: 0 }])
  expect((await add(1)).status).toBe(201)
  const [latest] = await query('SELECT max(change_number) + 1 AS n FROM changes')
  expect(await place()).toEqual([{ n: latest?.n, id: 0 }])
  await makeEvent(as)
  await add(2)
  expect(await place()).toEqual([{ n: latest?.n, id: 0 }])
})

describe('UIDs', () => {
  const context = { host: 'calendar.example' }
  const first = 2
  const last = 9
  const texts = [...Array(last - first)].flatMap((_, i) =>
    ['event', 'series'].flatMap(kind =>
      ['', context.host, 'elsewhere.example'].map(host => `${kind}-${first + i}@${host}`),
    ),
  )
  const row = fc.record({
    table: fc.constantFrom('events', 'series'),
    external: fc.constantFrom('', '', 'a@elsewhere.example', 'b', 'b@', ...texts),
  })
  const all = async () => {
    const [events, series] = [
      await query('SELECT id, uid, external_id FROM events WHERE series_id IS NULL'),
      await query('SELECT id, uid, external_id FROM series'),
    ].map(found =>
      found.map(one => ({ id: Number(one.id), uid: String(one.uid), external: one.external_id })),
    )
    return new Map([
      ...(events ?? []).map(one => [`event ${one.id}`, { ...one, uid: eventUid(one, context) }] as const),
      ...(series ?? []).map(one => [`series ${one.id}`, { ...one, uid: seriesUid(one, context) }] as const),
    ])
  }

  it('are never those of another row, never change, and are external ids if possible', async () => {
    await makeEvent(as)
    await makeEvent(as, { recurrence: 'FREQ=DAILY;COUNT=2' })
    await query('DELETE FROM events WHERE series_id IS NOT NULL')
    const copy = async (table: string, external: string) => {
      const columns = await query(
        `SELECT name FROM pragma_table_info(?) WHERE name NOT IN ('id', 'uid', 'slug', 'external_id')`,
        table,
      )
      const names = columns.map(({ name }) => name).join(', ')
      await query(
        `INSERT INTO ${table} (slug, external_id, ${names})
          SELECT 'copy-' || (SELECT max(id) FROM ${table}), ?, ${names} FROM ${table} ORDER BY id LIMIT 1`,
        external,
      )
    }
    const sample = fc.uniqueArray(row, {
      minLength: 12,
      maxLength: 12,
      selector: ({ table, external }) => (external === '' ? Symbol() : `${table} ${external}`),
    })
    for (const made of fc.sample(sample, { numRuns: 12, seed: 5 })) {
      await query('DELETE FROM events WHERE id > 1')
      await query('DELETE FROM series WHERE id > 1')
      await query(`DELETE FROM sqlite_sequence`)
      let before = await all()
      for (const { table, external } of made) {
        await copy(table, external)
        const after = await all()
        const uids = [...after.values()].map(({ uid }) => uid)
        expect(new Set(uids).size, JSON.stringify([...after])).toBe(uids.length)
        for (const [key, { uid }] of before) expect(after.get(key)?.uid).toBe(uid)
        const isFree =
          !/^$|@$/.test(external) &&
          !isOwnUid(external, context.host) &&
          ![...before.values()].some(({ uid }) => uid === external)
        if (isFree) expect(uids).toContain(external)
        before = after
      }
    }
  })
})

it('a review note is deleted with each status that requires the right to publish', async () => {
  const now = '2027-01-01 00:00:00'
  for (const status of STATUSES) {
    const caller = { id: 7, role: 'contributor' as const }
    const takesRight = statusToStore(status, '2027-02-01 00:00:00', now, caller) !== status
    const { id, series } = await makeEvent(as, { status: 'draft', recurrence: 'FREQ=DAILY;COUNT=2' })
    for (const [kind, table, of] of [
      ['event', 'events', id],
      ['series', 'series', series.id],
    ]) {
      await query(
        `INSERT INTO review_notes (kind, object_id, note, user_id, at_utc) VALUES (?, ?, 'When does it end?', 1, ?)`,
        kind,
        of,
        now,
      )
      await query(`UPDATE ${table} SET status = ? WHERE id = ?`, status, of)
      const left = await query('SELECT 1 FROM review_notes WHERE kind = ? AND object_id = ?', kind, of)
      expect(left.length, `${kind} ${status}`).toBe(takesRight ? 0 : 1)
    }
  }
})

it('a review note is deleted along with its event or series', async () => {
  const { id, series } = await makeEvent(as, { status: 'draft', recurrence: 'FREQ=DAILY;COUNT=2' })
  await query(
    `INSERT INTO review_notes (kind, object_id, note, user_id, at_utc) VALUES ('event', ?1, 'When?', 1, ?3), ('series', ?2, 'When?', 1, ?3)`,
    ...[id, series.id, '2027-01-01 00:00:00'],
  )
  await send('DELETE', `/events/${id}?force=true&scope=all`, { as })
  expect(await query('SELECT * FROM review_notes')).toEqual([])
})

it('categories have as many levels as the API allows', async () => {
  let parent = 0
  for (let level = 1; level < MAX_LEVELS; level++)
    parent = Number((await makeCategory(as, `Level ${level}`, { parent })).id)
  const add = (slug: string) =>
    query(
      `INSERT INTO terms (taxonomy, slug, name, name_key, sort_name, path, parent)
        SELECT taxonomy, ?1, ?1, ?1, ?1, ?1, (SELECT max(id) FROM terms) FROM terms WHERE id = ?2`,
      slug,
      parent,
    )
  await add('lowest')
  await expect(add('too-low')).rejects.toThrow('category too deep')
})
