import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { inOrder } from '../../db/query.ts'
import type { AppEnv } from '../../env.ts'
import { newApp, serverTiming } from '../../http/context.ts'
import { noRoute } from '../../http/errors.ts'
import { may } from '../../lib/roles.ts'
import type { Settings } from '../../settings.ts'
import { filled, frameWords } from '../../words/words.ts'
import { html } from '../html/html.ts'
import { accountArea } from './account/area.ts'
import { contentArea } from './content/area.ts'
import { eventsArea } from './events/area.ts'
import { historyArea } from './history/page.ts'
import { imagesArea } from './images/area.ts'
import { mergeArea } from './merge/area.ts'
import { publishArea } from './publish/page.ts'
import { messagePage, respond } from './respond.ts'
import { reviewArea } from './review/area.ts'
import { type AdminRoute, type Area, defineAdminPage } from './route.ts'
import { signInPath } from './sessions/cookies.ts'
import { signInArea } from './sign-in/area.ts'
import { sourcesArea } from './sources/area.ts'
import { trashArea } from './trash/area.ts'
import { undoArea } from './undo/routes.ts'
import { usersArea } from './users/area.ts'
import { recognise } from './visit.ts'
import { webhooksArea } from './webhooks/area.ts'

/** The start page, with the cards of all areas. */
function adminHomeRoute(areas: readonly Area[]): AdminRoute {
  const cards = areas.flatMap(({ start = [] }) => start)
  return defineAdminPage({
    path: '/admin/',
    requires: 'read',
    load: admin =>
      inOrder(
        cards.filter(({ requires }) => may(admin.context.caller, requires)).map(({ query }) => query(admin)),
      ),
    respond: ({ words, session }, { loaded }) => ({
      title: words.start,
      main: html`<h1>${filled(words.welcome, { login: session.user.login })}</h1>
<div class="cards">
${loaded.filter(card => card !== '').map(card => html`<section class="card">${card}</section>\n`)}
</div>`,
    }),
  })
}

/** The fallback for other addresses below /admin/. Visitors who are not signed in cannot tell which exist. */
const missingRoute: AdminRoute = (app, frame) => {
  app.on(['GET', 'POST'], ['/admin', '/admin/*'], async c => {
    const visit = await recognise(c, frame)
    if (visit.session) return respond(c, visit, messagePage(visit, 'notFound', 404))
    return c.redirect(signInPath(new URL(c.req.url)), 303)
  })
  app.all('/admin/*', noRoute)
}

/** The areas of the editor, in the order of the menu and the start page. */
const AREAS: readonly Area[] = [
  eventsArea,
  reviewArea,
  publishArea,
  contentArea,
  imagesArea,
  sourcesArea,
  mergeArea,
  trashArea,
  historyArea,
  undoArea,
  webhooksArea,
  usersArea,
  accountArea,
  signInArea,
]

const START = {
  path: '/admin/',
  label: (language: string) => frameWords(language).start,
  requires: 'read',
} as const

/** The content security policy of the editor: everything from here, nothing inline, and images from anywhere. */
const POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'https:', 'http:', 'data:', 'blob:'],
  mediaSrc: ["'self'", 'https:', 'http:'],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
}

const privately = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  c.header('Cache-Control', 'no-store')
  c.header('X-Robots-Tag', 'noindex')
})

/**
 * Mounts the editor on an app. It has headers of its own, and so comes before the middleware of the other routes: with their
 * referrer policy, browsers would not send the origin of a form.
 */
export function mountAdmin(app: Hono<AppEnv>, settings: Settings): void {
  const admin = newApp()
  const headers = secureHeaders({
    contentSecurityPolicy: POLICY,
    xFrameOptions: 'DENY',
    referrerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
  })
  for (const path of ['/admin', '/admin/*']) admin.use(path, headers, privately, serverTiming(settings))
  const frame = { settings, menu: [START, ...AREAS.flatMap(({ menu = [] }) => menu)] }
  for (const mount of [adminHomeRoute(AREAS), ...AREAS.flatMap(({ routes }) => routes), missingRoute])
    mount(admin, frame)
  app.route('/', admin)
}
