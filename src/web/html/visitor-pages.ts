import type { Context, Hono, MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { changedContext } from '../../context.ts'
import type { AppEnv } from '../../env.ts'
import { FOR_EVERYBODY } from '../../http/body.ts'
import { newApp, serverTiming } from '../../http/context.ts'
import { updateSettings } from '../../http/settings.ts'
import { ApiError } from '../../lib/errors.ts'
import { respondWithPage } from './error-page.ts'
import { pageContext } from './route.ts'

// What pages with forms for visitors have in common. They stand before the middleware of the API.

/** The limits of their forms: several times what visitors may write. */
export const VISITOR_FORM = { typed: FOR_EVERYBODY.bytes, fields: FOR_EVERYBODY.parameters, fileBytes: 0 }

const asVisitor: MiddlewareHandler<AppEnv> = async (c, next) => {
  // Forms are read only once, so settings come before.
  await updateSettings(c)
  c.set('context', changedContext(c.get('context'), { isVisitor: true }))
  return next()
}

/**
 * Refuses a form that another site sends: any page could have its visitors sign somebody up, each from a network of its own. These pages hide
 * their addresses, so browsers send their forms with `Origin: null`, and `Sec-Fetch-Site` tells whose they are. Browsers without
 * that header are from before 2023; programs send neither.
 *
 * @throws ApiError `rest_forbidden`
 */
export function assertFromHere({ req, get }: Context<AppEnv>): void {
  const [origin, site] = [req.header('origin'), req.header('sec-fetch-site')]
  if (origin !== undefined && get('settings').allowedOrigins.includes(origin)) return
  const isHere =
    site === undefined
      ? origin === undefined || origin === 'null' || origin === new URL(req.url).origin
      : site === 'same-origin' || site === 'none'
  if (!isHere)
    throw new ApiError(
      'rest_forbidden',
      'Pages of other sites may not send this form: ALLOWED_ORIGINS has those that may.',
    )
}

/** The middleware of each of their routes. */
export const visitorContext: MiddlewareHandler<AppEnv>[] = [...pageContext, asVisitor]

/** An app for the pages at a path and below it. */
export function visitorPages(path: string): Hono<AppEnv> {
  const pages = newApp()
  pages.onError(respondWithPage)
  const headers = secureHeaders({ crossOriginResourcePolicy: 'same-origin', xFrameOptions: 'DENY' })
  for (const each of [path, `${path}/*`]) pages.use(each, headers, serverTiming)
  return pages
}
