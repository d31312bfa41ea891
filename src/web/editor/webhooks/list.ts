import type { FoundWebhook } from '../../../resources/webhooks/queries.ts'
import { webhookState } from '../../../resources/webhooks/serialize.ts'
import { filled, webhookWords } from '../../../words/words.ts'
import { form } from '../../forms/element.ts'
import type { FormErrors } from '../../forms/errors.ts'
import { type Html, html } from '../../html/html.ts'
import type { Admin } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { dayOf } from '../moments.ts'
import { NEW, type Typed, webhookControls } from './fields.ts'
import { WEBHOOKS, webhookPath } from './paths.ts'

/** A form with errors, and what was typed. */
export type Refused = { typed: Typed; errors: FormErrors }

/** The webhooks with their health, and the form that adds another one. */
export function webhooksPage(admin: Admin, found: readonly FoundWebhook[], refused?: Refused): AdminPage {
  const words = webhookWords(admin.language)
  const typed = refused?.typed ?? NEW
  return {
    title: words.title,
    ...(refused && { status: 422 }),
    isNarrow: true,
    main: html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
<div class="stack">
${found.length > 0 ? html`<ul class="items card">${found.map(webhook => item(admin, webhook))}</ul>` : html`<p class="hint">${words.none}</p>`}
<section class="card" aria-labelledby="add"><h2 id="add">${words.add}</h2>
${form(admin, {
  action: WEBHOOKS,
  look: 'stack',
  body: html`${webhookControls(words, typed, refused?.errors ?? new Map())}<button class="button" type="submit">${words.addButton}</button>`,
})}</section>
</div>`,
  }
}

/** The host of an address, by which people know it. Its path may hold what only the receiver should know. */
export const hostOf = ({ url }: Pick<FoundWebhook, 'url'>): string => new URL(url).host

/** What can be said of a webhook's health. */
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
export function healthBadge(admin: Admin, webhook: FoundWebhook): Html {
  const { text, isBad } = healthOf(admin, webhook)
  return html`<span class="badge${isBad ? ' badge-alert' : ' badge-quiet'}">${text}</span>`
}

const item = (admin: Admin, webhook: FoundWebhook): Html =>
  html`<li><div><strong><a href="${webhookPath(webhook.id)}" dir="auto">${hostOf(webhook)}</a></strong></div>${healthBadge(admin, webhook)}</li>\n`
