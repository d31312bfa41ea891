import { WEBHOOK_WORK } from '../../lib/budgets.ts'
import { DAY_MS, formatInstant, toEpoch } from '../../lib/time.ts'
import type { Settings } from '../../settings.ts'
import {
  type Candidate,
  type DeliveredState,
  messageBody,
  messageId,
  stepsBetween,
  type WebhookRow,
} from './scan.ts'
import { type Message, type SendOutcome, send } from './send.ts'
import { typeOf, type WebhookKind } from './types.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The times after a failed try at which the next one is due, in milliseconds: the tenth try is the last. */
const PAUSES_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

/** The time of the next try; null if there were enough. @param tries those that have failed */
export function nextTry(tries: number, nowMs: number): string | null {
  const pause = PAUSES_MS[tries - 1]
  return pause === undefined ? null : formatInstant(nowMs + pause)
}

/** The time for which a receiver may fail before its webhook is switched off. */
const MOST_FAILING_MS = 5 * DAY_MS

/** After so many failures in a row, the others wait for the next run. */
const MOST_FAILURES = 5

/** A message with the outcome of its try. */
export type Delivery = Message & { outcome: SendOutcome; nextTry: string | null; tries: number; atMs: number }

/** What is known of a resource after a run. */
export type KnownSubject = Pick<Candidate, 'kind' | 'id'> &
  DeliveredState & { auditId: number; tries: number; nextTry: string | null }

/** What a run has done for a webhook. */
export type Done = {
  webhook: WebhookRow
  known: KnownSubject[]
  deliveries: Delivery[]
  /** The last change that was dealt with, by kind. */
  places: Map<WebhookKind, { n: number; id: number }>
  failingSince: string | null
  stopped: WebhookRow['stopped']
}

type Sending = { settings: Settings; nowMs: number; patienceMs?: number }

/** The messages that a run may still send, of all its webhooks. */
type MessageBudget = { messages: number }

/**
 * Tells a webhook of resources, one after the other, as far as messages, time and the receiver's patience allow. A resource
 * whose message fails waits, and so do its newer changes; others go on.
 *
 * @param candidates of each kind, in order
 */
export async function tell(
  webhook: WebhookRow,
  candidates: readonly Candidate[],
  { budget, ...sending }: Sending & { budget: MessageBudget },
): Promise<Done> {
  // Of JSON that was stored by writes.ts.
  const types = JSON.parse(webhook.events) as string[]
  const done: Done = {
    webhook,
    known: [],
    deliveries: [],
    places: new Map(),
    failingSince: webhook.failing_since_utc,
    stopped: '',
  }
  const startMs = Date.now()
  let failures = 0
  for (const candidate of candidates) {
    const { kind, id, now, isDue, isWaiting } = candidate
    // What waits is told with its next try, as it is then: one that is due and has changed is told once.
    if (isDue || !isWaiting) {
      if (budget.messages <= 0 || failures >= MOST_FAILURES || Date.now() - startMs > WEBHOOK_WORK.sendingMs)
        break
      const outcomes = await tellOne(done, candidate, { types, budget, ...sending })
      const last = outcomes.at(-1)
      failures = last?.isTaken === false ? failures + 1 : last ? 0 : failures
      if (last) note(done, last, sending.nowMs)
      // Whoever does not respond at all is not asked again in this run.
      if (done.stopped !== '' || (last && last.status === null)) failures = MOST_FAILURES
    }
    if (!isDue) done.places.set(kind, { n: now.n, id })
  }
  return done
}

/** Notes what an outcome says of the receiver. */
function note(done: Done, { isTaken, status }: SendOutcome, nowMs: number): void {
  if (isTaken) {
    done.failingSince = null
    return
  }
  done.failingSince ??= formatInstant(nowMs)
  if (status === 410) done.stopped = 'gone'
  else if (toEpoch(done.failingSince) <= nowMs - MOST_FAILING_MS) done.stopped = 'failing'
}

/** Tells a webhook of one resource. @returns the outcomes of its messages; a failure is the last */
async function tellOne(
  { webhook, known, deliveries }: Done,
  candidate: Candidate,
  { types, budget, ...sending }: Sending & { types: readonly string[]; budget: MessageBudget },
): Promise<SendOutcome[]> {
  const { kind, id, now, auditId } = candidate
  const { nowMs } = sending
  const subject = { ...candidate, n: now.n }
  const outcomes: SendOutcome[] = []
  let told = candidate.told
  for (const { word, after } of stepsBetween(told, now)) {
    const type = typeOf(kind, word)
    if (!types.includes(type)) continue
    const body = messageBody(subject, { api: webhook.api, word })
    const message = { id: messageId(webhook.id, subject, word), type, objectId: id, body }
    budget.messages -= 1
    const outcome = await send(webhook, message, sending)
    outcomes.push(outcome)
    // After the last of its tries, a newer change begins anew.
    const tries = candidate.isWaiting ? candidate.tries + 1 : 1
    const next = outcome.isTaken ? null : nextTry(tries, nowMs)
    deliveries.push({ ...message, outcome, nextTry: next, tries: outcome.isTaken ? 0 : tries, atMs: nowMs })
    if (!outcome.isTaken) {
      known.push({ kind, id, ...told, auditId: told === candidate.told ? 0 : auditId, tries, nextTry: next })
      return outcomes
    }
    told = after
  }
  const { isListed, isPublic, isCanceled } = now
  const isSame =
    told.isListed === isListed &&
    told.isPublic === isPublic &&
    told.isCanceled === isCanceled &&
    !candidate.tries
  // Of what it did not ask for, only what decides about other messages is written down.
  if (outcomes.length > 0 || !isSame) known.push({ kind, id, ...now, auditId, tries: 0, nextTry: null })
  return outcomes
}
