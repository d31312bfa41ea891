import { sql } from 'drizzle-orm'
import { firstOf, many, together } from '../../db/query.ts'
import { events, eventTerms, terms } from '../../db/schema.ts'
import { withSettings } from '../../http/settings.ts'
import { ApiError } from '../../lib/errors.ts'
import { knownRole, mayEdit } from '../../lib/roles.ts'
import { PREVIEW_TOKEN, previewed, previewPath } from '../../resources/events/preview-links.ts'
import { EVENTS } from '../../resources/events/resource.ts'
import { isTermReadable } from '../../resources/terms/queries.ts'
import { eventArticle } from '../html/event-article.ts'
import { html } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import { type PageRoute, pageContext, pageHeaders, redirect } from '../html/route.ts'
import { linkTo, siteOf } from '../html/site.ts'
import { nameOf } from '../html/text.ts'

/** The headers that keep the address out of caches, search engines and other sites. */
const SECRET = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' }

/** The page of an event that is not public yet, for people who were given its address. What it refers to is shown if it is public. */
export const previewRoute: PageRoute = app =>
  void app.on('GET', [previewPath(`:token{${PREVIEW_TOKEN}}`).slice(0, -1)], ...pageContext, c =>
    withSettings(c, async () => {
      const site = siteOf(c.get('context'))
      const { context, words } = site
      for (const [name, value] of Object.entries({ ...pageHeaders(site), ...SECRET })) c.header(name, value)
      const { id, maker } = await previewed(context, c.req.param('token') ?? '')
      const { row, by, publicTerms } = await context.db.get(
        together({
          // Venues and organizers are those that anybody may see.
          row: firstOf(EVENTS.select(context, sql`${events.id} IN (${id})`)),
          by: maker,
          publicTerms: many(
            sql`SELECT id FROM ${terms} WHERE id IN (SELECT target_id FROM ${eventTerms} WHERE event_id IN (${id})) AND ${isTermReadable(context)}`,
            ({ id }) => Number(id),
          ),
        }),
      )
      const none = new ApiError('rest_no_route', 'There is no such preview.')
      if (!row || row.status === 'trash') throw none
      const shown = row.terms.filter(({ id }) => publicTerms.includes(id))
      const event = EVENTS.serialize({ ...row, terms: shown }, context)
      // Once it is public, the link leads on, whoever made it.
      if (event.status === 'publish') throw redirect(linkTo(site, event.url), 302)
      if (!by || !mayEdit({ ...by, role: knownRole(by.role) }, row)) throw none
      const main = html`<p class="notice" role="note">${words.previewNote}</p>
${eventArticle(site, event, [])}`
      return c.html(String(layout(site, { title: nameOf(event.title, event.slug), isUnlisted: true, main })))
    }),
  )
