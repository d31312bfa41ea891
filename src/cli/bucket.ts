import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImageStore } from '../intake/images.ts'
import type { LocalBucket } from './local-d1.ts'
import { readWrangler, type Target } from './wrangler.ts'

/** The images in a local bucket. @param open opens it, once there is an image to read or to write */
export function localStore(open: () => Promise<LocalBucket>): ImageStore {
  let opened: Promise<LocalBucket> | undefined
  const bucket = () => {
    opened ??= open()
    return opened
  }
  return {
    put: async (file, bytes, contentType) => {
      await (await bucket()).put(file, Buffer.from(bytes), { httpMetadata: { contentType } })
    },
    get: async file => {
      const object = await (await bucket()).get(file)
      return object === null ? undefined : new Uint8Array(await object.arrayBuffer())
    },
  }
}

/** The images in a bucket at Cloudflare, one call of wrangler for each. @param name of the bucket */
export function remoteStore(target: Target, name: string): ImageStore {
  const run = async (verb: 'get' | 'put', file: string, path: string, ...options: string[]) =>
    readWrangler([
      ...['r2', 'object', verb, `${name}/${file}`, '--file', path, '--remote', '--config', target.config],
      ...(target.environment ? ['--env', target.environment] : []),
      ...options,
    ])
  return {
    put: (file, bytes, mimeType) =>
      withFile(async path => {
        await writeFile(path, bytes)
        await run('put', file, path, '--content-type', mimeType)
      }),
    get: file =>
      withFile(async path => {
        try {
          await run('get', file, path)
        } catch (error) {
          if (error instanceof Error && /key does not exist/i.test(error.message)) return undefined
          throw error
        }
        return readFile(path)
      }),
  }
}

async function withFile<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'calendar-image-'))
  try {
    return await work(join(folder, 'image'))
  } finally {
    await rm(folder, { recursive: true })
  }
}
