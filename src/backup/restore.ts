import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, getTableName, inArray, is, ne, type SQL, sql } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ImageStore, RequestContext } from '../context.ts'
import { type GivenRow, insertRows, updateRows } from '../db/bulk.ts'
import { conflictIf } from '../db/conflicts.ts'
import type { Database } from '../db/database.ts'
import { revision } from '../db/derived.ts'
import { countOf, inList, type Statement } from '../db/query.ts'
import { findRestoring } from '../db/restoring.ts'
import * as schema from '../db/schema.ts'
import {
  events,
  images,
  organizers,
  series,
  sources,
  submissions,
  terms,
  twinsPlace,
  venues,
  webhooks,
} from '../db/schema.ts'
import { asOneChange, build } from '../db/statements.ts'
import { imageFileOf, MEDIA_TYPES } from '../lib/images/formats.ts'
import { relatedText } from '../resources/content/related/writes.ts'
import { indexTexts } from '../resources/content/search.ts'
import { imageText } from '../resources/content/uploads.ts'
import {
  eventText,
  indexEvents,
  indexSeries,
  occurrenceText,
  reindexOccurrences,
} from '../resources/events/search.ts'
import { ORGANIZERS } from '../resources/organizers/resource.ts'
import { nameColumns, refreshPaths } from '../resources/terms/inserts.ts'
import { VENUES } from '../resources/venues/resource.ts'
import { newWebhookSecret } from '../resources/webhooks/endpoint.ts'
import { kindsOf } from '../resources/webhooks/filters.ts'
import { takeStock } from '../resources/webhooks/writes.ts'
import {
  checkFiles,
  digestOfFile,
  imageIn,
  MANIFEST,
  type Manifest,
  readManifest,
  rowsIn,
} from './manifest.ts'
import { DUMPED, DUMPED_NAMES, type DumpedName, fieldColumns } from './tables.ts'

// A restore writes the rows of a backup as they are, with their ids and versions; triggers and what stands beside the rows here
// derive the rest. It takes many transactions, each of which notes how far it has come: a restore that was interrupted goes on
// from there, and until it is complete, nobody else reads or writes the calendar (db/restoring.ts).

/** A row by its columns, as Drizzle types them. */
type StoredRow = Readonly<Record<string, unknown>>

/** A part of a restore: one reading of a file. */
type Step = {
  name: string
  file: DumpedName
  /** Tells which rows it is about; by default, it is about all. */
  isAbout?: (row: StoredRow) => boolean
  statements: (rows: readonly StoredRow[]) => readonly Statement[]
}

const idOf = (row: StoredRow): number => Number(row.id)

/** Columns that refer to rows which come later in the backup, or in the same file. They are set once these are there. */
const SET_LATER: Partial<Record<DumpedName, string>> = {
  terms: 'parent',
  series: 'post_parent',
  events: 'post_parent',
}

/** The columns of a new row that a backup leaves out, unless triggers work them out or they have a default. */
const ADDED: Partial<Record<DumpedName, (row: StoredRow) => GivenRow>> = {
  images: row => ({ search_text: imageText(row) }),
  terms: ({ name }) => ({ ...nameColumns(String(name)), path: '' }),
  webhooks: () => ({ active: false, secret: newWebhookSecret(), audit_id: 0 }),
  handovers: () => ({ n: 0 }),
}

const related = (resource: typeof VENUES | typeof ORGANIZERS, rows: readonly StoredRow[]): SQL[] =>
  indexTexts(
    resource.searchTable,
    rows.map(row => ({ id: idOf(row), text: relatedText(resource, row) })),
  )

/** The statement that undoes what a trigger does to rows without a UID of their own: it takes them for new ones. */
const withoutUid = (table: typeof events | typeof series, rows: readonly StoredRow[]): Statement =>
  build
    .update(table)
    .set({ uid: '' })
    .where(and(inArray(table.id, inList(rows.filter(({ uid }) => uid === '').map(idOf))), ne(table.uid, '')))

/** What is written beside new rows, in the same transaction: mostly the texts by which they are found. */
const beside = (
  context: RequestContext,
): Partial<Record<DumpedName, (rows: readonly StoredRow[]) => readonly Statement[]>> => ({
  venues: rows => related(VENUES, rows),
  organizers: rows => related(ORGANIZERS, rows),
  series: rows => [withoutUid(series, rows), ...indexSeries(rows.map(row => ({ ...row, id: idOf(row) })))],
  events: rows => [
    withoutUid(events, rows),
    ...indexEvents(
      rows.map(row => ({
        id: idOf(row),
        text: row.series_id === null ? eventText(row) : occurrenceText(row),
      })),
    ),
  ],
  webhooks: rows =>
    rows.flatMap(row =>
      takeStock(context, {
        webhook: sql`${row.id}`,
        kinds: kindsOf(JSON.parse(String(row.events))),
        filters: JSON.parse(String(row.filters)),
      }),
    ),
})

function stepsOf(context: RequestContext): Step[] {
  const besides = beside(context)
  const inserted = (file: DumpedName): Step => ({
    ...{ name: file, file },
    statements: rows => [
      ...insertRows(
        DUMPED[file].table,
        rows.map(row => ({ ...without(row, SET_LATER[file]), ...ADDED[file]?.(row) })),
      ),
      ...(besides[file]?.(rows) ?? []),
    ],
  })
  const setLater = (file: 'terms' | 'series' | 'events', column: string): Step => ({
    ...{ name: `${file}.${column}`, file },
    isAbout: row => Boolean(row[column]),
    statements: rows =>
      updateRows(
        DUMPED[file].table,
        rows.map(row => ({ id: row.id, [column]: row[column] })),
      ),
  })
  const isHidden = (row: StoredRow) => row.duplicate_of !== null
  const steps: Partial<Record<DumpedName, Step[]>> = {
    terms: [
      inserted('terms'),
      setLater('terms', 'parent'),
      {
        ...{ name: 'terms.path', file: 'terms' },
        isAbout: row => row.parent === 0,
        statements: rows => [refreshPaths(inArray(terms.id, inList(rows.map(idOf))))],
      },
    ],
    events: [
      { ...inserted('events'), isAbout: row => !isHidden(row) },
      // After the events that are shown in their place.
      { ...inserted('events'), name: 'events.hidden', isAbout: isHidden },
      setLater('series', 'post_parent'),
      setLater('events', 'post_parent'),
      // Occurrences with a text of their own have the rest of it from their series.
      {
        ...{ name: 'series.texts', file: 'series' },
        statements: rows => reindexOccurrences(rows.map(row => ({ ...row, id: idOf(row) }))),
      },
    ],
  }
  return DUMPED_NAMES.flatMap(file => steps[file] ?? [inserted(file)])
}

const without = (row: StoredRow, column: string | undefined): StoredRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== column))

/** How far a restore has come: the digest of its manifest, the name of a step, and rows of its file. */
type Mark = { backup: string; step: string; rows: number }

/** Tables that say whether a calendar has content. */
const CONTENT = { events, series, venues, organizers, terms, images, sources, webhooks, submissions }

/** Tables with keys and places of one database, which a restore leaves alone. */
const STAYING: readonly SQLiteTable[] = [
  schema.keys,
  schema.submissionKeys,
  schema.usedChallenges,
  twinsPlace,
]

/** Tables whose rows a backup replaces: those that it has, and those that it leaves out. */
const REPLACED = new Set(
  [...Object.values<unknown>(schema), ...Object.values(DUMPED).map(({ table }) => table)].filter(
    value => is(value, SQLiteTable) && !STAYING.includes(value),
  ) as SQLiteTable[], // TypeScript doesn't follow the condition.
)

const hasContent = sql.join(
  Object.values(CONTENT).map(table => sql`EXISTS (SELECT 1 FROM ${table})`),
  sql` OR `,
)

/** The time of now as a change number: that of no calendar has come near it, so that what it gets then no calendar has given out before. */
const laterThanAll = (n: SQL): SQL => sql`max(${n}, unixepoch())`

/**
 * Empties a calendar without content, but for its keys, and marks it as being restored. Entity tags and tokens of before are not
 * valid any more.
 *
 * @throws Error for a calendar with content
 */
async function begin(db: Database, mark: Mark): Promise<void> {
  const counts = await db.batch(Object.values(CONTENT).map(table => countOf(sql`${table}`)))
  const found = Object.keys(CONTENT).flatMap((name, i) => (counts[i] ? [`${counts[i]} ${name}`] : []))
  if (found.length > 0)
    throw new Error(
      `This calendar has content already: ${found.join(', ')}. A backup is restored into an empty one: for a local calendar, name a new folder with --persist-to; at Cloudflare, make another database with npx wrangler d1 create and put its id into wrangler.toml.`,
    )
  await db.change([
    conflictIf(hasContent),
    sql`PRAGMA defer_foreign_keys = on`,
    ...[...REPLACED].map(table => build.delete(table)),
    build.update(revision).set({
      restoring: JSON.stringify(mark),
      epoch: sql`lower(hex(randomblob(16)))`,
      n: laterThanAll(sql`n`),
      public_n: laterThanAll(sql`public_n`),
    }),
  ])
}

/** Begins to restore a backup, or finds how far it has come. @throws Error if something else is in the way */
async function beginOrGoOn(db: Database, backup: string): Promise<Mark> {
  const found = await findRestoring(db)
  if (found === null) {
    const mark = { backup, step: DUMPED_NAMES[0] ?? '', rows: 0 }
    await begin(db, mark)
    return mark
  }
  const mark = JSON.parse(found) as Mark // As it is written here.
  if (mark.backup === backup) return mark
  throw new Error(
    'The restore of another backup was interrupted here. Restore that one again, which goes on where it stopped, or begin with an empty database.',
  )
}

type Restore = {
  folder: string
  /** The bucket, if the calendar has one. */
  store: ImageStore | undefined
  /** Rows of one transaction. */
  pieceSize: number
  /** Checks the backup and writes nothing. */
  dryRun: boolean
  progress: (done: number, expected: number) => void
}

/**
 * Restores a backup into a calendar without content, or goes on with a restore of this backup that was interrupted.
 *
 * @returns its manifest
 * @throws Error that says what is wrong with the backup, or with the calendar
 */
export async function restoreCalendar(
  context: RequestContext,
  { folder, store, pieceSize, dryRun, progress }: Restore,
): Promise<Manifest> {
  const { db } = context
  const manifest = await readManifest(folder)
  await checkFiles(folder, manifest)
  const images = Object.keys(manifest.images)
  if (images.length > 0 && !store)
    throw new Error('The backup has images, and wrangler.toml binds no bucket to MEDIA for them.')
  if (dryRun) return manifest
  const steps = stepsOf(context)
  const mark = await beginOrGoOn(db, await digestOfFile(join(folder, MANIFEST)))
  await restoreTables(db, { steps, mark, folder, manifest, pieceSize, progress })
  for (const [i, file] of images.entries()) {
    await storeImage(folder, file, store)
    progress(i + 1, images.length)
  }
  await end(db, manifest)
  return manifest
}

type Work = Pick<Restore, 'folder' | 'pieceSize' | 'progress'> & {
  steps: readonly Step[]
  mark: Mark
  manifest: Manifest
}

async function restoreTables(
  db: Database,
  { steps, mark, folder, manifest, pieceSize, progress }: Work,
): Promise<void> {
  const rowsOf = ({ file }: Step): number => manifest.tables[file].rows
  const expected = steps.reduce((sum, step) => sum + rowsOf(step), 0)
  const first = steps.findIndex(({ name }) => name === mark.step)
  let done = steps.slice(0, first).reduce((sum, step) => sum + rowsOf(step), 0)
  let known = mark
  for (const step of steps.slice(first)) {
    const from = step.name === known.step ? known.rows : 0
    for await (const { rows, upTo } of piecesOf(folder, step, { from, size: pieceSize })) {
      const next = { ...known, step: step.name, rows: upTo }
      if (rows.length > 0) {
        await writePiece(db, step.statements(rows), { known, next })
        known = next
      }
      progress(done + upTo, expected)
    }
    done += rowsOf(step)
  }
}

/** A piece of a restore ends after so many characters. */
const MOST_CHARACTERS = 2_000_000

/**
 * Reads the rows of a step in pieces.
 *
 * @param from the number of rows of the file to be skipped
 */
async function* piecesOf(
  folder: string,
  { file, isAbout = () => true }: Step,
  { from, size }: { from: number; size: number },
): AsyncGenerator<{ rows: StoredRow[]; upTo: number }> {
  const columns = new Map(Object.entries(fieldColumns(file)).map(([field, { name }]) => [field, name]))
  let rows: StoredRow[] = []
  let [upTo, characters] = [0, 0]
  for await (const { row, length } of rowsIn(folder, file)) {
    upTo += 1
    if (upTo <= from) continue
    const stored = Object.fromEntries(
      Object.entries(row).map(([field, value]) => [columns.get(field) ?? field, value]),
    )
    if (!isAbout(stored)) continue
    rows.push(stored)
    characters += length
    if (rows.length < size && characters < MOST_CHARACTERS) continue
    yield { rows, upTo }
    rows = []
    characters = 0
  }
  yield { rows, upTo }
}

/** Writes a piece, along with how far the restore has come by it. @throws Error if another process restores as well */
async function writePiece(
  db: Database,
  statements: readonly Statement[],
  { known, next }: Record<'known' | 'next', Mark>,
): Promise<void> {
  const isOther = sql`(SELECT restoring FROM ${revision}) IS NOT ${JSON.stringify(known)}`
  try {
    await db.change([
      conflictIf(isOther),
      ...asOneChange(statements),
      build.update(revision).set({ restoring: JSON.stringify(next) }),
    ])
  } catch (error) {
    if ((await findRestoring(db)) === JSON.stringify(known)) throw error
    throw new Error('Another process is restoring this calendar, too.', { cause: error })
  }
}

async function storeImage(folder: string, file: string, store: ImageStore | undefined): Promise<void> {
  const bytes = Uint8Array.from(await readFile(imageIn(folder, file)))
  // The bucket hands out what it has to everybody: images, and nothing else.
  const { format } = imageFileOf(bytes, file)
  if (format !== 'heic') await store?.put(file, bytes, MEDIA_TYPES[format])
}

/** Lets ids go on where they were, and opens the calendar. Shared caches are purged of what was there before. */
const end = (db: Database, { last_ids }: Manifest): Promise<void> =>
  db.change([
    ...DUMPED_NAMES.flatMap((file): Statement[] => {
      const [table, last] = [getTableName(DUMPED[file].table), last_ids[file]]
      if (last === undefined) return []
      const highest = sql`max(${last}, coalesce((SELECT max(id) FROM ${DUMPED[file].table}), 0))`
      return [
        sql`DELETE FROM sqlite_sequence WHERE name = ${table}`,
        sql`INSERT INTO sqlite_sequence (name, seq) SELECT ${table}, ${highest}`,
      ]
    }),
    sql`UPDATE ${webhooks} SET audit_id = coalesce((SELECT max(id) FROM audit), 0)`,
    // What was there was compared with each other before.
    sql`UPDATE ${twinsPlace} SET (n, id) = (SELECT n + 1, 0 FROM ${revision})`,
    build.update(revision).set({
      restoring: null,
      n: sql`n + 1`,
      public_n: sql`public_n + 1`,
      purges_left: 2,
      image_purges_left: 2,
    }),
  ])
