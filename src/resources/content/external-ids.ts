import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { inList, many, mapped, type Query, settled } from '../../db/query.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import type { NamedTable, Singular } from './kind.ts'
import { isReadable } from './visibility.ts'

/** The rows that have external ids, by these. */
export type Holders = ReadonlyMap<string, { id: number; isReadable: boolean }>

type Named = { external_id?: string | undefined }

/** A query of the rows that have the external ids which some values name. */
export function selectHolders(
  context: RequestContext,
  { table }: { table: NamedTable },
  values: readonly Named[],
): Query<Holders> {
  const ids = values.flatMap(({ external_id: id }) => (id ? [id] : []))
  if (ids.length === 0) return settled(new Map())
  return mapped(
    many(
      // The condition of the index as well, so that it is used.
      sql`SELECT ${table.external_id} AS external_id, ${table.id} AS id, ${isReadable(table, context)} AS readable
        FROM ${table} WHERE ${table.external_id} IN ${inList(ids)} AND ${table.external_id} <> ''`,
      row => [String(row.external_id), { id: Number(row.id), isReadable: row.readable === 1 }] as const,
    ),
    holders => new Map(holders),
  )
}

/** The reason against an external id that another row has: not that it has it, which may be hidden. */
export const notFree = ({ singular }: { singular: Singular }, id: string): string =>
  `${id} cannot be the external id of this ${singular}: choose another`

/** Adds an error if another row has the external id. @param own the id of the row to be changed, or of one that is taken */
export function reportTaken(
  { singular }: { singular: Singular },
  { external_id: id = '' }: Named,
  { holders, own }: { holders: Holders; own: number | undefined },
  errors: ValidationErrors,
  parameter = 'external_id',
): void {
  const holder = holders.get(id)
  if (holder && holder.id !== own) errors.add(parameter, notFree({ singular }, id))
}
