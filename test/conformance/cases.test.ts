import { exports } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { ROLES, type Role } from '../../src/lib/roles.ts'
import { type ApiDocument, readDocument, undocumented } from '../api/docs/documented.ts'
import { type Answer, API, makeDatabaseAnew, makeUser, SITE, send } from '../factories.ts'
import recorded from './cases.json'
import { differences, type Names } from './compare.ts'
import { encode, fill, pick, type Step, type Suite } from './replay.ts'

const USERS: [login: string, role: Role][] = [
  ['admin', 'administrator'],
  ['editor', 'editor'],
  ['author', 'author'],
  ['subscriber', 'subscriber'],
  ['contributor', 'contributor'],
]

let document: ApiDocument
beforeAll(async () => {
  document = await readDocument()
})

/** A running suite: the users' credentials, and what its steps have saved so far. */
type Play = { logins: Map<string, string>; variables: Record<string, unknown>; names: Names }

async function begin(): Promise<Play> {
  await makeDatabaseAnew()
  const logins = new Map<string, string>()
  for (const [login, role] of USERS) logins.set(login, await makeUser(login, role))
  return { logins, variables: {}, names: new Map() }
}

async function sendStep(step: Step, { logins, variables }: Play): Promise<Answer> {
  const query = step.query ? `?${new URLSearchParams(encode(fill(step.query, variables)))}` : ''
  const form = step.form && new URLSearchParams(encode(fill(step.form, variables)))
  const body = form ?? step.raw
  const sending = {
    ...(step.as && { as: logins.get(step.as) ?? `Basic ${btoa(step.as)}` }),
    ...(step.json !== undefined && { json: fill(step.json, variables) }),
    ...(body !== undefined && { body }),
    ...(step.headers && { headers: step.headers }),
  }
  const path = `${fill(step.path, variables)}${query}`
  return send(step.method, path, sending, (address, init) => exports.default.fetch(address, init))
}

/** Runs a step, saves what later ones need, and returns the differences from the recorded response. */
async function play(step: Step, current: Play): Promise<string[]> {
  const { variables, names } = current
  const answer = await sendStep(step, current)
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const id = Number(pick(answer.body, path))
    variables[name] = id
    names.set(`<${name}>`, id)
  }
  const { status, headers = {}, body } = step.expect
  if (answer.status !== status)
    return [`status: wanted ${status}, got ${answer.status} ${JSON.stringify(answer.body)}`]
  const totals = Object.entries(headers).filter(([name, value]) => answer.headers.get(name) !== value)
  return [
    ...undocumented(document, step.method, String(fill(step.path, variables)), answer),
    ...totals.map(([name, value]) => `${name}: wanted ${value}, got ${answer.headers.get(name)}`),
    ...differences(body, answer.body, { site: SITE, api: API, names }),
  ]
}

// The steps of a suite build on each other, so a suite is one test, which reports every wrong step.
it.each(recorded as Suite[])('the responses of the suite $suite are as recorded', async ({ steps }) => {
  const current = await begin()
  const wrong: string[] = []
  for (const step of steps) {
    const found = await play(step, current)
    wrong.push(...found.map(text => `${step.name}: ${step.method} ${step.path}: ${text}`))
  }
  expect(wrong).toEqual([])
})

it('the users of the suites have every role', () => {
  expect(USERS.map(([, role]) => role).sort()).toEqual([...ROLES].sort())
})
