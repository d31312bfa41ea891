import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext, WriteContext } from '../../../context.ts'
import { type InputRow, inputValue, jsonBatches, storedValues } from '../../../db/bulk.ts'
import { allOf, inOrder, literal, many, mapped, type Query } from '../../../db/query.ts'
import { ANONYMOUS } from '../../../lib/roles.ts'
import { MAX_SLUG, trashedSlug } from '../../../lib/slug.ts'
import { imageColumn } from '../images.ts'
import { publicationOf } from '../publication.ts'
import { isReadable, ownedBy } from '../visibility.ts'
import { nameIn, type RelatedTables, type RelatedValues } from './resource.ts'
import { isAsGiven } from './writes.ts'

/** The most rows of one name that are compared, the oldest first. Ordinary calendars have fewer. */
const MOST_COMPARED = 100

/** The columns that a request names, which identify an existing row. The slug of that row may have a number. */
export function requestedColumns(
  context: RequestContext,
  resource: RelatedTables,
  values: RelatedValues,
): InputRow {
  const { table } = resource
  const publication = publicationOf(context, { given: values })
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

/** A SELECT of the id of the oldest row that is the same as `requested`. @param rows all the rows that `requested` stands for */
export function same(request: WriteContext, { table }: RelatedTables, rows: readonly InputRow[]): SQL {
  const context = request.isVisitor ? { ...request, caller: ANONYMOUS } : request
  const names = new Set(rows.flatMap(row => Object.keys(row)))
  const { name: _, slug: _slug, ...compared } = Object.fromEntries([...names].map(name => [name, true]))
  const eldest = sql`${table.id} IN (SELECT id FROM ${table} AS named WHERE named.name = ${inputValue('name')} ORDER BY id
    LIMIT ${literal(MOST_COMPARED)})`
  const conditions = [
    eldest,
    ...Object.keys(compared).map(name => isAsGiven(table, name)),
    ...(names.has('slug') ? [hasSlug(table)] : []),
    // A row in the trash only counts if the new one is created there.
    sql`iif(coalesce(${inputValue('status')}, '') = 'trash', ${ownedBy(table, context)}, ${isReadable(table, context)})`,
  ]
  return sql`SELECT min(${table.id}) FROM ${table} WHERE ${allOf(conditions)}`
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
