import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeDatabaseAnew, makeEvent, makeUser, query, queryValue, send } from '../../factories.ts'
import { openOutbox } from '../../outbox.ts'
import { runCron } from '../../run-cron.ts'
import { TODAY } from '../../setup.ts'

// Lists of picks, as apps and the page of picks store them.

const NEVER = '0'.repeat(32)

beforeAll(makeDatabaseAnew)

beforeEach(async () => {
  vi.setSystemTime(TODAY)
  await query('DELETE FROM pick_lists')
  await query('DELETE FROM limit_counts')
})

const create = (json: unknown = { ids: [7, 5], series: [3] }, headers: Record<string, string> = {}) =>
  send('POST', '/picks', { json, headers })

const row = async () => (await query('SELECT * FROM pick_lists'))[0]

describe('POST /picks', () => {
  it('stores a list, and returns the token that reads it and the key that changes it', async () => {
    const { status, body, headers } = await create()
    expect(status).toBe(201)
    expect(body).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
      url: `https://calendar.example/calendar/events/v1/picks/${body.token}`,
      ics: `https://calendar.example/calendar/events/v1/picks/${body.token}.ics`,
    })
    expect(headers.get('location')).toBe(body.url)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect((await send('GET', `/picks/${body.token}`)).body).toEqual({ ids: [7, 5], series: [3] })
  })

  it('stores neither the token nor the key of a list', async () => {
    const { body } = await create()
    const stored = JSON.stringify(await row())
    expect(stored).not.toContain(body.token)
    expect(stored).not.toContain(body.key)
  })

  it.each([
    [{}, 'ids'],
    [{ ids: [] }, 'ids'],
    [{ ids: ['x'] }, 'ids'],
    [{ ids: [[1]] }, 'ids'],
    [{ series: [[1], 2] }, 'series'],
    [{ series: [0] }, 'series'],
    [{ ids: Array.from({ length: 501 }, (_, i) => i + 1) }, 'ids'],
    [
      {
        ids: Array.from({ length: 300 }, (_, i) => i + 1),
        series: Array.from({ length: 201 }, (_, i) => i + 1),
      },
      'ids',
    ],
  ])('refuses %j', async (json, name) => {
    const { status, body } = await create(json)
    expect([status, body.code]).toEqual([400, 'rest_invalid_param'])
    expect(Object.keys(body.data.params)).toEqual([name])
    expect(await row()).toBeUndefined()
  })

  it('keeps the later dates of a series that is divided', async () => {
    const as = await makeUser('keeper', 'editor')
    const { id, series } = await makeEvent(as, { recurrence: 'FREQ=DAILY;COUNT=3' })
    const { body: list } = await create({ ids: [], series: [series.id] })
    const json = { title: 'From here on', scope: 'following' }
    const { body } = await send('PATCH', `/events/${id + 1}`, { as, json })
    expect((await send('GET', `/picks/${list.token}`)).body.series).toEqual([series.id, body.series.id])
    expect((await send('GET', `/picks/${list.token}.ics`)).text).toContain('SUMMARY:From here on')
  })

  it('keeps the date that becomes a single event when its series ends', async () => {
    const as = await makeUser('ender', 'editor')
    for (const scope of ['all', 'following']) {
      const { id, series } = await makeEvent(as, { title: `Ends ${scope}`, recurrence: 'FREQ=DAILY;COUNT=3' })
      const { body: list } = await create({ ids: [], series: [series.id] })
      const json = { recurrence: '', scope }
      expect((await send('PATCH', `/events/${id + 1}`, { as, json })).status).toBe(200)
      expect((await send('GET', `/picks/${list.token}`)).body).toEqual({ ids: [id + 1], series: [series.id] })
      const { text } = await send('GET', `/picks/${list.token}.ics`)
      const left = text.split('BEGIN:VEVENT')
      expect(left.join()).toContain(`SUMMARY:Ends ${scope}`)
      // For subscribers it is still the same event.
      if (scope === 'all') expect(left.join()).toContain(`UID:series-${series.id}@`)
    }
  })

  it('takes 500 picks, each once', async () => {
    const ids = Array.from({ length: 500 }, (_, i) => i + 1)
    const { body } = await create({ ids })
    expect((await send('GET', `/picks/${body.token}`)).body).toEqual({ ids, series: [] })
    const twice = await create({ ids: [4, 4, 2] })
    expect((await send('GET', `/picks/${twice.body.token}`)).body.ids).toEqual([4, 2])
  })

  it('takes twenty a day and network, and stores no network for longer than that', async () => {
    const from = { 'cf-connecting-ip': '192.0.2.7' }
    for (let i = 0; i < 20; i++) expect((await create({ ids: [1] }, from)).status).toBe(201)
    const { status, body } = await create({ ids: [1] }, from)
    expect([status, body.code]).toEqual([429, 'rest_too_many_requests'])
    expect((await create({ ids: [1] }, { 'cf-connecting-ip': '198.51.100.7' })).status).toBe(201)
    for (const table of ['pick_lists', 'limit_counts'])
      expect(JSON.stringify(await query(`SELECT * FROM ${table}`))).not.toContain('192.0.2')
    vi.setSystemTime(new Date(TODAY.getTime() + 24 * 3_600_000))
    expect((await create({ ids: [1] }, from)).status).toBe(201)
    const later = new Date(TODAY.getTime() + 3 * 24 * 3_600_000).toISOString()
    await runCron(openOutbox({}), later)
    expect(await queryValue('SELECT count(*) FROM limit_counts')).toBe(0)
    expect(await queryValue('SELECT count(*) FROM pick_lists')).toBe(22)
  })

  it('counts lists that were deleted, and nothing else is left of them', async () => {
    const from = { 'cf-connecting-ip': '192.0.2.8' }
    for (let i = 0; i < 20; i++) {
      const { key } = (await create({ ids: [12345] }, from)).body
      expect((await send('DELETE', `/picks/${key}`)).status).toBe(200)
    }
    expect((await create({ ids: [1] }, from)).status).toBe(429)
    expect(await queryValue('SELECT count(*) FROM pick_lists')).toBe(0)
  })

  it('takes sixty a day of a /56 of IPv6, twenty of each /64', async () => {
    const made = async (network: string) =>
      (await create({ ids: [1] }, { 'cf-connecting-ip': network })).status
    for (const part of ['ab00', 'ab01', 'abff']) {
      for (let i = 0; i < 20; i++) expect(await made(`2a01:db8:7:${part}::${i + 1}`)).toBe(201)
      expect(await made(`2a01:db8:7:${part}::1`)).toBe(429)
    }
    expect([await made('2a01:db8:7:ab02::1'), await made('2a01:db8:7:ac00::1')]).toEqual([429, 201])
  })

  it('takes as many a day in all as the setting says, whatever is deleted', async () => {
    const most = (bindings: object) => send('POST', '/picks', { json: { ids: [1] }, bindings })
    const three = { PICKS_NEW_LISTS: '3' }
    for (let i = 0; i < 3; i++) {
      const { status, body } = await most(three)
      expect(status).toBe(201)
      if (i !== 1) await send('DELETE', `/picks/${body.key}`)
    }
    expect((await most(three)).status).toBe(429)
    expect((await most({ PICKS_NEW_LISTS: '0' })).status).toBe(429)
    expect((await most({})).status).toBe(201)
    vi.setSystemTime(new Date(TODAY.getTime() + 24 * 3_600_000))
    expect((await most(three)).status).toBe(201)
  })
})

describe('a list', () => {
  it('is replaced and deleted by its key, and read by its token, never the other way round', async () => {
    const { token, key } = (await create()).body
    expect((await send('GET', `/picks/${key}`)).status).toBe(404)
    expect((await send('GET', `/picks/${key}.ics`)).status).toBe(404)
    expect((await send('PUT', `/picks/${token}`, { json: { ids: [1] } })).status).toBe(404)
    expect((await send('DELETE', `/picks/${token}`)).status).toBe(404)
    const replaced = await send('PUT', `/picks/${key}`, { json: { ids: [9] } })
    expect([replaced.status, replaced.body]).toEqual([200, { ids: [9], series: [] }])
    expect((await send('GET', `/picks/${token}`)).body).toEqual({ ids: [9], series: [] })
    const deleted = await send('DELETE', `/picks/${key}`)
    expect([deleted.status, deleted.body]).toEqual([200, { ids: [9], series: [] }])
    for (const path of [`/picks/${token}`, `/picks/${token}.ics`]) {
      const { status, body } = await send('GET', path)
      expect([status, body.code], path).toEqual([404, 'rest-pick-list-not-found'])
    }
    expect((await send('PUT', `/picks/${key}`, { json: {} })).status).toBe(404)
  })

  it('can be emptied', async () => {
    const { token, key } = (await create()).body
    expect((await send('PUT', `/picks/${key}`, { json: { ids: [], series: [] } })).status).toBe(200)
    expect((await send('GET', `/picks/${token}`)).body).toEqual({ ids: [], series: [] })
  })

  it('is changed at most sixty times an hour', async () => {
    const { token, key } = (await create()).body
    const change = (id: number) => send('PUT', `/picks/${key}`, { json: { ids: [id] } })
    for (let id = 1; id <= 60; id++) expect((await change(id)).status).toBe(200)
    const { status, body } = await change(61)
    expect([status, body.code]).toEqual([429, 'rest_too_many_requests'])
    // What is there already is no change.
    expect((await change(60)).status).toBe(200)
    expect((await send('GET', `/picks/${token}`)).body.ids).toEqual([60])
    vi.setSystemTime(new Date(TODAY.getTime() + 3_600_000))
    expect((await change(61)).status).toBe(200)
  })

  it('refuses a token that none can have', async () => {
    for (const token of [NEVER, 'x', `${NEVER}0`, NEVER.replace('0', 'G')])
      expect((await send('GET', `/picks/${token}`)).status).toBe(404)
  })

  it('notes reads once a week, and ends 400 days after the last', async () => {
    const { token } = (await create()).body
    const created = (await row())?.read_utc
    const day = 24 * 3_600_000
    const readAfterDays = async (days: number, path: string) => {
      vi.setSystemTime(new Date(TODAY.getTime() + days * day))
      expect((await send('GET', path)).status).toBe(200)
      return (await row())?.read_utc
    }
    expect(await readAfterDays(6, `/picks/${token}.ics`)).toBe(created)
    const noted = await readAfterDays(8, `/picks/${token}.ics`)
    expect(String(noted) > String(created)).toBe(true)
    expect(String(await readAfterDays(16, `/picks/${token}`)) > String(noted)).toBe(true)
    const run = (days: number) =>
      runCron(openOutbox({}), new Date(TODAY.getTime() + days * day).toISOString())
    await run(16 + 399)
    expect(await row()).toBeDefined()
    await run(16 + 401)
    expect(await row()).toBeUndefined()
  })

  it('is in no log', async () => {
    const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const { token, key } = (await create()).body
    await send('GET', `/picks/${token}.ics`)
    await send('PUT', `/picks/${key}`, { json: { ids: [1] } })
    await send('GET', `/picks/${NEVER}`)
    const logged = lines.mock.calls.flat().join('\n')
    lines.mockRestore()
    expect(logged).not.toContain(token)
    expect(logged).not.toContain(key)
    expect(logged).not.toContain(NEVER)
  })
})
