import { firstAdministrator, selectSetup, setUpAdministrator } from '../../calendar/users/setup.ts'
import { findByCredentials } from '../../kit/http/auth.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { hexDigest, isSameText } from '../../kit/lib/hash.ts'
import { isSecure } from '../../kit/lib/network.ts'
import { isNewLogin } from '../../kit/lib/values.ts'
import { form, formText, inputField } from '../../site/forms/field-html.ts'
import { html } from '../../site/html/html.ts'
import { filled } from '../../words/words.ts'
import { ACCOUNT } from '../account/page.ts'
import type { VisitorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { defineOpenPage } from '../pages-and-actions.ts'
import { beginSession } from '../sessions.ts'
import { SETUP_PREVIEW_PATH } from '../start/values.ts'
import { needsHttpsPage } from './page.ts'

export const SETUP_PATH = '/admin/setup/'

const noSetup = (): ApiError => new ApiError('rest_no_route', 'There is nothing to set up here.')

/** The digest of the setup code, and what it can do; undefined if there is nothing to set up. */
async function findSetup({ context }: VisitorContext) {
  if (context.settings.setupCode === undefined) return undefined
  const code = await hexDigest(`setup ${context.settings.setupCode}`)
  const setup = await context.db.read(selectSetup(code))
  return setup.isFirst || setup.administrator ? { code, ...setup } : undefined
}

/** True if the calendar is to be set up, and nobody could sign in otherwise. */
export const isSetupAwaited = async (visit: VisitorContext): Promise<boolean> =>
  (await findSetup(visit))?.isWithoutKeys === true

type RefusedSetup = { code?: string; login?: string; typedLogin: string; status: EditorPage['status'] }

/** The form for the code, and, on the very first visit, for the login of the administrator. */
function setupFormPage(visit: VisitorContext, isFirst: boolean, refusedSetup?: RefusedSetup): EditorPage {
  const words = visit.texts.signIn
  const title = isFirst ? words.setup : visit.words.signIn
  return {
    title,
    ...(refusedSetup && { status: refusedSetup.status }),
    isNarrow: true,
    main: html`<h1>${title}</h1>
<p class="lead">${filled(isFirst ? words.setupText : words.setupAgainText, { site: visit.context.settings.siteName })}</p>
${form(visit, {
  action: SETUP_PATH,
  className: 'stack card',
  body: html`${inputField(
    { id: 'code', label: words.setupCode, help: words.setupCodeHint, error: refusedSetup?.code },
    html` type="password" maxlength="200" required autocomplete="off"`,
  )}
${
  isFirst &&
  inputField(
    {
      id: 'login',
      label: words.login,
      help: words.setupLoginHint,
      value: refusedSetup?.typedLogin ?? '',
      error: refusedSetup?.login,
    },
    html` maxlength="60" required autocomplete="username" autocapitalize="none" spellcheck="false"`,
  )
}
<button class="button" type="submit">${isFirst ? words.setupButton : visit.words.signIn}</button>`,
})}`,
  }
}

/** The first visit of a calendar. */
export const setupPage = defineOpenPage({
  path: SETUP_PATH,
  isInEditorLanguage: true,
  respond: async (visit, { url }) => {
    const setup = await findSetup(visit)
    if (!setup) throw noSetup()
    return isSecure(url) ? setupFormPage(visit, setup.isFirst) : needsHttpsPage(visit)
  },
  // Wrong codes count as failed attempts to sign in: by address, so that they do not lock anybody else out.
  handle: async (visit, { form, request, url }) => {
    const setup = await findSetup(visit)
    if (!setup) throw noSetup()
    if (!isSecure(url)) return needsHttpsPage(visit)
    const { context, texts, words } = visit
    const { code, administrator } = setup
    const login = formText(form, 'login')
    const refuse = (refused: Omit<RefusedSetup, 'typedLogin'>) =>
      setupFormPage(visit, setup.isFirst, { ...refused, typedLogin: login })
    try {
      const isRight = await isSameText(formText(form, 'code'), context.settings.setupCode ?? '')
      await findByCredentials(request, { claim: 'form', find: async () => isRight || undefined })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'incorrect_password') return refuse({ code: texts.signIn.setupWrong, status: 422 })
      if (error.code === 'rest_too_many_requests') return refuse({ code: words.tooManyText, status: 429 })
      throw error
    }
    if (!administrator && !isNewLogin(login)) return refuse({ login: texts.users.badLogin, status: 422 })
    // Somebody else may have been first since the form was read: then nothing is written, and no session
    // begins.
    const statements = administrator
      ? setUpAdministrator(administrator.id, code, context)
      : firstAdministrator(login, code, context)
    const cookies = await beginSession(request, { method: 'setup', ...statements })
    if (!cookies) throw noSetup()
    return {
      to: administrator ? ACCOUNT : SETUP_PREVIEW_PATH,
      cookies,
      notice: { text: texts.signIn.setupDone },
    }
  },
})
