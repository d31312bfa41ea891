import { eq, gt, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { ListFilters } from '../../calendar/changes/filters.ts'
import type { CronRun } from '../../kit/context.ts'
import { newestId } from '../../kit/db/bulk.ts'
import { literal, many, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { audit } from '../../kit/db/tables.ts'
import { contextOfCron } from '../../kit/http/request-context.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { notPostponedSql, tryRow } from '../../kit/work/leases.ts'
import { WEBHOOK_WORK, WEBHOOKS_WAITING } from './budgets.ts'
import { kindsOf } from './schema.ts'
import { webhookDeliveries, webhookPlaces, webhookResources, webhooks } from './tables.ts'
import { stockStatements } from './writes.ts'

// While webhooks are switched off, they have no positions: nothing is due for them. Switched on again, each
// begins with what its list shows then, like a new one.

/** A condition that is true if {@link suspensionOfWebhooks} has something to do. */
export const webhookToSuspendSql: SQL = sql`EXISTS (SELECT 1 FROM ${webhookPlaces})`

/** The statements that suspend webhooks. Messages that wait are not sent any more. */
export const suspensionOfWebhooks: readonly Statement[] = [
  build.delete(webhookPlaces),
  build
    .delete(webhookResources)
    .where(or(gt(webhookResources.tries, 0), isNotNull(webhookResources.next_try_utc))),
  sql`UPDATE ${webhookDeliveries} SET state = 'failed', next_try_utc = NULL WHERE state = 'waiting'`,
]

const { rowName, atOnce } = WEBHOOKS_WAITING

/** Suspended webhooks that may resume, in SQL from `FROM` on. */
const suspendedWebhooks = (nowMs: number): SQL =>
  sql`${webhooks} WHERE NOT EXISTS (SELECT 1 FROM ${webhookPlaces} AS place WHERE place.webhook_id = webhooks.id)
    AND ${notPostponedSql(rowName, nowMs, sql`webhooks.id`)}`

/** A condition that is true if {@link resumeWebhooks} has something to do. */
export const webhookToResumeSql = (nowMs: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${suspendedWebhooks(nowMs)})`

/** Resumes suspended webhooks: they begin with the present. */
export async function resumeWebhooks({ db, settings, nowMs }: CronRun): Promise<void> {
  const statements = WEBHOOK_WORK.ofWebhook
  if (!db.allowance.begin('webhooks', { statements: 1 + statements })) return
  const ids = sql`SELECT id FROM ${suspendedWebhooks(nowMs)} ORDER BY id LIMIT ${literal(atOnce)}`
  const rows = await db.read(many(build.select().from(webhooks).where(sql`${webhooks.id} IN (${ids})`)))
  await db.allowance.forEach('webhooks', { statements }, rows, webhook => {
    const kinds = kindsOf(storedJson<string[]>(webhook.events))
    const filters = storedJson<ListFilters>(webhook.filters)
    const context = contextOfCron(webhook, { db, settings, nowMs })
    return tryRow(db, { rowName, id: webhook.id, nowMs }, () =>
      db.write([
        ...stockStatements(context, { webhook: sql`${webhook.id}`, kinds, filters }),
        build
          .update(webhooks)
          .set({ audit_id: sql`coalesce(${newestId(audit)}, 0)` })
          .where(eq(webhooks.id, webhook.id)),
      ]),
    )
  })
}
