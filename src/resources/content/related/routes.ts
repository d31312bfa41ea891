import type { SQL } from 'drizzle-orm'
import type { Query } from '../../../db/query.ts'
import { defineList } from '../../../http/lists.ts'
import type { FieldsSchema, Route } from '../../../http/route.ts'
import { codesOf } from '../kind.ts'
import { contentRoutes } from '../routes.ts'
import { checkStatuses } from '../visibility.ts'
import type { RelatedKind, RelatedRow, RelatedValues } from './kind.ts'
import { mergeRoute } from './merge.ts'
import { relatedReferences, selectRelated } from './queries.ts'
import { relatedWrites } from './writes.ts'

type Select<R> = (condition: SQL, tail?: SQL) => Query<R[]>

/**
 * All routes of venues or of organizers.
 *
 * @param listId the name of the list in the documentation
 */
export function relatedRoutes<R extends RelatedRow, Body, F extends RelatedValues>(
  kind: RelatedKind<R, Body>,
  { fields, listId, select }: { fields: FieldsSchema<F>; listId: string; select: Select<R> },
): Route[] {
  const list = defineList({
    id: listId,
    plural: kind.plural,
    item: kind.response,
    params: kind.listParams,
    noPage: codesOf(kind.singular).noPage,
    select: (context, { values, page }) => selectRelated(context, kind, { values, page, select }),
    references: relatedReferences,
    validate: (context, { status }, errors) => checkStatuses(status, context, errors),
    serialize: (context, rows) => rows.map(row => kind.serialize(row, context)),
  })
  return [list, mergeRoute(kind), ...contentRoutes(kind, fields, relatedWrites(kind))]
}
