import { WEBHOOK_WORK } from '../../../src/features/webhooks/budgets.ts'
import { type WebhookFields, webhookFields } from '../../../src/features/webhooks/schema.ts'
import type { FeaturePart, Sample } from '../../feature-part.ts'

const LONG_AGO = "'2020-01-01 00:00:00'"

const FIELDS: Record<keyof WebhookFields, Sample> = {
  url: { sent: 'https://another.invalid/hook' },
  events: { sent: ['venue.created'] },
  filters: { sent: { search: 'jazz' } },
  active: { sent: false },
  // Nothing but the response to the request that sets it shows it.
  secret: { sent: 'new', shown: undefined },
}

export const webhooksPart: FeaturePart = {
  backup: { webhooks: 'id version url events filters api created_utc' },
  fill: async ({ must }) => {
    const webhook = { url: 'https://receiver.example/hook', events: ['event.created', 'event.updated'] }
    await must('POST', '/webhooks', { ...webhook, filters: { categories: 'jazz' } })
    await must('POST', '/webhooks', { ...webhook, active: false })
  },
  due: {
    make: async ({ must, rows }, { receiver }) => {
      const own = `whsec_${btoa('s'.repeat(32))}`
      for (let i = 0; i < 6; i++) {
        const events = ['venue.created', 'organizer.created']
        const { secret } = await must('POST', '/webhooks', { url: receiver.url, events, secret: own })
        receiver.secret = String(secret ?? own)
      }
      for (const table of ['webhook_places', 'webhook_resources'])
        await rows(`DELETE FROM ${table} WHERE webhook_id = (SELECT max(id) FROM webhooks)`)
      for (let id = 1; id <= 5; id++)
        await rows(`INSERT INTO webhook_deliveries
          (webhook_id, message_id, type, object_id, body, state, tries, at_utc, response, message)
          VALUES (1, 'old ${id}', '', 0, '', 'delivered', 1, ${LONG_AGO}, '', '')`)
    },
    leftAt: () => ({
      deliveries: `SELECT count(*) AS n FROM webhook_deliveries WHERE at_utc = ${LONG_AGO}`,
      beginning: 'SELECT count(*) AS n FROM webhooks WHERE id NOT IN (SELECT webhook_id FROM webhook_places)',
      messages:
        'SELECT count(*) AS n FROM webhook_places AS place JOIN changes ON changes.kind = place.kind AND changes.change_number > place.n',
    }),
  },
  rights: [[/^(?:GET|POST) \/admin\/webhooks\//, 'administrator']],
  attacked: [
    {
      path: '/webhooks',
      // Nobody is there.
      makeRow: async ({ must }) =>
        (await must('POST', '/webhooks', { url: 'https://nobody.invalid/', active: false })).id,
    },
  ],
  fields: {
    plural: 'webhooks',
    samples: FIELDS,
    schema: webhookFields,
    required: () => ({ url: 'https://nobody.invalid/hook' }),
  },
  requestsAfterWrite: WEBHOOK_WORK.messagesAfterWrite,
}
