import { createHash } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getTableName, like, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ImageStore } from '../context.ts'
import type { Database } from '../db/database.ts'
import { revision } from '../db/derived.ts'
import { first, many } from '../db/query.ts'
import { audit, images } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { sizeFile, sizesOf } from '../lib/images/formats.ts'
import type { DateTime } from '../lib/time.ts'
import { UPLOADS } from '../resources/content/uploads.ts'
import {
  digestOfFile,
  type FieldRow,
  fileOf,
  IMAGE_FOLDER,
  imageIn,
  MANIFEST,
  type Manifest,
  manifestText,
} from './manifest.ts'
import { DUMPED, DUMPED_NAMES, type DumpedName, fieldColumns } from './tables.ts'

/** The number of rows that are read at once. */
const ROWS_READ = 500

/** The number of times that the tables are read before giving up. */
const ATTEMPTS = 3

/** Backups hold drafts and names, which are nothing for others who use the same machine. */
const FOR_OWNER = { mode: 0o600 } as const

type Export = {
  folder: string
  /** The bucket, if the calendar has one. */
  store: ImageStore | undefined
  now: DateTime
  progress: (done: number, expected: number) => void
}

/**
 * Writes a calendar into an empty folder.
 *
 * @returns the manifest, and the names of image files that the bucket lacks
 * @throws Error if somebody keeps changing the calendar meanwhile
 */
export async function exportCalendar(
  db: Database,
  { folder, store, now, progress }: Export,
): Promise<{ manifest: Manifest; missing: string[] }> {
  await mkdir(join(folder, IMAGE_FOLDER), { recursive: true, mode: 0o700 })
  const { tables, last_ids } = await exportTables(db, folder, progress)
  const { copied, missing } = await exportImages(db, { folder, store, progress })
  const manifest = { exported_utc: now, last_ids, tables, images: copied }
  // Renamed when complete, because an incomplete manifest would be useless.
  await writeFile(join(folder, `${MANIFEST}.part`), manifestText(manifest), FOR_OWNER)
  await rename(join(folder, `${MANIFEST}.part`), join(folder, MANIFEST))
  return { manifest, missing }
}

/** The latest change and entry of the audit: no row that refers to others changes without these. */
const selectLatest = first(
  build.select({ n: revision.n, audit: sql<number>`(SELECT max(${audit.id}) FROM ${audit})` }).from(revision),
)

/** The highest id that each table has ever given, including those of deleted rows. */
const selectLastIds = many(sql`SELECT name, seq FROM sqlite_sequence ORDER BY name`, ({ name, seq }) => ({
  name: String(name),
  id: Number(seq),
}))

/** Writes all tables as they are at one moment. Reading them takes many transactions. */
async function exportTables(
  db: Database,
  folder: string,
  progress: Export['progress'],
): Promise<Pick<Manifest, 'tables' | 'last_ids'>> {
  for (let left = ATTEMPTS; left > 0; left--) {
    const before = await db.get(selectLatest)
    const tables: Manifest['tables'] = {}
    for (const [i, name] of DUMPED_NAMES.entries()) {
      tables[name] = await exportTable(db, folder, name)
      progress(i + 1, DUMPED_NAMES.length)
    }
    const [after, lastIds] = await db.batch([selectLatest, selectLastIds])
    if (JSON.stringify(after) !== JSON.stringify(before)) continue
    const last_ids = DUMPED_NAMES.flatMap(file => {
      const last = lastIds.find(({ name }) => name === getTableName(DUMPED[file].table))
      return last ? [[file, last.id]] : []
    })
    return { tables, last_ids: Object.fromEntries(last_ids) }
  }
  throw new Error(
    `The calendar was changed while it was being read, ${ATTEMPTS} times. Export it again when fewer people and sources write.`,
  )
}

async function exportTable(
  db: Database,
  folder: string,
  name: DumpedName,
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256')
  let count = 0
  async function* lines(): AsyncGenerator<string> {
    for await (const rows of pagesOf(db, name)) {
      const text = rows.map(row => `${JSON.stringify(row)}\n`).join('')
      hash.update(text)
      count += rows.length
      yield text
    }
  }
  await writeFile(fileOf(folder, name), lines(), FOR_OWNER)
  return { rows: count, sha256: hash.digest('hex') }
}

/** Rows of a table, in the order of its primary key. */
async function* pagesOf(db: Database, name: DumpedName): AsyncGenerator<FieldRow[]> {
  const { table }: { table: SQLiteTable } = DUMPED[name]
  const { columns, primaryKeys } = getTableConfig(table)
  const fields = fieldColumns(name)
  const keyColumns = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  const key = Object.entries(fields).filter(([, column]) => keyColumns.includes(column))
  const order = key.map(([, column]) => column)
  const after = (row: FieldRow) =>
    sql`(${sql.join(order, sql`, `)}) > (${sql.join(
      key.map(([field]) => sql`${row[field]}`),
      sql`, `,
    )})`
  for (let last: FieldRow | undefined; ; ) {
    const page = build
      .select(fields)
      .from(table)
      .where(last && after(last))
      .orderBy(...order)
    const rows: FieldRow[] = await db.get(many(page.limit(ROWS_READ)))
    yield rows
    last = rows.at(-1)
    if (!last || rows.length < ROWS_READ) return
  }
}

const selectUploads = many(
  build
    .select({ url: images.url, width: images.width, height: images.height, has_sizes: images.has_sizes })
    .from(images)
    .where(like(images.url, `${UPLOADS}%`))
    .orderBy(images.id),
)

/** Copies the files of uploaded images, with their smaller sizes. */
async function exportImages(
  db: Database,
  { folder, store, progress }: Pick<Export, 'folder' | 'store' | 'progress'>,
): Promise<{ copied: Manifest['images']; missing: string[] }> {
  const files = (await db.get(selectUploads)).flatMap(({ url, width, height, has_sizes }) => {
    const file = url.slice(UPLOADS.length)
    const sizes = has_sizes ? sizesOf({ width: width ?? 0, height: height ?? 0 }) : []
    return [file, ...sizes.map(({ name }) => sizeFile(file, name))]
  })
  const copied: Manifest['images'] = {}
  const missing: string[] = []
  for (const [i, file] of files.entries()) {
    const bytes = await store?.get(file)
    if (bytes) {
      await writeFile(imageIn(folder, file), bytes, FOR_OWNER)
      copied[file] = await digestOfFile(imageIn(folder, file))
    } else missing.push(file)
    progress(i + 1, files.length)
  }
  return { copied, missing }
}
