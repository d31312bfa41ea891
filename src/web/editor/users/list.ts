import { filled, signInWords, usersWords } from '../../../words/words.ts'
import { form, problem } from '../../forms/element.ts'
import { textOf } from '../../forms/form-body.ts'
import { type Html, html } from '../../html/html.ts'
import type { Admin } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { addressWith, pages } from '../lists.ts'
import { dayOf } from '../moments.ts'
import { roleName } from '../roles.ts'
import { USERS_PER_PAGE, type UserEntry } from './queries.ts'
import { roleChoice, roleIn } from './roles.ts'

export const USERS = '/admin/users/'

/** What was wrong with an invitation, and what was typed. */
type Refused = { login?: string | undefined; role?: string | undefined; form: FormData }

/** The users, and the form that invites another one. */
export function usersPage(
  admin: Admin,
  found: readonly UserEntry[],
  { refused, isLater = false }: { refused?: Refused; isLater?: boolean } = {},
): AdminPage {
  const words = usersWords(admin.language)
  const shown = found.slice(0, USERS_PER_PAGE)
  const last = shown.at(-1)
  return {
    title: words.title,
    ...(refused && { status: 422 }),
    isNarrow: true,
    main: html`<h1>${words.title}</h1>
<div class="stack">
<ul class="items card">${shown.map(user => item(admin, user))}</ul>
${pages(admin, { first: isLater && USERS, next: found.length > USERS_PER_PAGE && addressWith(USERS, { after: last?.login }) })}
${invitation(admin, refused)}
</div>`,
  }
}

function item(admin: Admin, { id, login, role, created, seen }: UserEntry): Html {
  const words = usersWords(admin.language)
  const facts = [
    roleName(admin, role),
    filled(words.since, { date: dayOf(admin, created) }),
    seen === null ? words.unseen : filled(words.seen, { date: dayOf(admin, seen) }),
  ]
  return html`<li><div><strong><a href="${USERS}${id}/" dir="auto">${login}</a></strong> <span class="hint">${facts.join(' · ')}</span></div>
${id === admin.session.user.id && html`<span class="hint">${words.self}</span>`}</li>\n`
}

function invitation(admin: Admin, refused: Refused | undefined): Html {
  const words = usersWords(admin.language)
  const value = refused ? textOf(refused.form, 'login') : ''
  return html`<section class="card" aria-labelledby="invite"><h2 id="invite">${words.invite}</h2><p>${words.inviteText}</p>
${form(admin, {
  action: USERS,
  look: 'stack',
  body: html`<div class="field"><label for="login">${signInWords(admin.language).login}</label>
<input id="login" name="login" maxlength="60" required autocomplete="off" autocapitalize="none" spellcheck="false" value="${value}" aria-describedby="login-hint${refused?.login && ' login-error'}"${refused?.login && html` aria-invalid="true" autofocus`}>
<p class="hint" id="login-hint">${words.loginHint}</p>
${problem('login-error', refused?.login)}</div>
${roleChoice(admin, { chosen: refused ? roleIn(refused.form) : 'editor', error: refused?.role })}
<button class="button" type="submit">${words.inviteButton}</button>`,
})}</section>`
}
