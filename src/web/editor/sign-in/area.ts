import { isSecure } from '../../../lib/secure-addresses.ts'
import { signInWords } from '../../../words/words.ts'
import type { Area } from '../area.ts'
import { authenticationOptions } from '../passkeys/authentication.ts'
import { json } from '../respond.ts'
import { defineAction, defineOpenPage } from '../route.ts'
import { cookie, wayBack } from '../sessions/cookies.ts'
import { endSession } from '../sessions/session.ts'
import { linkRoutes } from './link.ts'
import { needsHttpsPage, SIGN_IN, signInPage } from './page.ts'
import { wayRoutes } from './ways.ts'

const page = defineOpenPage({
  path: SIGN_IN,
  respond: (visit, { url, current }) => {
    const to = wayBack(url.searchParams.get('to'), url.origin)
    const isAgain = url.searchParams.has('again')
    if (current && !isAgain) return { to }
    return isSecure(url) ? signInPage(visit, to, { isAgain }) : needsHttpsPage(visit)
  },
})

/** What a browser needs to ask for a passkey. */
const options = defineOpenPage({
  path: `${SIGN_IN}options/`,
  respond: async (visit, { url }) => json(await authenticationOptions(visit, url)),
})

const signOut = defineAction({
  path: '/admin/sign-out/',
  requires: 'read',
  handle: async ({ context, session, language }, { url }) => {
    await context.db.change([endSession(session.id)])
    return {
      to: SIGN_IN,
      notice: { text: signInWords(language).signedOut },
      cookies: [cookie(url, 'session', '', 0)],
    }
  },
})

/** The sign-in and the way out. */
export const signInArea: Area = { routes: [page, options, ...wayRoutes, ...linkRoutes, signOut] }
