import { eq, type SQL, sql } from 'drizzle-orm'
import type { NothingLeft } from '../content/columns.ts'
import type { RequestContext } from '../context.ts'
import { recordChange } from '../db/audit.ts'
import { termAncestors } from '../db/derived.ts'
import { exec, first, mapped, type Query, together } from '../db/query.ts'
import { eventTerms, seriesTerms, terms } from '../db/schema.ts'
import { deleteFrom, update } from '../db/statements.ts'
import { ApiError, type ValidationErrors } from '../lib/errors.ts'
import { insertTerm, nameColumns, refreshPaths, termSlug } from './inserts.ts'
import { MOST_LEVELS, type TermKind } from './kind.ts'
import { nameKey } from './names.ts'
import { assertTerm, selectTerms, termById } from './queries.ts'
import type { TermFields } from './schema.ts'
import type { TermRow } from './serialize.ts'

type Values = Partial<TermFields>

/** Facts about stored terms on which a write depends. */
export type LookedUpTerm = {
  stored: TermRow | undefined
  /** The parent category after the write. */
  parent: TermRow | undefined
  /** True if the parent would be the term itself, or one of its descendants. */
  isBelowItself: boolean
  /** The levels of categories through the term after the write, from the root to its lowest descendant. */
  depth: number
}

/** A query of the facts on which a write depends. @param id the term's id, for an update */
export function lookUpTerm(
  kind: TermKind,
  { values: { parent }, id = 0 }: { values: Values; id?: number },
): Query<LookedUpTerm> {
  const parentId = parent ?? sql`(SELECT parent FROM ${terms} WHERE id = ${id})`
  const levels = (of: SQL): SQL =>
    sql`(SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM ${termAncestors} WHERE term_id IN ${of} GROUP BY term_id))`
  const self = sql`(SELECT ${id})`
  const below = sql`(SELECT term_id FROM ${termAncestors} WHERE ancestor_id = ${id})`
  const facts = first(
    sql`SELECT ${levels(sql`(SELECT ${parent ?? 0})`)} + max(1, ${levels(below)} - ${levels(self)} + 1) AS depth,
      EXISTS (SELECT 1 FROM ${termAncestors} WHERE term_id = ${parent ?? 0} AND ancestor_id = ${id}) AS below`,
    row => ({ depth: Number(row.depth), isBelowItself: row.below === 1 }),
  )
  return mapped(
    together({ stored: termById(kind, id), parent: termById(kind, sql`${parentId}`), facts }),
    ({ stored, parent, facts }) => ({
      stored,
      parent,
      isBelowItself: facts?.isBelowItself ?? false,
      depth: facts?.depth ?? 0,
    }),
  )
}

/** Adds an error if the parent does not exist, or cannot be a parent of the term. */
export function validateTerm(
  kind: TermKind,
  { values: { parent }, looked }: { values: Values; looked: LookedUpTerm },
  errors: ValidationErrors,
): void {
  if (!parent) return
  if (!looked.parent) errors.add('parent', `there is no ${kind.singular} ${parent}`)
  else if (looked.isBelowItself) errors.add('parent', 'a category cannot be its own ancestor')
  else if (looked.depth > MOST_LEVELS && parent !== looked.stored?.parent)
    errors.add('parent', `categories may be at most ${MOST_LEVELS} levels deep`)
}

/** A SELECT of the term with a name below a parent. There may be one only. */
const sameName = ({ taxonomy }: TermKind, name: string, parent: number): SQL =>
  sql`SELECT ${terms.id} FROM ${terms}
    WHERE taxonomy = ${taxonomy} AND parent = ${parent} AND name_key = ${nameKey(name)}`

const idOf = (statement: SQL): Query<number | undefined> => first(statement, row => Number(row.id))

const termExists = (kind: TermKind, id: number) =>
  new ApiError('term_exists', `There is a ${kind.singular} of this name here already.`, { term_id: id })

/** Creates a term. @throws ApiError `term_exists` */
export async function createTerm(
  context: RequestContext,
  kind: TermKind,
  { values, looked: { parent } }: { values: TermFields; looked: LookedUpTerm },
): Promise<TermRow> {
  const same = sameName(kind, values.name, values.parent ?? 0)
  const { insert, record, refresh } = insertTerm(
    { ...values, taxonomy: kind.taxonomy, parent },
    same,
    context,
  )
  const [inserted, , , [row]] = await context.db.write([
    idOf(sql`${insert} RETURNING id`),
    exec(record),
    exec(refresh),
    selectTerms(kind, sql`${terms.id} IN (${same})`),
  ])
  const created = assertTerm(kind, row)
  if (inserted === undefined) throw termExists(kind, created.id)
  return created
}

type Update = { values: Values; looked: LookedUpTerm & { stored: TermRow } }

/** Changes the named fields of a term. @throws ApiError `term_exists` */
export async function updateTerm(
  context: RequestContext,
  kind: TermKind,
  { values, looked: { stored, parent: above } }: Update,
): Promise<TermRow> {
  const { id } = stored
  const { name = stored.name, parent = stored.parent, slug: wanted, description, ...rest } = values
  rest satisfies NothingLeft
  // Deleting a category can leave two of one name below the same parent, which is allowed.
  const isElsewhere = parent !== stored.parent || nameKey(name) !== nameKey(stored.name)
  const twin = sql`${sameName(kind, name, parent)} AND ${terms.id} <> ${id}`
  const taken = isElsewhere ? await context.db.get(idOf(twin)) : undefined
  if (taken !== undefined) throw termExists(kind, taken)
  const slug =
    wanted === undefined || wanted === stored.slug
      ? undefined
      : termSlug({ taxonomy: kind.taxonomy, name, slug: wanted, parent: above }, id)
  const changes = {
    // A trigger refuses any version but the next one. 0 makes the batch fail if another term has got the name meanwhile.
    version: isElsewhere
      ? sql`CASE WHEN EXISTS (${twin}) THEN 0 ELSE ${stored.version + 1} END`
      : stored.version + 1,
    ...(values.name !== undefined && nameColumns(values.name)),
    description,
    parent: values.parent,
    slug,
  }
  const row = await context.db.change(
    [
      update(terms, changes, eq(terms.id, id)),
      recordChange(context, { action: 'update', kind: kind.singular, fields: Object.keys(values) }, id),
      ...(isElsewhere || slug ? [refreshPaths(sql`${terms.id} = ${id}`)] : []),
    ],
    termById(kind, id),
  )
  return assertTerm(kind, row)
}

/** Deletes a term for good. Its children move up to its parent. @returns the deleted term */
export async function deleteTerm(context: RequestContext, kind: TermKind, stored: TermRow): Promise<TermRow> {
  const { id, parent } = stored
  await context.db.change([
    // Fails if the term was changed since it was read.
    update(terms, { version: stored.version + 1 }, eq(terms.id, id)),
    deleteFrom(eventTerms, eq(eventTerms.target_id, id)),
    deleteFrom(seriesTerms, eq(seriesTerms.target_id, id)),
    update(terms, { parent, path: '', version: sql`${terms.version} + 1` }, eq(terms.parent, id)),
    refreshPaths(eq(terms.path, '')),
    deleteFrom(terms, eq(terms.id, id)),
    recordChange(context, { action: 'delete', kind: kind.singular }, id),
  ])
  return stored
}
