import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** A D1 database: which configuration and environment name it, and where it is. */
export type Target = {
  remote: boolean
  /** Local data's folder, as `wrangler dev --persist-to` takes it: relative to the working directory. */
  persistTo: string | undefined
  environment: string | undefined
  config: string
}

export const PROJECT_CONFIG = join(import.meta.dirname, '../../wrangler.toml')

/** The script to run by Node for the command `wrangler`; tests put another in its place. */
export const WRANGLER =
  process.env.WRANGLER_SCRIPT ??
  join(dirname(createRequire(import.meta.filename).resolve('wrangler/package.json')), 'bin/wrangler.js')

/**
 * The environment for wrangler's own processes, as it was when this one started. Nobody who tries a calendar
 * has agreed to be counted, and wrangler would ask.
 */
export const ENVIRONMENT: NodeJS.ProcessEnv = { ...process.env, WRANGLER_SEND_METRICS: 'false' }

/** Folder where `wrangler dev` keeps local data: by default beside its configuration, wherever it is called from. */
export const stateFolder = ({ persistTo, config }: Target): string =>
  persistTo ? resolve(persistTo) : join(dirname(resolve(config)), '.wrangler/state')

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

/** `wrangler d1 …` on a database, as {@link readWrangler}. */
export const runD1 = (target: Target, command: readonly string[]): Promise<string> =>
  readWrangler(['d1', ...command, ...targetArguments(target)])

/** Runs wrangler on this terminal, where it may ask. @throws Error if it fails */
export async function runWrangler(args: readonly string[]): Promise<void> {
  const running = spawn(process.execPath, [WRANGLER, ...args], { stdio: 'inherit', env: ENVIRONMENT })
  const [code] = await once(running, 'exit')
  if (code !== 0) throw new Error(`wrangler ${args.slice(0, 2).join(' ')} failed.`)
}

/** Why a process failed: D1's own message where wrangler was asked for JSON, else all that it printed. */
function printedBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string } // execFile's own
  const [, text] = stdout.match(/"text": ("(?:[^"\\]|\\.)*")/) ?? []
  return text ? String(JSON.parse(text)) : [stdout, stderr].join('\n').trim() || error.message
}

/** Brings a database's tables up to date. Changes nothing if they are. */
export async function applyMigrations(target: Target): Promise<void> {
  await runD1(target, ['migrations', 'apply', 'DB'])
}
