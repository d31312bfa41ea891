import { type SQL, sql } from 'drizzle-orm'
import { integer, sqliteTable, unique } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Dependent } from '../../../src/calendar/content/dependents.ts'
import { FEATURES } from '../../../src/features.ts'
import { startFeatures } from '../../../src/kit/lib/started-features.ts'
import {
  declareUser,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  query,
  send,
} from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'

// What becomes of the rows of a feature, made up here: people are fans of content, and of nothing twice.

const editor = declareUser('editor')

const fans = sqliteTable(
  'fans',
  {
    person: integer().notNull(),
    event_id: integer(),
    series_id: integer(),
    venue_id: integer(),
    organizer_id: integer(),
    category_id: integer(),
    tag_id: integer(),
  },
  t => [unique().on(t.person, t.venue_id)],
)

const KINDS = ['venue', 'organizer', 'category', 'tag'] as const
const columnOf = (kind: keyof Dependent) => sql.identifier(`${kind}_id`)
const deleted = (kind: keyof Dependent) => (ids: SQL) => [
  sql`DELETE FROM fans WHERE ${columnOf(kind)} IN ${ids}`,
]
const copied =
  (kind: 'event' | 'series') =>
  ({ from, to }: { from: SQL; to: SQL }) => [
    sql`INSERT INTO fans (person, ${columnOf(kind)}) SELECT person, ${to} FROM fans WHERE ${columnOf(kind)} = ${from}`,
  ]
const protectedSql = (kind: 'event' | 'series') => (id: SQL) =>
  sql`EXISTS (SELECT 1 FROM fans WHERE ${columnOf(kind)} = ${id} AND person > 100)`

const DEPENDENTS: Dependent = {
  event: {
    deletionStatements: deleted('event'),
    copyStatements: copied('event'),
    protectedSql: protectedSql('event'),
  },
  series: {
    deletionStatements: deleted('series'),
    copyStatements: copied('series'),
    protectedSql: protectedSql('series'),
  },
  ...Object.fromEntries(KINDS.map(kind => [kind, { deletionStatements: deleted(kind), merged: true }])),
}

beforeAll(async () => {
  await query(
    `CREATE TABLE fans (person, event_id, series_id, ${KINDS.map(kind => `${kind}_id`).join()}, UNIQUE (person, venue_id))`,
  )
  const references = Object.fromEntries(
    Object.entries(DEPENDENTS).map(([kind, own]) => [`${kind}_id`, { [kind]: own }]),
  )
  startFeatures([...FEATURES, { name: 'fans', tables: { fans }, references: { fans: references } }])
})
afterAll(async () => {
  await query('DROP TABLE fans')
  startFeatures(FEATURES)
})
beforeEach(() => query('DELETE FROM fans'))

const add = (kind: keyof Dependent, id: number, person = 1) =>
  query(`INSERT INTO fans (person, ${kind}_id) VALUES (${person}, ${id})`)
const fansOf = async (kind: keyof Dependent) =>
  (await query(`SELECT person, ${kind}_id AS id FROM fans ORDER BY person, id`)).map(({ person, id }) => [
    person,
    id,
  ])
const post = (path: string, json: object = {}) => send('POST', path, { as: editor, json })
const remove = (path: string) => send('DELETE', path, { as: editor })

describe('rows of features', () => {
  it.each([
    ['venues', 'venue', makeVenue],
    ['organizers', 'organizer', makeOrganizer],
    ['categories', 'category', makeCategory],
    ['tags', 'tag', makeTag],
  ] as const)(
    'follow %s that are merged, once, and go with those that are deleted',
    async (plural, kind, make) => {
      const from = await make(editor, `Former ${plural}`)
      const into = await make(editor, `Lasting ${plural}`)
      await add(kind, from.id)
      await add(kind, into.id, 2)
      if (kind === 'venue') for (const id of [from.id, into.id]) await add(kind, id, 3)
      expect((await post(`/${plural}/${from.id}/merge`, { into: into.id })).status).toBe(200)
      const both = [1, 2, ...(kind === 'venue' ? [3] : [])]
      expect(await fansOf(kind)).toEqual(both.map(person => [person, into.id]))
      // Which rows followed is not known any more.
      expect((await send('DELETE', `/${plural}/${from.id}/merge`, { as: editor })).status).toBe(404)
      expect((await remove(`/${plural}/${into.id}?force=true`)).status).toBe(200)
      expect(await fansOf(kind)).toEqual([])
    },
  )

  it('act on the copy of an event and of its parts, and on its end', async () => {
    const whole = await makeEvent(editor, { title: 'Fair' })
    const part = await makeEvent(editor, { title: 'Stall', post_parent: whole.id })
    await add('event', whole.id)
    await add('event', part.id, 2)
    const { status, body } = await post(`/events/${whole.id}/duplicate`)
    expect(status).toBe(201)
    expect(await fansOf('event')).toEqual([
      [1, whole.id],
      [1, body.id],
      [2, part.id],
      [2, body.id + 1],
    ])
    await remove(`/events/${whole.id}`)
    expect((await fansOf('event')).length).toBe(4)
    await remove(`/events/${whole.id}?force=true`)
    expect(await fansOf('event')).toEqual([
      [1, body.id],
      [2, part.id],
      [2, body.id + 1],
    ])
  })

  it('act on the rest of a series that is divided, and on the end of all dates', async () => {
    const first = await makeEvent(editor, { title: 'Choir', recurrence: 'FREQ=DAILY;COUNT=4' })
    const { id: series } = first.series
    await add('series', series)
    const dates = await query(`SELECT id FROM events WHERE series_id = ${series} ORDER BY occurrence_date`)
    const third = dates[2]?.id
    const divide = () =>
      send('PATCH', `/events/${third}`, { as: editor, json: { title: 'Choir, new', scope: 'following' } })
    await add('series', series, 101)
    expect((await divide()).body.code).toBe('rest_event_protected')
    await query('DELETE FROM fans WHERE person > 100')
    const { status, body } = await divide()
    expect(status).toBe(200)
    expect(await fansOf('series')).toEqual([
      [1, series],
      [1, body.series.id],
    ])
    await remove(`/events/${third}?force=true&scope=all`)
    expect(await fansOf('series')).toEqual([[1, series]])
  })

  it.each([
    ['divided', { title: 'Choir, new', scope: 'following' }],
    ['made endless', { recurrence: 'FREQ=DAILY', scope: 'all' }],
  ])('keep a series from being %s, even if they come meanwhile', async (_, json) => {
    const first = await makeEvent(editor, { title: 'Choir', recurrence: 'FREQ=DAILY;COUNT=4' })
    const { id: series } = first.series
    const ofSeries = `SELECT id, series_id, title FROM events WHERE series_id >= ${series} ORDER BY occurrence_date`
    const before = await query(ofSeries)
    const { DB } = faultyD1({ beforeWrite: () => add('series', series, 101) })
    const path = `/events/${before[2]?.id}`
    const { status, body } = await send('PATCH', path, { as: editor, json, bindings: { DB } })
    expect([status, body.code]).toEqual([409, 'rest_event_protected'])
    expect(await query(ofSeries)).toEqual(before)
  })

  it('keep two events apart that people depend on, and show the one of two that has some', async () => {
    const a = await makeEvent(editor, { title: 'Twin' })
    const b = await makeEvent(editor, { title: 'Twin' })
    await query(
      `INSERT INTO twins (first_id, second_id, state, likeness, at_utc) VALUES (${a.id}, ${b.id}, 'asked', 1, '')`,
    )
    const [pair] = await query('SELECT id FROM twins')
    const decide = () => post(`/duplicates/${pair?.id}`, { same: true })
    await add('event', a.id, 101)
    await add('event', b.id, 102)
    const { status, body } = await decide()
    expect([status, body.code]).toEqual([409, 'rest_event_protected'])
    const batch = await post('/batch', {
      validation: 'require-all-validate',
      requests: [
        { path: '/tags', body: { name: 'Twins' } },
        { path: `/duplicates/${pair?.id}`, body: { same: true } },
      ],
    })
    expect([batch.status, batch.headers.get('x-batch-failed')]).toEqual([207, 'validation'])
    expect(batch.body.responses).toMatchObject([
      null,
      { status: 409, body: { code: 'rest_event_protected' } },
    ])
    await query('DELETE FROM fans WHERE person = 101')
    expect((await decide()).status).toBe(200)
    expect(await query('SELECT id, duplicate_of FROM events WHERE title = ?', 'Twin')).toEqual([
      { id: a.id, duplicate_of: b.id },
      { id: b.id, duplicate_of: null },
    ])
  })
})
