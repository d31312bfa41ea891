import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { settingsOf } from '../src/settings.ts'
import { type Answer, API, makeUser, SITE, send } from './factories.ts'
import { VARS } from './vars.ts'

const WHEN = { start_date: '2027-01-10 10:00:00', end_date: '2027-01-10 12:00:00' }
let admin: string

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
  for (const title of ['Café & friends', 'Two', 'Three', 'Four']) await create({ title })
})

const create = (fields: object) =>
  send('POST', '/events', { as: admin, json: { title: 'Event', ...WHEN, ...fields } })
const change = (id: unknown, json: object) => send('PATCH', `/events/${id}`, { as: admin, json })

it('the vars of wrangler.toml are not those of the tests', () => {
  expect(env).toMatchObject(VARS)
})

describe('settings', () => {
  const get = async (vars: object, path = '/events', base = API) => {
    const answer = await createApp(settingsOf(vars)).request(base + path, {}, env)
    return { status: answer.status, body: await answer.json<Answer['body']>() }
  }

  it('mount the API under other names, which links then use', async () => {
    const alias = `${SITE}/wp-json/other/v1`
    const { status, body } = await get(
      { NAMESPACE_ALIASES: '/wp-json/other/v1/, x' },
      '/events?per_page=1',
      alias,
    )
    expect([status, String(body.rest_url).split('?')[0]]).toEqual([200, `${alias}/events`])
    expect((await get({}, '/events', alias)).status).toBe(404)
  })

  it('say where permalinks start, what time it is, and how long pages are', async () => {
    const vars = {
      SITE_URL: 'https://www.example.org/',
      TIMEZONE: 'Asia/Tokyo',
      PER_PAGE: '2',
      MAX_PER_PAGE: '3',
    }
    const { body } = await get(vars, '/events/1')
    expect(body).toMatchObject({
      url: 'https://www.example.org/event/cafe-friends/',
      global_id: 'www.example.org?id=1',
    })
    const list = async (query = '') => (await get(vars, `/events${query}`)).body.events?.length
    expect([await list(), await list('?per_page=300')]).toEqual([2, 3])
    expect((await get(vars, '/events?search=none')).body.rest_url).toContain('start_date=2026-11-19')
  })

  it.each([
    { TIMEZONE: 'Mars/Olympus' },
    { PER_PAGE: '0' },
    { SITE_URL: 'example.org' },
    { IMAGE_SIZES: 'large' },
  ])('that make no sense are said to: %j', vars => {
    expect(() => settingsOf(vars)).toThrow(Object.keys(vars)[0])
  })
})

describe('images', () => {
  it('are recorded by address, shared, and shown with sizes where the site has any', async () => {
    const url = 'https://example.org/poster.png'
    const { body: one } = await create({ image: url })
    const { body: two } = await create({ image: url })
    expect(one.image).toEqual({ url, id: expect.any(Number), extension: 'png', sizes: {} })
    expect(two.image).toEqual(one.image)
    const settings = settingsOf({ IMAGE_SIZES: 'thumb:150, large:1024' })
    const answer = await createApp(settings).request(`${API}/events/${one.id}`, {}, env)
    expect(await answer.json()).toMatchObject({
      image: {
        sizes: {
          thumb: { width: 150, url: `${SITE}/cdn-cgi/image/width=150,fit=scale-down/${url}` },
          large: { width: 1024 },
        },
      },
    })
  })

  it('are http or https addresses or known ids, and can be taken away', async () => {
    for (const image of ['ftp://example.org/x.png', 'data:image/png;base64,AAAA', 'a poster.png', -1])
      expect((await create({ image })).status, String(image)).toBe(400)
    const { body } = await create({ image: 1 })
    for (const image of ['', false, []]) expect((await change(body.id, { image })).body.image).toBe(false)
  })
})
