import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, watch, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { MINUTE_MS } from '../kit/lib/time.ts'
import { NAMESPACE } from '../kit/settings.ts'
import {
  refuseEmpty,
  refuseSwallowed,
  runCommand,
  TARGET_OPTIONS,
  targetOf,
  UsageError,
} from './arguments.ts'
import { checkVars } from './deployed-vars.ts'
import { DEV_ENTRY, type DevEntry, writeCalendar } from './dev-entry.ts'
import type { Account, SetUpOrder } from './dev-set-up.ts'
import {
  addressFileOf,
  DEFAULT_PORT,
  markerFileOf,
  originOf,
  PROJECT_CONFIG,
  READY,
  readWrangler,
  startDev,
  stateFolder,
  type Target,
} from './wrangler.ts'
import { type ConfiguredTarget, localVars, mainIn, readConfiguration } from './wrangler-config.ts'

const HELP = `Serves the calendar with a local database, which first gets its tables, an administrator and sample events. New
migrations are applied when it starts, and while it runs.

  npm run dev -- [--port <n>] [--persist-to <dir>] [--env <name>] [--config <file>] …

Options are those of wrangler dev:
`

/** The options of wrangler dev that this command reads, and options that npm would keep silently. */
const OPTIONS = {
  ...TARGET_OPTIONS,
  port: { type: 'string' },
  ip: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  host: { type: 'string' },
  var: { type: 'string', multiple: true },
  'log-level': { type: 'string' },
  'inspector-port': { type: 'string' },
  'local-protocol': { type: 'string' },
  'test-scheduled': { type: 'boolean' },
} as const

/**
 * Checks options first, so that a command with a wrong option sets up nothing, and shows no password.
 *
 * @throws UsageError for an option that wrangler dev does not know
 */
async function checkOptions(names: readonly string[]): Promise<void> {
  const otherOptions = names.filter(name => !(name in OPTIONS))
  const helpText = otherOptions.length === 0 ? '' : await readWrangler(['dev', '--help'])
  for (const name of otherOptions) {
    const option = name.length === 1 ? `-${name}` : `--${name.replace(/^no-/, '')}`
    if (!new RegExp(`(^|\\s)(${option}|--${name})(?![\\w-])`, 'm').test(helpText))
      throw new UsageError(`Unknown option '${option}'. See --help.`)
  }
}

/** The system's errors for an unusable port. Wrangler reports other errors. */
const OBSTACLES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'in use by another program',
  EACCES: 'reserved for administrators of this machine',
}

async function obstacleAt(port: number, host: string): Promise<string | undefined> {
  const server = createServer()
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening')
    return undefined
  } catch (error) {
    return OBSTACLES[error instanceof Error && 'code' in error ? String(error.code) : '']
  } finally {
    server.close()
  }
}

/**
 * Checks that a port is free before any other step: wrangler notices late, and prints a long message.
 *
 * @param ip the address to listen on; by default wrangler's addresses
 * @throws UsageError with the number of a free port, if this one is not free
 */
async function checkPort(port: number, ip: string | undefined): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UsageError('--port must be a whole number from 1 to 65535.')
  const hosts = ip === undefined ? ['127.0.0.1', '::1'] : [ip]
  const obstacleTo = async (candidate: number) =>
    (await Promise.all(hosts.map(host => obstacleAt(candidate, host)))).find(Boolean)
  const obstacle = await obstacleTo(port)
  if (!obstacle) return
  let freePort = port < 1024 ? Number(DEFAULT_PORT) : port + 1
  while (freePort < 65_535 && (await obstacleTo(freePort))) freePort++
  throw new UsageError(`Port ${port} is ${obstacle}. Try a free one: npm run dev -- --port ${freePort}`)
}

/**
 * Sets up the database in a process of its own.
 * @throws Error if that fails, after the process has printed the reason
 */
async function setUp(order: SetUpOrder): Promise<Account> {
  // stderr has errors; stdout has the log of the requests that load the sample.
  const child = fork(join(import.meta.dirname, 'dev-set-up.ts'), [JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [account]: (Account | undefined)[] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => []),
  ])
  if (!account) throw new Error(`The database in ${stateFolder(order.target)} could not be set up.`)
  return account
}

/** The pause after which a migration is complete, in milliseconds: tools write all its files in less time. */
const SETTLED_MS = 500

/** Applies new migrations while the service runs. @param apply brings the database up to date */
function watchMigrations({ config }: Target, apply: () => Promise<unknown>): void {
  const folder = join(dirname(resolve(config)), 'drizzle')
  if (!existsSync(folder)) return
  let last = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const run = () =>
    apply().then(
      () => console.log('Migrations: the local database is up to date.'),
      (error: Error) => console.error(error.message),
    )
  // The watch must not keep this process alive after the service.
  watch(folder, { persistent: false }, (_, name) => {
    if (!name?.endsWith('.sql')) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(run)
    }, SETTLED_MS).unref()
  })
}

/** Runs the Worker's cron at the beginning of each minute, like the platform, because wrangler doesn't. */
function scheduleCron(origin: string): void {
  const next = () =>
    setTimeout(
      () => {
        // The service logs the errors of the cron.
        fetch(`${origin}/cdn-cgi/local/scheduled`).catch(() => undefined)
        next()
      },
      MINUTE_MS - (Date.now() % MINUTE_MS),
    ).unref()
  next()
}

/** Lines about the administrator. The password appears only once. */
function credentialLines({ login, password }: Account, target: Target): string[] {
  const user = (command: string) => `npm run user -- ${[command, ...userOptions(target)].join(' ')}`
  if (!login)
    return [`Login     there is no administrator; create one: ${user('add admin --role administrator')}`]
  const passwordHint = `the one shown when it was made; for another: ${user(`password ${login}`)}`
  return [`Login     ${login}`, `Password  ${password ? `${password}  (shown only once)` : passwordHint}`]
}

function greetingFor(account: Account, target: Target, port: string): string {
  const { login, password, link, sampleEvents } = account
  const origin = originOf(port)
  const address = `${origin}/${NAMESPACE}`
  const json = `-H 'Content-Type: application/json'`
  const event = '{"title": "Chess in the Park", "start_date": "tomorrow 15:00", "end_date": "tomorrow 17:00"}'
  return [
    '',
    `Calendar  ${origin}/`,
    ...(link ? [`Editor    ${origin}${link}  (signs in once, within an hour)`] : []),
    `API       ${address}`,
    ...credentialLines(account, target),
    ...(sampleEvents ? [`Sample    ${sampleEvents} events, one of them a draft`] : []),
    '',
    'To try:',
    `  curl '${address}/events?per_page=3'`,
    `  curl -u '${login ?? 'admin'}:${password ?? 'PASSWORD'}' ${json} -d '${event}' '${address}/events'`,
    '',
  ].join('\n')
}

/** Options that make `npm run user` work on the same database. */
const userOptions = ({ persistTo, environment, config }: Target): string[] => [
  ...(persistTo === undefined ? [] : ['--persist-to', persistTo]),
  ...(environment === undefined ? [] : ['--env', environment]),
  ...(config === PROJECT_CONFIG ? [] : ['--config', config]),
]

/** A running `wrangler dev`. */
type Service = {
  /** False if it ends before it responds. */
  isReady: Promise<boolean>
  /** Waits for its end, and returns its exit status. */
  ended: () => Promise<number>
}

/**
 * Starts `wrangler dev`, which ends when this process gets a signal.
 * @param variables in addition to the environment of this process
 */
function startService(args: readonly string[], variables: NodeJS.ProcessEnv): Service {
  const server = startDev(args, variables)
  const ready = new Promise<boolean>(settle => {
    server.on('message', message => message === READY && settle(true))
  })
  const end = once(server, 'exit').then(() => false)
  // Wrangler shuts down properly on this signal, even if the terminal has sent another before.
  const stop = () => server.kill('SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  stopWithNpm(stop)
  return {
    isReady: Promise.race([ready, end]),
    ended: async () => {
      await end
      return server.exitCode ?? (server.signalCode ? 128 + constants.signals[server.signalCode] : 1)
    },
  }
}

/**
 * Stops the service when npm is stopped: a signal to npm (11.19) ends its shell, which doesn't pass the
 * signal on. Without this, the service stays and keeps its port.
 */
function stopWithNpm(stop: () => void): void {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  setInterval(() => process.ppid !== shell && stop(), 500).unref()
}

/** The vars in options: `--var NAME:value` takes several values. */
const givenVars = (pairs: readonly (string | boolean)[]): Record<string, string> =>
  Object.fromEntries(
    pairs.flatMap(pair => {
      const [, name, value = ''] = /^(\w+):(.*)$/s.exec(String(pair)) ?? []
      return name === undefined ? [] : [[name, value]]
    }),
  )

/** Serves the calendar until wrangler ends. @param args of the process */
export async function serveLocally(args: string[]): Promise<void> {
  refuseSwallowed(args, OPTIONS)
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: false })
  const text = (value: (typeof values)[string]) => (typeof value === 'string' ? value : undefined)
  if (values.help) return console.log(HELP + (await readWrangler(['dev', '--help'])))

  refuseEmpty(values)
  await checkOptions(Object.keys(values))
  const target = targetOf({
    config: text(values.config),
    env: text(values.env),
    'persist-to': text(values['persist-to']),
  })
  const vars = { ...localVars(target), ...givenVars([...(values.var ?? []), ...positionals]) }
  const configured = readConfiguration(target)
  for (const line of checkVars(configured, vars)) console.warn(`${line}.`)
  const port = text(values.port) ?? DEFAULT_PORT
  await checkPort(Number(port), text(values.ip))

  // The data at Cloudflare is not for experiments.
  const account = values.remote ? undefined : await setUpLocally(target, port)
  const entry = await makeEntry(configured)
  const serviceArguments = [
    ...(entry ? [entry.file] : []),
    // Wrangler fails if a given port is in use; by default, it would fall back to another port than the
    // printed one.
    ...(values.port === undefined ? ['--port', port] : []),
    ...(values.config === undefined ? ['--config', PROJECT_CONFIG] : []),
    ...args,
  ]
  const service = startService(serviceArguments, entry ? { [DEV_ENTRY]: JSON.stringify(entry) } : {})
  if (account) announce(account, target, { port, isReady: await service.isReady })
  process.exitCode = await service.ended()
}

/**
 * Makes the module that wrangler serves, which the build command rewrites.
 * @returns undefined without a Worker, which wrangler reports
 */
async function makeEntry(configured: ConfiguredTarget): Promise<DevEntry | undefined> {
  const main = mainIn(configured)
  if (main === undefined) return undefined
  const folder = stateFolder(configured)
  await mkdir(folder, { recursive: true })
  const entry = { file: join(folder, 'dev-entry.js'), main }
  await writeCalendar(entry)
  return entry
}

/** Brings the local database up to date, now and whenever there is a new migration. */
async function setUpLocally(target: Target, port: string): Promise<Account> {
  const order = { target, origin: originOf(port), wantsLink: false }
  const account = await setUp({ ...order, wantsLink: true })
  writeFileSync(addressFileOf(target), order.origin)
  watchMigrations(target, () => setUp(order))
  return account
}

/**
 * Prints how to use the service, and runs its cron. This happens after wrangler has started, so that
 * wrangler's output doesn't hide the password, which appears only once.
 */
function announce(account: Account, target: Target, { port, isReady }: { port: string; isReady: boolean }) {
  if (isReady) {
    console.log(greetingFor(account, target, port))
    scheduleCron(originOf(port))
  } else if (account.password) console.log(['', ...credentialLines(account, target)].join('\n'))
  rmSync(markerFileOf(target), { force: true })
}

if (import.meta.main) await runCommand(serveLocally)
