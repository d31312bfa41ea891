import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { BaseContext, CalendarContext } from '../../../kit/context.ts'
import { type ColumnValues, defaultValues } from '../../../kit/db/bulk.ts'
import { combineQueries, type Query, type RawRow } from '../../../kit/db/query.ts'
import type { ValidationErrors } from '../../../kit/lib/errors.ts'
import { memoize } from '../../../kit/lib/memo.ts'
import { changedSlug, importedSlug, newSlug, renamedSlug } from '../../../kit/lib/slug.ts'
import { isWaiting, type Status } from '../../../kit/lib/statuses.ts'
import { omit, withoutUndefined } from '../../../kit/lib/values.ts'
import { beforeAndAfter, changedColumns, changesRow } from '../changed-values.ts'
import { storedNames } from '../fields.ts'
import { otherImage } from '../images.ts'
import { differingColumns, isUnchangedBy } from '../imported-columns.ts'
import {
  checkExternalId,
  type KnownReferences,
  type RowsByExternalId,
  selectByExternalId,
  selectReferences,
} from '../known-references.ts'
import { importedPublication, publicationOf, type WaitingPublication } from '../publication.ts'
import type { PreparedRow } from '../writes.ts'
import { hideableFields, storedContact, withContact } from './hidden-contact.ts'
import {
  nameInValues,
  type RelatedRow,
  type RelatedTables,
  type RelatedValues,
  relatedText,
} from './resource.ts'
import { requestedColumns, rowKey, type SameRows, selectSame } from './same-rows.ts'

// The new or existing row for a venue or organizer of a request or a source.

/** The parts from which the slug of a venue or organizer is made, except for its name. */
const namingOf = (
  { settings }: Pick<BaseContext, 'settings'>,
  { singular }: RelatedTables,
  { slug }: RelatedValues,
) => ({ slug, language: settings.website.language, fallback: singular })

/**
 * The rows that the values of venues or organizers refer to, and existing rows that are the same as new ones.
 */
export type ReferencedByRelated = {
  references: KnownReferences
  byExternalId: RowsByExternalId
  sameRows: SameRows
}

/** A query for {@link ReferencedByRelated}. */
export const selectReferencedByRelated = (
  context: BaseContext,
  resource: RelatedTables,
  values: readonly RelatedValues[],
): Query<ReferencedByRelated> =>
  combineQueries({
    references: selectReferences(context, values),
    byExternalId: selectByExternalId(context, resource, values),
    sameRows: selectSame(
      context,
      resource,
      values.flatMap(fields =>
        nameInValues(resource, fields) === '' ? [] : [requestedColumns(context, resource, fields)],
      ),
    ),
  })

/** The row of a new or changed venue or organizer. */
export type PreparedRelatedRow = PreparedRow<RelatedTables['table']> & {
  /** The columns of a new row that a request names: no existing row may have them. */
  requestedRow?: ColumnValues | undefined
  /** The text for searches; undefined if it stays. */
  text: string | undefined
}

/** A new or changed venue or organizer. */
export type PreparedRelated = PreparedRelatedRow & {
  name: string
  /** True if the write hides or shows it, so that all its events are listed in another way. */
  isListedAnew?: boolean
  /** The id of another row that has the external id of an imported row, which therefore gets none. */
  holder?: number | undefined
}

/** An existing row, or a new or changed one. */
export type RelatedTarget = ExistingTarget | PreparedRelated

type ExistingTarget = { same: number; isUnpublished?: boolean }

export const existingTarget = ({ id, status }: { id: number; status: Status }): ExistingTarget => ({
  same: id,
  isUnpublished: status !== 'publish',
})

/** @property wasPublic true if lists have ever shown the row. Only writes of a name need it */
export type StoredRelated<R = RelatedRow> = R & { wasPublic?: boolean }

/**
 * A new venue or organizer from checked values, or the existing row that is the same.
 *
 * @param errors gets an error if another row has the external id
 * @param parameter the field to report, for content that is nested in it
 */
export function prepareNewRelated(
  context: BaseContext,
  resource: RelatedTables,
  {
    values,
    referencedRows,
    waiting,
  }: {
    values: RelatedValues
    referencedRows: ReferencedByRelated
    waiting?: WaitingPublication | undefined
  },
  errors: ValidationErrors,
  parameter?: string,
): RelatedTarget {
  const requestedRow = requestedColumns(context, resource, values)
  const sameRow = referencedRows.sameRows.get(rowKey(requestedRow))
  checkExternalId(
    resource,
    values,
    { byExternalId: referencedRows.byExternalId, own: sameRow?.id },
    errors,
    parameter,
  )
  if (sameRow) return existingTarget(sameRow)
  const waitingValues = values.status ? undefined : waiting
  const publication = publicationOf(context, { values: { ...values, ...waitingValues } })
  const name = nameInValues(resource, values)
  const slug = newSlug({ ...namingOf(context, resource, values), name, status: publication.status })
  const author_id = values.author ?? waitingValues?.author ?? context.caller.id
  const { sent: _, ...row } = rowFrom(resource, values, { ...publication, author_id, slug })
  return { ...row, requestedRow, name }
}

/**
 * The row that the values of a request or a source produce, with its text for searches if the text changes.
 *
 * @param otherColumns columns that plain fields don't set
 * @param stored the row before an update
 */
function rowFrom(
  resource: RelatedTables,
  values: RelatedValues,
  otherColumns: PreparedRelatedRow['columns'],
  stored?: ColumnValues,
) {
  const name = values[resource.singular] === undefined ? undefined : nameInValues(resource, values)
  const sentColumns = { ...otherColumns, ...resource.columnsOf(values), name }
  const columns = storedContact(resource, sentColumns, stored)
  const text = relatedText(resource, { ...stored, ...withoutUndefined(columns) })
  const isSameText = stored !== undefined && text === relatedText(resource, stored)
  return {
    columns,
    sent: sentColumns,
    image: values.image,
    fields: Object.keys(values),
    text: isSameText ? undefined : text,
  }
}

export function prepareRelatedUpdate(
  context: BaseContext,
  resource: RelatedTables,
  { values: sentValues, stored }: { values: RelatedValues; stored: StoredRelated },
): RelatedTarget {
  const values = resource.valuesToStore?.(sentValues, stored) ?? sentValues
  const publication = publicationOf(context, { values, stored })
  const name = values[resource.singular] === undefined ? undefined : nameInValues(resource, values)
  const ownNaming = { ...namingOf(context, resource, values), name: name ?? stored.name }
  // As in WordPress, the slug follows the name until the first publication.
  const followsName = values.slug === undefined && !stored.wasPublic && isWaiting(stored.status)
  const slug = followsName && name !== undefined ? renamedSlug(ownNaming, stored) : values.slug
  const naming = { ...ownNaming, slug, status: publication.status }
  const otherColumns = { ...publication, author_id: values.author, slug: changedSlug(naming, stored) }
  const { columns, sent, ...row } = rowFrom(resource, values, otherColumns, stored)
  const image = otherImage(values.image, stored)
  if (!changesRow({ stored, columns, image })) return { same: stored.id }
  const changes = changedColumns(stored, withoutUndefined(columns))
  return {
    ...row,
    stored,
    columns,
    name: name ?? stored.name,
    isListedAnew: 'status' in changes,
    image,
    // Hiding a contact doesn't change it: undoing must not empty it.
    changed: beforeAndAfter(resource.declared, {
      namedFields: row.fields,
      stored: withContact(stored),
      columns: sent,
      image,
    }),
  }
}

type ImportedRelated = {
  values: RelatedValues
  stored: { id: number; slug: string; version: number } | undefined
  /** All columns of that row, if they are known: only columns that change are written. */
  before?: RawRow | undefined
  /** The id of the row that has the external id. */
  holder: number | undefined
}

/**
 * Prepares the write of an imported venue or organizer, with all its columns. It refuses nothing, because
 * nobody can correct a source, and the reader has checked the values. Fields that the source lacks get the
 * values of new rows. If another row has the external id, this row gets none.
 */
export function prepareImportedRelated(
  context: CalendarContext,
  resource: RelatedTables,
  { values, stored, before, holder }: ImportedRelated,
): PreparedRelated & { isUnchanged: boolean; row: ColumnValues } {
  const name = nameInValues(resource, values)
  const { status = 'publish', date, date_utc, modified, modified_utc, external_id = '' } = values
  const isFree = holder === undefined || holder === stored?.id
  // If the stored columns of an organizer are unknown, its contact may be hidden: the contact stays, and gets
  // no defaults.
  const keptFields = stored && !before ? hideableFields(resource) : []
  const otherColumns = {
    ...omit(plainDefaults(resource), ...keptFields),
    ...importedPublication(context, { status, date, date_utc, modified, modified_utc }, !stored),
    author_id: stored ? undefined : values.author,
    slug: importedSlug({ ...namingOf(context, resource, values), name }, stored),
  }
  const completeValues = { ...values, [resource.singular]: name, external_id: isFree ? external_id : '' }
  const knownValues: RelatedValues = omit(completeValues, ...keptFields)
  const { columns, sent: _, ...prepared } = rowFrom(resource, knownValues, otherColumns, before)
  const writtenColumns = before ? differingColumns(resource.singular, before, columns) : columns
  return {
    ...prepared,
    row: columns,
    stored: stored && { id: stored.id, version: stored.version },
    columns: writtenColumns,
    name,
    fields: [],
    holder: isFree ? undefined : holder,
    isUnchanged:
      before !== undefined && values.image === undefined && isUnchangedBy(writtenColumns, modified),
  }
}

const plainDefaults = memoize(({ table, declared }: RelatedTables): ColumnValues => {
  const defaults = defaultValues(getTableColumns<SQLiteTable>(table))
  return Object.fromEntries(storedNames(declared).map(name => [name, defaults[name]]))
})
