import { uploadedPath } from '../../content/images.ts'
import type { Row } from '../../lib/connection.ts'
import { numberedSlug } from '../../lib/slug.ts'
import { nameKey } from '../../terms/names.ts'
import { fromImportKey, importKey, seriesOf } from '../keys.ts'
import type { RecordKind } from '../records.ts'

/** Our ids of what an event or series refers to, by the field that names it. */
export type Links = Record<'venue' | 'organizer' | 'categories' | 'tags', number[]>

/** The place of an event in a series that is stored. */
export type KnownOccurrence = { series: number; date: string; isDetached: boolean }

/** The columns of a stored row that planning needs. */
export type StoredContent = {
  slug: string
  version: number
  /** Differs if the row was changed here: the version, or for series, which the cron also writes, a digest. */
  edition: string
  status: string
  start: string
  externalId: string
  /** Only of events that are in a series. */
  occurrence?: KnownOccurrence | undefined
}

/** The columns of a stored term that planning needs. */
export type StoredTerm = {
  taxonomy: string
  name: string
  slug: string
  version: number
  parent: number
}

/** A stored image, and the id of its uploaded copy. */
export type StoredImage = {
  url: string
  isSized: boolean
  copy: number | null
  /** True if it is still to be stored. */
  isNew?: boolean
}

/** The texts by which events are found. */
export type EventTexts = { title: string; description: string; excerpt: string }

/** A whole row of an event, with what it refers to. */
export type LoadedEvent = { row: Row; links: Links }

/** Our row for a record, the hash of the record, and the edition that the import left. Null if the row was adopted. */
export type Mapping = { target: number; hash: string; importedVersion: string | null }

/** True if a slug is the other one or a numbered form of it. */
export const isSlugOf = (slug: string, base: string): boolean => {
  const [, n] = /-(\d+)$/.exec(slug) ?? []
  return slug === base || (n !== undefined && slug === numberedSlug(base, Number(n)))
}

/** Ids grow from the highest, and those of events end at 2^25: a higher one would leave too little room. */
const HIGHEST_KEPT = 2 ** 24

/** Rows of a table by id. Planning updates them, so that each record sees what those before it do. */
export class KnownRows<T> {
  readonly rows = new Map<number, T>()
  #highest = 0

  /** Keeps ids up to this one from being given to new rows: they may have belonged to deleted ones. */
  reserve(id: number): void {
    this.#highest = Math.max(this.#highest, id)
  }

  set(id: number, row: T): void {
    this.rows.set(id, row)
    this.reserve(id)
  }

  /** The wanted id if it is free, else a new one. Whether a wanted one is free must have been loaded. */
  freeId(wanted: number | undefined): number {
    if (wanted !== undefined && wanted <= HIGHEST_KEPT && !this.rows.has(wanted)) return wanted
    this.#highest += 1
    return this.#highest
  }
}

/** Rows of content, with an index of their external ids. */
export class ContentRows extends KnownRows<StoredContent> {
  readonly #holders = new Map<string, number>()

  override set(id: number, row: StoredContent): void {
    const before = this.rows.get(id)?.externalId
    if (before !== undefined && this.#holders.get(before) === id) this.#holders.delete(before)
    super.set(id, row)
    if (row.externalId !== '') this.#holders.set(row.externalId, id)
  }

  /** The id of the row that has an external id. */
  holderOf(externalId: string): number | undefined {
    return this.#holders.get(externalId)
  }
}

/** Rows of events, with an index of the occurrences of series. */
class EventRows extends ContentRows {
  readonly #occurrences = new Map<number, Map<string, number>>()

  override set(id: number, row: StoredContent): void {
    const before = this.rows.get(id)?.occurrence
    const left = before && this.#occurrences.get(before.series)
    if (before && left?.get(before.date) === id) left.delete(before.date)
    super.set(id, row)
    if (!row.occurrence) return
    const { series, date } = row.occurrence
    const dates = this.#occurrences.get(series) ?? new Map<string, number>()
    this.#occurrences.set(series, dates.set(date, id))
  }

  /** The ids of a series' occurrences by their date, those in the trash included. */
  occurrencesOf(series: number): ReadonlyMap<string, number> {
    return this.#occurrences.get(series) ?? new Map()
  }
}

/** Rows of images, with an index of their addresses. */
class ImageRows extends KnownRows<StoredImage> {
  readonly #ids = new Map<string, number>()

  override set(id: number, image: StoredImage): void {
    super.set(id, image)
    this.#ids.set(image.url, id)
  }

  /** The id of the image at an address, or of its uploaded copy, unless that was deleted. */
  at(url: string): number | undefined {
    const id = this.#ids.get(uploadedPath(url) ?? url) ?? this.#ids.get(url)
    const copy = id === undefined ? null : this.rows.get(id)?.copy
    return copy != null && this.rows.has(copy) ? copy : id
  }
}

/** Rows of terms, with an index of their names. */
class TermRows extends KnownRows<StoredTerm> {
  readonly #named = new Map<string, Set<number>>()

  override set(id: number, term: StoredTerm): void {
    super.set(id, term)
    const key = keyOf(term)
    this.#named.set(key, (this.#named.get(key) ?? new Set()).add(id))
  }

  /** The oldest term of a name that has the same parent or the same slug. */
  like(wanted: Omit<StoredTerm, 'version'>): number | undefined {
    const ids = [...(this.#named.get(keyOf(wanted)) ?? [])].filter(id => {
      const term = this.rows.get(id)
      const isNamesake = term !== undefined && keyOf(term) === keyOf(wanted)
      return isNamesake && (term.parent === wanted.parent || term.slug === wanted.slug)
    })
    return ids.length === 0 ? undefined : Math.min(...ids)
  }
}

const keyOf = ({ taxonomy, name }: Pick<StoredTerm, 'taxonomy' | 'name'>): string =>
  `${taxonomy}/${nameKey(name)}`

/** The stored rows that some records concern. */
export class State {
  readonly content = {
    event: new EventRows(),
    series: new ContentRows(),
    venue: new ContentRows(),
    organizer: new ContentRows(),
  }
  readonly terms = new TermRows()
  readonly images = new ImageRows()
  /** Ids by login in lower case. */
  readonly users = new Map<string, number>()
  /** Mappings by source, kind and external id. */
  readonly imports = new Map<string, Mapping>()
  /** The keys of those mappings that the database has. */
  readonly stored = new Set<string>()
  /** External ids of the first of events that belong together without being a series, by source and UID. */
  readonly chains = new Map<string, string>()
  /** Free slugs for series, by their keys. */
  readonly seriesSlugs = new Map<string, string>()
  /** Texts of series, by id: those that occurrences of a backup share. */
  readonly texts = new Map<number, EventTexts>()
  /** Whole rows of occurrences that were changed here, by id. */
  readonly loaded = new Map<number, LoadedEvent>()
  readonly #keys = new Map<string, Set<string>>()

  mappingOf(source: string, kind: RecordKind, externalId: string): Mapping | undefined {
    return this.imports.get(importKey(source, kind, externalId))
  }

  setMapping(source: string, kind: RecordKind, externalId: string, mapping: Mapping): void {
    const own = importKey(source, kind, externalId)
    this.deleteMapping(source, kind, externalId)
    this.imports.set(own, mapping)
    const target = `${kind} ${mapping.target}`
    this.#keys.set(target, (this.#keys.get(target) ?? new Set()).add(own))
    const uid = kind === 'event' ? seriesOf(externalId) : undefined
    if (uid === undefined) return
    const key = `${source}\n${uid}`
    const first = this.chains.get(key)
    if (first === undefined || externalId < first) this.chains.set(key, externalId)
  }

  deleteMapping(source: string, kind: RecordKind, externalId: string): void {
    const key = importKey(source, kind, externalId)
    const target = this.imports.get(key)?.target
    this.imports.delete(key)
    if (target !== undefined) this.#keys.get(`${kind} ${target}`)?.delete(key)
  }

  /** The external ids in a source that are mapped to a row of ours. */
  externalIdsOf(source: string, kind: RecordKind, target: number): string[] {
    const named = [...(this.#keys.get(`${kind} ${target}`) ?? [])].map(fromImportKey)
    return named.flatMap(at => (at.source === source ? [at.externalId] : []))
  }

  /** The first of these. */
  externalIdOf(source: string, kind: RecordKind, target: number): string | undefined {
    return this.externalIdsOf(source, kind, target)[0]
  }
}
