import { describe, expect, it } from 'vitest'
import { send } from '../factories.ts'
import { everyRole } from './people.ts'
import { create, expectErrorShape, least, PLURALS } from './requests.ts'

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

  it.each(ODD)('%s is treated as unknown, or as the address that it stands for', async path => {
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
})

describe('an odd method', () => {
  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method'])(
    'by %s does not replace a GET',
    async name => {
      const { id } = await create(people.administrator.as, 'events', least('events', 'Stays'))
      for (const as of [people.administrator.as, undefined]) {
        const path = `/events/${id}?_method=DELETE`
        const response = await send('GET', path, { ...(as && { as }), headers: { [name]: 'DELETE' } })
        expect([response.status, response.body.status]).toEqual([200, 'publish'])
      }
    },
  )

  // X-HTTP-Method-Override and a parameter are obeyed in a POST (kit/http/aliases.test.ts).
  it.each(['X-HTTP-Method', 'X-Method-Override'])(
    'by %s or in a body does not replace a POST',
    async name => {
      const { id } = await create(people.administrator.as, 'events', least('events', 'Stays'))
      const { status, body } = await send('POST', `/events/${id}`, {
        as: people.administrator.as,
        headers: { [name]: 'DELETE' },
        json: { _method: 'DELETE' },
      })
      expect([status, body.status]).toEqual([200, 'publish'])
    },
  )

  it.each(['DELETE', 'PUT', 'PATCH'])('%s of a whole list is no route', async method => {
    for (const plural of PLURALS) {
      const response = await send(method, `/${plural}`, { as: people.administrator.as, json: {} })
      expect([response.status, response.body.code]).toEqual([404, 'rest_no_route'])
    }
  })
})
