import { codedReason } from '../reasons.ts'
import { refuse, typedEntries } from '../values.ts'

/** The text of a file without its byte order mark, read as if each character had one byte. */
const withoutMark = (head: string): string =>
  head.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '')

/**
 * Types of files that are refused though people take them for usable images, each with its name in all
 * languages and, for programs, the reason and some advice.
 */
const REFUSED_KINDS: readonly [isKind: (head: string) => boolean, kind: string, reason: string][] = [
  [
    head => /^\s*<(\?xml|!--|!doctype svg|svg)/i.test(withoutMark(head)) && /<svg/i.test(withoutMark(head)),
    'SVG',
    'this is an SVG, which can hold scripts: export it as PNG or WebP',
  ],
  [head => /^\s*<(!|\?|[a-z])/i.test(withoutMark(head)), 'HTML', 'this is a page, not an image'],
  [head => head.slice(4, 8) === 'ftyp', 'MP4', 'this is a video, not an image'],
  [
    head => ['II*\0', 'MM\0*'].includes(head.slice(0, 4)),
    'TIFF',
    'this is a TIFF image, which browsers do not show: export it as JPEG or PNG',
  ],
  [head => head.startsWith('BM'), 'BMP', 'this is a BMP image: export it as PNG'],
  [head => head.startsWith('%PDF'), 'PDF', 'this is a PDF: export an image of it as PNG'],
  [head => head.startsWith('PK'), 'ZIP', 'this is a ZIP archive, not an image'],
]

/**
 * The media type of stored images. Uploads may be AVIF, but stored images are not: the platform encodes only
 * small ones.
 */
export type OutputFormat = 'image/jpeg' | 'image/png' | 'image/webp'

const brandsOf = (head: string): string => (head.slice(4, 8) === 'ftyp' ? head.slice(8, 64) : '')

/** The formats that cameras, phones and programs make, recognised by their first bytes. */
export const FORMATS = {
  jpg: {
    isOf: head => head.startsWith('\xff\xd8\xff'),
    output: 'image/jpeg',
  },
  png: {
    isOf: head => head.startsWith('\x89PNG\r\n\u001a\n'),
    output: 'image/png',
  },
  // Only the first frame is stored. GIFs are mostly large areas of one colour, on which lossy formats leave
  // artefacts.
  gif: { isOf: head => /^GIF8[79]a/.test(head), output: 'image/png' },
  webp: {
    isOf: head => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP',
    output: 'image/webp',
  },
  avif: { isOf: head => brandsOf(head).includes('avif'), output: 'image/webp' },
  heic: {
    isOf: head => /^(hei[a-z]|hev[a-z]|mif1|msf1)/.test(brandsOf(head)),
    output: 'image/jpeg',
  },
} as const satisfies Record<string, { isOf: (head: string) => boolean; output: OutputFormat }>

type ImageFormat = keyof typeof FORMATS

/**
 * Media types of stored files, by extension. Uploads become none of GIF and AVIF, but a restored backup may
 * have them.
 */
export const MEDIA_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
} as const

export const EXTENSIONS: Readonly<Record<OutputFormat, keyof typeof MEDIA_TYPES>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/** Size limit of an image's file, in bytes. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024

/** An image in the library. The `url` of an uploaded image is a path. */
export type StoredImage = {
  id: number
  url: string
  width: number | null
  height: number | null
  alt_text: string
  has_sizes: boolean
  version: number
}

/** A file that begins like an image; the rest has not been checked. */
export type ImageFile = { bytes: Uint8Array<ArrayBuffer>; format: ImageFormat }

const ACCEPTED_FORMATS = 'JPEG, PNG, GIF, WebP, AVIF and HEIC'
const HEAD_BYTES = 512

/**
 * Recognises the format of an image by its first bytes, and ignores the name, because stored files get new
 * names. Files in other formats, such as SVG, are refused.
 *
 * @throws InvalidValue for other files
 */
export const imageFileOf = (bytes: Uint8Array<ArrayBuffer>): ImageFile => ({
  bytes,
  format: formatOf(String.fromCharCode(...bytes.subarray(0, HEAD_BYTES))),
})

/** @throws InvalidValue */
function formatOf(head: string): ImageFormat {
  for (const [format, { isOf }] of typedEntries(FORMATS)) if (isOf(head)) return format
  const [, kind, reason] = REFUSED_KINDS.find(([isKind]) => isKind(head)) ?? []
  return refuse(
    kind === undefined
      ? codedReason('no_image', `must be an image: ${ACCEPTED_FORMATS} are accepted`)
      : codedReason('image_kind', `${reason}. Images are ${ACCEPTED_FORMATS}`, { kind }),
  )
}
