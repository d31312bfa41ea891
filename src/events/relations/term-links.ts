import { type SQL, sql } from 'drizzle-orm'
import type { Origin } from '../../db/audit.ts'
import { inList, many, type Query } from '../../db/query.ts'
import { eventTerms, seriesTerms, type Taxonomy, terms } from '../../db/schema.ts'
import { ApiError, type ValidationErrors } from '../../lib/errors.ts'
import { type Caller, may } from '../../lib/roles.ts'
import { insertTermNamed, termByName } from '../../terms/inserts.ts'
import { nameKey } from '../../terms/names.ts'
import type { TermChoice } from './choices.ts'
import { type Owner, ownerColumn } from './owner.ts'

export type Candidate = { id: number; name_key: string; slug: string }

/** The resolved terms of an event: existing ones by id, new ones by name. */
export type ResolvedTerms = { ids: number[]; names: string[] }

/** A query of the terms that choices may mean. */
export const candidateTerms = (taxonomy: Taxonomy, choices: readonly TermChoice[]): Query<Candidate[]> => {
  const ids = choices.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const names = choices.flatMap(({ name }) => (name === undefined ? [] : [nameKey(name)]))
  const slugs = choices.flatMap(({ slug }) => (slug === undefined ? [] : [slug.toLowerCase()]))
  return many(
    sql`SELECT id, name_key, slug FROM ${terms} WHERE taxonomy = ${taxonomy}
      AND (id IN ${inList(ids)} OR name_key IN ${inList(names)} OR slug IN ${inList([...slugs, ...names])})
      ORDER BY id`,
    row => ({ id: Number(row.id), name_key: String(row.name_key), slug: String(row.slug) }),
  )
}

/**
 * Finds the candidate of each choice: by id, else by name in any case, else by slug. Otherwise the name is new.
 *
 * @param parameter `categories` or `tags`, for the error of an unknown id
 */
export function resolveTerms(
  parameter: string,
  choices: readonly TermChoice[],
  candidates: readonly Candidate[],
  errors: ValidationErrors,
): ResolvedTerms {
  const resolved: ResolvedTerms = { ids: [], names: [] }
  for (const choice of choices) {
    const known = find(choice, candidates)
    if (known) resolved.ids.push(known.id)
    else if (choice.creatable && choice.name !== undefined) resolved.names.push(choice.name)
    else errors.add(parameter, `there is no term ${choice.id ?? choice.slug}`)
  }
  return resolved
}

function find({ id, name, slug }: TermChoice, candidates: readonly Candidate[]): Candidate | undefined {
  const key = name === undefined ? undefined : nameKey(name)
  return (
    candidates.find(term => term.id === id) ??
    candidates.find(term => term.name_key === key) ??
    candidates.find(term => term.slug === (slug?.toLowerCase() ?? key))
  )
}

/** Checks that the caller may create the new terms. @throws ApiError `rest_forbidden` */
export function assertNewTerms(resolved: readonly ResolvedTerms[], caller: Caller): void {
  if (resolved.every(({ names }) => names.length === 0) || may(caller, 'create_terms')) return
  throw new ApiError(
    'rest_forbidden',
    `The role ${caller.role} may use categories and tags that exist, but not create any.`,
  )
}

const LINKS = { event: eventTerms, series: seriesTerms } as const

/** The statement that deletes all links of an owner to terms of a taxonomy. */
export const removeTerms = (taxonomy: Taxonomy, owner: Owner): SQL =>
  sql`DELETE FROM ${LINKS[owner.kind]} WHERE ${ownerColumn(owner)} = ${owner.id}
    AND target_id IN (SELECT id FROM ${terms} WHERE taxonomy = ${taxonomy})`

/** The statements that link an owner to terms, after creating new ones. */
export const addTerms = (
  taxonomy: Taxonomy,
  owner: Owner,
  { ids, names }: ResolvedTerms,
  origin: Origin,
): SQL[] => {
  const link = (rows: SQL) =>
    sql`INSERT INTO ${LINKS[owner.kind]} (${ownerColumn(owner)}, target_id) ${rows} ON CONFLICT DO NOTHING`
  return [
    ...names.flatMap(name => insertTermNamed(taxonomy, name, origin)),
    ...(ids.length === 0
      ? []
      : [link(sql`SELECT ${owner.id}, value FROM json_each(${JSON.stringify(ids)}) WHERE true`)]),
    ...names.map(name => link(sql`VALUES (${owner.id}, (${termByName(taxonomy, name)}))`)),
  ]
}
