import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { RequestContext, WriteContext } from '../../../context.ts'
import { defaultValues, type InputRow, inputValue, jsonBatches, storedValues } from '../../../db/bulk.ts'
import { allOf, inOrder, literal, many, mapped, type Query } from '../../../db/query.ts'
import { ANONYMOUS } from '../../../lib/roles.ts'
import { MAX_SLUG, trashedSlug } from '../../../lib/slug.ts'
import { imageColumn, imageId } from '../images.ts'
import { publicationOf } from '../publication.ts'
import { isReadable, ownedBy } from '../visibility.ts'
import type { PreparedRow } from '../writes.ts'
import { readableColumn, withContact } from './hidden-contact.ts'
import { nameIn, type RelatedTables, type RelatedValues } from './resource.ts'

// A request for a new venue or organizer uses an existing row that is the same: a row of that name which differs in no field that
// the request names, and which the caller may read, so that nobody finds hidden rows by guessing their names. Visitors only find
// public rows, whoever owns their events.

/** The most rows of one name that are compared, the oldest first. Ordinary calendars have fewer. */
const MOST_COMPARED = 100

/** The columns that a request names, which identify an existing row. The slug of that row may have a number. */
export function requestedColumns(
  context: RequestContext,
  resource: RelatedTables,
  values: RelatedValues,
): InputRow {
  const { table } = resource
  const publication = publicationOf(context, { values })
  const { slug, status, date, date_utc } = values
  return storedValues(table, {
    ...resource.columnsOf(values),
    author_id: values.author,
    name: nameIn(resource, values),
    status: status && publication.status,
    date_utc: (date ?? date_utc) ? publication.date_utc : undefined,
    image_id: imageColumn(values.image),
    slug: slug ? (status === 'trash' ? trashedSlug(slug) : slug) : undefined,
  })
}

/** The ids of the same rows, by the key of the requested columns. */
export type SameRows = ReadonlyMap<string, number>

export const rowKey = (row: InputRow): string => JSON.stringify(row)

/** A query for the existing rows that are the same as new rows. */
export function selectSame(
  context: RequestContext,
  resource: RelatedTables,
  rows: readonly InputRow[],
): Query<SameRows> {
  const keys = [...new Set(rows.map(rowKey))]
  const queries = jsonBatches(keys.map((key, n) => ({ n, ...JSON.parse(key) }))).map(json =>
    many(
      sql`SELECT ${inputValue('n')} AS n, (${same(context, resource, rows)}) AS id FROM json_each(${json}) AS input`,
      ({ n, id }): [string, number][] => (id === null ? [] : [[keys[Number(n)] ?? '', Number(id)]]),
    ),
  )
  return mapped(inOrder(queries), found => new Map(found.flat(2)))
}

/** A condition that is true if one of the new rows exists already. */
export const existsAlready = (
  context: WriteContext,
  resource: RelatedTables,
  rows: readonly InputRow[],
): SQL =>
  sql`EXISTS (SELECT 1 FROM (${sql.join(
    jsonBatches(rows).map(json => sql`SELECT value FROM json_each(${json})`),
    sql` UNION ALL `,
  )}) AS input WHERE (${same(context, resource, rows)}) IS NOT NULL)`

/** A SELECT of the id of the oldest row that is the same as `input`. @param rows all the rows that `input` stands for */
function same(request: WriteContext, { table }: RelatedTables, rows: readonly InputRow[]): SQL {
  const context = request.isVisitor ? { ...request, caller: ANONYMOUS } : request
  const names = new Set(rows.flatMap(row => Object.keys(row)))
  const { name: _, slug: _slug, ...compared } = Object.fromEntries([...names].map(name => [name, true]))
  const oldest = sql`${table.id} IN (SELECT id FROM ${table} AS named WHERE named.name = ${inputValue('name')} ORDER BY id
    LIMIT ${literal(MOST_COMPARED)})`
  const conditions = [
    oldest,
    ...Object.keys(compared).map(name => hasValue(context, table, name)),
    ...(names.has('slug') ? [hasSlug(table)] : []),
    // A row in the trash only counts if the new one is created there.
    sql`iif(coalesce(${inputValue('status')}, '') = 'trash', ${ownedBy(table, context)}, ${isReadable(table, context)})`,
  ]
  return sql`SELECT min(${table.id}) FROM ${table} WHERE ${allOf(conditions)}`
}

/** A condition for rows that have the value of `input` in a column, or any value if `input` has none. */
function hasValue(context: WriteContext, table: RelatedTables['table'], name: string): SQL {
  const column = readableColumn(table, name, ownedBy(table, context))
  const path = sql.raw(`'$.${name}'`)
  const value = name === 'image_id' ? imageId(inputValue(name)) : inputValue(name)
  // No row can have an image that is not stored yet.
  return sql`CASE json_type(input.value, ${path}) WHEN 'null' THEN ${column} IS NULL
    ELSE json_type(input.value, ${path}) IS NULL OR coalesce(${column} = ${value}, 0) END`
}

/**
 * A condition for rows with the slug of `input`, also with a number that `freeSlugSql` has added because another row has the slug, or
 * the slug with the number before. A slug with any other ending is another slug.
 */
function hasSlug(table: RelatedTables['table']): SQL {
  const { slug } = table
  const base = inputValue('slug')
  const n = sql`substr(${slug}, length(rtrim(${slug}, '0123456789')) + 1)`
  const before = sql`(CAST(${n} AS INTEGER) - 1)`
  const numbered = (by: SQL) =>
    sql`substr(${base}, 1, ${literal(MAX_SLUG - 1)} - length(${by})) || '-' || ${by}`
  return sql`(${base} IS NULL OR ${slug} = ${base} OR (${n} GLOB '[1-9]*' AND ${slug} = ${numbered(n)}
    AND EXISTS (SELECT 1 FROM ${table} AS other WHERE other.slug = iif(${before} = 1, ${base}, ${numbered(before)}))))`
}

/** The new rows of a transaction, among which its later requests find the same row. */
export class NewRows<R extends Pick<PreparedRow, 'columns' | 'image'>> {
  readonly #byName = new Map<string, { row: R; values: InputRow }[]>()

  add({ table }: Pick<RelatedTables, 'table'>, name: string, row: R): void {
    const named = this.#byName.get(name) ?? []
    if (named.length === MOST_COMPARED) return
    const { columns, image } = row
    const values = withContact({
      ...defaultValues(getTableColumns(table)),
      ...storedValues(table, { ...columns, image_id: imageColumn(image) }),
    })
    this.#byName.set(name, named)
    named.push({ row, values })
  }

  /** The first row of a name that has all values that a request names. */
  find(name: string, requested: InputRow = {}): R | undefined {
    const wanted = Object.entries(requested).map(
      ([column, value]) => [column, JSON.stringify(value)] as const,
    )
    const isTrashed = requested.status === 'trash'
    return this.#byName
      .get(name)
      ?.find(
        ({ row, values }) =>
          (row.columns.status === 'trash') === isTrashed &&
          wanted.every(([column, value]) => JSON.stringify(values[column]) === value),
      )?.row
  }
}
