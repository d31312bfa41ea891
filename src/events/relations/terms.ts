import { sql } from 'drizzle-orm'
import { inList, many, mapped, type Query, settled } from '../../db/query.ts'
import { type Taxonomy, terms } from '../../db/schema.ts'
import { ApiError, type ValidationErrors } from '../../lib/errors.ts'
import { type Caller, may } from '../../lib/roles.ts'
import { nameKey } from '../../terms/names.ts'
import type { TermChoice } from './choices.ts'

/** The terms that choices may mean: by id, by the key of their name and by slug. Of several the oldest counts. */
export type FoundTerms = {
  ids: ReadonlySet<number>
  names: ReadonlyMap<string, number>
  slugs: ReadonlyMap<string, number>
}

/** The terms of an event: existing ones by id, new ones by name. */
export type ResolvedTerms = { ids: number[]; names: string[] }

/** A query of the terms that choices may mean. */
export function selectTermsNamed(taxonomy: Taxonomy, choices: readonly TermChoice[]): Query<FoundTerms> {
  if (choices.length === 0) return settled({ ids: new Set(), names: new Map(), slugs: new Map() })
  const ids = choices.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const names = choices.flatMap(({ name }) => (name === undefined ? [] : [nameKey(name)]))
  const slugs = choices.flatMap(({ slug }) => (slug === undefined ? [] : [slug.toLowerCase()]))
  const rows = many(
    sql`SELECT id, name_key, slug FROM ${terms} WHERE taxonomy = ${taxonomy}
      AND (id IN ${inList(ids)} OR name_key IN ${inList(names)} OR slug IN ${inList([...slugs, ...names])})
      ORDER BY id DESC`,
    row => ({ id: Number(row.id), name_key: String(row.name_key), slug: String(row.slug) }),
  )
  return mapped(rows, found => ({
    ids: new Set(found.map(({ id }) => id)),
    names: new Map(found.map(({ name_key, id }) => [name_key, id])),
    slugs: new Map(found.map(({ slug, id }) => [slug, id])),
  }))
}

/**
 * Finds the term of each choice: by id, else by name in any case, else by slug. Otherwise the name is new.
 *
 * @param parameter `categories` or `tags`, for the error of an unknown id
 */
export function resolveTerms(
  parameter: string,
  choices: readonly TermChoice[],
  found: FoundTerms,
  errors: ValidationErrors,
): ResolvedTerms {
  const resolved: ResolvedTerms = { ids: [], names: [] }
  for (const choice of choices) {
    const known = termOf(choice, found)
    if (known !== undefined) resolved.ids.push(known)
    else if (choice.creatable && choice.name !== undefined) resolved.names.push(choice.name)
    else errors.add(parameter, `there is no term ${choice.id ?? choice.slug}`)
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
  if (resolved.every(terms => !terms || terms.names.length === 0) || may(caller, 'create_terms')) return
  throw new ApiError(
    'rest_forbidden',
    `The role ${caller.role} may use categories and tags that exist, but not create any.`,
  )
}
