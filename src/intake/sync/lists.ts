import { type SQL, sql } from 'drizzle-orm'
import { inOrder, many, mapped, type Query } from '../../db/query.ts'
import { SIZES } from '../../lib/budgets.ts'
import type { Row } from '../../lib/connection.ts'
import { piecesWithin } from '../../lib/values.ts'

// Statements with a list of values, of any length.

const encoder = new TextEncoder()
const bytesOf = (json: string): number => encoder.encode(json).length + 1

/** A query for a list of values, as often as it takes. @param query takes a SELECT of some of them */
export const inPieces = <T>(values: Iterable<unknown>, query: (list: SQL) => Query<T>): Query<T[]> =>
  inOrder(
    [...piecesWithin(Array.from(values, json), SIZES.listBytes, bytesOf)].map(list =>
      query(sql`SELECT value FROM json_each(${`[${list.join(',')}]`})`),
    ),
  )

const json = (value: unknown): string => JSON.stringify(value)

/** A query of the rows of a SELECT with a list, which takes as many statements as the list needs. */
export const selectOf = (values: Iterable<unknown>, select: (list: SQL) => SQL): Query<Row[]> =>
  mapped(
    inPieces(values, list =>
      // D1 hands over numbers, texts and nulls.
      many(select(sql`(${list})`), row => row as Row),
    ),
    pieces => pieces.flat(),
  )
