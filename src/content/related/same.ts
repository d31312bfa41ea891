import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { allOf, literal } from '../../db/query.ts'
import { MAX_SLUG, trashedSlug } from '../../lib/slug.ts'
import { contentColumns } from '../columns.ts'
import type { Publication } from '../publication.ts'
import { isReadable, ownedBy } from '../visibility.ts'
import type { RelatedTables, RelatedValues } from './kind.ts'

type Wanted = {
  kind: RelatedTables
  values: RelatedValues
  publication: Publication
  name: string
  byExternalId?: boolean
}

/** So many of one name are compared, the eldest: nobody has more of them who doesn't mean harm. */
const MOST_COMPARED = 100

/**
 * A condition for the rows that count as the same as a new one: they have its name, no given field differs, and the
 * caller may read them. Hidden rows are never found by guessing their names.
 *
 * @param byExternalId takes the row of a given external id, whatever differs
 */
export function sameAs(
  context: RequestContext,
  { kind, values, publication, name, byExternalId = false }: Wanted,
): SQL {
  const { table } = kind
  if (byExternalId && values.external_id)
    return allOf([
      sql`${table.external_id} = ${values.external_id} AND ${table.external_id} <> ''`,
      isReadable(table, context),
    ])
  const given = {
    ...kind.columnsOf(values),
    ...contentColumns(values),
    name,
    status: values.status && publication.status,
    date_utc: (values.date ?? values.date_utc) ? publication.date_utc : undefined,
  }
  const eldest = sql`${table.id} IN (SELECT id FROM ${table} AS named WHERE named.name = ${name} ORDER BY id
    LIMIT ${literal(MOST_COMPARED)})`
  return allOf([
    eldest,
    ...equalities(table, given),
    ...slugMatches(table, values),
    forCaller(context, kind, values),
  ])
}

/** A condition for rows that the caller may find: none in the trash, unless the new one is created there. */
const forCaller = (context: RequestContext, { table }: RelatedTables, { status }: RelatedValues): SQL =>
  status === 'trash' ? ownedBy(table, context) : isReadable(table, context)

function equalities(table: RelatedTables['table'], given: Readonly<Record<string, unknown>>): SQL[] {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => given[name] !== undefined)
  return columns.map(([name, column]) => {
    const value = given[name]
    return sql`${column} IS ${typeof value === 'object' && value !== null ? value : sql.param(value, column)}`
  })
}

/** Length of slugs that stay whole when numbered, in characters. */
const UNCUT = MAX_SLUG - 10

/** A condition for rows with the slug or a numbered form of it, which the inserted row may get. */
function slugMatches(table: RelatedTables['table'], { slug, status }: RelatedValues): SQL[] {
  if (!slug) return []
  const base = status === 'trash' ? trashedSlug(slug) : slug
  const stem = sql`substr(${base}, 1, ${UNCUT})`
  return [
    sql`(${table.slug} = ${base} OR (substr(${table.slug}, 1, length(${stem})) = ${stem}
      AND (length(${base}) > ${UNCUT} OR substr(${table.slug}, length(${base}) + 1, 1) = '-')))`,
  ]
}
