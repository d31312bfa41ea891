import { z } from 'zod'
import { isObject } from '../lib/values.ts'
import { canonicalZone } from '../lib/zones.ts'
import { readRow } from './columns.ts'
import { isDateTime, recurrenceOf } from './read-series.ts'
import {
  CONTENT_TABLES,
  type Item,
  isTermRecordKind,
  type LinkName,
  type RecordKind,
  type StoredContentRecord,
  type StoredRecord,
  type StoredTermRecord,
  Unreadable,
} from './records.ts'

/** Name of the file that marks a folder of pages as a backup, and holds the tables that have no pages. */
export const MANIFEST = 'backup.json'
export const FORMAT = 'event-calendar backup'
/** 3 since there are series. */
export const VERSION = 3

const rows = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))

const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.literal([2, VERSION]),
  /** The address of the calendar that was exported. */
  site: z.string(),
  exported_utc: z.string(),
  users: rows,
  images: rows,
  imports: rows,
})

export type Backup = z.output<typeof manifest>

/** Tables of links, by the name that they have beside the row of an event or series. */
export const LINK_TABLES = {
  event: { venues: 'eventVenues', organizers: 'eventOrganizers', terms: 'eventTerms' },
  series: { venues: 'seriesVenues', organizers: 'seriesOrganizers', terms: 'seriesTerms' },
} as const satisfies Record<'event' | 'series', Record<LinkName, string>>

/** Checks a manifest. @throws Error that names what is wrong with it */
export function backupOf(json: unknown): Backup {
  const { success, data, error } = manifest.safeParse(json)
  if (!success) throw new Error(`${MANIFEST} is no manifest of a backup: ${z.prettifyError(error)}`)
  return data
}

/** Prefix of the source of a restored backup's mappings; they are not part of the next backup. */
export const BACKUP_SOURCE = 'backup:'

/** Targets of the references in a backup's rows. */
export type BackupIndex = {
  source: string
  /** Logins of users by id. */
  logins: ReadonlyMap<number, string>
  /** Addresses of images by id. */
  images: ReadonlyMap<number, string>
}

/** Reads the users and images of a backup, then its records, then its mappings of other sources. */
export async function* backupItems(
  { site, users, images, imports }: Backup,
  records: (index: BackupIndex) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const source = BACKUP_SOURCE + site
  yield { type: 'users', source, rows: users.map(row => readRow('users', row)) }
  const logins = new Map(users.map(({ id, login }) => [Number(id), String(login)]))
  yield { type: 'images', source, rows: images.map(row => readRow('images', row)), logins }
  yield* records({
    source,
    logins,
    images: new Map(images.map(({ id, url }) => [Number(id), String(url)])),
  })
  yield { type: 'imports', source, rows: imports.map(row => readRow('imports', row)) }
}

/**
 * Reads one item of a backup's page from the row that stands beside the response: responses leave columns out.
 *
 * @throws Unreadable
 */
export function readStored(
  kind: RecordKind,
  raw: unknown,
  { source, logins, images }: BackupIndex,
): StoredContentRecord | StoredTermRecord {
  const stored = isObject(raw) ? raw.stored : undefined
  if (isTermRecordKind(kind)) {
    const columns = readRow('terms', stored)
    return { ...originOf(columns, source), kind, columns, parent: parentOf(columns.parent) }
  }
  const columns = readRow(CONTENT_TABLES[kind], stored)
  const url = images.get(Number(columns.image_id))
  return {
    ...originOf(columns, source),
    kind,
    columns,
    author: logins.get(Number(columns.author_id)),
    ...(url !== undefined && { image: { url } }),
    ...(kind === 'event' && {
      ...relationsOf(kind, withOccurrence(columns), raw),
      series: parentOf(columns.series_id),
    }),
    ...(kind === 'series' && relationsOf(kind, withRecurrence(columns), raw)),
  }
}

type Columns = StoredRecord['columns']

const relationsOf = (kind: 'event' | 'series', columns: Columns, raw: unknown) => ({
  parent: parentOf(columns.post_parent),
  links: readLinks(kind, raw),
})

/** Limit of the dates in a column of a backup. Each occurrence that was deleted leaves one. */
const MOST_STORED = 10_000

// What the service could not read again would make every request for it fail.

/** @throws Unreadable for a recurrence that is none */
function withRecurrence(columns: Columns): Columns {
  const { rrule, rdate, exdate, start_date, end_date, timezone } = columns
  recurrenceOf({ rrule, rdate: jsonIn(rdate), exdate: jsonIn(exdate) }, MOST_STORED)
  if (![start_date, end_date].every(isDateTime)) throw new Unreadable('its first date is none')
  if (canonicalZone(String(timezone)) === undefined) throw new Unreadable('its zone is none')
  return columns
}

/** @throws Unreadable for a place in a series that is none */
function withOccurrence(columns: Columns): Columns {
  const { series_id, occurrence_date, detached } = columns
  const names = jsonIn(detached)
  if (!Array.isArray(names) || !names.every(name => typeof name === 'string'))
    throw new Unreadable('its detached fields are no list of names')
  if (series_id !== null && !isDateTime(occurrence_date)) throw new Unreadable('it has no date in its series')
  return columns
}

function jsonIn(text: Columns[string] | undefined): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

function originOf({ id }: StoredRecord['columns'], source: string) {
  const number = Number(id)
  if (!Number.isSafeInteger(number) || number < 1) throw new Unreadable('it has no id')
  return { source, externalId: String(number), id: number }
}

/** The external id of a parent. Events without one have null, and categories 0. */
const parentOf = (id: StoredRecord['columns'][string] | undefined): string | undefined =>
  id ? String(id) : undefined

function readLinks(kind: 'event' | 'series', raw: unknown): NonNullable<StoredRecord['links']> {
  const links = isObject(raw) && isObject(raw.links) ? raw.links : {}
  const read = (name: LinkName) => {
    const rows = links[name]
    if (!Array.isArray(rows)) throw new Unreadable(`the backup does not tell its ${name}`)
    return rows.map(row => {
      const {
        event_id: _,
        series_id: _series,
        ...link
      } = readRow(LINK_TABLES[kind][name], {
        [`${kind}_id`]: 0,
        ...row,
      })
      return link
    })
  }
  return { venues: read('venues'), organizers: read('organizers'), terms: read('terms') }
}
