import { eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, CallerContext, ContentContext, SerializeContext } from '../../kit/context.ts'
import { columnList, decodeRow } from '../../kit/db/columns.ts'
import { termAncestors } from '../../kit/db/derived.ts'
import { allOf, countOf, eachOf, inList, many, mapQuery, type Query, rowLimit } from '../../kit/db/query.ts'
import { byId, type Reference } from '../../kit/db/references.ts'
import { events, eventTerms, type Taxonomy, terms } from '../../kit/db/tables.ts'
import {
  conditionsOf,
  type FilterMap,
  type ListSlice,
  type PageParams,
  type Rows,
  withTotal,
} from '../../kit/http/lists.ts'
import type { Versioned } from '../../kit/http/reply.ts'
import { requireVersion } from '../../kit/http/revision.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { may } from '../../kit/lib/roles.ts'
import { searchWords } from '../../kit/lib/text.ts'
import { containsAllSql } from '../content/search.ts'
import { survivorOf } from '../content/slugs.ts'
import { readableSql, unlistedIdsSql } from '../content/visibility.ts'
import { kindOf, serializeTerm, type TermKind, type TermRow, termColumns } from './resource.ts'
import type { TermListParams, TermResponse } from './schema.ts'

/** Selects terms of one taxonomy. @param tail ORDER BY and further clauses */
export const selectTerms = ({ taxonomy }: TermKind, condition: SQL, tail: SQL = sql``): Query<TermRow[]> =>
  many(
    sql`SELECT ${columnList(termColumns)} FROM ${terms} WHERE ${terms.taxonomy} = ${taxonomy} AND ${condition} ${tail}`,
    row => decodeRow(termColumns, row),
  )

/**
 * A condition for terms that anybody may know of: those that were created on their own, and those of
 * published events.
 */
export const termPublicSql = sql`(${terms.standalone} OR ${terms.count} > 0)`

/**
 * A condition for terms that the caller may know of: those that were created on their own, and those of
 * events that the caller may read. A name that somebody made up for a draft could give it away.
 */
export const termReadableSql = (context: CallerContext): SQL =>
  may(context.caller, 'edit_others_content')
    ? sql`1`
    : sql`(${termPublicSql} OR ${terms.id} IN (
        SELECT ${eventTerms.target_id} FROM (${unlistedIdsSql}) AS unlisted CROSS JOIN ${events}
        ON ${events.id} = unlisted.id AND ${readableSql(events, context)}
        CROSS JOIN ${eventTerms} ON ${eventTerms.event_id} = ${events.id}))`

/** Selects a term by its id, if the caller may know of it. */
export const selectTermById = (
  context: BaseContext,
  kind: TermKind,
  id: number,
): Query<TermRow | undefined> =>
  mapQuery(selectTerms(kind, sql`${terms.id} = ${id} AND ${termReadableSql(context)}`), ([row]) => row)

/** Returns the row. @throws ApiError if there is none */
export function requireTerm(kind: TermKind, row: TermRow | undefined): TermRow {
  if (!row) throw new ApiError(kind.notFound, `There is no ${kind.singular} with this id.`)
  return row
}

/**
 * An expression for the id of the term that an id or slug names; null if there is none.
 * @param name an expression
 */
export const termNamed = (taxonomy: Taxonomy, name: SQL): SQL =>
  sql`coalesce(
    (SELECT id FROM ${terms} WHERE taxonomy = ${taxonomy} AND ${name} NOT GLOB '*[^0-9]*' AND id = CAST(${name} AS INTEGER)),
    (SELECT id FROM ${terms} WHERE taxonomy = ${taxonomy} AND slug = lower(${name})))`

/** An expression like {@link termNamed}, for a term that the caller may know of. */
export const readableTerm = (context: BaseContext, taxonomy: Taxonomy, name: SQL): SQL =>
  sql`(SELECT id FROM ${terms} WHERE id = ${termNamed(taxonomy, name)} AND ${termReadableSql(context)})`

/**
 * An expression for the id of the term into which the one with an id or slug was merged, if the caller may
 * know of it; else null.
 */
export const formerTerm = (context: BaseContext, taxonomy: Taxonomy, name: SQL): SQL => {
  const { singular } = kindOf(taxonomy)
  const survivor = (key: { id: SQL } | { slug: SQL }) =>
    survivorOf(singular, key, terms, termReadableSql(context))
  return sql`coalesce(${survivor({ slug: sql`lower(${name})` })},
    iif(${name} GLOB '*[^0-9]*', NULL, ${survivor({ id: sql`CAST(${name} AS INTEGER)` })}))`
}

/** A condition for terms with published events, and for their ancestors. */
export const usedTermSql = sql`(${terms.count} > 0 OR EXISTS (SELECT 1 FROM ${termAncestors} CROSS JOIN ${terms} AS used
  ON used.id = ${termAncestors.term_id} AND used.count > 0 WHERE ${termAncestors.ancestor_id} = ${terms.id}))`

/** An expression for the most levels above any of some terms, with their own. */
export const levelsOf = (termIds: SQL): SQL =>
  sql`(SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM ${termAncestors} WHERE term_id IN ${termIds} GROUP BY term_id))`

const termsOfEvent = (id: number): SQL =>
  sql`${terms.id} IN (SELECT target_id FROM ${eventTerms} WHERE event_id = ${id})`

const FILTERS: FilterMap<TermListParams, keyof PageParams | 'order' | 'orderby'> = {
  search: query => containsAllSql(sql`(${terms.sort_name} || char(10) || ${terms.slug})`, searchWords(query)),
  include: ids => inArray(terms.id, inList(ids)),
  exclude: ids => notInArray(terms.id, inList(ids)),
  slug: slugs => inArray(terms.slug, inList(slugs.map(text => text.toLowerCase()))),
  parent: id => eq(terms.parent, id),
  post: (id, _, { event = id }) => termsOfEvent(event),
  event: termsOfEvent,
  hide_empty: wanted => (wanted ? usedTermSql : undefined),
}

function orderClause({ order = 'asc', orderby = 'name', include = [] }: Partial<TermListParams>): SQL {
  const sortedBy = {
    name: sql`${terms.sort_name}`,
    id: sql`${terms.id}`,
    slug: sql`${terms.slug}`,
    count: sql`${terms.count}`,
    description: sql`${terms.description} COLLATE NOCASE`,
    term_group: sql`${terms.id}`,
    include: sql`(SELECT key FROM ${eachOf(include)} WHERE value = ${terms.id})`,
  }
  return sql`ORDER BY ${sortedBy[orderby]} ${order === 'asc' ? sql`ASC` : sql`DESC`}, ${terms.id} ASC`
}

/**
 * References to the events and terms of filters, which must exist and be readable for the caller. `event`
 * replaces `post`.
 */
export function termReferences(
  context: BaseContext,
  { taxonomy, singular }: TermKind,
  { post, event, parent, include, exclude }: Partial<TermListParams>,
): Reference[] {
  const readableEventSql = readableSql(events, context)
  const knownSql = sql`taxonomy = ${taxonomy} AND ${termReadableSql(context)}`
  return [
    ...(post === undefined || event !== undefined
      ? []
      : [byId('post', 'event', [post], events, readableEventSql)]),
    ...(event === undefined ? [] : [byId('event', 'event', [event], events, readableEventSql)]),
    ...(parent ? [byId('parent', 'category', [parent], terms, knownSql)] : []),
    ...(include ? [byId('include', singular, include, terms, knownSql)] : []),
    ...(exclude ? [byId('exclude', singular, exclude, terms, knownSql)] : []),
  ]
}

export const termListedSql = (context: BaseContext, values: Partial<TermListParams>): SQL =>
  allOf([termReadableSql(context), ...conditionsOf(FILTERS, context, values)])

/** A query for a page of categories or tags, and their number. */
export function selectTermPage(
  context: BaseContext,
  kind: TermKind,
  { values, page }: { values: Partial<TermListParams>; page: ListSlice },
): Query<Rows<TermRow>> {
  const condition = termListedSql(context, { hide_empty: true, ...values })
  const tail = sql`${orderClause(values)} LIMIT ${rowLimit(page.perPage)} OFFSET ${page.offset}`
  return withTotal(
    selectTerms(kind, condition, tail),
    countOf(sql`${terms} WHERE ${terms.taxonomy} = ${kind.taxonomy} AND ${condition}`),
  )
}

export const termBody = (row: TermRow, context: SerializeContext): Versioned<TermResponse> => ({
  body: serializeTerm(row, context),
  version: row.version,
})

/**
 * Returns the term.
 *
 * @throws ApiError if there is none, `rest_precondition_failed` if `If-Match` names another version
 */
export const requireChangeableTerm = (
  context: ContentContext,
  kind: TermKind,
  row: TermRow | undefined,
): TermRow => requireVersion(context, requireTerm(kind, row))
