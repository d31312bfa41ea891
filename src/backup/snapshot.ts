import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { and, eq, getTableName, gt, like, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../db/database.ts'
import { changes, revision } from '../db/derived.ts'
import { countOf, first, inList, inOrder, many, mapped, type Query, together } from '../db/query.ts'
import { audit, images } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { batchesWithin } from '../lib/values.ts'
import { UPLOADS } from '../resources/content/uploads.ts'
import { type FieldRow, fileOf, linesOf, type Manifest } from './manifest.ts'
import { DUMPED, DUMPED_NAMES, type DumpedName, fieldColumns } from './tables.ts'

// All tables as they are at one moment, although reading them takes many transactions, and somebody may be writing all the time. The
// tables with the most rows are read a page after the other. Then what has changed since is read again, until that is little, and one
// last transaction reads the rest of it along with all other tables.

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

/** Rows that are read at once. */
const ROWS_READ = 500
/** So few changes are left to the last transaction, and so often they are read again to become that few. */
const FEW_CHANGES = 500
const MOST_ROUNDS = 20

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

const tableOf = (name: DumpedName): SQLiteTable => DUMPED[name].table

/** The fields of a table's primary key, with their columns. */
function keyOf(name: DumpedName): [field: string, column: SQLiteColumn][] {
  const { columns, primaryKeys } = getTableConfig(tableOf(name))
  const keyColumns = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  return Object.entries(fieldColumns(name)).filter(([, column]) => keyColumns.includes(column))
}

/** A query of rows of a table, in the order of its primary key. */
function selectRows(name: DumpedName, where?: SQL, limit?: number): Query<FieldRow[]> {
  const rows = build
    .select(fieldColumns(name))
    .from(tableOf(name))
    .where(where)
    .orderBy(...keyOf(name).map(([, column]) => column))
  return many(limit === undefined ? rows : rows.limit(limit))
}

/** Rows of a table, a page after the other. */
async function* pagesOf(db: Database, name: DumpedName): AsyncGenerator<FieldRow[]> {
  const key = keyOf(name)
  const columns = sql.join(
    key.map(([, column]) => column),
    sql`, `,
  )
  for (let last: FieldRow | undefined; ; ) {
    const values = key.map(([field]) => sql`${last?.[field]}`)
    const after = last && sql`(${columns}) > (${sql.join(values, sql`, `)})`
    const rows = await db.get(selectRows(name, after, ROWS_READ))
    yield rows
    last = rows.at(-1)
    if (!last || rows.length < ROWS_READ) return
  }
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
      for (const ids of batchesWithin(await db.get(many(changedIds(name, known))), ROWS_READ, () => 1))
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

const selectUploads: Query<Upload[]> = many(
  build
    .select({ url: images.url, width: images.width, height: images.height, has_sizes: images.has_sizes })
    .from(images)
    .where(like(images.url, `${UPLOADS}%`))
    .orderBy(images.id),
)

/** Reads the whole calendar as of one moment, and writes it into files of a folder. */
export async function writeSnapshot(db: Database, { folder, mode, progress }: Reading): Promise<Snapshot> {
  const paged = [...TRACKED_NAMES, 'audit'] as const
  const others = DUMPED_NAMES.filter(name => !paged.some(one => one === name) && name !== 'auditState')
  // Values that are deleted from the audit while it is read may be in the backup: they are deleted again once it is restored, as
  // auditState is from before that.
  const { begun, lastEntry, auditState } = await db.get(
    together({ begun: selectNumber, lastEntry: selectLastEntry, auditState: selectRows('auditState') }),
  )
  for (const [i, name] of paged.entries()) {
    await writeFile(partOf(folder, name), linesFrom(pagesOf(db, name)), { mode })
    progress(i + 1, DUMPED_NAMES.length)
  }
  const changed = Object.fromEntries(TRACKED_NAMES.map(name => [name, new Map()])) as Record<Tracked, Changed>
  const known = await catchUp(db, changed, begun)
  const last = await db.get(
    together({
      tracked: inOrder(TRACKED_NAMES.map(name => selectChanged(name, known))),
      entries: selectRows('audit', gt(audit.id, lastEntry)),
      others: inOrder(others.map(name => selectRows(name))),
      ids: selectLastIds,
      uploads: selectUploads,
    }),
  )
  for (const [i, name] of TRACKED_NAMES.entries()) note(changed[name], name, last.tracked[i] ?? NOTHING)
  const entries: Changed = new Map(last.entries.map(row => [Number(row.id), [row]]))
  const tables: Manifest['tables'] = {}
  for (const name of DUMPED_NAMES) {
    const isPaged = paged.find(one => one === name)
    const lines = isPaged
      ? mergedLines(partOf(folder, name), isPaged === 'audit' ? entries : changed[isPaged], idOf(isPaged))
      : linesFrom([name === 'auditState' ? auditState : (last.others[others.indexOf(name)] ?? [])])
    tables[name] = await writeTable(fileOf(folder, name), lines, mode)
    if (isPaged) await rm(partOf(folder, name))
    progress(DUMPED_NAMES.indexOf(name) + 1, DUMPED_NAMES.length)
  }
  return { tables, last_ids: lastIdsOf(last.ids), uploads: last.uploads }
}

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
