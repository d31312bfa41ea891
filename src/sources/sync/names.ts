import { uploadedPath } from '../../content/images.ts'
import { nameKey } from '../../terms/names.ts'
import { occurrenceId } from '../keys.ts'
import { type AnyRecord, isTerm, type RecordKind, recordName, type StoredRecord } from '../records.ts'
import { namedExternalId, namedSlug, wantedSlug } from './drafts.ts'

type Table = 'events' | 'series' | 'venues' | 'organizers' | 'terms' | 'images'

const TABLES = {
  event: 'events',
  series: 'series',
  venue: 'venues',
  organizer: 'organizers',
  category: 'terms',
  tag: 'terms',
} as const satisfies Record<RecordKind, Table>

/** What records name of what may be stored. */
export class NamedRows {
  /** Records by their kind and external id: the named ones themselves, and those that they refer to. */
  readonly keys = new Map<string, [kind: RecordKind, externalId: string]>()
  /** Ids that rows had at the source. */
  readonly ids: Record<Table, Set<number>> = {
    ...{ events: new Set(), series: new Set(), venues: new Set() },
    ...{ organizers: new Set(), terms: new Set(), images: new Set() },
  }
  /** UIDs of events that belong together without being a series. */
  readonly chains = new Set<string>()
  readonly addresses = new Set<string>()
  readonly logins = new Set<string>()
  /** Keys of names of terms. */
  readonly terms = new Set<string>()
  readonly externalIds = { event: new Set<string>(), venue: new Set<string>(), organizer: new Set<string>() }
  /** The slugs that series want, those that they name first. */
  readonly seriesSlugs = new Map<string, { slug: string; isNamed: boolean }>()

  constructor(records: readonly AnyRecord[]) {
    for (const record of records) this.#add(record)
  }

  #refer(kind: RecordKind, ...externalIds: (string | undefined)[]): void {
    for (const externalId of externalIds)
      if (externalId !== undefined) this.keys.set(`${kind}\n${externalId}`, [kind, externalId])
  }

  #add(record: AnyRecord): void {
    const { kind, externalId, id } = record
    this.#refer(kind, externalId)
    if (id !== undefined) this.ids[TABLES[kind]].add(id)
    if (isTerm(record)) {
      this.terms.add(nameKey(recordName(record)))
      this.#refer(kind, record.parent)
      return
    }
    if (record.image) {
      const { url, id: imageId } = record.image
      this.addresses.add(url).add(uploadedPath(url) ?? url)
      if (imageId !== undefined) this.ids.images.add(imageId)
    }
    if (record.author) this.logins.add(record.author)
    const own = namedExternalId(record)
    if (own && record.kind !== 'series') this.externalIds[record.kind].add(own)
    if (record.kind === 'series') {
      const wanted = { slug: wantedSlug(record), isNamed: namedSlug(record) !== '' }
      this.seriesSlugs.set(externalId, wanted)
    }
    if ('columns' in record) this.#addStored(record)
    else if (record.kind === 'event' || record.kind === 'series') {
      this.#refer('venue', ...record.venues)
      this.#refer('organizer', ...record.organizers)
      this.#refer('category', ...record.categories)
      this.#refer('tag', ...record.tags)
      this.#refer('event', record.parent)
      if (record.kind === 'series')
        this.#refer('event', externalId, ...record.dates.map(date => date.externalId))
      else {
        const { occurrence, chain, start } = record
        if (chain !== undefined) this.chains.add(chain)
        this.#refer('series', occurrence?.series ?? externalId)
        // One that was single, or an occurrence, until now.
        this.#refer('event', occurrence?.series ?? occurrenceId(externalId, start.utc))
      }
    }
  }

  #addStored({ links, parent, series }: StoredRecord): void {
    const idsIn = (name: 'venues' | 'organizers' | 'terms') =>
      (links?.[name] ?? []).map(row => String(row.target_id))
    this.#refer('venue', ...idsIn('venues'))
    this.#refer('organizer', ...idsIn('organizers'))
    this.#refer('category', ...idsIn('terms'))
    this.#refer('tag', ...idsIn('terms'))
    this.#refer('event', parent)
    this.#refer('series', series)
  }

  /** Notes the rows that records are mapped to. */
  addTarget(kind: RecordKind, id: number): void {
    this.ids[TABLES[kind]].add(id)
  }
}
