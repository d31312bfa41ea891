import * as z from 'zod/mini'
import { mapped, type Query, together } from '../../../db/query.ts'
import { integer } from '../../../http/params.ts'
import {
  assertWebhook,
  selectDeliveryPage,
  selectWebhookPage,
  webhookById,
} from '../../../resources/webhooks/queries.ts'
import { MOST_WEBHOOKS } from '../../../resources/webhooks/writes.ts'
import { filled, formWords, webhookWords } from '../../../words/words.ts'
import { textOf } from '../../forms/element.ts'
import { errorsOf, type FormErrors } from '../../forms/errors.ts'
import { ifVersion, isDone, submitOne, valueIn, type WriteReply } from '../../forms/requests.ts'
import { secretPage } from '../account/parts.ts'
import type { Admin } from '../admin.ts'
import { buttonsOf } from '../buttons.ts'
import type { Outcome } from '../respond.ts'
import { type Area, defineAction, defineAdminPage } from '../route.ts'
import {
  failureText,
  type LoadedWebhook,
  MESSAGES_PER_PAGE,
  WEBHOOKS,
  webhookIn,
  webhookPage,
  webhookPath,
  webhooksPage,
} from './page.ts'

const requires = 'manage_webhooks'
const ONE = `${WEBHOOKS}:id{[0-9]+}/`

const allWebhooks = mapped(
  selectWebhookPage({ page: 1, perPage: MOST_WEBHOOKS, offset: 0 }),
  ({ rows }) => rows,
)

const list = defineAdminPage({
  path: WEBHOOKS,
  requires,
  load: () => allWebhooks,
  respond: (admin, { loaded }) => webhooksPage(admin, loaded),
})

/** A query of a webhook with a page of its messages. */
const load = (id: number, page = 1): Query<LoadedWebhook> =>
  mapped(
    together({
      webhook: webhookById(id),
      deliveries: selectDeliveryPage(id, {
        values: {},
        page: { page, perPage: MESSAGES_PER_PAGE, offset: (page - 1) * MESSAGES_PER_PAGE },
      }),
    }),
    ({ webhook, deliveries }) => ({ webhook: assertWebhook(webhook), deliveries, page }),
  )

const one = defineAdminPage({
  path: ONE,
  requires,
  query: z.object({ page: z.optional(integer({ description: 'Page of the messages.' })) }),
  load: (_, { id, query }) => load(id, Math.min(query.page ?? 1, 1_000_000)),
  respond: (admin, { loaded }) => webhookPage(admin, loaded),
})

/** The errors of a form, by field. */
function problemsOf({ language }: Admin, { status, body }: WriteReply): FormErrors {
  const words = webhookWords(language)
  if (status === 412) return new Map([['', words.conflict]])
  return errorsOf(formWords(language), body)
}

/** A page that shows a secret once. */
const secretOf = (admin: Admin, reply: WriteReply): Outcome => {
  const words = webhookWords(admin.language)
  return secretPage(admin, {
    title: words.secretTitle,
    text: words.secretOnce,
    secrets: [String(valueIn(reply, 'secret'))],
    back: webhookPath(Number(valueIn(reply, 'id'))),
  })
}

const add = defineAction({
  path: WEBHOOKS,
  requires,
  handle: async (admin, { form }) => {
    const typed = webhookIn(form)
    const reply = await submitOne(admin, { method: 'POST', path: '/webhooks', body: typed })
    if (isDone(reply)) return secretOf(admin, reply)
    return webhooksPage(admin, await admin.context.db.get(allWebhooks), {
      typed,
      errors: problemsOf(admin, reply),
    })
  },
})

const change = defineAction({
  path: ONE,
  requires,
  handle: async (admin, { form, id }) => {
    const typed = webhookIn(form)
    const reply = await submitOne(admin, {
      method: 'PATCH',
      path: `/webhooks/${id}`,
      body: typed,
      headers: ifVersion(textOf(form, 'version')),
    })
    if (isDone(reply)) return { to: webhookPath(id), notice: { text: webhookWords(admin.language).saved } }
    const loaded = await admin.context.db.get(load(id))
    return webhookPage(admin, loaded, { typed, errors: problemsOf(admin, reply) })
  },
})

const button = buttonsOf({ page: WEBHOOKS, routes: '/webhooks', requires })

/** The redirect to the webhook's page, with the outcome of a message. */
function outcomeOf({ language }: Admin, reply: WriteReply, id: number): Outcome {
  const words = webhookWords(language)
  const status = Number(valueIn(reply, 'status') ?? 0) || null
  const isTaken = valueIn(reply, 'state') === 'delivered'
  const text = isTaken
    ? filled(words.taken, { status: String(status) })
    : filled(words.notTaken, {
        reason: failureText(words, { status, reason: String(valueIn(reply, 'reason') ?? '') }),
      })
  return { to: `${webhookPath(id)}#deliveries`, notice: { text } }
}

/** Webhooks: who is notified of changes, and how that went. */
export const webhooksArea: Area = {
  routes: [
    list,
    one,
    add,
    change,
    button('test', { method: 'POST', path: () => '/test' }, outcomeOf),
    button(
      'deliveries/:delivery{[0-9]+}/retry',
      { method: 'POST', path: ({ delivery }) => `/deliveries/${delivery}/retry` },
      outcomeOf,
    ),
    button('secret', { method: 'PATCH', body: { secret: 'new' } }, secretOf),
    button('pause', { method: 'PATCH', body: { active: false } }, ({ language }, _, id) => ({
      to: webhookPath(id),
      notice: { text: webhookWords(language).wasPaused },
    })),
    button('resume', { method: 'PATCH', body: { active: true } }, ({ language }, _, id) => ({
      to: webhookPath(id),
      notice: { text: webhookWords(language).resumed },
    })),
    button('delete', { method: 'DELETE' }, ({ language }) => ({
      to: WEBHOOKS,
      notice: { text: webhookWords(language).removed },
    })),
  ],
  menu: [{ path: WEBHOOKS, label: language => webhookWords(language).title, requires, group: 'more' }],
}
