import { slugify } from '../lib/slug.ts'
import { type BackupTable, type ColumnsOf, type OwnColumn, pick } from './columns.ts'
import type { EventRecord, ImageRecord, Kind, LinkName, PostRecord, StoredPostRecord } from './records.ts'
import { POST_TABLES } from './records.ts'
import { type Cell, type Columns, ownColumns } from './rows.ts'
import type { State } from './state.ts'

/** Rows of the link tables of one event, without its own id. */
export type Links = Record<LinkName, Columns[]>

/** An event's relations by our ids, as far as these are known so far. */
export type Relations = { links: Links; parent: number | null; incomplete: boolean }

/** A row to be, without what depends on the row that may be stored already. */
export type Draft = {
  /** Null for dates that the source doesn't tell. */
  own: Columns
  /** Slug to have if it is free. */
  slug: string
  author: string | undefined
  image: ImageRecord | undefined
  version: number | undefined
  relations: Relations | undefined
  /** Equal for equal records of one source. */
  fingerprint: readonly unknown[]
}

/** The draft of an event, venue or organizer. */
export function draftOf(record: PostRecord | StoredPostRecord, state: State): Draft {
  const isStored = 'columns' in record
  const relations =
    record.kind !== 'event'
      ? undefined
      : isStored
        ? storedRelations(record, state)
        : relationsOf(record, state)
  const own = isStored
    ? pick(record.columns, POST_TABLES[record.kind], 'value', 'text', 'html', 'url')
    : ownColumns(record)
  const given = isStored ? String(record.columns.slug) : record.slug
  const name = String(own.title ?? own.name ?? '')
  return {
    own: withoutVersion(own),
    slug: given || slugify(name) || record.kind,
    author: record.author,
    image: record.image,
    version: isStored ? Number(record.columns.version) : undefined,
    relations,
    fingerprint: [
      own,
      given,
      record.image?.url ?? null,
      relations ? idsOf(relations.links) : null,
      relations?.parent ?? null,
    ],
  }
}

const withoutVersion = ({ version: _, ...others }: Columns): Columns => others

const idsOf = ({ venues, organizers, terms }: Links) => {
  const ids = (rows: readonly Columns[]) => rows.map(row => row.target_id)
  return { venues: ids(venues), organizers: ids(organizers), terms: ids(terms) }
}

/** Our row for a record of a source; undefined while there is none. */
function rowOf(state: State, source: string, kind: Kind, externalId: string): number | undefined {
  const id = state.mappingOf(source, kind, externalId)?.target
  const rows = kind === 'category' || kind === 'tag' ? state.terms.rows : state.posts[kind].rows
  return id !== undefined && rows.has(id) ? id : undefined
}

/** The columns of a link table but for the event's id, of a link that a source has at a position. */
const linkColumns = {
  eventVenues: (target_id: number, position: number) =>
    ({ target_id, position }) satisfies Record<LinkColumn<'eventVenues'>, Cell>,
  eventOrganizers: (target_id: number, position: number) =>
    ({ target_id, position }) satisfies Record<LinkColumn<'eventOrganizers'>, Cell>,
  eventTerms: (target_id: number) => ({ target_id }) satisfies Record<LinkColumn<'eventTerms'>, Cell>,
}

type LinkColumn<T extends BackupTable> = OwnColumn<T> | ColumnsOf<T, 'reference'>

function relationsOf(event: EventRecord, state: State): Relations {
  let incomplete = false
  const resolve = (kind: Kind, externalIds: readonly string[]): number[] => {
    const ids = externalIds.flatMap(externalId => rowOf(state, event.source, kind, externalId) ?? [])
    if (ids.length < externalIds.length) incomplete = true
    return [...new Set(ids)]
  }
  const terms = [...resolve('category', event.categories), ...resolve('tag', event.tags)]
  const links = {
    venues: resolve('venue', event.venues).map(linkColumns.eventVenues),
    organizers: resolve('organizer', event.organizers).map(linkColumns.eventOrganizers),
    terms: terms.map(linkColumns.eventTerms),
  }
  const first = event.series === undefined ? undefined : state.series.get(`${event.source}\n${event.series}`)
  const above = event.parent ?? first
  const parent =
    above === undefined || above === event.externalId ? null : (resolve('event', [above])[0] ?? null)
  return { links, parent, incomplete }
}

function storedRelations({ source, links, parent }: StoredPostRecord, state: State): Relations {
  let incomplete = false
  const resolve = (kinds: readonly Kind[], externalId: string): number | undefined => {
    const [id] = kinds.flatMap(kind => rowOf(state, source, kind, externalId) ?? [])
    if (id === undefined) incomplete = true
    return id
  }
  const rows = (name: LinkName, ...kinds: Kind[]): Columns[] =>
    (links?.[name] ?? []).flatMap(row => {
      const target_id = resolve(kinds, String(row.target_id))
      return target_id === undefined ? [] : [{ ...row, target_id }]
    })
  return {
    links: {
      venues: rows('venues', 'venue'),
      organizers: rows('organizers', 'organizer'),
      terms: rows('terms', 'category', 'tag'),
    },
    parent: parent === undefined ? null : (resolve(['event'], parent) ?? null),
    incomplete,
  }
}
