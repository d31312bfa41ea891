import { WEBHOOK_WORK } from '../../lib/budgets.ts'
import { DAY_MS, formatInstant, HOUR_MS, MINUTE_MS, toEpoch } from '../../lib/time.ts'
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

/** The times between a failed try and the next one, in milliseconds: the tenth try is the last. */
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

/** The time of the next try; null after the last one. @param tries the number of failed tries */
export function nextTry(tries: number, nowMs: number): string | null {
  const pause = PAUSES_MS[tries - 1]
  return pause === undefined ? null : formatInstant(nowMs + pause)
}

/** The time for which a receiver may fail before its webhook is switched off. */
const MOST_FAILING_MS = 5 * DAY_MS

/** After this many failures in a row, the other messages wait for the next run. */
const MOST_FAILURES = 5

/** A message with the outcome of its try. */
export type Delivery = Message & { outcome: SendOutcome; nextTry: string | null; tries: number; atMs: number }

/** The state of a resource after a run, as the webhook knows it. */
export type KnownSubject = Pick<Candidate, 'kind' | 'id'> &
  DeliveredState & { auditId: number; tries: number; nextTry: string | null }

/** The work of a run for one webhook. */
export type Done = {
  webhook: WebhookRow
  known: KnownSubject[]
  deliveries: Delivery[]
  /** The last change that the run has handled, by kind. */
  places: Map<WebhookKind, { n: number; id: number }>
  failingSince: string | null
  stopped: WebhookRow['stopped']
}

type Sending = { settings: Settings; nowMs: number; patienceMs?: number }

/** The number of messages that a run may still send to a webhook. */
type MessageBudget = { messages: number }

/**
 * Sends a webhook the messages about some resources, one after the other, until messages or time run out or the
 * receiver has failed too often. A resource whose message fails waits, with its newer changes; others go on.
 *
 * @param candidates of each kind, in order
 */
export async function tell(
  webhook: WebhookRow,
  candidates: readonly Candidate[],
  { budget, ...sending }: Sending & { budget: MessageBudget },
): Promise<Done> {
  // writes.ts stored this JSON.
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
    // A waiting resource has to wait for its next try, which sends its state at that time: a resource that is due and
    // has changed again is not sent twice.
    if (isDue || !isWaiting) {
      if (budget.messages <= 0 || failures >= MOST_FAILURES || Date.now() - startMs > WEBHOOK_WORK.sendingMs)
        break
      const outcomes = await tellOne(done, candidate, { types, budget, ...sending })
      const last = outcomes.at(-1)
      failures = last?.isTaken === false ? failures + 1 : last ? 0 : failures
      if (last) note(done, last, sending.nowMs)
      // A receiver that doesn't respond at all gets nothing more in this run.
      if (done.stopped !== '' || (last && last.status === null)) failures = MOST_FAILURES
    }
    if (!isDue) done.places.set(kind, { n: now.n, id })
  }
  return done
}

/** Records whether the receiver works. */
function note(done: Done, { isTaken, status }: SendOutcome, nowMs: number): void {
  if (isTaken) {
    done.failingSince = null
    return
  }
  done.failingSince ??= formatInstant(nowMs)
  if (status === 410) done.stopped = 'gone'
  else if (toEpoch(done.failingSince) <= nowMs - MOST_FAILING_MS) done.stopped = 'failing'
}

/** Sends a webhook the messages about one resource. @returns their outcomes; a failure is the last one */
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
    // A change after the last try starts at the first try again.
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
  // If no message was sent, only changes of state that decide about later messages are stored.
  if (outcomes.length > 0 || !isSame) known.push({ kind, id, ...now, auditId, tries: 0, nextTry: null })
  return outcomes
}
