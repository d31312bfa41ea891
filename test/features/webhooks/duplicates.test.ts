import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { rowsChosenBy } from '../../../src/calendar/changes/followed-lists.ts'
import { selectWebhookCandidates, type WebhookRow } from '../../../src/features/webhooks/scan.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { backgroundContext } from '../../../src/kit/http/request-context.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { API, declareUser, makeEvent, query, send } from '../../factories.ts'

const as = declareUser('administrator', 'admin')

it('a duplicate that is hidden has left the lists of webhooks', async () => {
  const shown = await makeEvent(as)
  const hidden = await makeEvent(as)
  const json = { url: 'https://nobody.invalid/', events: ['event.created', 'event.deleted'] }
  const { body } = await send('POST', '/webhooks', { as, json })
  await query('UPDATE events SET duplicate_of = ? WHERE id = ?', shown.id, hidden.id)
  const [webhook] = await query('SELECT * FROM webhooks WHERE id = ?', body.id)
  const nowMs = Date.now()
  const context = backgroundContext(
    { api: API },
    { db: new Database(env.DB), settings: settingsOf({}), nowMs },
  )
  // Of the table.
  const row = webhook as unknown as WebhookRow
  const chosenSql = rowsChosenBy(context, {})('events')
  const found = await context.db.read(
    selectWebhookCandidates({ webhook: row, kind: 'events', chosenSql, nowMs }),
  )
  expect(found.find(({ id }) => id === hidden.id)).toMatchObject({
    now: { isListed: false },
    delivered: { isListed: true },
  })
})
