import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { SerializeContext } from '../context.ts'
import { columnList } from '../db/columns.ts'
import type { Database } from '../db/database.ts'
import { many } from '../db/query.ts'
import { imports } from '../db/schema.ts'
import type { EventRow } from '../events/rows.ts'
import { BACKUP_SOURCE, type Backup, FORMAT, MANIFEST, VERSION } from '../import/backup.ts'
import { backedUp, TABLES } from '../import/columns.ts'
import type { Row } from '../lib/connection.ts'
import type { DateTime } from '../lib/time.ts'
import { NAMESPACE, type Settings } from '../settings.ts'
import { CALENDAR_END, calendarStart, eventText } from './calendar.ts'
import { collections, PER_PAGE } from './pages.ts'
import { ExportedSeries } from './series.ts'
import { UsedZones } from './timezones.ts'

/** The context of an export, which sees what an administrator sees. @param now UTC */
export const exportContext = (settings: Settings, now: DateTime): SerializeContext => {
  const site = settings.siteUrl ?? 'http://localhost:8787'
  return {
    caller: { id: 0, role: 'administrator' },
    now,
    settings,
    site,
    host: new URL(site).host,
    api: `${site}/${NAMESPACE}`,
  }
}

/** Numbers of exported records, by collection. */
export type Exported = Record<string, number>

/**
 * Writes a whole calendar into a folder: its pages as the API would send them to an administrator, the published events
 * as calendar.ics, and tables without pages in backup.json. Password digests are not exported.
 *
 * @param progress called after each page
 */
export async function exportCalendar(
  db: Database,
  context: SerializeContext,
  folder: string,
  progress: (done: number, expected: number) => void,
): Promise<Exported> {
  await mkdir(folder, { recursive: true })
  const exported: Exported = {}
  const all = await collections(db, context)
  const expected = all.reduce((sum, { total }) => sum + total, 0)
  const ics = await CalendarFile.begin(db, context, folder)
  let done = 0
  for (const { plural, total, pages } of all) {
    let number = 0
    exported[plural] = 0
    for await (const { items, rows } of pages) {
      number += 1
      await writePage(folder, context, { plural, total, number, items })
      // The rows of these collections are events, or series that look like them.
      if (plural === 'series') ics.addSeries(rows as EventRow[])
      if (plural === 'events') ics.add(rows as EventRow[])
      exported[plural] += items.length
      done += items.length
      progress(done, expected)
    }
    if (number === 0) await writePage(folder, context, { plural, total, number: 1, items: [] })
  }
  await ics.end()
  // Written last: a folder without it is an interrupted export.
  await writeFile(join(folder, MANIFEST), JSON.stringify(await manifestOf(db, context), null, 1))
  return exported
}

type PageFile = { plural: string; total: number; number: number; items: object[] }

async function writePage(
  folder: string,
  context: SerializeContext,
  { plural, total, number, items }: PageFile,
): Promise<void> {
  const address = (page: number) =>
    `${context.api}/${plural}?per_page=${PER_PAGE}${page > 1 ? `&page=${page}` : ''}`
  const pages = Math.ceil(total / PER_PAGE)
  const page = {
    [plural]: items,
    rest_url: address(number),
    ...(number < pages && { next_rest_url: address(number + 1) }),
    ...(number > 1 && { previous_rest_url: address(number - 1) }),
    total,
    total_pages: pages,
  }
  await writeFile(
    join(folder, `${plural}-${String(number).padStart(5, '0')}.json`),
    JSON.stringify(page, null, 1),
  )
}

/** The rows of a table in the manifest, in the order in which they were made. */
const tableRows = (table: 'users' | 'images' | 'imports', condition = sql`true`) =>
  many(
    sql`SELECT ${columnList(backedUp(table))} FROM ${TABLES[table]} WHERE ${condition} ORDER BY rowid`,
    // D1 hands over numbers, texts and nulls.
    row => row as Row,
  )

async function manifestOf(db: Database, context: SerializeContext): Promise<Backup> {
  const ownSource = sql`substr(source, 1, ${BACKUP_SOURCE.length}) = ${BACKUP_SOURCE}`
  const [users, images, imports] = await db.batch([
    tableRows('users'),
    tableRows('images'),
    tableRows('imports', sql`NOT ${ownSource}`),
  ])
  return {
    format: FORMAT,
    version: VERSION,
    site: context.site,
    exported_utc: context.now,
    users,
    images,
    imports,
  }
}

/** Collects calendar.ics in memory: the zones, which come first in the file, are only known at the end. */
class CalendarFile {
  readonly #zones = new UsedZones()
  readonly #events: string[] = []
  readonly #series = new Map<number, ExportedSeries>()
  readonly #uids: ReadonlyMap<string, string>
  readonly #context: SerializeContext
  readonly #path: string

  private constructor(uids: ReadonlyMap<string, string>, context: SerializeContext, path: string) {
    this.#uids = uids
    this.#context = context
    this.#path = path
  }

  static async begin(db: Database, context: SerializeContext, folder: string): Promise<CalendarFile> {
    const uids = await db.get(
      many(
        sql`SELECT kind, target_id, external_id FROM ${imports} WHERE kind IN ('event', 'series')
          AND source LIKE 'ics:%' AND external_id NOT LIKE '%#________T______Z'`,
        (row): [string, string] => [`${row.kind} ${row.target_id}`, String(row.external_id)],
      ),
    )
    return new CalendarFile(new Map(uids), context, join(folder, 'calendar.ics'))
  }

  /** Adds series, whose occurrences follow. */
  addSeries(rows: readonly EventRow[]): void {
    for (const row of rows.filter(({ status }) => status === 'publish'))
      this.#series.set(row.id, new ExportedSeries(row, this.#uids.get(`series ${row.id}`), this.#context))
  }

  add(rows: readonly EventRow[]): void {
    for (const row of rows) {
      const series = this.#series.get(row.series_id ?? 0)
      series?.add(row)
      if (row.status !== 'publish') continue
      this.#zones.add(row.timezone, row.utc_start_date, row.utc_end_date, { repeats: series !== undefined })
      if (!series) this.#events.push(eventText(row, this.#uids.get(`event ${row.id}`), this.#context))
    }
  }

  async end(): Promise<void> {
    for (const series of this.#series.values()) {
      const { timezone, utc_start_date, utc_end_date } = series.row
      const texts = series.texts()
      if (texts.length > 0) this.#zones.add(timezone, utc_start_date, utc_end_date, { repeats: true })
      this.#events.push(...texts)
    }
    const file = await open(this.#path, 'w')
    try {
      await file.write(calendarStart(this.#context.settings.siteName) + String(this.#zones))
      for (const event of this.#events) await file.write(event)
      await file.write(CALENDAR_END)
    } finally {
      await file.close()
    }
  }
}
