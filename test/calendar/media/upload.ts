import { env, exports } from 'cloudflare:workers'
import { type Answer, API, query, send } from '../../factories.ts'

type Uploading = { name?: string; type?: string; query?: string; path?: string }

/** Uploads an image as the body of a request. */
export const upload = (
  as: string | undefined,
  body: Uint8Array<ArrayBuffer> | ReadableStream,
  { name = 'poster', type = 'image/jpeg', query = '', path = `${API}/media` }: Uploading = {},
): Promise<Answer> =>
  send('POST', path + query, {
    ...(as && { as }),
    body,
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  })

/** A form with files and texts. */
export function formOf(fields: Record<string, string | Uint8Array<ArrayBuffer>>, name = 'poster'): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(field, value)
    else form.append(field, new Blob([value]), name)
  }
  return form
}

/** The bucket of the tests' configuration. @throws Error if it is missing */
export function bucket(): R2Bucket {
  const { MEDIA } = env as unknown as { MEDIA?: R2Bucket }
  if (!MEDIA) throw new Error('no bucket')
  return MEDIA
}

/** The names of all files in the bucket. */
export const storedFiles = async (): Promise<string[]> =>
  (await bucket().list()).objects.map(({ key }) => key)

export const emptyBucket = async (): Promise<void> => bucket().delete(await storedFiles())

/** All rows of a table. */
export const rowsOf = async (table: string): Promise<Record<string, unknown>[]> =>
  await query(`SELECT * FROM ${table}`)

/** The bytes that an address serves. */
export async function bytesAt(url: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await exports.default.fetch(url)).arrayBuffer())
}

/** The binding of the tests' configuration that reads images. @throws Error if it is missing */
export function images(): ImagesBinding {
  const { IMAGES } = env as unknown as { IMAGES?: ImagesBinding }
  if (!IMAGES) throw new Error('no binding for images')
  return IMAGES
}

/** Bytes in another format, made without the tested code. */
export async function encoded(
  bytes: Uint8Array<ArrayBuffer>,
  format: 'image/jpeg' | 'image/webp' | 'image/avif',
): Promise<Uint8Array<ArrayBuffer>> {
  const made = await images()
    .input(new Blob([bytes]).stream())
    .output({ format })
  return new Uint8Array(await made.response().arrayBuffer())
}

/** The binding, with the number of images that it has decoded so far. */
export function countingImages(): { IMAGES: ImagesBinding; decoded: () => number } {
  let decoded = 0
  const IMAGES = new Proxy(images(), {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name === 'input') decoded += 1
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { IMAGES, decoded: () => decoded }
}
