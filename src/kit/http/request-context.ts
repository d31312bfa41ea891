import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { getPathNoStrict } from 'hono/utils/url'
import { type BaseContext, type Bucket, type CronRun, contextAt, type Mailer } from '../context.ts'
import { Database } from '../db/database.ts'
import type { AppEnv, Bindings } from '../env.ts'
import { Clock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { pause } from '../lib/pause.ts'
import { ANONYMOUS } from '../lib/roles.ts'
import { NAMESPACE, type Settings } from '../settings.ts'
import { asError, logError } from '../work/error-log.ts'
import { modelOf } from '../work/language-model.ts'
import { countWrites, networkOfRequest } from './limits.ts'

/**
 * An app without routes. Not strict: a trailing slash means the same address.
 *
 * @param getPath returns the path that routes match, if it differs from the path of the address
 */
export const newApp = (getPath: (request: Request) => string = getPathNoStrict): Hono<AppEnv> =>
  new Hono<AppEnv>({ getPath })

/** A path as {@link newApp} matches it: without its trailing slash. */
export const matchedPath = (path: string): string => path.replace(/(?<=.)\/$/, '')

export const BOOKMARK_HEADER = 'x-d1-bookmark'

/**
 * The bookmark in a header; undefined if it has unusual characters, which must reach neither D1 nor the
 * response.
 */
const givenBookmark = (header: string | undefined): string | undefined => header?.match(/^[\w-]{1,128}$/)?.[0]

/**
 * Sets `db`: one executor for the whole request, with its metrics. Reads go to the nearest replica, unless
 * the client sends the bookmark of a write that it wants to see; writes go to the primary, and the response
 * has their bookmark. Responses that shared caches may keep have none.
 */
export const openDatabase = createMiddleware<AppEnv>(async (c, next) => {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  const bookmark = givenBookmark(c.req.header(BOOKMARK_HEADER))
  const session = c.env.DB.withSession(bookmark ?? (isRead ? 'first-unconstrained' : 'first-primary'))
  c.set('db', new Database(session))
  await next()
  const newBookmark = session.getBookmark()
  if (newBookmark && (bookmark !== undefined || !isRead)) c.res.headers.set(BOOKMARK_HEADER, newBookmark)
})

/** Adds `Server-Timing` with the metrics of D1 if the var `DEBUG_TIMING` is set. Times are milliseconds. */
export const serverTiming = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (!c.get('settings').debugTiming) return
  const { roundTrips, statements, rowsRead, rowsWritten, sqlMs } = c.get('db').metrics
  const entries = [
    `d1;dur=${sqlMs}`,
    `trips;desc="${roundTrips}"`,
    `statements;desc="${statements}"`,
    `rows-read;desc="${rowsRead}"`,
    `rows-written;desc="${rowsWritten}"`,
  ]
  c.res.headers.set('Server-Timing', entries.join(', '))
})

/** The context of the invocation; undefined outside of Workers, where nobody would wait. */
export function executionContextOf(c: Context<AppEnv>): ExecutionContext | undefined {
  try {
    // Hono's type lacks the methods that only some of its runtimes have.
    return c.executionCtx as ExecutionContext
  } catch {
    return undefined
  }
}

/**
 * Does work after the response. Failures are logged. The work begins once everything that is ready to run has
 * run, which includes the rest of the response: composing an e-mail would hold that up as well.
 *
 * @param execution the context of the invocation; without one, the work is done anyway
 */
export function workAfterResponse(
  execution: Pick<ExecutionContext, 'waitUntil'> | undefined,
  requestId: string,
  work: () => Promise<unknown>,
): void {
  const loggedWork = pause()
    .then(work)
    .catch((error: unknown) => logError(requestId, asError(error)))
  execution?.waitUntil(loggedWork)
}

/** Does work after the response to a request: see {@link workAfterResponse}. */
export const afterResponse = (c: Context<AppEnv>, work: () => Promise<unknown>): void =>
  workAfterResponse(executionContextOf(c), c.get('requestId'), work)

/** Asks the bucket of images. Its failures are temporary. @throws ApiError `rest_service_unavailable` */
export async function askBucket<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new ApiError(
      'rest_service_unavailable',
      'The images cannot be reached. Please try again in a few seconds.',
      { cause: error },
    )
  }
}

/** The part of a bucket that writes use, with its failures as errors of the API. */
const bucketOf = (bucket: R2Bucket | undefined): Bucket | undefined =>
  bucket && {
    put: (...given) => askBucket(() => bucket.put(...given)),
    delete: files => askBucket(() => bucket.delete(files)),
    has: file => askBucket(async () => (await bucket.head(file)) !== null),
  }

/** The part of a context that comes from the bindings. */
export const partsOfBindings = (env: Bindings, settings: Settings) => ({
  media: bucketOf(env.MEDIA),
  images: env.IMAGES,
  mailer: mailerOf(env.EMAIL, settings),
  model: modelOf(env.AI, settings),
})

/**
 * The sender of this calendar's e-mails: the binding `EMAIL` and the var `MAIL_FROM`; undefined if one of
 * them is missing.
 */
export const mailerOf = (
  binding: SendEmail | undefined,
  { mailFrom, siteName }: Settings,
): Mailer | undefined =>
  binding &&
  mailFrom && {
    from: { email: mailFrom.email, name: mailFrom.name || siteName },
    send: message => binding.send(message),
  }

/** Sets `context`. @param namespace the path of the API, without slashes at either end, for links */
export function setRequestContext(c: Context<AppEnv>, namespace: string): void {
  const settings = c.get('settings')
  c.set('context', {
    ...contextAt(settings, `${new URL(c.req.url).origin}/${namespace}`),
    ...partsOfBindings(c.env, settings),
    db: c.get('db'),
    caller: c.get('caller'),
    databaseSecret: c.get('databaseSecret'),
    requestId: c.get('requestId'),
    network: networkOfRequest(c.req.raw),
    files: c.env.ASSETS,
    dispatch: c.get('dispatch'),
    countWrites: count => countWrites(c, count),
    afterResponse: work => afterResponse(c, work),
    clock: new Clock(Date.now()),
    ifMatch: c.req.header('if-match'),
    ifNoneMatch: c.req.header('if-none-match'),
  })
}

/** Middleware of {@link setRequestContext}. */
export const requestContext = (namespace: string) =>
  createMiddleware<AppEnv>((c, next) => {
    setRequestContext(c, namespace)
    return next()
  })

/**
 * The context of work without a request: in the cron, or after a response.
 *
 * @param api the API's address, as a request had it
 */
export const backgroundContext = (
  { api }: { api: string },
  { db, settings, nowMs }: CronRun,
): BaseContext => ({
  ...contextAt(settings, api),
  db,
  caller: ANONYMOUS,
  requestId: '',
  clock: new Clock(nowMs),
})

/**
 * The context of an import, which sees what an administrator sees. Nobody is its caller: the audit names the
 * source.
 */
export const importContext = (run: CronRun): BaseContext => ({
  ...backgroundContext({ api: `${run.settings.siteUrl ?? 'http://localhost:8787'}/${NAMESPACE}` }, run),
  caller: { id: 0, role: 'administrator' },
})
