import { slugify } from '../lib/slug.ts'
import { type DateTime, toWall } from '../lib/time.ts'
import { planTerm } from './plan-terms.ts'
import type { AnyRecord, EventRecord, ImageRecord, PostRecord } from './records.ts'
import { type Columns, ownColumns, searchText } from './rows.ts'
import { digest, isSlugOf, type Mapping, type State, type StoredPost } from './state.ts'

export type Links = { venues: number[]; organizers: number[]; terms: number[] }

/** What is to be done about a record. `quiet` ones write only the mapping. */
export type Decision =
  | {
      action: 'create' | 'update'
      record: AnyRecord
      id: number
      columns: Columns
      links?: Links
      search?: string
      mapping: Mapping
      /** Whether an update changes the slug. */
      slugMoves: boolean
    }
  | { action: 'adopt'; record: AnyRecord; id: number; mapping: Mapping }
  | { action: 'unchanged'; record: AnyRecord; id: number }
  | { action: 'skip'; record: AnyRecord; reason: string }

export type Options = {
  /** Make everything as it is at the source, also what was edited here. */
  mirror: boolean
  authorId: number
  /** UTC. */
  now: DateTime
  /** The site's zone. */
  timezone: string
}

/** A decision, what new images it needs, and whether something that the record links to was not there yet. */
export type Planned = { decision: Decision; images: (ImageRecord & { id: number })[]; incomplete: boolean }

/** Decides about one record, and enters what will be into the state. */
export function plan(record: AnyRecord, state: State, options: Options): Planned {
  return 'status' in record ? planPost(record, state, options) : planTerm(record, state, options)
}

/**
 * What a mapping says about a record (issue: leave alone what was edited here, unless it is to be a mirror).
 *
 * @param stamp what the row is now; undefined if there is none
 */
export function verdict(
  known: Mapping | undefined,
  hash: string,
  stamp: string | undefined,
  mirror: boolean,
): 'create' | 'update' | 'unchanged' | { skip: string } {
  if (!known) return 'create'
  const edited = stamp !== known.stamp
  if (mirror) return stamp === undefined ? 'create' : edited || hash !== known.hash ? 'update' : 'unchanged'
  if (stamp === undefined) return { skip: 'it was deleted here' }
  if (hash === known.hash) return 'unchanged'
  return edited ? { skip: 'it was edited here' } : 'update'
}

function planPost(record: PostRecord, state: State, options: Options): Planned {
  const shelf = state.posts[record.kind]
  const known = state.mappingOf(record.source, record.kind, record.foreign)
  const stored = known && shelf.rows.get(known.target)
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
  const id = stored ? (known?.target ?? 0) : shelf.freeId(known?.target ?? record.id)
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
  const mapping = { target: id, hash, stamp: String(version) }
  const start = record.kind === 'event' ? record.start.utc : ''
  shelf.set(id, { slug, version, status: record.status, start })
  state.setMapping(record.source, record.kind, record.foreign, mapping)
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
  const resolve = (kind: AnyRecord['kind'], foreign: readonly string[]): number[] => {
    const rows = kind === 'category' || kind === 'tag' ? state.terms.rows : state.posts[kind].rows
    const ids = foreign
      .flatMap(name => state.mappingOf(event.source, kind, name)?.target ?? [])
      .filter(id => rows.has(id))
    if (ids.length < foreign.length) incomplete = true
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
    above === undefined || above === event.foreign ? null : (resolve('event', [above])[0] ?? null)
  return { links, parent, incomplete }
}
