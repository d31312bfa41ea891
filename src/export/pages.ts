import { eq, sql } from 'drizzle-orm'
import type { ContentKind, ContentRow } from '../content/kind.ts'
import type { SerializeContext } from '../context.ts'
import { columnList } from '../db/columns.ts'
import type { Database } from '../db/database.ts'
import { inList, literal, many } from '../db/query.ts'
import { series, terms } from '../db/schema.ts'
import { EVENTS } from '../events/kind.ts'
import { selectSeriesResult } from '../events/recurrence/queries.ts'
import { serializeSeries } from '../events/recurrence/serialize-series.ts'
import type { EventRow } from '../events/rows.ts'
import type { Row } from '../lib/connection.ts'
import { ORGANIZERS } from '../organizers/kind.ts'
import { type BackupTable, backedUp, backupTable, LINK_TABLES } from '../sources/columns.ts'
import type { LinkName } from '../sources/records.ts'
import { CATEGORIES, TAGS, type TermKind } from '../terms/kind.ts'
import { selectTerms } from '../terms/queries.ts'
import { serializeTerm } from '../terms/serialize.ts'
import { VENUES } from '../venues/kind.ts'

/** Records a page. */
export const RECORDS_A_FILE = 50

type StoredTable = Extract<BackupTable, 'events' | 'series' | 'venues' | 'organizers' | 'terms'>

/** A collection from its first page to its last, in the order of ids. */
export type Collection = {
  plural: string
  total: number
  pages: AsyncIterable<object[]>
}

/** All pages of a query that selects rows by ascending id. */
async function* byId<R extends { id: number }>(
  select: (after: number) => Promise<R[]>,
  itemsOf: (rows: R[]) => Promise<object[]> | object[],
): AsyncGenerator<object[]> {
  for (let after = 0; ; ) {
    const rows = await select(after)
    const last = rows.at(-1)
    if (!last) return
    yield await itemsOf(rows)
    after = last.id
  }
}

export const countRows = async (db: Database, condition: ReturnType<typeof sql>): Promise<number> => {
  const [total] = await db.get(
    many(sql`SELECT count(*) AS total FROM ${condition}`, row => Number(row.total)),
  )
  return total ?? 0
}

/** The columns that a backup holds, of some rows; the result gives them by id. */
async function storedRows(
  db: Database,
  table: StoredTable,
  ids: readonly number[],
): Promise<(id: number) => Row> {
  const columns = backedUp(table)
  const rows = await db.get(
    many(
      sql`SELECT ${columnList(columns)} FROM ${backupTable(table)} WHERE id IN ${inList(ids)}`,
      // D1 hands over numbers, texts and nulls.
      row => row as Row,
    ),
  )
  const byId = new Map(rows.map(row => [Number(row.id), row]))
  return id => byId.get(id) ?? {}
}

/** The rows of a link table that belong to some events or series, including links to trashed content. */
async function linkRows(
  db: Database,
  { owner, name }: { owner: 'event' | 'series'; name: LinkName },
  ids: readonly number[],
): Promise<(id: number) => Row[]> {
  const table = LINK_TABLES[owner][name]
  const column = `${owner}_id`
  const rows = await db.get(
    many(
      sql`SELECT ${columnList(backedUp(table))} FROM ${backupTable(table)} WHERE ${sql.identifier(column)} IN ${inList(ids)} ORDER BY rowid`,
      row => row as Row, // As above.
    ),
  )
  const byOwner = Map.groupBy(rows, row => Number(row[column]))
  return id => (byOwner.get(id) ?? []).map(({ [column]: _, ...link }) => link)
}

/** Reads the rows that a backup holds beside each response, which leaves columns out and shows some in another form. */
type Beside = (
  ids: readonly number[],
) => Promise<(id: number) => { stored: Row; links?: Record<LinkName, Row[]> }>

const storedOf =
  (db: Database, table: StoredTable): Beside =>
  async ids => {
    const rows = await storedRows(db, table, ids)
    return id => ({ stored: rows(id) })
  }

const storedEvents =
  (db: Database, owner: 'event' | 'series'): Beside =>
  async ids => {
    const rows = await storedRows(db, owner === 'event' ? 'events' : 'series', ids)
    const venues = await linkRows(db, { owner, name: 'venues' }, ids)
    const organizers = await linkRows(db, { owner, name: 'organizers' }, ids)
    const terms = await linkRows(db, { owner, name: 'terms' }, ids)
    return id => ({
      stored: rows(id),
      links: { venues: venues(id), organizers: organizers(id), terms: terms(id) },
    })
  }

const contentPages = async <R extends ContentRow, A extends object>(
  db: Database,
  kind: ContentKind<R, A>,
  context: SerializeContext,
  besideOf: Beside,
): Promise<Collection> => ({
  plural: kind.plural,
  total: await countRows(db, sql`${kind.table}`),
  pages: byId<R>(
    async after => {
      const ids = sql`SELECT id FROM ${kind.table} WHERE id > ${after} ORDER BY id LIMIT ${literal(RECORDS_A_FILE)}`
      const rows = await db.get(kind.select(context, sql`${kind.table.id} IN (${ids})`))
      const inOrder = rows.toSorted((a, b) => a.id - b.id)
      if (!inOrder.some(row => kind.isShortened?.(row))) return inOrder
      // Rows that don't fit into one response are read one by one: a backup must be complete.
      const whole: R[] = []
      for (const { id } of inOrder) whole.push(...(await db.get(kind.select(context, eq(kind.table.id, id)))))
      return whole
    },
    async rows => {
      const beside = await besideOf(rows.map(({ id }) => id))
      return rows.map(row => ({ ...kind.serialize(row, context), ...beside(row.id) }))
    },
  ),
})

/** Series, with what their occurrences share as the API shows it. */
const seriesPages = async (db: Database, context: SerializeContext): Promise<Collection> => ({
  plural: 'series',
  total: await countRows(db, sql`${series}`),
  pages: byId<EventRow>(
    async after => {
      const ids = await db.get(
        many(
          sql`SELECT id FROM ${series} WHERE id > ${after} ORDER BY id LIMIT ${literal(RECORDS_A_FILE)}`,
          row => Number(row.id),
        ),
      )
      const rows: EventRow[] = []
      for (const id of ids) {
        const { row } = await db.get(selectSeriesResult(context, id))
        if (row) rows.push(row)
      }
      return rows
    },
    async rows => {
      const beside = await storedEvents(db, 'series')(rows.map(({ id }) => id))
      return rows.map(row => ({ ...serializeSeries(row, context), ...beside(row.id) }))
    },
  ),
})

const termPages = async (db: Database, kind: TermKind, context: SerializeContext): Promise<Collection> => ({
  plural: kind.plural,
  total: await countRows(db, sql`${terms} WHERE taxonomy = ${kind.taxonomy}`),
  pages: byId(
    after =>
      db.get(
        selectTerms(
          kind,
          sql`${terms.id} > ${after}`,
          sql`ORDER BY ${terms.id} LIMIT ${literal(RECORDS_A_FILE)}`,
        ),
      ),
    async rows => {
      const beside = await storedOf(db, 'terms')(rows.map(({ id }) => id))
      return rows.map(row => ({ ...serializeTerm(row, context), ...beside(row.id) }))
    },
  ),
})

/** The collections of a calendar, each after those that it refers to. */
export const collections = async (db: Database, context: SerializeContext): Promise<Collection[]> => [
  await termPages(db, CATEGORIES, context),
  await termPages(db, TAGS, context),
  await contentPages(db, VENUES, context, storedOf(db, 'venues')),
  await contentPages(db, ORGANIZERS, context, storedOf(db, 'organizers')),
  await seriesPages(db, context),
  await contentPages(db, EVENTS, context, storedEvents(db, 'event')),
]
