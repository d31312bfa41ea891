import { accountWords, filled, usersWords } from '../../../words/words.ts'
import { form, problem } from '../../forms/element.ts'
import { backLink } from '../../html/back-link.ts'
import { type Html, html } from '../../html/html.ts'
import { nameField, passwordList, section, type Wrong } from '../account/parts.ts'
import type { Admin } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { dayOf } from '../moments.ts'
import { roleName } from '../roles.ts'
import { USERS } from './list.ts'
import { type LoadedUser, MOST_COUNTED } from './queries.ts'
import { roleChoice } from './roles.ts'

/** What was wrong with a form of the page. */
export type Problem = { role?: string; remove?: string; password?: Wrong }

/** One user. */
export function userPage(admin: Admin, loaded: LoadedUser, refused?: Problem): AdminPage {
  const words = usersWords(admin.language)
  const { user } = loaded
  const since = filled(words.since, { date: dayOf(admin, user.created) })
  return {
    title: user.login,
    ...(refused && { status: 422 }),
    isNarrow: true,
    main: html`${backLink(USERS, words.title)}
<h1 dir="auto">${user.login}</h1>
<p class="lead">${roleName(admin, user.role)}, ${since}${user.id === admin.session.user.id && ` · ${words.self}`}</p>
<div class="stack">
${roleSection(admin, loaded, refused?.role)}
${linkSection(admin, loaded)}
${sessionSection(admin, loaded)}
${passwordSection(admin, loaded, refused?.password)}
${removeSection(admin, loaded, refused?.remove)}
</div>`,
  }
}

function roleSection(admin: Admin, { user }: LoadedUser, error: string | undefined): Html {
  const words = usersWords(admin.language)
  return section(
    'role',
    words.role,
    html`<p>${filled(words.changeText, { login: user.login })}</p>
${form(admin, {
  action: `${USERS}${user.id}/role/`,
  look: 'stack',
  body: html`${roleChoice(admin, { chosen: user.role, error })}<button class="button" type="submit">${words.change}</button>`,
})}`,
  )
}

function linkSection(admin: Admin, { user }: LoadedUser): Html {
  const words = usersWords(admin.language)
  return section(
    'link',
    words.link,
    html`<p>${words.linkText}</p>
${form(admin, {
  action: `${USERS}${user.id}/link/`,
  body: html`<button class="button button-quiet" type="submit">${words.linkButton}</button>`,
})}`,
  )
}

function sessionSection(admin: Admin, { user, sessions, passkeys }: LoadedUser): Html {
  const words = usersWords(admin.language)
  const { number } = admin.site.dates
  const counts = { sessions: number(sessions), passkeys: number(passkeys) }
  return section(
    'sessions',
    words.sessions,
    html`<p>${filled(words.sessionsText, counts)}</p>
${
  sessions > 0 &&
  form(admin, {
    action: `${USERS}${user.id}/sessions/end/`,
    body: html`<button class="button button-quiet" type="submit">${words.endSessions}</button>`,
  })
}`,
  )
}

function passwordSection(admin: Admin, { user, passwords }: LoadedUser, wrong: Wrong | undefined): Html {
  const words = usersWords(admin.language)
  const account = accountWords(admin.language)
  const list = passwordList(admin, passwords, id => `${USERS}${user.id}/passwords/${id}/revoke/`)
  return section(
    'passwords',
    account.passwords,
    html`${passwords.length > 0 ? list : html`<p class="hint">${words.noPasswords}</p>`}
${form(admin, {
  action: `${USERS}${user.id}/passwords/`,
  look: 'stack',
  body: html`${nameField({ id: 'password', label: account.passwordName, hint: account.passwordNameHint, wrong })}
<button class="button button-quiet" type="submit">${account.makePassword}</button>`,
})}`,
  )
}

function removeSection(admin: Admin, { user, owned, heirs }: LoadedUser, error: string | undefined): Html {
  const words = usersWords(admin.language)
  const { login } = user
  const isMore = owned > MOST_COUNTED
  const n = admin.site.dates.number(isMore ? MOST_COUNTED : owned)
  const own = admin.session.user.login
  const choice = html`<p>${filled(isMore ? words.ownsMore : words.owns, { n, login })}</p>
<div class="field"><label for="heir">${words.heir}</label>
<select id="heir" name="heir"${error && html` aria-invalid="true" aria-describedby="remove-problem"`}>${heirs.map(
    heir => html`<option${heir.login === own && html` selected`}>${heir.login}</option>`,
  )}</select></div>`
  return section(
    'remove',
    filled(words.remove, { login }),
    html`<p>${words.removeText}</p>${problem('remove-problem', error)}
${form(admin, {
  action: `${USERS}${user.id}/remove/`,
  look: 'stack',
  body: html`${owned > 0 && choice}<button class="button button-danger" type="submit">${filled(words.remove, { login })}</button>`,
})}`,
  )
}
