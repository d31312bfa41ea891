import { createHash, type Hash } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { like, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ImageStore } from '../context.ts'
import type { Database } from '../db/database.ts'
import { revision } from '../db/derived.ts'
import { countOf, first, many } from '../db/query.ts'
import { audit, images as imageTable } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { sizeFile, sizesOf } from '../lib/images/formats.ts'
import type { DateTime } from '../lib/time.ts'
import { UPLOADS } from '../resources/content/uploads.ts'
import {
  digestOfFile,
  fileOf,
  IMAGE_FOLDER,
  imageIn,
  MANIFEST,
  type Manifest,
  manifestText,
} from './manifest.ts'
import { DUMPED, DUMPED_NAMES, type DumpedName, fieldColumns } from './tables.ts'

/** Rows that are read at once. */
const ROWS_READ = 500

/** How often the tables are read before giving up: what reads them takes many transactions. */
const ATTEMPTS = 3

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
  await mkdir(join(folder, IMAGE_FOLDER), { recursive: true })
  const { tables, last_ids } = await exportTables(db, folder, progress)
  const { images, missing } = await exportImages(db, { folder, store, progress })
  const manifest = { exported_utc: now, last_ids, tables, images }
  // At once: half a manifest would be none.
  await writeFile(join(folder, `${MANIFEST}.part`), manifestText(manifest))
  await rename(join(folder, `${MANIFEST}.part`), join(folder, MANIFEST))
  return { manifest, missing }
}

type Tables = Pick<Manifest, 'tables' | 'last_ids'>

async function exportTables(db: Database, folder: string, progress: Export['progress']): Promise<Tables> {
  for (let left = ATTEMPTS; left > 0; left--) {
    const before = await db.get(selectState)
    const counts = await db.batch(DUMPED_NAMES.map(name => countOf(sql`${DUMPED[name].table}`)))
    const expected = counts.reduce((sum, count) => sum + count, 0)
    let done = 0
    const exportTable = async (name: DumpedName) => {
      const hash = createHash('sha256')
      let rows = 0
      const count = () => {
        rows += 1
        done += 1
        if (done % ROWS_READ === 0) progress(done, Math.max(done, expected))
      }
      await writeFile(fileOf(folder, name), linesOf(db, name, { hash, count }))
      return { rows, sha256: hash.digest('hex') }
    }
    const tables: [string, { rows: number; sha256: string }][] = []
    for (const name of DUMPED_NAMES) tables.push([name, await exportTable(name)])
    const after = await db.get(selectState)
    if (JSON.stringify(after) === JSON.stringify(before))
      // All of them, by their names.
      return { tables: Object.fromEntries(tables) as Manifest['tables'], last_ids: await lastIds(db) }
  }
  throw new Error(
    `The calendar was changed while it was being read, ${ATTEMPTS} times. Export it again when fewer people and sources write.`,
  )
}

/** The state of a calendar: rows that refer to each other don't change without this. */
const selectState = first(
  build.select({ n: revision.n, audit: sql<number>`(SELECT max(${audit.id}) FROM ${audit})` }).from(revision),
)

/** The highest id that each table has given: deleted rows had ids, too. */
async function lastIds(db: Database): Promise<Manifest['last_ids']> {
  const rows = await db.get(
    many(
      sql`SELECT name, seq FROM sqlite_sequence ORDER BY name`,
      ({ name, seq }) => [String(name), Number(seq)] as const,
    ),
  )
  const known = new Map(rows)
  return Object.fromEntries(
    DUMPED_NAMES.flatMap(name => {
      const last = known.get(getTableConfig(DUMPED[name].table).name)
      return last === undefined ? [] : [[name, last]]
    }),
  )
}

type Written = { hash: Hash; count: () => void }

async function* linesOf(db: Database, name: DumpedName, { hash, count }: Written): AsyncGenerator<string> {
  for await (const rows of pagesOf(db, name)) {
    let lines = ''
    for (const row of rows) {
      lines += `${JSON.stringify(row)}\n`
      count()
    }
    hash.update(lines)
    yield lines
  }
}

/** The columns by which a table is read. */
function keyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}

/** Rows of a table by their fields, in the order of its primary key. */
async function* pagesOf(db: Database, name: DumpedName): AsyncGenerator<Record<string, unknown>[]> {
  const { table }: { table: SQLiteTable } = DUMPED[name]
  const columns = fieldColumns(name)
  const key = keyOf(table)
  const keyFields = key.map(
    ({ name }) => Object.keys(columns).find(field => columns[field]?.name === name) ?? name,
  )
  let last: Record<string, unknown> | undefined
  do {
    const after = last && keyFields.map(field => sql`${last?.[field]}`)
    const rows: Record<string, unknown>[] = await db.get(
      many(
        build
          .select(columns)
          .from(table)
          .where(after && sql`(${sql.join(key, sql`, `)}) > (${sql.join(after, sql`, `)})`)
          .orderBy(...key)
          .limit(ROWS_READ),
      ),
    )
    yield rows
    last = rows.length < ROWS_READ ? undefined : rows.at(-1)
  } while (last)
}

const selectUploads = many(
  build
    .select({
      url: imageTable.url,
      width: imageTable.width,
      height: imageTable.height,
      has_sizes: imageTable.has_sizes,
    })
    .from(imageTable)
    .where(like(imageTable.url, `${UPLOADS}%`))
    .orderBy(imageTable.id),
)

/** Copies the files of uploaded images, with their smaller sizes. */
async function exportImages(
  db: Database,
  { folder, store, progress }: Pick<Export, 'folder' | 'store' | 'progress'>,
): Promise<{ images: Manifest['images']; missing: string[] }> {
  const uploads = await db.get(selectUploads)
  const files = uploads.flatMap(({ url, width, height, has_sizes }) => {
    const file = url.slice(UPLOADS.length)
    const sizes = has_sizes ? sizesOf({ width: width ?? 0, height: height ?? 0 }) : []
    return [file, ...sizes.map(({ name }) => sizeFile(file, name))]
  })
  const images: Record<string, string> = {}
  const missing: string[] = []
  for (const [i, file] of files.entries()) {
    const bytes = await store?.get(file)
    if (bytes) {
      await writeFile(imageIn(folder, file), bytes)
      images[file] = await digestOfFile(imageIn(folder, file))
    } else missing.push(file)
    progress(i + 1, files.length)
  }
  return { images, missing }
}
