import { externalIdOf } from '../../http/input.ts'
import { defineRoute, type FieldsSchema, type Route } from '../../http/route.ts'
import type { SharedWrites } from '../../http/shared-writes.ts'
import { missingFields } from '../../http/validate.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { assertMayBeNew } from '../../lib/precondition.ts'
import { InvalidValue, LIMIT, limited } from '../../lib/values.ts'
import type { ContentValues } from './columns.ts'
import { notFree } from './external-ids.ts'
import type { ContentKind, ContentRow } from './kind.ts'
import {
  type ContentWrite,
  type FoundContent,
  givenValues,
  type PreparedContent,
  rowOf,
  upserting,
} from './shared-writes.ts'
import { editable, isKnown } from './single.ts'
import type { ContentWrites } from './writes.ts'

type New<F> = { fields: FieldsSchema<F>; values: Partial<F> & ContentValues }

/** Adds the errors of a new resource: of its external id, and of the required fields, which an update does not need. */
function checkNew<F>(externalId: string, { fields, values }: New<F>, errors: ValidationErrors): void {
  const named = values.external_id || externalId
  if (externalId === '') errors.add('external_id', 'must not be empty in the address')
  else if (named !== externalId)
    errors.add('external_id', 'must be the one in the address, or absent, to create what is not there')
  const reason = reasonAgainst(externalId)
  if (reason) errors.add('external_id', reason)
  const names = Object.keys(fields.shape)
  const given = names.filter(name => Object.hasOwn(values, name) || errors.has(name))
  const missing = missingFields(fields, Object.fromEntries(given.map(name => [name, true])))
  if (missing) errors.fail(missing)
}

function reasonAgainst(externalId: string): string | undefined {
  try {
    limited(externalId, LIMIT.externalId)
    return undefined
  } catch (error) {
    if (error instanceof InvalidValue) return error.message
    throw error
  }
}

/**
 * Values without an empty external id: a resource that was read elsewhere, and had none there, must not lose the one by
 * which it is sent here.
 */
function withoutEmptyId<V extends ContentValues>(values: V): V {
  if (values.external_id !== '') return values
  const { external_id: _, ...others } = values
  // The field is optional.
  return others as V
}

type Upsert<R extends ContentRow, S extends ContentRow, L, P, Body, F> = {
  fields: FieldsSchema<F>
  writes: ContentWrites<F, S, L, P, Body, R>
  shared: SharedWrites<ContentWrite<F>, FoundContent<S, L>, PreparedContent<P>, R>
}

/**
 * The route that creates a resource with an external id, or changes the named fields of the one that has it. If two
 * requests create one at once, the database refuses the second, which then runs again and finds the first.
 */
export function upsertRoute<R extends ContentRow, S extends ContentRow, L, P, Body, F extends ContentValues>(
  kind: ContentKind<R, Body>,
  { fields, writes, shared }: Upsert<R, S, L, P, Body, F>,
): Route {
  const { singular, plural, response } = kind
  return defineRoute({
    methods: ['PUT'],
    path: `/${plural}/by-external-id/{external_id}`,
    summary: `Create the ${singular} of an external id, or change its named fields`,
    requires: 'edit_content',
    ...(writes.options && { query: writes.options }),
    body: fields,
    responses: { 200: response, 201: response },
    errors: ['rest_missing_callback_param'],
    ...(writes.headers && { headers: writes.headers }),
    ...upserting(kind, shared),
    prepare: (context, loaded, input, errors) => {
      const { key } = input
      const row = rowOf(loaded, key)
      const values = withoutEmptyId(givenValues<F>(input))
      const external_id = externalIdOf(key)
      if (row && !isKnown(context, row, key)) {
        errors.add('external_id', notFree(kind, external_id))
        errors.throwIfAny()
      }
      const stored = row && editable(context, { kind, row })
      if (!stored) assertMayBeNew(context)
      if (!stored) checkNew(external_id, { fields, values }, errors)
      // Of a new one, the id in the address counts.
      const complete = stored ? values : { ...values, external_id }
      const prepared = writes.prepare(context, { values: complete, stored, found: loaded.found }, errors)
      return { prepared, id: stored?.id, external_id: complete.external_id }
    },
  })
}
