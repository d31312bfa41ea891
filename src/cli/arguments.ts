import { existsSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { PROJECT_CONFIG, type Target } from './wrangler.ts'

/** A command was called wrongly: the message names the argument. It ends with 2, a failed one with 1. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>

/** Which database a command is about, as options for `parseArgs`. */
export const TARGET_OPTIONS = {
  local: { type: 'boolean' },
  remote: { type: 'boolean' },
  'persist-to': { type: 'string' },
  env: { type: 'string', short: 'e' },
  config: { type: 'string', short: 'c' },
} as const satisfies Options

/** The same, for people. */
export const TARGET_HELP = `  --local              the local database (the default)
  --persist-to <dir>   where that is kept, as for wrangler dev
  --remote             the database at Cloudflare
  --env <name>         an environment of wrangler.toml
  --config <file>      another wrangler.toml`

type TargetValues = {
  local?: boolean | undefined
  remote?: boolean | undefined
  'persist-to'?: string | undefined
  env?: string | undefined
  config?: string | undefined
}

/** @throws UsageError for options that contradict each other, or name no file */
export function targetOf(values: TargetValues): Target {
  if (values.local && values.remote) throw new UsageError('--local and --remote exclude each other.')
  if (values.remote && values['persist-to']) {
    throw new UsageError('--persist-to names a local folder and does not go with --remote.')
  }
  const config = values.config ?? PROJECT_CONFIG
  if (!existsSync(config)) throw new UsageError(`--config: there is no file ${config}.`)
  return {
    remote: values.remote ?? false,
    persistTo: values['persist-to'],
    environment: values.env,
    config,
  }
}

/**
 * `parseArgs`, strictly, with operands.
 *
 * @throws UsageError for unknown options, and for ones that lack a value or have one too many
 */
export function parseStrictly<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Runs a command to its end: prints what went wrong to stderr and sets the exit code. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}
