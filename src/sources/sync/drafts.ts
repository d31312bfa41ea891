import type { Row, Value } from '../../lib/connection.ts'
import { slugify } from '../../lib/slug.ts'
import { type BackupTable, type ColumnsOf, type OwnColumn, pick, TABLE_OF } from '../columns.ts'
import type {
  ContentRecord,
  EventRecord,
  ImageRecord,
  LinkName,
  RecordKind,
  SeriesRecord,
  StoredContentRecord,
} from '../records.ts'
import { ownColumns } from './rows.ts'
import type { State } from './state.ts'

/** The rows of one event in the link tables, without its id. */
export type Links = Record<LinkName, Row[]>

/** The relations of an event or series by our ids. They are incomplete if some ids are not known yet. */
export type DraftRelations = {
  links: Links
  parent: number | null
  /** The series of an occurrence; null for single events, undefined if it is not here. */
  series: number | null | undefined
  incomplete: boolean
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

/** The draft of content. */
export function draftOf(record: ContentRecord | StoredContentRecord, state: State): RowDraft {
  const isStored = 'columns' in record
  const relations =
    record.kind !== 'event' && record.kind !== 'series'
      ? undefined
      : 'columns' in record
        ? storedRelations(record, state)
        : relationsOf(record, state)
  const own = isStored
    ? pick(record.columns, TABLE_OF[record.kind], 'value', 'text', 'html', 'url', 'custom_fields')
    : ownColumns(record)
  const given = isStored ? String(record.columns.slug) : record.slug
  const externalId = isStored ? String(record.columns.external_id ?? '') : record.external_id
  const name = String(own.title ?? own.name ?? '')
  return {
    own: withoutVersion(own),
    slug: given || slugify(name) || (record.kind === 'series' ? 'event' : record.kind),
    author: record.author,
    image: record.image,
    version: isStored ? Number(record.columns.version) : undefined,
    externalId,
    relations,
    fingerprint: [
      fingerprinted(own, relations),
      given,
      record.image?.url ?? null,
      relations ? idsOf(relations.links) : null,
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

const idsOf = ({ venues, organizers, terms }: Links) => {
  const ids = (rows: readonly Row[]) => rows.map(row => row.target_id)
  return { venues: ids(venues), organizers: ids(organizers), terms: ids(terms) }
}

/** The id of our row for a record of a source; undefined while there is none. */
export function rowOf(
  state: State,
  source: string,
  kind: RecordKind,
  externalId: string,
): number | undefined {
  const id = state.mappingOf(source, kind, externalId)?.target
  const rows = kind === 'category' || kind === 'tag' ? state.terms.rows : state.content[kind].rows
  return id !== undefined && rows.has(id) ? id : undefined
}

/** The columns of link tables, except for the event's id, by target and position. */
const linkColumns = {
  eventVenues: (target_id: number, position: number) =>
    ({ target_id, position }) satisfies Record<LinkColumn<'eventVenues'>, Value>,
  eventOrganizers: (target_id: number, position: number) =>
    ({ target_id, position }) satisfies Record<LinkColumn<'eventOrganizers'>, Value>,
  eventTerms: (target_id: number) => ({ target_id }) satisfies Record<LinkColumn<'eventTerms'>, Value>,
}

type LinkColumn<T extends BackupTable> = OwnColumn<T> | ColumnsOf<T, 'reference'>

function relationsOf(event: EventRecord | SeriesRecord, state: State): DraftRelations {
  let incomplete = false
  const resolve = (kind: RecordKind, externalIds: readonly string[]): number[] => {
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
  const { occurrence, chain }: Partial<EventRecord> = event.kind === 'event' ? event : {}
  const above =
    event.parent ?? (chain === undefined ? undefined : state.chains.get(`${event.source}\n${chain}`))
  const parent =
    above === undefined || above === event.externalId ? null : (resolve('event', [above])[0] ?? null)
  const series = occurrence ? rowOf(state, event.source, 'series', occurrence.series) : null
  return { links, parent, series, incomplete }
}

function storedRelations(
  { source, links, parent, series }: StoredContentRecord,
  state: State,
): DraftRelations {
  let incomplete = false
  const resolve = (kinds: readonly RecordKind[], externalId: string): number | undefined => {
    const [id] = kinds.flatMap(kind => rowOf(state, source, kind, externalId) ?? [])
    if (id === undefined) incomplete = true
    return id
  }
  const rows = (name: LinkName, ...kinds: RecordKind[]): Row[] =>
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
    series: series === undefined ? null : resolve(['series'], series),
    incomplete,
  }
}
