import { isSlugOf, slugify, untrashedSlug } from '../../lib/slug.ts'
import { modifiedNow } from '../../resources/content/publication.ts'
import type { RelatedValues } from '../../resources/content/related/resource.ts'
import { preparedImport } from '../../resources/content/related/writes.ts'
import type { ImageChoice } from '../../resources/content/uploads.ts'
import { importedEventColumns, NO_LINKS, preparedImportedEvent } from '../../resources/events/imported.ts'
import { ORGANIZERS } from '../../resources/organizers/resource.ts'
import { VENUES } from '../../resources/venues/resource.ts'
import {
  type ContentRecord,
  type EventLike,
  importKey,
  isEventLike,
  type OrganizerRecord,
  type VenueRecord,
} from '../records.ts'
import {
  type Holder,
  holderOf,
  leftAs,
  type Planned,
  type PlanOptions,
  type RowToWrite,
  type Verdict,
} from './decisions.ts'
import { isOfOtherForm, linksText, storedOf } from './hashes.ts'
import type { Compared, ResolvedRelations } from './relations.ts'
import type { State, StoredContent } from './state.ts'

type Details = {
  /** The columns of an event or series, if some are not those of its source. */
  own?: ReturnType<typeof importedEventColumns>
  external_id?: string | undefined
  /** The edition to be remembered as the import's, if it is not the one that it leaves. */
  edition?: string | undefined
}

/** The decision to create or update a row, as its resource prepares it. The state is updated as if it was carried out. */
export async function written(
  compared: Compared,
  state: State,
  options: PlanOptions,
  { edition, ...details }: Details = {},
): Promise<Planned> {
  const { record, relations, known, stored, hash } = compared
  const { kind, source, externalId } = record
  const index = state.content[kind]
  const id = stored ? (known?.target ?? 0) : index.freeId(known?.target ?? record.id)
  const external_id = details.external_id ?? record.external_id ?? stored?.externalId ?? ''
  const given = {
    ...{ external_id, author: authorOf(record, state, options), stored: stored && { ...stored, id } },
    before: stored?.row,
    holder: external_id === '' ? undefined : index.having(`id ${external_id}`).at(-1),
  }
  const { row, taken, isUnchanged, ...prepared } = preparedWrite(
    { ...compared, ...details, given },
    state,
    options,
  )
  const base = {
    record,
    id,
    incomplete: relations?.incomplete ?? false,
    note: noteOn(record, external_id, taken),
  }
  if (stored && isUnchanged) {
    const mapping = { target: id, hash, importedVersion: edition ?? stored.edition }
    state.setMapping(source, kind, externalId, mapping)
    return { ...base, action: 'adopt', mapping }
  }
  const slug = prepared.columns.slug ?? stored?.slug ?? ''
  const version = stored ? stored.version + 1 : 1
  const after = await storedOf(kind, { ...row, slug, version }, relations?.links)
  const mapping = { target: id, hash, importedVersion: edition ?? after.edition }
  index.set(id, after)
  state.setMapping(source, kind, externalId, mapping)
  const content: RowToWrite = {
    ...{ relations: {}, ...prepared, id },
    slugOwner: isEventLike(record) ? ownSeriesSlug(record, relations, state) : undefined,
    movesDate: stored?.occurrence !== undefined && stored.occurrence.date !== after.occurrence?.date,
  }
  return { ...base, action: stored ? 'update' : 'create', content, mapping }
}

type Given = {
  external_id: string
  author: number
  stored: (StoredContent & { id: number }) | undefined
  before: ReturnType<typeof importedEventColumns> | undefined
  holder: number | undefined
}

/** What the resource of a record prepares of it. */
function preparedWrite(
  { record, relations, own, given }: Compared & Details & { given: Given },
  state: State,
  { context }: PlanOptions,
) {
  const { stored, before } = given
  const image = imageFor(record, state)
  const choice = image.isKnown && before?.image_id === image.id ? undefined : image.choice
  if (!isEventLike(record)) {
    const values = {
      ...relatedValues(record),
      author: given.author,
      external_id: given.external_id,
      image: choice,
    }
    return preparedImport(context, record.kind === 'venue' ? VENUES : ORGANIZERS, { ...given, values })
  }
  const { kind, title, description, excerpt = '' } = record
  const { links = NO_LINKS, parent = null, series = null } = relations ?? {}
  const known = before && kind === 'event' ? (stored?.links ?? NO_LINKS) : undefined
  const columns = own ?? importedEventColumns(record)
  return preparedImportedEvent(context, {
    ...given,
    ...{ kind, own: columns, texts: { title, description, excerpt }, links, parent, series },
    linksBefore: stored?.linked === linksText(links) ? links : known,
    slug: slugFor(record, { series, stored, isTrash: columns.status === 'trash' }, state),
    // An occurrence may have an image that somebody has given it here.
    image: { id: image.id, choice: columns.image_id === undefined ? choice : undefined },
  })
}

/** The values of a venue or organizer, but for its author and image. */
export function relatedValues(record: VenueRecord | OrganizerRecord): RelatedValues {
  const { source: _, externalId: _externalId, id: _id, author: _author, image: _image, ...values } = record
  const { kind, name, date, modified, ...fields } = values
  return {
    ...{ ...fields, [kind]: name },
    ...{ date: date?.wall, date_utc: date?.utc, modified: modified?.wall, modified_utc: modified?.utc },
  }
}

/** The id of the author that a record names by a login, or else of the import's. */
const authorOf = ({ author }: ContentRecord, state: State, { authorId }: PlanOptions): number =>
  (author && state.users.get(author.toLowerCase())) || authorId

/** The remark on a record whose external id another row has. */
const noteOn = (
  { kind, externalId }: ContentRecord,
  external_id: string,
  taken: number | undefined,
): string | undefined =>
  taken === undefined
    ? undefined
    : `${kind} ${externalId}: its external id was left out, because ${kind} ${taken} has it: ${external_id}`

/** The slug that an event or series asks for. */
export const slugWanted = ({ kind, slug, title }: EventLike): string =>
  slug || slugify(title) || (kind === 'series' ? 'event' : kind)

type Naming = { series: number | null; stored: StoredContent | undefined; isTrash: boolean }

/** The slug to be taken if it is free; undefined if the stored one stays, as it does if it is a form of the source's. */
function slugFor(record: EventLike, { series, stored, isTrash }: Naming, state: State): string | undefined {
  const { kind, source, externalId, slug: named } = record
  const wanted = slugWanted(record)
  const isForm = stored !== undefined && isSlugOf(stored.slug, wanted)
  if (kind === 'series') {
    if (stored && (isForm || named === '')) return undefined
    return state.seriesSlugs.get(importKey(source, 'series', externalId)) ?? wanted
  }
  if (series === null || named !== '') return isForm ? undefined : wanted
  if (!stored) return `${state.content.series.rows.get(series)?.slug}-${record.occurrence?.suffix}`
  // Occurrences keep their slugs when their series gets another name.
  return stored.status === 'trash' && !isTrash ? untrashedSlug(stored.slug) : undefined
}

/** A slug of the form that dates of series have. */
const DATED = /^(.+)-\d{4}-\d{2}-\d{2}(?:-\d{4}(?:\d{2})?)?$/

/** The slug of the series whose dates an event may be at: its own, or the one that its source has taken it out of. */
function ownSeriesSlug(
  { slug }: EventLike,
  relations: ResolvedRelations | undefined,
  state: State,
): string | undefined {
  if (relations?.series != null) return state.content.series.rows.get(relations.series)?.slug
  return DATED.exec(slug)?.[1]
}

type FoundImage = {
  id: number | null
  choice: ImageChoice
  /** True if nothing of it is still to be stored. */
  isKnown: boolean
}

/** The image of a record by its id, as the state has it, and by what makes it be stored. */
function imageFor(
  { image }: ContentRecord,
  { imageAt, images }: Pick<State, 'imageAt' | 'images'>,
): FoundImage {
  if (!image) return { id: null, choice: null, isKnown: true }
  const { url, id: wanted, ...size } = image
  const isSized = size.width !== undefined
  const known = imageAt(url)
  const stored = known === undefined ? undefined : images.rows.get(known)
  if (known === undefined || !stored) {
    const id = images.freeId(wanted)
    images.set(id, { url, isSized, copy: null, isNew: true })
    return { id, choice: { url, ...size, newId: id }, isKnown: false }
  }
  const isNews = isSized && !stored.isSized
  if (isNews) images.set(known, { ...stored, isSized })
  if (stored.isNew) return { id: known, choice: { url, ...size, newId: known }, isKnown: false }
  return { id: known, choice: isNews ? { url, ...size } : { id: known }, isKnown: !isNews }
}

/**
 * The decision to take what was edited here out of public view, because its source has made it private since. What was edited
 * stays, and so does the status if an editor publishes it again.
 *
 * @param holder what was edited
 * @returns undefined if its source does not say so, or nobody sees it anyway
 */
export function withdrawal(
  { record, known, stored, hash }: Compared,
  holder: Holder | undefined,
  state: State,
  { context }: PlanOptions,
): Planned | undefined {
  const { kind, source, externalId, status } = record
  if (!known || !stored || status !== 'private') return undefined
  if (hash === known.hash || isOfOtherForm(known.hash)) return undefined
  if (stored.status === 'private' || stored.status === 'trash') return undefined
  const { target: id } = known
  const version = stored.version + 1
  // The edition of a series is a digest: that of before is another one than the imported one as well.
  const edition = kind === 'series' ? stored.edition : String(version)
  state.content[kind].set(id, { ...stored, version, edition, status, row: undefined })
  const mapping = { ...known, hash }
  state.setMapping(source, kind, externalId, mapping)
  return {
    ...{ action: 'update', record, id, mapping, holder, incomplete: false },
    content: {
      ...{ id, stored: { id, version: stored.version }, columns: { status, ...modifiedNow(context) } },
      ...{ fields: ['status'], image: undefined, relations: {}, text: undefined },
    },
  }
}

/** The decision to leave the row of a record as it is, except that it may no longer be public. */
export function left(
  judged: Exclude<Verdict, 'create' | 'update'>,
  compared: Compared,
  state: State,
  options: PlanOptions,
): Planned {
  const { record, known, relations, hash } = compared
  const holder = holderOf(judged, compared)
  return (
    withdrawal(compared, holder, state, options) ??
    leftAs(judged, record, {
      ...{ id: known?.target, incomplete: relations?.incomplete, holder },
      mapping: known && { ...known, hash },
    })
  )
}
