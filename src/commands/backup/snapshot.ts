import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { and, eq, getTableName, gt, type SQLWrapper, sql } from 'drizzle-orm'
import { UPLOADS } from '../../calendar/content/uploads.ts'
import type { Database } from '../../kit/db/database.ts'
import { changes, revision } from '../../kit/db/derived.ts'
import { combineQueries, countOf, first, inList, many, mapQuery, type Query } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { audit, type images } from '../../kit/db/tables.ts'
import { batchesWithin, storedJson, typedKeys } from '../../kit/lib/values.ts'
import { type FieldRow, linesOf, type Manifest, tablePath } from './manifest.ts'
import {
  isLastOf,
  PAGE_ROWS,
  type Range,
  type ReadPage,
  selectChangedPages,
  selectChangedRows,
  selectPage,
  selectTableRows,
  type TablePage,
  tableOf,
  tablePages,
} from './pages.ts'
import { type DumpedName, dumpedNames, fieldColumns } from './tables.ts'

// Copies all tables as of one moment, although reading them takes many transactions and others may write at
// the same time. Tables with many rows are read page by page. Then the changes since are read again until few
// are left, and one last transaction reads the remaining changes along with all small tables.

/**
 * Tables whose changes are known, by the change number of the row itself, or of the event that a link belongs
 * to.
 */
const TRACKED = {
  events: { kind: 'events', id: 'id' },
  eventVenues: { kind: 'events', id: 'event_id' },
  eventOrganizers: { kind: 'events', id: 'event_id' },
  eventTerms: { kind: 'events', id: 'event_id' },
  venues: { kind: 'venues', id: 'id' },
  organizers: { kind: 'organizers', id: 'id' },
} as const satisfies Partial<Record<DumpedName, { kind: string; id: string }>>

type TrackedTable = keyof typeof TRACKED
const TRACKED_NAMES = typedKeys(TRACKED)

/** The most changes that the last transaction reads, and the most times that changes are read before it. */
const FEW_CHANGES = 500
const MAX_ROUNDS = 20
/** The most changed pages that the last transaction reads, and the most pages that are read again at once. */
const FEW_PAGES = 10

/** The rows of changed objects by id; an empty list for a removed object. */
type ChangedRows = Map<number, FieldRow[]>

type Upload = Pick<typeof images.$inferSelect, 'url' | 'width' | 'height' | 'has_sizes'>

/** The tables of a backup, and the uploaded images at the same moment. */
export type Snapshot = Pick<Manifest, 'tables' | 'last_ids'> & { uploads: Upload[] }

type SnapshotInput = {
  folder: string
  /** The permissions of files. */
  mode: number
  progress: (done: number, expected: number) => void
}

/** The number of the latest change. Later commits have higher numbers. */
const selectNumber = mapQuery(
  first(build.select({ number: revision.change_number }).from(revision)),
  row => row?.number ?? 0,
)

const selectLastEntry = mapQuery(
  first(build.select({ id: sql<number>`coalesce(max(${audit.id}), 0)` }).from(audit)),
  row => row?.id ?? 0,
)

/** A subquery for the ids of changes after a change number. */
const changedIds = (name: TrackedTable, changeNumber: number) =>
  build
    .select({ id: changes.id })
    .from(changes)
    .where(and(eq(changes.kind, TRACKED[name].kind), gt(changes.change_number, changeNumber)))

const selectRowsOf = (name: TrackedTable, ids: SQLWrapper): Query<FieldRow[]> =>
  selectTableRows(name, sql`${fieldColumns(name)[TRACKED[name].id]} IN ${ids}`)

/**
 * A query for the changes of a tracked table after a change number: their ids, and the rows that still exist.
 */
const selectChanged = (name: TrackedTable, changeNumber: number) =>
  combineQueries({
    ids: many(changedIds(name, changeNumber)),
    rows: selectRowsOf(name, changedIds(name, changeNumber)),
  })

/** Replaces the collected rows of changed ids of a tracked table. */
function replaceChangedRows(
  changedRows: ChangedRows,
  name: TrackedTable,
  { ids, rows }: { ids: readonly { id: number }[]; rows: readonly FieldRow[] },
): void {
  const byId = Map.groupBy(rows, row => Number(row[TRACKED[name].id]))
  for (const { id } of ids) changedRows.set(id, byId.get(id) ?? [])
}

/**
 * Reads the changed rows of the tracked tables, again and again until few are left.
 * @returns the change number of the last reading
 */
async function catchUp(
  db: Database,
  changedRows: Record<TrackedTable, ChangedRows>,
  from: number,
): Promise<number> {
  let knownNumber = from
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { ahead, latest } = await db.read(
      combineQueries({
        ahead: countOf(sql`${changes} WHERE ${gt(changes.change_number, knownNumber)}`),
        latest: selectNumber,
      }),
    )
    if (ahead <= FEW_CHANGES) return knownNumber
    for (const name of TRACKED_NAMES)
      for (const ids of batchesWithin(await db.read(many(changedIds(name, knownNumber))), PAGE_ROWS, () => 1))
        replaceChangedRows(changedRows[name], name, {
          ids,
          rows: await db.read(selectRowsOf(name, inList(ids.map(({ id }) => id)))),
        })
    knownNumber = latest
  }
  return knownNumber
}

/** The highest id that each table has ever given, including those of deleted rows. */
const selectLastIds = many(sql`SELECT name, seq FROM sqlite_sequence ORDER BY name`, ({ name, seq }) => ({
  name: String(name),
  id: Number(seq),
}))

async function uploadsIn(folder: string): Promise<Upload[]> {
  const uploads: Upload[] = []
  for await (const text of linesOf(tablePath(folder, 'images'))) {
    const { url, width, height, has_sizes } = storedJson<Upload>(text)
    if (url.startsWith(UPLOADS)) uploads.push({ url, width, height, has_sizes })
  }
  return uploads
}

/** A page in a file of its own. */
type StoredPage = TablePage & { path: string }

/** A table without change numbers, in pages. */
type PagedTable = { name: DumpedName; pages: StoredPage[]; written: number }

type Files = Pick<SnapshotInput, 'folder' | 'mode'>

async function storePage(
  table: PagedTable,
  { page, rows }: ReadPage,
  { folder, mode }: Files,
): Promise<StoredPage> {
  const path = `${unfinishedFile(folder, table.name)}${table.written++}`
  await writeFile(path, linesFrom([rows]), { mode })
  return { ...page, path }
}

/** Reads a range of a table into files. */
async function storePages(
  db: Database,
  table: PagedTable,
  range: Range,
  files: Files,
): Promise<StoredPage[]> {
  const storedPages: StoredPage[] = []
  for await (const readPage of tablePages(db, table.name, { range, hasPrint: true }))
    storedPages.push(await storePage(table, readPage, files))
  return storedPages
}

/** Reads pages of a table again. @param numbers their positions */
async function rereadPages(
  db: Database,
  table: PagedTable,
  numbers: readonly number[],
  files: Files,
): Promise<void> {
  const { name, pages } = table
  const newPagesByOld = new Map<StoredPage, StoredPage[]>()
  const outdated = numbers.flatMap(number => pages[number] ?? [])
  for (const fewPages of batchesWithin(outdated, FEW_PAGES, () => 1)) {
    const newPages = await db.read(combineQueries(fewPages.map(page => selectPage(name, page))))
    for (const [i, old] of fewPages.entries()) {
      const newPage = newPages[i]
      if (!newPage) continue
      // The range of the old page may now have more rows than one page.
      const lastPart = isLastOf(old, newPage.page)
        ? []
        : await storePages(db, table, { after: newPage.page.to, to: old.to }, files)
      newPagesByOld.set(old, [await storePage(table, newPage, files), ...lastPart])
      await rm(old.path)
    }
  }
  table.pages = pages.flatMap(page => newPagesByOld.get(page) ?? [page])
}

/** Reads the changed pages of tables again, until few are left, or others write faster than this reads. */
async function catchUpPages(db: Database, tables: readonly PagedTable[], files: Files): Promise<void> {
  for (let pagesLeft = Infinity; ; ) {
    const changedPages: number[][] = []
    for (const { name, pages } of tables) changedPages.push(await db.read(selectChangedPages(name, pages)))
    const { length } = changedPages.flat()
    if (length <= FEW_PAGES || length >= pagesLeft) return
    pagesLeft = length
    for (const [i, table] of tables.entries()) await rereadPages(db, table, changedPages[i] ?? [], files)
  }
}

/**
 * The lines of a table in pages.
 * @param changedRows the rows of pages that have changed since they were read
 */
async function* linesOfPages(
  { pages }: PagedTable,
  changedRows: ReadonlyMap<number, FieldRow[]>,
): AsyncGenerator<string> {
  for (const [number, { path }] of pages.entries()) {
    const rows = changedRows.get(number)
    if (rows) yield* linesFrom([rows])
    else yield await readFile(path, 'utf8')
    await rm(path)
  }
}

/** Reads the whole calendar as of one moment, and writes it into files in a folder. */
export async function writeSnapshot(db: Database, input: SnapshotInput): Promise<Snapshot> {
  const { folder, mode, progress } = input
  const numbered = [...TRACKED_NAMES, 'audit'] as const
  const otherTables = dumpedNames().filter(
    name => !numbered.some(one => one === name) && name !== 'auditState',
  )
  // The backup may contain values that are deleted from the audit in the meantime. The restored calendar
  // deletes them again, because auditState was read before their deletion.
  const { begun, lastEntry, auditState, counts } = await db.read(
    combineQueries({
      begun: selectNumber,
      lastEntry: selectLastEntry,
      auditState: selectTableRows('auditState'),
      counts: combineQueries(otherTables.map(name => countOf(sql`${tableOf(name)}`))),
    }),
  )
  for (const [i, name] of numbered.entries()) {
    const rows = tablePages(db, name, { range: WHOLE_RANGE, hasPrint: false })
    await writeFile(unfinishedFile(folder, name), linesOfRows(rows), { mode })
    progress(i + 1, dumpedNames().length)
  }
  const largeTables = otherTables.filter((_, i) => (counts[i] ?? 0) > PAGE_ROWS)
  const smallTables = otherTables.filter(name => !largeTables.includes(name))
  const paged = largeTables.map((name): PagedTable => ({ name, pages: [], written: 0 }))
  for (const table of paged) table.pages = await storePages(db, table, WHOLE_RANGE, input)
  await catchUpPages(db, paged, input)
  // Object.fromEntries forgets the type of the keys.
  const changedRows = Object.fromEntries(TRACKED_NAMES.map(name => [name, new Map()])) as Record<
    TrackedTable,
    ChangedRows
  >
  const knownNumber = await catchUp(db, changedRows, begun)
  const last = await db.read(
    combineQueries({
      tracked: combineQueries(TRACKED_NAMES.map(name => selectChanged(name, knownNumber))),
      entries: selectTableRows('audit', gt(audit.id, lastEntry)),
      pages: combineQueries(paged.map(({ name, pages }) => selectChangedRows(name, pages))),
      small: combineQueries(smallTables.map(name => selectTableRows(name))),
      ids: selectLastIds,
    }),
  )
  for (const [i, name] of TRACKED_NAMES.entries())
    replaceChangedRows(changedRows[name], name, last.tracked[i] ?? NO_CHANGED_ROWS)
  const entries: ChangedRows = new Map(last.entries.map(row => [Number(row.id), [row]]))
  const linesOfTable = (name: DumpedName) => {
    const byNumber = numbered.find(one => one === name)
    const rows = byNumber === 'audit' ? entries : byNumber && changedRows[byNumber]
    if (byNumber && rows) return mergedLines(unfinishedFile(folder, name), rows, idColumn(byNumber))
    const i = paged.findIndex(each => each.name === name)
    const table = paged[i]
    if (table) return linesOfPages(table, last.pages[i] ?? new Map())
    return linesFrom([name === 'auditState' ? auditState : (last.small[smallTables.indexOf(name)] ?? [])])
  }
  const tables: Manifest['tables'] = {}
  for (const name of dumpedNames()) {
    tables[name] = await writeTable(tablePath(folder, name), linesOfTable(name), mode)
    if (numbered.some(one => one === name)) await rm(unfinishedFile(folder, name))
    progress(dumpedNames().indexOf(name) + 1, dumpedNames().length)
  }
  return { tables, last_ids: lastIdsOf(last.ids), uploads: await uploadsIn(folder) }
}

const WHOLE_RANGE = { after: null, to: null }

const NO_CHANGED_ROWS = { ids: [], rows: [] }

/** The file of a table with rows from several moments. */
const unfinishedFile = (folder: string, name: DumpedName): string => `${tablePath(folder, name)}.part`

const idColumn = (name: TrackedTable | 'audit'): string => (name === 'audit' ? 'id' : TRACKED[name].id)

const lastIdsOf = (lastIds: readonly { name: string; id: number }[]): Manifest['last_ids'] =>
  Object.fromEntries(
    dumpedNames().flatMap(file => {
      const last = lastIds.find(({ name }) => name === getTableName(tableOf(file)))
      return last ? [[file, last.id]] : []
    }),
  )

const lineOf = (row: FieldRow): string => `${JSON.stringify(row)}\n`

async function* linesFrom(pages: AsyncIterable<FieldRow[]> | Iterable<FieldRow[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map(lineOf).join('')
}

async function* linesOfRows(pages: AsyncIterable<{ rows: FieldRow[] }>): AsyncGenerator<string> {
  for await (const { rows } of pages) yield* linesFrom([rows])
}

/** The lines of a file in the order of their ids, with changed rows replaced by their new versions. */
async function* mergedLines(path: string, changedRows: ChangedRows, idField: string): AsyncGenerator<string> {
  const ids = [...changedRows.keys()].sort((a, b) => a - b)
  let next = 0
  function* changedUpTo(id: number): Generator<string> {
    for (; (ids[next] ?? Infinity) <= id; next++) yield* (changedRows.get(ids[next] ?? 0) ?? []).map(lineOf)
  }
  for await (const text of linesOf(path)) {
    const id = Number(storedJson<FieldRow>(text)[idField])
    yield* changedUpTo(id)
    if (!changedRows.has(id)) yield `${text}\n`
  }
  yield* changedUpTo(Number.MAX_SAFE_INTEGER)
}

async function writeTable(
  path: string,
  lines: AsyncIterable<string>,
  mode: number,
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256')
  let rows = 0
  async function* hashedLines(): AsyncGenerator<string> {
    for await (const text of lines) {
      hash.update(text)
      rows += text.split('\n').length - 1
      yield text
    }
  }
  await writeFile(path, hashedLines(), { mode })
  return { rows, sha256: hash.digest('hex') }
}
