import { type SQL, sql } from 'drizzle-orm'
import { inOrder, many, mapped, type Query } from '../db/query.ts'
import type { ValidationErrors } from '../lib/errors.ts'
import type { NamedTable, Singular } from './kind.ts'

/** An external id that a request gives, and the row that has it, if there is one. */
export type Claim = { parameter: string; singular: Singular; externalId: string; holder: number | undefined }

type Wanted = {
  /** The field to report. */
  parameter: string
  kind: { singular: Singular; table: NamedTable }
  externalId: string | undefined
  /** A condition for a row that may have it. */
  unless?: SQL | undefined
}

/** A query of the rows that have the external ids which a request gives. */
export const claimsOf = (wanted: readonly Wanted[]): Query<Claim[]> =>
  inOrder(
    wanted.flatMap(({ parameter, kind: { singular, table }, externalId, unless = sql`0` }) => {
      if (!externalId) return []
      const rows = many(
        // The condition of the index, so that it is used.
        sql`SELECT ${table.id} FROM ${table} WHERE ${table.external_id} = ${externalId}
          AND ${table.external_id} <> '' AND NOT (${unless})`,
        row => Number(row.id),
      )
      return [mapped(rows, ([holder]) => ({ parameter, singular, externalId, holder }))]
    }),
  )

/** A query of the row that has the external id of some fields. @param unless a condition for a row that may have it */
export const claimOf = (
  kind: Wanted['kind'],
  { external_id }: { external_id?: string | undefined },
  unless?: SQL,
): Query<Claim[]> => claimsOf([{ parameter: 'external_id', kind, externalId: external_id, unless }])

/** Adds an error for each external id that another row has. @param own the id of the row to be changed */
export function reportTaken(
  claims: readonly Claim[],
  own: number | undefined,
  errors: ValidationErrors,
): void {
  for (const { parameter, singular, externalId, holder } of claims)
    if (holder !== undefined && holder !== own)
      errors.add(parameter, `another ${singular} has the external id ${externalId}`)
}
