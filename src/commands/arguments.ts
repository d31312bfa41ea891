import { existsSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { ApiError, messageOf } from '../kit/lib/errors.ts'
import { parseDate } from '../kit/lib/parse-date.ts'
import type { DateTime } from '../kit/lib/time.ts'
import { PROJECT_CONFIG, type Target } from './wrangler.ts'
import { readConfiguration } from './wrangler-config.ts'

/**
 * The error for wrong arguments, which its message names. The exit status is 2 for this error, and 1 for
 * others.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Options for `parseArgs` that name the deployment of a command. */
export const DEPLOYMENT_OPTIONS = {
  env: { type: 'string', short: 'e' },
  config: { type: 'string', short: 'c' },
} as const satisfies Options

/** Options for `parseArgs` that name the database of a command. */
export const TARGET_OPTIONS = {
  local: { type: 'boolean' },
  remote: { type: 'boolean' },
  'persist-to': { type: 'string' },
  ...DEPLOYMENT_OPTIONS,
} as const satisfies Options

/** Lines of help about {@link TARGET_OPTIONS}. */
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

/**
 * The database that options name.
 *
 * @throws UsageError for options that contradict each other, or name no file; Error for an unknown
 *   environment
 */
export function targetOf(values: TargetValues): Target {
  if (values.local && values.remote) throw new UsageError('--local and --remote cannot be combined.')
  if (values.remote && values['persist-to']) {
    throw new UsageError('--persist-to names a local folder and cannot be combined with --remote.')
  }
  const config = values.config ?? PROJECT_CONFIG
  if (!existsSync(config)) throw new UsageError(`--config: there is no file ${config}.`)
  const target = {
    remote: values.remote ?? false,
    persistTo: values['persist-to'],
    environment: values.env,
    config,
  }
  // Wrangler would run without the bindings and vars of an environment that doesn't exist.
  if (values.env !== undefined) readConfiguration(target)
  return target
}

/** The names under which npm stores options that it mistakes for abbreviations of its own options. */
const NAMES_OF_NPM: Readonly<Record<string, string>> = { to: 'token-description', c: 'call' }

/**
 * The options of a command that npm has kept for itself: of `npm run import events.ics --dry-run`, the
 * command only gets the file, and the trial would become a real import. npm stores such options in the
 * environment, except `--expires` and `-e`, which it mistakes for a number of its own and drops.
 *
 * @param args the arguments that did reach the command
 * @param options of the command
 */
export function swallowedOptions(
  args: readonly string[],
  options: Options,
  environment: NodeJS.ProcessEnv,
): string[] {
  const npmOption = (option: string) =>
    environment[`npm_config_${(NAMES_OF_NPM[option] ?? option).replaceAll('-', '_')}`]
  return Object.entries(options).flatMap(([name, { type, short = '' }]) => {
    const isGiven = args.some(arg => arg.split('=')[0] === `--${name}` || arg === `-${short}`)
    // An option with --no- before it becomes an empty text.
    const isNegated = name.startsWith('no-') && npmOption(name.slice(3)) === ''
    const isKept = isNegated || [name, short].some(one => !['', 'false', undefined].includes(npmOption(one)))
    return isGiven || !isKept ? [] : [type === 'string' ? `--${name} …` : `--${name}`]
  })
}

/**
 * Checks that npm has kept no options of a command.
 *
 * @throws UsageError that says how to write the kept options
 */
export function refuseSwallowed(args: readonly string[], options: Options): void {
  const swallowed = swallowedOptions(args, options, process.env)
  if (swallowed.length === 0) return
  const names = swallowed.map(option => option.replace(' …', '')).join(' and ')
  throw new UsageError(
    `npm swallowed ${names}, so nothing was done. Options come after two dashes:\n` +
      `  npm run ${process.env.npm_lifecycle_event ?? '…'} -- … ${swallowed.join(' ')}`,
  )
}

/**
 * Checks that no option is empty, as happens in a script when a variable has no value.
 *
 * @throws UsageError
 */
export function refuseEmpty(values: Readonly<Record<string, unknown>>): void {
  const name = Object.keys(values).find(option => values[option] === '')
  if (name !== undefined) throw new UsageError(`--${name} is empty.`)
}

/**
 * Runs `parseArgs` in its strict mode, with operands and `--help`.
 *
 * @throws UsageError for unknown options, options without their value or with an unexpected value, and
 *   options that npm has kept
 */
export function parseStrictly<const O extends Options>(args: string[], ownOptions: O) {
  const options = { ...ownOptions, help: { type: 'boolean', short: 'h' } } as const
  refuseSwallowed(args, options)
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    // Node's message also explains operands that begin with a dash, which no command takes.
    const message = messageOf(error)
    throw new UsageError(message.replace(/\. To specify a positional .*$/s, '. See --help.'))
  }
}

/** The options of a command, as the user wrote them. */
export type ValuesOf<O extends Options> = ReturnType<typeof parseStrictly<O>>['values']

/**
 * An option that holds a date, as wall time and in UTC.
 *
 * @param zone the zone of a date without an offset
 * @throws UsageError if it is not a date
 */
export function dateOption(name: string, text: string, zone = 'UTC'): { wall: DateTime; utc: DateTime } {
  const date = parseDate(text, zone, Date.now())
  if (!date) throw new UsageError(`${name} must be a date such as 2027-01-31, not ${JSON.stringify(text)}.`)
  return date
}

/** The value of an option that is a whole number of at least 1. @throws UsageError for others */
export function positiveInteger(name: string, text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number > 0 && Number.isSafeInteger(number)) return number
  throw new UsageError(`${name} must be a positive whole number, not ${JSON.stringify(text)}.`)
}

/**
 * Makes a command, which takes options and operands from a shell, and prints its help or does its work.
 *
 * @param settings.takesOperands false if operands are an error
 */
export const command =
  <const O extends Options>(
    help: string,
    options: O,
    work: (values: ValuesOf<O>, operands: string[]) => Promise<void>,
    { takesOperands = false } = {},
  ) =>
  async (args: string[]): Promise<void> => {
    const { values, positionals } = parseStrictly(args, options)
    if ('help' in values) return console.log(help)
    refuseEmpty(values)
    const [surplus] = takesOperands ? [] : positionals
    if (surplus !== undefined) throw new UsageError(`Unexpected argument ${surplus}.\n\n${help}`)
    await work(values, positionals)
  }

/** True for an error of this program, unlike those of the platform, which have a code or a cause. */
const isFault = (error: Error): boolean =>
  (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) &&
  !('code' in error) &&
  error.cause === undefined

/**
 * Runs a command: prints the message of an error to stderr, or the stack of a fault, and sets the exit
 * status.
 *
 * @param args options and operands; by default the arguments of the process
 */
export async function runCommand(
  run: (args: string[]) => Promise<void>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  try {
    await run([...args])
  } catch (error) {
    // The database's own message. Clients of the API don't get it.
    const shownError = error instanceof ApiError && error.cause ? error.cause : error
    if (!(shownError instanceof Error)) console.error(shownError)
    else console.error(isFault(shownError) ? shownError.stack : shownError.message)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}
