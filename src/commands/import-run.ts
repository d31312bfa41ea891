import { rm } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { type ReaderContext, type SourceItem, Unreadable } from '../calendar/imports/records.ts'
import type { Report } from '../calendar/imports/report.ts'
import { selectAuthorId } from '../calendar/users/records.ts'
import { switchedOn } from '../feature.ts'
import { FEATURES } from '../features.ts'
import type { ImageStore } from '../kit/context.ts'
import type { Database } from '../kit/db/database.ts'
import { many } from '../kit/db/query.ts'
import { build } from '../kit/db/statements.ts'
import { sources } from '../kit/db/tables.ts'
import { importContext } from '../kit/http/request-context.ts'
import { readOwnCalendarId } from '../kit/http/revision.ts'
import { readSettingsIn } from '../kit/http/stored-settings.ts'
import { languageOf } from '../kit/lib/languages.ts'
import { httpAddress } from '../kit/lib/network.ts'
import { formatInstant } from '../kit/lib/time.ts'
import { settingsOf } from '../kit/settings.ts'
import { addressItems } from '../readers/addresses.ts'
import { fileItems, itemsSince } from '../readers/files.ts'
import { Client, type ClientOptions, Unreachable } from '../readers/http.ts'
import { leadToPrivate, nodeTransport } from '../readers/node-transport.ts'
import { UsageError } from './arguments.ts'
import { countsIn, readManifest } from './backup/manifest.ts'
import { restoreCalendar } from './backup/restore.ts'
import { featureDumps } from './backup/tables.ts'
import { copyImages } from './import-images.ts'
import { Import } from './import-items.ts'
import {
  dayOrderOf,
  type ImportValues,
  instantOption,
  isAddress,
  politenessOf,
  windowOf,
} from './import-options.ts'
import { type OpenCalendar, openCalendar, withCalendar } from './lean-database.ts'
import { openImages } from './local-d1.ts'
import { FirstEvents, progressLine, rowsNotice } from './progress.ts'
import { markerFileOf, PROJECT_CONFIG, type Target } from './wrangler.ts'

/**
 * Options of requests. Sites may lead them to private networks only if one of the operands is itself in such
 * a network.
 */
const clientOptions = async (values: ImportValues, addresses: readonly string[]): Promise<ClientOptions> => ({
  transport: nodeTransport,
  allowsPrivate: await leadToPrivate(addresses.map(httpAddress)),
  ...politenessOf(values),
})

async function* sourceItems(
  operands: readonly string[],
  values: ImportValues,
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  const window = windowOf(values, context.timezone)
  const since = instantOption(values, 'since', context.timezone)
  for (const address of operands.filter(isAddress)) {
    const client = await clientOptions(values, [address])
    const options = { namespace: values.namespace, since, window, client }
    yield* itemsSince(skipUnreachable(address, addressItems(address, options, context)), since)
  }
  const paths = operands.filter(operand => !isAddress(operand))
  if (paths.length > 0) yield* itemsSince(fileItems(paths, window, context), since)
}

/** Reads the records at an address. If it cannot be read, the import reports that and continues. */
async function* skipUnreachable(
  address: string,
  items: AsyncIterable<SourceItem>,
): AsyncGenerator<SourceItem> {
  try {
    yield* items
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof Unreachable)) throw error
    const reason = error.message.replace(`${httpAddress(address)}: `, '')
    yield { type: 'failed', kind: 'page', what: address, reason }
  }
}

const INTERRUPTED =
  'Interrupted. What the table counts has been written and is kept. Run the same command again to continue.'
/** The exit status of a command that Ctrl-C ends. */
const INTERRUPTED_STATUS = 130

/**
 * A signal that Ctrl-C aborts. Otherwise the runtime of the database would end the process at once, as a
 * second Ctrl-C does.
 */
function interruptible(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('interrupted'))
  const otherListeners = process.listeners('SIGINT')
  process.removeAllListeners('SIGINT')
  process.once('SIGINT', stop)
  const release = () => {
    process.off('SIGINT', stop)
    for (const other of otherListeners) process.on('SIGINT', other)
  }
  return { signal: controller.signal, release }
}

/**
 * Takes items until a signal is aborted, even while waiting for the next item.
 * @throws the reason why the signal was aborted
 */
async function* untilAborted<T>(signal: AbortSignal, items: AsyncIterable<T>): AsyncGenerator<T> {
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  signal.addEventListener('abort', () => aborted.reject(signal.reason))
  const iterator = items[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await Promise.race([iterator.next(), aborted.promise])
    signal.throwIfAborted()
    if (done) return
    yield value
  }
}

/**
 * The number of records, or rows of a backup, in one transaction. Each transaction at Cloudflare takes
 * seconds.
 */
const batchSizeOf = ({ remote }: Target): number => (remote ? 2_000 : 200)

type ImageCopying = {
  operands: readonly string[]
  values: ImportValues
  db: Database
  store: ImageStore | undefined
  report: Report
  progress: (done: number, expected: number) => void
}

/** Copies images from other sites, if the options ask for that. */
async function copyImagesIfAsked({
  operands,
  values,
  db,
  store,
  report,
  progress,
}: ImageCopying): Promise<void> {
  if (!values['copy-images']) return
  if (values['dry-run']) return report.note('A dry run neither copies nor counts images.')
  if (!store)
    return report.note(`${values.config ?? PROJECT_CONFIG} binds no bucket to MEDIA: images were not copied.`)
  const { images, close } = await openImages()
  await copyImages({
    db,
    store,
    images,
    report,
    progress,
    client: new Client(await clientOptions(values, operands.filter(isAddress))),
    authorId: (await db.read(selectAuthorId(values.author))) ?? null,
    now: formatInstant(Date.now()),
  }).finally(close)
}

/** Prints the report of an import, and sets the exit status. */
function printReport(report: Report, { verbose = false }: ImportValues): void {
  console.log(report.text({ verbose }))
  process.exitCode = report.exitCode
}

/** Imports the operands, or a source of the calendar. @throws UsageError, Error */
export const importAll = (operands: readonly string[], values: ImportValues, target: Target): Promise<void> =>
  withCalendar(target, async calendar => {
    if (values.source === undefined) return importOperands(calendar, { operands, values, target })
    const { show, stop } = progressLine()
    printReport(await importStored(calendar, { id: values.source, progress: show }).finally(stop), values)
  })

async function importOperands(
  { db, vars, images, close }: OpenCalendar,
  { operands, values, target }: { operands: readonly string[]; values: ImportValues; target: Target },
): Promise<void> {
  const settings = await readSettingsIn(db, vars)
  const { timezone } = settings
  const progress = progressLine()
  const interruption = interruptible()
  const calendarContext = importContext({ db, settings, nowMs: Date.now() })
  const importer = new Import(calendarContext, {
    mirror: values.mirror ?? false,
    agrees: values.yes ?? false,
    dryRun: values['dry-run'] ?? false,
    author: values.author,
    batchSize: batchSizeOf(target),
    say: line => console.log(line),
    progress: progress.show,
    signal: interruption.signal,
    expecting: target.remote && !values['dry-run'] ? records => console.log(rowsNotice(records)) : undefined,
  })
  const context = {
    timezone,
    nowMs: Date.now(),
    ownId: await readOwnCalendarId(db, settings),
    host: calendarContext.host,
    dayOrder: dayOrderOf(values),
    language: languageOf(settings.website.language),
    note: importer.report.note,
    guess: importer.report.guesses.take,
  }
  const firstEvents = new FirstEvents()
  const report = await importer
    .run(untilAborted(interruption.signal, firstEvents.noting(sourceItems(operands, values, context))))
    .finally(progress.stop)
    .catch(async (error: unknown) => {
      // What was written before the failure stays, so the report names it.
      const { signal } = interruption
      if (signal.aborted || importer.report.total('created') + importer.report.total('updated') > 0)
        console.log(importer.report.text({ verbose: values.verbose ?? false }))
      if (!signal.aborted) throw error
      console.log(values['dry-run'] ? 'Interrupted. Nothing was written.' : INTERRUPTED)
      await close().catch(() => {})
      // A response may still be pending.
      process.exit(INTERRUPTED_STATUS)
    })
    .finally(interruption.release)
  const media = { operands, values, db, store: images, report, progress: progress.show }
  await copyImagesIfAsked(media).finally(progress.stop)
  if (values['dry-run']) console.log([...firstEvents.lines(), 'Dry run: nothing was written.'].join('\n'))
  printReport(report, values)
}

/** Restores a backup. @throws Error */
export async function restoreBackup(folder: string, dryRun: boolean, target: Target): Promise<void> {
  const { db, vars, images, close } = await openCalendar(target)
  const progress = progressLine()
  try {
    if (target.remote && !dryRun) {
      const { tables } = await readManifest(folder)
      console.log(rowsNotice(tables.events?.rows ?? 0))
    }
    const context = importContext({ db, settings: settingsOf(vars), nowMs: Date.now() })
    const { manifest, omissions } = await restoreCalendar(context, {
      folder,
      store: images,
      dryRun,
      batchSize: batchSizeOf(target),
      progress: progress.show,
    }).finally(progress.stop)
    console.log([countsIn(manifest), ...omissions].join('\n'))
    if (dryRun) return console.log('Dry run: the backup is complete, and nothing was written.')
    // A restored calendar needs no sample.
    if (!target.remote) await rm(markerFileOf(target), { force: true })
    console.log('Restored. Users have no passwords yet: npm run user -- password <login>')
    for (const [name, { note }] of featureDumps())
      if (note && (manifest.tables[name]?.rows ?? 0) > 0) console.log(note)
  } finally {
    await close()
  }
}

/**
 * Reads a source of the calendar to its end, like the cron.
 *
 * @param id the number of the source, as the user wrote it
 * @param progress shows the progress
 * @throws UsageError if there is no such source, or sources are switched off
 */
export async function importStored(
  { openExecutor: open, vars }: Pick<OpenCalendar, 'openExecutor' | 'vars'>,
  { id, progress }: { id: string; progress: (done: number, expected: number) => void },
): Promise<Report> {
  const db = open()
  const knownRows = await db.read(
    many(
      build
        .select({ id: sources.id, name: sources.name })
        .from(sources)
        .where(eq(sources.is_being_deleted, false))
        .orderBy(sources.id),
    ),
  )
  if (!knownRows.some(row => String(row.id) === id)) {
    const names = knownRows.map(row => `${row.id} (${row.name})`).join(', ')
    throw new UsageError(`--source: there is no source ${id}. There ${names ? `are: ${names}` : 'are none'}.`)
  }
  const settings = await readSettingsIn(db, vars)
  const runImport = switchedOn(FEATURES, settings).find(({ importStored }) => importStored)?.importStored
  if (!runImport) throw new UsageError('--source: this calendar has no sources (FEATURES).')
  return runImport({ open, settings, id: Number(id), transport: nodeTransport, progress })
}
