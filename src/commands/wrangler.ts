import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

/** A D1 database: the configuration and the environment that name it, and its location. */
export type Target = {
  remote: boolean
  /** The folder of local data, as `wrangler dev --persist-to` takes it: relative to the working directory. */
  persistTo: string | undefined
  environment: string | undefined
  config: string
}

export const PROJECT_CONFIG = join(import.meta.dirname, '../../wrangler.toml')

/** The port of `npm run dev` by default. */
export const DEFAULT_PORT = '8787'

/** The compatibility date of wrangler.toml, for Workers that start without it. */
export const COMPATIBILITY_DATE = '2026-09-18'

export const originOf = (port: string): string => `http://localhost:${port}`

/** The script of the command `wrangler`; tests replace it. */
const wranglerScript = (): string =>
  process.env.WRANGLER_SCRIPT ??
  join(dirname(createRequire(import.meta.filename).resolve('wrangler/package.json')), 'bin/wrangler.js')

/**
 * The environment of wrangler's processes: the environment of this process, without telemetry, because nobody
 * has agreed to that; without a trace of every local request, which takes 11 KB of disk for each write and a
 * third of its time; and without the question to Cloudflare about this machine's location, which the Worker
 * doesn't use, and which prints a stack if there is no network.
 */
const wranglerVars = () => ({
  X_LOCAL_OBSERVABILITY: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
})

/** The message of the process of `wrangler dev` to its parent once the service responds. */
export const READY = 'calendar-ready'

/** The folder in which `wrangler dev` keeps local data: by default next to its configuration. */
export const stateFolder = ({ persistTo, config }: Target): string =>
  persistTo ? resolve(persistTo) : join(dirname(resolve(config)), '.wrangler/state')

/** A file that exists from the start of the set-up of a local database until its password has been shown. */
export const markerFileOf = (target: Target): string => join(stateFolder(target), 'setting-up')

/**
 * A file with the address at which `npm run dev` last served a local database, which may be at another port
 * than usual.
 */
export const addressFileOf = (target: Target): string => join(stateFolder(target), 'served-at')

const targetArguments = (target: Target): string[] => [
  '--config',
  target.config,
  ...(target.environment ? ['--env', target.environment] : []),
  ...(target.remote ? ['--remote'] : ['--local', '--persist-to', stateFolder(target)]),
]

/**
 * Starts wrangler.
 * @param nodeOptions of its process.
 * @param variables in addition to the environment of this process
 */
const spawnWrangler = (
  args: readonly string[],
  stdio: StdioOptions,
  nodeOptions: readonly string[] = [],
  variables: NodeJS.ProcessEnv = {},
) =>
  spawn(process.execPath, [...nodeOptions, wranglerScript(), ...args], {
    stdio,
    env: { ...wranglerVars(), ...variables },
  })

const HOOK = pathToFileURL(join(import.meta.dirname, 'wrangler-hook.ts')).href

/**
 * Starts `wrangler dev` on this terminal. It sends {@link READY}.
 * @param variables in addition to the environment of this process
 */
export const startDev = (args: readonly string[], variables: NodeJS.ProcessEnv): ChildProcess =>
  spawnWrangler(['dev', ...args], ['inherit', 'inherit', 'inherit', 'ipc'], ['--import', HOOK], variables)

const read = async (stream: Readable | null) => (stream ? text(stream) : '')

/**
 * Runs wrangler to its end.
 * @returns its output, unless this terminal shows it.
 * @throws Error with the output if it fails
 */
async function runProcess(args: readonly string[], stdio: StdioOptions, input?: string): Promise<string> {
  const running = spawnWrangler(args, stdio)
  running.stdin?.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    read(running.stdout),
    read(running.stderr),
    once(running, 'exit'),
  ])
  if (code === 0) return stdout
  // D1's own message, if wrangler printed JSON.
  const [, message] = stdout.match(/"text": ("(?:[^"\\]|\\.)*")/) ?? []
  const printed = message ? String(JSON.parse(message)) : `${stdout}\n${stderr}`.trim()
  throw new Error(`wrangler ${args.slice(0, 3).join(' ')} failed${printed && `: ${printed}`}`)
}

/**
 * Runs wrangler without a terminal, so that it never asks.
 * @returns its stdout.
 * @throws Error with its output if it fails
 */
export const readWrangler = (args: readonly string[]) => runProcess(args, ['ignore', 'pipe', 'pipe'])

/** Runs wrangler on this terminal, where it may ask questions. @throws Error if it fails */
export const runWrangler = (args: readonly string[]) => runProcess(args, 'inherit')

/** Runs wrangler on a target, as {@link readWrangler}. */
export const runOnTarget = (target: Target, command: readonly string[]): Promise<string> =>
  readWrangler([...command, ...targetArguments(target)])

/**
 * Gives wrangler a file to read or write, in a folder that only this user may open, and removes it
 * afterwards.
 */
export async function withTemporaryFile<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'calendar-'))
  try {
    return await work(join(folder, 'file'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Stores a secret of the Worker at Cloudflare, replacing an earlier value. If the Worker is not deployed yet,
 * wrangler creates it.
 */
export const putSecret = ({ config, environment }: Target, name: string, value: string): Promise<string> =>
  runProcess(
    ['secret', 'put', name, '--config', config, '--env', environment ?? ''],
    ['pipe', 'pipe', 'pipe'],
    value,
  )

/** Runs the migrations that a database doesn't have yet. */
export const applyMigrations = (target: Target) => runOnTarget(target, ['d1', 'migrations', 'apply', 'DB'])

const LOGIN_NEEDED = `Not logged in to Cloudflare, and there is no terminal to log in from. Either set CLOUDFLARE_API_TOKEN (a token
that may edit Workers, D1 and R2, https://dash.cloudflare.com/profile/api-tokens) and, if it reaches several accounts,
CLOUDFLARE_ACCOUNT_ID; or run npx wrangler login once in a terminal beside a browser.`

/**
 * Makes sure that wrangler may use an account, by asking on the terminal if there is one. It does not check a
 * token: the first command with the token shows whether it works.
 *
 * @throws Error that says what to do, if there is no terminal
 */
export async function logIn(): Promise<void> {
  if (process.env.CLOUDFLARE_API_TOKEN) return
  const isLoggedIn = await readWrangler(['whoami', '--json']).then(
    () => true,
    () => false,
  )
  if (isLoggedIn) return
  // Wrangler would wait for a browser for ever.
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Error(LOGIN_NEEDED)
  await runWrangler(['login'])
}
