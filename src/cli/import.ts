import { existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Database } from '../db/database.ts'
import type { Connection } from '../lib/connection.ts'
import { addMonths, type DateTime, endOfDay, formatInstant, startOfDay } from '../lib/time.ts'
import { isObject } from '../lib/values.ts'
import { settingsOf } from '../settings.ts'
import {
  copyImages,
  IMAGE_FOLDER,
  type ImageStore,
  imageFilesOf,
  restoreImageFiles,
} from '../sources/images.ts'
import { addressItems, httpAddress, isAddress } from '../sources/readers/addresses.ts'
import { backupOf, MANIFEST } from '../sources/readers/backup.ts'
import { gapsIn } from '../sources/readers/complete.ts'
import { fileItems, since } from '../sources/readers/files.ts'
import { Client, type ClientOptions, Unreachable } from '../sources/readers/http.ts'
import { NODE_TRANSPORT } from '../sources/readers/node-transport.ts'
import { type ReaderContext, type SourceItem, Unreadable } from '../sources/records.ts'
import { RemoteDatabase } from '../sources/remote-database.ts'
import type { Report } from '../sources/sync/report.ts'
import { findAuthor, Import, importContext } from '../sources/sync/run.ts'
import { zoneAdvice } from '../sources/zone-advice.ts'
import {
  dateOption,
  parseStrictly,
  runCommand,
  TARGET_HELP,
  TARGET_OPTIONS,
  targetOf,
  UsageError,
} from './arguments.ts'
import { databaseOver } from './connection.ts'
import { importStored } from './import-stored.ts'
import { progressBar } from './progress.ts'
import { PROJECT_CONFIG, runD1, type Target } from './wrangler.ts'

const OPTIONS = {
  ...TARGET_OPTIONS,
  source: { type: 'string' },
  namespace: { type: 'string' },
  since: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  mirror: { type: 'boolean' },
  'copy-images': { type: 'boolean' },
  partial: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  author: { type: 'string' },
  pause: { type: 'string' },
  retries: { type: 'string' },
  'max-wait': { type: 'string' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const HELP = `Brings a calendar over: from a site with The Events Calendar, from a page with JSON-LD, from files,
or from a backup.

  npm run import -- https://example.org               a site, by its address or that of its API
  npm run import -- https://example.org/feed.ics      an iCalendar feed
  npm run import -- https://example.org/events/       a page, list or sitemap with events as JSON-LD
  npm run import -- page.json events.ics folder/      saved responses and iCalendar files
  npm run import -- backup/                           what npm run export wrote
  npm run import -- --source 3                        a source of the calendar, as it is set there

  --namespace <path>   where the site's API is, if its index does not tell
  --since <date>       only events that start then or later
  --from <date>, --to <date>
                       between which days recurring events of iCalendar files occur that
                       cannot become series; from one year ago to two years ahead by default
  --mirror             also undo what was changed here since, and trash what vanished there
  --copy-images        also copy the images that the calendar then shows, and that are elsewhere
  --partial            take what there is of a backup that lacks files
  --dry-run            write nothing; print what would happen
  --verbose            name each record that was skipped, and every value that was left out
  --author <login>     author of what is imported; the first administrator by default
  --pause <ms>         between requests (200)
  --retries <n>        of a request that fails (5)
  --max-wait <s>       before trying again, whatever the server asks for (60)

${TARGET_HELP}`

const parse = (args: string[]) => parseStrictly(args, OPTIONS)

type Values = ReturnType<typeof parse>['values']

function count(values: Values, name: 'pause' | 'retries' | 'max-wait', fallback: number): number {
  const text = values[name]
  if (text === undefined) return fallback
  if (!/^\d{1,7}$/.test(text))
    throw new UsageError(`--${name} must be a whole number, not ${JSON.stringify(text)}.`)
  return Number(text)
}

function instant(values: Values, name: 'since' | 'from' | 'to', zone: string): DateTime | undefined {
  const date = dateOption(`--${name}`, values[name], zone)
  // The last day is included.
  if (name !== 'to' || !date?.wall.endsWith('00:00:00')) return date?.utc
  return dateOption(`--${name}`, endOfDay(date.wall), zone)?.utc
}

function windowOf(values: Values, zone: string) {
  const today = startOfDay(formatInstant(Date.now()))
  const window = {
    from: instant(values, 'from', zone) ?? addMonths(today, -12),
    to: instant(values, 'to', zone) ?? addMonths(today, 24),
  }
  if (window.to < window.from) throw new UsageError('--to must not be before --from.')
  return window
}

const clientOptions = (values: Values): ClientOptions => ({
  transport: NODE_TRANSPORT,
  pauseMs: count(values, 'pause', 200),
  attempts: count(values, 'retries', 5) + 1,
  maxWaitMs: count(values, 'max-wait', 60) * 1000,
})

/** Options that go with a source of the calendar, which has its own of all others. */
const WITH_SOURCE = ['source', 'verbose', ...Object.keys(TARGET_OPTIONS)]

function checkOperands(operands: readonly string[], values: Values): void {
  if (values.source !== undefined) {
    const option = Object.keys(values).find(name => !WITH_SOURCE.includes(name))
    const surplus = option === undefined ? operands[0] : `--${option}`
    if (surplus !== undefined) throw new UsageError(`--source does not go with ${surplus}.`)
    return
  }
  if (operands.length === 0) throw new UsageError(`What to import is missing.\n\n${HELP}`)
  for (const operand of operands) {
    if (isAddress(operand) ? !URL.canParse(operand) : !existsSync(operand))
      throw new UsageError(`There is no file or folder ${operand}.`)
  }
}

/** The most files named in the message about an incomplete backup. */
const MOST_NAMED = 20

/** @throws UsageError for a backup that lacks something, unless that is wanted */
async function checkBackups(operands: readonly string[], values: Values): Promise<void> {
  if (values.partial) return
  const gaps = await gapsIn(operands.filter(operand => !isAddress(operand)))
  if (gaps.length === 0) return
  const more = gaps.length > MOST_NAMED ? [`and ${gaps.length - MOST_NAMED} more`] : []
  throw new Error(
    ['The backup is incomplete:', ...gaps.slice(0, MOST_NAMED), ...more].join('\n  ') +
      '\nNothing was written. --partial takes what there is.',
  )
}

/** Reads the operands one after the other. */
async function* itemsOf(
  operands: readonly string[],
  values: Values,
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  const window = windowOf(values, context.timezone)
  const after = instant(values, 'since', context.timezone)
  const options = { namespace: values.namespace, since: after, window, client: clientOptions(values) }
  for (const address of operands.filter(isAddress))
    yield* since(skipUnreachable(address, addressItems(address, options, context)), after)
  const paths = operands.filter(operand => !isAddress(operand))
  if (paths.length > 0) yield* since(fileItems(paths, window, context), after)
}

/** Reads the records behind an address. If it cannot be read, that is reported, and the import goes on. */
async function* skipUnreachable(
  address: string,
  items: AsyncIterable<SourceItem>,
): AsyncGenerator<SourceItem> {
  try {
    yield* items
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof Unreachable)) throw error
    yield { type: 'failed', kind: 'page', what: address, reason: error.message }
  }
}

/** Collects garbage, which Node otherwise lets grow to several times the memory in use. Works with --expose-gc only. */
const collectGarbage = (): void => globalThis.gc?.()

function everySoOften(times: number, work: () => void): () => void {
  let calls = 0
  return () => {
    calls += 1
    if (calls % times === 0) work()
  }
}

/** The executor for a target. Wrangler sends a file to Cloudflare as one import, which D1 undoes if any part fails. */
const databaseOf = (target: Target, connection: Connection): Database =>
  target.remote
    ? new RemoteDatabase(connection, file => runD1(target, ['execute', 'DB', '--yes', '--file', file]))
    : databaseOver(connection)

/** Records in one transaction. Whatever is sent to Cloudflare takes seconds. */
const pieceSizeOf = ({ remote }: Target): number => (remote ? 2_000 : 200)

type Media = {
  operands: readonly string[]
  values: Values
  db: Database
  store: ImageStore | undefined
  report: Report
  progress: (done: number, expected: number) => void
}

/** Brings images along: those of backups always, those that are elsewhere if that is asked for. */
async function bringImages({ operands, values, db, store, report, progress }: Media): Promise<void> {
  const folders = operands.flatMap(backupFolders)
  const copies = values['copy-images'] === true
  if (folders.length === 0 && !copies) return
  if (values['dry-run']) return report.note('Images are neither copied nor counted in a dry run.')
  if (!store)
    return report.note(
      `${values.config ?? PROJECT_CONFIG} binds no bucket to MEDIA: images were not brought along.`,
    )
  for (const folder of folders) {
    const { images } = backupOf(await readFile(join(folder, MANIFEST), 'utf8'))
    const read = (file: string) => readFile(join(folder, IMAGE_FOLDER, file)).catch(() => undefined)
    await restoreImageFiles(imageFilesOf(images.filter(isObject)), read, { store, report, progress })
  }
  if (!copies) return
  const { openImages } = await import('./images.ts')
  const { images, close } = await openImages()
  await copyImages({
    ...{ db, store, images, report, progress },
    client: new Client(operands.filter(isAddress).map(httpAddress), clientOptions(values)),
    authorId: (await findAuthor(db, values.author)) ?? null,
    now: formatInstant(Date.now()),
    afterEach: everySoOften(10, collectGarbage),
  }).finally(close)
}

/** The folders below an operand that are backups. */
function backupFolders(operand: string): string[] {
  if (isAddress(operand) || !statSync(operand).isDirectory()) return []
  const names = readdirSync(operand, { recursive: true, encoding: 'utf8' })
  return names.filter(name => basename(name) === MANIFEST).map(name => join(operand, dirname(name)))
}

async function run(operands: readonly string[], values: Values, target: Target): Promise<void> {
  // Loaded late, so that help and wrong options don't wait for the database's server.
  const { openLean } = await import('./lean-database.ts')
  const { db: connection, vars, images } = await openLean(target)
  const bar = progressBar()
  try {
    if (values.source !== undefined) {
      const open = () => databaseOf(target, connection)
      const report = await importStored({ open, vars, id: values.source, progress: bar.show }).finally(
        bar.stop,
      )
      console.log(report.text({ verbose: values.verbose ?? false }))
      if (report.total('failed') > 0) process.exitCode = 1
      return
    }
    const db = databaseOf(target, connection)
    const settings = settingsOf(vars)
    const { timezone } = settings
    const started = new Import(importContext(db, settings, formatInstant(Date.now())), {
      mirror: values.mirror ?? false,
      dryRun: values['dry-run'] ?? false,
      author: values.author,
      pieceSize: pieceSizeOf(target),
      say: line => console.log(line),
      progress: bar.show,
      afterPiece: collectGarbage,
    })
    const context = {
      timezone,
      nowMs: Date.now(),
      note: started.report.note,
      afterPage: everySoOften(10, collectGarbage),
    }
    const report = await started
      .run(itemsOf(operands, values, context))
      .finally(bar.stop)
      .catch((error: unknown) => {
        // What was done before stays.
        if (started.report.total('created') + started.report.total('updated') > 0)
          console.log(started.report.text({ verbose: values.verbose ?? false }))
        throw error
      })
    const media = { operands, values, db, store: images, report, progress: bar.show }
    await bringImages(media).finally(bar.stop)
    if (values['dry-run']) console.log('Dry run: nothing was written.')
    console.log(report.text({ verbose: values.verbose ?? false }))
    const table = target.environment === undefined ? 'vars' : `env.${target.environment}.vars`
    const advice = zoneAdvice(report.zones, timezone, table)
    if (advice !== undefined) console.log(advice)
    if (report.total('failed') > 0) process.exitCode = 1
  } finally {
    bar.stop()
    await connection.close()
  }
}

await runCommand(async () => {
  const { values, positionals } = parse(process.argv.slice(2))
  if (values.help) return console.log(HELP)
  checkOperands(positionals, values)
  // Checked before the database is opened.
  windowOf(values, 'UTC')
  clientOptions(values)
  instant(values, 'since', 'UTC')
  const target = targetOf(values)
  await checkBackups(positionals, values)
  await run(positionals, values, target)
})
