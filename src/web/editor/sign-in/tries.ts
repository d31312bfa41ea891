import { recognised } from '../../../http/auth.ts'
import { ApiError } from '../../../lib/errors.ts'
import { isSecure } from '../../../lib/secure-addresses.ts'
import { textOf } from '../../forms/form-body.ts'
import type { Visit } from '../admin.ts'
import type { Outcome } from '../respond.ts'
import { defineOpenAction, type OpenInput } from '../route.ts'
import { wayBack } from '../sessions/way-back.ts'
import { needsHttpsPage, SIGN_IN, type SignInWay, signInPage } from './page.ts'

export type Try = OpenInput & { form: FormData }

type Declaration = {
  way: SignInWay
  /** What is said of a try that fails. */
  wrong: (visit: Visit) => string
  /** The cookies of the new session; undefined if nobody is known by what was sent. */
  begin: (visit: Visit, input: Try) => Promise<readonly string[] | undefined>
}

/** Declares what a form of the sign-in does. Tries that fail are counted as those of the API are. */
export const defineTry = ({ way, wrong, begin }: Declaration) =>
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
