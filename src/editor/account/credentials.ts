import { UserError } from '../../calendar/users/records.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { buttonForm, inputField } from '../../site/forms/field-html.ts'
import { type Html, html } from '../../site/html/html.ts'
import { filled } from '../../words/words.ts'
import { dayOfMoment, type EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { itemList } from '../lists.ts'
import { notePage } from '../respond.ts'
import type { ListedPassword } from './queries.ts'

/**
 * Ignores the error for a password that no longer exists: it was to be revoked, and has gone already.
 * @throws any other error
 */
export function ignoreMissing(error: unknown): void {
  if (!(error instanceof UserError && error.reason === 'no_password')) throw error
}

/** The most passkeys and application passwords of one user. These lists have no pages. */
export const MAX_PASSKEYS = 20
const MAX_PASSWORDS = 50

/** The longest name of a passkey or password, in characters. */
const MAX_NAME_LENGTH = 60

const CONTROLS = lazyPattern(String.raw`\p{Cc}+`, 'gu')

/** A name as stored: one line without control characters. */
export const toName = (text: string): string =>
  text.replace(CONTROLS(), ' ').trim().slice(0, MAX_NAME_LENGTH).toWellFormed()

/** What was typed into a form that asks for a name, with its error if it has one. */
export type TypedName = { form: 'passkey' | 'password'; name: string; error?: string }

type NameField = {
  id: TypedName['form']
  label: string
  help: string
  typed: TypedName | undefined
  value?: string
}

export function nameField({ id, label, help, typed, value = '' }: NameField): Html {
  const typedName = typed?.form === id ? typed : undefined
  return inputField(
    { id: `${id}-name`, name: 'name', label, help, value: typedName?.name ?? value, error: typedName?.error },
    html` maxlength="${MAX_NAME_LENGTH}" required autocomplete="off"`,
  )
}

/**
 * The error of the form for another application password; undefined if it can be made.
 * @param passwordCount the number of passwords that exist
 */
export function passwordError(
  editor: EditorContext,
  name: string,
  passwordCount: number,
): TypedName | undefined {
  const words = editor.texts.account
  const n = editor.site.dates.number(MAX_PASSWORDS)
  const isFull = passwordCount >= MAX_PASSWORDS
  const error = isFull ? filled(words.tooMany, { n }) : name === '' ? words.needsName : undefined
  return error === undefined ? undefined : { form: 'password', error, name }
}

export const fullNote = ({ texts, site }: EditorContext, limit: number): Html =>
  html`<p class="small">${filled(texts.account.tooMany, { n: site.dates.number(limit) })}</p>`

type PasswordForm = {
  action: string
  typed: TypedName | undefined
  passwordCount: number
}

/** The form that makes an application password, or a note that the user has as many as possible. */
export function passwordForm(editor: EditorContext, { action, typed, passwordCount }: PasswordForm): Html {
  if (passwordCount >= MAX_PASSWORDS) return fullNote(editor, MAX_PASSWORDS)
  const { passwordName, passwordNameHint, makePassword } = editor.texts.account
  const help = filled(passwordNameHint, { n: editor.site.dates.number(MAX_PASSWORDS) })
  const fields = nameField({ id: 'password', label: passwordName, help, typed })
  return buttonForm(editor, { action, fields, text: makePassword })
}

type RevokeButtons = {
  /** The address to which the button for a password sends its form. */
  action: (id: number) => string
  /** True if no administrator could sign in without the only password, which then has no button. */
  isLastCredential: boolean
}

/** Application passwords, each with a button that revokes it. */
export function passwordList(
  editor: EditorContext,
  listedPasswords: readonly ListedPassword[],
  { action, isLastCredential }: RevokeButtons,
): Html {
  const words = editor.texts.account
  const day = (utc: string) => dayOfMoment(editor, utc)
  if (listedPasswords.length === 0) return html`<p class="small">${words.noPasswords}</p>`
  return itemList(
    editor,
    listedPasswords.map(({ id, name, created, expires, lastUsed }) => ({
      name: name || editor.texts.form.nameless,
      facts: [
        filled(words.made, { date: day(created) }),
        expires && filled(words.until, { date: day(expires) }),
        lastUsed ? filled(words.used, { date: day(lastUsed) }) : words.unused,
        isLastCredential && words.lastCredential,
      ],
      ...(!isLastCredential && { end: { action: action(id), text: words.revoke, label: words.revokeNamed } }),
    })),
  )
}

/**
 * The page that says why credentials were not removed.
 * @param backPath the page of their user
 * @throws any other error
 */
export function lastCredentialPage(editor: EditorContext, error: unknown, backPath: string): EditorPage {
  if (!(error instanceof UserError && error.reason === 'last_administrator')) throw error
  return notePage({
    title: editor.words.refused,
    status: 409,
    text: editor.texts.account.lastCredential,
    link: { href: backPath, text: editor.words.back },
  })
}
