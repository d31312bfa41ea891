import { eq, type SQL, sql } from 'drizzle-orm'
import type { NothingLeft } from '../content/columns.ts'
import type { RequestContext } from '../context.ts'
import { recordChange } from '../db/audit.ts'
import { termAncestors } from '../db/derived.ts'
import { exec, first, type Query, together } from '../db/query.ts'
import { eventTerms, terms } from '../db/schema.ts'
import { deleteFrom, update } from '../db/statements.ts'
import { ApiError, type ValidationErrors } from '../lib/errors.ts'
import { insertTerm, nameColumns, refreshPaths, termSlug } from './inserts.ts'
import type { TermKind } from './kind.ts'
import { nameKey } from './names.ts'
import { assertTerm, selectTerms, termById } from './queries.ts'
import type { TermFields } from './schema.ts'
import type { TermRow } from './serialize.ts'

type Values = Partial<TermFields>

/** Rows that a write of a term depends on. */
export type LookedUpTerm = {
  stored: TermRow | undefined
  /** The category that the term is to be below, or is. */
  above: TermRow | undefined
  /** The category above is the term itself, or below it. */
  isBelowItself: boolean
  /** Levels that a chain through the term would have, from the root to the lowest category below the term. */
  depth: number
}

/** The limit is the database's, in a trigger of `term_ancestors`. */
export const MOST_LEVELS = 10

/** @param id of the term, for an update */
export function lookUpTerm(
  kind: TermKind,
  { values: { parent }, id = 0 }: { values: Values; id?: number },
): Query<LookedUpTerm> {
  const above = parent ?? sql`(SELECT parent FROM ${terms} WHERE id = ${id})`
  const levels = (of: SQL): SQL =>
    sql`(SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM ${termAncestors} WHERE term_id IN ${of} GROUP BY term_id))`
  const self = sql`(SELECT ${id})`
  const below = sql`(SELECT term_id FROM ${termAncestors} WHERE ancestor_id = ${id})`
  const facts = first(
    sql`SELECT ${levels(sql`(SELECT ${parent ?? 0})`)} + max(1, ${levels(below)} - ${levels(self)} + 1) AS depth,
      EXISTS (SELECT 1 FROM ${termAncestors} WHERE term_id = ${parent ?? 0} AND ancestor_id = ${id}) AS below`,
    row => ({ depth: Number(row.depth), isBelowItself: row.below === 1 }),
  )
  const looked = together({ stored: termById(kind, id), above: termById(kind, sql`${above}`), facts })
  return {
    statements: looked.statements,
    read: results => {
      const { stored, above, facts } = looked.read(results)
      return { stored, above, isBelowItself: facts?.isBelowItself ?? false, depth: facts?.depth ?? 0 }
    },
  }
}

/** Adds the errors of a parent that isn't there, or can't be one. */
export function validateTerm(
  kind: TermKind,
  { values: { parent }, looked }: { values: Values; looked: LookedUpTerm },
  errors: ValidationErrors,
): void {
  if (!parent) return
  if (!looked.above) errors.add('parent', `there is no ${kind.singular} ${parent}`)
  else if (looked.isBelowItself) errors.add('parent', 'a category cannot be its own ancestor')
  else if (looked.depth > MOST_LEVELS && parent !== looked.stored?.parent)
    errors.add('parent', `categories may be at most ${MOST_LEVELS} levels deep`)
}

/** The one of a name below a parent, whose presence forbids another. */
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
  { values, looked: { above } }: { values: TermFields; looked: LookedUpTerm },
): Promise<TermRow> {
  const same = sameName(kind, values.name, values.parent ?? 0)
  const { insert, record, refresh } = insertTerm(
    { ...values, taxonomy: kind.taxonomy, parent: above },
    same,
    context,
  )
  const [inserted, , , [row]] = await context.db.write([
    idOf(sql`${insert} RETURNING id`),
    exec(record),
    exec(refresh),
    selectTerms(kind, sql`${terms.id} IN (${same})`),
  ])
  const there = assertTerm(kind, row)
  if (inserted === undefined) throw termExists(kind, there.id)
  return there
}

type Update = { values: Values; looked: LookedUpTerm & { stored: TermRow } }

/** Changes the named fields of a term. @throws ApiError `term_exists` */
export async function updateTerm(
  context: RequestContext,
  kind: TermKind,
  { values, looked: { stored, above } }: Update,
): Promise<TermRow> {
  const { id } = stored
  const { name = stored.name, parent = stored.parent, slug: wanted, description, ...rest } = values
  rest satisfies NothingLeft
  // Two of one name may have come to stand side by side when a category between them was deleted; they may stay.
  const isElsewhere = parent !== stored.parent || nameKey(name) !== nameKey(stored.name)
  const twin = sql`${sameName(kind, name, parent)} AND ${terms.id} <> ${id}`
  const taken = isElsewhere ? await context.db.get(idOf(twin)) : undefined
  if (taken !== undefined) throw termExists(kind, taken)
  const slug =
    wanted === undefined
      ? undefined
      : termSlug({ taxonomy: kind.taxonomy, name, slug: wanted, parent: above }, id)
  const changes = {
    // No version but the next is taken: neither after another change, nor if another term has got the name meanwhile.
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

/** Deletes a term for good. Its children move up to its parent. @returns the term as it was */
export async function deleteTerm(context: RequestContext, kind: TermKind, stored: TermRow): Promise<TermRow> {
  const { id, parent } = stored
  await context.db.change([
    // Refused if the term was changed since it was looked up.
    update(terms, { version: stored.version + 1 }, eq(terms.id, id)),
    deleteFrom(eventTerms, eq(eventTerms.target_id, id)),
    update(terms, { parent, path: '', version: sql`${terms.version} + 1` }, eq(terms.parent, id)),
    refreshPaths(eq(terms.path, '')),
    deleteFrom(terms, eq(terms.id, id)),
    recordChange(context, { action: 'delete', kind: kind.singular }, id),
  ])
  return stored
}
