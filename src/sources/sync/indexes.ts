import { numberedSlug } from '../../lib/slug.ts'

/** The place of an event in a series that is stored. */
export type StoredOccurrence = { series: number; date: string; isDetached: boolean }

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
  occurrence?: StoredOccurrence | undefined
}

/** Ids grow from the highest, and those of events end at 2^25: a higher one would leave too little room. */
const HIGHEST_KEPT = 2 ** 24

/** The rows of a table by id, with an index of slugs. Planning updates it, so that later chunks see earlier ones. */
export class IdSlugIndex<T extends { slug: string }> {
  readonly rows = new Map<number, T>()
  readonly #slugs = new Set<string>()
  readonly #tried = new Map<string, number>()
  #highest = 0
  readonly #scope: (row: T) => string

  /** @param scope gives the prefix of the group of rows in which slugs must be unique */
  constructor(scope: (row: T) => string = () => '') {
    this.#scope = scope
  }

  /** Keeps ids up to this one from being given to new rows: they may have belonged to deleted ones. */
  reserve(id: number): void {
    this.#highest = Math.max(this.#highest, id)
  }

  set(id: number, row: T): void {
    const before = this.rows.get(id)
    if (before) this.#slugs.delete(this.#scope(before) + before.slug)
    this.rows.set(id, row)
    this.#slugs.add(this.#scope(row) + row.slug)
    this.reserve(id)
  }

  delete(id: number): void {
    const row = this.rows.get(id)
    if (row) this.#slugs.delete(this.#scope(row) + row.slug)
    this.rows.delete(id)
  }

  /** The wanted id if it is free, else a new one. */
  freeId(wanted: number | undefined): number {
    if (wanted !== undefined && wanted <= HIGHEST_KEPT && !this.rows.has(wanted)) return wanted
    this.#highest += 1
    return this.#highest
  }

  isTaken(slug: string, scope = ''): boolean {
    return this.#slugs.has(scope + slug)
  }

  /**
   * The base if it is free, else its first free numbered form.
   *
   * @param isTakenElsewhere tells if a slug that no row has is taken all the same
   */
  freeSlug(base: string, scope = '', isTakenElsewhere: (slug: string) => boolean = () => false): string {
    const isTaken = (slug: string) => this.#slugs.has(scope + slug) || isTakenElsewhere(slug)
    if (!isTaken(base)) return base
    // With a thousand events of one name, counting from 2 each time takes quadratic time.
    const from = this.#tried.get(scope + base) ?? 2
    for (let n = from; ; n += 1) {
      const slug = numberedSlug(base, n)
      if (isTaken(slug)) continue
      this.#tried.set(scope + base, n)
      return slug
    }
  }
}

/** The rows of content, with an index of their external ids. */
export class ContentIndex extends IdSlugIndex<StoredContent> {
  readonly #holders = new Map<string, number>()

  override set(id: number, row: StoredContent): void {
    this.#release(id)
    super.set(id, row)
    if (row.externalId !== '') this.#holders.set(row.externalId, id)
  }

  override delete(id: number): void {
    this.#release(id)
    super.delete(id)
  }

  /** The id of the row that has an external id. */
  holderOf(externalId: string): number | undefined {
    return this.#holders.get(externalId)
  }

  #release(id: number): void {
    const externalId = this.rows.get(id)?.externalId
    if (externalId !== undefined && this.#holders.get(externalId) === id) this.#holders.delete(externalId)
  }
}

/** The rows of events, with an index of the occurrences of series. */
export class EventIndex extends ContentIndex {
  readonly #occurrences = new Map<number, Map<string, number>>()

  override set(id: number, row: StoredContent): void {
    this.#leave(id)
    super.set(id, row)
    if (!row.occurrence) return
    const { series, date } = row.occurrence
    const dates = this.#occurrences.get(series) ?? new Map<string, number>()
    this.#occurrences.set(series, dates.set(date, id))
  }

  override delete(id: number): void {
    this.#leave(id)
    super.delete(id)
  }

  /** The ids of a series' occurrences by their date, those in the trash included. */
  occurrencesOf(series: number): ReadonlyMap<string, number> {
    return this.#occurrences.get(series) ?? new Map()
  }

  #leave(id: number): void {
    const { occurrence } = this.rows.get(id) ?? {}
    const dates = occurrence && this.#occurrences.get(occurrence.series)
    if (dates?.get(occurrence?.date ?? '') === id) dates.delete(occurrence?.date ?? '')
  }
}
