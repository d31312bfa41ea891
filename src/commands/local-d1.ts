import { readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import type { ImageStore } from '../kit/context.ts'
import type { Value } from '../kit/db/query.ts'
import { requireBindable } from '../kit/db/statements.ts'
import type { Images } from '../kit/lib/images/make-image.ts'
import { COMPATIBILITY_DATE, runOnTarget, type Target, withTemporaryFile } from './wrangler.ts'

// Miniflare's own bindings (`getD1Database`, and `getPlatformProxy`, which returns the same) send a request
// for every `prepare` and every `bind`, and block until the response. Here a batch is one request to a
// Worker, which runs it on the same D1. Measured in turns with Miniflare 5.20261023, theirs and ours:
//
// - a first start, with a server that starts: 7.3 and 3.1 seconds of CPU (21 and 12 by the clock)
// - an import of 1,000 events: 4.9 and 3.4 seconds (11 and 8), 283 and 227 MB
// - Node's tests of backups and imports: theirs take twice as long
//
// Theirs would save 85 lines here and none elsewhere: wrangler's remote bindings would replace
// remote-database.ts, but cannot restore a backup in one transaction (see there).

/** A Worker that runs batches on its databases. */
const BATCH_WORKER = `export default {
  async fetch(request, env) {
    const [name, constraint, statements] = await request.json()
    const db = env[name].withSession(constraint)
    try {
      const results = await db.batch(statements.map(([sql, params]) => db.prepare(sql).bind(...params)))
      return Response.json({ results, bookmark: db.getBookmark() })
    } catch ({ message }) {
      return new Response(message, { status: 500 })
    }
  },
}`

type PreparedStatement = {
  bind(...params: unknown[]): PreparedStatement
  statement: [sql: string, params: Value[]]
}

const prepareStatement = (sql: string, params: Value[]): PreparedStatement => ({
  bind: (...values) => prepareStatement(sql, values.map(requireBindable)),
  statement: [sql, params],
})

// `node:http` takes a fifth of the time of `fetch`. The runtime closes connections that are idle for five
// seconds; these connections end earlier.
const agent = new Agent({ keepAlive: true, timeout: 2_000 })

const post = (address: string, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const clientRequest = request(address, { method: 'POST', agent }, response => {
      text(response).then(
        received => (response.statusCode === 200 ? resolve(received) : reject(new Error(received))),
        reject,
      )
    })
    clientRequest.on('error', error => {
      // The runtime closed this idle connection before the request arrived.
      if (clientRequest.reusedSocket && 'code' in error && error.code === 'ECONNRESET')
        resolve(post(address, body))
      else reject(error)
    })
    clientRequest.end(body)
  })

type D1Reply = { results: unknown[]; bookmark: string | null }

/** The part of a D1 binding that the service uses. */
function d1At(address: string, name: string): D1Database {
  const sessionFrom = (start: string) => {
    let bookmark: string | null = null
    return {
      prepare: (sql: string) => prepareStatement(sql, []),
      async batch(batch: readonly PreparedStatement[]) {
        const statements = batch.map(({ statement }) => statement)
        const body = JSON.stringify([name, bookmark ?? start, statements])
        // BATCH_WORKER sends this form.
        const response = JSON.parse(await post(address, body)) as D1Reply
        bookmark = response.bookmark
        return response.results
      },
      getBookmark: () => bookmark,
    }
  }
  // The service uses nothing else of a binding.
  return { ...sessionFrom('first-primary'), withSession: sessionFrom } as unknown as D1Database
}

/** The message that the runtime prints when a read meets another process's write. Such reads are repeated. */
const BUSY_MESSAGE = /database is locked: SQLITE_BUSY/

const resourcesIn = (folder: string): string => `${folder}/v3`

/** Where Miniflare keeps the databases of a folder of local data, once a database has been opened. */
export const databasesIn = (folder: string): string => `${resourcesIn(folder)}/d1`

type LocalBucket = Awaited<ReturnType<Miniflare['getR2Bucket']>>

/**
 * @property openBucket undefined without the name of a bucket. Opening takes a quarter of a second, and few
 *   commands need it
 */
type Databases = {
  d1: D1Database[]
  openBucket: (() => Promise<LocalBucket>) | undefined
  stop: () => Promise<void>
}

/**
 * Starts databases in one server.
 *
 * @param ids the names or, in a folder of local data, the ids
 * @param persistTo the folder, as `wrangler dev` takes it; without one, the data ends with the server
 * @param bucket the name of a bucket on the same server
 */
export async function startDatabases(
  ids: readonly string[],
  persistTo?: string,
  bucket?: string,
): Promise<Databases> {
  const options = convertV4MiniflareOptions({
    modules: true,
    script: BATCH_WORKER,
    compatibilityDate: COMPATIBILITY_DATE,
    // Skips the Worker that Miniflare puts before all others, which takes a quarter of the time of a batch.
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    d1Databases: Object.fromEntries(ids.map(id => [id, id])),
    ...(bucket !== undefined && { r2Buckets: { MEDIA: bucket } }),
  })
  const miniflare = new Miniflare({
    ...options,
    // Otherwise Miniflare asks Cloudflare for the location of this machine, and waits for three seconds if
    // there is no network.
    cf: false,
    handleStructuredLogs: ({ message }) => {
      if (!BUSY_MESSAGE.test(message)) console.error(message)
    },
    ...(persistTo !== undefined && { resourcePersistencePath: resourcesIn(persistTo) }),
  })
  const { href } = await miniflare.unsafeGetDirectURL().catch(async (error: unknown) => {
    // Without this, the process would never end.
    await miniflare.dispose().catch(() => {})
    throw error
  })
  return {
    d1: ids.map(id => d1At(href, id)),
    openBucket: bucket === undefined ? undefined : () => miniflare.getR2Bucket('MEDIA'),
    stop: () => miniflare.dispose(),
  }
}

/** The images in a local bucket. @param open opens it for the first image */
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
  const run = (verb: 'get' | 'put', file: string, path: string, ...options: string[]) =>
    runOnTarget(target, ['r2', 'object', verb, `${name}/${file}`, '--file', path, ...options])
  return {
    put: (file, bytes, mimeType) =>
      withTemporaryFile(async path => {
        await writeFile(path, bytes)
        await run('put', file, path, '--content-type', mimeType)
      }),
    get: file =>
      withTemporaryFile(async path => {
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

/**
 * Starts a reader of images on this computer, also for a calendar at Cloudflare: it costs nothing, and needs
 * no account.
 */
export async function openImages(): Promise<{ images: Images; close: () => Promise<void> }> {
  const options = convertV4MiniflareOptions({ modules: true, script: '', images: { binding: 'IMAGES' } })
  const miniflare = new Miniflare(options)
  // The binding is the same, but its streams are declared differently.
  const images = (await miniflare.getImagesBinding('IMAGES')) as unknown as Images
  return { images, close: () => miniflare.dispose() }
}
