import { uploadedPath } from '../../resources/content/images.ts'
import { nameKey } from '../../resources/terms/resource.ts'
import {
  type AnyRecord,
  COLLECTIONS,
  isEventLike,
  isTerm,
  isTermRecordKind,
  occurrenceId,
  type RecordKind,
} from '../records.ts'
import { slugWanted } from './written.ts'

type RecordKey = readonly [kind: RecordKind, externalId: string]

/** A record's kind and external id in one text. */
export const recordKey = (kind: unknown, externalId: unknown): string => `${kind}\n${externalId}`

/** The kinds and external ids of some records and of those that they refer to, by their text. */
export const recordKeys = (records: readonly AnyRecord[]): Map<string, RecordKey> =>
  new Map(records.flatMap(record => [...keysIn(record)].map(key => [recordKey(...key), key])))

function* keysIn(record: AnyRecord): Iterable<RecordKey> {
  const { kind, externalId } = record
  yield [kind, externalId]
  if (isTerm(record)) {
    if (record.parent !== undefined) yield [kind, record.parent]
    return
  }
  if (!isEventLike(record)) return
  for (const id of record.venues) yield ['venue', id]
  for (const id of record.organizers) yield ['organizer', id]
  for (const id of record.categories) yield ['category', id]
  for (const id of record.tags) yield ['tag', id]
  if (record.parent !== undefined) yield ['event', record.parent]
  if (record.kind === 'series') {
    // One that was single until now.
    yield ['event', externalId]
    for (const { externalId: id } of record.dates) if (id !== undefined) yield ['event', id]
  } else if (record.occurrence) {
    const { series } = record.occurrence
    yield ['series', series]
    yield ['event', series]
  } else {
    // One that was an occurrence until now.
    yield ['series', externalId]
    yield ['event', occurrenceId(externalId, record.start.utc)]
  }
}

/** What records name of what may be stored. */
export class NamedRows {
  /** Ids that rows had at the source. */
  readonly ids = {
    ...{ events: new Set<number>(), series: new Set<number>(), venues: new Set<number>() },
    ...{ organizers: new Set<number>(), terms: new Set<number>(), images: new Set<number>() },
  }
  /** Ids of the rows that the named records themselves are mapped to. */
  readonly own = {
    ...{ event: new Set<number>(), series: new Set<number>() },
    ...{ venue: new Set<number>(), organizer: new Set<number>() },
  }
  readonly #records = new Set<string>()
  /** UIDs of events that belong together without being a series. */
  readonly chains = new Set<string>()
  readonly addresses = new Set<string>()
  readonly logins = new Set<string>()
  /** Keys of names of terms. */
  readonly terms = new Set<string>()
  /** Names of venues that may be in the calendar already. */
  readonly venues = new Set<string>()
  /** Our external ids that records have, by their text: those of series are their first events'. */
  readonly externalIds = new Map<string, RecordKey>()
  /** The slugs that series want, those that they name first. */
  readonly seriesSlugs = new Map<string, { slug: string; isNamed: boolean }>()

  constructor(records: readonly AnyRecord[]) {
    for (const record of records) {
      const { kind, externalId, id } = record
      this.#records.add(recordKey(kind, externalId))
      // One that was single until now.
      if (kind === 'series') this.#records.add(recordKey('event', externalId))
      if (kind === 'event' && record.occurrence)
        this.#records.add(recordKey('event', record.occurrence.series))
      if (id !== undefined) this.addTarget(kind, id)
      if (isTerm(record)) {
        this.terms.add(nameKey(record.name))
        continue
      }
      const { image, author, external_id, slug } = record
      if (image) this.addresses.add(image.url).add(uploadedPath(image.url) ?? image.url)
      if (image?.id !== undefined) this.ids.images.add(image.id)
      if (author) this.logins.add(author)
      const holder = record.kind === 'series' ? 'event' : record.kind
      if (external_id) this.externalIds.set(recordKey(holder, external_id), [holder, external_id])
      if (record.kind === 'series')
        this.seriesSlugs.set(externalId, { slug: slugWanted(record), isNamed: slug !== '' })
      if (record.kind === 'event' && record.chain !== undefined) this.chains.add(record.chain)
    }
  }

  /** True if records are to be decided about, and not only what they were imported as. */
  get isPlanning(): boolean {
    return this.#records.size > 0
  }

  /** Notes the row of a mapping. */
  addMapped(kind: RecordKind, externalId: string, id: number): void {
    this.addTarget(kind, id)
    if (!isTermRecordKind(kind) && this.#records.has(recordKey(kind, externalId))) this.own[kind].add(id)
  }

  /** Notes a row that a record is mapped to. */
  addTarget(kind: RecordKind, id: number): void {
    this.ids[isTermRecordKind(kind) ? 'terms' : COLLECTIONS[kind]].add(id)
  }
}
