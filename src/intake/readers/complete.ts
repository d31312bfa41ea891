import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isObject } from '../../lib/values.ts'
import { COLLECTIONS } from '../records.ts'
import { type BackupFile, backupOf, MANIFEST } from './backup.ts'
import { jsonIn } from './site-address.ts'

/** The absolute paths of all files below a folder, sorted, or of one file. @throws Error if there is neither */
export async function filesIn(given: string): Promise<string[]> {
  const path = resolve(given)
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** The digest of a file, SHA-256 in hexadecimal. */
async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * The files of a backup as its manifest lists them.
 *
 * @param counts numbers of records by name
 */
export async function listFiles(folder: string, counts: ReadonlyMap<string, number>): Promise<BackupFile[]> {
  const files: BackupFile[] = []
  for (const path of await filesIn(folder)) {
    const name = relative(folder, path)
    // What a file manager has left is none of it.
    if (basename(name).startsWith('.')) continue
    const count = counts.get(name)
    files.push({ name, ...(count !== undefined && { count }), sha256: await digestOfFile(path) })
  }
  return files
}

/**
 * Looks through files and folders for backups that lack something.
 *
 * @returns a sentence for each file that is missing or was changed, and for pages of a backup without a manifest
 * @throws Error for a manifest that cannot be read
 */
export async function gapsIn(paths: readonly string[]): Promise<string[]> {
  const files = (await Promise.all(paths.map(filesIn))).flat()
  const manifests = files.filter(path => basename(path) === MANIFEST)
  const folders = manifests.map(path => `${dirname(path)}/`)
  const gaps: string[] = []
  for (const path of manifests) gaps.push(...(await gapsOf(path)))
  const lost = new Set<string>()
  for (const path of files)
    if (!folders.some(folder => path.startsWith(folder)) && (await isPageOfBackup(path)))
      lost.add(dirname(path))
  return [...gaps, ...[...lost].map(folder => `${folder} has pages of a backup, but no ${MANIFEST}`)]
}

async function gapsOf(manifest: string): Promise<string[]> {
  const folder = dirname(manifest)
  const { files = [] } = backupOf(await readFile(manifest, 'utf8'))
  const gaps: string[] = []
  for (const { name, count, sha256 } of files) {
    const records = count === undefined ? '' : ` with ${count} records`
    const found = await digestOfFile(join(folder, name)).catch(() => undefined)
    if (found === undefined) gaps.push(`${join(folder, name)}${records} is missing`)
    else if (found !== sha256) gaps.push(`${join(folder, name)}${records} was changed`)
  }
  return gaps
}

/** The names of pages that an export writes. */
const PAGE = new RegExp(`^(?:${Object.values(COLLECTIONS).join('|')})-\\d{5,}\\.json$`)

/** Tells if a file is a page of a backup, whose records have rows beside them. */
export async function isPageOfBackup(path: string): Promise<boolean> {
  if (!PAGE.test(basename(path))) return false
  const json = jsonIn({ bytes: await readFile(path) })
  const lists = Object.values(isObject(json) ? json : {}).filter(Array.isArray)
  return lists.some(([first]: unknown[]) => isObject(first) && isObject(first.stored))
}
