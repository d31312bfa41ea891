import { uploadedPath } from '../../resources/content/images.ts'
import { nameKey } from '../../resources/terms/resource.ts'
import { COLLECTIONS, isTermRecordKind, occurrenceId, type RecordKind } from '../records.ts'
import { type Draft, isTermDraft } from './draft.ts'

/** What drafts name of what may be stored. */
export class NamedRows {
  /** Records by their kind and external id: the named ones themselves, and those that they refer to. */
  readonly keys = new Map<string, [kind: RecordKind, externalId: string]>()
  /** Ids that rows had at the source. */
  readonly ids = {
    ...{ events: new Set<number>(), series: new Set<number>(), venues: new Set<number>() },
    ...{ organizers: new Set<number>(), terms: new Set<number>(), images: new Set<number>() },
  }
  /** UIDs of events that belong together without being a series. */
  readonly chains = new Set<string>()
  readonly addresses = new Set<string>()
  readonly logins = new Set<string>()
  /** Keys of names of terms. */
  readonly terms = new Set<string>()
  /** Names of venues that may be in the calendar already. */
  readonly venues = new Set<string>()
  readonly externalIds = { event: new Set<string>(), venue: new Set<string>(), organizer: new Set<string>() }
  /** The slugs that series want, those that they name first. */
  readonly seriesSlugs = new Map<string, { slug: string; isNamed: boolean }>()

  constructor(drafts: readonly Draft[]) {
    for (const draft of drafts) {
      const { kind, externalId, id } = draft
      this.#refer(kind, externalId)
      if (id !== undefined) this.addTarget(kind, id)
      if (isTermDraft(draft)) {
        this.terms.add(nameKey(draft.own.name))
        this.#refer(draft.kind, draft.parent)
        continue
      }
      const { record, image, author, external_id, named, slug, references } = draft
      if (image) this.addresses.add(image.url).add(uploadedPath(image.url) ?? image.url)
      if (image?.id !== undefined) this.ids.images.add(image.id)
      if (author) this.logins.add(author)
      if (draft.kind === 'series') this.seriesSlugs.set(externalId, { slug, isNamed: named !== '' })
      if (external_id) this.externalIds[draft.kind === 'series' ? 'event' : draft.kind].add(external_id)
      if (!references) continue
      const { venue, organizer, categories, tags, parent, chain, series } = references
      this.#refer('venue', ...venue)
      this.#refer('organizer', ...organizer)
      this.#refer('category', ...categories)
      this.#refer('tag', ...tags)
      this.#refer('event', parent)
      this.#refer('series', series)
      if (chain !== undefined) this.chains.add(chain)
      // One that was single, or an occurrence, until now.
      if (record.kind === 'series')
        this.#refer('event', externalId, ...record.dates.map(date => date.externalId))
      else if (record.kind === 'event' && series === undefined) {
        this.#refer('series', externalId)
        this.#refer('event', occurrenceId(externalId, record.start.utc))
      } else this.#refer('event', series)
    }
  }

  #refer(kind: RecordKind, ...externalIds: (string | undefined)[]): void {
    for (const externalId of externalIds)
      if (externalId !== undefined) this.keys.set(`${kind}\n${externalId}`, [kind, externalId])
  }

  /** Notes a row that a record is mapped to. */
  addTarget(kind: RecordKind, id: number): void {
    this.ids[isTermRecordKind(kind) ? 'terms' : COLLECTIONS[kind]].add(id)
  }
}
