import { toWall } from '../lib/time.ts'
import type { ColumnsOf } from './columns.ts'
import { type Options, type Planned, verdict } from './decisions.ts'
import { type Draft, draftOf } from './drafts.ts'
import { planTerm } from './plan-terms.ts'
import {
  type AnyRecord,
  type ImageRecord,
  isTerm,
  type PostRecord,
  type StoredPostRecord,
} from './records.ts'
import type { Cell, Columns } from './rows.ts'
import { digest, isSlugOf, type State, type StoredPost } from './state.ts'

/** Decides about one record, and enters what will be into the state. */
export const plan = (record: AnyRecord, state: State, options: Options): Planned =>
  isTerm(record) ? planTerm(record, state, options) : planPost(record, state, options)

function planPost(record: PostRecord | StoredPostRecord, state: State, options: Options): Planned {
  const index = state.posts[record.kind]
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
  const { image, images } = imageFor(draft.image, state)
  const columns: Columns = {
    ...({
      id,
      version,
      author_id: (draft.author && state.users.get(draft.author.toLowerCase())) || options.authorId,
      slug,
      image_id: image,
    } satisfies Record<Placed<'venues'> | Placed<'organizers'>, Cell>),
    ...own,
    ...(stored ? {} : datesOf(own, options)),
    ...(relations && ({ post_parent: relations.parent } satisfies Record<EventOnly, Cell>)),
  }
  if (columns.modified === null) Object.assign(columns, nowIn(options, 'modified'))
  const mapping = { target: id, hash, importedVersion: String(version) }
  index.set(id, { slug, version, status: String(own.status), start: String(own.utc_start_date ?? '') })
  state.setMapping(record.source, record.kind, record.externalId, mapping)
  const slugMoves = stored !== undefined && stored.slug !== slug
  const action = stored ? 'update' : 'create'
  const links = relations && { links: relations.links }
  return { decision: { action, record, id, columns, mapping, slugMoves, ...links }, images, incomplete }
}

/** The columns that depend on what is stored here. */
type Placed<K extends 'events' | 'venues' | 'organizers'> =
  | ColumnsOf<K, 'id' | 'slug' | 'reference'>
  | 'version'

type EventOnly = Exclude<Placed<'events'>, Placed<'venues'>>

const nowIn = ({ now, timezone }: Options, name: 'date' | 'modified'): Columns => ({
  [name]: toWall(now, timezone),
  [`${name}_utc`]: now,
})

/** The dates of a new row whose source tells none: now; last changed when published, if nothing else is known. */
const datesOf = (own: Columns, options: Options): Columns => ({
  ...(own.date === null && nowIn(options, 'date')),
  ...(own.modified === null &&
    own.date !== null && { modified: own.date ?? null, modified_utc: own.date_utc ?? null }),
})

/** The stored slug where it still stands for the source's, else a free one. */
function slugFor(
  kind: keyof State['posts'],
  { slug }: Draft,
  stored: StoredPost | undefined,
  state: State,
): string {
  return stored && isSlugOf(stored.slug, slug) ? stored.slug : state.posts[kind].freeSlug(slug)
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
