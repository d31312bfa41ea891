import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from '../../env.ts'
import { newApp } from '../../http/routing.ts'
import { serverTiming } from '../../http/timing.ts'
import type { Settings } from '../../settings.ts'
import { frameWords } from '../../words/words.ts'
import { accountArea } from './account/area.ts'
import type { Area } from './area.ts'
import { contentArea } from './content/area.ts'
import { eventsArea } from './events/area.ts'
import { historyArea } from './history/area.ts'
import { adminHomeRoute } from './home.ts'
import { imagesArea } from './images/area.ts'
import { mergeArea } from './merge/area.ts'
import { missingRoute } from './missing.ts'
import { publishArea } from './publish/page.ts'
import { repetitionArea } from './repetition/area.ts'
import { reviewArea } from './review/area.ts'
import { signInArea } from './sign-in/area.ts'
import { sourcesArea } from './sources/area.ts'
import { trashArea } from './trash/area.ts'
import { usersArea } from './users/area.ts'
import { webhooksArea } from './webhooks/area.ts'

/** The areas of the editor, in the order of the menu and of the start page. */
const AREAS: readonly Area[] = [
  eventsArea,
  reviewArea,
  publishArea,
  repetitionArea,
  contentArea,
  imagesArea,
  sourcesArea,
  mergeArea,
  trashArea,
  historyArea,
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

/** The policy of the editor: everything from here, nothing inline, and images of content from anywhere. */
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
 * Puts the editor on an app. Its headers are its own, so that it comes before the middleware of the other routes: with the
 * referrer policy of these, browsers would not say which origin a form is from.
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
