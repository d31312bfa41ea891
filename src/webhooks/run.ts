import type { RequestContext } from '../context.ts'
import { isConflict } from '../db/conflicts.ts'
import type { Database } from '../db/database.ts'
import { inOrder } from '../db/query.ts'
import { attempt } from '../http/log.ts'
import { ANONYMOUS } from '../lib/roles.ts'
import { formatInstant } from '../lib/time.ts'
import type { Settings } from '../settings.ts'
import { commit, MOST_STATEMENTS } from './commit.ts'
import { kindsOf } from './filters.ts'
import { type Done, tell } from './lane.ts'
import { activeWebhooks, type Candidate, candidatesOf, claim, type WebhookRow } from './scan.ts'

/** Statements that an invocation may make on the free plan, less a few for what else it does. */
const MOST_OF_INVOCATION = 45

/** Statements that a webhook takes at most: a look at each kind of resource, and writing down what was done. */
const OF_WEBHOOK = 3 + MOST_STATEMENTS

/** Webhooks that are told at the same time: Workers have six connections. */
const MOST_WEBHOOKS = 5

/** So often a run goes on with what was changed while it was sending. */
const MOST_ROUNDS = 4

type Run = {
  db: Database
  settings: Settings
  nowMs: number
  /** Messages that may be sent: each is a subrequest. */
  messages: number
  patienceMs?: number
  /** The id of the only webhook that may be told. */
  only?: number
}

/** What has come of a run. */
type ToldCounts = {
  /** The number of webhooks that are told anything. */
  active: number
  /** True if a message failed for the first time, so that it is soon due again. */
  isSoonDue: boolean
}

/**
 * Tells webhooks what has changed, as far as statements and messages allow. Can run twice at the same time: each webhook is
 * taken by one run. What a run that is killed has sent and not written down is sent again.
 */
export async function tellWebhooks({
  db,
  messages,
  only,
  nowMs: startMs,
  ...rest
}: Run): Promise<ToldCounts> {
  const budget = { messages }
  const aheadMs = startMs - Date.now()
  const told = { active: 0, isSoonDue: false }
  const failed: number[] = []
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const left = MOST_OF_INVOCATION - db.metrics.statements - 2
    const most = Math.min(MOST_WEBHOOKS, Math.floor(left / OF_WEBHOOK), budget.messages)
    if (most < 1) break
    const run = { ...rest, nowMs: Date.now() + aheadMs }
    const [claimed, active] = await db.write([
      claim({ nowMs: run.nowMs, most, only, except: failed }),
      activeWebhooks,
    ])
    told.active = active
    if (claimed.length === 0) break
    const candidates = await lookAt(db, claimed, run)
    const share = Math.floor(budget.messages / claimed.length)
    const all = claimed.map(async (webhook, i) => {
      const done = await tell(webhook, candidates[i] ?? [], { ...run, budget: { messages: share } })
      budget.messages -= done.deliveries.length
      await writeDown(db, done)
      if (done.deliveries.some(({ outcome }) => !outcome.isTaken)) failed.push(webhook.id)
      told.isSoonDue ||= done.deliveries.some(({ outcome, tries }) => !outcome.isTaken && tries === 1)
    })
    await Promise.all(all)
  }
  return told
}

/** Of each webhook, the resources that it may have to be told of. */
async function lookAt(
  db: Database,
  claimed: readonly WebhookRow[],
  { settings, nowMs }: Pick<Run, 'settings' | 'nowMs'>,
): Promise<Candidate[][]> {
  const queries = claimed.map(webhook => {
    const context = contextOf(webhook, { db, settings, nowMs })
    // Of JSON that was stored by writes.ts.
    const kinds = kindsOf(JSON.parse(webhook.events) as string[])
    return inOrder(kinds.map(kind => candidatesOf(context, { webhook, kind, nowMs })))
  })
  const found = await db.get(inOrder(queries))
  // What is due comes first.
  return found.map(kinds => kinds.flat().sort((a, b) => Number(b.isDue) - Number(a.isDue)))
}

/** The context of conditions, where there is no request. */
function contextOf(
  { api }: WebhookRow,
  { db, settings, nowMs }: Pick<Run, 'db' | 'settings' | 'nowMs'>,
): RequestContext {
  const { origin: site, host } = new URL(api)
  return {
    db,
    caller: ANONYMOUS,
    requestId: '',
    media: undefined,
    images: undefined,
    now: formatInstant(nowMs),
    settings,
    ifMatch: undefined,
    ifNoneMatch: undefined,
    site,
    host,
    api,
  }
}

/** Writes down what was done. Where another run has the webhook by now, or somebody has changed it, they do it again. */
async function writeDown(db: Database, done: Done): Promise<void> {
  await attempt(`webhook ${done.webhook.id}`, async () => {
    try {
      await db.change(commit(done))
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  })
}
