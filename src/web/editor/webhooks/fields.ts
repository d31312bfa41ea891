import { withQuery } from '../../../http/lists.ts'
import type { WebhookFilters } from '../../../resources/webhooks/filters.ts'
import type { FoundWebhook } from '../../../resources/webhooks/queries.ts'
import { WEBHOOK_EVENTS } from '../../../resources/webhooks/types.ts'
import { filled, type WebhookWords } from '../../../words/words.ts'
import { problem } from '../../forms/element.ts'
import type { FormErrors } from '../../forms/errors.ts'
import { textOf } from '../../forms/form-body.ts'
import { type Html, html } from '../../html/html.ts'

/** The address of the list, and the start of those of all webhooks. */
export const WEBHOOKS = '/admin/webhooks/'

/** The address of a webhook's page. */
export const webhookPath = (id: number): string => `${WEBHOOKS}${id}/`

/** The fields of a webhook as a form shows them. Filters are a query. */
export type Typed = { url: string; events: readonly string[]; filters: string }

/** Those of a new webhook: what most want to know. */
export const NEW: Typed = { url: '', events: ['event.published', 'event.canceled'], filters: '' }

/** Those of a stored one. */
export const typedOf = ({ url, events, filters }: FoundWebhook): Typed => ({
  url,
  // Of JSON that resources/webhooks/writes.ts has stored.
  events: JSON.parse(events) as string[],
  filters: withQuery('', JSON.parse(filters) as WebhookFilters)
    .slice(1)
    .replaceAll('%2C', ','),
})

/** Those that were sent. */
export const typedIn = (form: FormData): Typed => ({
  url: textOf(form, 'url'),
  events: form.getAll('events').map(String),
  filters: textOf(form, 'filters'),
})

/** The words for a type of messages, after «when». */
export const typeName = (words: WebhookWords, type: string): string =>
  Object.entries(words).find(([name]) => name === type.replace('.', '_'))?.[1] ?? type

/** The controls of a webhook's form, with what was wrong. */
export function webhookControls(words: WebhookWords, typed: Typed, errors: FormErrors): Html {
  const errorIn = (name: string, text: string) => (errors.has(name) ? text : undefined)
  const url = errorIn('url', words.badUrl)
  const events = errorIn('events', words.needsEvents)
  const filters = errorIn('filters', filled(words.badFilters, { reason: errors.get('filters') ?? '' }))
  const invalid = (error: string | undefined) => error && html` aria-invalid="true"`
  return html`${problem('problem', errors.get(''))}
<div class="field"><label for="url">${words.url}</label>
<input id="url" name="url" type="url" inputmode="url" maxlength="2048" required autocomplete="off" spellcheck="false" value="${typed.url}" aria-describedby="url-hint${url && ' url-error'}"${invalid(url)}${url && html` autofocus`}>
<p class="hint" id="url-hint">${words.urlHint}</p>${problem('url-error', url)}</div>
<fieldset class="choices"${events && html` aria-describedby="events-error"`}><legend>${words.events}</legend>${problem('events-error', events)}
${WEBHOOK_EVENTS.map(
  type =>
    html`<label class="choice"><input type="checkbox" name="events" value="${type}"${typed.events.includes(type) && html` checked`}> ${typeName(words, type)}</label>\n`,
)}</fieldset>
<div class="field"><label for="filters">${words.filters}</label>
<input id="filters" name="filters" autocomplete="off" autocapitalize="none" spellcheck="false" value="${typed.filters}" aria-describedby="filters-hint${filters && ' filters-error'}"${invalid(filters)}>
<p class="hint" id="filters-hint">${words.filtersHint}</p>${problem('filters-error', filters)}</div>`
}
