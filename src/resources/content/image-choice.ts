import type { ImageFile } from '../../lib/images/formats.ts'

/** The texts of an image. */
export type ImageTexts = {
  title?: string | undefined
  alt_text?: string | undefined
  caption?: string | undefined
}

/** An uploaded image whose file is in the bucket. `slug` is the one to be taken if it is free. */
export type Upload = ImageTexts & { slug: string; mime_type: string; filesize: number; has_sizes: boolean }

/**
 * An image by id, by address, with its size in pixels if the client sends it, or as a file; null for none. Files are
 * stored by `storeUpload` (uploads.ts), which turns them into addresses. `newId` is the id that one gets that is not stored yet.
 */
export type ImageChoice =
  | { id: number }
  | { url: string; width?: number; height?: number; upload?: Upload; newId?: number }
  | { file: ImageFile; name: string }
  | null
