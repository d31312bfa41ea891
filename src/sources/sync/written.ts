import type { Row, Value } from '../../lib/connection.ts'
import { MAX_SLUG, untrashedSlug } from '../../lib/slug.ts'
import { toWall } from '../../lib/time.ts'
import type { ColumnsOf } from '../columns.ts'
import type { ContentRecord, ImageRecord, StoredContentRecord } from '../records.ts'
import type { Planned, PlanOptions } from './decisions.ts'
import type { RowDraft } from './drafts.ts'
import type { ContentIndex, StoredContent } from './indexes.ts'
import { isSlugOf, type Mapping, type State, storedOf, type Texts } from './state.ts'
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
  return { decision, images: [], incomplete: draft.relations?.incomplete ?? false }
}

type Writing = {
  record: AnyContent
  draft: RowDraft
  known: Mapping | undefined
  hash: string
  texts?: Texts | undefined
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
  const { image, images } = imageFor(draft, state)
  const columns: Row = {
    ...({
      id,
      version,
      author_id: (draft.author && state.users.get(draft.author.toLowerCase())) || options.authorId,
      slug,
      image_id: image,
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
  return {
    decision: {
      action: stored ? 'update' : 'create',
      record,
      id,
      columns,
      mapping,
      slugMoves: stored !== undefined && stored.slug !== slug,
      dateMoves: stored?.occurrence !== undefined && stored.occurrence.date !== row.occurrence?.date,
      texts,
      ...(relations && { links: relations.links }),
    },
    images,
    incomplete: relations?.incomplete ?? false,
    note,
  }
}

type Place = { id: number; stored: StoredContent | undefined; index: ContentIndex }

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

/** Room in the slug of a series for the dates of its occurrences. */
const SUFFIX_ROOM = 30

/** The stored slug if it is a form of the source's, else a free one. */
function slugFor(
  record: AnyContent,
  draft: RowDraft,
  stored: StoredContent | undefined,
  state: State,
): string {
  const index = state.content[record.kind]
  const named = 'columns' in record ? String(record.columns.slug) : record.slug
  if (record.kind === 'series' && named === '') return stored?.slug ?? freeSeriesSlug(draft.slug, state)
  if (draft.relations?.series == null || named !== '') {
    if (stored && isSlugOf(stored.slug, draft.slug)) return stored.slug
    if (record.kind === 'series') return freeSeriesSlug(draft.slug, state, record.source)
    if (record.kind !== 'event') return index.freeSlug(draft.slug)
    // What a calendar has taken out of a series keeps its address there, and here.
    const isTaken = named === '' ? isOfSeries : isSeries
    return index.freeSlug(draft.slug, '', slug => isTaken(slug, state))
  }
  // Occurrences keep their slugs when their series gets another name.
  if (!stored) return index.freeSlug(draft.slug)
  const isBack = stored.status === 'trash' && draft.own.status !== 'trash'
  return isBack ? index.freeSlug(untrashedSlug(stored.slug)) : stored.slug
}

/**
 * A slug that neither a series nor an event has.
 *
 * @param source the source that names the slug. Series to which it gives the same one have it in common here as well, because
 *   they are parts of one that was divided
 */
function freeSeriesSlug(wanted: string, state: State, source?: string): string {
  const base = wanted.slice(0, MAX_SLUG - SUFFIX_ROOM).replace(/-+$/, '')
  const { series, event } = state.content
  const isOfSource = (id: number) =>
    source !== undefined && state.externalIdOf(source, 'series', id) !== undefined
  const isShared = () => [...series.rows].every(([id, row]) => row.slug !== base || isOfSource(id))
  if (series.isTaken(base) && !event.isTaken(base) && isShared()) return base
  return event.freeSlug(base, '', slug => isOfSeries(slug, state))
}

const isSeries = (slug: string, { content }: State): boolean => content.series.isTaken(slug)

/** Tells if a slug is that of a series, or of one of its dates. */
function isOfSeries(slug: string, state: State): boolean {
  const [, base] = slug.match(/^(.+)-\d{4}-\d{2}-\d{2}(?:-\d{4}(?:\d{2})?)?$/) ?? []
  return isSeries(slug, state) || (base !== undefined && isSeries(base, state))
}

function imageFor(
  { image }: RowDraft,
  state: State,
): { image: number | null; images: (ImageRecord & { id: number })[] } {
  if (!image) return { image: null, images: [] }
  const known = state.imageAt(image.url)
  if (known !== undefined) {
    const isNews = image.width !== undefined && state.images.rows.get(known)?.sized === false
    if (isNews) state.images.set(known, { slug: image.url, sized: true })
    return { image: known, images: isNews ? [{ ...image, id: known }] : [] }
  }
  const id = state.images.freeId(image.id)
  state.images.set(id, { slug: image.url, sized: image.width !== undefined })
  state.imageIds.set(image.url, id)
  return { image: id, images: [{ ...image, id }] }
}
