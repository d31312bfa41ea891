import { slugify } from '../lib/slug.ts'
import { toWall } from '../lib/time.ts'
import { type Decision, type Links, type Options, type Planned, verdict } from './decisions.ts'
import { planTerm } from './plan-terms.ts'
import type { AnyRecord, EventRecord, ImageRecord, PostRecord } from './records.ts'
import { type Columns, ownColumns, searchText } from './rows.ts'
import { digest, isSlugOf, type State, type StoredPost } from './state.ts'

/** Decides about one record, and enters what will be into the state. */
export function plan(record: AnyRecord, state: State, options: Options): Planned {
  return 'status' in record ? planPost(record, state, options) : planTerm(record, state, options)
}

function planPost(record: PostRecord, state: State, options: Options): Planned {
  const index = state.posts[record.kind]
  const known = state.mappingOf(record.source, record.kind, record.externalId)
  const stored = known && index.rows.get(known.target)
  const found = record.kind === 'event' ? linksOf(record, state) : undefined
  const own = ownColumns(record)
  const hash = digest([
    own,
    record.slug,
    record.image?.url ?? null,
    found?.links ?? null,
    found?.parent ?? null,
  ])
  const incomplete = found?.incomplete ?? false
  const judged = verdict(known, hash, stored && String(stored.version), options.mirror)
  if (typeof judged === 'object')
    return { decision: { action: 'skip', record, reason: judged.skip }, images: [], incomplete }
  if (judged === 'unchanged')
    return { decision: { action: 'unchanged', record, id: known?.target ?? 0 }, images: [], incomplete }
  const id = stored ? (known?.target ?? 0) : index.freeId(known?.target ?? record.id)
  const version = stored ? stored.version + 1 : (record.version ?? 1)
  const slug = slugFor(record, stored, state)
  const { image, images } = imageFor(record.image, state)
  const columns: Columns = {
    id,
    version,
    author_id: (record.author && state.users.get(record.author.toLowerCase())) || options.authorId,
    slug,
    image_id: image,
    ...own,
    ...(stored ? {} : datesOf(own, options)),
    ...(found && { post_parent: found.parent }),
  }
  if (columns.modified === null) Object.assign(columns, nowIn(options, 'modified'))
  const mapping = { target: id, hash, importedVersion: String(version) }
  const start = record.kind === 'event' ? record.start.utc : ''
  index.set(id, { slug, version, status: record.status, start })
  state.setMapping(record.source, record.kind, record.externalId, mapping)
  const decision: Decision = {
    action: stored ? 'update' : 'create',
    record,
    id,
    columns,
    search: searchText(record),
    mapping,
    slugMoves: stored !== undefined && stored.slug !== slug,
    ...(found && { links: found.links }),
  }
  return { decision, images, incomplete }
}

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
function slugFor(record: PostRecord, stored: StoredPost | undefined, state: State): string {
  const name = record.kind === 'event' ? record.title : record.name
  const base = record.slug || slugify(name) || record.kind
  if (stored && isSlugOf(stored.slug, base)) return stored.slug
  return state.posts[record.kind].freeSlug(base)
}

function imageFor(
  image: ImageRecord | undefined,
  state: State,
): { image: number | null; images: (ImageRecord & { id: number })[] } {
  if (!image) return { image: null, images: [] }
  const known = state.imageIds.get(image.url)
  if (known !== undefined) return { image: known, images: [] }
  const id = state.images.freeId(image.id)
  state.images.set(id, { slug: image.url })
  state.imageIds.set(image.url, id)
  return { image: id, images: [{ ...image, id }] }
}

/** An event's links as our ids; what is unknown so far is left out. */
function linksOf(
  event: EventRecord,
  state: State,
): { links: Links; parent: number | null; incomplete: boolean } {
  let incomplete = false
  const resolve = (kind: AnyRecord['kind'], externalId: readonly string[]): number[] => {
    const rows = kind === 'category' || kind === 'tag' ? state.terms.rows : state.posts[kind].rows
    const ids = externalId
      .flatMap(name => state.mappingOf(event.source, kind, name)?.target ?? [])
      .filter(id => rows.has(id))
    if (ids.length < externalId.length) incomplete = true
    return [...new Set(ids)]
  }
  const links = {
    venues: resolve('venue', event.venues),
    organizers: resolve('organizer', event.organizers),
    terms: [...resolve('category', event.categories), ...resolve('tag', event.tags)],
  }
  const first = event.series === undefined ? undefined : state.series.get(`${event.source}\n${event.series}`)
  const above = event.parent ?? first
  const parent =
    above === undefined || above === event.externalId ? null : (resolve('event', [above])[0] ?? null)
  return { links, parent, incomplete }
}
