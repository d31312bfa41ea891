import { eq, type SQL, sql } from 'drizzle-orm'
import type { SerializeContext } from '../context.ts'
import { columnList } from '../db/columns.ts'
import type { Database } from '../db/database.ts'
import { countOf, inList, literal, many, type Query } from '../db/query.ts'
import { type BackupTable, backedUp, backupTable, LINK_TABLES } from '../intake/columns.ts'
import type { Row } from '../lib/connection.ts'
import type { ContentResource, ContentRow } from '../resources/content/resource.ts'
import { selectSeriesResult } from '../resources/events/recurrence/queries.ts'
import { EVENTS, serializeSeries } from '../resources/events/resource.ts'
import { ORGANIZERS } from '../resources/organizers/resource.ts'
import { selectTerms } from '../resources/terms/queries.ts'
import { CATEGORIES, serializeTerm, TAGS, type TermKind } from '../resources/terms/resource.ts'
import { VENUES } from '../resources/venues/resource.ts'

/** Records a page. */
export const RECORDS_A_FILE = 50

/** A collection from its first page to its last, in the order of ids. */
export type Collection = { plural: string; total: number; pages: AsyncIterable<object[]> }

/** Responses by the ids of their rows. */
type Responses = ReadonlyMap<number, object>

/** The rows of a collection, and how they are shown. Events and series have links. */
type ExportedRows = {
  plural: string
  table: BackupTable
  condition?: SQL
  owner?: 'event' | 'series'
  responsesOf: (ids: readonly number[]) => Promise<Responses>
}

/** A query of the columns of a table that a backup holds. */
export const selectBackedUp = (table: BackupTable, condition: SQL): Query<Row[]> =>
  many(
    sql`SELECT ${columnList(backedUp(table))} FROM ${backupTable(table)} WHERE ${condition}`,
    // D1 hands over numbers, texts and nulls.
    row => row as Row,
  )

/** Pages of responses, with the rows beside them, since responses leave columns out and show some in another form. */
async function* pagesOf(
  db: Database,
  { table, condition = sql`1`, owner, responsesOf }: ExportedRows,
): AsyncGenerator<object[]> {
  for (let after = 0; ; ) {
    const page = sql`id > ${after} AND ${condition} ORDER BY id LIMIT ${literal(RECORDS_A_FILE)}`
    const rows = await db.get(selectBackedUp(table, page))
    const ids = rows.map(({ id }) => Number(id))
    after = ids.at(-1) ?? 0
    if (after === 0) return
    const responses = await responsesOf(ids)
    const links = owner && (await linksOf(db, owner, ids))
    yield rows.map(row => ({
      ...responses.get(Number(row.id)),
      stored: row,
      ...(links && { links: links(Number(row.id)) }),
    }))
  }
}

/** The links of some events or series, including those to trashed content; the result gives them by id. */
async function linksOf(db: Database, owner: 'event' | 'series', ids: readonly number[]) {
  const column = `${owner}_id`
  const tables: [name: string, rows: Map<number, Row[]>][] = []
  for (const [name, table] of Object.entries(LINK_TABLES[owner])) {
    const rows = await db.get(
      selectBackedUp(table, sql`${sql.identifier(column)} IN ${inList(ids)} ORDER BY rowid`),
    )
    tables.push([name, Map.groupBy(rows, row => Number(row[column]))])
  }
  const bare = ({ [column]: _, ...link }: Row): Row => link
  return (id: number) =>
    Object.fromEntries(tables.map(([name, rows]) => [name, (rows.get(id) ?? []).map(bare)]))
}

const contentOf = <R extends ContentRow, A extends object>(
  db: Database,
  kind: ContentResource<R, A>,
  context: SerializeContext,
): ExportedRows => ({
  plural: kind.plural,
  table: kind.plural,
  ...(kind.singular === 'event' && { owner: 'event' }),
  responsesOf: async ids => {
    const rows = await db.get(kind.select(context, sql`${kind.table.id} IN ${inList(ids)}`))
    const responses = new Map<number, object>()
    for (const row of rows) {
      // A row that doesn't fit into one response with the others is read alone: a backup must be complete.
      const alone = kind.isShortened?.(row) ? kind.select(context, eq(kind.table.id, row.id)) : undefined
      const [whole = row] = alone ? await db.get(alone) : []
      responses.set(row.id, kind.serialize(whole, context))
    }
    return responses
  },
})

/** Series, with what their occurrences share as the API shows it. */
const seriesOf = (db: Database, context: SerializeContext): ExportedRows => ({
  ...{ plural: 'series', table: 'series', owner: 'series' },
  responsesOf: async ids => {
    const responses = new Map<number, object>()
    for (const id of ids) {
      const { row } = await db.get(selectSeriesResult(context, id))
      if (row) responses.set(id, serializeSeries(row, context))
    }
    return responses
  },
})

const termsOf = (db: Database, kind: TermKind, context: SerializeContext): ExportedRows => ({
  ...{ plural: kind.plural, table: 'terms' },
  condition: sql`taxonomy = ${kind.taxonomy}`,
  responsesOf: async ids => {
    const rows = await db.get(selectTerms(kind, sql`terms.id IN ${inList(ids)}`))
    return new Map(rows.map(row => [row.id, serializeTerm(row, context)]))
  },
})

/** The collections of a calendar, each after those that it refers to. */
export const collections = (db: Database, context: SerializeContext): Promise<Collection[]> =>
  Promise.all(
    [
      ...[termsOf(db, CATEGORIES, context), termsOf(db, TAGS, context)],
      ...[contentOf(db, VENUES, context), contentOf(db, ORGANIZERS, context)],
      ...[seriesOf(db, context), contentOf(db, EVENTS, context)],
    ].map(async of => ({
      plural: of.plural,
      total: await db.get(countOf(sql`${backupTable(of.table)} WHERE ${of.condition ?? sql`1`}`)),
      pages: pagesOf(db, of),
    })),
  )
