import { latin } from './bytes.ts'

/** The text of a file without the mark of its encoding, and as if it had one byte a character. */
const textOf = (head: string): string =>
  head.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '')

const brandOf = (head: string): string => (head.slice(4, 8) === 'ftyp' ? head.slice(8, 12) : '')

/** Kinds of files that people take for pictures, with what to do about them. */
const KINDS: readonly [is: (head: string) => boolean, reason: string][] = [
  [
    head => /^\s*<(\?xml|!--|!doctype svg|svg)/i.test(textOf(head)) && /<svg/i.test(textOf(head)),
    'this is an SVG, which can hold scripts: export it as PNG or WebP',
  ],
  [head => /^\s*<(!|\?|[a-z])/i.test(textOf(head)), 'this is a page, not a picture'],
  [
    head => /^(hei|hev|mif1|msf1)/.test(brandOf(head)),
    'this is a HEIC picture, which browsers do not show: export it as JPEG',
  ],
  [head => brandOf(head) !== '', 'this is a film, not a picture'],
  [
    head => ['II*\0', 'MM\0*'].includes(head.slice(0, 4)),
    'this is a TIFF picture, which browsers do not show: export it as JPEG or PNG',
  ],
  [head => head.startsWith('BM'), 'this is a BMP picture: export it as PNG'],
  [head => head.startsWith('%PDF'), 'this is a PDF: export a picture of it as PNG'],
  [head => head.startsWith('PK'), 'this is a ZIP archive, not a picture'],
]

/** The kind of a file that is none of the pictures that are taken; undefined if that is not known. */
export const reasonAgainst = (head: string): string | undefined => KINDS.find(([is]) => is(head))?.[1]

/** Beginnings of files of other kinds, which readers look for behind a picture; in lower case. */
const STOWAWAYS = ['pk\u0003\u0004', 'pk\u0005\u0006', '%pdf-', 'rar!\u001a', '7z\xbc\xaf']
/** After `<?=` must come some letters: three bytes alone are in one of thirty films that phones put behind a picture. */
const MARKUP = /<(!doctype|html|head|body|script|svg|iframe|\?php|\?=[\s!-~]{8})/

/** Such files begin right behind the picture, or say at their end where they do: more is not worth the time. */
const SCANNED_BYTES = 256 * 1024
const CHUNK_BYTES = 16_384

/** Tells if some bytes hold another file. */
export const holdFile = (bytes: Uint8Array): boolean =>
  [bytes.subarray(0, SCANNED_BYTES), bytes.subarray(SCANNED_BYTES).subarray(-SCANNED_BYTES)].some(part => {
    // Chunks overlap, so that what lies on a border is in one of them.
    for (let at = 0; at < part.length; at += CHUNK_BYTES) {
      const text = latin(part, at, CHUNK_BYTES + 16).toLowerCase()
      if (MARKUP.test(text) || STOWAWAYS.some(start => text.includes(start))) return true
    }
    return false
  })
