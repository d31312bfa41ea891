import type { Row, Value } from '../../lib/connection.ts'
import { untrashedSlug } from '../../lib/slug.ts'
import type { Status } from '../../lib/statuses.ts'
import { differingColumns, isUnchangedBy } from '../../resources/content/imported.ts'
import { importedPublication, isSlugOf, modifiedNow } from '../../resources/content/publication.ts'
import type { ImageChoice } from '../../resources/content/uploads.ts'
import { FIELD_NAMES } from '../../resources/events/recurrence/shared.ts'
import { eventText, occurrenceText } from '../../resources/events/search.ts'
import { type ContentRecordKind, importKey } from '../records.ts'
import {
  type Holder,
  holderOf,
  leftAs,
  type Planned,
  type PlanOptions,
  type RowToWrite,
  type Verdict,
} from './decisions.ts'
import type { ContentDraft } from './draft.ts'
import { storedOf } from './editions.ts'
import { isOfOtherForm } from './hashes.ts'
import { type Compared, isRelation, isSameLinks, type ResolvedRelations } from './relations.ts'
import {
  type EventTexts,
  type Links,
  NO_LINKS,
  type State,
  type StoredContent,
  TEXTS,
  textsIn,
} from './state.ts'

type Details = {
  /** The texts by which an occurrence is found, if it has any of its own. */
  texts?: EventTexts | undefined
  /** The edition to be remembered as the import's, if it is not the one that it leaves. */
  edition?: string | undefined
}

/** The decision to create or update a row. The state is updated as if it was carried out. */
export async function written(
  { draft, relations, known, stored, hash }: Compared,
  state: State,
  options: PlanOptions,
  { texts, edition }: Details = {},
): Promise<Planned> {
  const { record, kind, own } = draft
  const index = state.content[kind]
  const id = stored ? (known?.target ?? 0) : index.freeId(known?.target ?? draft.id)
  const wantedSlug = slugFor(draft, { relations, stored }, state)
  const slug = wantedSlug === stored?.slug ? undefined : wantedSlug
  const external_id = draft.external_id ?? stored?.externalId ?? ''
  const holder = external_id === '' ? undefined : index.having(`id ${external_id}`).at(-1)
  const isHeld = holder !== undefined && holder !== id
  const image = imageFor(draft, state)
  const columns: Row = {
    id,
    version: stored ? stored.version + 1 : 1,
    author_id: authorOf(draft.author, state, options),
    slug: slug ?? stored?.slug ?? '',
    image_id: image.id,
    external_id: isHeld ? '' : external_id,
    ...own,
    ...importedPublication(options.context, publicationIn(own), !stored),
    ...(relations && { post_parent: relations.parent }),
    ...(kind === 'event' && { series_id: relations?.series ?? null }),
  }
  const row = await storedOf(kind, columns, relations?.links)
  const before = stored && wholeRow(kind, id, stored, state)
  const wanted = stored ? changed(columns) : columns
  const written = before ? differingColumns(kind, before, wanted) : wanted
  const links = before && kind === 'event' ? (state.links.get(id) ?? NO_LINKS) : undefined
  const keepsLinks = stored?.linked !== undefined && stored.linked === row.linked
  const choices = relations && !keepsLinks ? choicesOf(relations.links, links) : {}
  const isSameImage = image.isKnown === true && before?.image_id === image.id
  const note = isHeld ? withoutExternalId({ ...draft, external_id }, holder) : undefined
  const base = { record, id, incomplete: relations?.incomplete ?? false, note }
  const isSame = before && isSameImage && slug === undefined && Object.keys(choices).length === 0
  if (stored && isSame && isUnchangedBy(written, own.modified)) {
    const mapping = { target: id, hash, importedVersion: edition ?? stored.edition }
    state.setMapping(draft.source, kind, draft.externalId, mapping)
    return { ...base, action: 'adopt', mapping }
  }
  const mapping = { target: id, hash, importedVersion: edition ?? row.edition }
  index.set(id, row)
  state.setMapping(draft.source, kind, draft.externalId, mapping)
  // Texts of occurrences are those of their series, and may have changed with it.
  const hasSameTexts =
    before !== undefined &&
    columns.series_id == null &&
    before.series_id == null &&
    !TEXTS.some(name => name in written)
  const content: RowToWrite = {
    id,
    stored: stored && { id, version: stored.version },
    // Records have no other status.
    columns: { ...written, status: textIn(written.status) as Status | undefined, slug },
    keepsSlug: kind === 'series',
    slugOwner: ownSeriesSlug(draft, relations, state),
    movesDate: stored?.occurrence !== undefined && stored.occurrence.date !== row.occurrence?.date,
    image: isSameImage ? undefined : image.choice,
    fields: [],
    relations: choices,
    text: hasSameTexts ? undefined : textOf(kind, columns, texts),
    ...(kind === 'series' && {
      texts: hasSameTexts ? undefined : textsIn(columns),
      // Dates have the links of their series, and follow it only where these change: ten statements, of fifty that a run may take.
      follows: Object.keys(choices).length > 0 ? FIELD_NAMES : FIELD_NAMES.filter(name => !isRelation(name)),
    }),
  }
  return { ...base, action: stored ? 'update' : 'create', content, mapping }
}

/** The whole stored row, unless it has changed since it was loaded. */
export function wholeRow(
  kind: ContentRecordKind,
  id: number,
  { version }: StoredContent,
  { whole }: State,
): Row | undefined {
  const row = whole[kind].get(id)
  return row?.version === version ? row : undefined
}

const textIn = (value: Value | undefined): string | undefined => (value == null ? undefined : String(value))

/** When and how a record is published, by its columns. */
const publicationIn = ({ status, date, date_utc, modified, modified_utc }: Row) => ({
  // Records have no other status.
  status: status as Status,
  ...{ date: textIn(date), date_utc: textIn(date_utc) },
  ...{ modified: textIn(modified), modified_utc: textIn(modified_utc) },
})

/** The id of the author that a record names by a login, or else of the import's. */
export const authorOf = (login: string | undefined, state: State, { authorId }: PlanOptions): number =>
  (login && state.users.get(login.toLowerCase())) || authorId

/** The remark on a record whose external id another row has. */
export const withoutExternalId = (
  { kind, externalId, external_id }: Pick<ContentDraft, 'kind' | 'externalId' | 'external_id'>,
  holder: number,
): string =>
  `${kind} ${externalId}: its external id was left out, because ${kind} ${holder} has it: ${external_id}`

/** The columns that an update sets. Whoever subscribed knows an event by its UID; dates stay if the source has none. */
function changed({ id: _, version: _version, image_id: _image, author_id: _author, ...row }: Row): Row {
  const { uid: _uid, sequence: _sequence, date, date_utc, ...columns } = row
  return date == null ? columns : { ...columns, date, date_utc: date_utc ?? null }
}

/** What a row gets of relations. @param stored what it has; undefined if that is not known */
function choicesOf(links: Links, stored: Links | undefined): RowToWrite['relations'] {
  const choices = {
    venue: links.venue.map(same => ({ same })),
    organizer: links.organizer.map(same => ({ same })),
    categories: { ids: links.categories, names: [], makes: false },
    tags: { ids: links.tags, names: [], makes: false },
  }
  const differs = ([name]: [string, unknown]) =>
    !stored || (isRelation(name) && !isSameLinks(name, stored, links))
  return Object.fromEntries(Object.entries(choices).filter(differs))
}

/** The text by which a row is found. An occurrence without texts of its own is found by those of its series. */
function textOf(kind: ContentDraft['kind'], columns: Row, texts: EventTexts | undefined): string | undefined {
  if (kind === 'series') return undefined
  return columns.series_id === null ? eventText(columns) : texts && occurrenceText(texts)
}

/** The slug to be taken if it is free; undefined if the stored one stays, as it does if it is a form of the source's. */
function slugFor(
  { kind, source, externalId, named, slug, own }: ContentDraft,
  { relations, stored }: Pick<Compared, 'relations' | 'stored'>,
  state: State,
): string | undefined {
  const isForm = stored !== undefined && isSlugOf(stored.slug, slug)
  if (kind === 'series')
    return stored && (isForm || named === '')
      ? stored.slug
      : (state.seriesSlugs.get(importKey(source, 'series', externalId)) ?? slug)
  if (relations?.series == null || named !== '') return isForm ? undefined : slug
  // Occurrences keep their slugs when their series gets another name.
  if (!stored) return slug
  const isBack = stored.status === 'trash' && own.status !== 'trash'
  return isBack ? untrashedSlug(stored.slug) : undefined
}

/** A slug of the form that dates of series have. */
const DATED = /^(.+)-\d{4}-\d{2}-\d{2}(?:-\d{4}(?:\d{2})?)?$/

/** The slug of the series whose dates an event may be at: its own, or the one that its source has taken it out of. */
function ownSeriesSlug(
  { named, slug }: ContentDraft,
  relations: ResolvedRelations | undefined,
  state: State,
): string | undefined {
  if (relations?.series != null) return state.content.series.rows.get(relations.series)?.slug
  return named === '' ? undefined : DATED.exec(slug)?.[1]
}

/** The image of a row by its id, as the state has it, and by what makes it be stored. */
export function imageFor(
  { image }: ContentDraft,
  state: State,
): { id: number | null; choice: ImageChoice; isKnown?: boolean } {
  if (!image) return { id: null, choice: null, isKnown: true }
  const { url, id: wanted, ...size } = image
  const { images } = state
  const isSized = size.width !== undefined
  const known = state.imageAt(url)
  const stored = known === undefined ? undefined : images.rows.get(known)
  if (known === undefined || !stored) {
    const id = images.freeId(wanted)
    images.set(id, { url, isSized, copy: null, isNew: true })
    return { id, choice: { url, ...size, newId: id } }
  }
  const isNews = isSized && !stored.isSized
  if (isNews) images.set(known, { ...stored, isSized })
  if (stored.isNew) return { id: known, choice: { url, ...size, newId: known } }
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
  { draft: { kind, source, externalId, record, own }, known, stored, hash }: Compared,
  holder: Holder | undefined,
  state: State,
  { context }: PlanOptions,
): Planned | undefined {
  if (!known || !stored || own.status !== 'private') return undefined
  if (hash === known.hash || isOfOtherForm(known.hash)) return undefined
  if (stored.status === 'private' || stored.status === 'trash') return undefined
  const { target: id } = known
  const version = stored.version + 1
  // The edition of a series is a digest: that of before is another one than the imported one as well.
  const edition = kind === 'series' ? stored.edition : String(version)
  state.content[kind].set(id, { ...stored, version, edition, status: 'private' })
  const mapping = { ...known, hash }
  state.setMapping(source, kind, externalId, mapping)
  const columns = { status: 'private', ...modifiedNow(context) } as const
  return {
    ...{ action: 'update', record, id, mapping, holder, incomplete: false },
    content: {
      ...{ id, stored: { id, version: stored.version }, columns, fields: ['status'] },
      ...{ image: undefined, relations: {}, text: undefined },
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
  const { draft, known, relations, hash } = compared
  const holder = holderOf(judged, compared)
  return (
    withdrawal(compared, holder, state, options) ??
    leftAs(judged, draft.record, {
      ...{ id: known?.target, incomplete: relations?.incomplete, holder },
      mapping: known && { ...known, hash },
    })
  )
}
