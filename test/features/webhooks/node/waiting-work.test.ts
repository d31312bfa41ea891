import { WEBHOOKS_WAITING } from '../../../../src/features/webhooks/budgets.ts'
import { notifyWebhooks } from '../../../../src/features/webhooks/run.ts'
import { describeWaiting, EVENT } from '../../../waiting-work.ts'

await describeWaiting('webhooks', ({ calendar, server, settings }) => ({
  make: async names => {
    for (const name of names)
      await calendar.must('POST', '/webhooks', {
        url: `${server.address}/${name}`,
        events: ['event.created'],
      })
    await calendar.must('POST', '/events', EVENT)
  },
  run: db => notifyWebhooks({ db, settings, nowMs: Date.now(), messages: 30 }),
  tables: ['webhook_deliveries', 'webhook_resources', 'webhook_places', 'webhooks'],
  table: 'webhooks',
  isRowOf: name => `NEW.url LIKE '%/${name}'`,
  policy: WEBHOOKS_WAITING,
}))
