import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { ApiError, type ValidationErrors } from '../lib/errors.ts'
import { codedReason } from '../lib/reasons.ts'
import { storedJson } from '../lib/values.ts'
import { combineQueries, eachOf, many, mapQuery, type Query, readText, resolvedQuery } from './query.ts'

/** Values of a parameter that must name existing rows. */
export type Reference = {
  parameter: string
  values: readonly (string | number)[]
  /** A condition that is true if `json_each.value`, which is one of the values, names an existing row. */
  existsSql: SQL
  /**
   * An expression for the id of the row into which the row of `json_each.value` was merged; null if there is
   * none.
   */
  survivor?: SQL
  /** What to call such a row in error messages: `venue`, `category`. */
  noun: string
}

/** A reference by id to rows of a table that meet a condition. */
export const byId = (
  parameter: string,
  noun: string,
  ids: readonly number[],
  table: SQLWrapper,
  condition: SQL = sql`1`,
): Reference => ({
  parameter,
  noun,
  values: ids,
  existsSql: sql`EXISTS (SELECT 1 FROM ${table} WHERE id = json_each.value AND ${condition})`,
})

/** A reference and its unknown values, each with the id of the row that it was merged into. */
export type UnknownValues = {
  reference: Reference
  values: { value: string; survivor: number | undefined }[]
}

export const selectUnknownValues = (references: readonly Reference[]): Query<UnknownValues[]> =>
  combineQueries(
    references.map(reference =>
      mapQuery(
        many(
          sql`SELECT value, ${reference.survivor ?? sql`NULL`} AS survivor
            FROM ${eachOf(reference.values)} WHERE NOT ${reference.existsSql}`,
          ({ value, survivor }) => ({
            value: String(value),
            survivor: survivor === null ? undefined : Number(survivor),
          }),
        ),
        values => ({ reference, values }),
      ),
    ),
  )

/** A query for the parameters with unknown values, and these values. It is a single statement. */
export function selectUnknownNames(
  references: readonly Reference[],
): Query<(readonly [parameter: string, string[]])[]> {
  if (references.length === 0) return resolvedQuery([])
  const columns = references.map(
    ({ parameter, values, existsSql }) => sql`(SELECT json_group_array(CAST(value AS TEXT))
      FROM ${eachOf(values)} WHERE NOT ${existsSql}) AS ${sql.identifier(parameter)}`,
  )
  return mapQuery(
    many(sql`SELECT ${sql.join(columns, sql`, `)}`, row =>
      Object.entries(row).map(
        ([parameter, json]) => [parameter, storedJson<string[]>(readText(json))] as const,
      ),
    ),
    rows => rows.flat().filter(([, names]) => names.length > 0),
  )
}

/** The most unknown values of a parameter that an error names. */
const MAX_NAMED = 10

/**
 * Adds an error for each reference with unknown values. If all of these rows were merged into others, the
 * error names the others.
 */
export function reportUnknown(errors: ValidationErrors, references: readonly UnknownValues[]): void {
  const unmetReferences = references.filter(({ values }) => values.length > 0)
  const areAllMerged = unmetReferences.every(({ values }) =>
    values.every(({ survivor }) => survivor !== undefined),
  )
  if (unmetReferences.length > 0 && areAllMerged && !errors.hasAny) errors.fail(mergedError(unmetReferences))
  for (const { reference, values } of unmetReferences) {
    const names = values.filter(({ survivor }) => survivor === undefined).map(({ value }) => value)
    if (names.length > 0)
      errors.add(
        reference.parameter,
        codedReason('unknown', `there is no ${reference.noun} ${names.slice(0, MAX_NAMED).join(', ')}`),
      )
  }
}

function mergedError(references: readonly UnknownValues[]): ApiError {
  const params = references.map(({ reference: { parameter, values }, values: mergedRows }) => {
    const survivors = new Map(mergedRows.map(({ value, survivor }) => [value, survivor]))
    return [parameter, [...new Set(values.map(value => survivors.get(String(value)) ?? value))].join(',')]
  })
  const names = references.map(({ reference }) => reference.parameter).join(', ')
  return new ApiError('rest_moved', `This names something that was merged into something else: ${names}`, {
    params: Object.fromEntries(params),
  })
}
