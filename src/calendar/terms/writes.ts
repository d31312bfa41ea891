import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { auditEntriesStatement, type Origin, rowEntryStatements } from '../../kit/db/audit.ts'
import { inputValue, jsonBatches, rowUpdateStatements } from '../../kit/db/bulk.ts'
import { eventLinkToSql, termAncestors } from '../../kit/db/derived.ts'
import {
  combineQueries,
  inList,
  many,
  mapQuery,
  orNull,
  type Query,
  readNumber,
  type Statement,
} from '../../kit/db/query.ts'
import { asOneChange, build } from '../../kit/db/statements.ts'
import { eventTerms, seriesTerms, terms } from '../../kit/db/tables.ts'
import type { SharedWrites } from '../../kit/http/shared-writes.ts'
import { ApiError, type ValidationErrors } from '../../kit/lib/errors.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import { isSlugOf } from '../../kit/lib/slug.ts'
import { requirePresent } from '../../kit/lib/values.ts'
import { beforeAndAfter } from '../content/changed-values.ts'
import { beforeDeletionStatements } from '../content/dependents.ts'
import type { NothingLeft } from '../content/resource.ts'
import { numberRows, selectWritten, withAuditedValues } from '../content/writes.ts'
import { levelsOf, selectTerms, termReadableSql } from './queries.ts'
import { MAX_LEVELS, nameKey, type TermKind, type TermRow } from './resource.ts'
import type { TermFields } from './schema.ts'
import {
  nameColumns,
  newTerm,
  type PreparedTerm,
  pathsStatement,
  termStatements,
  wantedSlugs,
} from './statements.ts'

type TermValues = Partial<TermFields>
type TermChange = { values: TermValues; id?: number | undefined }

/** Facts about stored terms on which a write depends. */
type Facts = {
  /** The id of a term with the wanted name in the same place, if the caller may know of it. */
  namesake: number | undefined
  /** The parent category after the write; 0 for none. */
  parent: number
  /** True if the parent would be the term itself, or one of its descendants. */
  isBelowItself: boolean
  /** The levels of categories through the term after the write, from the root to its lowest descendant. */
  depth: number
}

/**
 * Terms and facts on which several writes depend. `hidden` are terms that the caller may not know of, by the
 * key of their name: only events name them, so they have no parent.
 */
type NeededTerms = {
  terms: ReadonlyMap<number, TermRow>
  hidden: ReadonlyMap<string, TermRow>
  facts: ReadonlyMap<string, Facts>
}

/** What the facts about a change depend on. */
const factsInputOf = ({ values: { parent, name }, id = 0 }: TermChange) => ({
  id,
  parent,
  name_key: name === undefined ? undefined : nameKey(name),
})

const termChangeKey = (change: TermChange): string => JSON.stringify(factsInputOf(change))

/**
 * A query for the terms and facts on which writes depend.
 * @param changes with the ids of the terms that are updated
 */
export function selectNeededTerms(
  context: BaseContext,
  kind: TermKind,
  changes: readonly TermChange[],
): Query<NeededTerms> {
  const inputsByKey = new Map(changes.map(change => [termChangeKey(change), factsInputOf(change)]))
  const keys = [...inputsByKey.keys()]
  const facts = jsonBatches([...inputsByKey.values()].map((input, n) => ({ n, ...input }))).map(json =>
    many(factsOf(context, kind, json), ({ n, namesake, parent, below, depth }): [string, Facts] => [
      requirePresent(keys[readNumber(n)], 'the key of a term'),
      {
        namesake: orNull(readNumber)(namesake) ?? undefined,
        parent: readNumber(parent),
        isBelowItself: below === 1,
        depth: readNumber(depth),
      },
    ]),
  )
  const namedIds = changes.flatMap(({ id = 0, values }) => [id, values.parent ?? 0])
  const names = changes.flatMap(({ values: { name } }) => (name === undefined ? [] : [nameKey(name)]))
  const parentSelect = sql`SELECT parent FROM ${terms} WHERE id IN ${inList(namedIds)}`
  const readableSql = termReadableSql(context)
  return combineQueries({
    terms: mapQuery(
      selectTerms(
        kind,
        sql`(${terms.id} IN ${inList(namedIds)} OR ${terms.id} IN (${parentSelect})) AND ${readableSql}`,
      ),
      rows => new Map(rows.map(row => [row.id, row])),
    ),
    hidden: mapQuery(
      selectTerms(kind, sql`${terms.name_key} IN ${inList(names)} AND NOT ${readableSql}`),
      rows => new Map(rows.map(row => [nameKey(row.name), row])),
    ),
    facts: combineQueries(facts, factLists => new Map(factLists.flat())),
  })
}

/** A SELECT of {@link Facts} for changes in a JSON text. */
function factsOf(context: BaseContext, { taxonomy }: TermKind, json: string): SQL {
  const descendants = sql`(SELECT term_id FROM ${termAncestors} WHERE ancestor_id = next.id)`
  return sql`SELECT next.n, next.parent,
      (SELECT min(id) FROM ${terms} WHERE taxonomy = ${taxonomy} AND parent = next.parent
        AND name_key = next.name_key AND id <> next.id AND ${termReadableSql(context)}) AS namesake,
      EXISTS (SELECT 1 FROM ${termAncestors} WHERE term_id = next.parent AND ancestor_id = next.id) AS below,
      ${levelsOf(sql`(next.parent)`)} + max(1, ${levelsOf(descendants)} - ${levelsOf(sql`(next.id)`)} + 1) AS depth
    FROM (
      SELECT ${inputValue('n')} AS n, ${inputValue('id')} AS id,
        coalesce(${inputValue('parent')}, stored.parent, 0) AS parent,
        coalesce(${inputValue('name_key')}, stored.name_key) AS name_key
      FROM json_each(${json}) AS input LEFT JOIN ${terms} AS stored ON stored.id = ${inputValue('id')}
    ) AS next`
}

/** The outcome of a request: a term to write, or the id of the stored one if nothing changes. */
export type TermOutcome = PreparedTerm | { same: number }

type TermInput = { values: TermValues; neededTerms: NeededTerms; stored?: TermRow | undefined }

/**
 * Prepares the write of a request. A new term with the name of a term that the caller may not know of is that
 * term.
 *
 * @throws ApiError `term_exists`, and all errors at once
 */
export function prepareTerm(
  { settings }: BaseContext,
  { taxonomy, singular }: TermKind,
  { values, neededTerms, stored }: TermInput,
  errors: ValidationErrors,
): TermOutcome {
  const facts = neededTerms.facts.get(termChangeKey({ values, id: stored?.id }))
  const parentTerm = facts && neededTerms.terms.get(facts.parent)
  if (values.parent && !parentTerm)
    errors.add('parent', codedReason('unknown', `there is no ${singular} ${values.parent}`))
  else if (values.parent && facts?.isBelowItself)
    errors.add('parent', codedReason('own_part', 'a category cannot be its own ancestor'))
  else if (values.parent && facts && facts.depth > MAX_LEVELS && values.parent !== stored?.parent)
    errors.add(
      'parent',
      codedReason('too_deep', `categories may be at most ${MAX_LEVELS} levels deep`, { n: MAX_LEVELS }),
    )
  errors.throwIfAny()
  const {
    name = stored?.name ?? '',
    parent = stored?.parent ?? 0,
    slug,
    description,
    color,
    ...unhandledFields
  } = values
  unhandledFields satisfies NothingLeft
  // Two categories of one name below the same parent are allowed, because deleting a category can lead to
  // them.
  const isElsewhere = !stored || parent !== stored.parent || nameKey(name) !== nameKey(stored.name)
  if (isElsewhere && facts?.namesake !== undefined)
    throw new ApiError('term_exists', `There is already a ${singular} of this name here.`, {
      term_id: facts.namesake,
    })
  const term = {
    taxonomy,
    name,
    language: settings.website.language,
    slug,
    description,
    color,
    parent: parentTerm,
  }
  const existing = stored ?? (parent === 0 ? neededTerms.hidden.get(nameKey(name)) : undefined)
  if (!existing) return newTerm(term, 'parent')
  const slugChange = slug === undefined || slug === existing.slug ? undefined : wantedSlugs(term)
  const columns = {
    ...(values.name !== undefined && nameColumns(name)),
    description,
    color,
    parent: values.parent,
    slug: slugChange?.slug,
    standalone: true,
  }
  const fields = Object.keys(values)
  const changes = beforeAndAfter(AUDITED, { namedFields: fields, stored: existing, columns })
  // Creating a hidden term makes it known to more people, even if nothing else changes.
  if (stored && Object.keys(changes).length === 0) return { same: stored.id }
  return {
    taxonomy,
    stored: existing,
    columns,
    slugOwner: slugChange?.slugOwner,
    image: undefined,
    fields,
    changed: changes,
    uniqueName: isElsewhere ? { name_key: nameKey(name), parent } : undefined,
  }
}

/** The fields whose values the audit records, with their columns. */
const AUDITED = {
  name: { columns: ['name'] },
  description: { columns: ['description'] },
  color: { columns: ['color'] },
  parent: { columns: ['parent'] },
}

export type ImportedTerm = Pick<TermRow, 'taxonomy' | 'name' | 'description' | 'slug' | 'parent'> & {
  standalone: boolean
}

/**
 * Prepares the write of an imported term, whose name need not be new. A term that has been public stays
 * public.
 *
 * @param id the id of a new term
 * @returns undefined if it is stored as its source has it
 */
export function prepareImportedTerm(
  { settings }: Pick<BaseContext, 'settings'>,
  id: number,
  values: ImportedTerm,
  stored: (ImportedTerm & { version: number }) | undefined,
): PreparedTerm | undefined {
  const { taxonomy, name, description, slug, parent, standalone } = values
  const term = { ...values, id, language: settings.website.language, parent: { id: parent } }
  if (!stored) return { ...newTerm(term), fields: [] }
  const columns = {
    ...(name !== stored.name && nameColumns(name)),
    ...(description !== stored.description && { description }),
    ...(standalone && !stored.standalone && { standalone }),
    ...(parent !== stored.parent && { parent }),
    ...(!isSlugOf(stored.slug, slug) && { slug: wantedSlugs(term).slug }),
  }
  if (Object.keys(columns).length === 0) return undefined
  return { taxonomy, stored: { ...stored, id }, columns, image: undefined, fields: [] }
}

/** Writes terms in one transaction. @returns the rows afterwards, in order */
export async function writeTerms(
  context: BaseContext,
  kind: TermKind,
  prepared: readonly TermOutcome[],
): Promise<TermRow[]> {
  const writtenTerms = prepared.flatMap(outcome => ('same' in outcome ? [] : [outcome]))
  const rows = numberRows(await withAuditedValues(context, writtenTerms))
  const ids = new Map(writtenTerms.map((term, i) => [term, rows[i]?.id]))
  return context.db.write(
    asOneChange(termStatements(context, rows)),
    selectWritten(
      context,
      { table: terms, select: (_, condition) => selectTerms(kind, condition) },
      prepared.map(outcome =>
        'same' in outcome ? outcome.same : requirePresent(ids.get(outcome), 'the id of a term'),
      ),
    ),
  )
}

/**
 * The writes of requests that create terms. Requests for one name in one place don't share a write, so that
 * the second finds the first.
 */
export const termWrites = (
  kind: TermKind,
): SharedWrites<{ body: TermValues }, NeededTerms, TermOutcome, TermRow> => ({
  isAlone: () => false,
  load: (context, requests) =>
    selectNeededTerms(
      context,
      kind,
      requests.map(({ body: values }) => ({ values })),
    ),
  usedNames: ({ body }) => [[`${body.parent ?? 0} ${nameKey(body.name ?? '')}`, body]],
  write: (context, prepared) => writeTerms(context, kind, prepared),
})

/** The statements that delete terms for good. Their children move up, each to the next parent that stays. */
export function termRemovalStatements(
  context: Origin,
  { singular }: TermKind,
  removedTerms: readonly Pick<TermRow, 'id' | 'version' | 'name' | 'parent'>[],
): Statement[] {
  const parents = new Map(removedTerms.map(({ id, parent }) => [id, parent]))
  const ids = [...parents.keys()]
  const stayingAncestor = (id: number): number => {
    const above = parents.get(id)
    return above === undefined ? id : stayingAncestor(above)
  }
  return [
    // These updates fail if a term was changed since it was read.
    ...rowUpdateStatements(
      terms,
      removedTerms.map(({ id, version }) => ({ id, version: version + 1 })),
    ),
    ...beforeDeletionStatements(singular, inList(ids)),
    build.delete(eventTerms).where(eventLinkToSql('term', inList(ids))),
    build.delete(seriesTerms).where(inArray(seriesTerms.target_id, inList(ids))),
    auditEntriesStatement(
      context,
      { action: 'update', kind: singular, fields: ['parent'] },
      sql`SELECT id FROM ${terms} WHERE ${terms.parent} IN ${inList(ids)} AND id NOT IN ${inList(ids)}`,
    ),
    ...jsonBatches(ids.map(id => ({ id, to: stayingAncestor(id) }))).map(
      json => sql`UPDATE ${terms} SET parent = ${inputValue('to')}, path = '', version = version + 1
        FROM json_each(${json}) AS input WHERE ${terms.parent} = ${inputValue('id')} AND ${terms.id} NOT IN ${inList(ids)}`,
    ),
    pathsStatement(eq(terms.path, '')),
    ...rowEntryStatements(
      context,
      singular,
      terms,
      removedTerms.map(({ id, name }) => ({
        id,
        action: 'delete',
        fields: [],
        changed: { name: [name, null] },
      })),
    ),
    build.delete(terms).where(inArray(terms.id, inList(ids))),
  ]
}
