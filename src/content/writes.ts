import type { SQL } from 'drizzle-orm'
import type { RequestContext } from '../context.ts'
import type { Query } from '../db/query.ts'
import type { Versioned } from '../http/reply.ts'
import type { FieldsSchema } from '../http/route.ts'
import type { ValidationErrors } from '../lib/errors.ts'

/**
 * The writes of a kind of content. `F` is the type of its fields, `S` of the stored row that an update needs, `L` of the
 * rows that fields refer to, `Body` of the response, and `R` of its row.
 */
export type ContentWrites<F, S, L, Body, R = S> = {
  /** Fields that updates and deletions take as parameters of the address as well. */
  options?: FieldsSchema<Partial<F>>
  selectStored: (context: RequestContext, condition: SQL, values: Partial<F>) => Query<S[]>
  /** A query of the rows that fields refer to. */
  lookUp: (context: RequestContext, values: Partial<F>) => Query<L>
  /** Throws `rest_forbidden` if the caller may not send these fields. */
  permit?: (context: RequestContext, input: { values: Partial<F>; found: L; stored?: S }) => void
  validate: (
    context: RequestContext,
    input: { values: Partial<F>; found: L; stored?: S },
    errors: ValidationErrors,
  ) => void
  /** A condition for rows that are taken instead of making the same once more. */
  isSame?: (context: RequestContext, values: Partial<F>) => SQL
  create: (context: RequestContext, input: { values: F; found: L }) => Promise<Versioned<Body>>
  update: (
    context: RequestContext,
    input: { values: Partial<F>; found: L; stored: S },
  ) => Promise<Versioned<Body>>
  /** Moves content to the trash or deletes it, if that takes more than for other kinds. */
  remove?: (
    context: RequestContext,
    input: { row: R; force: boolean; options: Partial<F> },
  ) => Promise<Versioned<Body>>
}
