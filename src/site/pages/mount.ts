import type { Context, Hono } from 'hono'
import { selectPageTexts } from '../../calendar/settings/routes.ts'
import { PAGE_SETTINGS, pagePath } from '../../calendar/settings/schema.ts'
import type { AppEnv } from '../../kit/env.ts'
import { WORDPRESS_ROOT } from '../../kit/http/aliases.ts'
import { noRoute } from '../../kit/http/error-replies.ts'
import { newApp, setRequestContext } from '../../kit/http/request-context.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { ANONYMOUS } from '../../kit/lib/roles.ts'
import { summary } from '../../kit/lib/text.ts'
import { NAMESPACE, type Settings } from '../../kit/settings.ts'
import { ASSETS } from '../html/assets.ts'
import { definePage, type MountPage } from '../html/define-page.ts'
import { respondWithPage } from '../html/error-page.ts'
import { html, raw } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import { richText } from '../html/text.ts'
import { themeStyle } from '../html/theme.ts'
import { embedRoutes } from './embed.ts'
import { eventPageRoutes } from './event.ts'
import { formerRoutes } from './former-addresses.ts'
import { listRoutes } from './list.ts'
import { mapRoutes } from './map.ts'
import { dayRoutes, monthRoutes } from './period.ts'
import { sitemapRoutes } from './sitemap.ts'
import { termRoutes } from './terms.ts'
import { venueAndOrganizerRoutes } from './venues-and-organizers.ts'
import { weekRoutes } from './week.ts'

/** The most characters of a description for search engines. */
const MAX_DESCRIPTION_LENGTH = 160

/** The pages whose texts administrators write: the imprint and the privacy policy. */
const legalPages = PAGE_SETTINGS.map(name =>
  definePage({
    path: pagePath(name),
    load: selectPageTexts,
    respond: (site, { loaded: { [name]: text } }) => {
      if (text === '') throw new ApiError('rest_no_route', 'There is no such page.')
      const title = site.words[name]
      const main = html`<h1>${title}</h1><div class="rich">${raw(richText(text))}</div>`
      const description = summary(text, MAX_DESCRIPTION_LENGTH)
      return { body: String(layout(site, { title, description, canonical: pagePath(name), main })) }
    },
  }),
)

const PAGES: readonly MountPage[] = [
  ...listRoutes,
  ...monthRoutes,
  ...weekRoutes,
  ...dayRoutes,
  ...mapRoutes,
  ...formerRoutes,
  ...termRoutes,
  ...eventPageRoutes,
  ...venueAndOrganizerRoutes,
  ...embedRoutes,
  ...sitemapRoutes,
  ...legalPages,
]

const FOREVER = 'public, max-age=31536000, immutable'

/** Mounts the public pages on an app. @param furtherPages the pages of features */
export function mountSite(app: Hono<AppEnv>, furtherPages: readonly MountPage[]): void {
  const site = newApp()
  site.onError(respondWithPage)
  for (const mount of [...PAGES, ...furtherPages]) mount(site)
  site.get('/_site/:file', assetOrRedirect)
  // Programs that don't read pages look for the icon here.
  site.get('/favicon.ico', c => {
    c.header('Cache-Control', 'public, max-age=86400')
    return c.redirect(ASSETS.icon, 302)
  })
  app.route('/', site)
}

/**
 * Serves the stylesheet of an owner's colour and focus, and redirects from files of an earlier build to the
 * current ones, because cached pages outlive a deployment by some minutes. Existing files are served before
 * this.
 */
function assetOrRedirect(c: Context<AppEnv>): Response {
  const file = c.req.param('file') ?? ''
  const theme = /^theme-([\w-]+)\.css$/.exec(file)?.[1]
  const style = theme === undefined ? undefined : themeStyle(theme)
  if (style !== undefined)
    return c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': FOREVER })
  const current = Object.values(ASSETS).find(
    address =>
      address.split('.').at(-1) === file.split('.').at(-1) &&
      address.startsWith(`/_site/${file.split('.')[0]}.`),
  )
  if (current === undefined || current === `/_site/${file}`)
    throw new ApiError('rest_no_route', 'There is no such file.')
  return c.redirect(current, 302)
}

/** The response for addresses without a route: a page for people, JSON for clients of the API. */
export function noPage(settings: Settings) {
  // This covers addresses at which the API is not mounted, too.
  const roots = [WORDPRESS_ROOT, ...settings.namespaces.map(namespace => namespace.split('/')[0])]
  return async (c: Context<AppEnv>): Promise<Response> => {
    const [, root] = new URL(c.req.url).pathname.split('/')
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    const wantsJson = /^application\/(?:[\w.]+\+)?json\b/.test(c.req.header('accept') ?? '')
    if (!isRead || wantsJson || roots.includes(root)) return noRoute()
    c.set('caller', ANONYMOUS)
    setRequestContext(c, NAMESPACE)
    return respondWithPage(new ApiError('rest_no_route', 'There is no such page.'), c)
  }
}
