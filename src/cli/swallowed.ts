import type { ParseArgsConfig } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** Names by which npm keeps options that it takes for abbreviations of its own. */
const NAMES_OF_NPM: Readonly<Record<string, string>> = { to: 'token-description', c: 'call' }

const environmentName = (option: string): string =>
  `npm_config_${(NAMES_OF_NPM[option] ?? option).replaceAll('-', '_')}`

/** Tells if npm was given an option. An option with --no- is an empty text. */
function hasSwallowed(option: string, environment: NodeJS.ProcessEnv): boolean {
  const negated = option.startsWith('no-') ? environment[environmentName(option.slice(3))] : undefined
  const value = environment[environmentName(option)]
  return negated === '' || (value !== undefined && !['', 'false'].includes(value))
}

/**
 * The options that were meant for a command, and that npm kept: of `npm run import events.ics --dry-run` only the file gets
 * here, and a trial would become real. npm leaves them in the environment, but for `--expires` and `-e`, which it takes for
 * a number of its own and drops.
 *
 * @param args what did get here; an option that is among them is meant
 * @param options those of the command
 */
export const swallowedOptions = (
  args: readonly string[],
  options: Options,
  environment: NodeJS.ProcessEnv,
): string[] =>
  Object.entries(options).flatMap(([name, { type, short }]) => {
    const isGiven = args.some(arg => arg.split('=')[0] === `--${name}` || arg === `-${short}`)
    const names = short === undefined ? [name] : [name, short]
    if (isGiven || !names.some(one => hasSwallowed(one, environment))) return []
    return [type === 'string' ? `--${name} …` : `--${name}`]
  })
