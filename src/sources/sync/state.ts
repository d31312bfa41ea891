import { getTableColumns } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { series } from '../../db/schema.ts'
import type { Connection, Row, Value } from '../../lib/connection.ts'
import { sha256 } from '../../lib/digest.ts'
import { numberedSlug } from '../../lib/slug.ts'
import { nameKey } from '../../terms/names.ts'
import type { ColumnName } from '../columns.ts'
import { fromImportKey, importKey, seriesOf } from '../keys.ts'
import type { ContentRecordKind, LinkName, RecordKind } from '../records.ts'
import { COLLECTIONS } from '../records.ts'
import { ContentIndex, EventIndex, IdSlugIndex, type StoredContent } from './indexes.ts'

/** The texts by which events are found. */
export type Texts = { title: string; description: string; excerpt: string }

/** A whole row of an event, with its links. */
export type LoadedEvent = { row: Row; links: Record<LinkName, Row[]> }

/** The columns of a stored term that planning needs. */
export type StoredTerm = {
  taxonomy: string
  name: string
  slug: string
  version: number
  parent: number
}

/** Our row for a record, the hash of the record, and the edition that the import left. Null if the row was adopted. */
export type Mapping = { target: number; hash: string; importedVersion: string | null }

/** True if a slug is the other one or a numbered form of it. */
export const isSlugOf = (slug: string, base: string): boolean => {
  const [, n] = /-(\d+)$/.exec(slug) ?? []
  return slug === base || (n !== undefined && slug === numberedSlug(base, Number(n)))
}

/** The stored rows that an import needs to know. */
export class State {
  readonly content = {
    event: new EventIndex(),
    series: new ContentIndex(),
    venue: new ContentIndex(),
    organizer: new ContentIndex(),
  }
  readonly terms = new TermIndex()
  /** Images, whose addresses are unique as slugs are. */
  readonly images = new IdSlugIndex<{ slug: string; sized: boolean }>()
  readonly imageIds = new Map<string, number>()
  readonly imageSlugs = new IdSlugIndex()
  /** Ids of uploaded copies, by those of the images that are elsewhere. */
  readonly copies = new Map<number, number>()
  /** Ids by login in lower case. */
  readonly users = new Map<string, number>()
  firstAdministrator: number | undefined
  /** Mappings by source, kind and external id. */
  readonly imports = new Map<string, Mapping>()
  /** External ids of the first of events that belong together without being a series, by source and UID. */
  readonly chains = new Map<string, string>()
  /** Ids of series that were changed here, and are left alone with their occurrences. */
  readonly leftAlone = new Set<number>()
  /** Ids of events that this import has given a place in a series. */
  readonly placed = new Set<number>()
  /** Texts of series, by id: those that planning needs, see details.ts. */
  readonly texts = new Map<number, Texts>()
  /** Whole rows of occurrences, by id: those that planning needs. */
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

  /** The external id in a source that is mapped to a row of ours. */
  externalIdOf(source: string, kind: RecordKind, target: number): string | undefined {
    for (const key of this.#keys.get(`${kind} ${target}`) ?? []) {
      const at = fromImportKey(key)
      if (at.source === source) return at.externalId
    }
    return undefined
  }

  /** The id of the image at an address, or of its uploaded copy, unless that was deleted. */
  imageAt(url: string): number | undefined {
    const id = this.imageIds.get(url)
    const copy = id === undefined ? undefined : this.copies.get(id)
    return copy !== undefined && this.images.rows.has(copy) ? copy : id
  }

  /** The id of a stored term of the same name that has the same parent or the same slug. */
  termLike(taxonomy: string, name: string, slug: string, parent: number): number | undefined {
    const found = this.terms.named(`${taxonomy}/${nameKey(name)}`).find(([, term]) => {
      return term.parent === parent || term.slug === slug
    })
    return found?.[0]
  }
}

/** The rows of terms, with an index of their names. */
class TermIndex extends IdSlugIndex<StoredTerm> {
  readonly #ids = new Map<string, Set<number>>()

  constructor() {
    super(({ taxonomy }) => `${taxonomy}/`)
  }

  override set(id: number, term: StoredTerm): void {
    this.#forget(id)
    super.set(id, term)
    const key = keyOf(term)
    this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id))
  }

  override delete(id: number): void {
    this.#forget(id)
    super.delete(id)
  }

  /** The terms of a name, by the key of {@link nameKey} behind that of their taxonomy; the oldest first. */
  named(key: string): [id: number, term: StoredTerm][] {
    const ids = [...(this.#ids.get(key) ?? [])].sort((a, b) => a - b)
    return ids.flatMap((id): [number, StoredTerm][] => {
      const term = this.rows.get(id)
      return term ? [[id, term]] : []
    })
  }

  #forget(id: number): void {
    const term = this.rows.get(id)
    if (term) this.#ids.get(keyOf(term))?.delete(id)
  }
}

const keyOf = ({ taxonomy, name }: StoredTerm): string => `${taxonomy}/${nameKey(name)}`

/** A hash of a value's JSON. */
export async function digest(value: unknown): Promise<string> {
  const bytes = await sha256(new TextEncoder().encode(JSON.stringify(value)))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 27)
}

const PAGE = 5_000
/** Series are read with their texts. */
const SERIES_PAGE = 100

/** All rows of a query in the order of `rowid`, a page at a time. */
async function* pagesOf(db: Connection, table: string, columns: string, size = PAGE): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const rows = await db.query(
      `SELECT rowid AS row_number, ${columns} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${size}`,
      after,
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < size) return
    after = Number(last.row_number)
  }
}

/** The columns of a series that people change here, in the order of the editions that databases hold. */
const EDITION = [
  'status',
  'slug',
  'title',
  'description',
  'excerpt',
  'image_id',
  'all_day',
  'start_date',
  'end_date',
  'timezone',
  'cost',
  'website',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'ticketed',
  'post_parent',
  'event_status',
  'event_status_reason',
  'virtual_event_type',
  'virtual_url',
  'virtual_video_source',
  'custom_fields',
  'rrule',
  'rdate',
] as const satisfies readonly ColumnName<typeof series>[]

/**
 * The columns of a series that are no part of its edition: those that the cron changes too, exceptions, each of which belongs to
 * an occurrence, and dates and authors, which stay when an import changes a series.
 */
const NO_EDITION = [
  'id',
  'version',
  'author_id',
  'date',
  'date_utc',
  'modified',
  'modified_utc',
  'external_id',
  'uid',
  'sequence',
  'is_virtual',
  'exdate',
  'extend_from',
] as const satisfies readonly ColumnName<typeof series>[]

/** All other columns. They count where they differ from their defaults, so that editions of before there were such columns stay. */
const LATER = Object.entries(getTableColumns<SQLiteTable>(series)).filter(
  ([name]) => ![...EDITION, ...NO_EDITION].some(other => other === name),
)

const defaultOf = ({ default: value }: SQLiteColumn): unknown =>
  typeof value === 'boolean' ? Number(value) : (value ?? null)

/** The values of a row that make its edition. */
const editionOf = (row: Row, links: Value | undefined): unknown[] => [
  ...EDITION.map(name => row[name] ?? null),
  links,
  ...LATER.flatMap(([name, column]) => {
    const value = row[name] ?? defaultOf(column)
    return value === defaultOf(column) ? [] : [[name, value]]
  }),
]

/** The relations of a series in one text, which is part of its edition as well. */
const seriesLinks = (['venues', 'organizers', 'terms'] as const)
  .map(
    name => `coalesce((SELECT group_concat(target_id) FROM (SELECT target_id FROM series_${name}
      WHERE series_id = series.id ORDER BY ${name === 'terms' ? 'target_id' : 'position'})), '')`,
  )
  .join(" || ';' || ")

const linksText = ({ venues, organizers, terms }: Record<LinkName, Row[]>): string => {
  const ids = (rows: readonly Row[]) => rows.map(row => Number(row.target_id))
  const sorted = [...new Set(ids(terms))].sort((a, b) => a - b)
  return [ids(venues), ids(organizers), sorted].map(list => list.join(',')).join(';')
}

/** The columns that only some tables have. */
const MORE = {
  event: ['utc_start_date', 'series_id', 'occurrence_date', 'detached'],
  series: [
    ...EDITION.filter(name => !['status', 'slug'].includes(name)),
    ...LATER.map(([name]) => name),
    `${seriesLinks} AS links`,
  ],
  venue: [],
  organizer: [],
} as const

/** The columns of a kind of content that {@link storedOf} reads. */
export const storedColumns = (kind: ContentRecordKind): string =>
  ['id', 'slug', 'version', 'status', 'external_id', ...MORE[kind]].join(', ')

/** The part of a row that planning needs. */
export async function storedOf(
  kind: ContentRecordKind,
  row: Row,
  links?: Record<LinkName, Row[]>,
): Promise<StoredContent> {
  const { slug, version, status, external_id, series_id, occurrence_date } = row
  const isEvent = kind === 'event'
  return {
    slug: String(slug),
    version: Number(version),
    edition:
      kind === 'series'
        ? await digest(editionOf(row, links ? linksText(links) : row.links))
        : String(version),
    status: String(status),
    start: isEvent ? String(row.utc_start_date) : '',
    externalId: String(external_id ?? ''),
    ...(isEvent &&
      series_id != null && {
        occurrence: {
          series: Number(series_id),
          date: String(occurrence_date),
          isDetached: row.detached !== '[]',
        },
      }),
  }
}

/** Loads the rows of a database that an import needs to know. */
export async function loadState(db: Connection): Promise<State> {
  const state = new State()
  for (const kind of ['event', 'series', 'venue', 'organizer'] as const) {
    for await (const row of pagesOf(
      db,
      COLLECTIONS[kind],
      storedColumns(kind),
      kind === 'series' ? SERIES_PAGE : PAGE,
    ))
      state.content[kind].set(Number(row.id), await storedOf(kind, row))
  }
  for await (const row of pagesOf(db, 'terms', 'id, taxonomy, name, slug, version, parent')) {
    state.terms.set(Number(row.id), {
      taxonomy: String(row.taxonomy),
      name: String(row.name),
      slug: String(row.slug),
      version: Number(row.version),
      parent: Number(row.parent),
    })
  }
  for await (const row of pagesOf(db, 'images', 'id, url, slug, width, copied_id')) {
    state.images.set(Number(row.id), { slug: String(row.url), sized: row.width !== null })
    state.imageIds.set(String(row.url), Number(row.id))
    if (row.slug !== '') state.imageSlugs.set(Number(row.id), { slug: String(row.slug) })
    if (row.copied_id !== null) state.copies.set(Number(row.id), Number(row.copied_id))
  }
  for await (const row of pagesOf(db, 'users', 'id, login, role')) {
    state.users.set(String(row.login).toLowerCase(), Number(row.id))
    if (row.role === 'administrator') state.firstAdministrator ??= Number(row.id)
  }
  const mappings = pagesOf(db, 'imports', 'source, kind, external_id, target_id, hash, imported_version')
  for await (const row of mappings) {
    const importedVersion = row.imported_version === null ? null : String(row.imported_version)
    const mapping = { target: Number(row.target_id), hash: String(row.hash), importedVersion }
    // The column allows no other kind.
    state.setMapping(String(row.source), String(row.kind) as RecordKind, String(row.external_id), mapping)
  }
  await reserveIds(db, state)
  return state
}

/** Reserves the ids of deleted rows, which are never given to others. */
async function reserveIds(db: Connection, state: State): Promise<void> {
  const indexes: Record<string, { reserve(id: number): void }> = {
    events: state.content.event,
    series: state.content.series,
    venues: state.content.venue,
    organizers: state.content.organizer,
    terms: state.terms,
    images: state.images,
  }
  for (const { name, seq } of await db.query('SELECT name, seq FROM sqlite_sequence'))
    indexes[String(name)]?.reserve(Number(seq))
}
