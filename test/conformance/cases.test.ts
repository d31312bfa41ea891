import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROLES, type Role } from '../../src/lib/roles.ts'
import { type ApiDocument, readDocument, undocumented } from '../docs/documented.ts'
import { API, makeUser, SITE, send } from '../factories.ts'
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

// The steps of a suite build on each other, so a suite is a sequence that starts on an empty database.
describe.each(recorded as Suite[])('$suite', ({ steps }) => {
  const variables: Record<string, unknown> = {}
  const names: Names = new Map()
  const logins = new Map<string, string>()

  beforeAll(async () => {
    await reset()
    await applyD1Migrations(env.DB, env.MIGRATIONS)
    for (const [login, role] of USERS) logins.set(login, await makeUser(login, role))
  })

  async function play(step: Step) {
    const query = step.query ? `?${new URLSearchParams(encode(fill(step.query, variables)))}` : ''
    const form = step.form && new URLSearchParams(encode(fill(step.form, variables)))
    const body = form ?? step.raw
    return send(step.method, `${fill(step.path, variables)}${query}`, {
      ...(step.as && { as: logins.get(step.as) ?? `Basic ${btoa(step.as)}` }),
      ...(step.json !== undefined && { json: fill(step.json, variables) }),
      ...(body !== undefined && { body }),
      ...(step.headers && { headers: step.headers }),
    })
  }

  it.each(steps)('$name: $method $path', async step => {
    const answer = await play(step)
    for (const [name, path] of Object.entries(step.save ?? {})) {
      const id = Number(pick(answer.body, path))
      variables[name] = id
      names.set(`<${name}>`, id)
    }
    const { status, headers = {}, body } = step.expect
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    expect(undocumented(document, step.method, String(fill(step.path, variables)), answer)).toEqual([])
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value)
    expect(differences(body, answer.body, { site: SITE, api: API, names })).toEqual([])
  })
})

it('covers every role', () => {
  expect(USERS.map(([, role]) => role).sort()).toEqual([...ROLES].sort())
})
