import { InvalidValue, refuse } from '../values.ts'
import { cleanAvif } from './avif.ts'
import { joined, latin } from './bytes.ts'
import type { Cleaned } from './cleaned.ts'
import { cleanGif } from './gif.ts'
import { cleanJpeg } from './jpeg.ts'
import { holdFile, reasonAgainst } from './others.ts'
import { cleanPng } from './png.ts'
import { cleanWebp } from './webp.ts'

/** A picture that may be stored and shown: checked, and without metadata. */
export type Picture = {
  /** The usual extension of its format, without a dot. */
  extension: Extension
  mimeType: string
  /** The size as it is shown, in pixels. */
  width: number
  height: number
  bytes: Uint8Array<ArrayBuffer>
}

type Format = {
  mimeType: string
  /** The extensions that a file's name may have. */
  names: readonly string[]
  isOf: (head: string) => boolean
  clean: (bytes: Uint8Array) => Cleaned
}

/** The formats that browsers show, by the extension under which they are stored. */
export const FORMATS = {
  jpg: {
    mimeType: 'image/jpeg',
    names: ['jpg', 'jpeg', 'jpe', 'jfif'],
    isOf: head => head.startsWith('\xff\xd8\xff'),
    clean: cleanJpeg,
  },
  png: {
    mimeType: 'image/png',
    names: ['png', 'apng'],
    isOf: head => head.startsWith('\x89PNG\r\n\u001a\n'),
    clean: cleanPng,
  },
  gif: { mimeType: 'image/gif', names: ['gif'], isOf: head => /^GIF8[79]a/.test(head), clean: cleanGif },
  webp: {
    mimeType: 'image/webp',
    names: ['webp'],
    isOf: head => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP',
    clean: cleanWebp,
  },
  avif: {
    mimeType: 'image/avif',
    names: ['avif'],
    // Some of HEIC have AV1 as well; those that browsers show name the brand.
    isOf: head => head.slice(4, 8) === 'ftyp' && head.slice(8, 64).includes('avif'),
    clean: cleanAvif,
  },
} as const satisfies Record<string, Format>

export type Extension = keyof typeof FORMATS

/** Limit of a picture's file, in bytes. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024

const TAKEN = 'JPEG, PNG, GIF, WebP and AVIF'
const HEAD_BYTES = 512

/**
 * Reads a picture: finds its format by its bytes, checks its structure and removes metadata, with anything that follows
 * its end.
 *
 * @param name the file's name, if it has one
 * @throws InvalidValue for other files, and for names with the extension of another format
 */
export function readPicture(bytes: Uint8Array, name = ''): Picture {
  const extension = formatOf(bytes)
  const { names, mimeType, clean } = FORMATS[extension]
  const given = name.match(/\.([a-z][a-z0-9]{1,7})\s*$/i)?.[1]?.toLowerCase()
  if (given !== undefined && !names.some(known => known === given))
    refuse(`this is a picture of the format ${extension}, but its name ends with .${given}`)
  const { width, height, parts, end } = cleaned(bytes, clean)
  if (holdFile(bytes.subarray(end))) refuse('this has another file behind the picture')
  return { extension, mimeType, width, height, bytes: joined(parts) }
}

function cleaned(bytes: Uint8Array, clean: Format['clean']): Cleaned {
  try {
    return clean(bytes)
  } catch (error) {
    if (error instanceof InvalidValue || !(error instanceof RangeError)) throw error
    return refuse('this is a broken picture: it ends too early')
  }
}

/** @throws InvalidValue */
function formatOf(bytes: Uint8Array): Extension {
  const head = latin(bytes, 0, HEAD_BYTES)
  // Object.entries forgets the keys' type.
  for (const [extension, { isOf }] of Object.entries(FORMATS)) if (isOf(head)) return extension as Extension
  const reason = reasonAgainst(head)
  return refuse(reason ? `${reason}. Pictures are ${TAKEN}` : `must be a picture: ${TAKEN} are taken`)
}

/** The file name of stored pictures: the SHA-256 digest of their bytes, and the extension of their format. */
export const PICTURE_FILE = /^[0-9a-f]{64}\.(jpg|png|gif|webp|avif)$/

/** The name under which a picture is stored. */
export async function fileNameOf({
  bytes,
  extension,
}: Pick<Picture, 'bytes' | 'extension'>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `${Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')}.${extension}`
}
