import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { messageOf } from '../../kit/lib/errors.ts'
import { isObject, parseJson } from '../../kit/lib/values.ts'
import { checkRow } from './checks.ts'
import { type DumpedName, dumpedNames, fieldColumns } from './tables.ts'

// A backup is a folder: a file of JSON Lines for each table, image files, and a manifest that names all of
// them.

/** The name of the manifest. It is written last: a folder without it is an interrupted export. */
export const MANIFEST = 'backup.json'
/** The manifest's name while an export is under way. The file exists, empty, from the first moment on. */
export const UNFINISHED = `${MANIFEST}.part`
export const IMAGE_FOLDER = 'media'

const FORMAT = 'event-calendar backup'
const FORMAT_VERSION = 5

const manifestSchema = z.object({
  exported_utc: z.string(),
  /** The highest id that each table has ever given. */
  last_ids: z.record(z.string(), z.int()),
  /**
   * A backup lacks tables that were added after it was made. It may have others, which a restore leaves out.
   */
  tables: z.record(z.string().check(z.regex(/^[a-z]\w*$/i)), z.object({ rows: z.int(), sha256: z.string() })),
  /** Digests of image files by name. */
  images: z.record(z.string().check(z.regex(/^\w[\w.-]*$/)), z.string()),
})

export type Manifest = z.output<typeof manifestSchema>

export type FieldRow = Readonly<Record<string, unknown>>

export const tablePath = (folder: string, table: DumpedName): string => join(folder, `${table}.jsonl`)
export const imagePath = (folder: string, file: string): string => join(folder, IMAGE_FOLDER, file)

/** True if a folder is a backup, whole or not. */
export const isBackup = (path: string): boolean =>
  [MANIFEST, UNFINISHED, `${dumpedNames()[0]}.jsonl`].some(name => existsSync(join(path, name)))

export const manifestText = (manifest: Manifest): string =>
  JSON.stringify({ format: FORMAT, version: FORMAT_VERSION, ...manifest }, null, 1)

const tablesIn = ({ tables }: Manifest): { name: DumpedName; rows: number; sha256: string }[] =>
  dumpedNames().flatMap(name => (tables[name] ? [{ name, ...tables[name] }] : []))

/** Lines with the number of rows of each table that has rows, and the number of image files. */
export const countsIn = (manifest: Manifest): string =>
  [...tablesIn(manifest), { name: 'image files', rows: Object.keys(manifest.images).length }]
    .flatMap(({ name, rows }) => (rows > 0 ? [`${name.padEnd(18)}${String(rows).padStart(8)}`] : []))
    .join('\n')

/** Sentences about the tables of a backup that a restore leaves out. */
function tablesLeftOut({ tables }: Manifest): string[] {
  const knownNames = dumpedNames()
  return Object.entries(tables).flatMap(([name, { rows }]) =>
    knownNames.includes(name) ? [] : [`This version has no table ${name}: ${rows} rows are left out.`],
  )
}

/** The digest of a file, SHA-256 in hexadecimal. @throws Error if it cannot be read */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Reads the manifest of a backup. @throws Error that says what is wrong with it */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(
      `${folder} lacks ${MANIFEST}, which an export writes last: this one was broken off. Export the calendar again.`,
    )
  })
  const json = parseJson(text)
  if (!isObject(json) || json.format !== FORMAT)
    throw new Error(`${path} is damaged, or is not the manifest of a backup.`)
  const { version } = json
  if (version !== FORMAT_VERSION)
    throw new Error(
      `${folder} has the format ${version}, which this version does not know: it reads format ${FORMAT_VERSION}. Restore it with the version that wrote it.`,
    )
  const { success, data, error } = manifestSchema.safeParse(json)
  if (!success) throw new Error(`${path} is damaged: ${z.prettifyError(error)}`)
  return data
}

/**
 * Checks all files of a backup against its manifest, and the values of each row against its columns and the
 * checks of requests.
 *
 * @returns sentences about values that a restore leaves out
 * @throws Error that names the first fault
 */
export async function checkFiles(folder: string, manifest: Manifest): Promise<ReadonlySet<string>> {
  const tables = tablesIn(manifest)
  const files = [
    ...tables.map(({ name, sha256 }): [string, string] => [tablePath(folder, name), sha256]),
    ...Object.entries(manifest.images).map(([name, sha256]): [string, string] => [
      imagePath(folder, name),
      sha256,
    ]),
  ]
  for (const [path, sha256] of files) {
    const fileDigest = await digestOfFile(path).catch((error: unknown) => {
      throw new Error(`${path} cannot be read: ${messageOf(error)}`)
    })
    if (fileDigest !== sha256) throw new Error(`${path} is damaged: it is not what was exported.`)
  }
  const omissions = new Set(tablesLeftOut(manifest))
  for (const { name } of tables)
    for await (const row of rowsIn(folder, name))
      for (const reason of row.omittedFields) omissions.add(reason)
  return omissions
}

/**
 * Reads the rows of a table as a restore writes them, with the length of each in characters, and sentences
 * about values that are left out.
 *
 * @throws Error that names the faulty line
 */
export async function* rowsIn(
  folder: string,
  name: DumpedName,
): AsyncGenerator<{ row: FieldRow; length: number; omittedFields: readonly string[] }> {
  const columns = new Map(Object.entries(fieldColumns(name)))
  let line = 0
  for await (const text of linesOf(tablePath(folder, name))) {
    line += 1
    const json = parseJson(text)
    const fail = (problem: string): never => {
      throw new Error(`${tablePath(folder, name)}, line ${line}: ${problem}.`)
    }
    if (!isObject(json)) return fail('this is not a JSON object')
    const { row, omittedFields } = withoutUnknownFields(name, json, columns)
    const reason = reasonAgainst(row, columns)
    if (reason) fail(reason)
    const checkedResult = checkRow(name, row, columns)
    if ('reason' in checkedResult) return fail(checkedResult.reason)
    yield {
      row: checkedResult.row,
      length: text.length,
      omittedFields: [...omittedFields, ...checkedResult.omittedFields],
    }
  }
}

/** A row without the fields that backups of this version don't have, and sentences that name them. */
function withoutUnknownFields(
  name: DumpedName,
  json: FieldRow,
  columns: ReadonlyMap<string, SQLiteColumn>,
): { row: FieldRow; omittedFields: string[] } {
  const unknown = Object.keys(json).filter(field => !columns.has(field))
  return {
    row: Object.fromEntries(Object.entries(json).filter(([field]) => columns.has(field))),
    omittedFields: unknown.map(
      field => `The field ${field} of ${name} is left out: backups of this version have none.`,
    ),
  }
}

function reasonAgainst(row: FieldRow, columns: ReadonlyMap<string, SQLiteColumn>): string | undefined {
  for (const [field, value] of Object.entries(row)) {
    const column = columns.get(field)
    if (column && !fitsColumn(value, column))
      return `${field} cannot be ${JSON.stringify(value)?.slice(0, 100)}`
  }
  for (const [field, { notNull, hasDefault }] of columns)
    if (notNull && !hasDefault && !(field in row)) return `${field} is missing`
  return undefined
}

function fitsColumn(value: unknown, { notNull, dataType, enumValues = [] }: SQLiteColumn): boolean {
  if (value === null) return !notNull
  if (typeof value !== dataType) return false
  return typeof value !== 'string' || enumValues.length === 0 || enumValues.includes(value)
}

/** The lines of a file. Node's own reader also ends them at U+2028 and U+2029, which texts may contain. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let unfinishedLine = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (unfinishedLine + chunk).split('\n')
    unfinishedLine = lines.pop() ?? ''
    yield* lines
  }
  if (unfinishedLine !== '') yield unfinishedLine
}
