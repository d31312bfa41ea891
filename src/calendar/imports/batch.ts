import type { CalendarContext } from '../../kit/context.ts'
import type { RawRow } from '../../kit/db/query.ts'
import { uploadedPath } from '../content/images.ts'
import { type LinkedIds, NO_LINKS } from '../events/imported-events.ts'
import { ExistingOrganizers } from '../organizers/same-organizer.ts'
import type { ImportedTerm } from '../terms/writes.ts'
import { ExistingVenues } from '../venues/same-venue.ts'
import type { ProtectedValues } from './protection.ts'
import {
  COLLECTIONS,
  type ContentRecordKind,
  importKey,
  isTermRecordKind,
  type RecordKind,
  seriesOf,
} from './records.ts'

/** The columns of a stored row that planning needs. */
export type StoredContent = {
  id: number
  slug: string
  version: number
  /**
   * The version or, for series, which the cron also writes, a digest: it differs if the row was changed here.
   */
  revision: string
  /** The relations of a series in one text. */
  linked?: string
  status: string
  externalId: string
  occurrence?: { series: number; date: string; isDetached: boolean } | undefined
  /** The whole stored row, if the planned row is compared with it. */
  row?: RawRow | undefined
  /** The values that an event with registrations keeps. */
  protection?: ProtectedValues | undefined
  /** The rows that an event refers to, if the planned row is compared with them. */
  links?: LinkedIds | undefined
}

/** An event of a series. */
export type OccurrenceRow = StoredContent & { occurrence: NonNullable<StoredContent['occurrence']> }

/** The columns of a stored term that planning needs. */
type StoredTerm = ImportedTerm & { name_key: string; version: number }

/** An image, or its uploaded copy. `isNew` is true if it is still to be stored. */
type KnownImage = { id: number; isSized: boolean; isNew?: boolean }

/**
 * Our row for a record, the hash of the record, and the revision that the import left. Null if the row was
 * linked to an existing one.
 */
export type Mapping = {
  target: number
  hash: string
  importedVersion: string | null
  /** The target that the database has; undefined for a new mapping. */
  storedTarget?: number | undefined
}

/**
 * The highest id of a source that is kept. New ids follow the highest id, and ids of events end at 2^25: a
 * higher id would leave too little room.
 */
const HIGHEST_KEPT_ID = 2 ** 24

/** The ids of a table. A source's own ids are kept where they are free. */
class Ids {
  readonly #taken = new Set<number>()
  #highest = 0

  /** Keeps ids up to this one from being given to new rows: they may have belonged to deleted rows. */
  reserve(id: number): void {
    this.#highest = Math.max(this.#highest, id)
  }

  take(id: number): void {
    this.#taken.add(id)
    this.reserve(id)
  }

  /** The wanted id if it is free, else a new id. The batch must have loaded whether wanted ids are free. */
  takeFree(wantedId: number | undefined): number {
    const isFree = wantedId !== undefined && wantedId <= HIGHEST_KEPT_ID && !this.#taken.has(wantedId)
    const id = isFree ? wantedId : this.#highest + 1
    this.take(id)
    return id
  }
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value))
}

type BatchOptions = {
  source: string
  /** True to make everything as it is at the source, and to undo edits made here. */
  mirror: boolean
  /** The author of new content whose source names none. */
  authorId: number
}

/**
 * The mappings and rows that some records of a source concern: first as they are stored, then as the
 * decisions about earlier records leave them. A dry run, which writes nothing, uses one batch throughout. New
 * rows have their ids before they are written, because hashes of dates and revisions of series contain ids.
 */
export class ImportBatch {
  readonly context: CalendarContext
  readonly mirror: boolean
  readonly authorId: number
  /** The source of the records that are planned. A dry run may change it. */
  source: string
  readonly rows = {
    event: new Map<number, StoredContent>(),
    series: new Map<number, StoredContent>(),
    venue: new Map<number, StoredContent>(),
    organizer: new Map<number, StoredContent>(),
  }
  /** The terms by id, which `setTerm` sets. */
  readonly terms = new Map<number, StoredTerm>()
  readonly images = new Map<string, KnownImage>()
  readonly ids = {
    events: new Ids(),
    series: new Ids(),
    venues: new Ids(),
    organizers: new Ids(),
    terms: new Ids(),
    images: new Ids(),
  }
  /** Ids by login in lower case. */
  readonly users = new Map<string, number>()
  /** Free slugs for series, by their external ids. */
  readonly seriesSlugs = new Map<string, string>()
  /**
   * The links that the source's settings give its events. Venues and organizers are for events that name
   * none.
   */
  sourceLinks: LinkedIds = NO_LINKS
  /** Venues that may be the same as a new venue, including venues that earlier records have made. */
  readonly existingVenues = new ExistingVenues()
  /** Organizers that may be the same as a new organizer, including those that earlier records have made. */
  readonly existingOrganizers = new ExistingOrganizers()
  readonly #mappings = new Map<string, Mapping>()
  /** The external ids of the first of events that belong together without being a series, by their UID. */
  readonly #chains = new Map<string, string>()
  /** The external ids that are mapped to each row. */
  readonly #externalIds = new Map<string, Set<string>>()
  // The maps below have ids of rows, which may have got another external id, date, series or name since.
  /** By kind and our own external id. */
  readonly #idsByExternalId = new Map<string, number>()
  /** Of events, by their series and their date in it. */
  readonly #idsByDate = new Map<string, number>()
  /** Of events, by their series. */
  readonly #datesOfSeries = new Map<number, Set<number>>()
  /** Of terms, by their taxonomy and name. */
  readonly #termsByName = new Map<string, Set<number>>()

  constructor(context: CalendarContext, { source, mirror, authorId }: BatchOptions) {
    this.context = context
    this.source = source
    this.mirror = mirror
    this.authorId = authorId
  }

  mappingOf(kind: RecordKind, externalId: string): Mapping | undefined {
    return this.#mappings.get(importKey(this.source, kind, externalId))
  }

  setMapping(kind: RecordKind, externalId: string, mapping: Mapping): Mapping {
    const { storedTarget = mapping.storedTarget } = this.removeMapping(kind, externalId) ?? {}
    const storedMapping = { ...mapping, storedTarget }
    this.#mappings.set(importKey(this.source, kind, externalId), storedMapping)
    const target = importKey(this.source, kind, String(mapping.target))
    addTo(this.#externalIds, target, externalId)
    const uid = kind === 'event' ? seriesOf(externalId) : undefined
    const first = this.firstOfChain(uid)
    if (uid !== undefined && (first === undefined || externalId < first))
      this.#chains.set(importKey(this.source, kind, uid), externalId)
    return storedMapping
  }

  removeMapping(kind: RecordKind, externalId: string): Mapping | undefined {
    const mapping = this.mappingOf(kind, externalId)
    this.#mappings.delete(importKey(this.source, kind, externalId))
    if (mapping)
      this.#externalIds.get(importKey(this.source, kind, String(mapping.target)))?.delete(externalId)
    return mapping
  }

  externalIdsOf(kind: RecordKind, target: number): string[] {
    return [...(this.#externalIds.get(importKey(this.source, kind, String(target))) ?? [])]
  }

  /** The mapping of a row of ours by the first external id that is mapped to it. */
  mappingTo(kind: RecordKind, target: number): Mapping | undefined {
    const [externalId] = this.externalIdsOf(kind, target)
    return externalId === undefined ? undefined : this.mappingOf(kind, externalId)
  }

  /** The row of a record; undefined if there is none, or if it was deleted here. */
  rowOf(kind: ContentRecordKind, externalId: string): StoredContent | undefined {
    const mapping = this.mappingOf(kind, externalId)
    return mapping && this.rows[kind].get(mapping.target)
  }

  /** The id of our row for a record; undefined while there is none. */
  idOf(kind: RecordKind, externalId: string): number | undefined {
    const id = this.mappingOf(kind, externalId)?.target
    const rows = isTermRecordKind(kind) ? this.terms : this.rows[kind]
    return id !== undefined && rows.has(id) ? id : undefined
  }

  setRow(kind: ContentRecordKind, row: StoredContent): void {
    const { id, externalId, occurrence } = row
    this.rows[kind].set(id, row)
    this.ids[COLLECTIONS[kind]].take(id)
    if (externalId !== '') this.#idsByExternalId.set(`${kind} ${externalId}`, id)
    if (!occurrence) return
    const { series, date } = occurrence
    this.#idsByDate.set(`${series} ${date}`, id)
    addTo(this.#datesOfSeries, series, id)
  }

  setTerm(id: number, term: StoredTerm): void {
    this.terms.set(id, term)
    addTo(this.#termsByName, `${term.taxonomy} ${term.name_key}`, id)
  }

  /** The id of the row that has one of our external ids. */
  holderOf(kind: ContentRecordKind, externalId: string): number | undefined {
    const id = this.#idsByExternalId.get(`${kind} ${externalId}`) ?? 0
    return externalId !== '' && this.rows[kind].get(id)?.externalId === externalId ? id : undefined
  }

  /** The occurrences of a series, those in the trash included. */
  occurrencesOf(series: number | undefined): OccurrenceRow[] {
    return [...(this.#datesOfSeries.get(series ?? 0) ?? [])]
      .map(id => this.rows.event.get(id))
      .filter(
        (row): row is OccurrenceRow => row?.occurrence !== undefined && row.occurrence.series === series,
      )
  }

  occurrenceAt(series: number | undefined, date: string): StoredContent | undefined {
    const row = this.rows.event.get(this.#idsByDate.get(`${series} ${date}`) ?? 0)
    return row?.occurrence?.series === series && row?.occurrence?.date === date ? row : undefined
  }

  /** The external id of the first of the events that have a UID together without being a series. */
  firstOfChain(uid: string | undefined): string | undefined {
    return uid === undefined ? undefined : this.#chains.get(importKey(this.source, 'event', uid))
  }

  /** The image at an address, or its uploaded copy, unless that was deleted. */
  imageAt(url: string): KnownImage | undefined {
    return this.images.get(uploadedPath(url) ?? url) ?? this.images.get(url)
  }

  /** The id of the oldest term of a name that has the same parent or one of some slugs. */
  termLike(
    wantedTerm: Pick<StoredTerm, 'taxonomy' | 'name_key' | 'parent'> & { slugs: readonly string[] },
  ): number | undefined {
    const { taxonomy, name_key, slugs, parent } = wantedTerm
    const ids = [...(this.#termsByName.get(`${taxonomy} ${name_key}`) ?? [])].filter(id => {
      const term = this.terms.get(id)
      const isNamed = term?.taxonomy === taxonomy && term.name_key === name_key
      return isNamed && (term.parent === parent || slugs.includes(term.slug))
    })
    return ids.length === 0 ? undefined : Math.min(...ids)
  }
}
