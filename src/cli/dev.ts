import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { parseArgs } from 'node:util'
import { NAMESPACE } from '../settings.ts'
import { runCommand, TARGET_OPTIONS, targetOf } from './arguments.ts'
import { openLocal } from './database.ts'
import { loadSample } from './load-sample.ts'
import { addUser, listUsers } from './users.ts'
import {
  applyMigrations,
  ENVIRONMENT,
  PROJECT_CONFIG,
  stateFolder,
  type Target,
  WRANGLER,
} from './wrangler.ts'

const DEFAULT_PORT = '8787'

/** Whom to try the API as. Passwords are known here only when just made. */
type Account = { login?: string; password?: string; sampleEvents?: number }

/** The arguments that the set-up has to know; all others are wrangler's alone. */
function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { ...TARGET_OPTIONS, port: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
    strict: false,
  })
  const text = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined)
  return {
    port: text(values.port),
    config: text(values.config),
    environment: text(values.env),
    persistTo: text(values['persist-to']),
    // Data at Cloudflare is nothing to try things on, and help needs none.
    servesLocalData: !values.remote && !values.help,
  }
}

/**
 * Brings the local database up to date, and fills it if it has no users: then it has no events either, for
 * each of them has an author.
 */
async function setUp(target: Target): Promise<Account> {
  await applyMigrations(target)
  const db = await openLocal(target)
  try {
    const users = await listUsers(db)
    if (users.length > 0) {
      const login = users.find(({ role }) => role === 'administrator')?.login
      return login === undefined ? {} : { login }
    }
    const { login, password } = await addUser(db, 'admin', 'administrator')
    const sampleEvents = await loadSample(db, `Bearer ${password.replaceAll(' ', '')}`, Date.now())
    return { login, password, sampleEvents }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Setting up the database in ${stateFolder(target)} failed: ${reason}`)
  } finally {
    await db.close()
  }
}

function greeting({ login, password, sampleEvents }: Account, target: Target, port: string): string {
  const address = `http://localhost:${port}/${NAMESPACE}`
  const json = `-H 'Content-Type: application/json'`
  const event = '{"title": "Chess in the Park", "start_date": "tomorrow 15:00", "end_date": "tomorrow 17:00"}'
  const user = (command: string) => `npm run user -- ${[command, ...userOptions(target)].join(' ')}`
  const credentials = login
    ? [
        `Login     ${login}`,
        password
          ? `Password  ${password}  (shown only now)`
          : `Password  the one shown when it was made; for another: ${user(`password ${login}`)}`,
      ]
    : [`Login     there is no administrator; make one: ${user('add admin --role administrator')}`]
  return [
    '',
    `Address   ${address}`,
    ...credentials,
    ...(sampleEvents ? [`Sample    ${sampleEvents} events, of which one is a draft`] : []),
    '',
    'To try once it is ready:',
    `  curl '${address}/events?per_page=3'`,
    `  curl -u '${login ?? 'admin'}:${password ?? 'PASSWORD'}' ${json} -d '${event}' '${address}/events'`,
    '',
  ].join('\n')
}

/** What makes `npm run user` work on the same database. */
const userOptions = ({ persistTo, environment, config }: Target): string[] => [
  ...(persistTo === undefined ? [] : ['--persist-to', persistTo]),
  ...(environment === undefined ? [] : ['--env', environment]),
  ...(config === PROJECT_CONFIG ? [] : ['--config', config]),
]

/** Runs `wrangler dev` until it ends, or is told to; answers its exit code. */
async function serve(args: string[]): Promise<number> {
  const server = spawn(process.execPath, [WRANGLER, 'dev', ...args], { stdio: 'inherit', env: ENVIRONMENT })
  // Wrangler stops in order at this signal, also when the terminal has sent it another already.
  const stop = () => server.kill('SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  stopWithNpm(stop)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code, signal) => resolve(code ?? (signal ? 128 + constants.signals[signal] : 1)))
  })
}

/** A signal to npm ends the shell in which it runs scripts, and the shell passes nothing on. */
function stopWithNpm(stop: () => void): void {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  setInterval(() => process.ppid !== shell && stop(), 500).unref()
}

await runCommand(async () => {
  const args = process.argv.slice(2)
  const { port, config, environment, persistTo, servesLocalData } = readArguments(args)
  if (servesLocalData) {
    const target = targetOf({ config, env: environment, 'persist-to': persistTo })
    console.log(greeting(await setUp(target), target, port ?? DEFAULT_PORT))
  }
  // Named, the port is an error when taken; wrangler's own default would be another than the one printed.
  const defaults = [
    ...(port ? [] : ['--port', DEFAULT_PORT]),
    ...(config ? [] : ['--config', PROJECT_CONFIG]),
  ]
  process.exitCode = await serve([...defaults, ...args])
})
