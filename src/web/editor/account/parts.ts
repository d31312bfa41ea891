import { accountWords, filled, formWords } from '../../../words/words.ts'
import { buttonForm, inputField } from '../../forms/element.ts'
import { type Html, html } from '../../html/html.ts'
import { type Admin, dayOf } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { type ListedPassword, LONGEST_NAME } from './queries.ts'

/** A section of a page with a heading. */
export const section = (id: string, title: string, body: Html): Html =>
  html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`

type ListItem = {
  name: string
  /** Further facts; empty ones are left out. */
  facts: readonly (string | false | null | undefined)[]
  /** The form that ends the item; absent for an item that cannot be ended. */
  end?: { action: string; text: string; label: string }
}

/** A list of things that a user has, each with a button that ends it. */
export const itemList = (admin: Admin, items: readonly ListItem[]): Html =>
  html`<ul class="items">${items.map(
    ({ name, facts, end }) => html`<li>
<div><strong dir="auto">${name}</strong> <span class="small">${facts.filter(Boolean).join(' · ')}</span></div>
${end && buttonForm(admin, { action: end.action, text: end.text, label: filled(end.label, { name }) })}</li>\n`,
  )}</ul>`

/** The error of a form that asks for a name. */
export type NameError = { form: 'passkey' | 'password'; error: string; name: string }

type NameField = {
  id: NameError['form']
  label: string
  help: string
  wrong: NameError | undefined
  value?: string
}

/** A field for a name, with its error. */
export function nameField({ id, label, help, wrong, value = '' }: NameField): Html {
  const own = wrong?.form === id ? wrong : undefined
  return inputField(
    { id: `${id}-name`, name: 'name', label, help, value: own?.name ?? value, error: own?.error },
    html` maxlength="${LONGEST_NAME}" required autocomplete="off"`,
  )
}

/** Application passwords, each with a button that revokes it. @param action returns the address of that button's form */
export function passwordList(
  admin: Admin,
  passwords: readonly ListedPassword[],
  action: (id: number) => string,
): Html {
  const words = accountWords(admin.language)
  const day = (utc: string) => dayOf(admin, utc)
  if (passwords.length === 0) return html`<p class="small">${words.noPasswords}</p>`
  return itemList(
    admin,
    passwords.map(({ id, name, created, expires, lastUsed }) => ({
      name: name || formWords(admin.language).nameless,
      facts: [
        filled(words.made, { date: day(created) }),
        expires && filled(words.until, { date: day(expires) }),
        lastUsed ? filled(words.used, { date: day(lastUsed) }) : words.unused,
      ],
      end: { action: action(id), text: words.revoke, label: words.revokeNamed },
    })),
  )
}

type SecretsPage = {
  title: string
  text: string
  secrets: readonly string[]
  back: string
  /** The name of a file with the secrets, for those that people keep. */
  file?: string
  /** An e-mail with them, for those that are for somebody else. */
  mail?: { subject: string; body: string }
}

/** An address with which a browser saves a text as a file, or begins an e-mail. Line breaks of both are those of the internet. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll('\n', '\r\n'))

/** A page with secrets that are shown only once: passwords, codes or an address. */
export function secretPage(
  { language, context }: Admin,
  { title, text, secrets, back, file, mail }: SecretsPage,
): AdminPage {
  const words = accountWords(language)
  const all = secrets.join('\n')
  return {
    title,
    isNarrow: true,
    main: html`<h1>${title}</h1><p class="lead">${text}</p>
<ul class="secrets card">${secrets.map(secret => html`<li><code>${secret}</code></li>`)}</ul>
<p class="actions"><button class="button button-quiet" type="button" data-copy="${all}" data-done="${words.copied}" hidden>${words.copy}</button>
${file && html`<a class="button button-quiet" download="${file}" href="data:text/plain;charset=utf-8,${encoded(`${context.settings.siteName}: ${title}\n\n${all}\n`)}">${words.save}</a> <button class="button button-quiet" type="button" data-print hidden>${words.print}</button>`}
${mail && html`<a class="button button-quiet" href="mailto:?subject=${encoded(mail.subject)}&amp;body=${encoded(mail.body)}">${words.mail}</a>`}
<a class="button" href="${back}">${words.done}</a></p>`,
  }
}
