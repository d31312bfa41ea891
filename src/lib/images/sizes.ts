// The sizes that WordPress makes of an image, which clients of its API ask for by name.

type Dimensions = { width: number; height: number }

/** Each fits into a square of that many pixels, or is cut to one. */
const LIMITS = {
  thumbnail: { most: 150, isCut: true },
  medium: { most: 300, isCut: false },
  large: { most: 1_024, isCut: false },
} as const

type SizeName = keyof typeof LIMITS

const NAMES = Object.keys(LIMITS)

/** The sizes of an image in pixels. None is larger than the image, and none is the same. */
export function sizesOf({ width, height }: Dimensions): (Dimensions & { name: SizeName })[] {
  return Object.entries(LIMITS).flatMap(([name, { most, isCut }]) => {
    if (width <= most && height <= most) return []
    const scale = most / Math.max(width, height)
    const within = (side: number) => (isCut ? Math.min(most, side) : Math.max(1, Math.round(side * scale)))
    // Object.entries forgets the keys' type.
    return [{ name: name as SizeName, width: within(width), height: within(height) }]
  })
}

/** The file of an image, whose name is the SHA-256 digest of its bytes, and the files of its sizes. */
const FILE = new RegExp(`^([0-9a-f]{64})(?:-(?:${NAMES.join('|')}))?\\.(jpg|png|gif|webp|avif)$`)

/** Tells if this is a name of a stored file: of an image, or one of its sizes. */
export const isImageFile = (name: string): boolean => FILE.test(name)

/** The file of the image that a file belongs to. */
export const wholeImage = (name: string): string => name.replace(FILE, '$1.$2')

/** The file, or the address, of a size of an image. */
export const sizeFile = (image: string, name: string): string => image.replace(/(?=\.\w+$)/, `-${name}`)

/** All files that an image may have. */
export const filesOfImage = (image: string): string[] => [image, ...NAMES.map(name => sizeFile(image, name))]
