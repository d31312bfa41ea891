import files from './samples.json' with { type: 'json' }

// Small images that were made for the tests: 24 × 16 pixels, some turned by a quarter, with EXIF data
// (positions and the word SECRET), XMP (the same word) and colour profiles. The moving ones have two frames
// of 8 × 8 pixels.

const decode = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), char => char.charCodeAt(0))

export const JPEG = decode(files.JPEG)
export const PROGRESSIVE = decode(files.PROGRESSIVE)
export const PNG = decode(files.PNG)
export const WEBP = decode(files.WEBP)
export const LOSSLESS = decode(files.LOSSLESS)
export const AVIF = decode(files.AVIF)
export const GIF = decode(files.GIF)
export const ANIMATED_GIF = decode(files.ANIMATED_GIF)
export const ANIMATED_WEBP = decode(files.ANIMATED_WEBP)
