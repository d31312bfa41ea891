import { dayOfMoment, type EditorContext, shortMomentOf } from '../../editor/context.ts'
import { listItem } from '../../editor/lists.ts'
import { managedButtons, stateLabel } from '../../editor/managed.ts'
import type { Area } from '../../editor/pages-and-actions.ts'
import { type EditorResponse, secretPage } from '../../editor/respond.ts'
import { buttonSection, retryButton, senderPages } from '../../editor/senders.ts'
import type { WriteReply } from '../../kit/context.ts'
import { capitalized } from '../../kit/lib/text.ts'
import { optionName } from '../../site/forms/control.ts'
import { checkboxesControl } from '../../site/forms/controls/choice.ts'
import { queryControl, urlControl } from '../../site/forms/controls/text.ts'
import { defineForm, inFirst } from '../../site/forms/form.ts'
import { replyValue } from '../../site/forms/requests.ts'
import { type Html, html } from '../../site/html/html.ts'
import { type Catalogue, filled } from '../../words/words.ts'
import { WEBHOOK_WORK } from './budgets.ts'
import { type DeliveryRow, selectDeliveryPage, type WebhookWithProgress } from './queries.ts'
import { managedWebhooks, webhookState } from './routes.ts'
import { WEBHOOK_EVENTS, webhookFields } from './schema.ts'

/** The form of webhooks. Their secrets are made here. */
const WEBHOOK_FORM = defineForm('webhook', webhookFields.shape, {
  url: inFirst(urlControl),
  events: { ...inFirst(checkboxesControl(WEBHOOK_EVENTS)), isRequired: true },
  filters: inFirst(queryControl),
  active: null,
  secret: null,
})

const WEBHOOKS_PATH = '/admin/webhooks/'
const webhookPath = (id: number): string => `${WEBHOOKS_PATH}${id}/`

/** The host of an address, which people recognise it by. The path may contain a secret of the receiver. */
const hostOf = ({ url }: WebhookWithProgress): string => new URL(url).host

function healthBadge(editor: EditorContext, webhook: WebhookWithProgress): Html {
  const words = editor.texts.webhook
  const state = webhookState(webhook)
  const failingSince = webhook.failing_since_utc
  const facts = [
    state === 'failing' && !webhook.active ? words.stopped : words[state],
    state === 'failing' &&
      failingSince !== null &&
      filled(words.since, { date: dayOfMoment(editor, failingSince) }),
    // A few waiting changes are normal: they are sent within a minute.
    webhook.active &&
      webhook.behind > WEBHOOK_WORK.messages &&
      filled(words.behind, { n: editor.site.dates.number(webhook.behind) }),
    webhook.waiting > 0 && filled(words.waiting, { n: editor.site.dates.number(webhook.waiting) }),
  ]
  return stateLabel(facts.filter(Boolean).join(' · '), ['filters', 'failing', 'gone'].includes(state))
}

/** A page that shows a new secret once; undefined if there is none. */
function secretResponse(editor: EditorContext, reply: WriteReply): EditorResponse | undefined {
  const secret = replyValue(reply, 'secret')
  if (secret === undefined) return undefined
  const words = editor.texts.webhook
  return secretPage(editor, {
    title: words.secretTitle,
    text: words.secretOnce,
    secrets: [String(secret)],
    back: webhookPath(Number(replyValue(reply, 'id'))),
  })
}

/** The reason why a message was not accepted. */
function failureText(
  words: Catalogue['webhook'],
  { status, reason }: { status: number | null; reason: string },
): string {
  if (status !== null)
    return filled(status >= 300 && status < 400 ? words.reasonRedirect : words.reasonStatus, {
      status: String(status),
    })
  if (reason === 'private') return words.reasonPrivate
  if (reason === 'internal') return words.reasonInternal
  return reason === 'timeout' ? words.reasonTimeout : words.reasonConnection
}

function stateText(editor: EditorContext, { state, next_try_utc: next }: DeliveryRow): string {
  const words = editor.texts.webhook
  if (state === 'waiting')
    return filled(words.waits, { date: next === null ? '' : shortMomentOf(editor, next) })
  return words[state]
}

function deliveryItem(editor: EditorContext, row: DeliveryRow): Html {
  const words = editor.texts.webhook
  const type = optionName(editor.language, 'webhook', 'events', row.type)
  const name = `${capitalized(type)}${row.object_id > 0 ? ` (${row.object_id})` : ''}`
  const isDelivered = row.state === 'delivered'
  return listItem({
    name,
    className: 'delivery',
    facts: [
      shortMomentOf(editor, row.at_utc),
      row.tries > 1 && filled(words.tries, { n: editor.site.dates.number(row.tries) }),
      isDelivered ? row.status : failureText(words, { status: row.status, reason: row.message }),
    ],
    end: html`${stateLabel(stateText(editor, row), !isDelivered && row.state !== 'replaced')}
<details><summary>${words.details}</summary>
<h3>${words.message}</h3><pre>${row.body}</pre>
<h3>${words.response}</h3>${row.response === '' ? html`<p class="small">${words.noResponse}</p>` : html`<pre>${row.response}</pre>`}
${retryButton(editor, `${webhookPath(row.webhook_id)}deliveries/${row.id}/retry/`, { ...words, name })}</details>`,
  })
}

const webhookButton = managedButtons(managedWebhooks)

function sentText({ texts }: EditorContext, reply: WriteReply): string {
  const words = texts.webhook
  const status = Number(replyValue(reply, 'status') ?? 0) || null
  if (replyValue(reply, 'state') === 'delivered') return filled(words.accepted, { status: String(status) })
  const reason = failureText(words, { status, reason: String(replyValue(reply, 'reason') ?? '') })
  return filled(words.notAccepted, { reason })
}

export const webhooksArea: Area = {
  routes: [
    ...senderPages(managedWebhooks, {
      form: WEBHOOK_FORM,
      nameField: 'url',
      nameOf: hostOf,
      // The most common choice.
      suggested: { events: ['event.published', 'event.canceled'] },
      saved: secretResponse,
      selectDeliveries: (id, page) => selectDeliveryPage(id, { values: {}, page }),
      badge: healthBadge,
      sections: (editor, _, address) => {
        const words = editor.texts.webhook
        const secret = { title: words.secret, text: words.secretText, button: words.secretButton }
        return html`${buttonSection(editor, address, 'test', { title: words.test, text: words.testText })}
${buttonSection(editor, address, 'secret', secret)}`
      },
      item: deliveryItem,
      sentText,
    }),
    webhookButton(
      'secret',
      { method: 'PATCH', body: { secret: 'new' } },
      (editor, reply, id) => secretResponse(editor, reply) ?? { to: webhookPath(id) },
    ),
  ],
  menu: [
    {
      path: WEBHOOKS_PATH,
      label: texts => texts.webhook.title,
      requires: managedWebhooks.requires,
      group: 'more',
    },
  ],
}
