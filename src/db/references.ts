import { type SQL, sql } from 'drizzle-orm'
import type { ValidationErrors } from '../lib/errors.ts'
import { inOrder, many, mapped, type Query } from './query.ts'

/** Values of a parameter that must name existing rows. */
export type Reference = {
  parameter: string
  values: readonly (string | number)[]
  /** A condition that is true if `json_each.value`, one of the values, names an existing row. */
  exists: SQL
  /** The name of the kind of row, for error messages: `venue`, `category`. */
  noun: string
}

/** A reference by id to rows of a table that fulfil a condition. */
export const byId = (
  parameter: string,
  noun: string,
  ids: readonly number[],
  table: SQL,
  condition: SQL = sql`1`,
): Reference => ({
  parameter,
  noun,
  values: ids,
  exists: sql`EXISTS (SELECT 1 FROM ${table} WHERE id = json_each.value AND ${condition})`,
})

/** A reference and its unknown values. */
export type UnknownValues = { reference: Reference; values: string[] }

/** A query of the unknown values of each reference. */
export const unknownValues = (references: readonly Reference[]): Query<UnknownValues[]> =>
  inOrder(
    references.map(reference =>
      mapped(
        many(
          sql`SELECT value FROM json_each(${JSON.stringify(reference.values)}) WHERE NOT ${reference.exists}`,
          row => String(row.value),
        ),
        values => ({ reference, values }),
      ),
    ),
  )

const SHOWN = 10

/** Adds an error for each reference with unknown values. */
export function reportUnknown(errors: ValidationErrors, unknown: readonly UnknownValues[]): void {
  for (const { reference, values } of unknown)
    if (values.length > 0)
      errors.add(reference.parameter, `there is no ${reference.noun} ${values.slice(0, SHOWN).join(', ')}`)
}
