import { once } from 'node:events'
import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { addUser } from '../../src/calendar/users/users.ts'
import { targetOf } from '../../src/commands/arguments.ts'
import { serveLocally } from '../../src/commands/dev.ts'
import { exportCommand } from '../../src/commands/export.ts'
import { importCommand } from '../../src/commands/import.ts'
import { openCalendar, openLocal } from '../../src/commands/lean-database.ts'
import {
  loadSample,
  SAMPLE_CATEGORIES,
  SAMPLE_EVENTS,
  SAMPLE_SIZE,
  sampleDates,
} from '../../src/commands/load-sample.ts'
import { manageUsers } from '../../src/commands/user.ts'
import { PROJECT_CONFIG } from '../../src/commands/wrangler.ts'
import { many } from '../../src/kit/db/query.ts'
import { addDays } from '../../src/kit/lib/time.ts'
import { NAMESPACE, settingsOf } from '../../src/kit/settings.ts'
import { importOption } from '../environment.ts'
import { migrateFolder, openMigrated } from '../migrated.ts'
import {
  ended,
  freePort,
  killGroup,
  LONG,
  PROJECT,
  type Running,
  run,
  runHere,
  start,
  temporaryFolder,
} from './spawn.ts'

const folder = temporaryFolder(afterAll)

/**
 * Starts the service on the folder, and waits until it responds and has printed so.
 *
 * @param meanwhile what has to happen before it can respond
 */
async function serve(
  options: readonly string[],
  variables: NodeJS.ProcessEnv,
  cwd = PROJECT,
  meanwhile: (base: string) => Promise<void> = async () => {},
) {
  const port = await freePort()
  const common = ['--port', String(port), '--persist-to', folder]
  const running = start('dev', [...common, ...options], variables, cwd)
  const base = `http://localhost:${port}/${NAMESPACE}`
  await meanwhile(base)
  await waitUntilReady(base, running)
  await waitForOutput(running, /^API /m)
  return { running, base }
}

/** There is no such program: the service does not start. */
const WITHOUT_WRANGLER = { WRANGLER_SCRIPT: join(PROJECT, 'no-wrangler.js') }

/** Waits until a text is printed. */
const waitForOutput = (running: Running, text: RegExp) =>
  vi.waitFor(() => expect(running.stdout).toMatch(text), { timeout: LONG, interval: 50 })

async function waitUntilReady(base: string, running: Running): Promise<void> {
  for (const deadline = Date.now() + LONG; Date.now() < deadline; ) {
    if (running.process.exitCode !== null) break
    const response = await fetch(`${base}/tags`).catch(() => undefined)
    if (response?.ok) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`The service did not start:\n${running.stdout}\n${running.stderr}`)
}

async function stop(running: Running): Promise<void> {
  running.process.kill('SIGTERM')
  await ended(running)
}

const PASSWORD = /^Password +((?:\w{5} ?){8})/m

function passwordIn({ stdout }: Running): string {
  const [, password = ''] = stdout.match(PASSWORD) ?? []
  expect(password).not.toBe('')
  return password
}

/**
 * The password must not scroll away: wrangler's own news come before it, and the sample is loaded quietly.
 */
function expectPasswordLast({ stdout }: Running): void {
  const lines = stdout.split('\n').map(line => line.split('  ')[0])
  const password = lines.indexOf('Password')
  expect(lines.findIndex(line => line?.includes('Ready on'))).toBeLessThan(password)
  expect(lines[password + 1]).toBe('Sample')
  expect(stdout).not.toContain('"method":"POST"')
}

/** The events of the sample that lists have: some parts of the festival stand in its programme only. */
const LISTED =
  SAMPLE_SIZE -
  SAMPLE_EVENTS.flatMap(({ parts = [] }) => parts).filter(({ fields }) => 'hide_from_listings' in fields)
    .length

/** The parameters of a list of all events, past ones as well. */
const EVER = '?start_date=2020-01-01&per_page=1'

type List = { total: number; [resource: string]: unknown }

const list = async (address: string, authorization?: string): Promise<List> => {
  const response = await fetch(address, { headers: authorization ? { authorization } : {} })
  expect(response.status).toBe(200)
  // Every list has a total and its resource.
  return (await response.json()) as List
}

/** Everything that the sample consists of; addresses differ between starts, for each has its port. */
async function everything(base: string, authorization: string) {
  const resources = ['events', 'venues', 'organizers', 'categories', 'tags']
  const lists = resources.map(name => list(`${base}/${name}?per_page=100&hide_empty=false`, authorization))
  return JSON.stringify(await Promise.all(lists)).replaceAll(new URL(base).host, 'host')
}

const COPIED = ['src', 'drizzle', 'package.json', 'tsconfig.json', 'wrangler.toml']

/** A copy of the project, whose source and migrations can be changed. @returns its folder */
async function copyOfProject(): Promise<string> {
  const copy = temporaryFolder(onTestFinished)
  for (const name of COPIED) await cp(join(PROJECT, name), join(copy, name), { recursive: true })
  await symlink(join(PROJECT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

// The processes that start the service have a clock that stands two seconds before a minute: nobody waits for
// the real one.
const CLOCK = 'const at = Math.ceil(Date.now() / 60_000) * 60_000 - 2_000; Date.now = () => at'
const AT_A_MINUTE = {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=data:text/javascript,${encodeURIComponent(CLOCK)}`,
}

/** The link that is printed signs in to the editor, by its button. */
async function expectEditor({ stdout }: Running, base: string): Promise<void> {
  const link = stdout.match(/^Editor +(\S+)/m)?.[1] ?? ''
  const page = await fetch(link)
  const token = (await page.text()).match(/name="_token" value="([^"]+)"/)?.[1] ?? ''
  const cookies = (response: Response) => response.headers.getSetCookie().map(set => set.split(';')[0] ?? '')
  const signedIn = await fetch(link, {
    method: 'POST',
    headers: { cookie: cookies(page).join('; '), origin: new URL(base).origin },
    body: new URLSearchParams({ _token: token }),
    redirect: 'manual',
  })
  const session = cookies(signedIn)
    .filter(set => set.startsWith('session='))
    .join()
  const editor = await fetch(new URL('/admin/', base), { headers: { cookie: session }, redirect: 'manual' })
  expect([signedIn.status, editor.status]).toEqual([303, 200])
}

/** The pages for people and the documentation get their static files from wrangler. */
async function expectPages(base: string): Promise<void> {
  for (const [page, files] of [
    [new URL('/events/', base).href, /(?:href|src)="([^"]*\/_site\/[^"]*)"/g],
    [new URL('/admin/sign-in/', base).href, /(?:href|src)="([^"]*\/_(?:admin|site)\/[^"]*)"/g],
    [`${base}/doc`, /(?:href|src)="([^"]*\/_docs\/[^"]*)"/g],
  ] as const) {
    const html = await (await fetch(page, { headers: { accept: 'text/html' } })).text()
    const addresses = [...html.matchAll(files)].map(([, address = '']) => new URL(address, page))
    expect(addresses.length).toBeGreaterThan(1)
    for (const address of addresses) expect((await fetch(address)).status, address.href).toBe(200)
  }
}

/** The service responds with a status. */
const respondsWith = (status: number, base: string) =>
  vi.waitFor(
    async () => {
      const { status: received } = await fetch(`${base}/tags`, { signal: AbortSignal.timeout(20_000) })
      expect(received).toBe(status)
    },
    { timeout: LONG, interval: 200 },
  )

/**
 * Expects the service to report the broken source in the form that the client reads, and then repairs the
 * source.
 */
async function expectMessage(base: string, file: string, source: string): Promise<void> {
  await respondsWith(503, base)
  const textFor = async (accept: string) => (await fetch(`${base}/tags`, { headers: { accept } })).text()
  const { data } = JSON.parse(await textFor('*/*'))
  const line = source.split('\n').length
  const message = 'Expected identifier but found "="'
  const name = expect.stringMatching(/mount\.ts$/)
  expect(data).toEqual({ status: 503, errors: [{ file: name, line, column: 7, message }] })
  const page = await textFor('text/html')
  expect(page).toMatch(/^The calendar does not compile\.\n/)
  expect(page).toContain(`mount.ts:${line}:7\n  ${message}`)
  await writeFile(file, source)
}

const BROKEN = 'const = 1\n'

/** A change of the source is served without a restart. */
async function expectReload(base: string, file: string): Promise<void> {
  const served = (text: string) =>
    vi.waitFor(async () => expect(await (await fetch(`${base}/nothing`)).text()).toContain(text), {
      timeout: LONG,
      interval: 200,
    })
  const before = 'No route matches this address and method.'
  await served(before)
  const source = await readFile(file, 'utf8')
  expect(source).toContain(before)
  await writeFile(file, source.replace(before, 'There is nothing here.'))
  await served('There is nothing here.')
}

test('a set-up that fails ends it, and says why', async () => {
  const file = join(folder, 'no-folder')
  await writeFile(file, '')
  const { code, stdout, stderr } = await run('dev', [
    '--port',
    String(await freePort()),
    '--persist-to',
    file,
  ])
  expect([code, stderr]).toEqual([1, expect.stringContaining(`The database in ${file} could not be set up.`)])
  expect(stdout).not.toMatch(/Ready|Password/)
})

test('the first start makes an administrator and a calendar, the second changes nothing and serves what is written meanwhile', {
  timeout: LONG,
}, async () => {
  const first = await serve([], AT_A_MINUTE)
  const password = passwordIn(first.running)
  const authorization = `Basic ${btoa(`admin:${password.trim()}`)}`

  expectPasswordLast(first.running)
  const shown = await list(`${first.base}/events${EVER}`)
  expect(shown.total).toBe(LISTED - 1)
  expect((await list(`${first.base}/events${EVER}`, authorization)).total).toBe(LISTED)
  expect((await list(`${first.base}/venues`)).total).toBe(4)
  await expectPages(first.base)
  await expectEditor(first.running, first.base)
  expect((await list(`${first.base}/organizers`)).total).toBe(3)
  const before = await everything(first.base, authorization)
  await waitForOutput(first.running, /"id":"cron"/)
  const { stdout } = await runHere(manageUsers, ['link', 'admin', '--persist-to', folder])
  expect(stdout).toContain(` UTC: ${new URL(first.base).origin}/admin/link/`)
  await stop(first.running)
  const said = first.running.stdout + first.running.stderr
  expect(said).not.toContain('not automatically triggered')
  expect(said).not.toContain('Request.cf')
  // The Worker's line, and none of wrangler's.
  expect(first.running.stdout.match(/^.*\/tags .*\(\d+ms\).*$/gm)).toBeNull()
  expect(first.running.stdout).toContain(`"route":"/${NAMESPACE}/tags"`)
  // Nor does wrangler keep a trace of each request.
  const stores = await readdir(folder, { recursive: true })
  expect(stores.filter(name => /observability/i.test(name))).toEqual([])

  const copy = await copyOfProject()
  const config = join(copy, 'wrangler.toml')
  // At this level wrangler does not say that it is ready.
  const page = join(copy, 'src/site/pages/mount.ts')
  const source = await readFile(page, 'utf8')
  await writeFile(page, source + BROKEN)
  const second = await serve(['--config', config], { WRANGLER_LOG: 'error' }, copy, base =>
    expectMessage(base, page, source),
  )
  expect(second.running.stdout).toContain('npm run user -- password admin')
  expect(second.running.stdout).not.toContain(password)
  expect(await everything(second.base, authorization)).toBe(before)
  await writeFile(join(copy, 'drizzle/9999_later.sql'), 'CREATE TABLE later (id INTEGER);')
  await waitForOutput(second.running, /^Migrations: /m)
  await writeFile(page, source + BROKEN)
  await expectMessage(second.base, page, source)
  await respondsWith(200, second.base)
  await expectReload(second.base, join(copy, 'src/kit/http/error-replies.ts'))
  await stop(second.running)
  const { db, close } = await openCalendar(targetOf({ config, 'persist-to': folder }))
  const later = sql`SELECT name FROM sqlite_master WHERE name = 'later'`
  expect(await db.read(many(later, row => row))).toEqual([{ name: 'later' }])
  await close()
})

test('a set-up that was killed is done again, until its password was shown, even if the service cannot start', {
  timeout: LONG,
}, async () => {
  const other = temporaryFolder(onTestFinished)
  await migrateFolder(other)
  const config = join(await copyOfProject(), 'wrangler.toml')
  const toml = await readFile(config, 'utf8')
  // Static files take no part in this.
  const bare = toml.replace(/^\[(build|assets|alias)\]\n(.+\n)+/gm, '')
  await writeFile(config, bare.replace(/^main = .*$/m, 'main = "no-such-file.ts"'))
  const port = String(await freePort())
  const args = ['--port', port, '--persist-to', other, '--config', config]
  const killedAt = async (KILL_AT: string) => {
    const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${importOption('commands/kill-at.ts')}`
    const running = start('dev', args, { KILL_AT, NODE_OPTIONS, ...WITHOUT_WRANGLER })
    await once(running.process, 'exit')
    killGroup(running.process)
    expect(running.stdout).not.toMatch(/^Password/m)
    expect(await readdir(other)).toContain('setting-up')
  }
  const events = `"method":"POST","route":"/${NAMESPACE}/events","status":201`
  await killedAt(`dev-set-up.ts|${events}|5`)
  await killedAt('dev.ts|Password')
  const running = start('dev', args)
  expect(await ended(running)).toBe(1)
  const headers = { authorization: `Basic ${btoa(`admin:${passwordIn(running).trim()}`)}` }
  expect(running.stdout).not.toContain(`localhost:${port}`)
  expect(await readdir(other)).not.toContain('setting-up')

  const { bindings, context, vars, close } = await openLocal(targetOf({ config, 'persist-to': other }))
  const app = createApp(settingsOf(vars))
  const total = async (path: string) => {
    const response = await app.request(`/${NAMESPACE}/${path}`, { headers }, bindings, context)
    // Every list has a total.
    return ((await response.json()) as List).total
  }
  expect(await total(`events${EVER}`)).toBe(LISTED)
  expect(await total('categories?hide_empty=false')).toBe(SAMPLE_CATEGORIES.length)
  await close()
})

test('a set-up that was killed is not done again in a calendar that was used since', {
  timeout: LONG,
}, async () => {
  const other = temporaryFolder(onTestFinished)
  const interrupted = async () => {
    const calendar = await openMigrated(other)
    await addUser(calendar.db, 'admin', 'administrator')
    await calendar.close()
    await writeFile(join(other, 'setting-up'), '')
  }
  await interrupted()
  const table = join(other, 'own.csv')
  const backup = join(other, 'backup')
  await writeFile(table, 'Title,Date\nFair,2027-06-12\n')
  const at = ['--persist-to', other]
  expect((await runHere(importCommand, [table, ...at])).code).toBe(0)
  const running = start('dev', ['--port', String(await freePort()), ...at], WITHOUT_WRANGLER)
  expect(await ended(running)).toBe(1)
  expect(running.stderr).toContain('The first start was interrupted, and the calendar was used since')
  expect(running.stdout).not.toMatch(/^(Password|Sample)/m)
  expect((await runHere(exportCommand, ['--out', backup, ...at])).stdout).toMatch(/^events +1$/m)

  await rm(join(other, 'v3'), { recursive: true })
  await interrupted()
  expect((await runHere(importCommand, [backup, ...at])).code).toBe(0)
  expect(await readdir(other)).not.toContain('setting-up')
})

test('the sample is in the zone and the currency of the calendar, and names it', async () => {
  const other = temporaryFolder(onTestFinished)
  const calendar = await openMigrated(other)
  onTestFinished(calendar.close)
  const bindings = { ...calendar.bindings, TIMEZONE: 'Europe/Berlin', LANGUAGE: 'de-CH' }
  const { password } = await addUser(calendar.db, 'admin', 'administrator')
  // In Berlin it is Sunday.
  const night = Date.parse('2026-11-28T23:30:00Z')
  const authorization = `Bearer ${password.replaceAll(' ', '')}`
  const order = { authorization, images: 'https://img.example.org/', nowMs: night, hasSettings: true }
  expect(await loadSample({ ...calendar, bindings }, order)).toBe(SAMPLE_SIZE)

  const app = createApp(settingsOf(bindings))
  const ask = (path: string) => app.request(path, {}, bindings, calendar.context)
  // Every list has its resource.
  const { events } = (await (
    await ask(`/${NAMESPACE}/events?per_page=100&start_date=2026-11-29`)
  ).json()) as {
    events: { title: string; timezone: string; cost: string; start_date: string }[]
  }
  expect(
    events.filter(({ timezone }) => timezone !== 'Europe/Berlin').map(({ timezone }) => timezone),
  ).toEqual(['America/Halifax'])
  const walk = events.find(({ title }) => title.startsWith('Sunday Walk'))
  expect(walk?.start_date).toBe('2026-11-29 11:00:00')
  const play = events.find(({ title }) => title.startsWith('The Ferryman'))
  expect(play?.cost).toBe('CHF14 - CHF22')
  const html = await (await ask('/event/weekend-of-fiddles/')).text()
  expect(html).toMatch(/18:00–22:30|18:00 Uhr/)
  expect(html).not.toContain('€')
  const total = async (filter: string) =>
    // Every list has a total.
    ((await (await ask(`/${NAMESPACE}/events?start_date=2026-11-29&${filter}`)).json()) as List).total
  for (const filter of ['canceled', 'rescheduled'].map(status => `event_status=${status}`))
    expect(await total(filter), filter).toBe(1)
  for (const filter of [
    'featured=1',
    'ticket_availability=sold_out',
    'categories=children&is_free=1',
    'tags=exhibition',
  ])
    expect(await total(filter), filter).toEqual(expect.toSatisfy(count => count > 0))
  const list = await (await ask('/events/')).text()
  for (const text of ['What’s on in Kilkenny', 'https://img.example.org/roofs.svg'])
    expect(list).toContain(text)
})

/**
 * Starts the service in a way in which it refuses to.
 * @returns what it said in one line, having made nothing
 */
async function expectRefusal(
  options: readonly string[],
  status: number,
  variables: NodeJS.ProcessEnv = WITHOUT_WRANGLER,
): Promise<string> {
  const other = temporaryFolder(onTestFinished)
  const args = ['--persist-to', other, ...options]
  const { code, stdout, stderr } = await runHere(serveLocally, args, variables)
  expect({ code, stdout }).toEqual({ code: status, stdout: '' })
  expect(stderr).toMatch(/^.+\n$/)
  expect(await readdir(other)).toEqual([])
  return stderr
}

test.each(['127.0.0.1', '0.0.0.0'])(
  'a port that is in use on %s is named, with one that is free',
  async host => {
    const taken = createServer().listen(0, host)
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const address = taken.address()
    if (!address || typeof address === 'string') throw new Error('no port')
    const said = await expectRefusal(['--port', String(address.port)], 2)
    const [, free] = said.match(/^Port \d+ is in use .* npm run dev -- --port (\d+)\n$/) ?? []
    expect(Number(free)).toBeGreaterThan(address.port)
  },
)

test.each(['0', 'abc', '70000'])('refuses the port %s', async port => {
  expect(await expectRefusal(['--port', port], 2)).toContain('--port must be')
})

test('a wrong var or environment stops it in one line', async () => {
  const own = temporaryFolder(onTestFinished)
  const config = join(own, 'wrangler.toml')
  const toml = await readFile(PROJECT_CONFIG, 'utf8')
  const withVar = async (line: string) => {
    await writeFile(config, toml.replace(/^\[vars\]$/m, `[vars]\n${line}`))
    return expectRefusal(['--port', String(await freePort()), '--config', config], 1)
  }
  expect(await withVar('TIMEZONE = "Berlin"')).toMatch(
    /^TIMEZONE: Berlin is neither .* such as Europe\/Dublin/,
  )
  await writeFile(config, toml)
  const port = String(await freePort())
  expect(
    await expectRefusal(
      ['--port', port, '--config', config, '--var', 'PER_PAGE:6', '--var', 'LANGUAGE:pt'],
      1,
    ),
  ).toMatch(/^LANGUAGE: pt is none of .* such as en-IE/)
  await writeFile(join(dirname(config), '.env'), 'TIMEZONE=Berlin\n')
  expect(await expectRefusal(['--port', port, '--config', config], 1)).toMatch(/^TIMEZONE: Berlin/)
  await writeFile(join(dirname(config), '.dev.vars'), 'MCP=maybe\n')
  expect(await expectRefusal(['--port', port, '--config', config], 1)).toMatch(/^MCP: maybe/)
  await writeFile(join(dirname(config), '.dev.vars'), 'FEATURES=lettres\n')
  expect(await expectRefusal(['--port', port, '--config', config], 1)).toMatch(
    /^FEATURES: lettres is none of /,
  )
  expect(await withVar('CONTACT = "hallo"')).toMatch(/^CONTACT: hallo is neither an e-mail address nor /)
  expect(await withVar('SITENAME = "Kilkenny"')).toContain('did you mean SITE_NAME?')
  expect(await expectRefusal(['--env', 'prod'], 1)).toContain('Did you mean production?')
})

test('refuses the beginning of an option of wrangler', async () => {
  // Wrangler lists its options.
  expect(await expectRefusal(['--persist=x'], 2, {})).toContain("Unknown option '--persist'. ")
})

const DAY_MS = 86_400_000

test.each([0, 1, 2, 3, 4, 5, 6])('sample events lie ahead, on their weekday (%i)', offset => {
  const now = addDays('2026-12-28 23:30:00', offset)
  const { start_date, end_date } = sampleDates(
    { weekday: 6, week: 1, days: 2, from: '10:00', to: '12:30' },
    now,
  )
  expect([start_date.slice(11), end_date.slice(11)]).toEqual(['10:00', '12:30'])
  expect([weekday(start_date), weekday(end_date)]).toEqual([6, 0])
  const ahead = (Date.parse(start_date.slice(0, 10)) - Date.parse(now.slice(0, 10))) / DAY_MS
  expect(ahead).toBeGreaterThanOrEqual(8)
  expect(ahead).toBeLessThanOrEqual(14)
})

test.each([0, 1, 2, 3, 4, 5, 6])(
  'something is on when the sample is loaded, and for two months (%i)',
  offset => {
    const now = addDays('2026-12-28 23:30:00', offset)
    const dates = SAMPLE_EVENTS.map(({ when }) => sampleDates(when, now))
    for (const moment of [now, addDays(now, 30), addDays(now, 60)])
      expect(
        dates.filter(({ start_date, end_date }) => start_date <= moment && end_date > moment),
      ).not.toEqual([])
  },
)

test.each([0, 1, 2, 3, 4, 5, 6])('each of the first ten days has an event of its own (%i)', offset => {
  const now = addDays('2026-12-28 23:30:00', offset)
  const days = SAMPLE_EVENTS.flatMap(({ when, fields }) => {
    const { dates = 1, without = [], days = 1 } = when
    const isOff = 'event_status' in fields || 'status' in fields
    return days > 1 || isOff
      ? []
      : Array.from({ length: dates }, (_, i) =>
          without.includes(i)
            ? ''
            : addDays(sampleDates({ ...when, from: '00:00:00' }, now).start_date, 7 * i),
        )
  })
  for (let day = 0; day < 10; day++) expect(days).toContain(addDays(`${now.slice(0, 10)} 00:00:00`, day))
})

const weekday = (date: string) => new Date(date.slice(0, 10)).getUTCDay()
