import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, makeUser, send } from '../factories.ts'
import {
  av1,
  avif,
  box,
  bytes,
  chunk,
  extended,
  find,
  frame,
  gif,
  header,
  image,
  jpeg,
  jpegOf,
  little,
  lossless,
  PIXELS,
  PNG_END,
  PNG_START,
  png,
  riff,
  riffChunk,
  scans,
  segment,
  text,
  uint,
  withBytes,
} from './build.ts'
import * as samples from './samples.ts'
import { bytesAt, emptyBucket, formOf, rowsOf, storedFiles, upload } from './upload.ts'

let author: string

beforeAll(async () => {
  author = await makeUser('author', 'author')
})

beforeEach(emptyBucket)

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
const SCRIPT = '<script>alert(1)</script>'
const ZIP = bytes('PK', 3, 4, 'x'.repeat(30), 'PK', 5, 6, new Uint8Array(18))

/** What is no picture at all, whatever it is called. */
const OTHERS: Record<string, Uint8Array<ArrayBuffer>> = {
  SVG: bytes(SVG),
  'SVG after an XML declaration': bytes(`<?xml version="1.0"?>\n<!-- drawn -->\n${SVG}`),
  'SVG in UTF-16': bytes(0xff, 0xfe, ...[...SVG].flatMap(char => [char, 0])),
  'SVG after the mark of UTF-8': bytes(0xef, 0xbb, 0xbf, SVG),
  HTML: bytes(`<!DOCTYPE html><html>${SCRIPT}`),
  'HTML after blanks': bytes(`\n\n  <html>${SCRIPT}`),
  'a script in PHP': bytes('<?php system($_GET["x"]);'),
  JavaScript: bytes('alert(1)'),
  PDF: bytes('%PDF-1.7'),
  ZIP: ZIP,
  TIFF: bytes('II*\0', little(8, 4)),
  BMP: bytes('BM', little(100, 4)),
  HEIC: bytes(box('ftyp', bytes('heic\0\0\0\0mif1heic'))),
  'a film': bytes(box('ftyp', bytes('isom\0\0\0\0isomavc1mp41'))),
  'a program': bytes(0x7f, 'ELF'),
  'one byte': bytes(0xff),
  text: bytes('Dear editors'),
}

const HEADS: Record<string, Uint8Array<ArrayBuffer>> = {
  'GIF, JavaScript after it': bytes('GIF89a/*', '*/=0;alert(1)//'),
  'GIF, HTML after it': bytes(`GIF89a${SCRIPT}`),
  'JPEG, HTML after it': bytes(0xff, 0xd8, 0xff, 0xe0, `<html>${SCRIPT}`),
  'PNG, HTML after it': bytes(PNG_START, `<html>${SCRIPT}`),
  'WebP, HTML after it': bytes('RIFF', little(20, 4), 'WEBP', SCRIPT),
  'AVIF, HTML after it': bytes(box('ftyp', bytes('avif\0\0\0\0avifmif1')), SCRIPT),
}

const with64 = (many: number) => bytes(...Array.from({ length: many }, () => image(6_000, 6_000)))

/** How tiles make a picture: two in a row, and its size. */
const tiles = (width: number, height: number) => bytes(0, 1, 0, 1, uint(width, 4), uint(height, 4))
const TILE: [string, Uint8Array] = ['av01', av1(6_000, 6_000)]

const BOMBS: Record<string, Uint8Array<ArrayBuffer>> = {
  'JPEG of 65,535 × 65,535': jpegOf(65_535, 65_535),
  'JPEG of 8,000 × 5,001': jpegOf(8_000, 5_001),
  'JPEG of a hundred scans': bytes(0xff, 0xd8, frame(10, 10), scans(101), 0xff, 0xd9),
  'PNG of 50,000 × 50,000': bytes(PNG_START, header(50_000, 50_000), PIXELS, PNG_END),
  'PNG of 2^32 - 1': bytes(PNG_START, header(2 ** 32 - 1, 2 ** 32 - 1), PIXELS, PNG_END),
  'PNG with a frame of 50,000 × 50,000': png(
    chunk('acTL', bytes(uint(1, 4), uint(0, 4))),
    chunk('fcTL', bytes(uint(0, 4), uint(50_000, 4), uint(50_000, 4), new Uint8Array(14))),
  ),
  'GIF of 65,535 × 65,535': gif(65_535, 65_535, image(1, 1), bytes(0x3b)),
  'GIF with a frame of 65,535 × 65,535': gif(1, 1, image(65_535, 65_535), bytes(0x3b)),
  'GIF of many large frames': gif(6_000, 6_000, with64(12), bytes(0x3b)),
  'WebP of 16,384 × 16,384': riff(lossless(16_384, 16_384)),
  'WebP of 2^24 × 2^24': riff(extended(2 ** 24, 2 ** 24), lossless(10, 10)),
  'AVIF of tiles that is larger than it says': avif(10, 10, ['grid', tiles(12_000, 6_000)], TILE, TILE),
  'AVIF of tiles, many of which are large': avif(
    6_000,
    6_000,
    ['grid', tiles(6_000, 6_000)],
    ...Array.from({ length: 12 }, () => TILE),
  ),
  'AVIF of 65,536 × 65,536': withBytes(
    samples.AVIF,
    find(samples.AVIF, 'ispe') + 8,
    ...uint(65_536, 4),
    ...uint(65_536, 4),
  ),
  'AVIF that says it is small': withBytes(
    samples.AVIF,
    find(samples.AVIF, '\x12\0\n') + 2,
    ...[0x0a, 0x0b, 0x18, 0x3f, ...Array.from({ length: 9 }, () => 0xff)],
  ),
}

const many = (count: number, part: Uint8Array) => {
  const whole = new Uint8Array(count * part.length)
  for (let i = 0; i < count; i++) whole.set(part, i * part.length)
  return whole
}

/** What takes long to read. */
const LONG: Record<string, Uint8Array<ArrayBuffer>> = {
  'JPEG of two million comments': bytes(
    0xff,
    0xd8,
    many(2_000_000, bytes(0xff, 0xfe, 0, 2)),
    jpeg().subarray(2),
  ),
  'PNG of 800,000 texts': png(many(800_000, chunk('tEXt'))),
  'GIF of three million comments': gif(5, 5, many(3_000_000, bytes(0x21, 0xfe, 0)), image(5, 5), bytes(0x3b)),
  'WebP of a million parts': riff(
    extended(5, 5),
    lossless(5, 5),
    many(1_000_000, riffChunk('XXXX', bytes())),
  ),
  'AVIF of a million parts': bytes(samples.AVIF, many(1_000_000, box('free'))),
}

const SIZE = bytes(uint(5, 2), uint(5, 2))
const jpegWith = (frameHeader: Uint8Array) =>
  bytes(0xff, 0xd8, segment(0xc0, frameHeader), scans(1), 0xff, 0xd9)

const BROKEN: Record<string, Uint8Array<ArrayBuffer>> = {
  'JPEG without pixels': bytes(0xff, 0xd8, 0xff, 0xd9),
  'JPEG without a size': bytes(0xff, 0xd8, scans(1), 0xff, 0xd9),
  'JPEG of no width': jpegOf(0, 10),
  'JPEG with two sizes': jpeg(frame(5, 5)),
  'JPEG with a part of no length': bytes(0xff, 0xd8, 0xff, 0xe1, 0, 0, frame(5, 5)),
  'JPEG with a part beyond the end': bytes(0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, frame(5, 5)),
  'JPEG of a kind that nothing shows': bytes(0xff, 0xd8, frame(5, 5, 0xc3), scans(1), 0xff, 0xd9),
  'JPEG of twelve bits': jpegWith(bytes(12, SIZE, 1, 1, 0x11, 0)),
  'JPEG of no bits': jpegWith(bytes(0, SIZE, 1, 1, 0x11, 0)),
  'JPEG of two colours': jpegWith(bytes(8, SIZE, 2, 1, 0x11, 0, 2, 0x11, 0)),
  'JPEG of no colours': jpegWith(bytes(8, SIZE, 0)),
  'JPEG that says it has more colours than it has': jpegWith(bytes(8, SIZE, 3, 1, 0x11, 0)),
  'JPEG without an end': samples.JPEG.slice(0, -2),
  'PNG with a wrong checksum': withBytes(samples.PNG, samples.PNG.length - 20, 0xab, 0xcd),
  'PNG without pixels': bytes(PNG_START, header(5, 5), PNG_END),
  'PNG without an end': bytes(PNG_START, header(5, 5), PIXELS),
  'PNG with two headers': png(header(10, 10)),
  'PNG whose header is late': bytes(
    PNG_START,
    chunk('gAMA', bytes(0, 0, 0, 1)),
    header(5, 5),
    PIXELS,
    PNG_END,
  ),
  'PNG whose pixels are not compressed': bytes(
    PNG_START,
    header(5, 5),
    chunk('IDAT', bytes('<html>')),
    PNG_END,
  ),
  'PNG with a critical part that nobody knows': png(chunk('EVIL', bytes(SCRIPT))),
  'GIF without a frame': gif(5, 5, bytes(0x3b)),
  'GIF without an end': gif(5, 5, image(5, 5)),
  'GIF with a part that nobody knows': gif(5, 5, bytes(0x21, 0x99, 0), image(5, 5), bytes(0x3b)),
  'WebP without pixels': riff(extended(5, 5)),
  'WebP whose pixels are larger than it says': riff(extended(5, 5), lossless(16_000, 16_000)),
  'WebP longer than the file': withBytes(samples.LOSSLESS, 4, 0xff, 0xff),
  'AVIF without items': bytes(box('ftyp', bytes('avif\0\0\0\0avifmif1')), box('meta', uint(0, 4))),
  'AVIF of a part that leads elsewhere': withBytes(
    samples.AVIF,
    find(samples.AVIF, 'iloc') + 20,
    0xff,
    0xff,
    0xff,
  ),
  'AVIF with a film': bytes(samples.AVIF, box('moov', bytes('film'))),
}

/** Sound pictures with another file behind them. */
const POLYGLOTS: Record<string, Uint8Array<ArrayBuffer>> = {
  'JPEG and ZIP': bytes(samples.JPEG, ZIP),
  'GIF and ZIP': bytes(samples.GIF, ZIP),
  'PNG and HTML': bytes(samples.PNG, `\n<html>${SCRIPT}`),
  'WebP and a script': bytes(samples.WEBP, SCRIPT),
  'JPEG and PHP': bytes(samples.JPEG, '<?php system($_GET["x"]);'),
  'JPEG and short PHP': bytes(samples.JPEG, '<?=`$_GET[0]`?>'),
  'PNG and PDF': bytes(samples.PNG, 'x'.repeat(100_000), '%PDF-1.4'),
  'AVIF and HTML': bytes(samples.AVIF, `\0\0\0\0<html>${SCRIPT}`),
}

const KINDS: Record<string, [files: Record<string, Uint8Array<ArrayBuffer>>, reason: RegExp]> = {
  'what is no picture': [OTHERS, /this is .*Pictures are|must be a picture/],
  'what only begins as a picture': [HEADS, /is a broken picture: |megapixels/],
  'what is larger than it looks': [BOMBS, /megapixels|scans/],
  'what takes long': [LONG, /is a broken picture: it has more than 20000 parts/],
  'what is broken': [BROKEN, /is a broken picture: /],
  'two files in one': [POLYGLOTS, /has another file behind the picture/],
}

function expectRefused(answer: Answer, reason: RegExp): void {
  expect(answer.body).toMatchObject({
    code: 'rest_invalid_param',
    message: expect.stringMatching(reason),
    data: { status: 400, params: { file: expect.any(String) } },
  })
  expect(answer.status).toBe(400)
}

describe.each(Object.entries(KINDS))('%s', (_, [files, reason]) => {
  it.each(Object.entries(files))('is refused: %s', async (name, file) => {
    const answer = await upload(author, file)
    expectRefused(answer, name === 'JPEG of a hundred scans' ? /scans/ : reason)
    expect(await storedFiles()).toEqual([])
    expect(await rowsOf('images')).toEqual([])
  })
})

it('is refused as a part of a form, and as an image of an event', async () => {
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

it('tiles within the limits are no bomb', async () => {
  const { status, body } = await upload(author, avif(9_000, 4_000, ['grid', tiles(9_000, 4_000)], TILE, TILE))
  expect([status, body.width, body.height]).toEqual([201, 9_000, 4_000])
})

it('behind a picture, a film that has the letters of a script among its bytes is none', async () => {
  const film = bytes(
    box('ftyp', bytes('mp42\0\0\0\0mp42')),
    box('mdat', bytes(0x91, 0xfe, '<?=', 0, 0x88, 0xfe, 'a')),
  )
  const { status, body } = await upload(author, bytes(samples.JPEG, film))
  expect(status, JSON.stringify(body)).toBe(201)
  expect(text(await bytesAt(body.url))).not.toContain('mp42')
})

describe('a name that says something else', () => {
  const NAMES = ['x.png', 'x.svg', 'x.html', 'x.php', 'x.jpg.php', 'x.jpg.exe', 'x.PHTML', 'x.htm ', 'x.js']
  it.each(NAMES)('is refused: %s', async name => {
    expectRefused(await upload(author, samples.JPEG, { name }), /its name ends with \./)
    expect(await storedFiles()).toEqual([])
  })

  it('is of no matter in the type of the request', async () => {
    for (const type of ['image/png', 'application/octet-stream', 'text/html', 'image/svg+xml'])
      expect((await upload(author, samples.JPEG, { type })).body).toMatchObject({ mime_type: 'image/jpeg' })
  })
})

describe('what hides in a sound picture', () => {
  const HIDING: Record<string, Uint8Array<ArrayBuffer>> = {
    'JPEG, a comment': jpeg(segment(0xfe, bytes(SCRIPT))),
    'JPEG, EXIF data': jpeg(segment(0xe1, bytes('Exif\0\0MM', SCRIPT))),
    'JPEG, the header': jpeg(segment(0xe0, bytes('JFIF\0', 1, 1, 0, 0, 1, 0, 1, 0, 0, SCRIPT))),
    'PNG, a text': png(chunk('tEXt', bytes('Comment\0', SCRIPT))),
    'PNG, a part of its own': png(chunk('evIl', bytes(SCRIPT))),
    'GIF, a comment': gif(5, 5, bytes(0x21, 0xfe, SCRIPT.length, SCRIPT, 0), image(5, 5), bytes(0x3b)),
    'WebP, XMP': riff(extended(5, 5, 4), lossless(5, 5), riffChunk('XMP ', bytes(SCRIPT))),
    'AVIF, an XMP item': withBytes(samples.AVIF, find(samples.AVIF, 'xmpmeta'), ...bytes(SCRIPT)),
  }

  it.each(Object.entries(HIDING))('is removed: %s', async (_, file) => {
    expect(text(file)).toContain(SCRIPT)
    const { status, body } = await upload(author, file)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(text(await bytesAt(body.url))).not.toContain('script')
  })
})
