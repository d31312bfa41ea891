import { imageSize } from 'image-size'
import { beforeEach, describe, expect, it } from 'vitest'
import { declareUser, makeEvent, makeUser, makeVenue, query, send } from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'
import {
  black,
  bytes,
  chunk,
  exif,
  extended,
  inserted,
  pixelsOf,
  png,
  pngOf,
  riff,
  riffChunk,
  segment,
  text,
} from './build.ts'
import * as samples from './samples.ts'
import {
  bytesAt,
  countingImages,
  emptyBucket,
  encoded,
  formOf,
  rowsOf,
  storedFiles,
  upload,
} from './upload.ts'

const author = declareUser('author')

beforeEach(emptyBucket)

const TURNED = new Set<Uint8Array>([samples.JPEG, samples.PNG, samples.WEBP, samples.AVIF])
const EXTENSIONS: [of: Uint8Array[], extension: string][] = [
  [[samples.JPEG, samples.PROGRESSIVE], 'jpg'],
  [[samples.PNG, samples.GIF, samples.ANIMATED_GIF], 'png'],
  [[samples.WEBP, samples.LOSSLESS, samples.ANIMATED_WEBP, samples.AVIF], 'webp'],
]

describe.each(Object.entries(samples))('%s', (name, sample) => {
  it('is stored upright, still, and as nothing but pixels', async () => {
    const { status, body } = await upload(author, sample)
    expect(status, JSON.stringify(body)).toBe(201)
    const extension = EXTENSIONS.find(([of]) => of.includes(sample))?.[1]
    const [width, height] = name.startsWith('ANIMATED') ? [8, 8] : TURNED.has(sample) ? [16, 24] : [24, 16]
    expect(body).toMatchObject({ width, height, extension })
    const stored = await bytesAt(body.url)
    const size = imageSize(stored)
    expect({ width: size.width, height: size.height, orientation: size.orientation ?? 1 }).toEqual({
      width,
      height,
      orientation: 1,
    })
    expect(text(stored)).not.toMatch(/SECRET|xmpmeta|GPS|Exif|eXIf|EXIF|acTL|ANIM|NETSCAPE/)
    expect(stored).toHaveLength(body.filesize)
  })
})

it('the samples have metadata', () => {
  for (const sample of [samples.JPEG, samples.PNG, samples.WEBP, samples.AVIF])
    expect(text(sample)).toContain('SECRET')
})

describe('the orientation', () => {
  const RED = [255, 0, 0] as const
  const BLUE = [0, 0, 255] as const
  /** Red at its upper left corner, as the camera has it. */
  const marked = (...between: Uint8Array[]) =>
    pngOf(40, 20, (x, y) => (x < 20 && y < 10 ? RED : BLUE), ...between)

  it.each([
    [1, 'left upper', 40, 20],
    [3, 'right lower', 40, 20],
    [6, 'right upper', 20, 40],
    [8, 'left lower', 20, 40],
  ])('%i has the corner %s', async (orientation, corner, width, height) => {
    const { body } = await upload(author, marked(chunk('eXIf', exif(orientation))))
    expect(body).toMatchObject({ width, height })
    const pixel = pixelsOf(await bytesAt(body.url))
    const corners = { left: 2, right: width - 3, upper: 2, lower: height - 3 }
    const found = (['left', 'right'] as const).flatMap(x =>
      (['upper', 'lower'] as const).flatMap(y =>
        pixel(corners[x], corners[y])[0] === 255 ? [`${x} ${y}`] : [],
      ),
    )
    expect(found).toEqual([corner])
  })

  it('of JPEG and WebP is applied as well, in either order of bytes', async () => {
    const plain = marked()
    const jpeg = await encoded(plain, 'image/jpeg')
    const webp = await encoded(plain, 'image/webp')
    for (const order of ['II', 'MM'] as const)
      for (const orientation of [5, 6, 7, 8]) {
        const data = exif(orientation, order)
        const files = [
          inserted(jpeg, 2, segment(0xe1, bytes('Exif\0\0', data))),
          // After another part, and with fill bytes that belong to no part.
          inserted(jpeg, 2, bytes(segment(0xfe, bytes('note')), segment(0xe1, bytes('Exif\0\0', data)))),
          riff(extended(40, 20, 8), webp.subarray(12), riffChunk('EXIF', data)),
          riff(extended(40, 20, 8), webp.subarray(12), riffChunk('EXIF', bytes('Exif\0\0', data))),
        ]
        for (const [i, file] of files.entries())
          expect((await upload(author, file)).body, `${order} ${orientation} ${i}`).toMatchObject({
            width: 20,
            height: 40,
          })
      }
  })

  it('that is nonsense is upright', async () => {
    const jpeg = await encoded(marked(), 'image/jpeg')
    for (const data of [
      'II',
      'MM\0*\xff\xff\xff\xff',
      exif(9),
      exif(0),
      '',
      '<script>',
      exif(6).slice(0, 14),
    ])
      expect(
        (await upload(author, inserted(jpeg, 2, segment(0xe1, bytes('Exif\0\0', data))))).body,
      ).toMatchObject({ width: 40, height: 20 })
  })
})

describe('sizes', () => {
  const CASES: [width: number, height: number, sizes: Record<string, [number, number]>][] = [
    [150, 150, {}],
    [151, 100, { thumbnail: [150, 100] }],
    [300, 200, { thumbnail: [150, 150] }],
    [400, 100, { thumbnail: [150, 100], medium: [300, 75] }],
    [200, 1_000, { thumbnail: [150, 150], medium: [60, 300] }],
    [1_025, 1_025, { thumbnail: [150, 150], medium: [300, 300], large: [1_024, 1_024] }],
    [4_000, 3, { thumbnail: [150, 3], medium: [300, 1], large: [1_024, 1] }],
  ]

  it.each(CASES)('of an image of %i × %i are the smaller ones', async (width, height, sizes) => {
    const { body, status } = await upload(author, black(width, height))
    expect([status, body]).toMatchObject([201, { width, height }])
    expect(Object.keys(body.sizes)).toEqual(Object.keys(sizes))
    for (const [name, size] of Object.entries(sizes)) {
      const url = body.url.replace('.png', `-${name}.png`)
      expect(body.sizes[name]).toEqual({ width: size[0], height: size[1], 'mime-type': 'image/png', url })
      const { status: served, headers } = await send('GET', url)
      expect({
        status: served,
        contentType: headers.get('content-type'),
        cacheControl: headers.get('cache-control'),
      }).toEqual({
        status: 200,
        contentType: 'image/png',
        cacheControl: 'public, max-age=31536000, immutable',
      })
      const { width: wide, height: high } = imageSize(await bytesAt(url))
      expect([wide, high]).toEqual(size)
    }
    expect(await storedFiles()).toHaveLength(1 + Object.keys(sizes).length)
  })

  it('are in every response that shows the image, and their addresses work', async () => {
    const { body: uploaded } = await upload(author, png(400, 320))
    const venue = await makeVenue(author, 'Hall', { image: uploaded.id })
    const { id } = await makeEvent(author, { image: uploaded.id, venue: venue.id })
    const { body: event } = await send('GET', `/events/${id}`)
    const { body: list } = await send('GET', '/events?start_date=2000-01-01')
    for (const image of [event.image, event.venue.image, list.events[0].image, venue.image])
      expect(image.sizes).toEqual(uploaded.sizes)
    const { body: again } = await send('PATCH', `/events/${id}`, {
      as: author,
      json: { image: uploaded.sizes.medium.url },
    })
    expect(again.image).toEqual(event.image)
    expect(await rowsOf('images')).not.toContainEqual(
      expect.objectContaining({ url: expect.stringContaining('-medium') }),
    )
  })

  it('are deleted with the image, and other names are not served', async () => {
    const { body } = await upload(author, png(400, 320, 'deleted'))
    for (const name of ['small', 'thumbnail-medium', 'Medium', '', '150x150'])
      expect((await send('GET', body.url.replace('.png', `-${name}.png`))).status, name).toBe(404)
    expect((await send('DELETE', `/media/${body.id}`, { as: author })).status).toBe(200)
    expect(await storedFiles()).toEqual([])
    expect((await send('GET', body.sizes.medium.url)).status).toBe(404)
  })

  it('are missing in images that have none, which are shown without them', async () => {
    const { body } = await upload(author, png(400, 320, 'earlier'))
    await query('UPDATE images SET has_sizes = 0 WHERE id = ?', body.id)
    const event = await makeEvent(author, { image: body.id })
    expect(event.image).toMatchObject({ url: body.url, width: 400, sizes: {} })
  })
})

describe('the platform', () => {
  const post = (IMAGES: unknown, file: Uint8Array<ArrayBuffer>) =>
    sendWith({ IMAGES } as object)('POST', '/media', { as: author, body: formOf({ file }) })

  it('makes the image and its sizes once, even if the write is repeated', async () => {
    const { IMAGES, decoded } = countingImages()
    const file = png(1_100, 900)
    const { id } = (await post(IMAGES, file)).body
    expect(decoded()).toBe(4)
    // The name of a deleted file stays in the database for a while, so that the first attempt to store it
    // fails.
    await send('DELETE', `/media/${id}`, { as: author })
    expect((await post(IMAGES, file)).status).toBe(201)
    expect(decoded()).toBe(8)
    expect(await storedFiles()).toHaveLength(4)
  })

  it('does not decode for callers who may not upload, or whose other fields are wrong', async () => {
    const { IMAGES, decoded } = countingImages()
    const contributor = await makeUser('contributor', 'contributor')
    const statusOf = async (as: string, fields: Record<string, string>) => {
      const body = formOf({ image: png(10, 10), ...fields })
      return (await sendWith({ IMAGES })('POST', '/events', { as, body })).status
    }
    const right = { title: 'X', start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' }
    expect(await statusOf(contributor, right)).toBe(403)
    expect(await statusOf(author, { title: 'X' })).toBe(400)
    expect(decoded()).toBe(0)
  })

  it('makes uploads 503 if its limit of the month is reached or it is busy, without blaming the image', async () => {
    for (const code of [9422, 9423, 9522, 9529]) {
      const failing = { info: () => Promise.reject(Object.assign(new Error('no'), { code })) }
      const response = await post(failing, png(10, 10))
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    }
    const unreadable = { info: () => Promise.reject(Object.assign(new Error('no'), { code: 9412 })) }
    expect((await post(unreadable, png(10, 10))).status).toBe(400)
    expect(await storedFiles()).toEqual([])
  })

  it('that makes more than ten megabytes of an image is asked for smaller formats, until one fits or none is left', async () => {
    const asked: string[] = []
    const large = (most: string) => ({
      info: async () => ({ format: 'image/png', fileSize: 1, width: 100, height: 100 }),
      input: () => ({
        output: async ({ format }: { format: string }) => {
          asked.push(format)
          const size = format <= most ? 11 * 1024 * 1024 : 1_000
          return { image: () => new Blob([new Uint8Array(size)]).stream() }
        },
      }),
    })
    expect(await post(large('image/png'), png(100, 100))).toMatchObject({
      status: 201,
      body: { mime_type: 'image/webp', filesize: 1_000 },
    })
    expect(await post(large('image/webp'), png(100, 100))).toMatchObject({
      status: 400,
      body: { data: { params: { file: expect.stringContaining('too much detail') } } },
    })
    expect(asked).toEqual(['image/png', 'image/webp', 'image/png', 'image/webp'])
  })
})
