import { ApiError, messageOf } from '../errors.ts'
import { hexDigest } from '../hash.ts'
import { codedReason } from '../reasons.ts'
import { readUpTo } from '../streams.ts'
import { InvalidValue, refuse } from '../values.ts'
import { EXTENSIONS, FORMATS, type ImageFile, MAX_IMAGE_BYTES, type OutputFormat } from './formats.ts'
import { sizeFile, sizesOf } from './sizes.ts'

// Cameras store images as the sensor saw them, with the rotation in EXIF data. The platform obeys EXIF data
// and local development ignores them; no documentation covers formats other than JPEG. So this file cuts EXIF
// data out and asks for the rotation like any other change, with the same result everywhere.

const ORIENTATION_TAG = 0x0112

/** An orientation by EXIF's numbers: 1 is upright, 2 to 8 are rotated or mirrored. */
type Orientation = number

/** The orientation in EXIF data, which begin with the header of a TIFF file; 1 if they don't say. */
function orientationIn(tiff: Uint8Array): Orientation {
  try {
    const isLittleEndian = tiff[0] === 0x49
    const numbers = dataViewOf(tiff)
    const directory = numbers.getUint32(4, isLittleEndian)
    const entries = numbers.getUint16(directory, isLittleEndian)
    for (let i = 0; i < entries; i++) {
      const entry = directory + 2 + 12 * i
      if (numbers.getUint16(entry, isLittleEndian) !== ORIENTATION_TAG) continue
      const value = numbers.getUint16(entry + 8, isLittleEndian)
      return value >= 1 && value <= 8 ? value : 1
    }
  } catch (error) {
    // A good image may have broken metadata.
    if (!(error instanceof RangeError)) throw error
  }
  return 1
}

const dataViewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

/** A part of a file: its start and end, and the start of EXIF data in it, if any. */
type FilePart = { start: number; end: number; exif?: number }

/**
 * The most parts that are searched. EXIF data are in one of the first, or at the end of a PNG: 10 MB in parts
 * of 8 KB are 1,280 parts.
 */
const MAX_PARTS = 2_000

/** The marker before EXIF data in JPEG, which some programs write in WebP as well. */
const EXIF_MARKER = 'Exif\0\0'

type PartReader = (bytes: Uint8Array, numbers: DataView, start: number) => FilePart | undefined

/**
 * The position of the first part, and a function that reads the part at a position: undefined after the last
 * one.
 */
const READERS: Partial<Record<ImageFile['format'], { first: number; read: PartReader }>> = {
  jpg: {
    first: 2,
    read: (bytes, numbers, start) => {
      const marker = numbers.getUint16(start)
      // Here the pixels begin, or the file is broken.
      if (marker === 0xffda || marker < 0xffc0) return undefined
      const isExif = marker === 0xffe1 && textAt(bytes, start + 4, EXIF_MARKER.length) === EXIF_MARKER
      const end = start + 2 + numbers.getUint16(start + 2)
      return { start, end, ...(isExif && { exif: start + 4 + EXIF_MARKER.length }) }
    },
  },
  png: {
    first: 8,
    read: (bytes, numbers, start) => {
      const end = start + 12 + numbers.getUint32(start)
      return { start, end, ...(textAt(bytes, start + 4, 4) === 'eXIf' && { exif: start + 8 }) }
    },
  },
  webp: {
    first: 12,
    read: (bytes, numbers, start) => {
      const length = numbers.getUint32(start + 4, true)
      const end = start + 8 + length + (length % 2)
      if (textAt(bytes, start, 4) !== 'EXIF') return { start, end }
      const isMarked = textAt(bytes, start + 8, EXIF_MARKER.length) === EXIF_MARKER
      return { start, end, exif: start + 8 + (isMarked ? EXIF_MARKER.length : 0) }
    },
  },
}

/**
 * The parts of a file that hold EXIF data. In a broken file it finds some or none, and decoding fails later.
 */
function exifParts({ bytes, format }: ImageFile): Required<FilePart>[] {
  const exif: Required<FilePart>[] = []
  const reader = READERS[format]
  if (!reader) return exif
  const numbers = dataViewOf(bytes)
  let start = reader.first
  for (let count = 0; count < MAX_PARTS && start + 8 <= bytes.length; count++) {
    const part = reader.read(bytes, numbers, start)
    if (!part || part.end <= start || part.end > bytes.length) break
    if (part.exif !== undefined) exif.push({ ...part, exif: part.exif })
    start = part.end
  }
  return exif
}

/** The file without its EXIF data, and the orientation from these data. */
function withoutExif(file: ImageFile): { bytes: Uint8Array<ArrayBuffer>; orientation: Orientation } {
  const parts = exifParts(file)
  const [first] = parts
  if (!first) return { bytes: file.bytes, orientation: 1 }
  const orientation = orientationIn(file.bytes.subarray(first.exif, first.end))
  const removedBytes = parts.reduce((sum, { start, end }) => sum + end - start, 0)
  const bytes = new Uint8Array(file.bytes.length - removedBytes)
  let from = 0
  let to = 0
  for (const { start, end } of [...parts, { start: file.bytes.length, end: 0 }]) {
    bytes.set(file.bytes.subarray(from, start), to)
    to += start - from
    from = end
  }
  // WebP's header holds the length of the rest.
  const numbers = dataViewOf(bytes)
  if (file.format === 'webp') numbers.setUint32(4, numbers.getUint32(4, true) - removedBytes, true)
  return { bytes, orientation }
}

/**
 * The changes that turn an image upright. Local development cannot mirror images, so a mirrored image, which
 * is rare, stays mirrored there.
 */
const TURNS: Readonly<Record<Orientation, readonly ImageTransform[]>> = {
  2: [{ flip: 'h' }],
  3: [{ rotate: 180 }],
  4: [{ flip: 'v' }],
  5: [{ flip: 'h' }, { rotate: 270 }],
  6: [{ rotate: 90 }],
  7: [{ flip: 'h' }, { rotate: 90 }],
  8: [{ rotate: 270 }],
}

/** The size of an image as it is shown, with the orientation applied. */
const turnedSize = ({ width, height }: { width: number; height: number }, orientation: Orientation) =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

const MAX_PIXELS = 40_000_000

/** The quality of JPEG and WebP, out of 100. */
const QUALITY = 85

export type MadeImage = {
  /** The name of its file: the SHA-256 digest of its bytes, and the extension of its format. */
  file: string
  mimeType: OutputFormat
  filesize: number
  /** The size of the image as it is shown, in pixels. */
  width: number
  height: number
  /** The files of the image and its sizes, by name. */
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

type Bytes = Uint8Array<ArrayBuffer>

/**
 * The part of the binding that the service uses:
 * https://developers.cloudflare.com/images/optimization/binding/
 */
export type Images = Pick<ImagesBinding, 'info' | 'input'>

/**
 * Makes the stored image of an uploaded file, and its sizes: re-encoded, upright, not animated, and with
 * nothing but pixels.
 *
 * @throws InvalidValue if the file is not an image, is broken or is too large
 * @throws ApiError `rest_service_unavailable` if the platform accepts no images at the moment
 */
export async function makeImage(images: Images, file: ImageFile): Promise<MadeImage> {
  const { bytes, orientation } = withoutExif(file)
  const dimensions = await dimensionsOf(images, bytes)
  const { width, height } = dimensions
  if (width * height > MAX_PIXELS)
    refuse(
      codedReason(
        'image_pixels',
        `this is ${width} × ${height} pixels, but at most ${MAX_PIXELS / 1e6} megapixels are accepted`,
        { n: Math.ceil((width * height) / 1e6), most: MAX_PIXELS / 1e6 },
      ),
    )
  const turns = TURNS[orientation] ?? []
  const wantedFormat = FORMATS[file.format].output
  const { mimeType, whole } = await convertImage(images, bytes, turns, wantedFormat)
  // HEIC and AVIF files carry a rotation of their own, and not every decoder reports their size as shown.
  const size =
    file.format === 'heic' || file.format === 'avif'
      ? await dimensionsOf(images, whole)
      : turnedSize(dimensions, orientation)
  const name = `${await hexDigest(whole)}.${EXTENSIONS[mimeType]}`
  const sizes = await Promise.all(
    sizesOf(size).map(async imageSize => {
      const change = { width: imageSize.width, height: imageSize.height, fit: 'cover' } as const
      return [
        sizeFile(name, imageSize.name),
        await encodeImage(images, whole, [change], mimeType, { isOwn: true }),
      ] as const
    }),
  )
  return { ...size, file: name, mimeType, filesize: whole.length, files: new Map([[name, whole], ...sizes]) }
}

/**
 * The whole image. If it is too large in the requested format, it becomes a lossy WebP: lossless files of
 * noise and large drawings are large.
 */
async function convertImage(
  images: Images,
  bytes: Bytes,
  turns: readonly ImageTransform[],
  wantedFormat: OutputFormat,
): Promise<{ mimeType: OutputFormat; whole: Bytes }> {
  for (const mimeType of new Set([wantedFormat, 'image/webp'] as const)) {
    const wholeImage = await encodeImage(images, bytes, turns, mimeType)
    if (wholeImage.length <= MAX_IMAGE_BYTES) return { mimeType, whole: wholeImage }
  }
  return refuse(codedReason('image_detail', 'this has too much detail for 10 megabytes: make it smaller'))
}

async function dimensionsOf(images: Images, bytes: Bytes): Promise<{ width: number; height: number }> {
  const info = await askService(() => images.info(streamOf(bytes)))
  if (!('width' in info)) return refuse(BROKEN_IMAGE)
  return { width: info.width, height: info.height }
}

/**
 * Encodes an image, and stops reading the result once it exceeds the limit.
 *
 * @param options.isOwn true if the platform itself made the input
 */
const encodeImage = (
  images: Images,
  bytes: Bytes,
  changes: readonly ImageTransform[],
  format: OutputFormat,
  { isOwn = false } = {},
): Promise<Bytes> =>
  askService(async () => {
    const input = changes.reduce(
      (transformed, change) => transformed.transform(change),
      images.input(streamOf(bytes)),
    )
    const resized = await input.output({ format, quality: QUALITY, anim: false })
    const { bytes: image } = await readUpTo(resized.image(), MAX_IMAGE_BYTES + 1)
    return image
  }, isOwn)

/** A stream of bytes without a copy, because a Worker has 128 MB and sends an image up to five times. */
const streamOf = (bytes: Bytes): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })

const BROKEN_IMAGE = codedReason(
  'image_broken',
  'this is a broken image, or one of a kind that cannot be read here',
)

/**
 * True if an error comes from the platform or the account's limits:
 * https://developers.cloudflare.com/images/reference/errors/. All other failures have the code 9523, and most
 * are caused by the image. An error without a code means that the connection was lost. Commands reach a local
 * binding through a proxy, which drops the code but not the message.
 */
const isServiceError = (error: unknown, code: unknown): boolean =>
  typeof code === 'number'
    ? (code >= 9422 && code <= 9432) || (code >= 9521 && code !== 9523)
    : !/Unexpected error response/.test(messageOf(error))

/**
 * Calls the platform.
 * @param isOwn true if the image cannot cause a failure
 * @throws InvalidValue, ApiError
 */
async function askService<T>(work: () => Promise<T>, isOwn = false): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (isOwn || isServiceError(error, code))
      throw new ApiError(
        'rest_service_unavailable',
        `Images are not accepted at the moment${code === undefined ? '' : ` (error ${code})`}. Please try again later.`,
        { cause: error },
      )
    throw new InvalidValue(BROKEN_IMAGE)
  }
}
