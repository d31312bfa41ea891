import { sql } from 'drizzle-orm'
import { type ListFilters, rowsChosenBy } from '../../calendar/changes/followed-lists.ts'
import { checkedBy, checkedJson } from '../../calendar/content/backup-tables.ts'
import { type Dependent, LIST_FILTERS } from '../../calendar/content/dependents.ts'
import { EVENT_FIELDS } from '../../calendar/events/schema.ts'
import { defineFeature, type Feature, writingTask } from '../../feature.ts'
import { newestId } from '../../kit/db/bulk.ts'
import { build } from '../../kit/db/statements.ts'
import { audit } from '../../kit/db/tables.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { webhooksArea } from './area.ts'
import { WEBHOOK_WORK } from './budgets.ts'
import { oldDeliveries } from './outcome.ts'
import { webhookRoutes } from './routes.ts'
import { notifySoon, notifyWebhooks } from './run.ts'
import { webhookDueSql } from './scan.ts'
import { kindsOf, webhookFields } from './schema.ts'
import { newWebhookSecret } from './send.ts'
import { webhookDeliveries, webhookPositions, webhookResources, webhooks } from './tables.ts'
import words from './words.ts'
import {
  resumeWebhooks,
  snapshotStatements,
  webhookSuspensionStatements,
  webhookToResumeSql,
  webhookToSuspendSql,
} from './writes.ts'

const SECRET = 'Restored webhooks get new secrets.'
const STARTS_ANEW = 'Restored webhooks are switched off, and start from what their lists show then.'

/** The scan of changes finds everything that happens to content, and notifies the receiver. */
const FOLLOWED_BY_SCAN: Dependent = { event: {}, venue: { merged: false }, organizer: { merged: false } }

const DECLARED = {
  errors: {
    404: {
      'rest-webhook-not-found': 'There is no such webhook.',
      'webhook-archive-page-not-found': 'The list has no such page.',
      'rest-delivery-not-found': 'There is no such delivery, or it has been deleted.',
      'delivery-archive-page-not-found': 'The list has no such page.',
    },
    409: {
      'webhooks-are-too-many': 'The maximum number of webhooks has been reached.',
    },
  },
  capabilities: { manage_webhooks: 'administrator' },
  words,
  fields: { webhook: webhookFields.shape },
  history: { webhook: { table: webhooks, requires: 'manage_webhooks' } },
} as const

/** Messages to other services about changes, as Standard Webhooks describes them. */
export const webhooksFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'webhooks',
  declares: DECLARED,
  tables: { webhooks, webhookPositions, webhookResources, webhookDeliveries },
  backup: {
    webhooks: {
      omittedColumns: {
        secret: SECRET,
        old_secret: SECRET,
        old_secret_until_utc: SECRET,
        active: STARTS_ANEW,
        stopped: STARTS_ANEW,
        failing_since_utc: STARTS_ANEW,
        served_utc: STARTS_ANEW,
        lease: STARTS_ANEW,
        audit_id: STARTS_ANEW,
      },
      checks: {
        url: checkedBy(webhookFields.shape.url),
        events: checkedJson(checkedBy(webhookFields.shape.events)),
        filters: checkedJson(checkedBy(webhookFields.shape.filters)),
        api: checkedBy(EVENT_FIELDS.website.param),
      },
      toRow: row => ({ ...row, active: false, secret: newWebhookSecret(), audit_id: 0 }),
      extraStatements: (context, rows) =>
        rows.flatMap(row =>
          snapshotStatements({
            webhook: sql`${row.id}`,
            kinds: kindsOf(storedJson<string[]>(String(row.events))),
            chosen: rowsChosenBy(context, storedJson<ListFilters>(String(row.filters))),
          }),
        ),
      endStatements: () => [build.update(webhooks).set({ audit_id: sql`coalesce(${newestId(audit)}, 0)` })],
      note: 'Webhooks are switched off, and have new secrets, which their receivers need.',
      isContent: true,
    },
    webhookPositions: STARTS_ANEW,
    webhookResources: STARTS_ANEW,
    webhookDeliveries: 'A log of messages.',
  },
  references: {
    webhooks: { filters: LIST_FILTERS },
    webhookResources: { id: FOLLOWED_BY_SCAN },
    webhookDeliveries: { object_id: FOLLOWED_BY_SCAN },
  },
  routes: webhookRoutes,
  docTags: { webhooks: 'Addresses that are notified of changes, for administrators.' },
  middleware: notifySoon,
  area: webhooksArea,
  tasks: ({ db, settings, nowMs }) => [
    {
      name: 'webhooks that begin',
      dueSql: webhookToResumeSql(nowMs),
      work: () => resumeWebhooks({ db, settings, nowMs }),
    },
    {
      name: 'webhooks',
      dueSql: webhookDueSql(nowMs),
      work: () => notifyWebhooks({ db, settings, nowMs, messages: WEBHOOK_WORK.messages }),
    },
    writingTask(db, {
      name: 'webhooks that are off',
      runsWhile: 'off',
      dueSql: webhookToSuspendSql,
      statements: webhookSuspensionStatements,
    }),
  ],
  expired: nowMs => [oldDeliveries(nowMs)],
})
