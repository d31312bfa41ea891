import type { Taxonomy } from '../../db/schema.ts'
import type { Row } from '../../lib/connection.ts'
import { uploadedPath } from '../../resources/content/images.ts'
import type { RelatedValues } from '../../resources/content/related/resource.ts'
import { type Links, NO_LINKS } from '../../resources/events/imported.ts'
import { nameKey } from '../../resources/terms/resource.ts'
import { importKey, type RecordKind, seriesOf } from '../records.ts'

/** The columns of a stored row that planning needs. */
export type StoredContent = {
  slug: string
  version: number
  /** Differs if the row was changed here: the version, or for series, which the cron also writes, a digest. */
  edition: string
  /** The relations of a series in one text. */
  linked?: string
  status: string
  start: string
  externalId: string
  /** The place of an event in its series. */
  occurrence?: { series: number; date: string; isDetached: boolean } | undefined
  /** The whole row as it is stored, if what would be written is compared with it. */
  row?: Row | undefined
  /** What an event refers to, likewise. */
  links?: Links | undefined
}

/** The columns of a stored term that planning needs. */
export type StoredTerm = {
  taxonomy: Taxonomy
  name: string
  description: string
  slug: string
  version: number
  parent: number
  standalone: boolean
}

/** A stored image, and the id of its uploaded copy. */
type StoredImage = {
  url: string
  isSized: boolean
  copy: number | null
  /** True if it is still to be stored. */
  isNew?: boolean
}

/** Our row for a record, the hash of the record, and the edition that the import left. Null if the row was adopted. */
export type Mapping = { target: number; hash: string; importedVersion: string | null }

/** Ids grow from the highest, and those of events end at 2^25: a higher one would leave too little room. */
const HIGHEST_KEPT = 2 ** 24

/** Rows of a table by id, and by keys that several may have. Planning updates them, so that each record sees what those before it do. */
class KnownRows<T> {
  readonly rows = new Map<number, T>()
  readonly #keysOf: (row: T) => readonly string[]
  readonly #ids = new Map<string, Set<number>>()
  #highest = 0

  constructor(keysOf: (row: T) => readonly string[] = () => []) {
    this.#keysOf = keysOf
  }

  /** Keeps ids up to this one from being given to new rows: they may have belonged to deleted ones. */
  reserve(id: number): void {
    this.#highest = Math.max(this.#highest, id)
  }

  set(id: number, row: T): void {
    const before = this.rows.get(id)
    for (const key of before ? this.#keysOf(before) : []) this.#ids.get(key)?.delete(id)
    this.rows.set(id, row)
    this.reserve(id)
    for (const key of this.#keysOf(row)) this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id))
  }

  /** The ids of the rows that have a key. */
  having(key: string): number[] {
    return [...(this.#ids.get(key) ?? [])]
  }

  /** The wanted id if it is free, else a new one. Whether a wanted one is free must have been loaded. */
  freeId(wanted: number | undefined): number {
    if (wanted !== undefined && wanted <= HIGHEST_KEPT && !this.rows.has(wanted)) return wanted
    this.#highest += 1
    return this.#highest
  }
}

const contentKeys = ({ externalId, occurrence }: StoredContent): string[] => [
  ...(externalId === '' ? [] : [`id ${externalId}`]),
  ...(occurrence ? [`series ${occurrence.series}`, `series ${occurrence.series} ${occurrence.date}`] : []),
]

const termKey = ({ taxonomy, name }: Pick<StoredTerm, 'taxonomy' | 'name'>): string =>
  `${taxonomy}/${nameKey(name)}`

/** The stored rows that some records concern. */
export class State {
  readonly content = {
    event: new KnownRows(contentKeys),
    series: new KnownRows(contentKeys),
    venue: new KnownRows(contentKeys),
    organizer: new KnownRows(contentKeys),
  }
  readonly terms = new KnownRows<StoredTerm>(term => [termKey(term)])
  readonly images = new KnownRows<StoredImage>(({ url }) => [url])
  /** Ids by login in lower case. */
  readonly users = new Map<string, number>()
  /** The targets of those mappings that the database has, by their keys. */
  readonly stored = new Map<string, number>()
  /** External ids of the first of events that belong together without being a series, by source and UID. */
  readonly chains = new Map<string, string>()
  /** Free slugs for series, by their keys. */
  readonly seriesSlugs = new Map<string, string>()
  /** What events get beside what their source says: venues and organizers if it names none. */
  own: Links = NO_LINKS
  /** Finds the public venue that a new one is. */
  existingVenue: (values: RelatedValues) => number | undefined = () => undefined
  readonly #mappings = new Map<string, Mapping>()
  /** Of each row of ours, by a key with its id. */
  readonly #externalIds = new Map<string, Set<string>>()

  mappingOf(source: string, kind: RecordKind, externalId: string): Mapping | undefined {
    return this.#mappings.get(importKey(source, kind, externalId))
  }

  setMapping(source: string, kind: RecordKind, externalId: string, mapping: Mapping): void {
    const own = importKey(source, kind, externalId)
    this.deleteMapping(source, kind, externalId)
    this.#mappings.set(own, mapping)
    const target = importKey(source, kind, String(mapping.target))
    this.#externalIds.set(target, (this.#externalIds.get(target) ?? new Set()).add(externalId))
    const uid = kind === 'event' ? seriesOf(externalId) : undefined
    if (uid === undefined) return
    const key = `${source}\n${uid}`
    const first = this.chains.get(key)
    if (first === undefined || externalId < first) this.chains.set(key, externalId)
  }

  deleteMapping(source: string, kind: RecordKind, externalId: string): void {
    const key = importKey(source, kind, externalId)
    const target = this.#mappings.get(key)?.target
    this.#mappings.delete(key)
    if (target !== undefined)
      this.#externalIds.get(importKey(source, kind, String(target)))?.delete(externalId)
  }

  /** The external ids in a source that are mapped to a row of ours. */
  externalIdsOf(source: string, kind: RecordKind, target: number): string[] {
    return [...(this.#externalIds.get(importKey(source, kind, String(target))) ?? [])]
  }

  /** The mapping of a row of ours by the first of these. */
  mappingTo(source: string, kind: RecordKind, target: number): Mapping | undefined {
    const [externalId] = this.externalIdsOf(source, kind, target)
    return externalId === undefined ? undefined : this.mappingOf(source, kind, externalId)
  }

  /** The occurrences of a series by their date, those in the trash included. */
  occurrencesOf(series: number | undefined): [date: string, id: number][] {
    const { event } = this.content
    return event.having(`series ${series}`).map(id => [event.rows.get(id)?.occurrence?.date ?? '', id])
  }

  occurrenceAt(series: number | undefined, date: string): number | undefined {
    return this.content.event.having(`series ${series} ${date}`).at(-1)
  }

  /** The id of the image at an address, or of its uploaded copy, unless that was deleted. */
  imageAt = (url: string): number | undefined => {
    const [id] = [uploadedPath(url) ?? url, url].flatMap(at => this.images.having(at))
    const copy = id === undefined ? null : this.images.rows.get(id)?.copy
    return copy != null && this.images.rows.has(copy) ? copy : id
  }

  /** The oldest term of a name that has the same parent or the same slug. */
  termLike(wanted: Pick<StoredTerm, 'taxonomy' | 'name' | 'slug' | 'parent'>): number | undefined {
    const ids = this.terms.having(termKey(wanted)).filter(id => {
      const term = this.terms.rows.get(id)
      return term?.parent === wanted.parent || term?.slug === wanted.slug
    })
    return ids.length === 0 ? undefined : Math.min(...ids)
  }
}
