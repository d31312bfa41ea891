import { filled } from '../../lib/words.ts'
import { html } from '../../site/html.ts'
import type { Visit } from '../admin.ts'
import { form } from '../form.ts'
import type { AdminPage } from '../layout.ts'
import { signInWords } from '../words/sign-in.ts'

/** What was tried, and why it failed. */
export type Failed = { error: string; login?: string; status: AdminPage['status'] }

/** The page of the sign-in. @param to the path to go to afterwards */
export function signInPage(visit: Visit, to: string, failed?: Failed): AdminPage {
  const words = signInWords(visit.language)
  const invalid = failed && html` aria-invalid="true" aria-describedby="sign-in-error"`
  return {
    title: words.title,
    ...(failed && { status: failed.status }),
    isNarrow: true,
    main: html`<h1>${words.title}</h1>
<p class="lead">${filled(words.lead, { site: visit.context.settings.siteName })}</p>
${form(visit, {
  action: '/admin/sign-in/',
  look: 'stack card',
  body: html`<h2>${words.withPassword}</h2>
<input type="hidden" name="to" value="${to}">
${failed && html`<p class="form-error" id="sign-in-error" role="alert">${failed.error}</p>`}
<div class="field"><label for="login">${words.login}</label>
<input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="60" required value="${failed?.login ?? ''}"${invalid}></div>
<div class="field"><label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required${invalid}></div>
<button class="button" type="submit">${words.title}</button>`,
})}`,
  }
}
