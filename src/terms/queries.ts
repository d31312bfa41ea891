import { type SQL, sql } from 'drizzle-orm'
import { constant, type Database, first, many, type Query } from '../db/client.ts'
import { termAncestors } from '../db/derived.ts'
import { columnList, fromRow, inList } from '../db/rows.ts'
import { events, eventTerms, terms } from '../db/schema.ts'
import type { Page } from '../http/lists.ts'
import { ApiError, type Problems } from '../lib/errors.ts'
import { searchWords } from '../lib/text.ts'
import { type Reference, byId as referenceById, reportUnknown, unknownValues } from '../posts/references.ts'
import type { TermKind } from './kind.ts'
import type { TermListParams } from './schema.ts'
import { type TermRow, termColumns } from './serialize.ts'

type Params = Partial<TermListParams>

const head = constant(() => sql`SELECT ${columnList(termColumns)} FROM ${terms}`)

/** Terms of one taxonomy. @param tail ORDER BY and what follows */
export const selectTerms = ({ taxonomy }: TermKind, condition: SQL, tail: SQL = sql``): Query<TermRow[]> =>
  many(sql`${head()} WHERE ${terms.taxonomy} = ${taxonomy} AND ${condition} ${tail}`, row =>
    fromRow(termColumns, row),
  )

/** The term of an id, if any. */
export const byId = (kind: TermKind, id: number): Query<TermRow[]> =>
  selectTerms(kind, sql`${terms.id} = ${id}`)

/** @throws ApiError if there is no such term */
export function demandTerm(kind: TermKind, row: TermRow | undefined): TermRow {
  if (!row) throw new ApiError(kind.notFound, `There is no ${kind.singular} of this id.`)
  return row
}

/** The ids of used terms, and of those above them: a category stays while something below it is used. */
const USED = sql`(SELECT ancestor_id FROM ${termAncestors} JOIN ${terms} AS used ON used.id = term_id WHERE used.count > 0)`

function filterConditions({
  search,
  exclude,
  include,
  hide_empty = true,
  post,
  event,
  slug,
  parent,
}: Params): SQL[] {
  const conditions = searchWords(search ?? '').map(
    word => sql`instr(${terms.sort_name} || char(10) || ${terms.slug}, ${word}) > 0`,
  )
  if (include) conditions.push(sql`${terms.id} IN ${inList(include)}`)
  if (exclude) conditions.push(sql`${terms.id} NOT IN ${inList(exclude)}`)
  if (slug) conditions.push(sql`${terms.slug} IN ${inList(slug.map(text => text.toLowerCase()))}`)
  if (parent !== undefined) conditions.push(sql`${terms.parent} = ${parent}`)
  for (const id of [post, event])
    if (id !== undefined)
      conditions.push(sql`${terms.id} IN (SELECT target_id FROM ${eventTerms} WHERE event_id = ${id})`)
  if (hide_empty) conditions.push(sql`${terms.id} IN ${USED}`)
  return conditions
}

function ordering({ order = 'asc', orderby = 'name', include = [] }: Params): SQL {
  const sortedBy = {
    name: sql`${terms.sort_name}`,
    id: sql`${terms.id}`,
    slug: sql`${terms.slug}`,
    count: sql`${terms.count}`,
    include: sql`(SELECT key FROM json_each(${JSON.stringify(include)}) WHERE value = ${terms.id})`,
  }
  return sql`ORDER BY ${sortedBy[orderby]} ${order === 'asc' ? sql`ASC` : sql`DESC`}, ${terms.id} ASC`
}

function filterReferences({ taxonomy }: TermKind, { post, event, parent }: Params): Reference[] {
  const references: Reference[] = []
  if (post !== undefined) references.push(referenceById('post', 'event', [post], sql`${events}`))
  if (event !== undefined) references.push(referenceById('event', 'event', [event], sql`${events}`))
  if (parent)
    references.push(
      referenceById('parent', 'category', [parent], sql`${terms}`, sql`AND taxonomy = ${taxonomy}`),
    )
  return references
}

/**
 * A page of categories or tags and how many there are in all, in one round trip.
 *
 * @throws ApiError `rest_invalid_param` for what is in `problems` or filtered by and unknown
 */
export async function listTerms(
  kind: TermKind,
  db: Database,
  values: Params,
  problems: Problems,
  page: Page,
): Promise<{ rows: TermRow[]; total: number }> {
  const where = sql.join([sql`1`, ...filterConditions(values)], sql` AND `)
  const references = filterReferences(kind, values)
  const [rows, total, ...unknown] = await db.batch([
    selectTerms(kind, where, sql`${ordering(values)} LIMIT ${page.perPage} OFFSET ${page.offset}`),
    first(
      sql`SELECT count(*) AS total FROM ${terms} WHERE ${terms.taxonomy} = ${kind.taxonomy} AND ${where}`,
      row => Number(row.total),
    ),
    ...references.map(unknownValues),
  ])
  reportUnknown(problems, references, unknown)
  problems.throwIfAny()
  return { rows, total: total ?? 0 }
}
