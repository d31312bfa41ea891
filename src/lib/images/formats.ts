import { refuse } from '../values.ts'
import { reasonAgainst } from './others.ts'

/** The media type of stored images. AVIF is read, not written: the platform encodes only small ones. */
export type OutputFormat = 'image/jpeg' | 'image/png' | 'image/webp'

type Description = {
  /** The extensions that a file's name may have. */
  names: readonly string[]
  isOf: (head: string) => boolean
  output: OutputFormat
}

const brandsOf = (head: string): string => (head.slice(4, 8) === 'ftyp' ? head.slice(8, 64) : '')

/** The formats that cameras, phones and programs make, recognised by their first bytes. */
export const FORMATS = {
  jpg: {
    names: ['jpg', 'jpeg', 'jpe', 'jfif'],
    isOf: head => head.startsWith('\xff\xd8\xff'),
    output: 'image/jpeg',
  },
  png: {
    names: ['png', 'apng'],
    isOf: head => head.startsWith('\x89PNG\r\n\u001a\n'),
    output: 'image/png',
  },
  // The first frame: without lossy artefacts on large areas of one colour, which GIFs mostly are.
  gif: { names: ['gif'], isOf: head => /^GIF8[79]a/.test(head), output: 'image/png' },
  webp: {
    names: ['webp'],
    isOf: head => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP',
    output: 'image/webp',
  },
  avif: { names: ['avif'], isOf: head => brandsOf(head).includes('avif'), output: 'image/webp' },
  heic: {
    names: ['heic', 'heif'],
    isOf: head => /^(hei[a-z]|hev[a-z]|mif1|msf1)/.test(brandsOf(head)),
    output: 'image/jpeg',
  },
} as const satisfies Record<string, Description>

type ImageFormat = keyof typeof FORMATS

/** The extensions of stored files. GIF and AVIF are of earlier versions, which kept the format of an upload. */
export const MEDIA_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
} as const

/** The extension for files of a media type. */
export const EXTENSIONS: Readonly<Record<OutputFormat, keyof typeof MEDIA_TYPES>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/** Limit of an image's file, in bytes. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024

/** A file that begins as an image does; nobody has looked at the rest yet. */
export type ImageFile = { bytes: Uint8Array<ArrayBuffer>; format: ImageFormat }

const TAKEN = 'JPEG, PNG, GIF, WebP, AVIF and HEIC'
const HEAD_BYTES = 512

/**
 * Finds the format of an image by its first bytes. Whatever is of none, such as an SVG, gets no further.
 *
 * @param name the file's name, if it has one
 * @throws InvalidValue for other files, and for names with the extension of another format
 */
export function imageFileOf(bytes: Uint8Array<ArrayBuffer>, name = ''): ImageFile {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES))
  const format = formatOf(head)
  const given = name.match(/\.([a-z][a-z0-9]{1,7})\s*$/i)?.[1]?.toLowerCase()
  if (given !== undefined && !FORMATS[format].names.some(known => known === given))
    refuse(`this is an image of the format ${format}, but its name ends with .${given}`)
  return { bytes, format }
}

/** @throws InvalidValue */
function formatOf(head: string): ImageFormat {
  // Object.entries forgets the keys' type.
  for (const [format, { isOf }] of Object.entries(FORMATS)) if (isOf(head)) return format as ImageFormat
  const reason = reasonAgainst(head)
  return refuse(reason ? `${reason}. Images are ${TAKEN}` : `must be an image: ${TAKEN} are taken`)
}
