import type { imports } from '../db/schema.ts'
import type { Role } from '../lib/roles.ts'
import type { Status } from '../lib/statuses.ts'
import type { DateTime } from '../lib/time.ts'

// What every source is read into, whatever it is: texts are clean, dates are in our format, links are ids of
// the source. Only planning knows our own ids.

export type Kind = (typeof imports.$inferSelect)['kind']

/** An instant twice over: as a wall clock shows it, and in UTC. */
export type Moment = { wall: DateTime; utc: DateTime }

/** Which record of which calendar. `id` is its number there, if it has one: it is kept here when free. */
export type Origin = { source: string; externalId: string; id?: number | undefined }

export type TermRecord = Origin & {
  kind: 'category' | 'tag'
  name: string
  slug: string
  description: string
  /** The external id of the category above. */
  parent?: string | undefined
  /** Only restored backups name it. */
  version?: number | undefined
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
  /** A login; only restored backups name it. */
  author?: string | undefined
  /** Only restored backups name it. */
  version?: number | undefined
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
export type AnyRecord = TermRecord | PostRecord

/** A user of a restored backup. */
export type UserRecord = { id?: number | undefined; login: string; role: Role; created_utc: DateTime }

/** A row of `imports` from a restored backup; `target` is the external id in the backup. */
export type MappingRecord = {
  source: string
  kind: Kind
  externalId: string
  target: string
  hash: string
  importedVersion: string | null
}

/** What a source brings, in an order in which links point backwards wherever it knows how. */
export type Item =
  | { type: 'record'; record: AnyRecord }
  | { type: 'skipped' | 'failed'; kind: Kind | 'page'; source?: string; what: string; reason: string }
  | { type: 'note'; text: string }
  /** How many more records of whatever kind are to be expected. */
  | { type: 'expect'; count: number }
  /** Everything of a kind that the source has was read; of events, what starts within these instants (UTC). */
  | { type: 'complete'; source: string; kind: Kind; from?: DateTime; to?: DateTime }
  | { type: 'users'; users: UserRecord[] }
  | { type: 'images'; images: ImageRecord[] }
  | { type: 'mappings'; source: string; mappings: MappingRecord[] }

/** What a reader has to know beside the data. */
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

export const nameOf = (record: AnyRecord): string => ('title' in record ? record.title : record.name)
