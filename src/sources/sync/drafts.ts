import type { Row } from '../../lib/connection.ts'
import { slugify } from '../../lib/slug.ts'
import { ownValues, TABLE_OF, TABLES } from '../columns.ts'
import type {
  ContentRecord,
  EventRecord,
  ImageRecord,
  LinkName,
  RecordKind,
  SeriesRecord,
  StoredContentRecord,
} from '../records.ts'
import { hashed, ownColumns } from './rows.ts'
import type { Links, State } from './state.ts'

/** What an event or series refers to. It is incomplete if some of it is not known yet. */
export type DraftRelations = {
  links: Links
  parent: number | null
  /** The series of an occurrence; null for single events, undefined if it is not here. */
  series: number | null | undefined
  incomplete: boolean
  fingerprint: unknown
}

/** The parts of a new row that don't depend on a row that may be stored already. */
export type RowDraft = {
  /** Dates that the source doesn't have are null. */
  own: Row
  /** The slug to take if it is free. */
  slug: string
  author: string | undefined
  image: ImageRecord | undefined
  version: number | undefined
  /** Undefined if the source has no such ids. */
  externalId: string | undefined
  relations: DraftRelations | undefined
  /** Equal for equal records of one source. */
  fingerprint: readonly unknown[]
}

/** The slug that a record names, if it does. */
export const namedSlug = (record: ContentRecord | StoredContentRecord): string =>
  'columns' in record ? String(record.columns.slug) : record.slug

/** The slug that a record is to have. */
export function wantedSlug(record: ContentRecord | StoredContentRecord): string {
  const { title, name } =
    'columns' in record ? record.columns : { title: undefined, name: undefined, ...record }
  const { kind } = record
  return namedSlug(record) || slugify(String(title ?? name ?? '')) || (kind === 'series' ? 'event' : kind)
}

/** The external id that a record names; undefined if its source has no such ids. */
export const namedExternalId = (record: ContentRecord | StoredContentRecord): string | undefined =>
  'columns' in record ? String(record.columns.external_id ?? '') : record.external_id

/** The draft of content. */
export function draftOf(record: ContentRecord | StoredContentRecord, state: State): RowDraft {
  const isStored = 'columns' in record
  const relations =
    record.kind !== 'event' && record.kind !== 'series'
      ? undefined
      : 'columns' in record
        ? storedRelations(record, state)
        : relationsOf(record, state)
  const own = isStored ? ownValues(record.columns, TABLE_OF[record.kind]) : ownColumns(record)
  const externalId = namedExternalId(record)
  return {
    own: withoutVersion(own),
    slug: wantedSlug(record),
    author: record.author,
    image: record.image,
    version: isStored ? Number(record.columns.version) : undefined,
    externalId,
    relations,
    fingerprint: [
      hashed(fingerprinted(own, relations), TABLES[TABLE_OF[record.kind]], isStored),
      namedSlug(record),
      record.image?.url ?? null,
      relations?.fingerprint ?? null,
      relations?.parent ?? null,
      externalId ?? null,
      ...(relations?.series == null ? [] : [relations.series]),
    ],
  }
}

/** Single events have the same hash as before there were series. */
function fingerprinted(own: Row, relations: DraftRelations | undefined): Row {
  if (relations?.series !== null || !('occurrence_date' in own)) return own
  const { occurrence_date: _, detached: _detached, ...others } = own
  return others
}

const withoutVersion = ({ version: _, ...others }: Row): Row => others

/** The id of our row for a record of a source; undefined while there is none. */
export function knownRow(
  state: State,
  source: string,
  kind: RecordKind,
  externalId: string,
): number | undefined {
  const id = state.mappingOf(source, kind, externalId)?.target
  const { rows } = kind === 'category' || kind === 'tag' ? state.terms : state.content[kind]
  return id !== undefined && rows.has(id) ? id : undefined
}

/** Resolves references of one record. */
function resolver(state: State, source: string) {
  const missing: string[] = []
  const resolve = (kind: RecordKind, externalIds: readonly string[]): number[] => {
    const ids = externalIds.flatMap(externalId => {
      const id = knownRow(state, source, kind, externalId)
      if (id === undefined) missing.push(externalId)
      return id ?? []
    })
    return [...new Set(ids)]
  }
  return { resolve, isIncomplete: () => missing.length > 0 }
}

/** What the hashes of databases cover: terms are in the order of the source. */
const fingerprintOf = ({ venue, organizer }: Links, terms: readonly number[]) => ({
  venues: venue,
  organizers: organizer,
  terms,
})

function relationsOf(event: EventRecord | SeriesRecord, state: State): DraftRelations {
  const { resolve, isIncomplete } = resolver(state, event.source)
  const links = {
    categories: resolve('category', event.categories),
    tags: resolve('tag', event.tags),
    venue: resolve('venue', event.venues),
    organizer: resolve('organizer', event.organizers),
  }
  const { occurrence, chain }: Partial<EventRecord> = event.kind === 'event' ? event : {}
  const above =
    event.parent ?? (chain === undefined ? undefined : state.chains.get(`${event.source}\n${chain}`))
  const parent =
    above === undefined || above === event.externalId ? null : (resolve('event', [above])[0] ?? null)
  const series = occurrence ? knownRow(state, event.source, 'series', occurrence.series) : null
  const fingerprint = fingerprintOf(links, [...links.categories, ...links.tags])
  return { links, parent, series, incomplete: isIncomplete(), fingerprint }
}

function storedRelations(
  { source, links: given, parent, series }: StoredContentRecord,
  state: State,
): DraftRelations {
  const { resolve, isIncomplete } = resolver(state, source)
  const idsIn = (name: LinkName) => (given?.[name] ?? []).map(row => String(row.target_id))
  // Categories and tags are in one table.
  const isTag = (id: string) => state.mappingOf(source, 'tag', id) !== undefined
  const terms = idsIn('terms').flatMap(id => {
    const kind = isTag(id) ? ('tag' as const) : ('category' as const)
    return resolve(kind, [id]).map(target => ({ kind, target }))
  })
  const of = (wanted: 'category' | 'tag') =>
    terms.flatMap(({ kind, target }) => (kind === wanted ? [target] : []))
  const links = {
    venue: resolve('venue', idsIn('venues')),
    organizer: resolve('organizer', idsIn('organizers')),
    categories: of('category'),
    tags: of('tag'),
  }
  return {
    links,
    parent: parent === undefined ? null : (resolve('event', [parent])[0] ?? null),
    series: series === undefined ? null : resolve('series', [series])[0],
    incomplete: isIncomplete(),
    fingerprint: fingerprintOf(
      links,
      terms.map(({ target }) => target),
    ),
  }
}
