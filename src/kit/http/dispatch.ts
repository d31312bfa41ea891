import { Hono } from 'hono'
import type { BaseContext, Dispatch, RequestContext, WriteRequest } from '../context.ts'
import { ApiError, invalidParams } from '../lib/errors.ts'
import { asError } from '../work/error-log.ts'
import { missingRoute, replyToError } from './error-replies.ts'
import { matchedPath } from './request-context.ts'
import { honoPath, type Route } from './route.ts'
import { type Job, type PlannedWrite, type Replies, writeAllOrNone, writeInOrder } from './shared-writes.ts'

type Reader = (context: RequestContext, request: WriteRequest) => Promise<PlannedWrite | ApiError>

type ReaderEnv = { Bindings: { context: RequestContext; note: (outcome: PlannedWrite | Error) => void } }

/**
 * Makes a function that reads requests by the rules of their routes, without carrying them out. It returns
 * the error of a request that its route refuses, and throws any other: those are no reasons for people.
 *
 * @param routes returns the routes that requests may name; called with the first request
 */
export function requestReader(routes: () => readonly Route[]): Reader {
  let app: Hono<ReaderEnv> | undefined
  return async (context, { method, path, body, headers = {} }) => {
    app ??= readerOf(routes())
    const address = pathBelow(context, path)
    const outcomes: (PlannedWrite | Error)[] = []
    const isForm = body instanceof FormData
    const request = new Request(address ?? context.api, {
      method,
      ...(!isForm && { headers: { 'content-type': 'application/json' } }),
      body: isForm ? body : JSON.stringify(body ?? {}),
    })
    await app.fetch(request, {
      context: { ...context, ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] },
      note: outcome => void outcomes.push(outcome),
    })
    const [outcome] = outcomes
    if (outcome instanceof Error && !(outcome instanceof ApiError)) throw outcome
    return outcome ?? missingRoute(matchedPath(address?.pathname ?? ''), routes())
  }
}

/**
 * An app that finds the route of a request that writes, and notes what the request would do, or why the route
 * refuses it.
 */
function readerOf(routes: readonly Route[]): Hono<ReaderEnv> {
  const app = new Hono<ReaderEnv>({ strict: false })
  for (const { methods, path, plan } of routes)
    if (plan)
      app.on([...methods], honoPath(path), async c => {
        c.env.note(await plan(c.env.context, c).catch(asError))
        return c.body(null)
      })
  return app
}

/**
 * Makes the dispatch of an app.
 *
 * @param routes returns the routes that requests may name; called with the first request
 */
export function dispatchTo(routes: () => readonly Route[]): Dispatch {
  const read = requestReader(routes)
  return async (context, requests, { isWhole = false, isBatch = false, before } = {}) => {
    const replies: Replies = requests.map(() => null)
    const jobs: Job[] = []
    for (const [position, request] of requests.entries()) {
      const write = await read(context, request).catch(asError)
      if (write instanceof Error) replies[position] = replyToError(write, context.requestId)
      else jobs.push({ position, write })
    }
    const positionsWhere = (name: 'asksElsewhere' | 'isNeverBatched') =>
      jobs.filter(({ write }) => write[name]).map(({ position }) => position)
    const personalPositions = isBatch ? positionsWhere('isNeverBatched') : []
    if (personalPositions.length > 0)
      throw notTogetherError(personalPositions, 'would return personal data, which no batch may do')
    const positionsElsewhere = positionsWhere('asksElsewhere')
    if (positionsElsewhere.length > (isWhole ? 0 : 1))
      throw notTogetherError(
        positionsElsewhere,
        `would contact other servers, which ${isWhole ? 'is not possible with require-all-validate' : 'at most one may do'}`,
      )
    const dropUnwritten = before && context.db.prependToNextWrite(before)
    try {
      if (isWhole) return { replies, isDone: await writeAllOrNone(context, jobs, replies) }
      await writeInOrder(jobs, replies)
      return { replies, isDone: true }
    } finally {
      dropUnwritten?.()
    }
  }
}

/** Does writes as if clients had sent them to the app. */
export const dispatch: Dispatch = (context, ...request) => context.dispatch(context, ...request)

/** The error for writes that can't be sent together. @param positions their positions */
const notTogetherError = (positions: readonly number[], why: string): ApiError =>
  invalidParams(
    new Map([
      [
        'requests',
        `${positions
          .slice(0, 5)
          .map(i => `requests[${i}]`)
          .join(', ')} ${why}`,
      ],
    ]),
  )

/**
 * The address of a path below the namespace, as if the namespace were the root; undefined for a path that
 * leads elsewhere.
 */
export function pathBelow({ api }: BaseContext, path: string): URL | undefined {
  if (!URL.canParse(api + path)) return undefined
  const { pathname, search, origin } = new URL(api + path)
  const base = new URL(api).pathname
  return pathname.startsWith(`${base}/`) ? new URL(pathname.slice(base.length) + search, origin) : undefined
}
