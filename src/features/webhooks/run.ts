import { createMiddleware } from 'hono/factory'
import { type ListFilters, selectChosen } from '../../calendar/changes/followed-lists.ts'
import type { CronRun } from '../../kit/context.ts'
import { Database } from '../../kit/db/database.ts'
import { isConflict } from '../../kit/db/failures.ts'
import { combineQueries } from '../../kit/db/query.ts'
import type { AppEnv } from '../../kit/env.ts'
import { backgroundContext, executionContextOf } from '../../kit/http/request-context.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { pause } from '../../kit/lib/pause.ts'
import { MINUTE_MS } from '../../kit/lib/time.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { runLogged } from '../../kit/work/error-log.ts'
import { reserveDue, tryRow } from '../../kit/work/leases.ts'
import { WEBHOOK_WORK, WEBHOOKS_WAITING } from './budgets.ts'
import { deliverMessages, type WebhookOutcome } from './messages.ts'
import { outcomeStatements } from './outcome.ts'
import {
  type Candidate,
  claimQuery,
  type RunnableWebhooks,
  selectActiveWebhookCount,
  selectNextWebhook,
  selectWebhookCandidates,
  type WebhookRow,
} from './scan.ts'
import { kindsOf } from './schema.ts'

const { rowName } = WEBHOOKS_WAITING

type WebhookRun = CronRun & {
  /** The number of messages that may be sent: each is a subrequest. */
  messages: number
  patienceMs?: number
  /** The id of the only webhook that may get messages. */
  onlyId?: number
}

type RunResult = {
  active: number
  /** True if a message failed for the first time, so that it is soon due again. */
  isSoonDue: boolean
}

/**
 * Sends webhooks messages about changes, within the limits of statements and messages. Can run twice at the
 * same time: only one run reserves each webhook. Messages that a killed run has sent but not recorded are
 * sent again. A webhook that fails is postponed, and doesn't hold up the others.
 */
export async function notifyWebhooks({
  db,
  messages,
  onlyId,
  nowMs: startMs,
  ...runOptions
}: WebhookRun): Promise<RunResult> {
  const { allowance } = db
  let remainingMessages = Math.min(
    messages,
    allowance.requests,
    Math.floor(allowance.cpuMs / WEBHOOK_WORK.cpuOfMessage),
  )
  const clockOffsetMs = startMs - Date.now()
  const result = { active: 0, isSoonDue: false }
  const failedIds: number[] = []
  for (let round = 0; round < WEBHOOK_WORK.rounds; round++) {
    const statements = allowance.statements - WEBHOOK_WORK.forOtherWork - 2
    const maxWebhooks = Math.min(
      WEBHOOKS_WAITING.atOnce,
      Math.floor(statements / WEBHOOK_WORK.ofWebhook),
      remainingMessages,
    )
    if (maxWebhooks < 1 || !allowance.has({ ms: WEBHOOK_WORK.ms })) {
      if (round === 0) allowance.postponed.add('webhooks')
      break
    }
    const run = { ...runOptions, nowMs: Date.now() + clockOffsetMs }
    const runnable = { nowMs: run.nowMs, limit: maxWebhooks, onlyId, except: failedIds }
    const reserved = await reserveDue(
      db,
      { rowName, nowMs: run.nowMs, next: selectNextWebhook(runnable) },
      () => reserve(db, runnable),
    )
    if (!reserved) continue
    const [claimed, active] = reserved
    result.active = active
    if (claimed.length === 0) break
    const share = Math.floor(remainingMessages / claimed.length)
    const deliveries = claimed.map(webhook =>
      tryRow(db, { rowName, id: webhook.id, nowMs: run.nowMs }, async () => {
        const delivered = await deliverMessages(webhook, await readCandidates(db, webhook, run), {
          ...run,
          limit: share,
        })
        const sentCount = delivered.deliveries.length
        remainingMessages -= sentCount
        allowance.spend({ requests: sentCount, cpuMs: sentCount * WEBHOOK_WORK.cpuOfMessage })
        if (sentCount >= share) allowance.postponed.add('webhooks')
        const refusals = delivered.deliveries.filter(({ outcome }) => !outcome.isAccepted)
        if (refusals.length > 0) failedIds.push(webhook.id)
        result.isSoonDue ||= refusals.some(({ tries }) => tries === 1)
        await storeOutcome(db, delivered)
      }),
    )
    await Promise.all(deliveries)
  }
  return result
}

/**
 * Reserves webhooks that have something to do, or only the first if one of them can't be reserved, and counts
 * the active ones.
 */
async function reserve(db: Database, runnable: RunnableWebhooks): Promise<[WebhookRow[], number]> {
  try {
    return await db.write(combineQueries([claimQuery(runnable), selectActiveWebhookCount]))
  } catch (error) {
    if (error instanceof ApiError || runnable.limit === 1) throw error
    return reserve(db, { ...runnable, limit: 1 })
  }
}

/** The resources that a webhook may have to be notified about. */
async function readCandidates(
  db: Database,
  webhook: WebhookRow,
  { settings, nowMs }: Pick<WebhookRun, 'settings' | 'nowMs'>,
): Promise<Candidate[]> {
  const context = backgroundContext(webhook, { db, settings, nowMs })
  const kinds = kindsOf(storedJson<string[]>(webhook.events))
  const chosen = await db.read(selectChosen(context, storedJson<ListFilters>(webhook.filters)))
  const candidates = await db.read(
    combineQueries(
      kinds.map(kind => selectWebhookCandidates({ webhook, kind, chosenSql: chosen(kind), nowMs })),
    ),
  )
  // Resources that are due come first.
  return candidates.flat().sort((a, b) => Number(b.isDue) - Number(a.isDue))
}

/**
 * Stores the work of a run. If another run has reserved the webhook by now, or somebody has changed it, the
 * next run does the work again.
 */
async function storeOutcome(db: Database, result: WebhookOutcome): Promise<void> {
  try {
    await db.write(outcomeStatements(result))
  } catch (error) {
    if (!isConflict(error)) throw error
  }
}

/** Milliseconds after which a first failure is tried again. */
const [PAUSE_MS] = WEBHOOKS_WAITING.retries.pausesMs

/** Milliseconds for which a database is assumed to have no webhook. */
const QUIET_MS = MINUTE_MS

/**
 * The time until which a database is assumed to have no webhook, in epoch milliseconds. Each instance of the
 * Worker has its own.
 */
let quietUntil = new WeakMap<D1Database, number>()

/** Makes the next write look for webhooks, because there may be one now. */
export const expectWebhooks = (): void => {
  quietUntil = new WeakMap()
}

/**
 * Sends webhooks their messages about a write right after its response, so that messages come within seconds.
 */
export const notifySoon = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { metrics, allowance } = c.get('db')
  const { DB } = c.env
  const context = executionContextOf(c)
  if (!context || metrics.rowsWritten === 0 || (quietUntil.get(DB) ?? 0) > Date.now()) return
  // The free plan counts all statements of an invocation together.
  const db = new Database(DB, allowance)
  const notify = () =>
    notifyWebhooks({
      db,
      settings: c.get('settings'),
      nowMs: Date.now(),
      messages: WEBHOOK_WORK.messagesAfterWrite,
    })
  const work = async () => {
    const { active, isSoonDue } = await notify()
    if (active === 0) quietUntil.set(DB, Date.now() + QUIET_MS)
    if (!isSoonDue) return
    await pause(PAUSE_MS)
    await notify()
  }
  // If this fails, the cron sends the messages once the database works again.
  context.waitUntil(runLogged('webhooks', work).catch(() => undefined))
})
