import { sql } from 'drizzle-orm'
import { first } from '../../../db/query.ts'
import { signInLinks, users } from '../../../db/schema.ts'
import { recognised } from '../../../http/auth.ts'
import { digestOf } from '../../../lib/digest.ts'
import { ApiError } from '../../../lib/errors.ts'
import { isSecure } from '../../../lib/secure-addresses.ts'
import { filled, signInWords } from '../../../words/words.ts'
import { form } from '../../forms/element.ts'
import { html } from '../../html/html.ts'
import type { Visit } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { notePage } from '../notice.ts'
import { defineOpenAction, defineOpenPage } from '../route.ts'
import { beginSession } from '../sessions/session.ts'
import { needsHttpsPage, SIGN_IN } from './page.ts'

const PATH = '/admin/link/:secret{[a-z0-9]+}/'

/** The link of a secret that still holds. */
const linkOf = async (secret: string, now: string) =>
  sql`${signInLinks} WHERE digest = ${await digestOf(secret)} AND expires_utc > ${now}`

/** The page of a link. Opening it changes nothing: programs that look through mails open links. */
const page = defineOpenPage({
  path: PATH,
  respond: async (visit, { params: { secret = '' }, url }) => {
    if (!isSecure(url)) return needsHttpsPage(visit)
    const { context, language } = visit
    const link = await linkOf(secret, context.now)
    const login = await context.db.get(
      first(sql`SELECT login FROM ${users} WHERE id = (SELECT user_id FROM ${link})`, row =>
        String(row.login),
      ),
    )
    if (login === undefined) return endedPage(visit)
    const words = signInWords(language)
    return {
      title: visit.words.signIn,
      isNarrow: true,
      main: html`<h1>${filled(visit.words.welcome, { login })}</h1><p class="lead">${words.linkText}</p>
${form(visit, {
  action: url.pathname,
  body: html`<button class="button" type="submit">${filled(words.linkButton, { login })}</button>`,
})}`,
    }
  },
})

function endedPage(visit: Visit): AdminPage {
  const words = signInWords(visit.language)
  const link = { href: SIGN_IN, text: visit.words.signIn }
  return notePage({ title: words.linkEnded, status: 410, text: words.linkEndedText, link })
}

const use = defineOpenAction({
  path: PATH,
  respond: async (visit, { params: { secret = '' }, request, url }) => {
    if (!isSecure(url)) return needsHttpsPage(visit)
    const link = await linkOf(secret, visit.context.now)
    const begin = () =>
      beginSession(request, {
        method: 'link',
        user: sql`SELECT user_id AS id FROM ${link}`,
        after: [sql`DELETE FROM ${link}`],
      })
    try {
      return { to: '/admin/', cookies: await recognised(request, begin) }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'incorrect_password') return endedPage(visit)
      throw error
    }
  },
})

/** A link that signs somebody in once. */
export const linkRoutes = [page, use]
