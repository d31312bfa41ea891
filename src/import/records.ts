import type { imports } from '../db/schema.ts'
import type { Row } from '../lib/connection.ts'
import type { Status } from '../lib/statuses.ts'
import type { DateTime } from '../lib/time.ts'

// What every source is read into, whatever it is: texts are clean, dates are in our format, links are ids of
// the source. Only planning knows our own ids.

export type Kind = (typeof imports.$inferSelect)['kind']

/** An instant twice over: as a wall clock shows it, and in UTC. */
export type Moment = { wall: DateTime; utc: DateTime }

/** Identity of a record in the calendar that it comes from. `id` is its number there, if it has one: it is kept here when free. */
export type Origin = { source: string; externalId: string; id?: number | undefined }

export type TermRecord = Origin & {
  kind: TermKind
  name: string
  slug: string
  description: string
  /** The external id of the category above. */
  parent?: string | undefined
}

export type ImageRecord = { url: string; id?: number; width?: number; height?: number }

type Post = Origin & {
  status: Status
  /** Empty: to be made from the name. */
  slug: string
  /** Absent where the source doesn't say: then the time of the import. */
  date?: Moment | undefined
  modified?: Moment | undefined
  description: string
  image?: ImageRecord | undefined
  /** A login. */
  author?: string | undefined
}

export type VenueRecord = Post & {
  kind: 'venue'
  name: string
  address: string
  city: string
  country: string
  province: string
  state: string
  stateprovince: string
  zip: string
  phone: string
  website: string
  show_map: boolean
  show_map_link: boolean
  geo_lat: number | null
  geo_lng: number | null
}

export type OrganizerRecord = Post & {
  kind: 'organizer'
  name: string
  phone: string
  website: string
  email: string
}

export type EventRecord = Post & {
  kind: 'event'
  title: string
  excerpt: string
  all_day: boolean
  start: Moment
  end: Moment
  timezone: string
  cost: string
  website: string | null
  show_map: boolean
  show_map_link: boolean
  hide_from_listings: boolean
  sticky: boolean
  featured: boolean
  ticketed: boolean
  /** External ids, in order. */
  venues: string[]
  organizers: string[]
  categories: string[]
  tags: string[]
  /** The external id of the event that this one belongs to. */
  parent?: string | undefined
  /** The UID that a recurring event's occurrences share: all belong to the first. */
  series?: string | undefined
}

export type PostRecord = VenueRecord | OrganizerRecord | EventRecord

/** Relations of events that have tables of their own. */
export type LinkName = 'venues' | 'organizers' | 'terms'

/** A row of a backup of ours, with all its columns; what it refers to goes by the ids of the calendar it is from. */
export type StoredRecord = Origin & {
  kind: Kind
  columns: Row
  author?: string | undefined
  image?: ImageRecord | undefined
  /** The id of the category or event above. */
  parent?: string | undefined
  /** Rows of the link tables of an event. */
  links?: Record<LinkName, Row[]>
}

export type TermKind = 'category' | 'tag'
export type PostKind = Exclude<Kind, TermKind>

export type StoredPostRecord = StoredRecord & { kind: PostKind }
export type StoredTermRecord = StoredRecord & { kind: TermKind }

export type AnyRecord = TermRecord | PostRecord | StoredPostRecord | StoredTermRecord

/** The tables of events, venues and organizers. */
export const POST_TABLES = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
} as const satisfies Record<PostKind, string>

/** Part of what a source has, in an order in which links point backwards wherever it knows how. */
export type Item =
  | { type: 'record'; record: AnyRecord }
  | { type: 'skipped' | 'failed'; kind: Kind | 'page'; source?: string; what: string; reason: string }
  | { type: 'note'; text: string }
  /** A list of a kind was not read to its end: nothing of it counts as vanished. */
  | { type: 'incomplete'; source: string; kind: Kind }
  /** Items of a list that were read, and its own count of them. */
  | { type: 'total'; kind: Kind; read: number; listed: number }
  /** Number of further records, of whatever kind, to expect. */
  | { type: 'expect'; count: number }
  /** Everything of a kind that the source has was read; of events, what starts within these instants (UTC). */
  | { type: 'complete'; source: string; kind: Kind; from?: DateTime; to?: DateTime }
  /** Rows of a backup; `source` is whose ids they go by. */
  | { type: 'users'; source: string; rows: Row[] }
  | { type: 'images'; source: string; rows: Row[] }
  | { type: 'imports'; source: string; rows: Row[] }

/** Settings and callbacks of readers. */
export type Context = {
  /** The site's zone: where dates without any are local. */
  timezone: string
  nowMs: number
  /** Takes remarks on values that could not be kept. */
  note: (text: string) => void
  /** Called after each file or page that was read. */
  afterPage?: (() => void) | undefined
}

/** A record is unreadable: the message says why. */
export class Unreadable extends Error {}

/** A record's title or name. */
export const nameOf = (record: AnyRecord): string => {
  if ('columns' in record) return String(record.columns.title ?? record.columns.name ?? '')
  return 'title' in record ? record.title : record.name
}

/** The length of a record's longest text, in characters. */
export const lengthOf = (record: AnyRecord): number =>
  'columns' in record ? String(record.columns.description ?? '').length : record.description.length

/** An event's start in UTC; undefined for other records. */
export const startOf = (record: AnyRecord): DateTime | undefined => {
  if (record.kind !== 'event') return undefined
  return 'columns' in record ? String(record.columns.utc_start_date) : record.start.utc
}

/** Tells categories and tags from events, venues and organizers. */
export const isTermKind = (kind: Kind): kind is TermKind => kind === 'category' || kind === 'tag'

export const isTerm = (record: AnyRecord): record is TermRecord | StoredTermRecord => isTermKind(record.kind)

/** An event's zone; undefined for other records. */
export const zoneOf = (record: AnyRecord): string | undefined => {
  if (record.kind !== 'event') return undefined
  return 'columns' in record ? String(record.columns.timezone) : record.timezone
}
