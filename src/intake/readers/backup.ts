import * as z from 'zod'
import type { Row } from '../../lib/connection.ts'
import { isDateTime } from '../../lib/time.ts'
import { isObject } from '../../lib/values.ts'
import { LINK_TABLES, TABLE_OF } from '../columns.ts'
import {
  BACKUP_SOURCE,
  isTermRecordKind,
  type LinkName,
  type ReaderContext,
  type RecordKind,
  type SourceItem,
  type StoredContentRecord,
  type StoredRecord,
  type StoredTermRecord,
  type TwinIds,
  Unreadable,
} from '../records.ts'
import { readRecurrence } from './read-event.ts'
import { readRow } from './read-row.ts'

/** Name of the file that marks a folder of pages as a backup, and holds the tables that have no pages. */
export const MANIFEST = 'backup.json'
/** Name of the file with the same events for other programs. */
export const CALENDAR_FILE = 'calendar.ics'
export const BACKUP_FORMAT = 'event-calendar backup'
/** 3 since there are series, 4 since the manifest names the files. */
export const BACKUP_VERSION = 4

// A bad row is left out by itself.
const rows = z.array(z.unknown())

/** A file of a backup: its path in the folder, the number of its records if it is a page, and the digest of its bytes. */
const file = z.object({
  name: z.string().regex(/^(?:media\/)?\w[\w.-]*$/),
  count: z.optional(z.int()),
  sha256: z.string(),
})

export type BackupFile = z.output<typeof file>

const manifest = z.object({
  format: z.literal(BACKUP_FORMAT),
  version: z.literal([2, 3, BACKUP_VERSION]),
  /** The address of the calendar that was exported. */
  site: z.string(),
  exported_utc: z.string(),
  users: rows,
  images: rows,
  imports: rows,
  /** All files but the manifest itself. */
  files: z.optional(z.array(file)),
})

export type Backup = z.output<typeof manifest>

/** Reads a manifest. @throws Error that names what is wrong with it */
export function backupOf(text: string): Backup {
  const { success, data, error } = manifest.safeParse(jsonIn(text))
  if (!success) throw new Error(`${MANIFEST} is no manifest of a backup: ${z.prettifyError(error)}`)
  return data
}

/** Targets of the references in a backup's rows. */
export type BackupIndex = {
  source: string
  /** Logins of users by id. */
  logins: ReadonlyMap<number, string>
  /** Addresses of images by id. */
  images: ReadonlyMap<number, string>
}

/**
 * Reads the users and images of a backup, then its records, then its mappings of other sources. A bad row is reported, and does
 * not stop the rest.
 */
export async function* backupItems(
  backup: Backup,
  records: (index: BackupIndex) => AsyncIterable<SourceItem>,
  { note }: Pick<ReaderContext, 'note'>,
): AsyncGenerator<SourceItem> {
  const source = BACKUP_SOURCE + backup.site
  const read = { users: [] as Row[], images: [] as Row[], imports: [] as Row[] }
  for (const [table, kind] of [['users', 'user'], ['images', 'image'], ['imports']] as const)
    for (const raw of backup[table])
      try {
        read[table].push(readRow(table, raw, note))
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        const { login, url, external_id } = isObject(raw) ? raw : {}
        const what = String(login ?? url ?? external_id ?? '').slice(0, 200)
        if (kind) yield { type: 'failed', kind, what, reason: error.message }
        else note(`the origin of ${what} was left out: ${error.message}`)
      }
  yield { type: 'users', source, rows: read.users }
  const logins = new Map(read.users.map(({ id, login }) => [Number(id), String(login)]))
  yield { type: 'images', source, rows: read.images, logins }
  const twins: TwinIds[] = []
  const index = {
    source,
    logins,
    images: new Map(read.images.map(({ id, url }) => [Number(id), String(url)])),
  }
  for await (const item of records(index)) {
    yield item
    const { id, duplicate_of } = item.type === 'record' && 'columns' in item.record ? item.record.columns : {}
    if (duplicate_of) twins.push([Number(id), Number(duplicate_of)])
  }
  yield { type: 'imports', source, rows: read.imports, twins }
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
  note: (text: string) => void,
): StoredContentRecord | StoredTermRecord {
  const stored = isObject(raw) ? raw.stored : undefined
  if (isTermRecordKind(kind)) {
    const columns = readRow('terms', stored, note)
    return { ...originOf(columns, source), kind, columns, parent: parentOf(columns.parent) }
  }
  const columns = readRow(TABLE_OF[kind], stored, note)
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
  const { rrule, rdate, exdate } = columns
  readRecurrence({ rrule, rdate: jsonIn(rdate), exdate: jsonIn(exdate) }, MOST_STORED)
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
      const { [`${kind}_id`]: _, ...link } = readRow(LINK_TABLES[kind][name], { [`${kind}_id`]: 0, ...row })
      return link
    })
  }
  return { venues: read('venues'), organizers: read('organizers'), terms: read('terms') }
}
