import type { ImageFile } from '../lib/images/formats.ts'

/** The texts of a picture. */
export type ImageTexts = {
  title?: string | undefined
  alt_text?: string | undefined
  caption?: string | undefined
}

/** An uploaded picture whose file is in the bucket. */
export type Upload = ImageTexts & { mime_type: string; filesize: number; has_sizes: boolean }

/**
 * An image by id, by address, with its size in pixels if the client sends it, or as a file; null for none. Files are
 * stored by `storePicture` (pictures.ts), which turns them into addresses.
 */
export type ImageChoice =
  | { id: number }
  | { url: string; width?: number; height?: number; upload?: Upload }
  | { picture: ImageFile; name: string }
  | null
