import { describe, expect, it } from 'vitest'
import { send } from '../factories.ts'
import { everyRole } from './people.ts'
import { create, least } from './requests.ts'

// Headers of requests that no honest client sends, and texts that try to become a header of a response.

const people = everyRole()

describe('hostile text', () => {
  it('with line breaks never becomes a header of a response', async () => {
    const evil = 'a\r\nX-Evil: 1\r\n\r\n<b>'
    const as = people.administrator.as
    const values = {
      ...least('events', evil),
      slug: evil,
      description: evil,
      tags: [evil.replaceAll(',', '')],
    }
    const event = await create(as, 'events', values)
    await create(as, 'events', values)
    const query = encodeURIComponent(evil)
    for (const [path, expected] of [
      [`/events/${event.id}`, 200],
      [`/events?search=${query}&per_page=1`, 200],
      [`/tags?slug=${query}`, 200],
      [`/events/by-slug/${query}`, 404],
    ] as const) {
      const { headers, status } = await send('GET', path)
      expect([status, headers.get('x-evil')], path).toEqual([expected, null])
    }
    const { headers } = await send('GET', `/events?search=${encodeURIComponent('a\r\nX-Evil')}&per_page=1`)
    expect(headers.get('link')).toContain('search=a%0D%0AX-Evil')
  })

  it('in the headers of a request is refused or ignored', async () => {
    for (const [name, value] of [
      ['x-request-id', '<script>'],
      ['x-request-id', 'a'.repeat(5_000)],
      ['origin', 'null'],
      ['origin', 'https://evil.example'],
      ['accept', '*/*;q=x'],
      ['if-modified-since', 'never'],
      ['if-modified-since', 'Fri, 31 Dec 9999 23:59:59 GMT'],
      ['range', 'bytes=0-1'],
      ['x-d1-bookmark', 'garbage'],
      ['x-d1-bookmark', "'; DROP TABLE events"],
      ['x-d1-bookmark', 'x'.repeat(5_000)],
      ['x-d1-bookmark', 'first-primary'],
      ['x-forwarded-host', 'evil.example'],
      ['x-forwarded-proto', 'ftp'],
      ['forwarded', 'host=evil.example'],
      ['x-original-url', '/admin'],
      ['content-length', '0'],
    ] as const)
      for (const path of ['/events', '/events/999999', '/tags']) {
        const { status, text, headers } = await send('GET', path, { headers: { [name]: value } })
        expect([200, 304, 400, 404], `${name}: ${value.slice(0, 50)}`).toContain(status)
        expect(text, path).not.toMatch(/evil\.example|<script>/)
        expect(headers.get('access-control-allow-credentials'), path).toBeNull()
      }
  })
})
