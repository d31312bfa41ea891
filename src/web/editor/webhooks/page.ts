import { type Rows, withQuery } from '../../../http/lists.ts'
import { capitalized } from '../../../lib/text.ts'
import type { WebhookFilters } from '../../../resources/webhooks/filters.ts'
import type { DeliveryRow, FoundWebhook } from '../../../resources/webhooks/queries.ts'
import { webhookState } from '../../../resources/webhooks/serialize.ts'
import { WEBHOOK_EVENTS } from '../../../resources/webhooks/types.ts'
import { filled, type WebhookWords, webhookWords } from '../../../words/words.ts'
import { buttonForm, form, inputField, optionsField, problem, textOf } from '../../forms/element.ts'
import type { FormErrors } from '../../forms/errors.ts'
import { backLink, type Html, html } from '../../html/html.ts'
import { section } from '../account/parts.ts'
import { type Admin, dayOf, shortMomentOf } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { pages } from '../lists.ts'

/** The address of the list, and the prefix of those of all webhooks. */
export const WEBHOOKS = '/admin/webhooks/'

/** The address of a webhook's page. */
export const webhookPath = (id: number): string => `${WEBHOOKS}${id}/`

/** The fields of a webhook in a form. Filters are written as a query. */
type TypedWebhook = { url: string; events: readonly string[]; filters: string }

/** The initial fields of a new webhook: the most common choice. */
const NEW_WEBHOOK: TypedWebhook = { url: '', events: ['event.published', 'event.canceled'], filters: '' }

/** The fields of a stored webhook. */
const storedWebhook = ({ url, events, filters }: FoundWebhook): TypedWebhook => ({
  url,
  // JSON that resources/webhooks/writes.ts has stored.
  events: JSON.parse(events) as string[],
  filters: withQuery('', JSON.parse(filters) as WebhookFilters)
    .slice(1)
    .replaceAll('%2C', ','),
})

/** The fields of a submitted form. */
export const webhookIn = (form: FormData): TypedWebhook => ({
  url: textOf(form, 'url'),
  events: form.getAll('events').map(String),
  filters: textOf(form, 'filters'),
})

/** The words for a type of messages, after «when». */
const typeName = (words: WebhookWords, type: string): string =>
  Object.entries(words).find(([name]) => name === type.replace('.', '_'))?.[1] ?? type

/** The inputs of a webhook's form, with their errors. */
function webhookControls(words: WebhookWords, typed: TypedWebhook, errors: FormErrors): Html {
  const errorIn = (name: string, text: string) => (errors.has(name) ? text : undefined)
  const events = errorIn('events', words.needsEvents)
  const filters = errorIn('filters', filled(words.badFilters, { reason: errors.get('filters') ?? '' }))
  return html`${problem('problem', errors.get(''))}
${inputField(
  { id: 'url', label: words.url, help: words.urlHint, value: typed.url, error: errorIn('url', words.badUrl) },
  html` type="url" inputmode="url" maxlength="2048" required autocomplete="off" spellcheck="false"`,
)}
${optionsField(
  { id: 'events', label: words.events, error: events, isFocused: events !== undefined },
  {
    options: WEBHOOK_EVENTS.map(type => [type, typeName(words, type)]),
    chosen: typed.events,
    type: 'checkbox',
  },
)}
${inputField(
  { id: 'filters', label: words.filters, help: words.filtersHint, value: typed.filters, error: filters },
  html` autocomplete="off" autocapitalize="none" spellcheck="false"`,
)}`
}

/** A form with errors, and its input. */
type RefusedWebhook = { typed: TypedWebhook; errors: FormErrors }

/** The list of webhooks with their health, and the form that adds another one. */
export function webhooksPage(
  admin: Admin,
  found: readonly FoundWebhook[],
  refused?: RefusedWebhook,
): AdminPage {
  const words = webhookWords(admin.language)
  const typed = refused?.typed ?? NEW_WEBHOOK
  return {
    title: words.title,
    ...(refused && { status: 422 }),
    isNarrow: true,
    main: html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
<div class="stack">
${found.length > 0 ? html`<ul class="items card">${found.map(webhook => item(admin, webhook))}</ul>` : html`<p class="small">${words.none}</p>`}
<section class="card" aria-labelledby="add"><h2 id="add">${words.add}</h2>
${form(admin, {
  action: WEBHOOKS,
  look: 'stack',
  body: html`${webhookControls(words, typed, refused?.errors ?? new Map())}<button class="button" type="submit">${words.addButton}</button>`,
})}</section>
</div>`,
  }
}

/** The host of an address, by which people know it. The path may contain a secret of the receiver. */
const hostOf = ({ url }: Pick<FoundWebhook, 'url'>): string => new URL(url).host

/** The health of a webhook, in words. */
function healthOf(admin: Admin, webhook: FoundWebhook): { text: string; isBad: boolean } {
  const words = webhookWords(admin.language)
  const state = webhookState(webhook)
  const since = webhook.failing_since_utc
  const text = state === 'failing' && !webhook.active ? words.stopped : words[state]
  const facts = [
    text,
    state === 'failing' && since !== null && filled(words.since, { date: dayOf(admin, since) }),
    webhook.waiting > 0 && filled(words.waiting, { n: admin.site.dates.number(webhook.waiting) }),
  ]
  return { text: facts.filter(Boolean).join(' · '), isBad: state === 'failing' || state === 'gone' }
}

/** The health as a label. */
function healthBadge(admin: Admin, webhook: FoundWebhook): Html {
  const { text, isBad } = healthOf(admin, webhook)
  return html`<span class="badge${isBad ? ' badge-alert' : ' badge-quiet'}">${text}</span>`
}

const item = (admin: Admin, webhook: FoundWebhook): Html =>
  html`<li><div><strong><a href="${webhookPath(webhook.id)}" dir="auto">${hostOf(webhook)}</a></strong></div>${healthBadge(admin, webhook)}</li>\n`

/** A webhook with a page of its messages. */
export type LoadedWebhook = { webhook: FoundWebhook; deliveries: Rows<DeliveryRow>; page: number }

/** Messages on a page. */
export const MESSAGES_PER_PAGE = 25

/** The page of one webhook: settings, actions and messages. */
export function webhookPage(admin: Admin, loaded: LoadedWebhook, refused?: RefusedWebhook): AdminPage {
  const words = webhookWords(admin.language)
  const { webhook } = loaded
  const typed = refused?.typed ?? storedWebhook(webhook)
  return {
    title: hostOf(webhook),
    ...(refused && { status: 422 }),
    isNarrow: true,
    main: html`${backLink(WEBHOOKS, words.title)}
<div class="page-head"><h1 dir="auto">${hostOf(webhook)}</h1><p class="row-badges">${healthBadge(admin, webhook)}</p></div>
<div class="stack">
${section(
  'settings',
  admin.words.settings,
  form(admin, {
    action: webhookPath(webhook.id),
    look: 'stack',
    body: html`<input type="hidden" name="version" value="${webhook.version}">${webhookControls(words, typed, refused?.errors ?? new Map())}<button class="button" type="submit">${admin.words.save}</button>`,
  }),
)}
${doing(admin, webhook, { part: 'test', title: words.test, text: words.testText, button: words.test })}
${doing(admin, webhook, { part: webhook.active ? 'pause' : 'resume', title: webhook.active ? admin.words.pause : words.resume, text: words.pauseText, button: webhook.active ? admin.words.pause : words.resume })}
${doing(admin, webhook, { part: 'secret', title: words.secret, text: words.secretText, button: words.secretButton })}
${section('deliveries', words.deliveries, deliveryList(admin, loaded))}
${doing(admin, webhook, { part: 'delete', title: admin.words.delete, text: words.removeText, button: admin.words.delete, isDangerous: true })}
</div>`,
  }
}

type ActionSection = { part: string; title: string; text: string; button: string; isDangerous?: boolean }

/** A section with one button. */
const doing = (
  admin: Admin,
  { id }: FoundWebhook,
  { part, title, text, button, isDangerous }: ActionSection,
): Html =>
  section(
    part,
    title,
    html`<p>${text}</p>
${buttonForm(admin, { action: `${webhookPath(id)}${part}/`, text: button, look: `button ${isDangerous ? 'button-danger' : 'button-quiet'}` })}`,
  )

function deliveryList(admin: Admin, { webhook, deliveries: { rows, total }, page }: LoadedWebhook): Html {
  const words = webhookWords(admin.language)
  if (rows.length === 0) return html`<p class="small">${words.noDeliveries}</p>`
  const at = (page: number) => `${webhookPath(webhook.id)}?page=${page}#deliveries`
  return html`<ul class="items">${rows.map(row => delivery(admin, webhook, row))}</ul>
${pages(admin, { previous: page > 1 && at(page - 1), next: page * MESSAGES_PER_PAGE < total && at(page + 1) })}`
}

/** The reason why a message was not accepted. */
export function failureText(
  words: WebhookWords,
  { status, reason }: { status: number | null; reason: string },
): string {
  if (status !== null)
    return filled(status >= 300 && status < 400 ? words.reasonRedirect : words.reasonStatus, {
      status: String(status),
    })
  if (reason === 'private') return words.reasonPrivate
  return reason === 'timeout' ? words.reasonTimeout : words.reasonConnection
}

function stateIn(admin: Admin, { state, next_try_utc: next }: DeliveryRow): string {
  const words = webhookWords(admin.language)
  if (state === 'waiting')
    return filled(words.waits, { date: next === null ? '' : shortMomentOf(admin, next) })
  return words[state]
}

function delivery(admin: Admin, webhook: FoundWebhook, row: DeliveryRow): Html {
  const words = webhookWords(admin.language)
  const name = `${capitalized(typeName(words, row.type))}${row.object_id > 0 ? ` (${row.object_id})` : ''}`
  const isTaken = row.state === 'delivered'
  const facts = [
    shortMomentOf(admin, row.at_utc),
    row.tries > 1 && filled(words.tries, { n: admin.site.dates.number(row.tries) }),
    isTaken ? row.status : failureText(words, { status: row.status, reason: row.message }),
  ]
  return html`<li class="delivery">
<div><strong>${name}</strong> <span class="small">${facts.filter(Boolean).join(' · ')}</span></div>
<span class="badge${isTaken || row.state === 'replaced' ? ' badge-quiet' : ' badge-alert'}">${stateIn(admin, row)}</span>
<details><summary>${words.details}</summary>
<h3>${words.message}</h3><pre>${row.body}</pre>
<h3>${words.response}</h3>${row.response === '' ? html`<p class="small">${words.noResponse}</p>` : html`<pre>${row.response}</pre>`}
${buttonForm(admin, {
  action: `${webhookPath(webhook.id)}deliveries/${row.id}/retry/`,
  text: words.retry,
  label: filled(words.retryNamed, { name }),
})}</details></li>\n`
}
