import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { ROLES } from '../../../src/kit/lib/roles.ts'
import { expectRefused } from '../../attacks/requests.ts'
import {
  countRows,
  declareUser,
  makeAll,
  makeCategory,
  makeEvent,
  makeUser,
  query,
  queryAll,
  send,
} from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'

// The actions of administrators on webhooks, and refused ones. No server is at the addresses, because these
// tests send nothing.

const NOBODY = 'https://nobody.invalid/hook?key=K3Y'

const as = declareUser('administrator', 'admin')

const make = async (fields: object = {}) => {
  const { status, body } = await send('POST', '/webhooks', {
    as,
    json: { url: NOBODY, active: false, ...fields },
  })
  expect([status, body]).toEqual([201, expect.anything()])
  return body
}

const dump = async (): Promise<string> => {
  const tables = ['audit', 'idempotency_keys', 'undo_requests']
  return JSON.stringify(await queryAll(tables.map(table => `SELECT * FROM ${table}`)))
}

describe('webhooks', () => {
  it('are made, read, changed and deleted', async () => {
    const made = await make({ events: ['event.created', 'venue.deleted'], filters: { search: 'jazz' } })
    const { secret, ...shown } = made
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(shown).toEqual({
      id: made.id,
      rest_url: `https://calendar.example/calendar/events/v1/webhooks/${made.id}`,
      url: NOBODY,
      events: ['event.created', 'venue.deleted'],
      filters: { search: 'jazz' },
      active: false,
      state: 'paused',
      waiting: 0,
      behind: 0,
      date_utc: '2026-11-20 12:00:00',
    })
    const path = `/webhooks/${made.id}`
    expect(await send('GET', path, { as })).toMatchObject({ status: 200, body: shown })
    const list = await send('GET', '/webhooks?per_page=1&page=1', { as })
    expect(list.body).toMatchObject({ webhooks: [shown], total: 1, total_pages: 1 })
    const changed = await send('PATCH', path, { as, json: { filters: '' } })
    expect(changed.body).toEqual({ ...shown, filters: {} })
    expect((await send('HEAD', path, { as })).status).toBe(200)
    expect((await send('DELETE', path, { as })).body).toMatchObject({ id: made.id })
    expect(await send('GET', path, { as })).toMatchObject({
      status: 404,
      body: { code: 'rest-webhook-not-found' },
    })
    for (const left of ['webhooks', 'webhook_places', 'webhook_resources'])
      expect(await countRows(left), left).toBe(0)
    const results = await query(
      `SELECT action, fields FROM audit WHERE kind = 'webhook' AND object_id = ? ORDER BY id`,
      made.id,
    )
    expect(results).toEqual([
      { action: 'create', fields: '["url","events","filters","active"]' },
      { action: 'update', fields: '["filters"]' },
      { action: 'delete', fields: expect.anything() },
    ])
  })

  it('show their present state, whatever was read before', async () => {
    const { id } = await make()
    const { headers } = await send('GET', `/webhooks/${id}`, { as })
    expect(headers.get('cache-control')).toContain('no-store')
    await send('PATCH', `/webhooks/${id}`, { as, json: { url: 'https://other.invalid/' } })
    const known = { 'if-none-match': headers.get('etag') ?? '"x"' }
    expect((await send('GET', `/webhooks/${id}`, { as, headers: known })).body.url).toBe(
      'https://other.invalid/',
    )
    for (const method of ['PATCH', 'DELETE']) {
      const stale = { as, json: { active: false }, headers: { 'if-match': '"-v1"' } }
      expect((await send(method, `/webhooks/${id}`, stale)).status, method).toBe(412)
    }
    for (const path of ['/webhooks', `/webhooks/${id}/deliveries`]) {
      const first = await send('GET', path, { as })
      await make()
      await send('POST', `/webhooks/${id}/test`, { as })
      const headers = { 'if-none-match': first.headers.get('etag') ?? '"x"' }
      expect((await send('GET', path, { as, headers })).body.total, path).toBe(first.body.total + 1)
    }
    const [newest] = (await send('GET', '/webhooks', { as })).body.webhooks
    expect(newest.id).toBeGreaterThan(id)
  })

  it('are for administrators', async () => {
    const { id } = await make()
    const paths = [
      ['GET', '/webhooks'],
      ['POST', '/webhooks'],
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`],
      ['PUT', `/webhooks/${id}`],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['GET', `/webhooks/${id}/deliveries`],
      ['POST', `/webhooks/${id}/deliveries/1/retry`],
      ['GET', '/webhooks/999'],
    ] as const
    for (const role of ROLES.filter(name => name !== 'administrator')) {
      const other = await makeUser(`some ${role}`, role)
      for (const [method, path] of paths)
        expect((await send(method, path, { as: other })).status, path).toBe(403)
      const requests = [{ method: 'PATCH', path: `/webhooks/${id}`, body: { url: 'https://evil.invalid' } }]
      const batch = await send('POST', '/batch', { as: other, json: { requests } })
      expect(batch.status === 403 || batch.body.responses[0].status === 403).toBe(true)
    }
    for (const [method, path] of paths) expect((await send(method, path)).status).toBe(401)
    expect((await send('GET', `/webhooks/${id}`, { as })).body.url).toBe(NOBODY)
  })

  it('need an address', async () => {
    const { status, body } = await send('POST', '/webhooks', { as, json: { events: ['event.created'] } })
    expect({ status, code: body.code, params: body.data.params }).toEqual({
      status: 400,
      code: 'rest_missing_callback_param',
      params: ['url'],
    })
  })

  it('are at most 50', async () => {
    const { total } = (await send('GET', '/webhooks', { as })).body
    await makeAll(as, 'webhooks', Array(50 - total).fill({ url: NOBODY }))
    const one = () => send('POST', '/webhooks', { as, json: { url: NOBODY } })
    const { status, body } = await one()
    expect([status, body.code]).toEqual([409, 'webhooks-are-too-many'])
    // The limit also holds for requests at the same time.
    const [newest] = (await send('GET', '/webhooks', { as })).body.webhooks
    await send('DELETE', `/webhooks/${newest.id}`, { as })
    const { DB } = faultyD1({ beforeWrite: one })
    const late = await send('POST', '/webhooks', { as, json: { url: NOBODY }, bindings: { DB } })
    expect(late.status).toBe(409)
    for (const table of ['webhook_deliveries', 'webhook_resources', 'webhook_places', 'webhooks'])
      await env.DB.exec(`DELETE FROM ${table}`)
  })
})

describe('addresses that are refused', () => {
  it.each([
    'http://LOCALHOST.:80/',
    'http://10.0.0.1:8080/',
    'http://[::1]/',
    'http://１２７.０.０.１/',
    'http://user:secret@nobody.invalid/',
    'http://:secret@nobody.invalid/',
    'http://nobody.invalid@127.0.0.1/',
    'http://nobody.invalid:22/',
    'http://nobody.invalid:25/',
    'http://nobody.invalid:1023/',
    'ftp://nobody.invalid/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    '//nobody.invalid/',
    '',
    'x'.repeat(3000),
    ['https://a.invalid', 'http://127.0.0.1/'],
  ])('%s', async url => {
    expectRefused(await send('POST', '/webhooks', { as, json: { url } }), 'url')
  })

  it('are only these: another one is stored, without its fragment', async () => {
    const { id, url } = await make({ url: 'http://nobody.invalid:1024/hook#part' })
    expect(url).toBe('http://nobody.invalid:1024/hook')
    await send('DELETE', `/webhooks/${id}`, { as })
  })

  it('are also refused when stored webhooks send', async () => {
    const { id } = await make()
    await query(`UPDATE webhooks SET url = 'http://127.0.0.1:1/' WHERE id = ?`, id)
    const { body } = await send('POST', `/webhooks/${id}/test`, { as })
    expect(body).toMatchObject({
      state: 'failed',
      reason: 'private',
      message: 'The address leads into a private network.',
    })
  })
})

describe('fields', () => {
  const refused = async (json: object, name: string) =>
    expectRefused(
      await send('POST', '/webhooks', { as, json: { url: NOBODY, active: false, ...json } }),
      name,
    )

  it('are checked', async () => {
    await refused({ events: ['event.exploded'] }, 'events')
    await refused({ events: [] }, 'events')
    await refused({ events: 7 }, 'events')
    await refused({ active: 'maybe' }, 'active')
    for (const secret of [
      'x',
      'whsec_',
      'whsec_!!!!',
      `whsec_${btoa('short')}`,
      `whsec_${btoa('s'.repeat(23))}`,
      `whsec_${btoa('l'.repeat(65))}`,
      btoa('p'.repeat(36)),
      'whsec_====',
      5,
      {},
    ])
      await refused({ secret }, 'secret')
    for (const bytes of [24, 64]) await make({ secret: `whsec_${btoa('k'.repeat(bytes))}` })
  })

  it('that filter are parameters of the webhook’s lists', async () => {
    await makeCategory(as, 'Music')
    for (const filters of [
      { nonsense: 1 },
      { categories: 'nowhere' },
      { venue: 99 },
      { start_date: 'tomorrow' },
      { happening: 'now' },
      { featured: 'perhaps' },
      { page: 2 },
      { orderby: 'title' },
      ['categories'],
      7,
      'x'.repeat(6000),
      { search: 'x'.repeat(6000) },
      { __proto__x: 1 },
      { status: 'invisible' },
    ])
      await refused({ filters }, 'filters')
    const { body } = await send('POST', '/webhooks', { as, json: { url: NOBODY, filters: 'search=%ff' } })
    expect(body.data.params.filters).toMatch(/^must be a query such as categories=jazz: .*UTF-8/)
    await refused({ filters: { categories: 'music' }, events: ['venue.created'] }, 'filters')
    await refused({ filters: { only_with_upcoming: true }, events: ['venue.created'] }, 'filters')
    for (const filters of [
      { categories: 'music', featured: true },
      { status: ['draft', 'publish'], start_date: '2027-01-01' },
      { bbox: '1,2,3,4' },
      '?categories[]=music&tags=',
      { categories: 'music', tags: null },
      null,
    ])
      await make({ filters })
    expect((await make({ filters: 'categories=music' })).filters).toEqual({ categories: 'music' })
    // Each filter counts for the lists that have it.
    await make({ filters: { categories: 'music' }, events: ['event.created', 'venue.created'] })
  })

  it('may not name hidden rows, unless the webhook gets drafts', async () => {
    const { id: venue } = (await send('POST', '/venues', { as, json: { venue: 'Secret', status: 'draft' } }))
      .body
    await refused({ filters: { venue } }, 'filters')
    await make({ filters: { venue, status: 'publish,draft' } })
  })
})

describe('secrets', () => {
  it('are shown once, and nowhere else', async () => {
    const log = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
    const { id, secret } = await make()
    const own = `whsec_${btoa('my own secret of some length')}`
    const { body } = await send('PATCH', `/webhooks/${id}`, { as, json: { secret: own } })
    expect(body.secret).toBe(own)
    await send('POST', `/webhooks/${id}/test`, { as })
    await makeEvent(as)
    const later = await Promise.all(
      ['', '/deliveries'].map(end => send('GET', `/webhooks/${id}${end}`, { as })),
    )
    const rest = [
      await send('GET', '/webhooks', { as }),
      await send('PATCH', `/webhooks/${id}`, { as, json: { active: false } }),
      await send('DELETE', `/webhooks/${id}`, { as }),
    ]
    const said = JSON.stringify([...later, ...rest].map(({ text }) => text)) + (await dump())
    const logged = JSON.stringify(log.flatMap(({ mock }) => mock.calls))
    for (const text of [said, logged]) {
      expect(text).not.toContain('whsec_')
      for (const known of [secret, own]) expect(text).not.toContain(known.slice(6))
    }
    // The log doesn't have the address either.
    expect(logged).not.toContain('nobody.invalid')
    for (const spy of log) spy.mockRestore()
  })
})

describe('a message that the calendar fails to sign', () => {
  it('is a failed try with that reason, and logged without the secret', async () => {
    const { id } = await make()
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    // Signing needs a key.
    await query(`UPDATE webhooks SET secret = 'whsec_' WHERE id = ${id}`)
    const { status, body } = await send('POST', `/webhooks/${id}/test`, { as })
    expect([status, body]).toMatchObject([200, { state: 'failed', reason: 'internal', response: '' }])
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)).id)).toEqual(['webhook'])
    log.mockRestore()
  })
})

describe('deliveries', () => {
  it('are found by their state, without those of other webhooks', async () => {
    const one = await make()
    const other = await make()
    const { body } = await send('POST', `/webhooks/${one.id}/test`, { as })
    expect(body).toMatchObject({
      type: 'webhook.test',
      state: 'failed',
      payload: { type: 'webhook.test', data: { id: one.id } },
    })
    const failed = await send(
      'GET',
      `/webhooks/${one.id}/deliveries?state=failed,waiting&page=1&per_page=5`,
      { as },
    )
    expect(failed.body).toMatchObject({ deliveries: [body], total: 1 })
    expect((await send('GET', `/webhooks/${one.id}/deliveries?state=delivered`, { as })).body.total).toBe(0)
    expect((await send('GET', `/webhooks/${one.id}/deliveries?page=2`, { as })).status).toBe(404)
    expectRefused(await send('GET', `/webhooks/${one.id}/deliveries?state=lost`, { as }), 'state')
    const elsewhere = await send('POST', `/webhooks/${other.id}/deliveries/${body.id}/retry`, { as })
    expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'rest-delivery-not-found'])
    expect(
      (await send('POST', `/webhooks/${one.id}/deliveries/${body.id}/retry`, { as })).body,
    ).toMatchObject({ tries: 2 })
  })
})
