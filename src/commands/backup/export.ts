import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UPLOADS } from '../../calendar/content/uploads.ts'
import type { ImageStore } from '../../kit/context.ts'
import type { Database } from '../../kit/db/database.ts'
import { sizeFile, sizesOf } from '../../kit/lib/images/sizes.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import {
  digestOfFile,
  IMAGE_FOLDER,
  imagePath,
  MANIFEST,
  type Manifest,
  manifestText,
  UNFINISHED,
} from './manifest.ts'
import { type Snapshot, writeSnapshot } from './snapshot.ts'

/** Backups contain drafts and names, which other users of the machine must not read. */
const FOR_OWNER = { mode: 0o600 } as const

type Export = {
  folder: string
  store: ImageStore | undefined
  now: DateTime
  progress: (done: number, expected: number) => void
}

/**
 * Writes a calendar into an empty folder, even while others change it.
 *
 * @returns the manifest, and the names of image files that the bucket lacks
 */
export async function exportCalendar(
  db: Database,
  { folder, store, now, progress }: Export,
): Promise<{ manifest: Manifest; missing: string[] }> {
  await mkdir(join(folder, IMAGE_FOLDER), { recursive: true, mode: 0o700 })
  const unfinished = join(folder, UNFINISHED)
  await writeFile(unfinished, '', FOR_OWNER)
  const { tables, last_ids, uploads } = await writeSnapshot(db, { folder, progress, ...FOR_OWNER })
  const { copied, missing } = await exportImages(uploads, { folder, store, progress })
  const manifest = { exported_utc: now, last_ids, tables, images: copied }
  // Renamed when complete, because an incomplete manifest is useless.
  await writeFile(unfinished, manifestText(manifest))
  await rename(unfinished, join(folder, MANIFEST))
  return { manifest, missing }
}

/** Copies the files of uploaded images, with their smaller sizes. */
async function exportImages(
  uploads: Snapshot['uploads'],
  { folder, store, progress }: Pick<Export, 'folder' | 'store' | 'progress'>,
): Promise<{ copied: Manifest['images']; missing: string[] }> {
  const files = uploads.flatMap(({ url, width, height, has_sizes }) => {
    const file = url.slice(UPLOADS.length)
    const sizes = has_sizes ? sizesOf({ width: width ?? 0, height: height ?? 0 }) : []
    return [file, ...sizes.map(({ name }) => sizeFile(file, name))]
  })
  const copiedImages: Manifest['images'] = {}
  const missing: string[] = []
  for (const [i, file] of files.entries()) {
    const bytes = await store?.get(file)
    if (bytes) {
      await writeFile(imagePath(folder, file), bytes, FOR_OWNER)
      copiedImages[file] = await digestOfFile(imagePath(folder, file))
    } else missing.push(file)
    progress(i + 1, files.length)
  }
  return { copied: copiedImages, missing }
}
