import { type SQL, sql } from 'drizzle-orm'
import { type Origin, recordInsert } from '../db/audit.ts'
import { type Taxonomy, terms } from '../db/schema.ts'
import { freeSlugSql } from '../db/slugs.ts'
import { type ColumnValues, insertInto } from '../db/statements.ts'
import { numberedSlug, slugify } from '../lib/slug.ts'
import { fold } from '../lib/text.ts'
import { kindOf } from './kind.ts'
import { isReserved, nameKey } from './names.ts'

type NewTerm = {
  taxonomy: Taxonomy
  name: string
  description?: string | undefined
  slug?: string | undefined
  parent?: { id: number; slug: string } | undefined
}

const inTaxonomy = (taxonomy: Taxonomy): SQL => sql`${terms.taxonomy} = ${taxonomy}`

/** The columns that depend on the name. */
export const nameColumns = (name: string) => ({ name, name_key: nameKey(name), sort_name: fold(name) })

/**
 * An expression of a term's slug: the given one, or one made from the name, with a number if it is reserved. If it is taken, that of a child category gets
 * its parent's slug appended (recorded: "Art" below "Music" is `art-music`), and then a number.
 */
export function termSlug({ taxonomy, name, slug, parent }: NewTerm, except?: number): SQL {
  const scope = inTaxonomy(taxonomy)
  const options = { scope, ...(except !== undefined && { except }) }
  const wanted = slug || slugify(name) || kindOf(taxonomy).singular
  const base = isReserved(taxonomy, wanted) ? numberedSlug(wanted, 2) : wanted
  if (!parent) return freeSlugSql(terms, base, options)
  const taken = sql`EXISTS (SELECT 1 FROM ${terms} WHERE ${scope} AND slug = ${base} ${except === undefined ? sql`` : sql`AND id <> ${except}`})`
  return sql`CASE WHEN ${taken} THEN ${freeSlugSql(terms, slugify(`${base}-${parent.slug}`), options)} ELSE ${base} END`
}

/**
 * The statements that insert a term, unless a SELECT finds one that has its name: for events anywhere in the taxonomy,
 * for a new category below the same parent.
 *
 * @param taken the SELECT
 */
export function insertTerm(
  term: NewTerm,
  taken: SQL,
  origin: Origin,
): { insert: SQL; record: SQL; refresh: SQL } {
  const row: ColumnValues<typeof terms> = {
    taxonomy: term.taxonomy,
    parent: term.parent?.id ?? 0,
    ...nameColumns(term.name),
    description: term.description ?? '',
    slug: termSlug(term),
    path: '',
  }
  return {
    insert: insertInto(terms, row, sql`NOT EXISTS (${taken})`),
    record: recordInsert(origin, kindOf(term.taxonomy).singular, namedFields(term)),
    // Ids only grow: if the term was made, it is the last one.
    refresh: refreshPaths(sql`${terms.id} = (SELECT max(id) FROM ${terms})`),
  }
}

const namedFields = ({ taxonomy, ...fields }: NewTerm): string[] =>
  Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]))

/** A SELECT of the id of the oldest term with a name. */
export const termByName = (taxonomy: Taxonomy, name: string): SQL =>
  sql`SELECT min(id) FROM ${terms} WHERE taxonomy = ${taxonomy} AND name_key = ${nameKey(name)}`

/** The statements that insert a term with a name, unless one exists. */
export function insertTermNamed(taxonomy: Taxonomy, name: string, origin: Origin): SQL[] {
  const taken = sql`${termByName(taxonomy, name)} HAVING min(id) IS NOT NULL`
  const { insert, record, refresh } = insertTerm({ taxonomy, name }, taken, origin)
  return [insert, record, refresh]
}

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
