import { eq } from 'drizzle-orm'
import type { BaseContext, ContentContext } from '../../../kit/context.ts'
import { combineQueries, first } from '../../../kit/db/query.ts'
import { defineList } from '../../../kit/http/lists.ts'
import type { FieldsSchema, Route } from '../../../kit/http/route.ts'
import { ApiError } from '../../../kit/lib/errors.ts'
import { mayReadUnpublished } from '../../../kit/lib/roles.ts'
import { statusAt } from '../../../kit/lib/statuses.ts'
import { type MergeableResource, mergeRoute } from '../merge-routes.ts'
import { modifiedNow } from '../publication.ts'
import { codesOf } from '../resource.ts'
import { contentRoutes, writtenBody } from '../routes.ts'
import { SERIES_DATES } from '../series-dates.ts'
import { checkStatuses, isRowReadable, requireEditableRow } from '../visibility.ts'
import { mergedContact, withContact } from './hidden-contact.ts'
import { relatedReferences, selectRelated } from './queries.ts'
import { type RelatedResource, type RelatedRow, type RelatedValues, relatedText } from './resource.ts'
import { relatedTextStatements, relatedWrites } from './writes.ts'

/** Venues or organizers as a resource whose rows can be merged. */
function mergeableRelated<R extends RelatedRow, Body>(
  resource: RelatedResource<R, Body>,
): MergeableResource<R, Body, { row: R | undefined; into: R | undefined }> {
  const { singular, table } = resource
  const { notFound, inTrash } = codesOf(singular)
  const indexStatements = (rows: readonly { id: number }[]) =>
    relatedTextStatements(
      resource,
      rows.map(row => ({ id: row.id, text: relatedText(resource, { ...row }) })),
    )
  // `If-Match` names a version of the merged row.
  const unconditional = (context: ContentContext) => ({
    ...context,
    ifMatch: undefined,
    ifNoneMatch: undefined,
  })
  const isKnown = (context: BaseContext, row: R): boolean =>
    isRowReadable(row, context) || mayReadUnpublished(context.caller, row)
  return {
    ...resource,
    requires: 'edit_content',
    headers: SERIES_DATES,
    notFound,
    errors: [inTrash],
    nameField: singular,
    inherited: resource.declared,
    revealed: withContact,
    stored: (columns, rows) => mergedContact(resource, columns, rows),
    select: (context, condition) => resource.select(context, condition),
    body: (context, row) => writtenBody(context, { resource, row }),
    load: (context, { id, into }) =>
      combineQueries({
        row: first(resource.select(context, eq(table.id, id))),
        into: first(resource.select(context, eq(table.id, into))),
      }),
    rowOf: (context, loaded) => {
      const row = requireEditableRow(context, { resource, row: loaded.row })
      if (row.status === 'trash')
        throw new ApiError(inTrash, `This ${singular} is in the trash: restore it, or delete it for good.`)
      return row
    },
    survivorOf: (context, { into }) => (into && isKnown(context, into) ? into : undefined),
    prepare: (context, { row, into }, errors) => {
      requireEditableRow(unconditional(context), { resource, row: into })
      if (into.status === 'trash') errors.add('into', 'must not be in the trash')
      return { row, into, isPublic: statusAt(row, context.clock.now()) === 'publish' }
    },
    released: { external_id: '' },
    survivorColumns: modifiedNow,
    furtherStatements: (_, { into }, columns) => indexStatements([{ ...into, ...columns }]),
  }
}

export function relatedRoutes<R extends RelatedRow, Body, F extends RelatedValues>(
  resource: RelatedResource<R, Body>,
  fields: FieldsSchema<F>,
): Route[] {
  const { singular, plural, response, listParams } = resource
  const list = defineList({
    id: singular === 'venue' ? 'VenueList' : 'OrganizerList',
    plural,
    item: response,
    params: listParams,
    noPage: codesOf(singular).noPage,
    select: (context, { values, page }) => selectRelated(context, resource, { values, page }),
    references: relatedReferences,
    validate: (context, { status }, errors) => checkStatuses(status, context, errors),
    serialize: (context, rows) => rows.map(row => resource.serialize(row, context)),
  })
  return [
    list,
    mergeRoute(mergeableRelated(resource)),
    ...contentRoutes(resource, fields, relatedWrites(resource)),
  ]
}
