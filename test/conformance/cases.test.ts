import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { ROLES, type Role } from '../../src/kit/lib/roles.ts'
import { type Answer, API, makeDatabaseAnew, makeUser, SITE, send } from '../factories.ts'
import { type ApiDocument, readDocument, undocumented } from '../kit/docs/documented.ts'
import { sendTo } from '../request.ts'
import recorded from './cases.json'
import recordedTec from './cases-tec.json'
import { differences, type Names } from './compare.ts'
import { encode, fill, pick, type Step, type Suite } from './replay.ts'

const USERS: [login: string, role: Role][] = [
  ['admin', 'administrator'],
  ['editor', 'editor'],
  ['author', 'author'],
  ['subscriber', 'subscriber'],
  ['contributor', 'contributor'],
]

/** An API that suites are played against: its address, how requests get there, and its document. */
type Target = {
  api: string
  carry: (address: string, init: RequestInit) => Promise<Response>
  headers?: Record<string, string>
  document: ApiDocument
}

/** A running suite: the users' credentials, and what its steps have saved so far. */
type Play = { target: Target; logins: Map<string, string>; variables: Record<string, unknown>; names: Names }

async function begin(target: Target): Promise<Play> {
  await makeDatabaseAnew()
  const logins = new Map<string, string>()
  for (const [login, role] of USERS) logins.set(login, await makeUser(login, role))
  return { target, logins, variables: {}, names: new Map() }
}

async function sendStep(step: Step, { target, logins, variables }: Play): Promise<Answer> {
  const query = step.query ? `?${new URLSearchParams(encode(fill(step.query, variables)))}` : ''
  const form = step.form && new URLSearchParams(encode(fill(step.form, variables)))
  const body = form ?? step.raw
  const sending = {
    ...(step.as && { as: logins.get(step.as) ?? `Basic ${btoa(step.as)}` }),
    ...(step.json !== undefined && { json: fill(step.json, variables) }),
    ...(body !== undefined && { body }),
    headers: {
      ...(step.ack !== false && target.headers),
      ...(step.ack && { [EEA]: step.ack }),
      ...step.headers,
    },
  }
  const path = `${fill(step.path, variables)}${query}`
  return send(step.method, target.api + path, sending, target.carry)
}

/** Runs a step, saves what later ones need, and returns the differences from the recorded response. */
async function play(step: Step, current: Play): Promise<string[]> {
  const { target, variables, names } = current
  const answer = await sendStep(step, current)
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const id = Number(pick(answer.body, path))
    variables[name] = id
    names.set(`<${name}>`, id)
  }
  const { status, headers = {}, body } = step.expect
  if (answer.status !== status)
    return [`status: wanted ${status}, got ${answer.status} ${JSON.stringify(answer.body)}`]
  const totals = Object.entries(headers ?? {}).filter(([name, value]) => headerOf(answer, name) !== value)
  const path = String(fill(step.path, variables))
  return [
    ...(path.includes('..') ? [] : undocumented(target.document, step.method, path, answer)),
    ...totals.map(([name, value]) => `${name}: wanted ${value}, got ${headerOf(answer, name)}`),
    ...differences(body ?? '<any>', answer.body, { site: SITE, api: target.api, names }),
  ]
}

/** A header, or as `link-next` and `link-prev` the number of the page that a link leads to. */
function headerOf({ headers }: Answer, name: string): string | null {
  const rel = /^link-(next|prev)$/.exec(name)?.[1]
  if (!rel) return headers.get(name)
  const [, address] = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '') ?? []
  return address === undefined ? null : (new URL(address).searchParams.get('page') ?? '1')
}

async function wrongSteps({ steps }: Suite, target: Target): Promise<string[]> {
  const current = await begin(target)
  const wrong: string[] = []
  for (const step of steps) {
    const found = await play(step, current)
    wrong.push(...found.map(text => `${step.name}: ${step.method} ${step.path}: ${text}`))
  }
  return wrong
}

// The steps of a suite build on each other, so a suite is one test, which reports every wrong step.
it.each(recorded as Suite[])('the responses of the suite $suite are as recorded', async suite => {
  const document = await readDocument()
  const carry = (address: string, init: RequestInit) => exports.default.fetch(address, init)
  expect(await wrongSteps(suite, { api: API, carry, document })).toEqual([])
})

const TEC = `${SITE}/wp-json/tec/v1`
const EEA = 'x-tec-eea'
const SENTENCE =
  'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. I also understand that I am using this endpoint at my own risk, while support is not provided for it.'

// The cases about the acknowledgement need the setting, and others are the same with it.
it.each(recordedTec as Suite[])(
  'the responses of tec/v1 to the suite $suite are as recorded',
  async suite => {
    const bindings = { TEC_EEA: 'on', NAMESPACE_ALIASES: 'wp-json/tribe/events/v1' }
    const carry = (address: string, init: RequestInit) => sendTo(bindings, address, init)
    const document = await readDocument(`${TEC}/docs`)
    expect(await wrongSteps(suite, { api: TEC, carry, headers: { [EEA]: SENTENCE }, document })).toEqual([])
  },
)

it.each([null, 'word', '', 0, -1, 1.5, true, {}])('%j is not taken for an id', got => {
  const context = () => ({ site: SITE, api: API, names: new Map<string, number>() })
  expect(differences({ id: '<venue#1>' }, { id: got }, context())).toHaveLength(1)
  expect(differences({ id: '<venue#1>' }, { id: 7 }, context())).toEqual([])
})

it('the users of the suites have every role', () => {
  expect(USERS.map(([, role]) => role).sort()).toEqual([...ROLES].sort())
})
