import type { Row, Value } from '../lib/connection.ts'
import { toWall } from '../lib/time.ts'
import type { ColumnsOf } from './columns.ts'
import { type Planned, type PlanOptions, verdict } from './decisions.ts'
import { draftOf, type RowDraft } from './drafts.ts'
import type { ContentIndex, StoredContent } from './indexes.ts'
import { planTerm } from './plan-terms.ts'
import {
  type AnyRecord,
  type ContentRecord,
  type ImageRecord,
  isTerm,
  type StoredContentRecord,
} from './records.ts'
import { digest, isSlugOf, type State } from './state.ts'

/** Decides about one record, and updates the state as if the decision was carried out. */
export const plan = (record: AnyRecord, state: State, options: PlanOptions): Planned =>
  isTerm(record) ? planTerm(record, state, options) : planContent(record, state, options)

function planContent(
  record: ContentRecord | StoredContentRecord,
  state: State,
  options: PlanOptions,
): Planned {
  const index = state.content[record.kind]
  const known = state.mappingOf(record.source, record.kind, record.externalId)
  const stored = known && index.rows.get(known.target)
  const draft = draftOf(record, state)
  const { own, relations } = draft
  const hash = digest(draft.fingerprint)
  const incomplete = relations?.incomplete ?? false
  const judged = verdict(known, hash, stored && String(stored.version), options.mirror)
  if (typeof judged === 'object')
    return { decision: { action: 'skip', record, reason: judged.skip }, images: [], incomplete }
  if (judged === 'unchanged')
    return { decision: { action: 'unchanged', record, id: known?.target ?? 0 }, images: [], incomplete }
  const id = stored ? (known?.target ?? 0) : index.freeId(known?.target ?? record.id)
  const version = stored ? stored.version + 1 : (draft.version ?? 1)
  const slug = slugFor(record.kind, draft, stored, state)
  const { externalId, note } = externalIdFor(record, draft, { id, stored, index })
  const { image, images } = imageFor(draft.image, state)
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
    ...(relations && ({ post_parent: relations.parent, series_id: null } satisfies Record<EventOnly, Value>)),
  }
  if (columns.modified === null) Object.assign(columns, nowIn(options, 'modified'))
  const mapping = { target: id, hash, importedVersion: String(version) }
  index.set(id, {
    slug,
    version,
    status: String(own.status),
    start: String(own.utc_start_date ?? ''),
    externalId,
  })
  state.setMapping(record.source, record.kind, record.externalId, mapping)
  const slugMoves = stored !== undefined && stored.slug !== slug
  const action = stored ? 'update' : 'create'
  const links = relations && { links: relations.links }
  return { decision: { action, record, id, columns, mapping, slugMoves, ...links }, images, incomplete, note }
}

type Place = { id: number; stored: StoredContent | undefined; index: ContentIndex }

/** The external id of a row: the source's, or none if another row has it; the stored one if the source knows none. */
function externalIdFor(
  { kind, externalId: of }: ContentRecord | StoredContentRecord,
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
type Placed<K extends 'events' | 'venues' | 'organizers'> =
  | ColumnsOf<K, 'id' | 'slug' | 'external_id' | 'reference'>
  | 'version'

type EventOnly = Exclude<Placed<'events'>, Placed<'venues'>>

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

/** The stored slug if it is a form of the source's, else a free one. */
function slugFor(
  kind: keyof State['content'],
  { slug }: RowDraft,
  stored: StoredContent | undefined,
  state: State,
): string {
  return stored && isSlugOf(stored.slug, slug) ? stored.slug : state.content[kind].freeSlug(slug)
}

function imageFor(
  image: ImageRecord | undefined,
  state: State,
): { image: number | null; images: (ImageRecord & { id: number })[] } {
  if (!image) return { image: null, images: [] }
  const known = state.imageIds.get(image.url)
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
