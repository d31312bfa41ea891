import { expect, it } from 'vitest'
import { ROUTES, templateOfApi } from '../../../src/app.ts'
import { openApiDocument } from '../../../src/kit/docs/openapi.ts'
import { filledTemplate } from '../../../src/kit/docs/template.ts'
import { TEMPLATE_PATH } from '../../../src/kit/docs/template-path.ts'
import { clockAt } from '../../../src/kit/lib/clock.ts'
import { settingsOf, type Vars } from '../../../src/kit/settings.ts'
import { API, SITE } from '../../factories.ts'
import { sendWith } from '../http/worker.ts'

const template = templateOfApi()

/** A calendar with the static files of a build. */
const builtWith = (text: string, vars: Vars = {}) =>
  sendWith({
    ...vars,
    ASSETS: {
      fetch: async (address: URL | RequestInfo) =>
        new Response(text, { status: String(address) === SITE + TEMPLATE_PATH ? 200 : 404 }),
    } as Fetcher,
  })

const readDocument = async (sendTo: ReturnType<typeof sendWith>, path = '/doc') =>
  sendTo('GET', path, { headers: { accept: 'application/json' } })

it.each<[string, Vars, string]>([
  ['nothing set', {}, API],
  ['a name with marks', { SITE_NAME: '“A” \\ {{api}} $& "B"' }, API],
  ['other defaults', { PER_PAGE: '20', LANGUAGE: 'de', TIMEZONE: 'Asia/Tokyo' }, API],
  ['a large page', { PER_PAGE: '100', MAX_PER_PAGE: '100' }, 'https://other.example/wp-json/tribe/events/v1'],
])('the template of the build makes the same document with %s', (_, vars, api) => {
  const context = { api, clock: clockAt('2026-11-20 23:30:00'), settings: settingsOf(vars) }
  expect(filledTemplate(template, ROUTES, context)).toBe(JSON.stringify(openApiDocument(ROUTES, context)))
})

it('the document comes from the template', async () => {
  const marked = template.replace('calendar API', 'calendar API, built')
  const { body, headers } = await readDocument(builtWith(marked, { SITE_NAME: 'Town' }))
  expect(body.info).toMatchObject({ title: 'Town: calendar API, built' })
  const plain = await readDocument(builtWith(template))
  expect(headers.get('etag')).not.toBe(plain.headers.get('etag'))
  expect((await readDocument(builtWith(template), '/doc?_fields=openapi')).body).toEqual({ openapi: '3.1.0' })
})

it('the document is made again if settings leave out routes, or if there is no template', async () => {
  const marked = template.replace('calendar API', 'calendar API, built')
  const { body } = await readDocument(builtWith(marked, { FEATURES: 'feeds' }))
  expect(body.info).toMatchObject({ title: 'Events: calendar API' })
  expect(Object.keys(Object(body.paths))).not.toContain('/webhooks')
  expect((await readDocument(sendWith({}))).body.info).toMatchObject({ title: 'Events: calendar API' })
})
