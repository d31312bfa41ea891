import type { Bucket } from '../context.ts'
import { ApiError } from '../lib/errors.ts'

/** Ten megabytes: more than cameras make of one image, and little enough to be held in memory. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024

/** A file in a request: the value of a field that takes one, before it is checked. */
export class UploadedFile {
  /** The name that the client gave it; '' for none. */
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>

  constructor(name: string, bytes: Uint8Array<ArrayBuffer>) {
    this.name = name.replace(/^.*[/\\]/, '')
    this.bytes = bytes
  }
}

/** The name of a file in a `Content-Disposition` header (RFC 6266); '' for none. */
export function fileNameIn(header = ''): string {
  const extended = header.match(/filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i)?.[1]
  const [, quoted, bare = ''] = header.match(/filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i) ?? []
  try {
    if (extended) return decodeURIComponent(extended)
  } catch {
    // Some clients write a percent sign as it is: the other form of the name is left.
  }
  return quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1')
}

/** Asks the bucket of images, whose failures pass. @throws ApiError `rest_service_unavailable` */
export async function askBucket<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new ApiError(
      'rest_service_unavailable',
      'The images cannot be reached. Please try again in a few seconds.',
      {},
      {},
      error,
    )
  }
}

/** The part of a bucket that writes use, with its failures as errors of the API. */
export const bucketOf = (bucket: R2Bucket | undefined): Bucket | undefined =>
  bucket && {
    put: (...given) => askBucket(() => bucket.put(...given)),
    delete: files => askBucket(() => bucket.delete(files)),
  }
