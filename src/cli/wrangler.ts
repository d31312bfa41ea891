import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** A D1 database: the configuration and the environment that name it, and its place. */
export type Target = {
  remote: boolean
  /** The folder of local data, as `wrangler dev --persist-to` takes it: relative to the working directory. */
  persistTo: string | undefined
  environment: string | undefined
  config: string
}

export const PROJECT_CONFIG = join(import.meta.dirname, '../../wrangler.toml')

/** The script of the command `wrangler`; tests replace it. */
export const WRANGLER =
  process.env.WRANGLER_SCRIPT ??
  join(dirname(createRequire(import.meta.filename).resolve('wrangler/package.json')), 'bin/wrangler.js')

/**
 * The environment of wrangler's processes: that of this one when it started, without telemetry, which nobody has agreed
 * to.
 */
export const ENVIRONMENT: NodeJS.ProcessEnv = { ...process.env, WRANGLER_SEND_METRICS: 'false' }

/** The folder in which `wrangler dev` keeps local data: by default beside its configuration. */
export const stateFolder = ({ persistTo, config }: Target): string =>
  persistTo ? resolve(persistTo) : join(dirname(resolve(config)), '.wrangler/state')

/** A file that is there from the beginning of the set-up of a local database until the password that it made was shown. */
export const markerOf = (target: Target): string => join(stateFolder(target), 'setting-up')

const targetArguments = (target: Target): string[] => [
  '--config',
  target.config,
  ...(target.environment ? ['--env', target.environment] : []),
  ...(target.remote ? ['--remote'] : ['--local', '--persist-to', stateFolder(target)]),
]

/**
 * Runs wrangler without a terminal, so that it never asks.
 *
 * @returns what it printed to stdout
 * @throws Error with what it printed, if it fails
 */
export async function readWrangler(args: readonly string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [WRANGLER, ...args], {
    env: ENVIRONMENT,
    maxBuffer: 2 ** 28,
  })
  run.child.stdin?.end()
  try {
    return (await run).stdout
  } catch (error) {
    throw new Error(`wrangler ${args.slice(0, 3).join(' ')} failed: ${printedBy(error)}`)
  }
}

/** Runs `wrangler d1 …` on a database, as {@link readWrangler}. */
export const runD1 = (target: Target, command: readonly string[]): Promise<string> =>
  readWrangler(['d1', ...command, ...targetArguments(target)])

/** Runs wrangler on this terminal, where it may ask questions. @throws Error if it fails */
export async function runWrangler(args: readonly string[]): Promise<void> {
  const running = spawn(process.execPath, [WRANGLER, ...args], { stdio: 'inherit', env: ENVIRONMENT })
  const [code] = await once(running, 'exit')
  if (code !== 0) throw new Error(`wrangler ${args.slice(0, 2).join(' ')} failed.`)
}

/** The reason of a failure: D1's own message if wrangler printed JSON, else everything that it printed. */
function printedBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string } // execFile's own
  const [, text] = stdout.match(/"text": ("(?:[^"\\]|\\.)*")/) ?? []
  return text ? String(JSON.parse(text)) : [stdout, stderr].join('\n').trim() || error.message
}

/** Runs the migrations that a database doesn't have yet. */
export async function applyMigrations(target: Target): Promise<void> {
  await runD1(target, ['migrations', 'apply', 'DB'])
}
