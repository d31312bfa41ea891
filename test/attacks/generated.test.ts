import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/app.ts'
import { Random } from '../bench/random.ts'
import { type Answer, makePerson, type Person, query, queryValue, send } from '../factories.ts'
import { PARTS } from '../features.ts'
import { type ApiDocument, readDocument, undocumented } from '../kit/docs/documented.ts'
import { openOutbox } from '../outbox.ts'
import { HOSTILE, LARGE } from './hostile.ts'
import {
  badNames,
  create,
  draw,
  expectErrorShape,
  least,
  NAMED_BY,
  PLURALS,
  type Plural,
  toQuery,
} from './requests.ts'

// Every declared route, with every field and parameter, against values that no honest client sends. The seed
// is fixed. No response is a 500, each is one that the document describes, every refusal names the bad
// parameters, and after all writes the lists can still be read to the last page.

const SEED = 9_2026
const VALUES_A_FIELD = 2
const COMBINATIONS = 6
const VALUES_A_PATH = 4
const AT_ONCE = 12

/** Fields that are checked against each other: the error of a bad one may name the other. */
const COMPANIONS: readonly (readonly string[])[] = [
  ['start_date', 'end_date', 'timezone', 'all_day'],
  ['date', 'date_utc', 'status'],
  ['geo_lat', 'geo_lng'],
  ['geoloc_lat', 'geoloc_lng', 'geoloc_radius'],
  ['starts_before', 'starts_after', 'ends_before', 'ends_after', 'start_date', 'end_date'],
  ['validation', 'requests'],
]

/** Several, so that no limit on how fast one user may write is met. */
let admins: Person[]
let document: ApiDocument
beforeAll(async () => {
  document = await readDocument()
  admins = await Promise.all([0, 1, 2, 3].map(i => makePerson(`administrator ${i}`, 'administrator')))
})

const outbox = openOutbox({
  IMPRINT_URL: 'https://town.example/imprint',
  PRIVACY_URL: 'https://town.example/privacy',
})

/** The feature whose routes have a path. */
const attackedAt = (path: string) =>
  PARTS.flatMap(({ attacked = [] }) => attacked).find(attacked =>
    path.replace(/^(\/\w+\/)\d+/, '$1{id}').startsWith(attacked.path),
  )

/**
 * Sends a request whose response must be documented, to a calendar that can send e-mails if a feature needs
 * one.
 */
const sendDocumented: typeof send = async (method, path, sending) => {
  const toOutbox = attackedAt(path)?.sendsMail && { bindings: outbox.bindings }
  const response = await send(method, path, { ...sending, ...toOutbox })
  expect(undocumented(document, method, path, response)).toEqual([])
  return response
}

type Candidate = { title: string; route: (typeof ROUTES)[number] }
const named: readonly Candidate[] = ROUTES.map(route => ({ title: `${route.methods} ${route.path}`, route }))

type Case = {
  method: string
  path: string
  names: readonly string[]
  json?: object
  query?: string
  as?: string
}

const pluralOf = (path: string): Plural | undefined => PLURALS.find(plural => path.split('/')[1] === plural)

let targets = 0
/** A route's path with a resource of its own in it. */
async function addressOf({ title, route: { path } }: Candidate): Promise<string> {
  const plural = pluralOf(path)
  if (path === '/media/{id}') {
    const image = `https://example.org/target-of-${encodeURIComponent(title)}.png`
    const event = await create(admins[0]?.as ?? '', 'events', { ...least('events', title), image })
    return path.replace('{id}', String(event.image.id))
  }
  const ofFeature = attackedAt(path)
  if (ofFeature?.makeRow && /\{(?:id|token)\}/.test(path)) {
    const as = admins[0]?.as ?? ''
    const must = async (method: string, path: string, json: object = {}) =>
      (await send(method, path, { as, json })).body
    return path.replace(/\{(?:id|token)\}/, String(await ofFeature.makeRow({ must, rows: query })))
  }
  if (path === '/duplicates/{id}') {
    const as = admins[0]?.as ?? ''
    const one = await create(as, 'events', least('events', title))
    const other = await create(as, 'events', least('events', title))
    const pair = await queryValue(
      "INSERT INTO twins (first_id, second_id, state, likeness, at_utc) VALUES (?, ?, 'asked', 1, '2026-11-20 12:00:00') RETURNING id",
      one.id,
      other.id,
    )
    return path.replace('{id}', String(pair))
  }
  if (!path.includes('{')) return path
  if (!plural) throw new Error(`${path} needs a row: \`attacked\` of the feature's part.ts`)
  const external_id = `Target ${targets++} of ${title}`
  const isContent = plural === 'events' || plural === 'venues' || plural === 'organizers'
  const fields = { ...least(plural, external_id), ...(isContent && { external_id }) }
  const { id, slug } = await create(admins[0]?.as ?? '', plural, fields)
  return path
    .replace('{id}', String(id))
    .replace('{slug}', String(slug))
    .replace('{external_id}', encodeURIComponent(external_id))
}

/** A source of numbers for each test, so that none depends on another. */
const randomOf = (title: string): Random =>
  new Random([...title].reduce((sum, char) => sum * 31 + char.charCodeAt(0), SEED))

/**
 * Each field alone with some of the values, which each route draws anew, and random combinations of fields.
 */
function* fieldSets(
  random: Random,
  names: readonly string[],
  large: boolean,
): Generator<Record<string, unknown>> {
  for (const name of names) for (const value of draw(random, HOSTILE, VALUES_A_FIELD)) yield { [name]: value }
  for (let i = 0; i < COMBINATIONS; i++)
    yield Object.fromEntries(
      draw(random, names, 1 + random.below(5)).map(name => [name, random.pick(HOSTILE)]),
    )
  if (large) yield { [random.pick(names)]: random.pick(LARGE) }
}

async function expectSound({ method, path, names, json, query, as }: Case): Promise<void> {
  const address = query === undefined ? path : `${path}?${query}`
  const response: Answer = await sendDocumented(method, address, { ...(as && { as }), ...(json && { json }) })
  const told = `${method} ${address.slice(0, 300)} ${JSON.stringify(json)?.slice(0, 300) ?? ''} → ${response.text.slice(0, 300)}`
  const { status } = response
  expect(status, told).not.toBe(429)
  expect(status < 500 || [501, 503].includes(status), told).toBe(true)
  if (status < 400) return
  expectErrorShape(response, told)
  if (response.body.code !== 'rest_invalid_param') return
  const sent = new Set(names.flatMap(name => [name, ...COMPANIONS.filter(set => set.includes(name)).flat()]))
  expect(badNames(response).length, told).toBeGreaterThan(0)
  for (const name of badNames(response)) expect([...sent], told).toContain(name)
}

/** Sends requests, some at once. */
async function sendAll(cases: readonly Case[]): Promise<void> {
  for (let i = 0; i < cases.length; i += AT_ONCE)
    await Promise.all(cases.slice(i, i + AT_ONCE).map(expectSound))
}

const namesOf = (schema: { shape: object } | undefined): string[] => Object.keys(schema?.shape ?? {})

/** One method of those that do the same stands for all; all of them are sent in turn. */
const methodOf = (methods: readonly string[], i: number): string => methods[i % methods.length] ?? 'GET'

describe.each(named.filter(({ route }) => namesOf(route.body).length > 0))('$title', each => {
  const { title, route } = each
  const names = namesOf(route.body)

  it('handles hostile bodies', async () => {
    const path = await addressOf(each)
    const plural = pluralOf(route.path)
    const creates = !route.path.includes('{') && plural !== undefined
    const sets = [...fieldSets(randomOf(title), names, true)]
    const cases = sets.map((fields, i): Case => {
      const json = creates ? { ...least(plural, `Generated ${i} of ${route.path}`), ...fields } : fields
      const as = admins[i % admins.length]?.as
      return { method: methodOf(route.methods, i), path, names: Object.keys(fields), json, ...(as && { as }) }
    })
    await sendAll(cases)
    // Whoever may not write is refused before a body is looked at.
    for (const { method, path, json } of cases.slice(0, route.requires === 'read' ? 8 : 1)) {
      const response = await sendDocumented(method, path, { json })
      if (route.requires !== 'read') expect(response.status).toBe(401)
      else expect(response.status < 500, `${response.status} ${method} ${path}`).toBe(true)
      if (response.status >= 400) expectErrorShape(response, `${method} ${path}`)
    }
  })
})

describe.each(named.filter(({ route }) => namesOf(route.query).length > 0))('$title', each => {
  const { title, route } = each
  const names = namesOf(route.query)

  it('handles hostile queries', async () => {
    const path = await addressOf(each)
    const sets = [...fieldSets(randomOf(title), names, false)]
    const cases = sets.map((fields, i): Case => {
      const query = Object.entries(fields)
        .map(([name, value]) => toQuery(name, value))
        .join('&')
      const as = i % 3 === 0 ? undefined : admins[i % admins.length]?.as
      return {
        method: methodOf(route.methods, i),
        path,
        names: Object.keys(fields),
        query,
        ...(as && { as }),
      }
    })
    await sendAll(cases)
  })
})

const isOnlyPosted = ({ methods }: Candidate['route']) => methods.every(method => method === 'POST')
const withPath = named.filter(({ route }) => route.path.includes('{') && !isOnlyPosted(route))
describe.each(withPath)('$title', ({ title, route }) => {
  it('handles hostile paths', async () => {
    const values = draw(randomOf(title), HOSTILE, VALUES_A_PATH).map(value =>
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    )
    const methods = route.methods.filter(method => method !== 'POST')
    for (const [i, value] of values.entries()) {
      const [, text = ''] = toQuery('x', value).split('=')
      const path = route.path.replace(/\{\w+\}/, text.slice(0, 2_000))
      const as = admins[i % admins.length]?.as ?? ''
      const method = methodOf(methods, i)
      const response = await sendDocumented(method, path, { as, ...(method !== 'GET' && { json: {} }) })
      expect([200, 400, 403, 404, 410, 412, 414], `${method} ${path}`).toContain(response.status)
      if (response.status >= 400) expectErrorShape(response, `${method} ${path}`)
    }
  })
})

describe('every resource', () => {
  it('made of hostile values can be read, sent back and deleted', async () => {
    const [as = ''] = admins.map(({ as }) => as)
    for (const plural of PLURALS) {
      const name = NAMED_BY[plural]
      const texts = HOSTILE.filter((value): value is string => typeof value === 'string')
      for (const text of draw(randomOf(plural), texts, 6)) {
        const json = {
          ...least(plural, `Made ${text}`.slice(0, 1_500)),
          description: text,
          slug: text.slice(0, 150),
        }
        const made = await send('POST', `/${plural}`, { as, json })
        if (made.status !== 201) {
          expect({ status: made.status, plural, text: text.slice(0, 100) }).toEqual({
            status: 400,
            plural,
            text: text.slice(0, 100),
          })
          continue
        }
        const path = `/${plural}/${made.body.id}`
        const read = await send('GET', path, { as })
        const told = `${plural} ${JSON.stringify(text).slice(0, 200)}`
        expect([read.status, read.body[name]], told).toEqual([200, made.body[name]])
        expect((await send('PUT', path, { as, json: read.body })).status, told).toBe(200)
        expect((await send('DELETE', `${path}?force=true`, { as })).status, told).toBe(200)
      }
    }
  })

  it('is in its lists, which everybody can read to the last page', async () => {
    const everything = 'per_page=50&hide_empty=0&start_date=0001-01-01&end_date=9999-12-31'
    for (const plural of PLURALS) {
      const dates = plural === 'events' && { start_date: '2027-01-10', end_date: '2027-01-10' }
      await create(admins[3]?.as ?? '', plural, { [NAMED_BY[plural]]: 'Listed', ...dates })
    }
    for (const as of [undefined, admins[0]?.as])
      for (const plural of PLURALS) {
        let seen = 0
        for (let next = `/${plural}?${everything}`; next; ) {
          const { status, body } = await sendDocumented('GET', next, as ? { as } : {})
          expect([status, JSON.stringify(body).slice(0, 300)], next).toEqual([200, expect.any(String)])
          seen += body[plural].length
          next = body.next_rest_url
          if (!next) expect(seen, plural).toEqual(body.total)
        }
        expect(seen).toBeGreaterThan(0)
      }
  })
})
