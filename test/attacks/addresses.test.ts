import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { settingsOf } from '../../src/settings.ts'
import { API, send } from '../factories.ts'
import { everyRole } from './people.ts'
import { create, exchange, expectErrorShape, least, PLURALS } from './requests.ts'

// Addresses and methods that no honest client sends.

const people = everyRole()

describe('an odd address', () => {
  const ODD = [
    '/events/-1',
    '/events/0',
    '/events/1.5',
    '/events/1e1',
    '/events/0x1',
    '/events/+1',
    '/events/%31%20',
    '/events/9007199254740993',
    '/events/99999999999999999999999999',
    '/events/١',
    '/events/null',
    '/events/NaN',
    '/events/1/2',
    '/events//1',
    '//events',
    '/events/1;x=1',
    '/events/by-slug/..%2f..%2fvenues',
    '/events/by-slug/%2e%2e',
    '/events/by-slug/..',
    '/events/by-slug/%00',
    '/events/by-slug/a%00b',
    '/events/by-slug/%ff%fe',
    '/events/by-slug/%',
    '/events/by-slug/%zz',
    '/events/by-slug/%25',
    '/events/by-slug/%u0041',
    '/events/by-slug/__proto__',
    '/events/by-slug/constructor',
    "/events/by-slug/'or'1'='1",
    '/events/by-slug/*',
    '/events/by-slug/%0d%0aX-Evil:1',
    '/events/by-slug/',
    '/events/by-slug',
    `/events/by-slug/${'a'.repeat(10_000)}`,
    `/events/by-slug/${'%F0%9F%8E%B8'.repeat(1_000)}`,
    '/venues/by-slug/%c0%af',
    '/tags/by-slug/x',
    '/categories/1/',
    '/EVENTS',
    '/events.json',
    '/events%2f1',
    '/%65vents/0',
    '/doc/../events/0',
    '/__proto__',
    '/constructor',
    '/events/constructor',
    '/toString',
    '/events/1%00',
  ]

  it.each(ODD)('%s is answered as an unknown one, or as what it means', async path => {
    for (const method of ['GET', ODD.indexOf(path) % 2 ? 'DELETE' : 'PATCH']) {
      const response = await send(method, path, {
        as: people.administrator.as,
        ...(method === 'PATCH' && { json: {} }),
      })
      expect([200, 400, 404], `${method} ${path.slice(0, 100)}`).toContain(response.status)
      if (response.status !== 200) expectErrorShape(response, path)
      expect(response.headers.get('x-evil')).toBeNull()
    }
  })

  it('with a query of 100,000 characters or 10,000 parameters is answered or refused', async () => {
    const many = Array.from({ length: 10_500 }, (_, i) => `p${i}=${i}`).join('&')
    for (const [i, query] of [
      'x='.padEnd(100_000, 'x'),
      many,
      'include[]=1&'.repeat(3_000),
      '&'.repeat(50_000),
      '[]=1&'.repeat(5_000),
      'a[b]'.repeat(9_000),
    ].entries())
      for (const plural of ['events', PLURALS[i % PLURALS.length]]) {
        const { status } = await exchange(`/${plural}?${query}`)
        expect([200, 400, 414], `${plural} ${query.slice(0, 20)}`).toContain(status)
      }
  })

  it('with unknown parameters is answered as without them, and costs no more', async () => {
    const app = createApp(settingsOf({ DEBUG_TIMING: '1' }))
    const read = async (query: string) => {
      const response = await app.request(`${API}/events?per_page=2${query}`, {}, env)
      const rows = response.headers.get('server-timing')?.match(/rows-read;desc="(\d+)"/)?.[1]
      return { status: response.status, body: await response.text(), rows: Number(rows) }
    }
    await create(people.administrator.as, 'events', least('events', 'Known'))
    await read('')
    const again = await read('')
    expect([again.status, again.rows > 0]).toEqual([200, true])
    // Were unknown parameters part of what an answer is remembered by, each of these would be another one.
    for (let i = 0; i < 10; i++) expect(await read(`&unknown${i}=${'x'.repeat(2_000)}`)).toEqual(again)
  })
})

describe('an odd method', () => {
  it.each(['HEAD', 'OPTIONS'])('%s is answered at every address, without a body of its own', async method => {
    const lists = PLURALS.map(plural => `/${plural}`)
    for (const path of [...lists, '/events/999999', '/tags/by-slug/x', '/', '/doc', '/nothing']) {
      const { status, text } = await exchange(path, { method })
      expect([200, 204, 404], `${method} ${path}`).toContain(status)
      if (method === 'HEAD') expect(text).toBe('')
    }
  })

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method'])(
    'by %s is not another one',
    async name => {
      const { id } = await create(people.administrator.as, 'events', least('events', 'Stays'))
      for (const method of ['GET', 'POST']) {
        const headers = { [name]: 'DELETE' }
        const response = await send(method, `/events/${id}?_method=DELETE`, {
          as: people.administrator.as,
          headers,
          ...(method === 'POST' && { json: { _method: 'DELETE' } }),
        })
        expect([method, response.status, response.body.status]).toEqual([method, 200, 'publish'])
      }
      expect(
        await send('GET', `/events/${id}?_method=DELETE`, { headers: { [name]: 'DELETE' } }),
      ).toMatchObject({ status: 200 })
    },
  )

  it.each(['DELETE', 'PUT', 'PATCH'])('%s of a whole list is no route', async method => {
    for (const plural of PLURALS) {
      const response = await send(method, `/${plural}`, { as: people.administrator.as, json: {} })
      expect([response.status, response.body.code]).toEqual([404, 'rest_no_route'])
    }
  })
})
