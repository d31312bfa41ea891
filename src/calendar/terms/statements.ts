import { eq, type SQL, sql } from 'drizzle-orm'
import type { WriteContext } from '../../kit/context.ts'
import { inputValue, jsonBatches, resolvedIds } from '../../kit/db/bulk.ts'
import { termAncestors } from '../../kit/db/derived.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { literal } from '../../kit/db/query.ts'
import { type Taxonomy, terms } from '../../kit/db/tables.ts'
import { namedSlug, numberedSlug, slugBase } from '../../kit/lib/slug.ts'
import { decodeEntities, fold } from '../../kit/lib/text.ts'
import { withoutUndefined } from '../../kit/lib/values.ts'
import { freeSlug } from '../content/slugs.ts'
import { slugReplacementStatements } from '../content/stored-filters.ts'
import {
  auditStatements,
  numberRows,
  type PreparedRow,
  rowStatements,
  type SlugRule,
} from '../content/writes.ts'
import { CATEGORIES, isReserved, kindOf, nameKey, TAGS } from './resource.ts'

export type PreparedTerm = PreparedRow<typeof terms> & {
  taxonomy: Taxonomy
  /**
   * The key of a name that no other term may have: below the parent or, without a parent, in the whole
   * taxonomy.
   */
  uniqueName?: { name_key: string; parent?: number } | undefined
}

/**
 * A term as it is named. The slug of a category's `parent`, if it is given, can become part of the new slug
 * when the wanted one is taken.
 */
type NamedTerm = {
  taxonomy: Taxonomy
  name: string
  language: string
  slug?: string | undefined
  parent?: { id: number; slug?: string | undefined } | undefined
}

type NewTerm = NamedTerm & {
  /**
   * The id of the term, if the caller knows a free id. Either all terms of a write have such ids, or none.
   */
  id?: number | undefined
  description?: string | undefined
  color?: string | undefined
  standalone?: boolean | undefined
}

export const nameColumns = (name: string) => ({
  name,
  name_key: nameKey(name),
  sort_name: fold(decodeEntities(name)),
})

/**
 * The slugs that a term may get: `slugOwner` is for a category below another, if the first slug is in use.
 */
export function wantedSlugs({ taxonomy, name, language, slug, parent }: NamedTerm) {
  const wantedSlug = slugBase({ slug, name, language, fallback: kindOf(taxonomy).singular })
  const base = isReserved(taxonomy, wantedSlug) ? numberedSlug(wantedSlug, 2) : wantedSlug
  return { slug: base, slugOwner: parent?.slug ? namedSlug(`${base}-${parent.slug}`) : undefined }
}

/** A new term. @param place where its name must be new; undefined if it need not be */
export function newTerm(term: NewTerm, place?: 'taxonomy' | 'parent'): PreparedTerm {
  const { id, taxonomy, name, slug: _, description, color, parent, standalone = place !== 'taxonomy' } = term
  const { slug, slugOwner } = wantedSlugs(term)
  const parentId = parent?.id ?? 0
  const fields = { name, slug: term.slug, description, color, parent }
  return {
    id,
    taxonomy,
    slugOwner,
    image: undefined,
    columns: {
      taxonomy,
      parent: parentId,
      ...nameColumns(name),
      description,
      color,
      slug,
      path: '',
      standalone,
    },
    fields: Object.keys(withoutUndefined(fields)),
    uniqueName: place && { name_key: nameKey(name), ...(place === 'parent' && { parent: parentId }) },
  }
}

/** The new terms that events or sources name, each once: the first spelling of a name counts. */
export const namedTerms = (
  { settings }: WriteContext,
  { names, ...term }: { taxonomy: Taxonomy; names: readonly string[]; standalone?: boolean },
): PreparedTerm[] =>
  [...Map.groupBy(names, nameKey).values()].flatMap(([name]) =>
    name === undefined ? [] : [newTerm({ ...term, name, language: settings.website.language }, 'taxonomy')],
  )

/**
 * The slug of a term: the wanted one. If it is taken, a category below another gets the wanted slug with its
 * parent's (recorded: "Art" below "Music" is `art-music`), and then a number.
 */
const slugRule =
  (taxonomy: Taxonomy): SlugRule =>
  ({ wanted, rank, owner, except }) => {
    const scope = eq(terms.taxonomy, literal(taxonomy))
    const takenSql = sql`EXISTS (SELECT 1 FROM ${terms} WHERE ${scope} AND slug = ${wanted}
    ${except === undefined ? sql`` : sql`AND id <> ${except}`})`
    const base = sql`iif(${owner} <> '' AND ${takenSql}, ${owner}, ${wanted})`
    return freeSlug(terms, base, { scope, except, rank })
  }

/** The statements that fail as a conflict if another term has got a name that must be new. */
const nameConflictStatements = (rows: readonly (PreparedTerm & { id: number })[]): SQL[] =>
  jsonBatches(
    rows.flatMap(({ id, taxonomy, uniqueName }) => (uniqueName ? [{ id, taxonomy, ...uniqueName }] : [])),
  ).map(json =>
    conflictIf(sql`EXISTS (SELECT 1 FROM json_each(${json}) AS input CROSS JOIN ${terms}
      ON ${terms.taxonomy} = ${inputValue('taxonomy')} AND ${terms.name_key} = ${inputValue('name_key')}
      WHERE ${terms.parent} = coalesce(${inputValue('parent')}, ${terms.parent}) AND ${terms.id} <> ${inputValue('id')})`),
  )

/**
 * The statements that write terms. Where names must be new, no two terms have the same. New terms come in the
 * order of their taxonomies.
 */
export function termStatements(context: WriteContext, prepared: readonly PreparedTerm[]): SQL[] {
  const kinds = [CATEGORIES, TAGS].map(kind => ({ ...kind, table: terms }))
  const isOfTaxonomy = (taxonomy: Taxonomy) => (term: PreparedTerm) => term.taxonomy === taxonomy
  const rows = numberRows(kinds.flatMap(({ taxonomy }) => prepared.filter(isOfTaxonomy(taxonomy))))
  const movedTerms = rows.filter(
    ({ stored, columns }) => !stored || columns.slug !== undefined || columns.parent !== undefined,
  )
  return [
    ...nameConflictStatements(rows),
    ...kinds.flatMap(resource =>
      rowStatements(
        context,
        { resource, slugRule: slugRule(resource.taxonomy) },
        rows.filter(isOfTaxonomy(resource.taxonomy)),
      ),
    ),
    ...kinds.flatMap(kind => auditStatements(context, kind, rows.filter(isOfTaxonomy(kind.taxonomy)))),
    ...kinds.flatMap(({ taxonomy }) =>
      slugReplacementStatements(taxonomy, rows.filter(isOfTaxonomy(taxonomy)).flatMap(formerSlug)),
    ),
    ...(movedTerms.length > 0 ? [writtenPathsStatement(movedTerms.map(({ id }) => id))] : []),
  ]
}

/** The slug that a term had, if it may get another. */
const formerSlug = ({ stored, columns }: PreparedTerm) =>
  typeof stored?.slug === 'string' && columns.slug !== undefined ? [{ id: stored.id, slug: stored.slug }] : []

/** The statement that recomputes the paths of terms that were written, and of all below them. */
function writtenPathsStatement(ids: readonly number[]): SQL {
  const writtenIds = resolvedIds(terms, ids)
  // Starts only from terms that are not below another written one, because a large calendar writes a hundred
  // thousand.
  return pathsStatement(sql`${terms.id} IN ${writtenIds} AND NOT EXISTS (SELECT 1 FROM ${termAncestors}
    WHERE term_id = ${terms.id} AND ancestor_id <> ${terms.id} AND ancestor_id IN ${writtenIds})`)
}

/**
 * The statement that recomputes the paths of some terms and of all below them.
 * @param rootsSql a condition
 */
export const pathsStatement = (rootsSql: SQL): SQL => sql`
  WITH RECURSIVE tree(id, path) AS (
    SELECT ${terms.id}, coalesce(parents.path || '/', '') || ${terms.slug}
    FROM ${terms} LEFT JOIN ${terms} AS parents ON parents.id = ${terms.parent} WHERE ${rootsSql}
    UNION ALL
    SELECT children.id, tree.path || '/' || children.slug
    FROM tree CROSS JOIN ${terms} AS children ON children.parent = tree.id
  )
  UPDATE ${terms} SET path = tree.path FROM tree WHERE ${terms.id} = tree.id`
