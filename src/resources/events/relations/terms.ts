import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { inList, many, mapped, type Query, settled } from '../../../db/query.ts'
import { type Taxonomy, terms } from '../../../db/schema.ts'
import { ApiError, type ValidationErrors } from '../../../lib/errors.ts'
import { type Caller, may } from '../../../lib/roles.ts'
import { nameKey } from '../../terms/kind.ts'
import { isTermReadable } from '../../terms/queries.ts'
import type { TermChoice } from './choices.ts'

/**
 * The terms that choices may mean: by id, by the key of their name and by slug. Of several the oldest counts. `hidden` are
 * those, by the key of their name, that the caller may not know of, and may make.
 */
export type FoundTerms = {
  ids: ReadonlySet<number>
  names: ReadonlyMap<string, number>
  slugs: ReadonlyMap<string, number>
  hidden: ReadonlyMap<string, number>
}

/** The terms of an event: existing ones by id, new ones by name. `makes` tells if there are any that are new to the caller. */
export type ResolvedTerms = { ids: number[]; names: string[]; makes: boolean }

/** A SELECT of the ids of terms that have one of some texts in a column. */
const idsBy = (column: SQL, taxonomy: Taxonomy, texts: readonly string[]): SQL =>
  sql`SELECT id FROM ${terms} WHERE taxonomy = ${taxonomy} AND ${column} IN ${inList(texts)}`

/** A query of the terms that choices may mean. */
export function selectTermsNamed(
  context: RequestContext,
  taxonomy: Taxonomy,
  choices: readonly TermChoice[],
): Query<FoundTerms> {
  if (choices.length === 0)
    return settled({ ids: new Set(), names: new Map(), slugs: new Map(), hidden: new Map() })
  const ids = choices.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const names = choices.flatMap(({ name }) => (name === undefined ? [] : [nameKey(name)]))
  const slugs = choices.flatMap(({ slug }) => (slug === undefined ? [] : [slug.toLowerCase()]))
  // Each by its own index: of conditions joined with OR, SQLite reads all terms.
  const found = [
    ...(ids.length > 0 ? [sql`SELECT value FROM ${inList(ids)}`] : []),
    ...(names.length > 0 ? [idsBy(sql`name_key`, taxonomy, names)] : []),
    ...(slugs.length + names.length > 0 ? [idsBy(sql`slug`, taxonomy, [...slugs, ...names])] : []),
  ]
  const rows = many(
    sql`SELECT id, name_key, slug, ${isTermReadable(context)} AS is_readable FROM ${terms} WHERE +taxonomy = ${taxonomy}
      AND id IN (${sql.join(found, sql` UNION ALL `)}) ORDER BY id DESC`,
    row => ({
      id: Number(row.id),
      name_key: String(row.name_key),
      slug: String(row.slug),
      isReadable: row.is_readable === 1,
    }),
  )
  return mapped(rows, all => {
    const found = all.filter(({ isReadable }) => isReadable)
    const hidden = all.filter(({ isReadable }) => !isReadable)
    return {
      ids: new Set(found.map(({ id }) => id)),
      names: new Map(found.map(({ name_key, id }) => [name_key, id])),
      slugs: new Map(found.map(({ slug, id }) => [slug, id])),
      hidden: new Map(hidden.map(({ name_key, id }) => [name_key, id])),
    }
  })
}

/**
 * Finds the term of each choice: by id, else by name in any case, else by slug. Otherwise the name is new, or is taken for
 * new by a caller who may not know of its term.
 *
 * @param parameter `categories` or `tags`, for the error of an unknown id
 */
export function resolveTerms(
  parameter: string,
  choices: readonly TermChoice[],
  found: FoundTerms,
  errors: ValidationErrors,
): ResolvedTerms {
  const resolved: ResolvedTerms = { ids: [], names: [], makes: false }
  for (const choice of choices) {
    const known = termOf(choice, found)
    if (known !== undefined) resolved.ids.push(known)
    else if (choice.creatable && choice.name !== undefined) {
      const hidden = found.hidden.get(nameKey(choice.name))
      if (hidden === undefined) resolved.names.push(choice.name)
      else resolved.ids.push(hidden)
      resolved.makes = true
    } else errors.add(parameter, `there is no term ${choice.id ?? choice.slug}`)
  }
  return resolved
}

function termOf({ id, name, slug }: TermChoice, found: FoundTerms): number | undefined {
  if (id !== undefined && found.ids.has(id)) return id
  const key = name === undefined ? undefined : nameKey(name)
  const named = key === undefined ? undefined : found.names.get(key)
  return named ?? found.slugs.get(slug?.toLowerCase() ?? key ?? '')
}

/** Checks that the caller may create the new terms. @throws ApiError `rest_forbidden` */
export function assertNewTerms(resolved: readonly (ResolvedTerms | undefined)[], caller: Caller): void {
  if (resolved.every(terms => !terms?.makes) || may(caller, 'create_terms')) return
  throw new ApiError(
    'rest_forbidden',
    `The role ${caller.role} may use categories and tags that exist, but not create any.`,
  )
}
