import { noRoute } from '../../http/errors.ts'
import { messagePage, respond } from './respond.ts'
import type { AdminRoute } from './route.ts'
import { signInPath } from './sessions/way-back.ts'
import { recognise } from './visit.ts'

/** What addresses below /admin/ show that no page has. Whoever is not signed in does not learn which there are. */
export const missingRoute: AdminRoute = (app, frame) => {
  app.on(['GET', 'POST'], ['/admin', '/admin/*'], async c => {
    const visit = await recognise(c, frame)
    if (visit.session) return respond(c, visit, messagePage(visit, 'notFound', 404))
    return c.redirect(signInPath(new URL(c.req.url)), 303)
  })
  app.all('/admin/*', noRoute)
}
