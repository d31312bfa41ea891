import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { type GivenRow, given, jsonPieces, storedValues } from '../../../db/bulk.ts'
import { allOf, inOrder, literal, many, mapped, type Query } from '../../../db/query.ts'
import { ANONYMOUS } from '../../../lib/roles.ts'
import { MAX_SLUG, trashedSlug } from '../../../lib/slug.ts'
import { imageColumn, imageId } from '../images.ts'
import { publicationOf } from '../publication.ts'
import { isReadable, ownedBy } from '../visibility.ts'
import { nameIn, type RelatedTables, type RelatedValues } from './kind.ts'

// A new venue or organizer that is there already is not made once more. The same is one that has its name, of which no
// given field differs, and that the caller may read: hidden rows are never found by guessing their names. Visitors find
// what is public, whoever their events belong to.

/** So many of one name are compared, the eldest: nobody has more of them who doesn't mean harm. */
const MOST_COMPARED = 100

/** The columns that a request gives, by which the same row is found. `slug` may be numbered there. */
export function givenColumns(context: RequestContext, kind: RelatedTables, values: RelatedValues): GivenRow {
  const { table } = kind
  const publication = publicationOf(context, { given: values })
  const { slug, status, date, date_utc } = values
  return storedValues(table, {
    ...kind.columnsOf(values),
    author_id: values.author,
    name: nameIn(kind, values),
    status: status && publication.status,
    date_utc: (date ?? date_utc) ? publication.date_utc : undefined,
    image_id: imageColumn(values.image),
    slug: slug ? (status === 'trash' ? trashedSlug(slug) : slug) : undefined,
  })
}

/** The ids of the same rows, by the key of the given columns. */
export type SameRows = ReadonlyMap<string, number>

export const givenKey = (row: GivenRow): string => JSON.stringify(row)

/** A query of the rows that are the same as new ones. */
export function selectSame(
  context: RequestContext,
  kind: RelatedTables,
  rows: readonly GivenRow[],
): Query<SameRows> {
  const keys = [...new Set(rows.map(givenKey))]
  const queries = jsonPieces(keys.map((key, n) => ({ n, ...JSON.parse(key) }))).map(json =>
    many(
      sql`SELECT ${given('n')} AS n, (${same(context, kind, rows)}) AS id FROM json_each(${json}) AS given`,
      ({ n, id }): [string, number][] => (id === null ? [] : [[keys[Number(n)] ?? '', Number(id)]]),
    ),
  )
  return mapped(inOrder(queries), found => new Map(found.flat(2)))
}

/** A condition that is true if there is the same as one of some new rows. */
export const isThere = (context: RequestContext, kind: RelatedTables, rows: readonly GivenRow[]): SQL =>
  sql`EXISTS (SELECT 1 FROM (${sql.join(
    jsonPieces(rows).map(json => sql`SELECT value FROM json_each(${json})`),
    sql` UNION ALL `,
  )}) AS given WHERE (${same(context, kind, rows)}) IS NOT NULL)`

/** A SELECT of the id of the eldest row that is the same as `given`. @param rows all rows that it can be */
function same(request: RequestContext, { table }: RelatedTables, rows: readonly GivenRow[]): SQL {
  const context = request.isVisitor ? { ...request, caller: ANONYMOUS } : request
  const names = new Set(rows.flatMap(row => Object.keys(row)))
  const { name: _, slug: _slug, ...compared } = Object.fromEntries([...names].map(name => [name, true]))
  const eldest = sql`${table.id} IN (SELECT id FROM ${table} AS named WHERE named.name = ${given('name')} ORDER BY id
    LIMIT ${literal(MOST_COMPARED)})`
  const conditions = [
    eldest,
    ...Object.keys(compared).map(name => isAsGiven(table, name)),
    ...(names.has('slug') ? [hasSlug(table)] : []),
    // None in the trash, unless the new one is created there.
    sql`iif(coalesce(${given('status')}, '') = 'trash', ${ownedBy(table, context)}, ${isReadable(table, context)})`,
  ]
  return sql`SELECT min(${table.id}) FROM ${table} WHERE ${allOf(conditions)}`
}

function isAsGiven(table: RelatedTables['table'], name: string): SQL {
  const column = sql`${table}.${sql.identifier(name)}`
  const path = sql.raw(`'$.${name}'`)
  const value = name === 'image_id' ? imageId(given(name)) : given(name)
  // An image that is not stored yet is none that a row could have.
  return sql`CASE json_type(given.value, ${path}) WHEN 'null' THEN ${column} IS NULL
    ELSE json_type(given.value, ${path}) IS NULL OR coalesce(${column} = ${value}, 0) END`
}

/** Length of slugs that stay whole when numbered, in characters. */
const UNCUT = MAX_SLUG - 10

/** A condition for rows with the given slug, or a numbered form of it, which the inserted row may get. */
function hasSlug({ slug }: RelatedTables['table']): SQL {
  const base = given('slug')
  const stem = sql`substr(${base}, 1, ${literal(UNCUT)})`
  return sql`(${base} IS NULL OR ${slug} = ${base} OR (substr(${slug}, 1, length(${stem})) = ${stem}
    AND (length(${base}) > ${literal(UNCUT)} OR substr(${slug}, length(${base}) + 1, 1) = '-')))`
}
