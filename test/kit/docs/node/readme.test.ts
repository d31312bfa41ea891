import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { parse } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingsOf, type Vars } from '../../../../src/kit/settings.ts'
import { runNamed } from '../../../commands/commands.ts'
import { freePort, LONG, NODE, SCRIPTS, temporaryFolder } from '../../../commands/spawn.ts'
import { listen } from '../../../listen.ts'
import { askAsOwner, declareService } from '../../../service.ts'
import { VARS } from '../../../vars.ts'
import { CLIENT, TSC } from './client.ts'
import { blocks, calls, optionsIn, optionsInTable, PAGES, ROOT, recipes, section, TEXT } from './readme.ts'

// The commands and programs of the README and of its pages, run on the sample calendar in the order in which
// they stand there.

const server = declareService({ ALLOW_PRIVATE_HOSTS: 'on' })
let runner: Awaited<ReturnType<typeof listen>>
const folder = temporaryFolder(afterAll)
const path = (name: string) => join(folder, name)

beforeAll(async () => {
  runner = await listen(() => async (request, response) => {
    const args = (await text(request)).split('\0').slice(0, -1)
    const [name = '', ...rest] = args
    const { code, stdout, stderr } = await runNamed(name, [...rest, '--persist-to', server.state])
    response.writeHead(code === 0 ? 200 : 500).end(stdout + stderr)
  })
})
afterAll(() => runner.close())

const run = promisify(execFile)

/** What the README says, for the server of this test. */
const here = (text: string): string =>
  text
    .replaceAll('http://localhost:8787', new URL(server.api).origin)
    .replace(/"admin:xxxxx[x ]*"/, `"admin:${server.password}"`)
    .replace('--out backup', `--out ${path('backup')}`)

// Wraps curl: keeps each response and its status.
const CURL = `#!/bin/sh
call="$CALLS/$(printf %03d "$(ls "$CALLS" | wc -l)")"
"$CURL" --silent --show-error --write-out '%{stderr}%{http_code}' "$@" 2>"$call.status" | tee "$call.body"
`
// Replaces npm, which takes half a second to start, as does the command: this process runs what `npm run`
// names, on the server's database.
const NPM = `#!/usr/bin/env bash
test "$1 $3" = 'run --' && printf '%s\\0' "$2" "\${@:4}" |
  "$CURL" --silent --show-error --fail-with-body --data-binary @- "$RUNNER"
`

/** Runs commands in one shell. @returns what they printed */
async function shell(commands: string): Promise<string> {
  const shims = path('shims')
  mkdirSync(shims, { recursive: true })
  mkdirSync(path('calls'), { recursive: true })
  for (const [name, script] of [
    ['curl', CURL],
    ['npm', NPM],
  ] as const) {
    writeFileSync(join(shims, name), script)
    chmodSync(join(shims, name), 0o755)
  }
  const script = `set -euo pipefail
    export CURL=$(command -v curl) PATH="$SHIMS:$PATH"
    ${here(commands)}`
  const env = { ...process.env, SHIMS: shims, CALLS: path('calls'), RUNNER: runner.address }
  return (await run('bash', ['-c', script], { env, cwd: folder, maxBuffer: 2 ** 26 })).stdout
}

/** The JSON of a response, which may have its headers before it. */
const bodyOf = (text: string): { total?: number; [name: string]: unknown } =>
  JSON.parse(text.match(/^\{.*/ms)?.[0] ?? '{}')

describe('the commands of the README', () => {
  it('all get what they ask for: no error, no empty list', { timeout: LONG }, async () => {
    const commands = [...blocks('Five minutes with curl', 'sh'), ...recipes('sh')].join('\n')
    await shell(commands)
    const files = readdirSync(path('calls'))
    const responses = files
      .filter(name => name.endsWith('.body'))
      .map(name => ({
        status: Number(readFileSync(path(`calls/${name.replace('body', 'status')}`), 'utf8').slice(-3)),
        body: bodyOf(readFileSync(path(`calls/${name}`), 'utf8')),
      }))
    expect(responses).toHaveLength(commands.match(/(?<!# .*)\bcurl /g)?.length ?? 0)
    const lists = responses.filter(({ body }) => body.total !== undefined)
    expect(lists.length).toBeGreaterThan(10)
    for (const { body } of lists) expect(Object.values(body)[0]).not.toEqual([])
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter(status => status === 304)).toHaveLength(1)
    expect(statuses.filter(status => status !== 304 && (status < 200 || status > 299))).toEqual([])
  })

  it('export a backup, which can be imported', { timeout: LONG }, async () => {
    await shell(blocks('Exporting', 'sh').join('\n'))
    expect(await shell(`npm run import -- ${path('backup')} --dry-run`)).toMatch(/events +\d+/)
  })
})

describe('the programs of the README', () => {
  beforeAll(async () => {
    const types = [...(SCRIPTS.get('client:types') ?? []), '--out', path('dist/client')]
    expect((await run(NODE, types, { cwd: ROOT })).stdout).toContain('api.d.ts')
    symlinkSync(join(ROOT, 'node_modules'), path('node_modules'))
    writeFileSync(path('package.json'), '{"type": "module"}')
    // The types of the protocol's client want those of Node.
    const compilerOptions = { moduleDetection: 'force', skipLibCheck: true }
    const config = { extends: join(CLIENT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
    writeFileSync(path('tsconfig.json'), JSON.stringify(config))
    for (const [name, program = ''] of PROGRAMS) writeFileSync(path(`${name}.ts`), here(program))
    const program = readFileSync(join(CLIENT, 'program.ts'), 'utf8')
    writeFileSync(path('program.ts'), program.replace('../../dist', './dist'))
  })

  const PROGRAMS = [
    ['paging', recipes('ts')[0], /^[1-9]\d* events\n$/],
    ['errors', recipes('ts')[1], /^400 rest_invalid_param .*\npage → .*\nvenue → there is no venue 99999\n/],
    ['copy', recipes('ts')[2], /^[1-9]\d* events\n$/],
    [
      'agent',
      blocks('An agent that knows the calendar', 'ts')[0],
      /^search_events, .*\n[1-9]\d* events?, .*- .*Market/s,
    ],
    [
      'client',
      blocks('Documentation that cannot drift, and a typed client', 'ts')[0],
      /^(20\d\d-\d\d-.* .+\n)+$/,
    ],
  ] as const

  it('compile, and one that uses the types of the API alone', async () => {
    const checked = await run(process.execPath, [TSC, '--project', path('tsconfig.json')]).catch(
      error => error,
    )
    expect(checked.stdout).toBe('')
  })

  it.each(PROGRAMS)('%s runs', async (name, _, printed) => {
    expect((await run(NODE, [path(`${name}.ts`)])).stdout).toMatch(printed)
  })

  it('are all tried here', () => {
    expect(TEXT.match(/^```ts$/gm)).toHaveLength(PROGRAMS.length)
  })

  it('the typed one says what is wrong', async () => {
    writeFileSync(path('wrong.ts'), here(PROGRAMS.at(-1)?.[1] ?? '').replace("'every-week'", "'no-such-tag'"))
    const { stderr } = await run(NODE, [path('wrong.ts')]).catch(error => error)
    expect(stderr).toContain('{"tags":"there is no tag no-such-tag"}')
  })
})

describe('the relay', () => {
  it('posts each new event to a chat, and of a series the first date, once', { timeout: LONG }, async () => {
    const chat: string[] = []
    const { address, close } = await listen(() => async (request, response) => {
      chat.push(JSON.parse(await text(request)).text)
      response.end()
    })
    const port = await freePort()
    writeFileSync(path('relay.mjs'), blocks('A chat message for each new event', 'mjs')[0] ?? '')
    const ask = askAsOwner(server)
    const made = await ask<{ id: number; secret: string }>('POST', '/webhooks', {
      url: `http://127.0.0.1:${port}/`,
      events: ['event.published'],
    })
    const env = { ...process.env, SECRET: made.secret, CHAT: address, PORT: String(port) }
    const relay = spawn(NODE, [path('relay.mjs')], { env, stdio: 'ignore' })
    try {
      const isUp = async () =>
        (await ask<{ state: string }>('POST', `/webhooks/${made.id}/test`)).state === 'delivered'
      while (!(await isUp())) await new Promise(resolve => setTimeout(resolve, 50))
      const event = { start_date: '2027-05-05 20:00', end_date: '2027-05-05 22:00' }
      await ask('POST', '/events', { ...event, title: 'Told in the <3 chat &amp;lt;' })
      const recurrence = { rrule: 'FREQ=DAILY;COUNT=3' }
      await ask('POST', '/events', { ...event, title: 'Told once', recurrence })
      const published = async () =>
        (
          await ask<{ deliveries: { type: string; state: string }[] }>(
            'GET',
            `/webhooks/${made.id}/deliveries?per_page=100`,
          )
        ).deliveries.filter(({ type, state }) => type === 'event.published' && state === 'delivered')
      while ((await published()).length < 4) await new Promise(resolve => setTimeout(resolve, 50))
      expect(chat.sort()).toEqual([
        expect.stringMatching(
          /^Told in the <3 chat &lt;, 2027-05-05 20:00:00: http.*\/event\/told-in-the-3-chat[^/]*\/$/,
        ),
        expect.stringMatching(
          /^Told once, 2027-05-0[567] 20:00:00: http.*\/event\/told-once\/2027-05-0[567]\/$/,
        ),
      ])
    } finally {
      relay.kill()
      await close()
    }
  })
})

const OFF_EVENT = {
  title: 'Cats <3 Dogs',
  start_date: '2027-05-06 20:00',
  end_date: '2027-05-06 22:00',
  event_status: 'canceled',
}

describe('the map', () => {
  const FIELD = { geo_lat: 53.5, geo_lng: -7.5 }
  // Neither Leaflet nor a document are here: what they get is all that matters.
  const STAND_INS = `
    const markers = [], bounds = []
    const created = () => ({
      inner: [],
      append(child) { this.inner.push(child) },
      appendChild(child) { this.append(child); return child },
    })
    globalThis.document = { createElement: created }
    globalThis.L = {
      map: () => ({ setView() {}, fitBounds: shown => bounds.push(...shown) }),
      tileLayer: () => ({ addTo() {} }),
      marker: at => ({
        addTo() { return this },
        bindPopup: ({ inner }) => markers.push({ at, links: inner.flatMap(item => item.inner) }),
      }),
    }
    process.on('exit', () => console.log(JSON.stringify({ markers, bounds })))
  `
  type Shown = {
    markers: { at: number[]; links: { href: string; textContent: string }[] }[]
    bounds: number[][]
  }

  async function shownBy(filter: string): Promise<Shown> {
    const [page = ''] = blocks('A map', 'html')
    const [, program = ''] = /<script type="module">(.*?)<\/script>/s.exec(page) ?? []
    writeFileSync(path('map.mjs'), STAND_INS + here(program).replace('per_page=100', `per_page=4${filter}`))
    return JSON.parse((await run(NODE, [path('map.mjs')])).stdout)
  }

  it('shows events of all pages at their places, each with a link', async () => {
    await askAsOwner(server)('POST', '/events', { ...OFF_EVENT, venue: { venue: 'Field', ...FIELD } })
    const { markers, bounds } = await shownBy('')
    const { total } = bodyOf(await shell(`curl '${server.api}/events.geojson?happening=now&per_page=1'`))
    expect(total).toBeGreaterThan(4)
    expect(markers.length).toBeLessThan(Number(total))
    expect(new Set(markers.map(({ at }) => at.join())).size).toBe(markers.length)
    const links = markers.flatMap(marker => marker.links)
    expect({ links: links.length, bounds: bounds.length }).toEqual({ links: total, bounds: total })
    for (const { href, textContent } of links) {
      expect(href).toMatch(/\/event\//)
      expect(textContent).toMatch(/.+, 20\d\d-\d\d-\d\d \d\d:\d\d$/)
    }
    const { links: there = [] } = markers.find(({ at: [lat] }) => lat === FIELD.geo_lat) ?? {}
    expect(there.map(({ textContent }) => textContent)).toContain('Cancelled: Cats <3 Dogs, 2027-05-06 20:00')
  })

  it('shows a map even if nothing is on', async () => {
    expect(await shownBy('&search=nothing-is-called-like-this')).toEqual({ markers: [], bounds: [] })
  })
})

describe('the programs for other calendars', () => {
  // The packages are not installed here: what they get is all that matters.
  const STAND_INS = `
    let options
    const dayGrid = {}, createViewMonthGrid = () => ({})
    globalThis.document = { querySelector: () => null }
    globalThis.Calendar = class { constructor(_, given) { options = given } render() {} }
    const createCalendar = given => { options = given; return { render() {} } }
  `
  const PROGRAMS = [
    [
      'FullCalendar',
      "await options.events({ startStr: '2027-01-01T00:00:00-05:00', endStr: '2027-12-31T00:00:00-05:00' })",
    ],
    [
      'Schedule-X',
      `await options.callbacks.fetchEvents({
        start: Temporal.ZonedDateTime.from('2027-01-01T00:00:00[UTC]'),
        end: Temporal.ZonedDateTime.from('2027-12-31T00:00:00[UTC]'),
      })`,
    ],
  ] as const

  it.each(PROGRAMS)(
    '%s shows events of all pages, at local times, and what is cancelled as such',
    async (name, shown) => {
      const program = blocks('On other sites', 'js')[PROGRAMS.findIndex(([one]) => one === name)] ?? ''
      expect(program).toContain('per_page')
      const text = here(program)
        .replace(/^import (?!'temporal).*$/gm, '')
        .replaceAll('https://calendar.example.org', new URL(server.api).origin)
        .replace(/(per_page(: |=))100/, '$13')
      writeFileSync(path('shown.mjs'), `${STAND_INS}${text}\nconsole.log(JSON.stringify(${shown}))`)
      await askAsOwner(server)('POST', '/events', { ...OFF_EVENT, timezone: 'Europe/Dublin' })
      const period = name === 'FullCalendar' ? '2027-01-01/2027-12-31' : '2027-01-01T00:00Z/2027-12-31T00:00Z'
      const { total } = bodyOf(await shell(`curl '${server.api}/events?happening=${period}&per_page=1'`))
      expect(total).toBeGreaterThan(6)
      const env = { ...process.env, TZ: 'America/New_York' }
      const events: unknown[] = JSON.parse((await run(NODE, [path('shown.mjs')], { env })).stdout)
      expect(events).toHaveLength(Number(total))
      const start = expect.stringMatching(/^2027-05-06T20:00:00(\+01:00\[Europe\/Dublin\])?$/)
      expect(events).toContainEqual(expect.objectContaining({ title: 'Cancelled: Cats <3 Dogs', start }))
    },
  )

  it('a page writes as the one of the recipe does', async () => {
    const [program = ''] = blocks('Writing from a page on another origin', 'js')
    const text = program.replace('https://calendar.example.org', new URL(server.api).origin)
    const account = `const [login, password] = ['admin', ${JSON.stringify(server.password)}]`
    writeFileSync(path('written.mjs'), `${account}\n${text}\nconsole.log(response.status)`)
    expect((await run(NODE, [path('written.mjs')])).stdout).toBe('201\n')
  })

  it('are all tried here', () => {
    // And that page.
    expect(TEXT.match(/^```js$/gm)).toHaveLength(PROGRAMS.length + 1)
  })
})

describe('what the README says', () => {
  const helps = new Map<string, Promise<string>>()
  function helpOf(name: string): Promise<string> {
    const help = helps.get(name) ?? runNamed(name, ['--help']).then(({ stdout }) => stdout)
    helps.set(name, help)
    return help
  }

  it('of options is what the commands know, which answer others in one line', {
    timeout: LONG,
  }, async () => {
    const used = Map.groupBy(calls(), call => call.script)
    expect(used.size).toBeGreaterThan(7)
    // Also those that these pages only name.
    for (const name of SCRIPTS.keys()) {
      const help = await helpOf(name)
      const wrong = await runNamed(name, ['--no-such-option'])
      const options = (used.get(name) ?? []).flatMap(call => call.options)
      expect(help, `npm run ${name}`).not.toBe('')
      expect(optionsIn(help), `npm run ${name}`).toEqual(expect.arrayContaining(options))
      expect(wrong.code, name).toBe(2)
      expect(wrong.stderr.trim()).toMatch(/^Unknown option '--[\w-]+'.*$/)
    }
  })

  it.each([
    ['import', 'Importing'],
    ['export', 'Exporting'],
    ['bench', 'How fast'],
  ])('of npm run %s names every option', async (script, heading) => {
    const options = optionsIn(await helpOf(script)).filter(option => option !== '--help')
    expect([...new Set(optionsInTable(heading))].sort()).toEqual([...new Set(options)].sort())
  })

  it('of settings names every var, and its block for production is complete', () => {
    const names = [...section('Settings').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
    expect(names.sort()).toEqual(Object.keys(VARS).sort())
    const [toml = ''] = blocks('Settings', 'toml')
    // The block has these tables; settingsOf checks what is in them.
    const { vars, env } = parse(toml) as unknown as { vars: Vars; env: { production: { vars: Vars } } }
    expect(Object.keys(env.production.vars)).toEqual(expect.arrayContaining(Object.keys(vars)))
    expect(settingsOf(env.production.vars).timezone).toBe('Europe/Dublin')
  })

  it('leads to files that are there', () => {
    const targets = [...PAGES].flatMap(([path, text]) =>
      [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([\w-]+))?\)/g)].map(([, file = '', anchor]) => ({
        file: file ? join(ROOT, dirname(path), file) : join(ROOT, path),
        anchor,
      })),
    )
    expect(targets.length).toBeGreaterThan(10)
    const anchorsOf = (file: string) =>
      [...readFileSync(file, 'utf8').matchAll(/^##* (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      )
    const lost = targets.filter(
      ({ file, anchor }) => !existsSync(file) || (anchor && !anchorsOf(file).includes(anchor)),
    )
    expect(lost).toEqual([])
  })
})
