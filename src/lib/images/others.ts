/** The text of a file without the mark of its encoding, and as if it had one byte a character. */
const textOf = (head: string): string =>
  head.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '')

/** Kinds of files that people take for images, with what to do about them. */
const KINDS: readonly [is: (head: string) => boolean, reason: string][] = [
  [
    head => /^\s*<(\?xml|!--|!doctype svg|svg)/i.test(textOf(head)) && /<svg/i.test(textOf(head)),
    'this is an SVG, which can hold scripts: export it as PNG or WebP',
  ],
  [head => /^\s*<(!|\?|[a-z])/i.test(textOf(head)), 'this is a page, not an image'],
  [head => head.slice(4, 8) === 'ftyp', 'this is a film, not an image'],
  [
    head => ['II*\0', 'MM\0*'].includes(head.slice(0, 4)),
    'this is a TIFF image, which browsers do not show: export it as JPEG or PNG',
  ],
  [head => head.startsWith('BM'), 'this is a BMP image: export it as PNG'],
  [head => head.startsWith('%PDF'), 'this is a PDF: export an image of it as PNG'],
  [head => head.startsWith('PK'), 'this is a ZIP archive, not an image'],
]

/** The kind of a file that is none of the images that are taken; undefined if that is not known. */
export const reasonAgainst = (head: string): string | undefined => KINDS.find(([is]) => is(head))?.[1]
