import type { Bucket } from '../context.ts'
import { ApiError } from '../lib/errors.ts'

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
