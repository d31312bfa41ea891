import type { RequestContext, SerializeContext } from '../../context.ts'
import type { Versioned } from '../../http/reply.ts'
import { assertConditions } from '../../lib/precondition.ts'
import type { TermKind } from './kind.ts'
import { assertTerm } from './queries.ts'
import type { TermResponse } from './schema.ts'
import { serializeTerm, type TermRow } from './serialize.ts'

/** The response that shows one term. */
export const termBody = (row: TermRow, context: SerializeContext): Versioned<TermResponse> => ({
  body: serializeTerm(row, context),
  version: row.version,
})

/**
 * Returns the term.
 *
 * @throws ApiError if there is none, `rest_precondition_failed` if `If-Match` names another version
 */
export const assertChangeableTerm = (
  context: RequestContext,
  kind: TermKind,
  row: TermRow | undefined,
): TermRow => assertConditions(context, assertTerm(kind, row))
