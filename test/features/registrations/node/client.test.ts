import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LONG, NODE, SCRIPTS, temporaryFolder } from '../../../commands/spawn.ts'
import { CLIENT, TSC } from '../../../kit/docs/node/client.ts'
import { ROOT } from '../../../kit/docs/node/readme.ts'
import { dayFromNow, declareService } from '../../../service.ts'

const server = declareService(
  {
    MAIL_FROM: 'Mill <events@town.example>',
    IMPRINT_URL: 'https://town.example/imprint',
    PRIVACY_URL: 'https://town.example/privacy',
    TIMEZONE: 'UTC',
  },
  { sendsMail: true },
)
const folder = temporaryFolder(afterAll)
const path = (name: string) => join(folder, name)
const run = promisify(execFile)

/** A program of a club that uses the API by its types alone. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { components, paths } from './dist/client/api.d.ts'

const [baseUrl = '', token = '', day = ''] = process.argv.slice(2)
const club = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } })
const anybody = createClient<paths>({ baseUrl })

function must<T>({ data, error }: { data?: T | undefined; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const start_date = day + ' 18:00:00'
const { id } = must(await club.POST('/events', { body: { title: 'Bread', start_date, end_date: day + ' 20:00:00' } }))
const params = { path: { id } }
const settings = must(await club.PUT('/events/{id}/registration', { params, body: { places: 1, question: 'Why?', closes: null } }))
console.log(settings.state, settings.left, settings.taken)

const asked = must(await anybody.POST('/events/{id}/registrations', {
  params, body: { name: 'Ann', email: 'ann@people.example', answer: 'I like it', consent: true },
}))
console.log(asked.state)
const entered = must(await club.POST('/events/{id}/registrations/by-hand', { params, body: { name: 'Ben' } }))
const full = await club.POST('/events/{id}/registrations/by-hand', { params, body: { name: 'Cat' } })
console.log(full.response.status, full.error?.code)

const seen: components['schemas']['Registration'] = must(await anybody.GET('/events/{id}/registration', { params }))
console.log(seen.state, seen.left, 'taken' in seen)

const { registrations, total } = must(await club.GET('/events/{id}/registrations', { params }))
console.log(total, registrations.map(({ name, state, came }) => [name, state, came].join(' ')).join())
const came = must(await club.PATCH('/registrations/{id}', { params: { path: { id: entered.id } }, body: { came: true } }))
console.log(came.name, came.came)
console.log(must(await club.GET('/events/{id}/registrations.csv', { params, parseAs: 'text' })).split('\\r\\n')[1])
console.log((await anybody.GET('/events/{id}/registrations', { params })).response.status)
const left = await club.DELETE('/events/{id}/registration', { params })
console.log(left.response.status, must(await club.DELETE('/events/{id}/registration', { params: { ...params, query: { confirm: 1 } } })).removed)

export async function mistakes() {
  // @ts-expect-error a person has a name
  await anybody.POST('/events/{id}/registrations', { params, body: { email: 'a@b.example', consent: true } })
  // @ts-expect-error a registration is for an event or for a series
  await club.PUT('/events/{id}/registration', { params, body: { scope: 'course' } })
  // @ts-expect-error nobody is given back a place by a state
  await club.PATCH('/registrations/{id}', { params: { path: { id: 1 } }, body: { state: 'waiting' } })
}
`

beforeAll(async () => {
  await run(NODE, [...(SCRIPTS.get('client:types') ?? []), '--out', path('dist/client')], { cwd: ROOT })
  symlinkSync(join(ROOT, 'node_modules'), path('node_modules'))
  writeFileSync(path('package.json'), '{"type": "module"}')
  const compilerOptions = { moduleDetection: 'force', skipLibCheck: true, types: ['node'] }
  writeFileSync(
    path('tsconfig.json'),
    JSON.stringify({ extends: join(CLIENT, 'tsconfig.json'), compilerOptions, include: ['program.ts'] }),
  )
  writeFileSync(path('program.ts'), PROGRAM)
})

it('a program with the typed client compiles, and keeps the list of a course', {
  timeout: LONG,
}, async () => {
  const checked = await run(process.execPath, [TSC, '--project', path('tsconfig.json')]).catch(error => error)
  expect(checked.stdout).toBe('')
  const token = server.password.replaceAll(' ', '')
  const { stdout } = await run(NODE, [path('program.ts'), server.api, token, dayFromNow(30)])
  expect(stdout.trim().split('\n')).toEqual([
    'open 1 0',
    'asked',
    '409 rest_registration_full',
    'waiting 0 false',
    '1 Ben confirmed false',
    'Ben true',
    expect.stringMatching(/^Ben,,1,Has a place,,Yes,20/),
    '401',
    '409 1',
  ])
})
