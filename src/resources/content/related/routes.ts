import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { type Changed, recordChange, recordEach, recordMerge } from '../../../db/audit.ts'
import { firstOf, type Query, type Statement, together } from '../../../db/query.ts'
import { leadOn } from '../../../db/slugs.ts'
import { asOneChange, build } from '../../../db/statements.ts'
import { idOf } from '../../../http/input.ts'
import { defineList } from '../../../http/lists.ts'
import { one } from '../../../http/reply.ts'
import { defineRoute, type FieldsSchema, type Route } from '../../../http/route.ts'
import { ApiError, type ValidationErrors } from '../../../lib/errors.ts'
import { mayReadUnpublished } from '../../../lib/roles.ts'
import { statusAt } from '../../../lib/statuses.ts'
import type { CompleteTable } from '../fields.ts'
import { mergeFields, moveLinks, moveReferences, survivorIn, unknownSurvivor } from '../merge.ts'
import { modifiedNow } from '../publication.ts'
import { codesOf } from '../resource.ts'
import { contentRoutes } from '../routes.ts'
import { indexTexts } from '../search.ts'
import { SERIES_DATES } from '../series-dates.ts'
import { editable, writtenBody } from '../single.ts'
import { withUses } from '../trash.ts'
import {
  assertKept,
  isSurvivorOf,
  type MergeRecord,
  mergeRecord,
  restoreMerged,
  selectMerge,
  selectMoved,
} from '../unmerge.ts'
import { checkStatuses, isRowReadable } from '../visibility.ts'
import { keptValues } from '../writes.ts'
import { relatedReferences, selectRelated } from './queries.ts'
import type { RelatedResource, RelatedRow, RelatedTables, RelatedValues } from './resource.ts'
import { relatedText, relatedWrites } from './writes.ts'

type Merge<R> = { row: R; into: R }
type Moved = ReturnType<typeof selectMoved> extends Query<infer M> ? M : never

const isEmpty = (value: unknown): boolean => value === null || value === '' || value === undefined

/**
 * The columns that are empty in the survivor but not in the merged row, each with the field that sets it. Author,
 * status and slug are never empty.
 */
function lacking({ declared }: { declared: CompleteTable }, { row, into }: Merge<RelatedRow>) {
  const [from, to]: Readonly<Record<string, unknown>>[] = [row, into]
  return Object.entries(declared).flatMap(([field, { columns }]) =>
    columns.flatMap(column =>
      isEmpty(to?.[column]) && !isEmpty(from?.[column]) ? [{ field, column, value: from?.[column] }] : [],
    ),
  )
}

type Loaded<R> = { row: R | undefined; into: R | undefined }

/**
 * Checks that the caller may change both the merged row and the survivor.
 *
 * @throws ApiError if not, or if one of them doesn't exist or is in the trash
 */
function mergeable<R extends RelatedRow, Body>(
  context: RequestContext,
  resource: RelatedResource<R, Body>,
  loaded: Loaded<R> & { id: number },
  errors: ValidationErrors,
): Merge<R> {
  const { singular: noun } = resource
  const row = editable(context, { resource, row: loaded.row })
  if (row.status === 'trash')
    throw new ApiError(
      codesOf(noun).inTrash,
      `This ${noun} is in the trash: restore it, or delete it for good.`,
    )
  const id = survivorIn({ id: row.id, into: loaded.id || undefined, noun }, errors)
  if (!loaded.into || !isKnown(context, loaded.into)) throw unknownSurvivor({ into: id, noun })
  // `If-Match` names a version of the merged row.
  const into = editable(
    { ...context, ifMatch: undefined, ifNoneMatch: undefined },
    { resource, row: loaded.into },
  )
  if (into.status === 'trash') errors.add('into', 'is in the trash')
  errors.throwIfAny()
  return { row, into }
}

const isKnown = (context: RequestContext, row: RelatedRow): boolean =>
  isRowReadable(row, context) || mayReadUnpublished(context.caller, row)

/** The values that the survivor gets, and the name of the merged row, for the audit. */
const changedBy = (resource: RelatedTables, { row, into }: Merge<RelatedRow>): Changed => ({
  ...Object.fromEntries(lacking(resource, { row, into }).map(({ field, value }) => [field, ['', value]])),
  merged: [null, row.name],
})

/** The statements that merge one venue or organizer into another. */
function mergeStatements<R extends RelatedRow, Body>(
  context: RequestContext,
  resource: RelatedResource<R, Body>,
  { row, into, moved }: Merge<R> & { moved: Moved },
  changed: Changed,
): Statement[] {
  const { singular, table, links, seriesLinks } = resource
  const columns = Object.fromEntries(
    lacking(resource, { row, into }).map(({ column, value }) => [column, value]),
  )
  const move = { from: row.id, to: into.id }
  return [
    // Both updates fail if somebody has changed one of the rows since it was read. The first one frees the external id
    // that the survivor gets.
    build
      .update(table)
      .set({ version: row.version + 1, external_id: '' })
      .where(eq(table.id, row.id)),
    build
      .update(table)
      .set({ ...columns, ...modifiedNow(context), version: into.version + 1 })
      .where(eq(table.id, into.id)),
    recordChange(
      context,
      {
        action: 'update',
        kind: singular,
        fields: Object.keys(changed).filter(name => name !== 'merged'),
        changed,
      },
      into.id,
    ),
    ...indexTexts(resource.searchTable, [
      { id: into.id, text: relatedText(resource, { ...into, ...columns }) },
    ]),
    ...moveLinks(links, links.event_id, move),
    ...moveLinks(seriesLinks, seriesLinks.series_id, move),
    ...moveReferences(singular, move),
    ...leadOn(
      singular,
      { id: row.id, slug: row.slug, isPublic: statusAt(row, context.now) === 'publish' },
      into.id,
    ),
    build.delete(table).where(eq(table.id, row.id)),
    recordChange(
      context,
      { action: 'merge', kind: singular, changed: { [singular]: [row.name, null], into: [null, into.id] } },
      row.id,
    ),
    recordMerge(context, resource, row.id, mergeRecord(recordOf(resource, { row, into }, columns), moved)),
  ]
}

/** The rows before a merge, as they are kept to undo it. @param columns those that the survivor gets */
function recordOf({ table }: RelatedTables, { row, into }: Merge<RelatedRow>, columns: object) {
  const [from, to]: Readonly<Record<string, unknown>>[] = [row, into]
  const own = Object.entries(getTableColumns(table)).filter(([, column]) => !column.generated)
  return {
    row: {
      ...Object.fromEntries(own.map(([name]) => [name, from?.[name]])),
      id: row.id,
      version: row.version,
      slug: row.slug,
    },
    into: {
      id: into.id,
      version: into.version + 1,
      columns: Object.fromEntries(Object.keys(columns).map(name => [name, to?.[name]])),
    },
  }
}

/** The route that merges one venue or organizer into another. */
function mergeRoute<R extends RelatedRow, Body>(resource: RelatedResource<R, Body>): Route {
  const { singular, plural, table, response } = resource
  const codes = codesOf(singular)
  return defineRoute({
    methods: ['POST'],
    path: `/${plural}/{id}/merge`,
    summary: `Merge one ${singular} into another`,
    requires: 'edit_content',
    body: mergeFields,
    complete: true,
    responses: { 200: response },
    headers: SERIES_DATES,
    errors: [codes.notFound, codes.inTrash],
    load: (context, { key, body }) =>
      together({
        row: firstOf(resource.select(context, eq(table.id, idOf(key)))),
        into: firstOf(resource.select(context, eq(table.id, body.into ?? 0))),
        moved: selectMoved(resource, { from: idOf(key), into: body.into ?? 0 }),
      }),
    prepare: (context, { moved, ...loaded }, { body }, errors) => ({
      ...mergeable(context, resource, { ...loaded, id: body.into ?? 0 }, errors),
      moved,
    }),
    handle: async (context, { prepared }) => {
      const changed = await keptValues(changedBy(resource, prepared))
      const [row] = await withUses(context, resource, [prepared.row.id], () =>
        context.db.change(
          asOneChange(mergeStatements(context, resource, prepared, changed)),
          resource.select(context, eq(table.id, prepared.into.id)),
        ),
      )
      return one(writtenBody(context, { resource, row }))
    },
  })
}

/** The statements that give a survivor its values back, and insert the merged venue or organizer again. */
function unmergeStatements<R extends RelatedRow, Body>(
  context: RequestContext,
  resource: RelatedResource<R, Body>,
  { row, into }: MergeRecord,
  survivor: R,
): Statement[] {
  const { singular, table, searchTable } = resource
  // The record was made from a row of the table.
  const merged = row as RelatedRow
  return [
    // An external id is free before it is given back.
    build
      .update(table)
      .set({ ...into.columns, version: into.version + 1, ...modifiedNow(context) })
      .where(eq(table.id, into.id)),
    recordChange(context, { action: 'update', kind: singular, fields: Object.keys(into.columns) }, into.id),
    build.insert(table).values({ ...merged, version: merged.version + 2 }),
    recordEach(context, { action: 'create', kind: singular }, sql`SELECT ${merged.id} AS id`),
    ...indexTexts(searchTable, [
      { id: merged.id, text: relatedText(resource, merged) },
      { id: into.id, text: relatedText(resource, { ...survivor, ...into.columns }) },
    ]),
  ]
}

/** The route that undoes the merge of one venue or organizer into another. */
function unmergeRoute<R extends RelatedRow, Body>(resource: RelatedResource<R, Body>): Route {
  const { singular, plural, response, table } = resource
  const { notFound } = codesOf(singular)
  return defineRoute({
    methods: ['POST'],
    path: `/${plural}/{id}/unmerge`,
    summary: `Undo the merge of one ${singular} into another, for an hour`,
    requires: 'edit_content',
    responses: { 200: response },
    headers: SERIES_DATES,
    errors: [notFound],
    load: (context, { key }) =>
      together({
        kept: selectMerge(context, singular, idOf(key)),
        into: firstOf(resource.select(context, isSurvivorOf(context, resource, idOf(key)))),
      }),
    prepare: (context, { kept, into }) => ({
      kept: assertKept(kept, notFound),
      survivor: editable({ ...context, ifMatch: undefined, ifNoneMatch: undefined }, { resource, row: into }),
    }),
    handle: async (context, { prepared: { kept, survivor } }) => {
      const rows = unmergeStatements(context, resource, kept.merge, survivor)
      const select = resource.select(context, eq(table.id, kept.merge.row.id))
      const [row] = await withUses(context, resource, [survivor.id], () =>
        restoreMerged(context, resource, kept, { rows, select }),
      )
      return one(writtenBody(context, { resource, row }))
    },
  })
}

type Select<R> = (condition: SQL, tail?: SQL) => Query<R[]>

/**
 * All routes of venues or of organizers.
 *
 * @param listId the name of the list in the documentation
 */
export function relatedRoutes<R extends RelatedRow, Body, F extends RelatedValues>(
  resource: RelatedResource<R, Body>,
  { fields, listId, select }: { fields: FieldsSchema<F>; listId: string; select: Select<R> },
): Route[] {
  const list = defineList({
    id: listId,
    plural: resource.plural,
    item: resource.response,
    params: resource.listParams,
    noPage: codesOf(resource.singular).noPage,
    select: (context, { values, page }) => selectRelated(context, resource, { values, page, select }),
    references: relatedReferences,
    validate: (context, { status }, errors) => checkStatuses(status, context, errors),
    serialize: (context, rows) => rows.map(row => resource.serialize(row, context)),
  })
  return [
    list,
    mergeRoute(resource),
    unmergeRoute(resource),
    ...contentRoutes(resource, fields, relatedWrites(resource)),
  ]
}
