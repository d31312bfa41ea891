import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, getTableName, is, type SQL, sql } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { storedByFeatures } from '../../calendar/content/backup-tables.ts'
import { pathsStatement } from '../../calendar/terms/statements.ts'
import type { BaseContext, ImageStore } from '../../kit/context.ts'
import type { Database } from '../../kit/db/database.ts'
import { revision } from '../../kit/db/derived.ts'
import { conflictIf, isConflict } from '../../kit/db/failures.ts'
import { combineQueries, countOf, type Statement } from '../../kit/db/query.ts'
import { findRestoreProgress } from '../../kit/db/readiness.ts'
import { asOneChange, build } from '../../kit/db/statements.ts'
import * as schema from '../../kit/db/tables.ts'
import { imageFileOf, MEDIA_TYPES } from '../../kit/lib/images/formats.ts'
import { storedJson } from '../../kit/lib/values.ts'
import {
  checkFiles,
  digestOfFile,
  imagePath,
  MANIFEST,
  type Manifest,
  readManifest,
  rowsIn,
} from './manifest.ts'
import { type RestoredRow, type RestoreStep, stepsOf } from './steps.ts'
import { dumpedColumns, dumpedNames, dumpedTable, featureDumps, fieldColumns } from './tables.ts'

// A restore writes the rows of a backup unchanged, with their ids and versions. It takes many transactions,
// each of which records the progress: an interrupted restore continues from there, and until it is complete,
// nobody else reads or writes the calendar (kit/db/readiness.ts).

type Restore = {
  folder: string
  store: ImageStore | undefined
  /** The number of rows in a transaction. */
  batchSize: number
  /** Checks the backup and writes nothing. */
  dryRun: boolean
  progress: (done: number, expected: number) => void
}

/**
 * Restores a backup into a calendar without content, or continues an interrupted restore of the same backup.
 *
 * @returns its manifest, and sentences about values that are left out
 * @throws Error that names the fault of the backup or the calendar
 */
export async function restoreCalendar(
  context: BaseContext,
  { folder, store, batchSize, dryRun, progress }: Restore,
): Promise<{ manifest: Manifest; omissions: ReadonlySet<string> }> {
  const { db } = context
  const manifest = await readManifest(folder)
  const omissions = await checkFiles(folder, manifest)
  const imageFiles = Object.keys(manifest.images)
  if (imageFiles.length > 0 && !store)
    throw new Error('The backup has images, but wrangler.toml binds no bucket to MEDIA for them.')
  if (dryRun) return { manifest, omissions }
  const steps = stepsOf(context).filter(({ file }) => manifest.tables[file])
  const backup = await digestOfFile(join(folder, MANIFEST))
  const mark = await beginOrContinue(db, { backup, step: steps[0]?.name ?? '', rows: 0 })
  await restoreTables(db, { steps, mark, folder, manifest, batchSize, progress })
  for (const [i, file] of imageFiles.entries()) {
    await storeImage(folder, file, store)
    progress(i + 1, imageFiles.length)
  }
  await endRestore(db, manifest)
  return { manifest, omissions }
}

/** The progress of a restore: the digest of its manifest, the name of a step, and rows of its file. */
type Mark = { backup: string; step: string; rows: number }

/**
 * Begins to restore a backup, or finds the progress of an earlier run.
 * @throws Error if the calendar cannot be restored into
 */
async function beginOrContinue(db: Database, start: Mark): Promise<Mark> {
  const foundMark = await findRestoreProgress(db)
  if (foundMark === null) {
    await beginRestore(db, start)
    return start
  }
  const mark = storedJson<Mark>(foundMark)
  if (mark.backup === start.backup) return mark
  throw new Error(
    'The restore of another backup was interrupted here. Restore that one again, which continues where it stopped, or begin with an empty database.',
  )
}

const { events, series, venues, organizers, terms, images, sources, submissions } = schema

/** Tables that show whether a calendar has content. */
const contentTables = (): Readonly<Record<string, SQLiteTable>> => ({
  events,
  series,
  venues,
  organizers,
  terms,
  images,
  sources,
  submissions,
  ...Object.fromEntries(
    featureDumps().flatMap(([name, { isContent, table }]) => (isContent ? [[name, table]] : [])),
  ),
})

/** Tables with secrets and positions of one database, which a restore does not change. */
const KEPT_TABLES: readonly unknown[] = [
  schema.keys,
  schema.dayKeys,
  schema.usedChallenges,
  schema.twinsPosition,
]

/** Tables whose rows a backup replaces: its own tables, and the tables that it leaves out. */
const replacedTables = (): Set<SQLiteTable> =>
  new Set(
    [
      ...Object.values<unknown>(schema),
      ...storedByFeatures().map(([, { table }]) => table),
      ...Object.values(dumpedColumns()).map(({ table }) => table),
    ].filter((value): value is SQLiteTable => is(value, SQLiteTable) && !KEPT_TABLES.includes(value)),
  )

/**
 * A change number that the calendar has not used before: no count of changes reaches the seconds since 1970.
 */
const unusedChangeNumber = (column: SQL): SQL => sql`max(${column}, unixepoch())`

/**
 * Empties a calendar without content, apart from its keys, and marks it as being restored. Earlier entity
 * tags and tokens become invalid.
 *
 * @throws Error for a calendar with content
 */
async function beginRestore(db: Database, mark: Mark): Promise<void> {
  const content = contentTables()
  const counts = await db.read(combineQueries(Object.values(content).map(table => countOf(sql`${table}`))))
  const contentTexts = Object.keys(content).flatMap((name, i) => (counts[i] ? [`${counts[i]} ${name}`] : []))
  if (contentTexts.length > 0)
    throw new Error(
      `This calendar has content already: ${contentTexts.join(', ')}. A backup is restored into an empty one: for a local calendar, name a new folder with --persist-to; at Cloudflare, make another database with npx wrangler d1 create and put its id into wrangler.toml.`,
    )
  await db.write([
    ...Object.values(content).map(table => conflictIf(sql`EXISTS (SELECT 1 FROM ${table})`)),
    sql`PRAGMA defer_foreign_keys = on`,
    ...[...replacedTables()].map(table => build.delete(table)),
    build.update(revision).set({
      restoring: JSON.stringify(mark),
      secret: sql`lower(hex(randomblob(16)))`,
      change_number: unusedChangeNumber(sql`change_number`),
      public_change_number: unusedChangeNumber(sql`public_change_number`),
    }),
  ])
}

type RestoreWork = Pick<Restore, 'folder' | 'batchSize' | 'progress'> & {
  steps: readonly RestoreStep[]
  mark: Mark
  manifest: Manifest
}

async function restoreTables(
  db: Database,
  { steps, mark, folder, manifest, batchSize, progress }: RestoreWork,
): Promise<void> {
  const rowsOf = ({ file }: RestoreStep): number => manifest.tables[file]?.rows ?? 0
  const expected = steps.reduce((sum, step) => sum + rowsOf(step), 0)
  const first = steps.findIndex(({ name }) => name === mark.step)
  if (first === -1) throw new Error('Another version began this restore. Begin again with an empty database.')
  let doneCount = steps.slice(0, first).reduce((sum, step) => sum + rowsOf(step), 0)
  let knownMark = mark
  for (const step of steps.slice(first)) {
    const from = step.name === knownMark.step ? knownMark.rows : 0
    for await (const { rows, upTo } of batchesOf(folder, step, { from, size: batchSize })) {
      const next = { ...knownMark, step: step.name, rows: upTo }
      if (rows.length > 0) {
        await writeBatch(db, step.statements(rows), { known: knownMark, next })
        knownMark = next
      }
      progress(doneCount + upTo, expected)
    }
    doneCount += rowsOf(step)
  }
}

/** The number of characters after which a batch of a restore ends. */
const MAX_CHARACTERS = 2_000_000

/**
 * Reads the rows of a step in batches.
 *
 * @param from the number of rows of the file to skip
 */
async function* batchesOf(
  folder: string,
  { file, writesRow = () => true }: RestoreStep,
  { from, size }: { from: number; size: number },
): AsyncGenerator<{ rows: RestoredRow[]; upTo: number }> {
  const columns = fieldColumns(file)
  let rows: RestoredRow[] = []
  let upTo = 0
  let characters = 0
  for await (const { row, length } of rowsIn(folder, file)) {
    upTo += 1
    if (upTo <= from) continue
    const values = Object.entries(row).map(([field, value]) => [columns[field]?.name ?? field, value])
    const restoredRow = Object.fromEntries(values) as RestoredRow // checkFiles has checked this.
    if (!writesRow(restoredRow)) continue
    rows.push(restoredRow)
    characters += length
    if (rows.length < size && characters < MAX_CHARACTERS) continue
    yield { rows, upTo }
    rows = []
    characters = 0
  }
  yield { rows, upTo }
}

/** Writes a batch, and the progress of the restore. @throws Error if another process restores as well */
async function writeBatch(
  db: Database,
  statements: readonly Statement[],
  { known, next }: Record<'known' | 'next', Mark>,
): Promise<void> {
  const otherRestoreSql = sql`(SELECT restoring FROM ${revision}) IS NOT ${JSON.stringify(known)}`
  try {
    await db.write([
      conflictIf(otherRestoreSql),
      ...asOneChange(statements),
      build.update(revision).set({ restoring: JSON.stringify(next) }),
    ])
  } catch (error) {
    if (!isConflict(error) || (await findRestoreProgress(db)) === JSON.stringify(known)) throw error
    throw new Error('Another process is restoring this calendar, too.', { cause: error })
  }
}

async function storeImage(folder: string, file: string, store: ImageStore | undefined): Promise<void> {
  const bytes = Uint8Array.from(await readFile(imagePath(folder, file)))
  // The bucket serves its files to everybody, so it may only have images.
  const { format } = imageFileOf(bytes)
  if (!file.endsWith(`.${format}`)) throw new Error(`${file} is an image of the format ${format}.`)
  if (format !== 'heic') await store?.put(file, bytes, MEDIA_TYPES[format])
}

/**
 * Continues the sequences of ids, derives the paths of terms, and opens the calendar. Shared caches are
 * purged of earlier content.
 */
const endRestore = (db: Database, { last_ids }: Manifest): Promise<void> =>
  db.write([
    ...dumpedNames().flatMap((file): Statement[] => {
      const name = getTableName(dumpedTable(file).table)
      const last = last_ids[file]
      if (last === undefined) return []
      const highest = sql`max(${last}, coalesce((SELECT max(id) FROM ${dumpedTable(file).table}), 0))`
      return [
        sql`DELETE FROM sqlite_sequence WHERE name = ${name}`,
        sql`INSERT INTO sqlite_sequence (name, seq) SELECT ${name}, ${highest}`,
      ]
    }),
    ...featureDumps().flatMap(([, { endStatements }]) => endStatements?.() ?? []),
    pathsStatement(eq(terms.parent, 0)),
    // The restored events were compared with each other before the backup.
    build.update(schema.twinsPosition).set({
      n: sql`(SELECT change_number + 1 FROM ${revision})`,
      id: 0,
      public_n: sql`(SELECT public_change_number FROM ${revision})`,
    }),
    build.update(revision).set({
      restoring: null,
      purges_left: 2,
      image_purges_left: 2,
      change_number: sql`change_number + 1`,
      public_change_number: sql`public_change_number + 1`,
    }),
  ])
