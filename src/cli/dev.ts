import { fork, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { NAMESPACE } from '../settings.ts'
import { refuseSwallowed, runCommand, TARGET_OPTIONS, targetOf, UsageError } from './arguments.ts'
import { checkLocalVars } from './deployed-vars.ts'
import { watchMigrations } from './dev-migrations.ts'
import type { Account, SetUpOrder, SetUpOutcome } from './dev-set-up.ts'
import { checkPort, DEFAULT_PORT, originOf } from './port.ts'
import { ENVIRONMENT, markerOf, PROJECT_CONFIG, readWrangler, type Target, WRANGLER } from './wrangler.ts'
import { readConfiguration } from './wrangler-config.ts'
import { READY } from './wrangler-output.ts'

const HELP = `Serves the calendar with a local database, which gets its tables, an administrator and sample events first. New
migrations are applied when it starts, and while it runs.

  npm run dev -- [--port <n>] [--persist-to <dir>] [--env <name>] [--config <file>] …

Options are those of wrangler dev:
`

const OPTIONS = {
  ...TARGET_OPTIONS,
  port: { type: 'string' },
  ip: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Options of wrangler dev that npm would keep without a word. */
const PASSED_ON = {
  host: { type: 'string' },
  var: { type: 'string' },
  'log-level': { type: 'string' },
  'inspector-port': { type: 'string' },
  'local-protocol': { type: 'string' },
  'test-scheduled': { type: 'boolean' },
} as const

/** Reads the arguments that the set-up needs. All arguments are passed on to wrangler. */
function readArguments(args: string[]) {
  refuseSwallowed(args, { ...OPTIONS, ...PASSED_ON })
  const { values } = parseArgs({
    args,
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
  })
  const text = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined)
  return {
    givenPort: text(values.port),
    ip: text(values.ip),
    config: text(values.config),
    environment: text(values.env),
    persistTo: text(values['persist-to']),
    // Data at Cloudflare is nothing to try things on, and help needs none.
    servesLocalData: !values.remote,
    asksForHelp: values.help === true,
    others: Object.keys(values).filter(name => !(name in OPTIONS)),
  }
}

/**
 * Nothing should be set up, and no password shown, by a command that cannot go on.
 *
 * @throws UsageError for an option that wrangler dev does not know
 */
async function checkOptions(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const known = await readWrangler(['dev', '--help'])
  for (const name of names) {
    const option = name.length === 1 ? `-${name}` : `--${name.replace(/^no-/, '')}`
    if (!new RegExp(`(^|\\s)(${option}|--${name})(?![\\w-])`, 'm').test(known))
      throw new UsageError(`Unknown option '${option}'. --help lists all.`)
  }
}

/** Sets up the database in a process of its own. @throws Error if that fails */
async function setUp(order: SetUpOrder): Promise<Account> {
  // Errors come on stderr or in the outcome; stdout has the log of the requests that load the sample.
  const child = fork(join(import.meta.dirname, 'dev-set-up.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const outcome = await new Promise<SetUpOutcome>((resolve, reject) => {
    child.once('error', reject)
    child.once('message', resolve)
    child.once('exit', code => reject(new Error(`Setting up the database ended with ${code}.`)))
    child.send(order)
  })
  if ('failure' in outcome) throw new Error(outcome.failure)
  return outcome.account
}

/** Lines about the administrator, whose password is shown once. */
function credentials({ login, password }: Account, target: Target): string[] {
  const user = (command: string) => `npm run user -- ${[command, ...userOptions(target)].join(' ')}`
  if (!login)
    return [`Login     there is no administrator; make one: ${user('add admin --role administrator')}`]
  const other = `the one shown when it was made; for another: ${user(`password ${login}`)}`
  return [`Login     ${login}`, `Password  ${password ? `${password}  (shown only now)` : other}`]
}

function greeting(account: Account, target: Target, port: string): string {
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
    ...credentials(account, target),
    ...(sampleEvents ? [`Sample    ${sampleEvents} events, of which one is a draft`] : []),
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

const HOOK = pathToFileURL(join(import.meta.dirname, 'wrangler-hook.ts')).href

/** Wrangler's quieter levels hide the line by which we know that it is ready, and with it the password. */
const LOUD = /^(?:none|error|warn)$/i.test(ENVIRONMENT.WRANGLER_LOG ?? '') ? { WRANGLER_LOG: 'log' } : {}

/** Texts to print once the service responds, or at the end if it never does, and what is done then. */
type News = { ready: string; neverReady: string; onTold: () => void }

/** Runs `wrangler dev` until it ends or gets a signal, and returns its exit status. */
async function serve(args: string[], { ready, neverReady, onTold }: News): Promise<number> {
  const server = spawn(process.execPath, ['--import', HOOK, WRANGLER, 'dev', ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // A trace of every request is kept by default: 11 KB of disk for each write, and a third of its time.
    env: { X_LOCAL_OBSERVABILITY: 'false', ...ENVIRONMENT, ...LOUD },
  })
  let isNew = true
  const tell = (news: string) => {
    if (!isNew) return
    isNew = false
    if (news !== '') console.log(news)
    onTold()
  }
  server.on('message', message => message === READY && tell(ready))
  server.once('exit', () => tell(neverReady))
  // Wrangler shuts down properly at this signal, even if the terminal has sent it another one before.
  const stop = () => server.kill('SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  stopWithNpm(stop)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code, signal) => resolve(code ?? (signal ? 128 + constants.signals[signal] : 1)))
  })
}

/** Stops the service when npm is stopped: a signal to npm ends its shell, which passes the signal on to nobody. */
function stopWithNpm(stop: () => void): void {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  setInterval(() => process.ppid !== shell && stop(), 500).unref()
}

await runCommand(async () => {
  const args = process.argv.slice(2)
  const { givenPort, ip, config, environment, persistTo, servesLocalData, asksForHelp, others } =
    readArguments(args)
  if (asksForHelp) return console.log(HELP + (await readWrangler(['dev', '--help'])))
  await checkOptions(others)
  const target = targetOf({ config, env: environment, 'persist-to': persistTo })
  for (const line of checkLocalVars(readConfiguration(target))) console.warn(`${line}.`)
  const port = givenPort ?? DEFAULT_PORT
  await checkPort(Number(port), ip)
  const news: News = { ready: '', neverReady: '', onTold: () => {} }
  if (servesLocalData) {
    const order = { target, origin: originOf(port), wantsLink: false }
    const account = await setUp({ ...order, wantsLink: true })
    news.onTold = () => rmSync(markerOf(target), { force: true })
    news.ready = greeting(account, target, port)
    if (account.password) news.neverReady = ['', ...credentials(account, target)].join('\n')
    watchMigrations(target, () => setUp(order))
  }
  // With a named port, wrangler fails if it is taken; with its default, it uses another than the one printed.
  const defaults = [...(givenPort ? [] : ['--port', port]), ...(config ? [] : ['--config', PROJECT_CONFIG])]
  // Printed last: the password is shown only once, and should not scroll away behind wrangler's output.
  process.exitCode = await serve([...defaults, ...args], news)
})
