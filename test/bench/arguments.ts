import { parseStrictly, UsageError } from '../../src/commands/arguments.ts'

export const HELP = `Measures every kind of request on a calendar that has grown the way real ones do.

  npm run bench -- --events 100000

  --events <n>      how large the calendar is; 10000 by default, at least 1000
  --rounds <n>      rounds in which each request is measured four times; 40 by default
  --scheduled <n>   how many of the events are scheduled for later; by default none at first,
                    and then rows are counted again with 50
  --series <n>      percentage of events that are dates of series, written through the API; by default
                    there are only a few series
  --check           exit with 1 if a request exceeds its budget of round trips, statements, and rows
                    read and written, or with --instructions its budget of these
  --writes          only send requests that write
  --only <text>     only send requests with this in their names
  --table           only measure what invocations take of the free plan's limits, and what days cost
  --instructions    only count the instructions of starts, and of requests with a budget of them, which
                    are the same on a busy machine; needs Valgrind, and takes minutes
  --start           only measure how long the Worker takes to start, or what that takes
                    with --instructions
  --sizes           also print the size of the database by table
  --data <dir>      keep the database in this folder, and use the one that is there
  --json <file>     also write the figures to a file`

const OPTIONS = {
  events: { type: 'string', default: '10000' },
  rounds: { type: 'string', default: '40' },
  scheduled: { type: 'string' },
  series: { type: 'string', default: '0' },
  check: { type: 'boolean', default: false },
  writes: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  table: { type: 'boolean', default: false },
  instructions: { type: 'boolean', default: false },
  start: { type: 'boolean', default: false },
  sizes: { type: 'boolean', default: false },
  data: { type: 'string' },
  json: { type: 'string' },
} as const

export type BenchOptions = {
  events: number
  rounds: number
  /** Numbers of scheduled events, ascending: rows are counted with each. */
  scheduled: readonly [number, ...number[]]
  /** Percent of the events. */
  series: number
  check: boolean
  /** True if no reads are measured. */
  writes: boolean
  /** A part of the names of those that are measured. */
  only: string
  /** True if only the requests of its tables are measured, and the cron. */
  table: boolean
  /** True if instructions are counted instead of all else. */
  instructions: boolean
  /** True if nothing else is measured. */
  start: boolean
  sizes: boolean
  data?: string
  json?: string
}

function wholeNumber(name: string, text: string, least: number, most = 99_999_999): number {
  if (!/^\d{1,8}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new UsageError(
      `--${name} must be a whole number of at least ${least}${most < 99_999_999 ? `, at most ${most}` : ''}, not ${JSON.stringify(text)}.`,
    )
  return Number(text)
}

/**
 * The options of a command line, or `help` if it asks for that.
 *
 * @throws UsageError for what it does not know
 */
export function readArguments(args: string[]): BenchOptions | 'help' {
  const { values, positionals } = parseStrictly(args, OPTIONS)
  if (values.help) return 'help'
  if (positionals.length > 0)
    throw new UsageError(
      `Unexpected argument ${JSON.stringify(positionals[0])}: this command takes only options.`,
    )
  const { help: _, events, rounds, scheduled, series, ...others } = values
  return {
    ...others,
    events: wholeNumber('events', events, 1_000),
    rounds: wholeNumber('rounds', rounds, 1),
    scheduled: scheduled === undefined ? [0, 50] : [wholeNumber('scheduled', scheduled, 0)],
    series: wholeNumber('series', series, 0, 80),
  }
}
