import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { createApp, ROUTES } from '../src/app.ts'
import { FEATURES } from '../src/features.ts'
import worker from '../src/index.ts'
import { settingsOf } from '../src/settings.ts'
import { SITE, send, user } from './factories.ts'
import { sendWith } from './http/worker.ts'
import { signIn } from './web/editor/session.ts'

const NAMES = FEATURES.map(({ name }) => name)
const as = user('administrator', 'admin')
const WITHOUT = { FEATURES: 'none', CORE_PREFIX: 'wp-json' }
const sendWithout = sendWith(WITHOUT)

const pathOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '1')

describe('a calendar without features', () => {
  it.each(
    FEATURES.flatMap(({ routes = [] }) =>
      routes.flatMap(({ methods, path }) => methods.map((method): [string, string] => [method, path])),
    ),
  )('has no route %s %s', async (method, path) => {
    const { status, body } = await sendWithout(method, pathOf(path), {
      as,
      ...(method !== 'GET' && { json: {} }),
    })
    expect([status, body.code]).toEqual([404, 'rest_no_route'])
  })

  it('has nothing at other addresses', async () => {
    const core = { CORE_PREFIX: 'wp-json' }
    const [all, none] = [core, WITHOUT].map(vars => createApp(settingsOf(vars)).routes)
    const own = new Set(none?.map(({ path }) => path))
    const paths = new Set(
      all?.flatMap(({ path }) => (own.has(path) || /[:*]|^\/admin/.test(path) ? [] : [path])),
    )
    expect(paths.size).toBeGreaterThan(5)
    for (const path of paths)
      expect([path, (await sendWithout('GET', SITE + path)).status]).toEqual([path, 404])
  })

  it('documents what there is: events, and nothing of features', async () => {
    const { body } = await sendWithout('GET', '/doc')
    const ofFeatures = FEATURES.flatMap(({ routes = [] }) => routes.map(({ path }) => path))
    const expected = ROUTES.map(({ path }) => path || '/').filter(path => !ofFeatures.includes(path))
    expect(Object.keys(body.paths)).toEqual([...new Set(expected)])
    const subjects = FEATURES.flatMap(({ subjects = {} }) => Object.keys(subjects))
    for (const { name } of body.tags) expect(subjects).not.toContain(name)
  })

  it('has no menu of theirs, no page in the editor and no link in pages', async () => {
    const { browser } = await signIn('administrator')
    const menu = FEATURES.flatMap(({ area }) => area?.menu ?? [])
    const without = browser.with(WITHOUT)
    const [all, none] = [(await browser.get('/admin/')).html, (await without.get('/admin/')).html]
    for (const { path } of menu) {
      const link = `href="${path}"`
      expect([path, all.includes(link), none.includes(link)]).toEqual([path, true, false])
      expect([path, (await without.get(path)).status]).toEqual([path, 404])
    }
    const { text, headers } = await sendWithout('GET', `${SITE}/events/`)
    expect([text.includes('api.w.org'), text.includes('service-desc')]).toEqual([false, false])
    expect(headers.get('link')).toBeNull()
  })

  it('says so in its index, and else which there are', async () => {
    expect((await sendWithout('GET', '')).body.features).toEqual([])
    expect((await send('GET', '')).body.features).toEqual(NAMES)
    const [first = ''] = NAMES
    expect((await sendWith({ FEATURES: ` ${first.toUpperCase()},` })('GET', '')).body.features).toEqual([
      first,
    ])
  })
})

it('an unknown feature is a wrong setting, which the log names', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { status } = await sendWith({ FEATURES: 'lettres' })('GET', '/events')
  const said = log.mock.calls.flat().join()
  log.mockRestore()
  expect(status).toBe(500)
  expect(said).toContain(`FEATURES: lettres is none of ${NAMES.join(', ')}`)
  const late = worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, {
    ...env,
    FEATURES: 'lettres',
  })
  await expect(late).rejects.toThrow('FEATURES: lettres')
})
