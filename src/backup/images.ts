import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { IMAGE_FOLDER, type ImageStore, imageFilesOf } from '../intake/images.ts'
import type { Connection } from '../lib/connection.ts'

/**
 * Writes the files of all uploaded images and their sizes beside the pages of an export.
 *
 * @returns how many images were written whole, and the names of the files that the bucket lacks
 */
export async function exportImageFiles(
  db: Connection,
  store: ImageStore | undefined,
  folder: string,
  progress: (done: number, expected: number) => void,
): Promise<{ written: number; missing: string[] }> {
  const images = imageFilesOf(await db.query('SELECT url, width, height, has_sizes FROM images ORDER BY id'))
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
