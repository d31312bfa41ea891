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

describe.each(NAMING)('%s, which takes an address in `%s`', (route, name) => {
  const body = () => SAMPLES.get(route)?.(1) ?? {}

  // Otherwise the time that it takes would tell what is known of the address.
  it('sends its e-mail after the response', async () => {
    const { method, path } = await makeTarget(route)
    await query('DELETE FROM limit_counts')
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

  // Each of them is delivered to a mailbox that has another address as well.
  it.each([
    ['full-width letters', 'v@\uFF47mail.com'],
    ['a full-width letter within', 'v@g\uFF4Dail.com'],
    ['a full-width top-level domain', 'v@gmail.\uFF43om'],
    ['an ideographic full stop', 'v@gmail\u3002com'],
    ['a soft hyphen', 'v@gm\u00ADail.com'],
    ['a zero-width space', 'v@gm\u200Bail.com'],
    ['a word joiner', 'v@gm\u2060ail.com'],
    ['a variation selector', 'v@gmail\uFE0F.com'],
    ['a Kelvin sign', 'v@mail.\u212Aiwi'],
    ['a dot at the end', 'v@gmail.com.'],
    ['letters of other scripts before the sign', '\u0432\u0430\u0441\u044F@mail.example'],
    ['a comment', 'v(home)@gmail.com'],
    ['quotation marks', '"v"@gmail.com'],
    ['a literal', 'v@[192.0.2.1]'],
  ])('refuses %s', async (_, address) => {
    const { method, path } = await makeTarget(route)
    const json = { ...body(), [name]: address }
    const { status, body: refusal } = await send(method, path, { json, bindings: outbox.bindings })
    expect([status, Object.keys(refusal.data.params)]).toEqual([400, [name]])
  })
})
