import { eq } from 'drizzle-orm'
import { passwords, recoveryCodes } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'
import { findPassword, noteUse, recognised } from '../../../http/auth.ts'
import { digestOf } from '../../../lib/digest.ts'
import { ApiError } from '../../../lib/errors.ts'
import { isSecure } from '../../../lib/secure-addresses.ts'
import { signInWords } from '../../../words/words.ts'
import { textOf } from '../../forms/form-body.ts'
import type { Visit } from '../admin.ts'
import { passkeyUser } from '../passkeys/authentication.ts'
import type { Outcome } from '../respond.ts'
import { defineOpenAction, type OpenInput } from '../route.ts'
import { wayBack } from '../sessions/cookies.ts'
import { beginSession } from '../sessions/session.ts'
import { needsHttpsPage, SIGN_IN, type SignInWay, signInPage } from './page.ts'

type Try = OpenInput & { form: FormData }

type Declaration = {
  way: SignInWay
  /** What is said of a try that fails. */
  wrong: (visit: Visit) => string
  /** The cookies of the new session; undefined if nobody is known by what was sent. */
  begin: (visit: Visit, input: Try) => Promise<readonly string[] | undefined>
}

/** Declares what a form of the sign-in does. Tries that fail are counted as those of the API are. */
const defineTry = ({ way, wrong, begin }: Declaration) =>
  defineOpenAction({
    path: `${SIGN_IN}${way}/`,
    respond: async (visit, input): Promise<Outcome> => {
      const { form, url, request } = input
      if (!isSecure(url)) return needsHttpsPage(visit)
      const to = wayBack(form.get('to'), url.origin)
      try {
        return { to, cookies: await recognised(request, () => begin(visit, input)) }
      } catch (error) {
        const code = error instanceof ApiError ? error.code : undefined
        const login = textOf(form, 'login')
        if (code === 'incorrect_password')
          return signInPage(visit, to, { failed: { way, error: wrong(visit), login, status: 422 } })
        if (code === 'rest_too_many_requests')
          return signInPage(visit, to, {
            failed: { way, error: visit.words.tooManyText, login, status: 429 },
          })
        throw error
      }
    },
  })

const withPassword = defineTry({
  way: 'password',
  wrong: ({ language }) => signInWords(language).wrong,
  begin: async (_, { form, request }) => {
    const [login, password] = [textOf(form, 'login'), textOf(form, 'password')]
    const found = login && password ? await findPassword(request, { login, password }) : undefined
    if (!found) return undefined
    noteUse(request, found)
    const user = build
      .select({ id: passwords.user_id })
      .from(passwords)
      .where(eq(passwords.id, found.passwordId))
    return beginSession(request, { method: 'password', user })
  },
})

const withCode = defineTry({
  way: 'code',
  wrong: ({ language }) => signInWords(language).codeWrong,
  begin: async (_, { form, request }) => {
    // As people write codes down: in capitals, with or without what is between its groups.
    const digest = await digestOf(
      textOf(form, 'code')
        .toLowerCase()
        .replace(/[^a-z\d]/g, ''),
    )
    const isCode = eq(recoveryCodes.digest, digest)
    return beginSession(request, {
      method: 'code',
      user: build.select({ id: recoveryCodes.user_id }).from(recoveryCodes).where(isCode),
      after: [build.delete(recoveryCodes).where(isCode)],
    })
  },
})

const withPasskey = defineTry({
  way: 'passkey',
  wrong: ({ language }) => signInWords(language).passkeyWrong,
  begin: async (visit, { form, url, request }) => {
    const found = await passkeyUser(visit, { url, text: textOf(form, 'response') })
    return found && beginSession(request, { method: 'passkey', ...found })
  },
})

/** What the forms of the sign-in do. */
export const wayRoutes = [withPasskey, withPassword, withCode]
