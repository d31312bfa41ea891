import { filled, signInWords } from '../../../words/words.ts'
import { form } from '../../forms/element.ts'
import { type Html, html } from '../../html/html.ts'
import type { Visit } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { PASSKEY_SCRIPT } from '../passkeys/webauthn.ts'
import { notePage } from '../respond.ts'

export const SIGN_IN = '/admin/sign-in/'

/** The ways to sign in on this page, each with a form whose address ends with its name. */
export type SignInWay = 'passkey' | 'password' | 'code'

/** A failed attempt with the reason. */
type FailedSignIn = { way: SignInWay; error: string; login?: string; status: AdminPage['status'] }

/** The sign-in page. @param to the path to go to afterwards; `isAgain` for users who are signed in */
export function signInPage(
  visit: Visit,
  to: string,
  { failed, isAgain }: { failed?: FailedSignIn; isAgain?: boolean },
): AdminPage {
  const words = signInWords(visit.language)
  const shown = { visit, to, failed }
  return {
    title: visit.words.signIn,
    ...(failed && { status: failed.status }),
    isNarrow: true,
    scripts: [PASSKEY_SCRIPT],
    main: html`<h1>${visit.words.signIn}</h1>
<p class="lead">${isAgain ? words.again : filled(words.lead, { site: visit.context.settings.siteName })}</p>
<div class="stack sign-in">
${passkeyForm(shown)}
${passwordForm(shown)}
${codeForm(shown)}
<p class="hint">${words.help}</p>
</div>`,
  }
}

/** The page for http, where browsers would drop the cookies. */
export function needsHttpsPage(visit: Visit): AdminPage {
  const words = signInWords(visit.language)
  return notePage({ title: visit.words.signIn, status: 403, text: words.needsHttps })
}

type SignInView = { visit: Visit; to: string; failed: FailedSignIn | undefined }

/** The error of a form, and the attributes that connect its inputs with it. */
function errorOf({ failed }: SignInView, way: SignInWay): { error?: Html; invalid?: Html } {
  if (failed?.way !== way) return {}
  const id = `${way}-error`
  return {
    error: html`<p class="form-error" id="${id}" role="alert">${failed.error}</p>`,
    invalid: html` aria-invalid="true" aria-describedby="${id}"`,
  }
}

const toField = ({ to }: SignInView): Html => html`<input type="hidden" name="to" value="${to}">`

/** The form of passkeys. A script shows it in browsers that have them, and fills in the response. */
function passkeyForm(shown: SignInView): Html {
  const words = signInWords(shown.visit.language)
  return html`<div class="card passkey" hidden>${form(shown.visit, {
    action: `${SIGN_IN}passkey/`,
    id: 'passkey-sign-in',
    look: 'stack',
    body: html`${toField(shown)}<input type="hidden" name="response">
${errorOf(shown, 'passkey').error}
<p class="form-error" data-failed role="alert" hidden>${words.passkeyFailed}</p>
<button class="button" type="submit">${words.passkey}</button>
<p class="hint">${words.passkeyHint}</p>`,
  })}</div>`
}

function passwordForm(shown: SignInView): Html {
  const words = signInWords(shown.visit.language)
  const { error, invalid } = errorOf(shown, 'password')
  return form(shown.visit, {
    action: `${SIGN_IN}password/`,
    look: 'stack card',
    body: html`<h2>${words.withPassword}</h2>
${toField(shown)}${error}
<div class="field"><label for="login">${words.login}</label>
<input id="login" name="login" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" maxlength="60" required value="${shown.failed?.login ?? ''}"${invalid}></div>
<div class="field"><label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required${invalid}></div>
<button class="button button-quiet" type="submit">${shown.visit.words.signIn}</button>`,
  })
}

function codeForm(shown: SignInView): Html {
  const words = signInWords(shown.visit.language)
  const { error, invalid } = errorOf(shown, 'code')
  return html`<details class="card"${error && html` open`}><summary>${words.withCode}</summary>
${form(shown.visit, {
  action: `${SIGN_IN}code/`,
  look: 'stack',
  body: html`${toField(shown)}${error}
<div class="field"><label for="code">${words.code}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="60" required${invalid ?? html` aria-describedby="code-hint"`}>
<p class="hint" id="code-hint">${words.codeHint}</p></div>
<button class="button button-quiet" type="submit">${shown.visit.words.signIn}</button>`,
})}</details>`
}
