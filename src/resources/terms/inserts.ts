import { eq, type SQL, sql } from 'drizzle-orm'
import { type Origin, recordRows } from '../../db/audit.ts'
import { given, insertRows, jsonPieces, newNumber, resolvedId } from '../../db/bulk.ts'
import { conflictIf } from '../../db/conflicts.ts'
import { termAncestors } from '../../db/derived.ts'
import { type Taxonomy, terms } from '../../db/schema.ts'
import { freeSlugSql } from '../../db/slugs.ts'
import { numberedSlug, slugify } from '../../lib/slug.ts'
import { fold } from '../../lib/text.ts'
import { inWaves } from '../content/publication.ts'
import { CATEGORIES, isReserved, kindOf, nameKey, TAGS } from './resource.ts'

/** A new term. The slug of a category's `parent`, if it is given, can become part of the new slug when the wanted one is taken. */
export type NewTerm = {
  /** The id that it gets, if the caller knows a free one. Either all terms of a write have such ids, or none. */
  id?: number | undefined
  version?: number | undefined
  taxonomy: Taxonomy
  name: string
  description?: string | undefined
  slug?: string | undefined
  parent?: { id: number; slug?: string | undefined } | undefined
  standalone?: boolean | undefined
  /** The names of fields for the audit; by default those that it has. */
  fields?: readonly string[]
}

/** The columns that depend on the name. */
export const nameColumns = (name: string) => ({ name, name_key: nameKey(name), sort_name: fold(name) })

/**
 * The slugs that a term may get: the second is that of a category below another. With a rank, they are the column for
 * {@link termSlug}.
 */
export function wantedSlugs({ taxonomy, name, slug, parent }: NewTerm): [string, string | null] {
  const wanted = slug || slugify(name) || kindOf(taxonomy).singular
  const base = isReserved(taxonomy, wanted) ? numberedSlug(wanted, 2) : wanted
  return [base, parent?.slug ? slugify(`${base}-${parent.slug}`) : null]
}

/**
 * An expression for the slug of a given term: the wanted one. If it is taken, a category below another gets the wanted
 * slug with its parent's (recorded: "Art" below "Music" is `art-music`), and then a number.
 */
export function termSlug(taxonomy: SQL, except?: SQL): SQL {
  const wanted = (n: number) => sql`(given.value ->> ${sql.raw(`'$.slug[${n}]'`)})`
  const scope = eq(terms.taxonomy, taxonomy)
  const taken = sql`EXISTS (SELECT 1 FROM ${terms} WHERE ${scope} AND slug = ${wanted(0)}
    ${except === undefined ? sql`` : sql`AND id <> ${except}`})`
  return freeSlugSql(terms, sql`iif(${wanted(1)} IS NOT NULL AND ${taken}, ${wanted(1)}, ${wanted(0)})`, {
    scope,
    except,
    rank: wanted(2),
  })
}

const COMPUTED = { slug: () => termSlug(given('taxonomy')) }

/** The place where the name of a new term must be new: its whole taxonomy if events name it, else below its parent. */
type Place = 'taxonomy' | 'parent'

/** A condition for terms that have the name of a given one in the same place. */
const isNamesake = (place: Place): SQL =>
  sql`${terms.taxonomy} = ${given('taxonomy')} AND ${terms.name_key} = ${given('name_key')}
    ${place === 'parent' ? sql`AND ${terms.parent} = ${given('parent')}` : sql``}`

/**
 * The statements that insert terms, of which no two have the same name in the same place. They fail as a conflict if
 * there is such a term by now.
 *
 * @param place where names must be new; undefined if they need not be
 */
export function insertTerms(origin: Origin, added: readonly NewTerm[], place: Place | undefined): SQL[] {
  if (added.length === 0) return []
  const rows = added.map((term, position) => ({
    id: term.id ?? newNumber(position, added.length),
    version: term.version,
    taxonomy: term.taxonomy,
    parent: term.parent?.id ?? 0,
    ...nameColumns(term.name),
    description: term.description,
    slug: wantedSlugs(term),
    path: '',
    standalone: term.standalone ?? place !== 'taxonomy',
    fields: term.fields ?? namedFields(term),
  }))
  const namesake = place && isNamesake(place)
  const audited = (kind: typeof CATEGORIES | typeof TAGS) =>
    recordRows(
      origin,
      kind.singular,
      terms,
      rows
        .filter(({ taxonomy }) => taxonomy === kind.taxonomy)
        .map(({ id, fields }) => ({ id, action: 'create', fields })),
    )
  return [
    ...(namesake ? jsonPieces(rows) : []).map(json =>
      conflictIf(sql`EXISTS (SELECT 1 FROM json_each(${json}) AS given CROSS JOIN ${terms} ON ${namesake})`),
    ),
    ...inWaves(rows, ({ taxonomy, slug }) => `${taxonomy}/${slug[0]}`).flatMap(wave =>
      insertRows(
        terms,
        wave.map(({ row: { id, slug, ...row }, rank }) => ({
          ...row,
          ...(id > 0 && { id }),
          slug: [...slug, rank],
        })),
        COMPUTED,
      ),
    ),
    ...audited(CATEGORIES),
    ...audited(TAGS),
    refreshWritten(rows.map(({ id }) => id)),
  ]
}

/** The statement that recomputes the paths of terms that were written, and of all below them. @see resolvedId */
export function refreshWritten(ids: readonly number[]): SQL {
  const written = sql`(SELECT ${resolvedId(terms, sql`value`)} FROM json_each(${JSON.stringify(ids)}))`
  // Starts only from terms that are not below another written one, because a large calendar writes a hundred thousand.
  return refreshPaths(sql`${terms.id} IN ${written} AND NOT EXISTS (SELECT 1 FROM ${termAncestors}
    WHERE term_id = ${terms.id} AND ancestor_id <> ${terms.id} AND ancestor_id IN ${written})`)
}

const namedFields = ({
  id: _id,
  version: _version,
  standalone: _standalone,
  taxonomy: _,
  ...fields
}: NewTerm): string[] =>
  Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]))

/** The statement that recomputes the paths of some terms and of all below them. @param roots a condition */
export const refreshPaths = (roots: SQL): SQL => sql`
  WITH RECURSIVE tree(id, path) AS (
    SELECT ${terms.id}, coalesce(parents.path || '/', '') || ${terms.slug}
    FROM ${terms} LEFT JOIN ${terms} AS parents ON parents.id = ${terms.parent} WHERE ${roots}
    UNION ALL
    SELECT children.id, tree.path || '/' || children.slug
    FROM tree CROSS JOIN ${terms} AS children ON children.parent = tree.id
  )
  UPDATE ${terms} SET path = tree.path FROM tree WHERE ${terms.id} = tree.id`
