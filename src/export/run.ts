import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, many } from '../db/client.ts'
import { columnList } from '../db/rows.ts'
import { imports } from '../db/schema.ts'
import type { EventRow } from '../events/rows.ts'
import { BACKUP_SOURCE, type Backup, FORMAT, MANIFEST, VERSION } from '../import/backup.ts'
import { backedUp, TABLES } from '../import/columns.ts'
import type { Row } from '../lib/connection.ts'
import type { DateTime } from '../lib/time.ts'
import { NAMESPACE, type Settings } from '../settings.ts'
import type { View } from '../view.ts'
import { CALENDAR_END, calendarStart, eventText } from './calendar.ts'
import { collections, PER_PAGE } from './pages.ts'
import { UsedZones } from './timezones.ts'

/** Context in which a calendar is exported: an administrator's. @param now UTC */
export const exportView = (settings: Settings, now: DateTime): View => {
  const site = settings.siteUrl ?? 'http://localhost:8787'
  return {
    caller: { id: 0, role: 'administrator' },
    requestId: 'export',
    now,
    settings,
    ifMatch: undefined,
    site,
    host: new URL(site).host,
    api: `${site}/${NAMESPACE}`,
  }
}

/** Numbers of exported records by collection. */
export type Exported = Record<string, number>

/**
 * Writes a whole calendar into a folder: its pages as the API would send them to an administrator, the
 * published events as calendar.ics, and what no page has in backup.json. Password digests stay where they are.
 *
 * @param progress called after each page
 */
export async function exportCalendar(
  db: Database,
  view: View,
  folder: string,
  progress: (done: number, expected: number) => void,
): Promise<Exported> {
  await mkdir(folder, { recursive: true })
  const exported: Exported = {}
  const all = await collections(db, view)
  const expected = all.reduce((sum, { total }) => sum + total, 0)
  const ics = await CalendarFile.begin(db, view, folder)
  let done = 0
  for (const { plural, total, pages } of all) {
    let number = 0
    exported[plural] = 0
    for await (const { items, rows } of pages) {
      number += 1
      await writePage(folder, view, { plural, total, number, items })
      // Rows of events come with that collection only.
      if (plural === 'events') ics.add(rows as EventRow[])
      exported[plural] += items.length
      done += items.length
      progress(done, expected)
    }
    if (number === 0) await writePage(folder, view, { plural, total, number: 1, items: [] })
  }
  await ics.end()
  // Last, so that a folder without it is a backup that was broken off.
  await writeFile(join(folder, MANIFEST), JSON.stringify(await manifestOf(db, view), null, 1))
  return exported
}

type Page = { plural: string; total: number; number: number; items: object[] }

async function writePage(folder: string, view: View, { plural, total, number, items }: Page): Promise<void> {
  const address = (page: number) =>
    `${view.api}/${plural}?per_page=${PER_PAGE}${page > 1 ? `&page=${page}` : ''}`
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

/** All rows of a table that a backup holds in its manifest, in the order in which they were made. */
const tableRows = (table: 'users' | 'images' | 'imports', condition = sql`true`) =>
  many(
    sql`SELECT ${columnList(backedUp(table))} FROM ${TABLES[table]} WHERE ${condition} ORDER BY rowid`,
    // D1 hands over numbers, texts and nulls.
    row => row as Row,
  )

async function manifestOf(db: Database, view: View): Promise<Backup> {
  const ownSource = sql`substr(source, 1, ${BACKUP_SOURCE.length}) = ${BACKUP_SOURCE}`
  const [users, images, imports] = await db.batch([
    tableRows('users'),
    tableRows('images'),
    tableRows('imports', sql`NOT ${ownSource}`),
  ])
  return { format: FORMAT, version: VERSION, site: view.site, exported_utc: view.now, users, images, imports }
}

/** calendar.ics, written as the events come by: the zones, which come first, are only known at the end. */
class CalendarFile {
  readonly #zones = new UsedZones()
  readonly #events: string[] = []
  readonly #uids: ReadonlyMap<number, string>
  readonly #view: View
  readonly #path: string

  private constructor(uids: ReadonlyMap<number, string>, view: View, path: string) {
    this.#uids = uids
    this.#view = view
    this.#path = path
  }

  static async begin(db: Database, view: View, folder: string): Promise<CalendarFile> {
    const uids = await db.get(
      many(
        sql`SELECT target_id, foreign_id FROM ${imports} WHERE kind = 'event' AND source LIKE 'ics:%'
          AND foreign_id NOT LIKE '%#________T______Z'`,
        (row): [number, string] => [Number(row.target_id), String(row.foreign_id)],
      ),
    )
    return new CalendarFile(new Map(uids), view, join(folder, 'calendar.ics'))
  }

  add(rows: readonly EventRow[]): void {
    for (const row of rows.filter(({ status }) => status === 'publish')) {
      this.#zones.add(row.timezone, row.utc_start_date, row.utc_end_date)
      this.#events.push(eventText(row, this.#uids.get(row.id), this.#view))
    }
  }

  async end(): Promise<void> {
    const file = await open(this.#path, 'w')
    try {
      await file.write(calendarStart(this.#view.settings.siteName) + String(this.#zones))
      for (const event of this.#events) await file.write(event)
      await file.write(CALENDAR_END)
    } finally {
      await file.close()
    }
  }
}
