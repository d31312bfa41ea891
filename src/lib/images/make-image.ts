import { hex, sha256 } from '../digest.ts'
import { ApiError, messageOf } from '../errors.ts'
import { InvalidValue, refuse } from '../values.ts'
import { EXTENSIONS, FORMATS, type ImageFile, MAX_IMAGE_BYTES, type OutputFormat } from './formats.ts'
import { TURNS, turned, withoutExif } from './orientation.ts'
import { sizeFile, sizesOf } from './sizes.ts'

/** The most that an image may have in pixels. */
export const MOST_PIXELS = 40_000_000

/** The quality of JPEG and WebP, of 100. */
const QUALITY = 85

/** An image as it is stored. */
export type MadeImage = {
  /** The name of its file: the SHA-256 digest of its bytes, and the extension of its format. */
  file: string
  mimeType: OutputFormat
  filesize: number
  /** As it is shown, in pixels. */
  width: number
  height: number
  /** Its file and those of its sizes, by name. */
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

type Bytes = Uint8Array<ArrayBuffer>

/** The part of the binding that is used: https://developers.cloudflare.com/images/optimization/binding/ */
export type Images = Pick<ImagesBinding, 'info' | 'input'>

/**
 * Makes an image of a file, with its sizes: decoded and encoded anew, upright, still, and with nothing but pixels.
 *
 * @throws InvalidValue if it is none, is broken or too large
 * @throws ApiError `rest_service_unavailable` if the platform takes no more images for now
 */
export async function makeImage(images: Images, file: ImageFile): Promise<MadeImage> {
  const { bytes, orientation } = withoutExif(file)
  const found = await dimensionsOf(images, bytes)
  const { width, height } = found
  if (width * height > MOST_PIXELS)
    refuse(`this is ${width} × ${height} pixels large, but at most ${MOST_PIXELS / 1e6} megapixels are taken`)
  const turns = TURNS[orientation] ?? []
  const asked = FORMATS[file.format].output
  const { mimeType, whole } = await converted(images, bytes, turns, asked)
  // Images of phones say themselves how to turn them, and not every reader tells their size as it is shown.
  const size =
    file.format === 'heic' || file.format === 'avif'
      ? await dimensionsOf(images, whole)
      : turned(found, orientation)
  const name = `${hex(await sha256(whole))}.${EXTENSIONS[mimeType]}`
  const sizes = await Promise.all(
    sizesOf(size).map(async each => {
      const change = { width: each.width, height: each.height, fit: 'cover' } as const
      return [sizeFile(name, each.name), await output(images, whole, [change], mimeType, true)] as const
    }),
  )
  return { ...size, file: name, mimeType, filesize: whole.length, files: new Map([[name, whole], ...sizes]) }
}

/** The whole image. One that becomes too large without loss, as noise and large drawings do, is stored with some. */
async function converted(
  images: Images,
  bytes: Bytes,
  turns: readonly ImageTransform[],
  asked: OutputFormat,
): Promise<{ mimeType: OutputFormat; whole: Bytes }> {
  for (const mimeType of new Set([asked, 'image/webp'] as const)) {
    const whole = await output(images, bytes, turns, mimeType)
    if (whole.length <= MAX_IMAGE_BYTES) return { mimeType, whole }
  }
  return refuse('this has too much detail for 10 megabytes: make it smaller')
}

async function dimensionsOf(images: Images, bytes: Bytes): Promise<{ width: number; height: number }> {
  const info = await asking(() => images.info(streamOf(bytes)))
  if (!('width' in info)) return refuse(BROKEN)
  return { width: info.width, height: info.height }
}

/** Encodes an image. More than the limit is not read to its end. @param isOwn true for what the platform has made itself */
const output = (
  images: Images,
  bytes: Bytes,
  changes: readonly ImageTransform[],
  format: OutputFormat,
  isOwn = false,
): Promise<Bytes> =>
  asking(async () => {
    const input = changes.reduce((image, change) => image.transform(change), images.input(streamOf(bytes)))
    const made = await input.output({ format, quality: QUALITY, anim: false })
    return readUpTo(made.image(), MAX_IMAGE_BYTES + 1)
  }, isOwn)

/** Bytes as a stream, which holds no copy of them: a Worker has 128 MB, and an image is sent up to five times. */
const streamOf = (bytes: Bytes): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })

async function readUpTo(stream: ReadableStream<Uint8Array>, most: number): Promise<Bytes> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= most) break
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

const BROKEN = 'this is a broken image, or one of a kind that cannot be read here'

/**
 * Codes of errors that the platform has with itself, or with what the account may do:
 * https://developers.cloudflare.com/images/reference/errors/. Any other failure has 9523, and most are the image's fault. What has
 * no code never came from there: a connection that was lost. Commands reach a local binding by a proxy, which drops the code but not
 * the message.
 */
const isOfService = (error: unknown, code: unknown): boolean =>
  typeof code === 'number'
    ? (code >= 9422 && code <= 9432) || (code >= 9521 && code !== 9523)
    : !/Unexpected error response/.test(messageOf(error))

/** Asks the platform. @param isOwn true if no failure is the image's fault @throws InvalidValue, ApiError */
async function asking<T>(work: () => Promise<T>, isOwn = false): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (isOwn || isOfService(error, code))
      throw new ApiError(
        'rest_service_unavailable',
        `Images are not taken at the moment${code === undefined ? '' : ` (error ${code})`}. Please try again later.`,
        {},
        {},
        error,
      )
    throw new InvalidValue(BROKEN)
  }
}
