import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { settingsOf } from '../../src/kit/settings.ts'
import { type Answer, API, makeEvent, makeUser, SITE } from '../factories.ts'
import { sendTo } from '../request.ts'
import { VARS } from '../vars.ts'

let cafe: number
let priced: number

beforeAll(async () => {
  const admin = await makeUser('admin', 'administrator')
  cafe = (await makeEvent(admin, { title: 'Café & friends' })).id
  for (const title of ['Two', 'Three']) await makeEvent(admin, { title })
  priced = (await makeEvent(admin, { title: 'Four', cost: '12' })).id
})

it('tests run with vars of their own, whatever wrangler.toml says', () => {
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
    const { body } = await get(vars, `/events/${cafe}`)
    expect(body).toMatchObject({
      url: 'https://www.example.org/event/cafe-friends/',
      global_id: `www.example.org?id=${cafe}`,
    })
    const list = async (query = '') => (await get(vars, `/events${query}`)).body.events?.length
    expect([await list(), await list('?per_page=300')]).toEqual([2, 3])
    expect((await get(vars, '/events?search=none')).body.rest_url).toContain('start_date=2026-11-19')
  })

  it('say on which side of a bare number the currency stands', async () => {
    const euro = { CURRENCY_SYMBOL: ' €', CURRENCY_CODE: 'EUR' }
    const shown = async (vars: object) => {
      const { cost, cost_details } = (await get({ ...euro, ...vars }, `/events/${priced}`)).body
      return [cost, cost_details.currency_position, cost_details.currency_code]
    }
    expect(await shown({})).toEqual([' €12', 'prefix', 'EUR'])
    expect(await shown({ CURRENCY_POSITION: 'prefix' })).toEqual([' €12', 'prefix', 'EUR'])
    expect(await shown({ CURRENCY_POSITION: 'postfix' })).toEqual(['12 €', 'postfix', 'EUR'])
  })

  it('have a fingerprint of their names and values', () => {
    const vars = [{}, { PER_PAGE: '10' }, { MAX_PER_PAGE: '10' }, { SITE_NAME: '10' }, { SITE_NAME: '1' }]
    expect(new Set(vars.map(one => settingsOf(one).fingerprint)).size).toBe(vars.length)
    const orders = [
      { PER_PAGE: '10', SITE_NAME: 'x' },
      { SITE_NAME: 'x', PER_PAGE: '10' },
    ]
    expect(new Set(orders.map(one => settingsOf(one).fingerprint)).size).toBe(1)
  })

  it.each([
    { CURRENCY_POSITION: 'left' },
    { TIMEZONE: 'Mars/Olympus' },
    { PER_PAGE: '0' },
    { SITE_URL: 'example.org' },
    { IMAGE_SIZES: 'large' },
    { GEOCODER: 'nominatim.example/search' },
    { GEOCODER: 'ftp://nominatim.example/search' },
    { GEOCODER: 'https://ada:secret@nominatim.example/search' },
    { GEOCODER: 'http://localhost:8080/search' },
    { GEOCODER: 'http://[::ffff:10.0.0.1]/search', ALLOW_PRIVATE_HOSTS: 'off' },
  ])('that make no sense are named by the error: %j', vars => {
    expect(() => settingsOf(vars)).toThrow(Object.keys(vars)[0])
  })

  it('let the geocoder be in a private network only if all hosts may be', () => {
    const GEOCODER = 'http://10.0.0.1/search'
    expect(settingsOf({ GEOCODER, ALLOW_PRIVATE_HOSTS: 'on' }).geocoder?.href).toBe(GEOCODER)
    expect(settingsOf({}).geocoder).toBeUndefined()
  })

  it.each(['/events', `${SITE}/events/`, `${SITE}/healthz`])(
    'that are wrong are named in the log: %s',
    async path => {
      const logged = vi.spyOn(console, 'error').mockReturnValue()
      const response = await sendTo({ TIMEZONE: 'Berlin' }, path)
      const lines = logged.mock.calls.flat().join()
      logged.mockRestore()
      expect([response.status, response.headers.get('cache-control')]).toEqual([500, 'no-store'])
      const text = await response.text()
      expect(JSON.parse(text).code).toBe('rest_internal_error')
      expect(text).not.toContain('Berlin')
      expect(lines).toContain('TIMEZONE: Berlin is neither')
    },
  )
})
