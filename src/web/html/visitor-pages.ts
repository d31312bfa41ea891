import type { Hono, MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { changedContext } from '../../context.ts'
import type { AppEnv } from '../../env.ts'
import { FOR_EVERYBODY } from '../../http/body.ts'
import { newApp, serverTiming } from '../../http/context.ts'
import { updateSettings } from '../../http/settings.ts'
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
