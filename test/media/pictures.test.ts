import { imageSize } from 'image-size'
import { describe, expect, it } from 'vitest'
import { exifOf, orientationIn } from '../../src/lib/pictures/exif.ts'
import { readPicture } from '../../src/lib/pictures/read-picture.ts'
import {
  box,
  bytes,
  chunk,
  find,
  gif,
  image,
  jpeg,
  little,
  png,
  riff,
  riffChunk,
  segment,
  text,
  withBytes,
} from './build.ts'
import * as samples from './samples.ts'

const all = Object.entries(samples)
/** Pictures with a turn that the other reader does not look at. */
const TURNED = [samples.PNG, samples.AVIF]

describe.each(all)('%s', (_, sample) => {
  const picture = readPicture(sample)

  it('is read, and has the size that other readers find', () => {
    const { width, height, orientation = 1 } = imageSize(picture.bytes)
    const isTurned = orientation >= 5 || TURNED.includes(sample)
    expect([picture.width, picture.height]).toEqual(isTurned ? [height, width] : [width, height])
  })

  it('says nothing but how it looks', () => {
    expect(text(picture.bytes)).not.toMatch(/SECRET|xmpmeta|GPS/)
  })

  it('is the same when it is read again', () => {
    expect(readPicture(picture.bytes).bytes).toEqual(picture.bytes)
  })

  it('loses what follows its end', () => {
    const longer = bytes(sample, new Uint8Array(50), 'a few more bytes')
    expect(readPicture(longer).bytes).toEqual(picture.bytes)
  })

  it('is refused when it is cut off anywhere', () => {
    for (let length = 0; length < sample.length - 1; length += 7)
      expect(() => readPicture(sample.slice(0, length)), String(length)).toThrow(/picture/)
  })
})

it('the samples have what is to be removed', () => {
  for (const sample of [samples.JPEG, samples.PNG, samples.WEBP, samples.AVIF])
    expect(text(sample)).toContain('SECRET')
})

describe('the orientation', () => {
  it('of JPEG, PNG and WebP is kept, in either order of bytes', () => {
    for (const sample of [samples.JPEG, samples.PNG, samples.WEBP]) {
      const picture = readPicture(sample)
      expect(imageSize(picture.bytes).orientation ?? orientationAfter(picture.bytes)).toBe(6)
    }
    const tiff = bytes(
      'II',
      42,
      0,
      little(8, 4),
      little(1, 2),
      little(0x0112, 2),
      little(3, 2),
      little(1, 4),
      little(8, 2),
    )
    expect(orientationIn(tiff)).toBe(8)
  })

  it('of nonsense is upright', () => {
    for (const tiff of [
      bytes('II'),
      bytes('MM', 0, 42, 255, 255, 255, 255),
      exifOf(9),
      exifOf(0),
      new Uint8Array(),
    ])
      expect(orientationIn(tiff)).toBe(1)
  })

  /** The orientation in what stands alone: a directory of one entry. */
  const orientationAfter = (picture: Uint8Array) => orientationIn(picture.subarray(find(picture, 'MM\0*')))
})

describe('what decides how a picture looks is kept', () => {
  const kept = (sample: Uint8Array) => text(readPicture(sample).bytes)

  it('colour profiles', () => {
    for (const sample of [samples.JPEG, samples.WEBP, samples.AVIF, samples.PNG])
      expect(kept(sample)).toMatch(/acsp|iCCP/)
  })

  it('of JPEG: JFIF without a preview, and Adobe’s note', () => {
    const jfif = segment(0xe0, bytes('JFIF\0', 1, 1, 0, 0, 1, 0, 1, 1, 1, 'abc'))
    const adobe = segment(0xee, bytes('Adobe', 0, 100, 0, 0, 0, 0, 1, 'and more'))
    const sample = kept(jpeg(jfif, adobe, segment(0xe0, bytes('JFXX\0', 'preview'))))
    expect(sample).toContain('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')
    expect(sample).toContain('Adobe\0d')
    expect(sample).not.toMatch(/abc|and more|JFXX/)
  })

  it('of GIF: how often it repeats', () => {
    const loop = bytes(0x21, 0xff, 11, 'NETSCAPE2.0', 3, 1, 0, 0, 0)
    const xmp = bytes(0x21, 0xff, 11, 'XMP DataXMP', 3, 'abc', 0)
    const comment = bytes(0x21, 0xfe, 5, 'hello', 0)
    const sample = kept(gif(2, 2, loop, xmp, comment, image(2, 2), bytes(0x3b)))
    expect(sample).toContain('NETSCAPE')
    expect(sample).not.toMatch(/XMP|hello/)
  })

  it('of PNG: gamma and transparency, but no texts, times and notes of programs', () => {
    const notes = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'caBX', 'iDOT'].map(type => chunk(type, bytes('note')))
    const sample = kept(png(chunk('gAMA', bytes(0, 0, 0, 1)), ...notes))
    expect(sample).toContain('gAMA')
    expect(sample).not.toMatch(/note|tEXt|tIME/)
  })

  it('of WebP: frames, without what hides in them', () => {
    const plain = readPicture(samples.ANIMATED_WEBP)
    const at = find(samples.ANIMATED_WEBP, 'ANMF')
    const length = new DataView(samples.ANIMATED_WEBP.buffer).getUint32(at + 4, true)
    const first = samples.ANIMATED_WEBP.slice(at + 8, at + 8 + length)
    const hiding = riffChunk('ANMF', bytes(first, riffChunk('XXXX', bytes('hidden'))))
    const rest = samples.ANIMATED_WEBP.slice(at + 8 + length + (length % 2))
    const changed = riff(samples.ANIMATED_WEBP.slice(12, at), hiding, rest)
    expect(text(changed)).toContain('hidden')
    expect(readPicture(changed).bytes).toEqual(plain.bytes)
  })
})

/** The sample with one more property after its own. */
function withProperty(property: Uint8Array): Uint8Array<ArrayBuffer> {
  const numbers = new DataView(samples.AVIF.buffer)
  const at = (type: string) => find(samples.AVIF, type) - 4
  const end = at('ipco') + numbers.getUint32(at('ipco'))
  const longer = bytes(samples.AVIF.subarray(0, end), property, samples.AVIF.subarray(end))
  const changed = new DataView(longer.buffer)
  const add = (place: number) => changed.setUint32(place, changed.getUint32(place) + property.length)
  for (const type of ['meta', 'iprp', 'ipco']) add(at(type))
  // Each item begins with its id and a reference, each of two bytes, and the position from which its range counts.
  const items = at('iloc') + 16
  for (let i = 0; i < numbers.getUint16(items - 2); i++) add(items + 18 * i + 4)
  return longer
}

it('AVIF says where its pixels are as before, and everything else is blank', () => {
  const { bytes: clean } = readPicture(samples.AVIF)
  expect(clean).toHaveLength(samples.AVIF.length)
  expect(text(clean)).toContain('MM\0*\0\0\0\x08\0\0\0\0\0\0')
  const hidden = withBytes(samples.AVIF, find(samples.AVIF, 'mdat') - 4)
  expect(readPicture(hidden).bytes).toEqual(clean)
})

it('AVIF loses notes of other programs, wherever they are', () => {
  const { bytes: plain } = readPicture(samples.AVIF)
  const uuid = box('uuid', bytes('0123456789abcdef', 'a manifest'))
  const after = readPicture(bytes(samples.AVIF, uuid)).bytes
  expect(after.subarray(0, plain.length)).toEqual(plain)
  expect(text(after.subarray(plain.length))).toBe(`${text(uuid).slice(0, 8)}${'\0'.repeat(26)}`)

  for (const type of ['udes', 'uuid', 'altt', 'crtt', 'mdft']) {
    const changed = withProperty(box(type, bytes('\0\0\0\0en\0a note of it\0')))
    expect(text(changed)).toContain('a note')
    const { bytes: clean } = readPicture(changed)
    expect(text(clean)).not.toContain('a note')
    expect(clean).toEqual(readPicture(withProperty(box(type, new Uint8Array(20)))).bytes)
  }
})

it('names are of no matter where they say nothing else', () => {
  for (const name of ['', 'poster', 'POSTER.JPG', 'poster.jpeg', 'a.b.jpg', 'v1.2', 'poster.jpe'])
    expect(readPicture(samples.JPEG, name).extension).toBe('jpg')
  for (const name of ['poster.png', 'poster.html', 'poster.jpg.php', 'poster.svg', 'poster.phtml'])
    expect(() => readPicture(samples.JPEG, name), name).toThrow(/its name ends with/)
})
