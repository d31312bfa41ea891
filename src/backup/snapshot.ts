import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { and, eq, getTableName, gt, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { changes, revision } from '../db/derived.ts'
import { countOf, first, inList, inOrder, many, mapped, type Query, together } from '../db/query.ts'
import { audit, type images } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { batchesWithin } from '../lib/values.ts'
import { UPLOADS } from '../resources/content/uploads.ts'
import { type FieldRow, fileOf, linesOf, type Manifest } from './manifest.ts'
import {
  isLastOf,
  PAGE_ROWS,
  type Page,
  pagesOf,
  type Range,
  type ReadPage,
  selectChangedPages,
  selectChangedRows,
  selectPage,
  selectRows,
  tableOf,
} from './pages.ts'
import { DUMPED_NAMES, type DumpedName, fieldColumns } from './tables.ts'

// All tables as they are at one moment, although reading them takes many transactions, and somebody may be writing all the time.
// Tables with many rows are read a page after the other. Then what has changed since is read again, until that is little, and one
// last transaction reads the rest of it along with all small tables.

/** Tables whose changed rows are known: by the numbers of changes, of the row itself or of the event that a link belongs to. */
const TRACKED = {
  events: { kind: 'events', id: 'id' },
  eventVenues: { kind: 'events', id: 'event_id' },
  eventOrganizers: { kind: 'events', id: 'event_id' },
  eventTerms: { kind: 'events', id: 'event_id' },
  venues: { kind: 'venues', id: 'id' },
  organizers: { kind: 'organizers', id: 'id' },
} as const satisfies Partial<Record<DumpedName, { kind: string; id: string }>>

type Tracked = keyof typeof TRACKED
// Of the names that it was declared with.
const TRACKED_NAMES = Object.keys(TRACKED) as Tracked[]

/** So few changes are left to the last transaction, and so often they are read again to become that few. */
const FEW_CHANGES = 500
const MOST_ROUNDS = 20
/** So few changed pages are left to the last transaction, and so many are read again at once. */
const FEW_PAGES = 10

/** The rows of changed objects by their ids; none for one that is gone. */
type Changed = Map<number, FieldRow[]>

type Upload = Pick<typeof images.$inferSelect, 'url' | 'width' | 'height' | 'has_sizes'>

/** What a backup knows of its tables, and the uploaded images of the same moment. */
export type Snapshot = Pick<Manifest, 'tables' | 'last_ids'> & { uploads: Upload[] }

type Reading = {
  folder: string
  /** The permissions of files. */
  mode: number
  progress: (done: number, expected: number) => void
}

/** The number of the latest change. Whatever is committed later has a higher one. */
const selectNumber = mapped(first(build.select({ n: revision.n }).from(revision)), row => row?.n ?? 0)

const selectLastEntry = mapped(
  first(build.select({ id: sql<number>`coalesce(max(${audit.id}), 0)` }).from(audit)),
  row => row?.id ?? 0,
)

/** A subquery for the ids of changes after a number. */
const changedIds = (name: Tracked, n: number) =>
  build
    .select({ id: changes.id })
    .from(changes)
    .where(and(eq(changes.kind, TRACKED[name].kind), gt(changes.n, n)))

/** A query of the rows of a tracked table that belong to some ids. */
const selectRowsOf = (name: Tracked, ids: SQLWrapper): Query<FieldRow[]> =>
  selectRows(name, sql`${fieldColumns(name)[TRACKED[name].id]} IN ${ids}`)

/** A query for the changes of a tracked table after a number: their ids, and the rows that still exist. */
const selectChanged = (name: Tracked, n: number) =>
  together({ ids: many(changedIds(name, n)), rows: selectRowsOf(name, changedIds(name, n)) })

/** Replaces the notes about changed ids of a tracked table. */
function note(
  changed: Changed,
  name: Tracked,
  { ids, rows }: { ids: readonly { id: number }[]; rows: readonly FieldRow[] },
): void {
  const byId = Map.groupBy(rows, row => Number(row[TRACKED[name].id]))
  for (const { id } of ids) changed.set(id, byId.get(id) ?? [])
}

/** Reads the changed rows of the tracked tables, again and again until few are left. @returns the number up to which it was read */
async function catchUp(db: Database, changed: Record<Tracked, Changed>, from: number): Promise<number> {
  let known = from
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { ahead, latest } = await db.get(
      together({ ahead: countOf(sql`${changes} WHERE ${gt(changes.n, known)}`), latest: selectNumber }),
    )
    if (ahead <= FEW_CHANGES) return known
    for (const name of TRACKED_NAMES)
      for (const ids of batchesWithin(await db.get(many(changedIds(name, known))), PAGE_ROWS, () => 1))
        note(changed[name], name, {
          ids,
          rows: await db.get(selectRowsOf(name, inList(ids.map(({ id }) => id)))),
        })
    known = latest
  }
  return known
}

/** The highest id that each table has ever given, including those of deleted rows. */
const selectLastIds = many(sql`SELECT name, seq FROM sqlite_sequence ORDER BY name`, ({ name, seq }) => ({
  name: String(name),
  id: Number(seq),
}))

/** The uploaded images in the file of images. */
async function uploadsIn(folder: string): Promise<Upload[]> {
  const uploads: Upload[] = []
  for await (const text of linesOf(fileOf(folder, 'images'))) {
    const { url, width, height, has_sizes } = JSON.parse(text) as Upload // As it was written.
    if (url.startsWith(UPLOADS)) uploads.push({ url, width, height, has_sizes })
  }
  return uploads
}

/** A page in a file of its own. */
type StoredPage = Page & { path: string }

/** A table without numbers of its changes, in pages. */
type PagedTable = { name: DumpedName; pages: StoredPage[]; written: number }

type Files = Pick<Reading, 'folder' | 'mode'>

/** Writes a page into a file. */
async function storePage(
  table: PagedTable,
  { page, rows }: ReadPage,
  { folder, mode }: Files,
): Promise<StoredPage> {
  const path = `${partOf(folder, table.name)}${table.written++}`
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
  const stored: StoredPage[] = []
  for await (const read of pagesOf(db, table.name, { range, hasPrint: true }))
    stored.push(await storePage(table, read, files))
  return stored
}

/** Reads pages of a table again. @param numbers their positions */
async function readAgain(
  db: Database,
  table: PagedTable,
  numbers: readonly number[],
  files: Files,
): Promise<void> {
  const { name, pages } = table
  const newer = new Map<StoredPage, StoredPage[]>()
  const outdated = numbers.flatMap(number => pages[number] ?? [])
  for (const some of batchesWithin(outdated, FEW_PAGES, () => 1)) {
    const read = await db.get(inOrder(some.map(page => selectPage(name, page))))
    for (const [i, old] of some.entries()) {
      const first = read[i]
      if (!first) continue
      // It may have more rows by now.
      const rest = isLastOf(old, first.page)
        ? []
        : await storePages(db, table, { after: first.page.to, to: old.to }, files)
      newer.set(old, [await storePage(table, first, files), ...rest])
      await rm(old.path)
    }
  }
  table.pages = pages.flatMap(page => newer.get(page) ?? [page])
}

/** Reads the changed pages of tables again, until few are left, or others write faster than they can be read. */
async function catchUpPages(db: Database, tables: readonly PagedTable[], files: Files): Promise<void> {
  for (let left = Infinity; ; ) {
    const changed: number[][] = []
    for (const { name, pages } of tables) changed.push(await db.get(selectChangedPages(name, pages)))
    const { length } = changed.flat()
    if (length <= FEW_PAGES || length >= left) return
    left = length
    for (const [i, table] of tables.entries()) await readAgain(db, table, changed[i] ?? [], files)
  }
}

/** The lines of a table in pages. @param changed the rows of those that have changed since they were read */
async function* linesOfPages(
  { pages }: PagedTable,
  changed: ReadonlyMap<number, FieldRow[]>,
): AsyncGenerator<string> {
  for (const [number, { path }] of pages.entries()) {
    const rows = changed.get(number)
    if (rows) yield* linesFrom([rows])
    else yield await readFile(path, 'utf8')
    await rm(path)
  }
}

/** Reads the whole calendar as of one moment, and writes it into files of a folder. */
export async function writeSnapshot(db: Database, reading: Reading): Promise<Snapshot> {
  const { folder, mode, progress } = reading
  const numbered = [...TRACKED_NAMES, 'audit'] as const
  const others = DUMPED_NAMES.filter(name => !numbered.some(one => one === name) && name !== 'auditState')
  // Values that are deleted from the audit while it is read may be in the backup: they are deleted again once it is restored, as
  // auditState is from before that.
  const { begun, lastEntry, auditState, counts } = await db.get(
    together({
      begun: selectNumber,
      lastEntry: selectLastEntry,
      auditState: selectRows('auditState'),
      counts: inOrder(others.map(name => countOf(sql`${tableOf(name)}`))),
    }),
  )
  for (const [i, name] of numbered.entries()) {
    const rows = pagesOf(db, name, { range: WHOLE, hasPrint: false })
    await writeFile(partOf(folder, name), linesOfRows(rows), { mode })
    progress(i + 1, DUMPED_NAMES.length)
  }
  const large = others.filter((_, i) => (counts[i] ?? 0) > PAGE_ROWS)
  const small = others.filter(name => !large.includes(name))
  const paged = large.map((name): PagedTable => ({ name, pages: [], written: 0 }))
  for (const table of paged) table.pages = await storePages(db, table, WHOLE, reading)
  await catchUpPages(db, paged, reading)
  const changed = Object.fromEntries(TRACKED_NAMES.map(name => [name, new Map()])) as Record<Tracked, Changed>
  const known = await catchUp(db, changed, begun)
  const last = await db.get(
    together({
      tracked: inOrder(TRACKED_NAMES.map(name => selectChanged(name, known))),
      entries: selectRows('audit', gt(audit.id, lastEntry)),
      pages: inOrder(paged.map(({ name, pages }) => selectChangedRows(name, pages))),
      small: inOrder(small.map(name => selectRows(name))),
      ids: selectLastIds,
    }),
  )
  for (const [i, name] of TRACKED_NAMES.entries()) note(changed[name], name, last.tracked[i] ?? NOTHING)
  const entries: Changed = new Map(last.entries.map(row => [Number(row.id), [row]]))
  const linesOfTable = (name: DumpedName) => {
    const byNumber = numbered.find(one => one === name)
    const rows = byNumber === 'audit' ? entries : byNumber && changed[byNumber]
    if (byNumber && rows) return mergedLines(partOf(folder, name), rows, idOf(byNumber))
    const i = paged.findIndex(table => table.name === name)
    const table = paged[i]
    if (table) return linesOfPages(table, last.pages[i] ?? new Map())
    return linesFrom([name === 'auditState' ? auditState : (last.small[small.indexOf(name)] ?? [])])
  }
  const tables: Manifest['tables'] = {}
  for (const name of DUMPED_NAMES) {
    tables[name] = await writeTable(fileOf(folder, name), linesOfTable(name), mode)
    if (numbered.some(one => one === name)) await rm(partOf(folder, name))
    progress(DUMPED_NAMES.indexOf(name) + 1, DUMPED_NAMES.length)
  }
  return { tables, last_ids: lastIdsOf(last.ids), uploads: await uploadsIn(folder) }
}

const WHOLE = { after: null, to: null }

const NOTHING = { ids: [], rows: [] }

/** The file of a table whose rows are of several moments. */
const partOf = (folder: string, name: DumpedName): string => `${fileOf(folder, name)}.part`

const idOf = (name: Tracked | 'audit'): string => (name === 'audit' ? 'id' : TRACKED[name].id)

const lastIdsOf = (found: readonly { name: string; id: number }[]): Manifest['last_ids'] =>
  Object.fromEntries(
    DUMPED_NAMES.flatMap(file => {
      const last = found.find(({ name }) => name === getTableName(tableOf(file)))
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

/** The lines of a file in the order of their ids, with the rows of changed ids instead of those that it has. */
async function* mergedLines(path: string, changed: Changed, idField: string): AsyncGenerator<string> {
  const ids = [...changed.keys()].sort((a, b) => a - b)
  let next = 0
  function* changedUpTo(id: number): Generator<string> {
    for (; (ids[next] ?? Infinity) <= id; next++) yield* (changed.get(ids[next] ?? 0) ?? []).map(lineOf)
  }
  for await (const text of linesOf(path)) {
    // As it was written above.
    const id = Number((JSON.parse(text) as FieldRow)[idField])
    yield* changedUpTo(id)
    if (!changed.has(id)) yield `${text}\n`
  }
  yield* changedUpTo(Number.MAX_SAFE_INTEGER)
}

/** Writes the file of a table. */
async function writeTable(
  path: string,
  lines: AsyncIterable<string>,
  mode: number,
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256')
  let rows = 0
  async function* noted(): AsyncGenerator<string> {
    for await (const text of lines) {
      hash.update(text)
      rows += text.split('\n').length - 1
      yield text
    }
  }
  await writeFile(path, noted(), { mode })
  return { rows, sha256: hash.digest('hex') }
}
