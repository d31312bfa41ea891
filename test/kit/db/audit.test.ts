import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import worker from '../../../src/index.ts'
import { declareUser, query, queryValue, send } from '../../factories.ts'
import { faultyD1 } from '../http/faulty-d1.ts'

type Entry = {
  action: string
  kind: string
  object_id: number
  fields: string
  user_id: number
  request_id: string
}

const entries = (): Promise<Entry[]> => query<Entry>('SELECT * FROM audit ORDER BY id')

/** Action, kind, id and fields of each entry. */
const recorded = async () =>
  (await entries()).map(({ action, kind, object_id, fields }) => [
    action,
    kind,
    object_id,
    JSON.parse(fields),
  ])

const editor = declareUser('editor')
const contributor = declareUser('contributor')

beforeEach(async () => {
  await query('DELETE FROM audit')
})

const DATES = { start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' }

const make = async (plural: string, json: object): Promise<number> => {
  const { status, body } = await send('POST', `/${plural}`, { as: editor, json })
  expect(status, JSON.stringify(body)).toBe(201)
  return Number(body.id)
}

describe.each([
  ['event', 'events', { title: 'Ball', ...DATES }, { cost: '5', event_status: 'canceled' }],
  ['venue', 'venues', { venue: 'Hall', city: 'Rome' }, { city: 'Oslo' }],
  ['organizer', 'organizers', { organizer: 'Choir', email: 'choir@example.org' }, { phone: '1' }],
])('of an %s', (kind, plural, fields, changes) => {
  it('every change is recorded with user, time, object, request and names of fields', async () => {
    const id = await make(plural, fields)
    await send('PATCH', `/${plural}/${id}`, {
      as: editor,
      json: changes,
      headers: { 'x-request-id': 'patch-1' },
    })
    await send('DELETE', `/${plural}/${id}`, { as: editor })
    await send('DELETE', `/${plural}/${id}?force=true`, { as: editor })
    expect(await recorded()).toEqual([
      ['create', kind, id, expect.arrayContaining(Object.keys(fields))],
      ['update', kind, id, Object.keys(changes)],
      ['trash', kind, id, []],
      ['delete', kind, id, []],
    ])
    const [, update] = await entries()
    expect(update).toMatchObject({ user_id: 1, request_id: 'patch-1', at_utc: '2026-11-20 12:00:00' })
  })
})

it.each([
  ['category', 'categories'],
  ['tag', 'tags'],
])('every change of a %s is recorded', async (kind, plural) => {
  const id = await make(plural, { name: `Some ${kind}` })
  await send('PATCH', `/${plural}/${id}`, { as: editor, json: { description: 'New' } })
  await send('DELETE', `/${plural}/${id}`, { as: editor })
  expect(await recorded()).toEqual([
    ['create', kind, id, expect.arrayContaining(['name'])],
    ['update', kind, id, ['description']],
    ['delete', kind, id, []],
  ])
})

it('the content that an event creates is recorded, and the content that it only refers to is not', async () => {
  const fields = { venue: { venue: 'Barn' }, categories: ['Music'], tags: ['free'] }
  const first = await make('events', { title: 'One', ...DATES, ...fields })
  expect((await recorded()).map(([action, kind]) => [action, kind])).toEqual([
    ['create', 'category'],
    ['create', 'tag'],
    ['create', 'venue'],
    ['create', 'event'],
  ])
  const second = await make('events', { title: 'Two', ...DATES, ...fields })
  expect((await recorded()).slice(4).map(([action, kind, id]) => [action, kind, id])).toEqual([
    ['create', 'event', second],
  ])
  expect(second).toBeGreaterThan(first)
})

it('creating existing content, and refused writes, are not recorded', async () => {
  await make('venues', { venue: 'Church' })
  const known = (await recorded()).length
  await make('venues', { venue: 'Church' })
  await send('POST', '/venues', { as: contributor, json: { venue: 'Den', website: 'no address' } })
  await send('POST', '/tags', { as: contributor, json: { name: 'Mine' } })
  await send('PATCH', '/events/999', { as: editor, json: { title: 'Nothing' } })
  expect(await recorded()).toHaveLength(known)
})

describe('the cron', () => {
  const run = async (bindings = {}) => {
    const controller = createScheduledController({ scheduledTime: Date.now() })
    await worker.scheduled(controller, { ...env, ...bindings })
  }

  it('publishes everything once, and records it once, if it runs twice at the same time', async () => {
    const json = {
      title: 'Later',
      ...DATES,
      status: 'future',
      date_utc: '2026-11-20 13:00:00',
      tags: ['due'],
    }
    const id = await make('events', json)
    vi.setSystemTime('2026-11-20T13:00:01Z')
    await Promise.all([run(), run()])
    expect((await recorded()).filter(([action]) => action === 'publish')).toEqual([
      ['publish', 'event', id, ['status']],
    ])
    const published = (await entries()).find(({ action }) => action === 'publish')
    expect(published).toMatchObject({ user_id: null, request_id: null })
    const { body } = await send('GET', '/tags?slug=due')
    expect(body.tags).toMatchObject([{ count: 1 }])
  })

  it('logs one line without personal data if it fails, and the next run publishes what is due', async () => {
    const id = await make('events', { title: 'Later still', ...DATES, date_utc: '2026-11-20 14:00:00' })
    vi.setSystemTime('2026-11-20T14:00:01Z')
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    await run(faultyD1({ message: `D1_ERROR: near "SELECT": 'secret'`, writesOnly: true }))
    expect(errors.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      {
        id: 'publication of events',
        error: 'Error',
        message: `D1_ERROR: near "…": '…'`,
        became: { code: 'rest_service_unavailable', message: expect.any(String) },
        at: expect.any(Array),
      },
    ])
    expect(JSON.stringify(errors.mock.calls)).not.toContain('secret')
    errors.mockRestore()
    await run()
    const stored = await queryValue('SELECT status FROM events WHERE id = ?', id)
    expect(stored).toBe('publish')
  })
})
