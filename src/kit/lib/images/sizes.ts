import { typedEntries } from '../values.ts'
import { MEDIA_TYPES } from './formats.ts'

// The sizes of an image in WordPress. Clients of its API ask for them by name.

type Dimensions = { width: number; height: number }

/** Limits in pixels. Each size fits into a square of `maxSide`, or is cropped to that square. */
const SIZE_LIMITS = {
  thumbnail: { maxSide: 150, isCropped: true },
  medium: { maxSide: 300, isCropped: false },
  large: { maxSide: 1_024, isCropped: false },
} as const

const SIZE_NAMES = Object.keys(SIZE_LIMITS)

/** The sizes to make of an image, in pixels, each smaller than the image itself. */
export function sizesOf({ width, height }: Dimensions): (Dimensions & { name: keyof typeof SIZE_LIMITS })[] {
  return typedEntries(SIZE_LIMITS).flatMap(([name, { maxSide, isCropped }]) => {
    if (width <= maxSide && height <= maxSide) return []
    const scale = maxSide / Math.max(width, height)
    const limited = (side: number) =>
      isCropped ? Math.min(maxSide, side) : Math.max(1, Math.round(side * scale))
    return [{ name, width: limited(width), height: limited(height) }]
  })
}

/**
 * Names of the files of an image and its sizes. They begin with the SHA-256 digest of the whole image's
 * bytes.
 */
const FILE_NAME = new RegExp(
  `^([0-9a-f]{64})(?:-(?:${SIZE_NAMES.join('|')}))?\\.(${Object.keys(MEDIA_TYPES).join('|')})$`,
)

/** True if this is the name of a stored file: an image, or one of its sizes. */
export const isImageFile = (name: string): boolean => FILE_NAME.test(name)

/** The file of the whole image, given that file or one of its sizes. */
export const wholeImageFile = (name: string): string => name.replace(FILE_NAME, '$1.$2')

export const sizeFile = (image: string, name: string): string => image.replace(/(?=\.\w+$)/, `-${name}`)

export const filesOfImage = (image: string): string[] => [
  image,
  ...SIZE_NAMES.map(name => sizeFile(image, name)),
]
