import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/app.ts'
import { makePerson, query, send } from '../factories.ts'
import { PARTS } from '../features.ts'
import { jsonRequest } from '../kit/http/worker.ts'
import { openOutbox } from '../outbox.ts'
import { API, request } from '../request.ts'

// Where anybody may write, nobody may fill the database from one network, nor send e-mails to whom they like:
// each of these routes ends with a refusal that names its limit, without Cloudflare's own limits. A route
// whose path has a secret can be written by who has it.

const outbox = openOutbox({
  IMPRINT_URL: 'https://town.example/imprint',
  PRIVACY_URL: 'https://town.example/privacy',
  SUBMISSIONS: 'on',
})

/** More than any limit for a network allows. */
const MOST = 60
/** Says “too many”, or that it is closed for all. */
const REFUSED = [429, 503]

const OPEN = ROUTES.filter(
  ({ methods, path, requires }) =>
    requires === 'read' && !methods.includes('GET') && !path.includes('{token}'),
).flatMap(({ methods, path }) => methods.map(method => `${method} ${path}`))

const SAMPLES = new Map(PARTS.flatMap(({ fromStrangers = {} }) => Object.entries(fromStrangers)))

it('every route at which anybody may write has a sample, and there are no others', () => {
  expect([...SAMPLES.keys()].sort()).toEqual([...OPEN].sort())
})

/** The method of a route, and its path with the id of a row that is made for it. */
async function makeTarget(route: string): Promise<{ method: string; path: string }> {
  const [method = '', path = ''] = route.split(' ')
  const { as } = await makePerson(`maker ${++makerCount}`, 'administrator')
  const must = async (verb: string, at: string, json: object = {}) =>
    (await send(verb, at, { as, json })).body
  const attacked = PARTS.flatMap(({ attacked = [] }) => attacked).find(({ path: at }) => path.startsWith(at))
  const id = path.includes('{id}') ? await attacked?.makeRow?.({ must, rows: query }) : undefined
  return { method, path: path.replace('{id}', String(id)) }
}
let makerCount = 0

it.each(OPEN)('%s takes a few from one network, and no more', async route => {
  const { method, path } = await makeTarget(route)
  // Routes of one feature may count together.
  const headers = { 'cf-connecting-ip': `2001:db8:${OPEN.indexOf(route)}:1::1` }
  const statuses: number[] = []
  while (statuses.length < MOST && !REFUSED.includes(statuses.at(-1) ?? 0)) {
    const json = SAMPLES.get(route)?.(statuses.length + 1)
    const response = await send(method, path, {
      headers,
      ...(json && { json }),
      bindings: outbox.bindings,
    })
    statuses.push(response.status)
  }
  expect(statuses.slice(0, -1).every(status => status >= 200 && status < 300)).toBe(true)
  expect(statuses.length).toBeGreaterThan(1)
  expect(REFUSED).toContain(statuses.at(-1))
})

/** The routes at which strangers name an address, each with the name of its parameter. */
const NAMING = [...SAMPLES].flatMap(([route, sample]) =>
  Object.entries(sample(1)).flatMap(([name, value]) =>
    /@/.test(String(value)) ? [[route, name] as const] : [],
  ),
)

describe.each(NAMING)('%s, which takes an address in `%s`', route => {
  const body = () => SAMPLES.get(route)?.(1) ?? {}

  // Otherwise the time that it takes would tell what is known of the address.
  it('sends its e-mail after the response', async () => {
    const { method, path } = await makeTarget(route)
    await query('DELETE FROM registration_counts')
    const steps: string[] = []
    outbox.onSend = async () => void steps.push('sent')
    const context = createExecutionContext()
    const headers = { 'cf-connecting-ip': `2001:db8:a${NAMING.findIndex(([at]) => at === route)}::1` }
    const { status } = await request(
      API + path,
      jsonRequest(method, body(), headers),
      { ...env, ...outbox.bindings },
      context,
    )
    steps.push(`responded ${Math.floor(status / 100)}xx`)
    await waitOnExecutionContext(context)
    expect(steps).toEqual(['responded 2xx', 'sent'])
  })
})
