import { form, inputField, problem } from '../../site/forms/field-html.ts'
import { ASSETS } from '../../site/html/assets.ts'
import { type Html, html } from '../../site/html/html.ts'
import { filled } from '../../words/words.ts'
import type { VisitorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { notePage } from '../respond.ts'

export const SIGN_IN = '/admin/sign-in/'

/** The ways to sign in on this page, each with a form whose address ends with its name. */
export type SignInWay = 'passkey' | 'password'

type FailedSignIn = { way: SignInWay; error: string; login: string; status: EditorPage['status'] }

/** The sign-in page. @param to the path to go to afterwards; `isAgain` for users who are signed in */
export function signInPage(
  visit: VisitorContext,
  to: string,
  { failed, isAgain }: { failed?: FailedSignIn; isAgain?: boolean },
): EditorPage {
  const words = visit.texts.signIn
  const view = { visit, to, failed }
  return {
    title: visit.words.signIn,
    ...(failed && { status: failed.status }),
    isNarrow: true,
    scripts: [ASSETS.passkeys],
    main: html`<h1>${visit.words.signIn}</h1>
<p class="lead">${isAgain ? words.again : filled(words.lead, { site: visit.context.settings.siteName })}</p>
<div class="stack sign-in">
${passkeyForm(view)}
${passwordForm(view)}
<p class="small">${words.help}</p>
</div>`,
  }
}

/** The page for http, where browsers would drop the cookies. */
export function needsHttpsPage(visit: VisitorContext): EditorPage {
  return notePage({ title: visit.words.signIn, status: 403, text: visit.texts.signIn.needsHttps })
}

type SignInView = { visit: VisitorContext; to: string; failed: FailedSignIn | undefined }

/** The error of a form; undefined if another form was sent. */
const errorOf = ({ failed }: SignInView, way: SignInWay): string | undefined =>
  failed?.way === way ? failed.error : undefined

const toField = ({ to }: SignInView): Html => html`<input type="hidden" name="to" value="${to}">`

/** The form of passkeys. A script shows it in browsers that have them, and fills in the response. */
function passkeyForm(view: SignInView): Html {
  const words = view.visit.texts.signIn
  return html`<div class="card passkey" hidden>${form(view.visit, {
    action: `${SIGN_IN}passkey/`,
    id: 'passkey-sign-in',
    className: 'stack',
    body: html`${toField(view)}<input type="hidden" name="response">
${problem('passkey-error', errorOf(view, 'passkey'))}
<p class="form-error" data-failed role="alert" hidden>${words.passkeyFailed}</p>
<button class="button" type="submit">${words.passkey}</button>
<p class="small">${words.passkeyHint}</p>`,
  })}</div>`
}

function passwordForm(view: SignInView): Html {
  const words = view.visit.texts.signIn
  const error = errorOf(view, 'password')
  const invalid = error && html` aria-invalid="true" aria-describedby="password-error"`
  return form(view.visit, {
    action: `${SIGN_IN}password/`,
    className: 'stack card',
    body: html`<h2>${words.withPassword}</h2>
${toField(view)}${problem('password-error', error)}
${inputField(
  { id: 'login', label: words.login, value: view.failed?.login ?? '' },
  html` autocomplete="username webauthn" autocapitalize="none" spellcheck="false" maxlength="60" required${invalid}`,
)}
${inputField(
  { id: 'password', label: words.password },
  html` type="password" autocomplete="current-password" maxlength="200" required${invalid}`,
)}
<button class="button button-quiet" type="submit">${view.visit.words.signIn}</button>`,
  })
}
