import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesOf, PICTURE_FOLDER, type PictureStore } from '../import/pictures.ts'
import type { Connection } from '../lib/connection.ts'

/**
 * Writes the files of all uploaded pictures beside the pages of an export.
 *
 * @returns how many were written, and the names of those that the bucket lacks
 */
export async function exportPictures(
  db: Connection,
  store: PictureStore | undefined,
  folder: string,
  progress: (done: number, expected: number) => void,
): Promise<{ written: number; missing: string[] }> {
  const files = filesOf(await db.query('SELECT url FROM images ORDER BY id'))
  const missing: string[] = []
  if (files.length > 0) await mkdir(join(folder, PICTURE_FOLDER), { recursive: true })
  for (const [i, file] of files.entries()) {
    const bytes = await store?.get(file)
    if (bytes) await writeFile(join(folder, PICTURE_FOLDER, file), bytes)
    else missing.push(file)
    progress(i + 1, files.length)
  }
  return { written: files.length - missing.length, missing }
}
