import { deflateSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Answer, declareUser, send } from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'
import {
  black,
  box,
  bytes,
  chunk,
  extended,
  find,
  frame,
  gif,
  gifFrame,
  header,
  inserted,
  little,
  lossless,
  PNG_START,
  png,
  riff,
  riffChunk,
  segment,
  text,
  uint,
} from './build.ts'
import * as samples from './samples.ts'
import { bytesAt, countingImages, emptyBucket, formOf, rowsOf, storedFiles, upload } from './upload.ts'

const author = declareUser('author')

beforeEach(emptyBucket)

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
const SCRIPT = '<script>alert(1)</script>'
const ZIP = bytes('PK', 3, 4, 'x'.repeat(30), 'PK', 5, 6, new Uint8Array(18))

/** Files that are no images, whatever their names. */
const OTHERS: Record<string, Uint8Array<ArrayBuffer>> = {
  SVG: bytes(SVG),
  'SVG after an XML declaration': bytes(`<?xml version="1.0"?>\n<!-- drawn -->\n${SVG}`),
  'SVG in UTF-16': bytes(0xff, 0xfe, ...[...SVG].flatMap(char => [char, 0])),
  'SVG after the mark of UTF-8': bytes(0xef, 0xbb, 0xbf, SVG),
  'SVG after blanks': bytes(' \n\t', SVG),
  'SVG after a long comment': bytes(`<!--${' '.repeat(5_000)}-->${SVG}`),
  'SVG, compressed': bytes(0x1f, 0x8b, 8, deflateSync(bytes(SVG))),
  HTML: bytes(`<!DOCTYPE html><html>${SCRIPT}`),
  'HTML after blanks': bytes(`\n\n  <html>${SCRIPT}`),
  'a script in PHP': bytes('<?php system($_GET["x"]);'),
  JavaScript: bytes('alert(1)'),
  PDF: bytes('%PDF-1.7'),
  ZIP,
  TIFF: bytes('II*\0', little(8, 4)),
  BMP: bytes('BM', little(100, 4)),
  'JPEG XL': bytes(0xff, 0x0a, 'pixels'),
  'a film': bytes(box('ftyp', bytes('isom\0\0\0\0isomavc1mp41'))),
  'a program': bytes(0x7f, 'ELF'),
  'one byte': bytes(0xff),
  text: bytes('Dear editors'),
}

const HEADS: Record<string, Uint8Array<ArrayBuffer>> = {
  'GIF, JavaScript after it': bytes('GIF89a/*', '*/=0;alert(1)//'),
  'GIF, HTML after it': bytes(`GIF89a${SCRIPT}`),
  'JPEG, HTML after it': bytes(0xff, 0xd8, 0xff, 0xe0, `<html>${SCRIPT}`),
  'JPEG, SVG after it': bytes(0xff, 0xd8, 0xff, SVG),
  'PNG, HTML after it': bytes(PNG_START, `<html>${SCRIPT}`),
  'WebP, HTML after it': bytes('RIFF', little(20, 4), 'WEBP', SCRIPT),
  'AVIF, HTML after it': bytes(box('ftyp', bytes('avif\0\0\0\0avifmif1')), SCRIPT),
  'HEIC, nothing after it': bytes(box('ftyp', bytes('heic\0\0\0\0mif1heic'))),
}

const PIXELS = chunk('IDAT', deflateSync(new Uint8Array(100)))

/** Small files of huge images, which are refused before they are decoded. */
const BOMBS: Record<string, Uint8Array<ArrayBuffer>> = {
  'JPEG of 65,500 × 65,500': bytes(
    0xff,
    0xd8,
    frame(65_500, 65_500),
    segment(0xda, bytes(1, 1, 0, 0, 63, 0)),
  ),
  'JPEG of 8,000 × 5,001': bytes(0xff, 0xd8, frame(8_000, 5_001), segment(0xda, bytes(1, 1, 0, 0, 63, 0))),
  'PNG of 8,000 × 5,001': black(8_000, 5_001),
  'PNG of 16,000 × 16,000': black(16_000, 16_000),
  'PNG of 50,000 × 50,000': bytes(PNG_START, header(50_000, 50_000, 1), PIXELS, chunk('IEND')),
  'PNG of 2^31 - 1': bytes(PNG_START, header(2 ** 31 - 1, 2 ** 31 - 1, 1), PIXELS, chunk('IEND')),
  'GIF of 65,535 × 65,535': gif(65_535, 65_535, gifFrame(65_535, 65_535), bytes(0x3b)),
  'WebP of 16,383 × 16,383': riff(lossless(16_383, 16_383)),
  'AVIF of 65,536 × 65,536': replaced(
    samples.AVIF,
    find(samples.AVIF, 'ispe') + 8,
    uint(65_536, 4),
    uint(65_536, 4),
  ),
}

function replaced(of: Uint8Array, at: number, ...values: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const changed = Uint8Array.from(of)
  changed.set(bytes(...values), at)
  return changed
}

const { ANIMATED_GIF: _, ANIMATED_WEBP: __, ...STILL } = samples
/** Of animations the first frame may be whole. */
const CUT = Object.entries(STILL).flatMap(([name, sample]) =>
  [0.4, 0.6, 0.8].map((part): [string, Uint8Array<ArrayBuffer>] => [
    `${name}, ${part * 100} % of it`,
    sample.slice(0, Math.floor(sample.length * part)),
  ]),
)

const BROKEN: Record<string, Uint8Array<ArrayBuffer>> = {
  'JPEG without pixels': bytes(0xff, 0xd8, 0xff, 0xd9),
  'JPEG of no width': bytes(0xff, 0xd8, frame(0, 10), 0xff, 0xd9),
  'JPEG with a part of no length': bytes(0xff, 0xd8, 0xff, 0xe1, 0, 0, frame(5, 5)),
  'JPEG with a part beyond the end': bytes(0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, frame(5, 5)),
  'PNG without pixels': bytes(PNG_START, header(5, 5), chunk('IEND')),
  'PNG of no width': bytes(PNG_START, header(0, 5), PIXELS, chunk('IEND')),
  'PNG whose pixels are not compressed': bytes(
    PNG_START,
    header(5, 5),
    chunk('IDAT', bytes('<html>')),
    chunk('IEND'),
  ),
  'PNG with a part that is longer than the file': bytes(PNG_START, uint(2 ** 31 - 1, 4), 'eXIf', SCRIPT),
  'GIF without a frame': gif(5, 5, bytes(0x3b)),
  'WebP without pixels': riff(extended(5, 5)),
  'WebP whose pixels are larger than it says': riff(extended(5, 5), lossless(16_000, 16_000)),
  'AVIF without items': bytes(box('ftyp', bytes('avif\0\0\0\0avifmif1')), box('meta', uint(0, 4))),
  'HEIC that nothing here can read': replaced(
    replaced(samples.AVIF, find(samples.AVIF, 'av01'), bytes('hvc1')),
    8,
    bytes('heic\0\0\0\0mif1heic'),
  ),
  ...Object.fromEntries(CUT),
}

const KINDS: Record<string, [files: Record<string, Uint8Array<ArrayBuffer>>, reason: RegExp]> = {
  'what is no image': [OTHERS, /this is .*Images are|must be an image/],
  'what only begins as an image': [HEADS, /broken image/],
  'what is larger than it looks': [BOMBS, /megapixels|broken image/],
  'what is broken': [BROKEN, /broken image/],
}

const expectRefused = (answer: Answer, reason: RegExp): void =>
  expect(answer).toMatchObject({
    status: 400,
    body: {
      code: 'rest_invalid_param',
      message: expect.stringMatching(reason),
      data: { status: 400, params: { file: expect.any(String) } },
    },
  })

const { decoded, ...bindings } = countingImages()
const sendHere = sendWith(bindings)

describe.each(Object.entries(KINDS))('%s', (_, [files, reason]) => {
  it.each(Object.entries(files))('is refused: %s', async (_name, file) => {
    const before = decoded()
    expectRefused(await sendHere('POST', '/media', { as: author, body: formOf({ file }) }), reason)
    if (files === OTHERS || files === BOMBS) expect(decoded()).toBe(before)
    expect(await storedFiles()).toEqual([])
    expect(await rowsOf('images')).toEqual([])
  })
})

it('a hostile file is refused as a part of a form, and as an image of an event', async () => {
  for (const [files, reason] of Object.values(KINDS)) {
    const [[, file] = ['', new Uint8Array()]] = Object.entries(files)
    expectRefused(await send('POST', '/media', { as: author, body: formOf({ file }) }), reason)
    const event = { title: 'X', start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' }
    const { status, body } = await send('POST', '/events', {
      as: author,
      body: formOf({ ...event, image: file }),
    })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['image']])
  }
  expect(await storedFiles()).toEqual([])
  expect(await rowsOf('events')).toEqual([])
})

it('forty megapixels are not too many', async () => {
  const { status, body } = await upload(author, black(8_000, 5_000))
  expect([status, body]).toMatchObject([201, { width: 8_000, height: 5_000 }])
})

describe('a name that says something else', () => {
  const NAMES = ['x.png', 'x.svg', 'x.html', 'x.php', 'x.jpg.php', 'x.jpg.exe', 'x.PHTML', 'x.htm ', 'x.js']
  it.each(NAMES)('is not that of the file: %s', async name => {
    const { status, body } = await upload(author, samples.JPEG, { name })
    expect([status, body]).toMatchObject([
      201,
      { mime_type: 'image/jpeg', url: expect.stringMatching(/\.jpg$/) },
    ])
    for (const file of await storedFiles()) expect(file).toMatch(/^[\da-f]{64}(-\w+)?\.jpg$/)
  })

  it('is ignored as the type of the request too, and may be missing or have any ending', async () => {
    for (const type of ['image/png', 'application/octet-stream', 'text/html', 'image/svg+xml'])
      expect((await upload(author, samples.JPEG, { type })).body, type).toMatchObject({
        mime_type: 'image/jpeg',
      })
    for (const name of ['', 'poster', 'POSTER.JPG', 'poster.jpeg', 'a.b.jpg', 'v1.2', 'poster.jpe'])
      expect((await upload(author, samples.JPEG, { name })).status, name).toBe(201)
  })
})

describe('only pixels survive', () => {
  const film = bytes(box('ftyp', bytes('mp42\0\0\0\0mp42')), box('mdat', bytes(SCRIPT)))
  const jpegWith = (...parts: Uint8Array[]) => inserted(samples.PROGRESSIVE, 2, bytes(...parts))
  const pngWith = (...parts: Uint8Array[]) => inserted(png(9, 9), PNG_START.length + 25, bytes(...parts))
  const HIDING: Record<string, Uint8Array<ArrayBuffer>> = {
    'JPEG and ZIP': bytes(samples.JPEG, ZIP, SCRIPT),
    'JPEG and a film, as phones make': bytes(samples.JPEG, film),
    'JPEG and PHP': bytes(samples.JPEG, `<?php system($_GET["x"]); ${SCRIPT}`),
    'PNG and HTML': bytes(samples.PNG, `\n<html>${SCRIPT}`),
    'PNG and PDF': bytes(samples.PNG, 'x'.repeat(100_000), '%PDF-1.4', SCRIPT),
    'GIF and HTML': bytes(samples.GIF, SCRIPT),
    'WebP and a script': bytes(samples.WEBP, SCRIPT),
    'AVIF and HTML': bytes(samples.AVIF, box('free', bytes(SCRIPT))),
    'JPEG, a comment': jpegWith(segment(0xfe, bytes(SCRIPT))),
    'JPEG, EXIF data': jpegWith(segment(0xe1, bytes('Exif\0\0MM\0*\0\0\0\x08', SCRIPT))),
    'JPEG, EXIF data twice': jpegWith(
      segment(0xe1, bytes('Exif\0\0MM', SCRIPT)),
      segment(0xe1, bytes('Exif\0\0II', SCRIPT)),
    ),
    'PNG, a text': pngWith(chunk('tEXt', bytes('Comment\0', SCRIPT))),
    'PNG, EXIF data': pngWith(chunk('eXIf', bytes('MM\0*', SCRIPT))),
    'PNG, a part of its own': pngWith(chunk('evIl', bytes(SCRIPT))),
    'WebP, XMP': inserted(samples.WEBP, samples.WEBP.length, riffChunk('XMP ', bytes(SCRIPT))),
    'AVIF, an XMP item': replaced(samples.AVIF, find(samples.AVIF, 'xmpmeta'), bytes(SCRIPT)),
  }

  it.each(Object.entries(HIDING))('of %s', async (_, file) => {
    expect(text(file)).toContain(SCRIPT)
    const { status, body } = await upload(author, file)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(text(await bytesAt(body.url))).not.toMatch(/script|php|PDF|xxxx|mp42/)
  })

  it('of what unpacks to far more than it shows', async () => {
    const zeros = deflateSync(new Uint8Array(10_000_000))
    const bombs = [
      pngWith(chunk('zTXt', bytes('Comment\0\0', zeros))),
      pngWith(chunk('iCCP', bytes('profile\0\0', zeros))),
      bytes(PNG_START, header(9, 9), chunk('IDAT', zeros), chunk('IEND')),
    ]
    for (const [i, file] of bombs.entries()) {
      const answer = await upload(author, file)
      if (answer.status === 201) expect(answer.body, String(i)).toMatchObject({ width: 9, height: 9 })
      else expectRefused(answer, /broken image/)
      expect((await storedFiles()).length).toBeLessThanOrEqual(1)
    }
  })

  it('of what has many thousands of parts', async () => {
    const many = (count: number, part: Uint8Array) => {
      const whole = new Uint8Array(count * part.length)
      for (let i = 0; i < count; i++) whole.set(part, i * part.length)
      return whole
    }
    const files = [
      jpegWith(many(200_000, bytes(0xff, 0xfe, 0, 2))),
      pngWith(many(80_000, chunk('tEXt'))),
      gif(5, 5, many(300_000, bytes(0x21, 0xfe, 0)), gifFrame(5, 5), bytes(0x3b)),
      gif(50, 50, many(50_000, gifFrame(50, 50)), bytes(0x3b)),
      riff(extended(5, 5), many(100_000, riffChunk('XXXX', bytes()))),
    ]
    for (const [i, file] of files.entries()) {
      const { status, body } = await upload(author, file)
      expect([200, 201, 400], `${i}: ${JSON.stringify(body)}`).toContain(status)
      expect(status === 201 || body.code === 'rest_invalid_param').toBe(true)
    }
  })
})
