import type { UserContact } from '../../calendar/users/email.ts'
import { MAX_USER_NAME_LENGTH } from '../../calendar/users/users.ts'
import { NOTICES } from '../../kit/db/tables.ts'
import { may } from '../../kit/lib/roles.ts'
import { buttonForm, inputField, optionsField } from '../../site/forms/field-html.ts'
import { ASSETS } from '../../site/html/assets.ts'
import { type Html, html } from '../../site/html/html.ts'
import { filled } from '../../words/words.ts'
import { dayOfMoment, type EditorContext, END_OTHERS_PATH, roleName } from '../context.ts'
import { type EditorPage, section } from '../layout.ts'
import { itemList } from '../lists.ts'
import {
  fullNote,
  MAX_PASSKEYS,
  nameField,
  passwordForm,
  passwordList,
  type TypedName,
} from './credentials.ts'
import type { ListedSession, LoadedAccount } from './queries.ts'

export const ACCOUNT = '/admin/account/'

export function accountPage(
  editor: EditorContext,
  account: LoadedAccount,
  typedName?: TypedName,
  refusedEmail?: RefusedEmail,
): EditorPage {
  const { login, role } = editor.session.user
  return {
    title: editor.words.account,
    ...((typedName?.error !== undefined || refusedEmail) && { status: 422 }),
    scripts: [ASSETS.passkeys],
    isNarrow: true,
    main: html`<h1>${editor.words.account}</h1>
<p class="lead">${filled(editor.texts.account.lead, { login, role: roleName(editor, role) })}</p>
<div class="stack">
${passkeySection(editor, account, typedName)}
${sessionSection(editor, account.sessions)}
${passwordSection(editor, account, typedName)}
${nameSection(editor)}
${emailSection(editor, account.contact, refusedEmail)}
</div>`,
  }
}

const NOTICE_WORDS = { never: 'noticesNever', day: 'noticesDay', now: 'noticesNow' } as const

type RefusedEmail = { email: string; error: string }

/** True if the user may get notices, and if e-mails can be sent. */
const mayHaveNotices = ({ context }: EditorContext): boolean =>
  context.mailer !== undefined && may(context.caller, 'edit_others_content')

/**
 * The section with the user's address, and the choice of notices. Users who have an address can always remove
 * it.
 */
function emailSection(editor: EditorContext, contact: UserContact, refusedEmail?: RefusedEmail): Html | '' {
  const hasNotices = mayHaveNotices(editor)
  const words = editor.texts.account
  if (!hasNotices && contact.email === '')
    return may(editor.context.caller, 'edit_others_content')
      ? section('email', words.email, html`<p>${words.emailText} ${editor.texts.mail.notSetUp}</p>`)
      : ''
  const { email, notices } = contact
  return section(
    'email',
    words.email,
    html`<p>${words.emailText}</p>
${buttonForm(editor, {
  action: `${ACCOUNT}email/`,
  fields: inputField(
    {
      id: 'email-address',
      name: 'email',
      label: words.emailLabel,
      help: words.emailHint,
      value: refusedEmail?.email ?? email,
      error: refusedEmail?.error,
    },
    html` type="email" maxlength="254" autocomplete="email" autocapitalize="none" spellcheck="false"`,
  ),
  text: words.emailSave,
})}
${
  hasNotices &&
  buttonForm(editor, {
    action: `${ACCOUNT}notices/`,
    fields: html`${optionsField(
      { id: 'notices', label: words.notices },
      { options: NOTICES.map(when => [when, words[NOTICE_WORDS[when]]]), chosen: [notices] },
    )}
${email === '' && html`<p class="small">${words.noticesNeed}</p>`}`,
    text: words.noticesSave,
  })
}`,
  )
}

function nameSection(editor: EditorContext): Html {
  const words = editor.texts.account
  const { login, name } = editor.session.user
  return section(
    'your-name',
    words.yourName,
    buttonForm(editor, {
      action: `${ACCOUNT}name/`,
      fields: inputField(
        {
          id: 'user-name',
          name: 'name',
          label: words.yourName,
          value: name,
          help: filled(words.yourNameHint, { login }),
        },
        html` maxlength="${MAX_USER_NAME_LENGTH}" autocomplete="name"`,
      ),
      text: words.saveName,
    }),
  )
}

function passkeySection(
  editor: EditorContext,
  account: LoadedAccount,
  typedName: TypedName | undefined,
): Html {
  const { passkeys, isOnLastCredential: isLast } = account
  const words = editor.texts.account
  const items = passkeys.map(({ id, name, created, lastUsed }) => ({
    name,
    facts: [
      filled(words.made, { date: dayOfMoment(editor, created) }),
      lastUsed ? filled(words.used, { date: dayOfMoment(editor, lastUsed) }) : words.unused,
      isLast && words.lastCredential,
    ],
    ...(!isLast && {
      end: { action: `${ACCOUNT}passkeys/${id}/remove/`, text: words.remove, label: words.removeNamed },
    }),
  }))
  const value = account.sessions.find(({ id }) => id === editor.session.id)?.device ?? ''
  const makeForm = buttonForm(editor, {
    action: `${ACCOUNT}passkeys/`,
    id: 'passkey-new',
    hidden: html`<input type="hidden" name="response">`,
    fields: html`${nameField({ id: 'passkey', label: words.passkeyName, help: words.passkeyNameHint, typed: typedName, value })}
<p class="form-error" data-failed data-known="${words.passkeyKnown}" role="alert" hidden>${words.passkeyFailed}</p>`,
    text: words.makePasskey,
    className: 'button',
  })
  return section(
    'passkeys',
    words.passkeys,
    html`<p>${words.passkeysText}</p>
${items.length > 0 ? itemList(editor, items) : html`<p class="small">${words.noPasskeys}</p>`}
${
  items.length >= MAX_PASSKEYS
    ? fullNote(editor, MAX_PASSKEYS)
    : html`<div class="passkey" hidden>${makeForm}</div><noscript><p class="small">${words.needsScript}</p></noscript>`
}`,
  )
}

function sessionSection(editor: EditorContext, listedSessions: readonly ListedSession[]): Html {
  const words = editor.texts.account
  const items = listedSessions.map(({ id, device, method, created, lastUsed }) => {
    const isThis = id === editor.session.id
    const end = { action: `${ACCOUNT}sessions/${id}/end/`, text: words.end, label: words.endNamed }
    return {
      name: device || words.unknownDevice,
      facts: [
        isThis && words.thisBrowser,
        `${filled(words.since, { date: dayOfMoment(editor, created) })} ${words[`by_${method}`]}`,
        !isThis && filled(words.used, { date: dayOfMoment(editor, lastUsed) }),
      ],
      ...(!isThis && { end }),
    }
  })
  const endOthersButton = buttonForm(editor, {
    action: END_OTHERS_PATH,
    text: words.endOthers,
  })
  return section(
    'sessions',
    words.sessions,
    html`${itemList(editor, items)}${items.length > 1 && endOthersButton}`,
  )
}

function passwordSection(
  editor: EditorContext,
  account: LoadedAccount,
  typedName: TypedName | undefined,
): Html {
  const { passwords } = account
  const words = editor.texts.account
  const form = { action: `${ACCOUNT}passwords/`, typed: typedName, passwordCount: passwords.length }
  return section(
    'passwords',
    words.passwords,
    html`<p>${words.passwordsText}</p>
${passwordList(editor, passwords, { action: id => `${ACCOUNT}passwords/${id}/revoke/`, isLastCredential: account.isOnLastCredential })}
${passwordForm(editor, form)}`,
  )
}
