import type { BaseContext } from '../../kit/context.ts'
import { type RawRow, readText } from '../../kit/db/query.ts'
import { importedSlug, slugBase, untrashedSlug } from '../../kit/lib/slug.ts'
import { modifiedNow } from '../content/publication.ts'
import { prepareImportedRelated } from '../content/related/prepare.ts'
import type { RelatedValues } from '../content/related/resource.ts'
import type { ImageChoice } from '../content/uploads.ts'
import { importedEventColumns, NO_LINKS, prepareImportedEvent } from '../events/imported-events.ts'
import { namingOf } from '../events/prepare.ts'
import { ORGANIZERS } from '../organizers/resource.ts'
import { VENUES } from '../venues/resource.ts'
import type { ImportBatch, Mapping, StoredContent } from './batch.ts'
import { decisionToLeave, type PlannedRecord, type RowToWrite, type Verdict } from './decisions.ts'
import { linksText, storedOf } from './hashes.ts'
import { askToTakeAway, isProtectedRow, withoutProtected } from './protection.ts'
import {
  COLLECTIONS,
  type ContentRecord,
  type EventLike,
  isEventLike,
  type OrganizerRecord,
  type VenueRecord,
} from './records.ts'
import type { ComparedRecord, ResolvedRelations } from './relations.ts'

type WriteDetails = {
  /** The columns of an event or series, if some are not those of its source. */
  own?: RawRow
  external_id?: string | undefined
  /** The revision to store as that of the import, if it is not the revision that the import leaves. */
  revision?: string | undefined
}

/**
 * The decision to create or update a row, as its resource prepares it. The batch continues as if the decision
 * was carried out.
 */
export async function decideWrite(
  comparedRecord: ComparedRecord,
  batch: ImportBatch,
  details: WriteDetails = {},
): Promise<PlannedRecord> {
  const { record, relations, known, stored, hash } = comparedRecord
  const { kind, externalId } = record
  const id = stored?.id ?? batch.ids[COLLECTIONS[kind]].takeFree(known?.target ?? record.id)
  const external_id = details.external_id ?? record.external_id ?? stored?.externalId ?? ''
  const columns = isEventLike(record) ? (details.own ?? importedEventColumns(record)) : undefined
  const { own = columns, question } = stored && columns ? withoutProtected(stored, columns) : {}
  const { row, holder, isUnchanged, ...prepared } = prepareWrite(comparedRecord, batch, {
    ...details,
    ...(own && { own }),
    external_id,
  })
  const mapAs = (revision: string): Mapping =>
    batch.setMapping(kind, externalId, { target: id, hash, importedVersion: details.revision ?? revision })
  const note =
    holder === undefined
      ? undefined
      : `${kind} ${externalId}: its external id was left out, because ${kind} ${holder} has it: ${external_id}`
  const incomplete = relations?.incomplete ?? false
  const plannedRecord = { record, id, incomplete, note, ...(question && { questions: [question] }) }
  if (stored && isUnchanged) return { ...plannedRecord, action: 'link', mapping: mapAs(stored.revision) }
  const slug = prepared.columns.slug ?? stored?.slug ?? ''
  const version = (stored?.version ?? 0) + 1
  const after = await storedOf(kind, { ...row, id, slug, version }, relations?.links)
  batch.setRow(kind, { ...after, ...(stored?.protection && { protection: stored.protection }) })
  const content: RowToWrite = {
    relations: {},
    ...prepared,
    id,
    slugOwner: isEventLike(record) ? ownSeriesSlug(record, relations, batch) : undefined,
    movesDate: stored?.occurrence !== undefined && stored.occurrence.date !== after.occurrence?.date,
  }
  const isRestored = stored?.status === 'trash' && after.status !== 'trash'
  const action = stored ? 'update' : 'create'
  return { ...plannedRecord, action, isRestored, content, mapping: mapAs(after.revision) }
}

function prepareWrite(
  { record, relations, stored }: ComparedRecord,
  batch: ImportBatch,
  { own, external_id }: WriteDetails & { external_id: string },
) {
  const before = stored?.row
  const author = (record.author && batch.users.get(record.author.toLowerCase())) || batch.authorId
  const image = imageFor(record, batch, before)
  const preparation = { stored, before, holder: batch.holderOf(record.kind, external_id) }
  if (!isEventLike(record)) {
    const values = { ...relatedValues(record), author, external_id, image: image.choice }
    const resource = record.kind === 'venue' ? VENUES : ORGANIZERS
    return prepareImportedRelated(batch.context, resource, { ...preparation, values })
  }
  const { kind, title, description, excerpt = '' } = record
  const { links = NO_LINKS, parent = null, series = null } = relations ?? {}
  const columns = own ?? importedEventColumns(record)
  const isAsLinked = stored?.linked === linksText(links)
  return prepareImportedEvent(batch.context, {
    ...preparation,
    kind,
    author,
    external_id,
    ownColumns: columns,
    texts: { title, description, excerpt },
    links,
    parent,
    series,
    linksBefore: isAsLinked ? links : before && kind === 'event' ? (stored?.links ?? NO_LINKS) : undefined,
    slug: slugFor(record, { series, stored, isTrash: columns.status === 'trash' }, batch),
    // An occurrence may have an image that somebody has given it here.
    image: columns.image_id === undefined ? image : { id: image.id, choice: undefined },
  })
}

/** The values of a venue or organizer, but for its author and image. */
export function relatedValues(record: VenueRecord | OrganizerRecord): RelatedValues {
  const { source: _, externalId: _externalId, id: _id, author: _author, image: _image, ...values } = record
  const { kind, name, date, modified, ...fields } = values
  return {
    ...fields,
    [kind]: name,
    date: date?.wall,
    date_utc: date?.utc,
    modified: modified?.wall,
    modified_utc: modified?.utc,
  }
}

/** The slug that an event or series asks for. */
export const slugWanted = (record: EventLike, context: BaseContext): string =>
  slugBase({ ...namingOf(context, record), name: record.title })

/**
 * The slug that a row gets if it is free; undefined if the stored slug stays, because it is a form of the
 * source's slug.
 */
function slugFor(
  record: EventLike,
  { series, stored, isTrash }: { series: number | null; stored: StoredContent | undefined; isTrash: boolean },
  batch: ImportBatch,
): string | undefined {
  const { kind, externalId, slug: namedSlug } = record
  const wantedSlug = importedSlug({ ...namingOf(batch.context, record), name: record.title }, stored)
  if (kind === 'series') {
    if (stored && (wantedSlug === undefined || namedSlug === '')) return undefined
    return batch.seriesSlugs.get(externalId) ?? wantedSlug
  }
  if (series === null || namedSlug !== '') return wantedSlug
  if (!stored) return `${batch.rows.series.get(series)?.slug}-${record.occurrence?.suffix}`
  // Occurrences keep their slugs when their series gets another name.
  return stored.status === 'trash' && !isTrash ? untrashedSlug(stored.slug) : undefined
}

/** A slug of the form that dates of series have. */
const SLUG_OF_DATE = /^(.+)-\d{4}-\d{2}-\d{2}(?:-\d{4}(?:\d{2})?)?$/

/**
 * The slug of the series whose addresses an event may have: its own series, or the series from which its
 * source has removed it.
 */
function ownSeriesSlug(
  { slug }: EventLike,
  relations: ResolvedRelations | undefined,
  batch: ImportBatch,
): string | undefined {
  if (relations?.series != null) return batch.rows.series.get(relations.series)?.slug
  return SLUG_OF_DATE.exec(slug)?.[1]
}

/** The id of a record's image, and the choice that stores it; undefined if the row has the image already. */
function imageFor(
  { image }: ContentRecord,
  batch: ImportBatch,
  before: RawRow | undefined,
): { id: number | null; choice: ImageChoice | undefined } {
  const unlessStored = (id: number | null, choice: ImageChoice) =>
    before?.image_id === id ? { id, choice: undefined } : { id, choice }
  if (!image) return unlessStored(null, null)
  const { url, id: wantedId, ...size } = image
  const isSized = size.width !== undefined
  const knownImage = batch.imageAt(url) ?? { id: batch.ids.images.takeFree(wantedId), isSized, isNew: true }
  batch.images.set(url, { ...knownImage, isSized: knownImage.isSized || isSized })
  if (knownImage.isNew) return { id: knownImage.id, choice: { url, ...size, newId: knownImage.id } }
  return isSized && !knownImage.isSized
    ? { id: knownImage.id, choice: { url, ...size } }
    : unlessStored(knownImage.id, { id: knownImage.id })
}

/**
 * The decision to hide content that was edited here, because its source has made it private since. The edits
 * stay, and so does the status if an editor publishes the content again.
 *
 * @returns undefined if its source has not made it private, or nobody sees it anyway
 */
export function withdrawal(
  { record, known, stored, hash }: ComparedRecord,
  batch: ImportBatch,
): PlannedRecord | undefined {
  const { kind, externalId, status } = record
  if (!known || !stored || status !== 'private') return undefined
  if (hash === known.hash) return undefined
  if (stored.status === 'private' || stored.status === 'trash') return undefined
  const { id } = stored
  if (isProtectedRow(stored)) {
    const mapping = batch.setMapping(kind, externalId, { ...known, hash })
    const question = askToTakeAway(stored, 'hide')
    return {
      action: 'link',
      record,
      id,
      incomplete: false,
      mapping,
      questions: question ? [question] : [],
    }
  }
  const version = stored.version + 1
  // The revision of a series is a digest: the former one differs from the imported one, too.
  const revision = kind === 'series' ? stored.revision : String(version)
  batch.setRow(kind, { ...stored, version, revision, status, row: undefined })
  return {
    action: 'update',
    record,
    id,
    incomplete: false,
    mapping: batch.setMapping(kind, externalId, { ...known, hash }),
    content: {
      id,
      stored: { id, version: stored.version },
      columns: { status, ...modifiedNow(batch.context) },
      fields: ['status'],
      image: undefined,
      relations: {},
      text: undefined,
    },
  }
}

/** The decision to leave the row of a record as it is, except that it may no longer be public. */
export function withdrawOrLeave(
  decision: Exclude<Verdict, 'create' | 'update'>,
  comparedRecord: ComparedRecord,
  batch: ImportBatch,
): PlannedRecord {
  const { record, known, relations } = comparedRecord
  return (
    withdrawal(comparedRecord, batch) ??
    decisionToLeave(withDifference(decision, comparedRecord, batch), record, {
      id: known?.target,
      incomplete: relations?.incomplete,
    })
  )
}

/**
 * The decision to leave an event that was edited here. If its source has called it off, postponed or moved
 * it, editors should hear of it, because visitors may stand before a closed door.
 */
function withDifference(
  decision: Exclude<Verdict, 'create' | 'update'>,
  { record, stored }: ComparedRecord,
  { context }: ImportBatch,
): Exclude<Verdict, 'create' | 'update'> {
  const row = stored?.row
  if (typeof decision !== 'object' || decision.code !== 'record_edited' || record.kind !== 'event' || !row)
    return decision
  const { event_status: statusThere = 'scheduled', start } = record
  const isOff = statusThere !== 'scheduled' && statusThere !== row.event_status
  const isMoved = start.utc !== row.utc_start_date
  const isComing = [start.utc, readText(row.utc_start_date)].some(utc => utc >= context.clock.now())
  if (!isComing || !(isOff || isMoved)) return decision
  const differences = [isOff && `it is ${statusThere}`, isMoved && `it begins at ${start.utc} UTC`].filter(
    Boolean,
  )
  return {
    skip: `${decision.skip}; there, ${differences.join(', and ')}`,
    code: 'edited_there',
    values: { event: stored.id, ...(isOff && { status: statusThere }), ...(isMoved && { start: start.utc }) },
  }
}
