import { existsSync } from 'node:fs'
import type { DayOrder } from '../calendar/imports/records.ts'
import { addMonths, type DateTime, endOfDay, formatInstant, startOfDay } from '../kit/lib/time.ts'
import { dateOption, TARGET_HELP, TARGET_OPTIONS, UsageError, type ValuesOf } from './arguments.ts'

// The options of `npm run import`. The command loads the importer later, so that help and wrong options don't
// wait for it.

export const OPTIONS = {
  ...TARGET_OPTIONS,
  source: { type: 'string' },
  namespace: { type: 'string' },
  since: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  dates: { type: 'string' },
  mirror: { type: 'boolean' },
  yes: { type: 'boolean' },
  'copy-images': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  author: { type: 'string' },
  pause: { type: 'string' },
  retries: { type: 'string' },
  'max-wait': { type: 'string' },
  verbose: { type: 'boolean' },
} as const

export const HELP = `Imports a calendar: from a site with The Events Calendar, from a page with JSON-LD, from files,
or from a backup.

  npm run import -- https://example.org               a site, by its address or that of its API
  npm run import -- https://example.org/feed.ics      an iCalendar feed
  npm run import -- https://example.org/events/       a page, list or sitemap with events as JSON-LD
  npm run import -- page.json events.ics folder/      saved responses and pages, and iCalendar files
  npm run import -- events.csv                        a spreadsheet that was saved as CSV
  npm run import -- backup/                           what npm run export wrote,
                                                      into a calendar without content
  npm run import -- --source 3                        a source of the calendar, with its own settings

  --namespace <path>   where the site's API is, if its index doesn't say so
  --since <date>       only events that start on or after this date
  --from <date>, --to <date>
                       the period for recurring events of iCalendar files that
                       can't become series; by default from one year ago to two years ahead
  --dates <dmy|mdy>    whether 05/06/2027 in a CSV file is 5 June or 6 May
  --mirror             also undo what was changed here, and trash what has vanished there
  --yes                let a mirror trash half or more of a list, or of its upcoming events; otherwise it exits with 3
  --copy-images        also copy the images that the calendar shows from other sites
  --dry-run            write nothing; print what would happen
  --verbose            name each record that was skipped or failed, and every value that was left out
  --author <login>     author of imported content; the first administrator by default
  --pause <ms>         pause between requests (200)
  --retries <n>        how often a failed request is repeated (5)
  --max-wait <s>       the longest wait before that, whatever the server asks for (60)

${TARGET_HELP}`

export type ImportValues = ValuesOf<typeof OPTIONS>

/** True if an operand of the command is an address and not a file. */
export const isAddress = (operand: string): boolean => /^(?:https?|webcals?):\/\//i.test(operand)

/** A host name such as `example.org`, perhaps with a path. */
const LOOKS_LIKE_HOST = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?]|$)/i

function countOption(values: ImportValues, name: 'pause' | 'retries' | 'max-wait', fallback: number): number {
  const text = values[name]
  if (text === undefined) return fallback
  if (!/^\d{1,7}$/.test(text))
    throw new UsageError(`--${name} must be a whole number, not ${JSON.stringify(text)}.`)
  return Number(text)
}

export function instantOption(
  values: ImportValues,
  name: 'since' | 'from' | 'to',
  zone: string,
): DateTime | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const { wall, utc } = dateOption(`--${name}`, text, zone)
  // The period includes the last day.
  return name === 'to' && wall.endsWith('00:00:00') ? dateOption(`--${name}`, endOfDay(wall), zone).utc : utc
}

export function windowOf(values: ImportValues, zone: string) {
  const today = startOfDay(formatInstant(Date.now()))
  const window = {
    from: instantOption(values, 'from', zone) ?? addMonths(today, -12),
    to: instantOption(values, 'to', zone) ?? addMonths(today, 24),
  }
  if (window.to < window.from) throw new UsageError('--to must not be before --from.')
  return window
}

/** The order of days in CSV files, if the options name it. @throws UsageError */
export function dayOrderOf({ dates }: ImportValues): DayOrder | undefined {
  if (dates === undefined || dates === 'dmy' || dates === 'mdy') return dates
  throw new UsageError(`--dates must be dmy (day first) or mdy (month first), not ${JSON.stringify(dates)}.`)
}

/** Options of requests to other servers. */
export const politenessOf = (values: ImportValues) => ({
  pauseMs: countOption(values, 'pause', 200),
  attempts: countOption(values, 'retries', 5) + 1,
  maxWaitMs: countOption(values, 'max-wait', 60) * 1000,
})

/** Options that are allowed with a source of the calendar, which stores all other options itself. */
const WITH_SOURCE = ['source', 'verbose', ...Object.keys(TARGET_OPTIONS)]

/** Options that are allowed with a backup, which is restored unchanged. */
const WITH_BACKUP = ['dry-run', ...Object.keys(TARGET_OPTIONS)]

/** @throws UsageError if a backup comes with other operands or options */
export function checkBackup(operands: readonly string[], values: ImportValues): void {
  if (operands.length > 1) throw new UsageError('A backup is restored by itself, without other files.')
  const option = Object.keys(values).find(name => !WITH_BACKUP.includes(name))
  if (option !== undefined) throw new UsageError(`--${option} cannot be combined with a backup.`)
}

export function checkOperands(operands: readonly string[], values: ImportValues): void {
  if (values.source !== undefined) {
    const option = Object.keys(values).find(name => !WITH_SOURCE.includes(name))
    const surplus = option === undefined ? operands[0] : `--${option}`
    if (surplus !== undefined) throw new UsageError(`--source cannot be combined with ${surplus}.`)
    return
  }
  if (operands.length === 0) throw new UsageError(`What to import is missing.\n\n${HELP}`)
  for (const operand of operands) {
    if (isAddress(operand) ? !URL.canParse(operand) : !existsSync(operand))
      throw new UsageError(
        `There is no file or folder ${operand}.${LOOKS_LIKE_HOST.test(operand) ? ` If it is an address, write https://${operand}` : ''}`,
      )
  }
}
