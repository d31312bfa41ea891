import { EMPTY_LETTERS, LETTER_WEEKDAYS } from '../../../db/schema.ts'
import { type Rows, withQuery } from '../../../http/lists.ts'
import { addDays } from '../../../lib/time.ts'
import type { ComposedLetter } from '../../../resources/letters/compose.ts'
import { filtersOfLetter, nextSending } from '../../../resources/letters/compose.ts'
import { DIGEST_DAYS, MOST_DIGEST_DAYS } from '../../../resources/letters/digest.ts'
import type { LetterDeliveryRow, LetterRow } from '../../../resources/letters/queries.ts'
import { deliveryState, letterState } from '../../../resources/letters/serialize.ts'
import { datesOf } from '../../../words/dates.ts'
import { LANGUAGES } from '../../../words/languages.ts'
import { filled, type LetterWords, letterWords, plural } from '../../../words/words.ts'
import {
  buttonForm,
  form,
  inputField,
  optionsField,
  problem,
  selectField,
  textField,
  textOf,
} from '../../forms/element.ts'
import type { FormErrors } from '../../forms/errors.ts'
import { backLink, type Html, html } from '../../html/html.ts'
import { ACCOUNT } from '../account/page.ts'
import { section } from '../account/parts.ts'
import { type Admin, momentOf, shortMomentOf } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { pages } from '../lists.ts'

/** The address of the list, and the prefix of those of all letters. */
export const LETTERS = '/admin/letters/'

/** The address of a letter's page. */
export const letterPath = (id: number): string => `${LETTERS}${id}/`

const NAMES = 'name subject intro to days weekday hour language filters empty'.split(' ')

/** The fields of a letter in a form, as texts. Filters are written as a query. */
type TypedLetter = Readonly<Record<string, string>>

/** The fields of a submitted form. */
export const letterIn = (form: FormData): TypedLetter =>
  Object.fromEntries(NAMES.map(name => [name, textOf(form, name)]))

/** The initial fields of a new letter. */
const newLetter = ({ context }: Admin): TypedLetter => ({
  days: String(DIGEST_DAYS),
  weekday: 'thursday',
  hour: '7',
  language: context.settings.website.language,
  empty: 'skip',
})

/** The fields of a stored letter. */
const storedLetter = (row: LetterRow): TypedLetter => ({
  name: row.name,
  subject: row.subject,
  intro: row.intro,
  to: row.to_email,
  days: String(row.days),
  weekday: row.weekday,
  hour: String(row.hour),
  language: row.language,
  filters: withQuery('', filtersOfLetter(row)).slice(1).replaceAll('%2C', ','),
  empty: row.empty,
})

/** Some Monday. */
const MONDAY = '2027-01-04 00:00:00'
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour))

/** The name of a language in that language. */
const languageName = (tag: string): string =>
  new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag

/** The inputs of a letter's form, with their errors. */
function letterControls(admin: Admin, typed: TypedLetter, errors: FormErrors): Html {
  const words = letterWords(admin.language)
  const dates = datesOf(admin.language)
  const { weekday = '', hour = '', language = '', empty = '', intro = '' } = typed
  const field = (name: 'name' | 'subject' | 'to' | 'days' | 'filters', attributes: Html, error?: string) =>
    inputField(
      {
        ...{ id: name, label: words[name], help: words[`${name}Hint`], value: typed[name] ?? '' },
        error: errors.has(name) ? (error ?? errors.get(name)) : undefined,
      },
      attributes,
    )
  const tags = [...new Set([language, ...LANGUAGES])].filter(Boolean)
  return html`${problem('problem', errors.get(''))}
${field('name', html` maxlength="100" required autocomplete="off"`)}
${field('to', html` type="email" maxlength="254" required autocomplete="off" autocapitalize="none" spellcheck="false"`, words.badTo)}
<div class="letter-when">${selectField({ id: 'weekday', label: words.weekday }, { options: LETTER_WEEKDAYS.map((day, i) => [day, dates.format('longWeekday', addDays(MONDAY, i))]), chosen: weekday })}
${selectField({ id: 'hour', label: words.hour }, { options: HOURS.map(h => [h, dates.clock(`${MONDAY.slice(0, 11)}${h.padStart(2, '0')}:00:00`)]), chosen: hour })}</div>
${field('days', html` type="number" min="1" max="${MOST_DIGEST_DAYS}" required`, words.badDays)}
${field('subject', html` maxlength="200" autocomplete="off"`)}
${textField(
  {
    ...{ id: 'intro', label: words.intro, help: words.introHint, error: errors.get('intro') },
    ...{ value: intro, rows: 4 },
  },
  html` maxlength="5000"`,
)}
${selectField({ id: 'language', label: words.language }, { options: tags.map(tag => [tag, languageName(tag)]), chosen: language })}
${field('filters', html` autocomplete="off" autocapitalize="none" spellcheck="false"`, filled(words.badFilters, { reason: errors.get('filters') ?? '' }))}
${optionsField(
  { id: 'empty', label: words.empty },
  { options: EMPTY_LETTERS.map(way => [way, words[`empty_${way}`]]), chosen: [empty] },
)}`
}

/** A form with errors, and its input. */
export type RefusedLetter = { typed: TypedLetter; errors: FormErrors }

/** The list of letters, and the form that adds another one. */
export function lettersPage(admin: Admin, found: readonly LetterRow[], refused?: RefusedLetter): AdminPage {
  const words = letterWords(admin.language)
  return {
    title: words.title,
    ...(refused && { status: 422 }),
    isNarrow: true,
    main: html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
<div class="stack">
${found.length > 0 ? html`<ul class="items card">${found.map(row => item(admin, row))}</ul>` : html`<p class="small">${words.none}</p>`}
${section(
  'add',
  words.add,
  form(admin, {
    action: LETTERS,
    look: 'stack',
    body: html`${letterControls(admin, refused?.typed ?? newLetter(admin), refused?.errors ?? new Map())}<button class="button" type="submit">${words.addButton}</button>`,
  }),
)}
</div>`,
  }
}

/** What becomes of a letter, in words. */
function badge(admin: Admin, row: LetterRow): Html {
  const words = letterWords(admin.language)
  const state = letterState(row)
  const { now, settings } = admin.context
  const text =
    state === 'active'
      ? filled(words.next, { date: momentOf(admin, nextSending(row, now, settings.timezone), 'shortDay') })
      : words[state]
  return html`<span class="badge${state === 'unconfirmed' ? ' badge-alert' : ' badge-quiet'}">${text}</span>`
}

const item = (admin: Admin, row: LetterRow): Html =>
  html`<li><div><strong><a href="${letterPath(row.id)}" dir="auto">${row.name}</a></strong> <span class="small" dir="auto">${row.to_email}</span></div>${badge(admin, row)}</li>\n`

/** A letter with a page of what became of it, and the user's own address. */
export type LoadedLetter = {
  letter: LetterRow
  deliveries: Rows<LetterDeliveryRow>
  page: number
  composed: ComposedLetter
  ownEmail: string
}

/** Deliveries on a page. */
export const LETTERS_PER_PAGE = 25

/** The page of one letter: settings, preview, actions, and what was sent. */
export function letterPage(admin: Admin, loaded: LoadedLetter, refused?: RefusedLetter): AdminPage {
  const words = letterWords(admin.language)
  const { letter, composed, ownEmail } = loaded
  const path = letterPath(letter.id)
  const state = letterState(letter)
  const doing = (
    part: string,
    { title, text, look = 'button-quiet' }: { title: string; text: string; look?: string },
  ) =>
    section(
      part,
      title,
      html`<p>${text}</p>${buttonForm(admin, { action: `${path}${part}/`, text: title, look: `button ${look}` })}`,
    )
  return {
    title: letter.name,
    ...(refused && { status: 422 }),
    isNarrow: true,
    main: html`${backLink(LETTERS, words.title)}
<div class="page-head"><h1 dir="auto">${letter.name}</h1><p class="row-badges">${badge(admin, letter)}</p></div>
<div class="stack">
${state === 'unconfirmed' && doing('ask', { title: words.ask, text: filled(words.askText, { email: letter.to_email }) })}
${section(
  'preview',
  words.preview,
  html`<p>${words.previewText}</p><p><strong dir="auto">${composed.subject}</strong></p>
<iframe class="letter" src="${path}preview/" title="${words.preview}" sandbox loading="lazy"></iframe>
<details><summary>${words.plain}</summary><pre class="letter-text">${composed.text}</pre></details>
${
  ownEmail === ''
    ? html`<p><a href="${ACCOUNT}#email">${words.testNeeds}</a></p>`
    : html`<p>${filled(words.testText, { email: ownEmail })}</p>${buttonForm(admin, { action: `${path}test/`, text: words.test })}`
}`,
)}
${section(
  'settings',
  admin.words.settings,
  form(admin, {
    action: path,
    look: 'stack',
    body: html`<input type="hidden" name="version" value="${letter.version}">${letterControls(admin, refused?.typed ?? storedLetter(letter), refused?.errors ?? new Map())}<button class="button" type="submit">${admin.words.save}</button>`,
  }),
)}
${section('deliveries', words.deliveries, deliveryList(admin, loaded))}
${doing(letter.active ? 'pause' : 'resume', { title: letter.active ? admin.words.pause : words.resume, text: words.pauseText })}
${doing('delete', { title: admin.words.delete, text: words.removeText, look: 'button-danger' })}
</div>`,
  }
}

function deliveryList(admin: Admin, { letter, deliveries: { rows, total }, page }: LoadedLetter): Html {
  const words = letterWords(admin.language)
  if (rows.length === 0) return html`<p class="small">${words.noDeliveries}</p>`
  const at = (page: number) => `${letterPath(letter.id)}?page=${page}#deliveries`
  return html`<ul class="items">${rows.map(row => deliveryItem(admin, letter, row))}</ul>
${pages(admin, { previous: page > 1 && at(page - 1), next: page * LETTERS_PER_PAGE < total && at(page + 1) })}`
}

/** The reason why the platform did not take a letter, by its code. */
export function refusalText(words: LetterWords, code: string): string {
  if (/^E_SENDER/.test(code)) return words.reasonSender
  if (/^E_RECIPIENT|^E_DELIVERY/.test(code)) return words.reasonRecipient
  if (/LIMIT/.test(code)) return words.reasonLimit
  if (code === 'text') return words.reasonText
  return /^E_/.test(code) ? filled(words.reasonOther, { code }) : words.reasonUnknown
}

function stateText(admin: Admin, { next_try_utc: next, events, ...row }: LetterDeliveryRow): string {
  const words = letterWords(admin.language)
  const state = deliveryState({ next_try_utc: next, events, ...row }, admin.context.now)
  if (state === 'sent')
    return filled(plural(admin.language, words, 'sent', events), { count: admin.site.dates.number(events) })
  if (state === 'waiting')
    return filled(words.waiting, { date: next === null ? '' : shortMomentOf(admin, next) })
  return state === 'empty' ? words.emptied : words[state]
}

function deliveryItem(admin: Admin, letter: LetterRow, row: LetterDeliveryRow): Html {
  const words = letterWords(admin.language)
  const state = deliveryState(row, admin.context.now)
  const name = shortMomentOf(admin, row.due_utc ?? row.at_utc)
  const facts = [
    row.due_utc === null && words.forMe,
    row.tries > 1 && filled(words.tries, { n: admin.site.dates.number(row.tries) }),
    row.reason !== '' && refusalText(words, row.reason),
    state === 'unknown' && words.unknownText,
  ]
  const isOpen = (state === 'unknown' || state === 'failed') && row.due_utc !== null
  const isBad = state === 'unknown' || state === 'failed' || state === 'waiting'
  return html`<li class="delivery">
<div><strong>${name}</strong> <span class="small">${facts.filter(Boolean).join(' · ')}</span></div>
<span class="badge${isBad ? ' badge-alert' : ' badge-quiet'}">${stateText(admin, row)}</span>
${
  isOpen &&
  buttonForm(admin, {
    action: `${letterPath(letter.id)}deliveries/${row.id}/retry/`,
    text: words.retry,
    label: filled(words.retryNamed, { name }),
  })
}</li>\n`
}
