import { MAX_USER_NAME_LENGTH } from '../../calendar/users/users.ts'
import { ROLES, type Role } from '../../kit/lib/roles.ts'
import {
  buttonForm,
  formText,
  inputField,
  optionsField,
  problem,
  selectField,
} from '../../site/forms/field-html.ts'
import { backLink, type Html, html } from '../../site/html/html.ts'
import { filled, plural } from '../../words/words.ts'
import { passwordForm, passwordList, type TypedName } from '../account/credentials.ts'
import { dayOfMoment, type EditorContext, roleName } from '../context.ts'
import { type EditorPage, section } from '../layout.ts'
import { addressWith, pageLinks } from '../lists.ts'
import { notePage } from '../respond.ts'
import { type LoadedUser, MAX_COUNTED_ITEMS, USERS_PER_PAGE, type UserEntry } from './queries.ts'

export const USERS_PATH = '/admin/users/'

type RefusedInvitation = { login?: string | undefined; role?: string | undefined; form: FormData }

/** The list of users, with the form that invites another. */
export function usersPage(
  editor: EditorContext,
  userEntries: readonly UserEntry[],
  { refused, isLater = false }: { refused?: RefusedInvitation; isLater?: boolean },
): EditorPage {
  const words = editor.texts.users
  const shownUsers = userEntries.slice(0, USERS_PER_PAGE)
  const last = shownUsers.at(-1)
  return {
    title: words.title,
    ...(refused && { status: 422 }),
    isNarrow: true,
    main: html`<h1>${words.title}</h1>
<div class="stack">
<ul class="items card">${shownUsers.map(user => userItem(editor, user))}</ul>
${pageLinks(editor, { first: isLater && USERS_PATH, next: userEntries.length > USERS_PER_PAGE && addressWith(USERS_PATH, { after: last?.login }) })}
${inviteForm(editor, refused)}
</div>`,
  }
}

function userItem(editor: EditorContext, { id, login, name, role, created, seen }: UserEntry): Html {
  const words = editor.texts.users
  const facts = [
    roleName(editor, role),
    filled(words.since, { date: dayOfMoment(editor, created) }),
    seen === null ? words.unseen : filled(words.seen, { date: dayOfMoment(editor, seen) }),
  ]
  return html`<li><div><strong><a href="${USERS_PATH}${id}/" dir="auto">${name || login}</a></strong> ${name && html`<span dir="auto">(${login})</span>`} <span class="small">${facts.join(' · ')}</span></div>
${id === editor.session.user.id && html`<span class="small">${words.self}</span>`}</li>\n`
}

type RoleChoice = { chosen: Role | undefined; error: string | undefined }

function roleChoice(editor: EditorContext, { chosen, error }: RoleChoice): Html {
  const words = editor.texts.users
  const options = ROLES.map(
    role =>
      [
        role,
        html`<strong>${roleName(editor, role)}</strong> <span class="small">${words[`${role}May`]}</span>`,
      ] as const,
  )
  return optionsField(
    { id: 'role', label: words.role, error, isRequired: true, isFocused: error !== undefined },
    { options, chosen: chosen ? [chosen] : [] },
  )
}

export const roleIn = (form: FormData): Role | undefined => ROLES.find(role => role === form.get('role'))

function inviteForm(editor: EditorContext, refusedInvitation: RefusedInvitation | undefined): Html {
  const words = editor.texts.users
  const typedText = (name: string) => (refusedInvitation ? formText(refusedInvitation.form, name) : '')
  return html`<section class="card" aria-labelledby="invite"><h2 id="invite">${words.invite}</h2><p>${words.inviteText}</p>
${buttonForm(editor, {
  action: USERS_PATH,
  fields: html`${inputField(
    {
      id: 'login',
      label: editor.texts.signIn.login,
      help: words.loginHint,
      value: typedText('login'),
      error: refusedInvitation?.login,
    },
    html` maxlength="60" required autocomplete="off" autocapitalize="none" spellcheck="false"`,
  )}
${inputField(
  { id: 'name', label: words.name, help: words.nameHint, value: typedText('name') },
  html` maxlength="${MAX_USER_NAME_LENGTH}" autocomplete="off"`,
)}
${roleChoice(editor, { chosen: refusedInvitation ? roleIn(refusedInvitation.form) : 'editor', error: refusedInvitation?.role })}`,
  text: words.inviteButton,
  className: 'button',
})}</section>`
}

type UserErrors = { role?: string; password?: TypedName }

export function userPage(editor: EditorContext, loadedUser: LoadedUser, errors?: UserErrors): EditorPage {
  const words = editor.texts.users
  const { user } = loadedUser
  const since = filled(words.since, { date: dayOfMoment(editor, user.created) })
  return {
    title: user.login,
    ...(errors && { status: 422 }),
    isNarrow: true,
    main: html`${backLink(USERS_PATH, words.title)}
<h1 dir="auto">${user.login}</h1>
<p class="lead">${user.name && html`<span dir="auto">${user.name}</span>, `}${roleName(editor, user.role)}, ${since}${user.id === editor.session.user.id && ` · ${words.self}`}</p>
${user.email && html`<p dir="auto">${filled(words.email, { email: user.email })}</p>`}
<div class="stack">
${roleSection(editor, loadedUser, errors?.role)}
${linkSection(editor, loadedUser)}
${sessionSection(editor, loadedUser)}
${passwordSection(editor, loadedUser, errors?.password)}
${removeSection(editor, loadedUser)}
</div>`,
  }
}

function roleSection(editor: EditorContext, { user, isLast }: LoadedUser, error: string | undefined): Html {
  const words = editor.texts.users
  if (isLast) return section('role', words.role, html`<p>${filled(words.last, { login: user.login })}</p>`)
  return section(
    'role',
    words.role,
    html`<p>${filled(words.changeText, { login: user.login })}</p>
${buttonForm(editor, {
  action: `${USERS_PATH}${user.id}/role/`,
  fields: roleChoice(editor, { chosen: user.role, error }),
  text: words.change,
  className: 'button',
})}`,
  )
}

function linkSection(editor: EditorContext, { user }: LoadedUser): Html {
  const words = editor.texts.users
  const action = `${USERS_PATH}${user.id}/link/`
  return section(
    'link',
    words.link,
    html`<p>${words.linkText}</p>${buttonForm(editor, { action, text: words.linkButton })}`,
  )
}

function sessionSection(editor: EditorContext, { user, sessionCount, passkeyCount }: LoadedUser): Html {
  const words = editor.texts.users
  const { number } = editor.site.dates
  const counts = { sessions: number(sessionCount), passkeys: number(passkeyCount) }
  return section(
    'sessions',
    words.sessions,
    html`<p>${filled(words.sessionsText, counts)}</p>
${sessionCount > 0 && buttonForm(editor, { action: `${USERS_PATH}${user.id}/sessions/end/`, text: words.endSessions })}`,
  )
}

function passwordSection(
  editor: EditorContext,
  { user, passwords, isOnLastCredential: isLast }: LoadedUser,
  typed: TypedName | undefined,
): Html {
  const account = editor.texts.account
  const action = (id: number) => `${USERS_PATH}${user.id}/passwords/${id}/revoke/`
  const list = passwordList(editor, passwords, { action, isLastCredential: isLast })
  return section(
    'passwords',
    account.passwords,
    html`${passwords.length > 0 ? list : html`<p class="small">${editor.texts.users.noPasswords}</p>`}
${passwordForm(editor, { action: `${USERS_PATH}${user.id}/passwords/`, typed, passwordCount: passwords.length })}`,
  )
}

function removeSection(editor: EditorContext, { user, isLast }: LoadedUser): Html {
  const words = editor.texts.users
  const { id, login } = user
  const title = filled(words.remove, { login })
  return section(
    'remove',
    title,
    isLast
      ? html`<p>${filled(words.last, { login })}</p>`
      : html`<p>${words.removeText}</p>
<p><a class="button button-danger" href="${removalPath(id)}">${title}</a></p>`,
  )
}

export const removalPath = (id: number | string): string => `${USERS_PATH}${id}/remove/`

/** The question before a user is removed, which can't be undone. */
export function removalPage(
  editor: EditorContext,
  { user, ownedCount, heirs, isLast }: LoadedUser,
  refused?: { error: string; heir: string },
): EditorPage {
  const words = editor.texts.users
  const { id, login } = user
  const isSelf = id === editor.session.user.id
  const isMore = ownedCount > MAX_COUNTED_ITEMS
  const n = editor.site.dates.number(isMore ? MAX_COUNTED_ITEMS : ownedCount)
  // Nobody is chosen yet: who gets all of it should be no accident.
  const choice = html`<p>${filled(isMore ? words.ownsMore : plural(editor.site.language, words, 'owns', ownedCount), { n, login })}</p>
${selectField(
  { id: 'heir', label: words.heir, error: refused?.error, isRequired: true },
  {
    options: [['', words.chooseHeir], ...heirs.map(heir => [heir.login, heir.login] as const)],
    chosen: refused?.heir ?? '',
  },
)}`
  return notePage({
    title: isSelf ? words.removeSelf : filled(words.removeTitle, { login }),
    ...(refused && { status: 422 }),
    text: isLast ? filled(words.last, { login }) : isSelf ? words.removeSelfText : words.removeText,
    body: html`${
      !isLast &&
      buttonForm(editor, {
        action: removalPath(id),
        fields: ownedCount > 0 ? choice : problem('remove-problem', refused?.error),
        text: filled(words.remove, { login }),
        className: 'button button-danger',
      })
    }
<p><a href="${USERS_PATH}${id}/">${editor.words.back}</a></p>`,
  })
}
