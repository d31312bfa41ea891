import { type SQL, sql } from 'drizzle-orm'
import { type Claim, claimsOf, reportTaken } from '../../content/external-ids.ts'
import type { RelatedTables } from '../../content/related/kind.ts'
import { findOrInsert } from '../../content/related/writes.ts'
import { isReadable } from '../../content/visibility.ts'
import type { RequestContext } from '../../context.ts'
import { inList, many, mapped, type Query } from '../../db/query.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import type { LinkChoice } from './choices.ts'
import { type Owner, ownerColumn } from './owner.ts'

/** A query of the ids among some choices that exist and that the caller may read. */
export const knownIds = (
  context: RequestContext,
  { table }: RelatedTables,
  choices: readonly LinkChoice[],
): Query<number[]> =>
  many(
    sql`SELECT id FROM ${table} WHERE ${isReadable(table, context)}
      AND id IN ${inList(choices.flatMap(({ id }) => (id === undefined ? [] : [id])))}`,
    row => Number(row.id),
  )

/** Adds an error for unknown ids without values of a new one. */
export function reportUnknownIds(
  { singular }: RelatedTables,
  choices: readonly LinkChoice[],
  known: readonly number[],
  errors: ValidationErrors,
): void {
  const missing = choices.filter(({ id, values }) => id !== undefined && !values && !known.includes(id))
  if (missing.length > 0)
    errors.add(singular, `there is no ${singular} ${missing.map(({ id }) => id).join(', ')}`)
}

/** A query of the rows that have the external ids of new ones, and that the caller may not read. Others become related. */
export const nestedClaims = (
  context: RequestContext,
  kind: RelatedTables,
  choices: readonly LinkChoice[] = [],
): Query<NestedClaim[]> =>
  mapped(
    claimsOf(
      choices.map(({ values }) => ({
        parameter: kind.singular,
        kind,
        externalId: values?.external_id,
        unless: isReadable(kind.table, context),
      })),
    ),
    claims => {
      const ids = choices.flatMap(({ id, values }) => (values?.external_id ? [id] : []))
      return claims.map((claim, i) => ({ ...claim, id: ids[i] }))
    },
  )

/** An external id of a new venue or organizer, with the id that counts instead if it is known. */
export type NestedClaim = Claim & { id: number | undefined }

/** Adds an error for external ids that are taken, unless a known id stands beside them. */
export const reportNested = (
  claims: readonly NestedClaim[],
  known: readonly number[],
  errors: ValidationErrors,
): void =>
  reportTaken(
    claims.filter(({ id }) => id === undefined || !known.includes(id)),
    undefined,
    errors,
  )

/** The statement that deletes all links of an owner to one kind. */
export const removeLinks = (kind: RelatedTables, owner: Owner): SQL =>
  sql`DELETE FROM ${linksOf(kind, owner)} WHERE ${ownerColumn(owner)} = ${owner.id}`

const linksOf = ({ links, seriesLinks }: RelatedTables, owner: Owner) =>
  owner.kind === 'event' ? links : seriesLinks

type Linking = {
  kind: RelatedTables
  owner: Owner
  choices: readonly LinkChoice[]
  /** Ids that exist. */
  known: readonly number[]
}

/** The statements that link an owner to venues or organizers, in their order, after creating new ones. */
export function addLinks(context: RequestContext, { kind, owner, choices, known }: Linking): SQL[] {
  const targets = choices.map(({ id, values }) =>
    id !== undefined && known.includes(id)
      ? { insert: [], id }
      : findOrInsert(context, { kind, values: values ?? {}, byExternalId: true }),
  )
  const existing = targets.flatMap(({ id }, position) => (typeof id === 'number' ? [[id, position]] : []))
  const link = (rows: SQL) =>
    sql`INSERT INTO ${linksOf(kind, owner)} (${ownerColumn(owner)}, target_id, position) ${rows}
      ON CONFLICT DO NOTHING`
  return [
    ...(existing.length === 0
      ? []
      : [
          link(
            sql`SELECT ${owner.id}, value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(existing)}) WHERE true`,
          ),
        ]),
    // Each gets its link before the next is made.
    ...targets.flatMap(({ insert, id }, position) =>
      typeof id === 'number' ? [] : [...insert, link(sql`VALUES (${owner.id}, ${id}, ${position})`)],
    ),
  ]
}
