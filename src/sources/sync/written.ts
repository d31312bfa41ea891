import type { ImageChoice } from '../../content/image-choice.ts'
import { relatedText } from '../../content/related/writes.ts'
import { eventText, occurrenceText } from '../../events/search.ts'
import type { Row, Value } from '../../lib/connection.ts'
import { untrashedSlug } from '../../lib/slug.ts'
import type { Status } from '../../lib/statuses.ts'
import { toWall } from '../../lib/time.ts'
import { ORGANIZERS } from '../../organizers/kind.ts'
import { VENUES } from '../../venues/kind.ts'
import type { ColumnsOf } from '../columns.ts'
import { importKey } from '../keys.ts'
import type { ContentRecord, StoredContentRecord } from '../records.ts'
import type { Planned, PlanOptions, RowToWrite } from './decisions.ts'
import { type DraftRelations, namedSlug, type RowDraft } from './drafts.ts'
import { storedOf } from './editions.ts'
import {
  type ContentRows,
  type EventTexts,
  isSlugOf,
  type Mapping,
  type State,
  type StoredContent,
} from './state.ts'
import { textsIn } from './texts.ts'

type AnyContent = ContentRecord | StoredContentRecord

/** The decision to leave a row as it is. */
export function leftAs(
  judged: 'unchanged' | { skip: string },
  { record, draft, known }: { record: AnyContent; draft: RowDraft; known?: Mapping | undefined },
): Planned {
  const decision =
    judged === 'unchanged'
      ? ({ action: 'unchanged', record, id: known?.target ?? 0 } as const)
      : ({ action: 'skip', record, reason: judged.skip } as const)
  return { decision, incomplete: draft.relations?.incomplete ?? false }
}

type Writing = {
  record: AnyContent
  draft: RowDraft
  known: Mapping | undefined
  hash: string
  texts?: EventTexts | undefined
  /** The edition to be remembered as the import's, if it is not the one that it leaves. */
  edition?: string | null | undefined
}

/** The decision to create or update a row. The state is updated as if it was carried out. */
export async function written(
  { record, draft, known, hash, texts, edition }: Writing,
  state: State,
  options: PlanOptions,
): Promise<Planned> {
  const { kind, source, externalId: of } = record
  const index = state.content[kind]
  const stored = known && index.rows.get(known.target)
  const { own, relations } = draft
  const id = stored ? (known?.target ?? 0) : index.freeId(known?.target ?? record.id)
  const version = stored ? stored.version + 1 : (draft.version ?? 1)
  const slug = slugFor(record, draft, stored, state)
  const { externalId, note } = externalIdFor(record, draft, { id, stored, index })
  const image = imageFor(draft, state)
  const columns: Row = {
    ...({
      id,
      version,
      author_id: (draft.author && state.users.get(draft.author.toLowerCase())) || options.authorId,
      slug: slug ?? stored?.slug ?? '',
      image_id: image.id,
      external_id: externalId,
    } satisfies Record<Placed<'venues'> | Placed<'organizers'>, Value>),
    ...own,
    ...(stored ? {} : datesOf(own, options)),
    ...(relations && ({ post_parent: relations.parent } satisfies Record<SeriesOnly, Value>)),
    ...(kind === 'event' && ({ series_id: relations?.series ?? null } satisfies Record<EventOnly, Value>)),
  }
  if (columns.modified === null) Object.assign(columns, nowIn(options, 'modified'))
  const row = await storedOf(kind, columns, relations?.links)
  const mapping = { target: id, hash, importedVersion: edition === undefined ? row.edition : edition }
  index.set(id, row)
  if (kind === 'series') state.texts.set(id, textsIn(columns))
  state.setMapping(source, kind, of, mapping)
  const content: RowToWrite = {
    id,
    stored: stored && { id, version: stored.version },
    columns: { ...(stored ? changed(columns) : columns), status: statusOf(columns), slug },
    seriesSlug: ownSeriesSlug(record, draft, state),
    image: image.choice,
    fields: [],
    relations: relations ? relationsOf(relations) : {},
    text: textOf(kind, columns, texts),
    texts: kind === 'series' ? textsIn(columns) : undefined,
  }
  return {
    decision: {
      action: stored ? 'update' : 'create',
      record,
      id,
      content,
      mapping,
      dateMoves: stored?.occurrence !== undefined && stored.occurrence.date !== row.occurrence?.date,
    },
    incomplete: relations?.incomplete ?? false,
    note,
  }
}

/** The columns that an update sets. Whoever subscribed knows an event by its UID; dates stay if the source has none. */
function changed({ author_id: _, uid: _uid, sequence: _sequence, date, date_utc, ...columns }: Row): Row {
  return date == null ? columns : { ...columns, date, date_utc: date_utc ?? null }
}

/** Records have no other status. */
const statusOf = ({ status }: Row): Status => status as Status

const relationsOf = ({ links: { venue, organizer, categories, tags } }: DraftRelations) => ({
  venue: venue.map(same => ({ same })),
  organizer: organizer.map(same => ({ same })),
  categories: { ids: categories, names: [], makes: false },
  tags: { ids: tags, names: [], makes: false },
})

/** The text by which a row is found. An occurrence without texts of its own is found by those of its series. */
function textOf(kind: AnyContent['kind'], columns: Row, texts: EventTexts | undefined): string | undefined {
  if (kind === 'venue') return relatedText(VENUES, columns)
  if (kind === 'organizer') return relatedText(ORGANIZERS, columns)
  if (kind === 'series') return undefined
  return columns.series_id === null ? eventText(columns) : texts && occurrenceText(texts)
}

type Place = { id: number; stored: StoredContent | undefined; index: ContentRows }

/** The external id of a row: the source's, or none if another row has it; the stored one if the source knows none. */
function externalIdFor(
  { kind, externalId: of }: AnyContent,
  draft: RowDraft,
  { id, stored, index }: Place,
): { externalId: string; note?: string } {
  const externalId = draft.externalId ?? stored?.externalId ?? ''
  const holder = externalId === '' ? undefined : index.holderOf(externalId)
  if (holder === undefined || holder === id) return { externalId }
  return {
    externalId: '',
    note: `${kind} ${of}: its external id was left out, because ${kind} ${holder} has it: ${externalId}`,
  }
}

/** The columns that depend on the rows that are stored here. */
type Placed<K extends 'events' | 'series' | 'venues' | 'organizers'> =
  | ColumnsOf<K, 'id' | 'slug' | 'external_id' | 'reference'>
  | 'version'

type SeriesOnly = Exclude<Placed<'series'>, Placed<'venues'>>
type EventOnly = Exclude<Placed<'events'>, Placed<'series'>>

const nowIn = ({ now, timezone }: PlanOptions, name: 'date' | 'modified'): Row => ({
  [name]: toWall(now, timezone),
  [`${name}_utc`]: now,
})

/** The dates of a new row whose source has none: published now, and last changed when it was published. */
const datesOf = (own: Row, options: PlanOptions): Row => ({
  ...(own.date === null && nowIn(options, 'date')),
  ...(own.modified === null &&
    own.date !== null && { modified: own.date ?? null, modified_utc: own.date_utc ?? null }),
})

/** The slug to be taken if it is free; undefined if the stored one stays, as it does if it is a form of the source's. */
function slugFor(
  record: AnyContent,
  draft: RowDraft,
  stored: StoredContent | undefined,
  state: State,
): string | undefined {
  const isNamed = namedSlug(record) !== ''
  const isForm = stored !== undefined && isSlugOf(stored.slug, draft.slug)
  if (record.kind === 'series')
    return stored && (isForm || !isNamed)
      ? stored.slug
      : (state.seriesSlugs.get(importKey(record.source, 'series', record.externalId)) ?? draft.slug)
  if (draft.relations?.series == null || isNamed) return isForm ? undefined : draft.slug
  // Occurrences keep their slugs when their series gets another name.
  if (!stored) return draft.slug
  const isBack = stored.status === 'trash' && draft.own.status !== 'trash'
  return isBack ? untrashedSlug(stored.slug) : undefined
}

/** A slug of the form that dates of series have. */
const DATED = /^(.+)-\d{4}-\d{2}-\d{2}(?:-\d{4}(?:\d{2})?)?$/

/** The slug of the series whose dates an event may be at: its own, or the one that its source has taken it out of. */
function ownSeriesSlug(record: AnyContent, { slug, relations }: RowDraft, state: State): string | undefined {
  if (relations?.series != null) return state.content.series.rows.get(relations.series)?.slug
  return namedSlug(record) === '' ? undefined : DATED.exec(slug)?.[1]
}

/** The image of a row by its id, as the state has it, and by what makes it be stored. */
function imageFor({ image }: RowDraft, state: State): { id: number | null; choice: ImageChoice } {
  if (!image) return { id: null, choice: null }
  const { url, id: wanted, ...size } = image
  const known = state.images.at(url)
  const stored = known === undefined ? undefined : state.images.rows.get(known)
  if (known !== undefined && stored) {
    const isNews = size.width !== undefined && !stored.isSized
    if (isNews) state.images.set(known, { ...stored, isSized: true })
    if (stored.isNew) return { id: known, choice: { url, ...size, newId: known } }
    return { id: known, choice: isNews ? { url, ...size } : { id: known } }
  }
  const id = state.images.freeId(wanted)
  state.images.set(id, { url, isSized: size.width !== undefined, copy: null, isNew: true })
  return { id, choice: { url, ...size, newId: id } }
}
