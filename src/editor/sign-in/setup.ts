import {
  firstAdministrator,
  isSetUpLost,
  sameAdministrator,
  selectSetUp,
  setupVisit,
} from '../../calendar/users/setup.ts'
import { findByCredentials } from '../../kit/http/auth.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { isSameText } from '../../kit/lib/hash.ts'
import { isSecure } from '../../kit/lib/network.ts'
import { isNewLogin } from '../../kit/lib/values.ts'
import { form, formText, inputField } from '../../site/forms/field-html.ts'
import { html } from '../../site/html/html.ts'
import { filled } from '../../words/words.ts'
import type { VisitorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { defineOpenPage } from '../pages-and-actions.ts'
import { beginSession } from '../sessions.ts'
import { SETUP_PREVIEW_PATH } from '../start/values.ts'
import { needsHttpsPage } from './page.ts'

export const SETUP_PATH = '/admin/setup/'

const noSetup = (): ApiError => new ApiError('rest_no_route', 'There is nothing to set up here.')

/**
 * The setup that may be done: by anybody who has the code while there is no user (`user` is undefined), or
 * again by the user that it made, if the response that signed them in was lost. Undefined if there is none to
 * do.
 */
async function findSetup({ context, token }: VisitorContext) {
  if (context.settings.setupCode === undefined) return undefined
  const visit = await setupVisit(token)
  const setUpUser = await context.db.read(selectSetUp())
  if (setUpUser === null) return { visit, user: undefined }
  return setUpUser && isSetUpLost(setUpUser, visit, context.clock.now())
    ? { visit, user: setUpUser }
    : undefined
}

/** True if the setup may be done, for the first time or again. */
export const maySetUp = async (visit: VisitorContext): Promise<boolean> =>
  (await findSetup(visit)) !== undefined

type RefusedSetup = { code?: string; login?: string; typedLogin: string; status: EditorPage['status'] }

function setupFormPage(visit: VisitorContext, refusedSetup?: RefusedSetup): EditorPage {
  const words = visit.texts.signIn
  return {
    title: words.setup,
    ...(refusedSetup && { status: refusedSetup.status }),
    isNarrow: true,
    main: html`<h1>${words.setup}</h1>
<p class="lead">${filled(words.setupText, { site: visit.context.settings.siteName })}</p>
${form(visit, {
  action: SETUP_PATH,
  className: 'stack card',
  body: html`${inputField(
    { id: 'code', label: words.setupCode, help: words.setupCodeHint, error: refusedSetup?.code },
    html` type="password" maxlength="200" required autocomplete="off"`,
  )}
${inputField(
  {
    id: 'login',
    label: words.login,
    help: words.setupLoginHint,
    value: refusedSetup?.typedLogin ?? '',
    error: refusedSetup?.login,
  },
  html` maxlength="60" required autocomplete="username" autocapitalize="none" spellcheck="false"`,
)}
<button class="button" type="submit">${words.setupButton}</button>`,
})}`,
  }
}

/** The first visit of a calendar. */
export const setupPage = defineOpenPage({
  path: SETUP_PATH,
  isInEditorLanguage: true,
  respond: async (visit, { url }) => {
    if (!(await maySetUp(visit))) throw noSetup()
    return isSecure(url) ? setupFormPage(visit) : needsHttpsPage(visit)
  },
  // Makes the first administrator. Wrong codes count as failed attempts to sign in: by address, so that they
  // do not lock anybody else out.
  handle: async (visit, { form, request, url }) => {
    const setup = await findSetup(visit)
    if (!setup) throw noSetup()
    if (!isSecure(url)) return needsHttpsPage(visit)
    const { context, texts, words } = visit
    const login = formText(form, 'login')
    const refuse = (refused: Omit<RefusedSetup, 'typedLogin'>) =>
      setupFormPage(visit, { ...refused, typedLogin: login })
    try {
      const isRight = await isSameText(formText(form, 'code'), context.settings.setupCode ?? '')
      await findByCredentials(request, { claim: 'form', find: async () => isRight || undefined })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'incorrect_password') return refuse({ code: texts.signIn.setupWrong, status: 422 })
      if (error.code === 'rest_too_many_requests') return refuse({ code: words.tooManyText, status: 429 })
      throw error
    }
    if (!isNewLogin(login)) return refuse({ login: texts.users.badLogin, status: 422 })
    const { user, visit: from } = setup
    if (user && user.login.toLowerCase() !== login.toLowerCase())
      return refuse({ login: texts.signIn.setupOther, status: 422 })
    // Somebody else may have been first since the form was read: then nothing is written, and no session
    // begins.
    const administrator = user
      ? sameAdministrator(user, from, context)
      : firstAdministrator(login, from, context)
    const cookies = await beginSession(request, { method: 'setup', ...administrator })
    if (!cookies) throw noSetup()
    return { to: SETUP_PREVIEW_PATH, cookies, notice: { text: texts.signIn.setupDone } }
  },
})
