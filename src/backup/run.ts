import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { SerializeContext } from '../context.ts'
import type { Database } from '../db/database.ts'
import { many } from '../db/query.ts'
import { images as table } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { IMAGE_FOLDER, type ImageStore, imageFilesOf } from '../intake/images.ts'
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type Backup,
  CALENDAR_FILE,
  MANIFEST,
} from '../intake/readers/backup.ts'
import { listFiles } from '../intake/readers/complete.ts'
import { BACKUP_SOURCE } from '../intake/records.ts'
import { countShown, writeCalendar } from './calendar.ts'
import { collections, RECORDS_A_FILE, selectBackedUp } from './pages.ts'

/** Numbers of exported records, by collection. */
type Exported = Record<string, number>

/**
 * Writes a whole calendar into a folder: its pages as the API would send them to an administrator, the feed of all events
 * as calendar.ics, and tables without pages in backup.json. Password digests are not exported.
 *
 * @param progress called after each page
 * @param alongside writes further files of the backup
 */
export async function exportCalendar(
  db: Database,
  context: SerializeContext,
  folder: string,
  progress: (done: number, expected: number) => void,
  alongside: () => Promise<void> = async () => {},
): Promise<Exported> {
  await mkdir(folder, { recursive: true })
  const exported: Exported = {}
  const all = await collections(db, context)
  const expected = all.reduce((sum, { total }) => sum + total, await countShown(db, context))
  const counts = new Map<string, number>()
  let done = 0
  const add = (count: number): void => {
    done += count
    progress(done, expected)
  }
  for (const { plural, total, pages } of all) {
    let number = 0
    exported[plural] = 0
    for await (const items of pages) {
      number += 1
      counts.set(await writePage(folder, context, { plural, total, number, items }), items.length)
      exported[plural] += items.length
      add(items.length)
    }
    if (number === 0) counts.set(await writePage(folder, context, { plural, total, number: 1, items: [] }), 0)
  }
  await writeCalendar(db, context, { path: join(folder, CALENDAR_FILE), progress: add })
  await alongside()
  const manifest = { ...(await manifestOf(db, context)), files: await listFiles(folder, counts) }
  // Written last, and at once: a folder without it is an interrupted export.
  await writeFile(join(folder, `${MANIFEST}.part`), JSON.stringify(manifest, null, 1))
  await rename(join(folder, `${MANIFEST}.part`), join(folder, MANIFEST))
  return exported
}

type PageFile = { plural: string; total: number; number: number; items: object[] }

/** @returns the name of the file */
async function writePage(
  folder: string,
  context: SerializeContext,
  { plural, total, number, items }: PageFile,
): Promise<string> {
  const address = (page: number) =>
    `${context.api}/${plural}?per_page=${RECORDS_A_FILE}${page > 1 ? `&page=${page}` : ''}`
  const pages = Math.ceil(total / RECORDS_A_FILE)
  const page = {
    [plural]: items,
    rest_url: address(number),
    ...(number < pages && { next_rest_url: address(number + 1) }),
    ...(number > 1 && { previous_rest_url: address(number - 1) }),
    total,
    total_pages: pages,
  }
  const name = `${plural}-${String(number).padStart(5, '0')}.json`
  await writeFile(join(folder, name), JSON.stringify(page, null, 1))
  return name
}

/** The rows of a table in the manifest, in the order in which they were made. */
const tableRows = (table: 'users' | 'images' | 'imports', condition = sql`true`) =>
  selectBackedUp(table, sql`${condition} ORDER BY rowid`)

async function manifestOf(db: Database, context: SerializeContext): Promise<Omit<Backup, 'files'>> {
  const ownSource = sql`substr(source, 1, ${BACKUP_SOURCE.length}) = ${BACKUP_SOURCE}`
  const [users, images, imports] = await db.batch([
    tableRows('users'),
    tableRows('images'),
    // What came of sources is known by their ids, which are those of this database.
    tableRows('imports', sql`NOT ${ownSource} AND source NOT LIKE 'source:%'`),
  ])
  return {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    site: context.site,
    exported_utc: context.now,
    users,
    images,
    imports,
  }
}

/**
 * Writes the files of all uploaded images and their sizes beside the pages of an export.
 *
 * @returns how many images were written whole, and the names of the files that the bucket lacks
 */
export async function exportImageFiles(
  db: Database,
  store: ImageStore | undefined,
  folder: string,
  progress: (done: number, expected: number) => void,
): Promise<{ written: number; missing: string[] }> {
  const images = imageFilesOf(
    await db.get(
      many(
        build
          .select({ url: table.url, width: table.width, height: table.height, has_sizes: table.has_sizes })
          .from(table)
          .orderBy(table.id),
      ),
    ),
  )
  const missing: string[] = []
  if (images.length > 0) await mkdir(join(folder, IMAGE_FOLDER), { recursive: true })
  let written = 0
  for (const [i, files] of images.entries()) {
    const before = missing.length
    for (const file of files) {
      const bytes = await store?.get(file)
      if (bytes) await writeFile(join(folder, IMAGE_FOLDER, file), bytes)
      else missing.push(file)
    }
    if (missing.length === before) written += 1
    progress(i + 1, images.length)
  }
  return { written, missing }
}
