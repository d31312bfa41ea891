import { beforeAll, expect, it } from 'vitest'
import { makeCategory, makeEvent, makeUser, SITE, send } from '../../factories.ts'

// Clients refuse responses whose headers are too large.

beforeAll(async () => {
  const editor = await makeUser('editor', 'editor')
  for (const name of ['A', 'B', 'C']) {
    await makeEvent(editor, { title: name })
    await makeCategory(editor, name)
  }
})

const long = `include=${Array.from({ length: 499 }, (_, n) => n + 1).join(',')}&search=${'%C3%A9'.repeat(400)}`

it.each(['/events', '/categories?hide_empty=false'])('Link of %s is left out above 4 KB', async path => {
  const first = path.includes('?') ? `${path}&per_page=1` : `${path}?per_page=1`
  expect((await send('GET', first)).headers.get('link')).toContain('rel="next"')
  const include = Array.from({ length: 500 }, (_, n) => String((n % 3) + 1).padStart(9, '0')).join(',')
  const { status, headers, body } = await send('GET', `${first}&include=${include}`)
  expect([status, headers.get('link')]).toEqual([200, null])
  expect(body.next_rest_url.length).toBeGreaterThan(4_096)
})

it('Link of lists of WordPress is left out as well', async () => {
  const bindings = { CORE_PREFIX: 'wp-json' }
  const list = `${SITE}/wp-json/wp/v2/categories?per_page=1`
  expect((await send('GET', list, { bindings })).headers.get('link')).toContain('rel="next"')
  const include = Array.from({ length: 500 }, (_, n) => String(n + 1).padStart(9, '0')).join(',')
  const { status, headers } = await send('GET', `${list}&include=${include}`, { bindings })
  expect([status, headers.get('link')]).toEqual([200, null])
})

it.each(['/events', '/venues', '/organizers', '/tags', '/events.ics', '/events/changes'])(
  'no header of %s grows with the query',
  async path => {
    const { headers } = await send('GET', `${path}?${long}&${'y'.repeat(9_000)}=1`)
    for (const [name, value] of headers) expect(value.length, name).toBeLessThan(4_200)
  },
)
