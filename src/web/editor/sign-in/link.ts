import { and, eq, gt, type SQL } from 'drizzle-orm'
import { first } from '../../../db/query.ts'
import { signInLinks, users } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'
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

/** A condition for the link of a secret that still holds. */
const isLinkOf = async (secret: string, now: string): Promise<SQL | undefined> =>
  and(eq(signInLinks.digest, await digestOf(secret)), gt(signInLinks.expires_utc, now))

/** The page of a link. Opening it changes nothing: programs that look through mails open links. */
const page = defineOpenPage({
  path: PATH,
  respond: async (visit, { params: { secret = '' }, url }) => {
    if (!isSecure(url)) return needsHttpsPage(visit)
    const { context, language } = visit
    const user = await context.db.get(
      first(
        build
          .select({ login: users.login })
          .from(signInLinks)
          .innerJoin(users, eq(users.id, signInLinks.user_id))
          .where(await isLinkOf(secret, context.now)),
      ),
    )
    if (!user) return endedPage(visit)
    const { login } = user
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
    const isLink = await isLinkOf(secret, visit.context.now)
    const begin = () =>
      beginSession(request, {
        method: 'link',
        user: build.select({ id: signInLinks.user_id }).from(signInLinks).where(isLink),
        after: [build.delete(signInLinks).where(isLink)],
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
