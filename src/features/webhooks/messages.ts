import type { FollowedKind } from '../../calendar/changes/followed-lists.ts'
import { nextTryAt } from '../../kit/lib/retries.ts'
import { DAY_MS, formatInstant, isoUtc, toEpoch } from '../../kit/lib/time.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { WEBHOOK_WORK, WEBHOOKS_WAITING } from './budgets.ts'
import type { Candidate, ResourceState, WebhookRow } from './scan.ts'
import { type ChangeWord, typeOf } from './schema.ts'
import { type Message, type SendContext, type SendOutcome, sendMessage } from './send.ts'

/** The time for which a receiver may fail before its webhook is switched off. */
const MAX_FAILING_MS = 5 * DAY_MS

/** After this many failures in a row, the other messages wait for the next run. */
const MAX_FAILURES = 5

export type Delivery = Message & { outcome: SendOutcome; nextTry: string | null; tries: number; atMs: number }

/** The state of a resource after a run, as the webhook knows it. */
export type KnownResource = Pick<Candidate, 'kind' | 'id'> &
  ResourceState & { auditId: number; tries: number; nextTry: string | null }

export type WebhookOutcome = {
  webhook: WebhookRow
  known: KnownResource[]
  deliveries: Delivery[]
  /** The last change that the run has handled, by kind. */
  positions: Map<FollowedKind, { n: number; id: number }>
  failingSince: string | null
  stopped: WebhookRow['stopped']
}

type MessageStep = { word: ChangeWord; after: ResourceState }

/**
 * The messages about a resource since the last delivery, in order. `created`, `updated` or `deleted` says how
 * the list changed; `published` and `canceled` follow.
 */
function stepsBetween(before: ResourceState, now: ResourceState): MessageStep[] {
  if (!now.isListed) return before.isListed ? [{ word: 'deleted', after: now }] : []
  const knownState = { ...before, isListed: true, n: now.n }
  const steps: MessageStep[] = []
  if (!before.isListed) steps.push({ word: 'created', after: knownState })
  else if (now.n > before.n) steps.push({ word: 'updated', after: knownState })
  if (now.isPublic && !before.isPublic)
    steps.push({ word: 'published', after: { ...knownState, isPublic: true } })
  if (now.isCanceled && !before.isCanceled) steps.push({ word: 'canceled', after: now })
  return steps
}

/**
 * A message about a resource. Each try has the same id, so that a receiver can recognise a message that it
 * has already.
 */
function messageOf(
  webhook: WebhookRow,
  { kind, id, now, at, changed }: Candidate,
  word: ChangeWord,
): Message {
  const type = typeOf(kind, word)
  const data = { id, rest_url: `${webhook.api}/${kind}/${id}`, changed: word === 'deleted' ? [] : changed }
  return {
    id: `msg_${webhook.id}_${kind}_${id}_${now.n}_${word}`,
    type,
    objectId: id,
    body: JSON.stringify({ type, timestamp: isoUtc(at), data }),
  }
}

/**
 * Sends a webhook the messages about some resources, one after the other, until messages or time run out or
 * the receiver has failed too often. A resource whose message fails waits, with its newer changes; the others
 * continue.
 *
 * @param candidates the resources of each kind, in order
 * @param limit the number of messages after which no other resource begins
 */
export async function deliverMessages(
  webhook: WebhookRow,
  candidates: readonly Candidate[],
  { limit, ...sending }: SendContext & { limit: number },
): Promise<WebhookOutcome> {
  const result: WebhookOutcome = {
    webhook,
    known: [],
    deliveries: [],
    positions: new Map(),
    failingSince: webhook.failing_since_utc,
    stopped: '',
  }
  const startMs = Date.now()
  let failures = 0
  for (const candidate of candidates) {
    const { kind, id, now, isDue, isWaiting } = candidate
    // A waiting resource has to wait for its next try, which sends its state at that time: a resource that is
    // due and has changed again is not sent twice.
    if (isDue || !isWaiting) {
      const isLate = Date.now() - startMs > WEBHOOK_WORK.sendingMs
      if (result.deliveries.length >= limit || failures >= MAX_FAILURES || isLate) break
      const last = await deliverOne(result, candidate, sending)
      if (last) {
        recordHealth(result, last, sending.nowMs)
        failures = last.isAccepted ? 0 : failures + 1
        // A receiver that doesn't respond at all gets nothing more in this run.
        if (result.stopped !== '' || last.status === null) failures = MAX_FAILURES
      }
    }
    if (!isDue) result.positions.set(kind, { n: now.n, id })
  }
  return result
}

/** Records whether the receiver works. */
function recordHealth(result: WebhookOutcome, { isAccepted, status }: SendOutcome, nowMs: number): void {
  if (isAccepted) {
    result.failingSince = null
    return
  }
  result.failingSince ??= formatInstant(nowMs)
  if (status === 410) result.stopped = 'gone'
  else if (toEpoch(result.failingSince) <= nowMs - MAX_FAILING_MS) result.stopped = 'failing'
}

/**
 * Sends a webhook the messages about one resource, up to a failure.
 * @returns the last outcome; undefined if nothing was sent
 */
async function deliverOne(
  { webhook, known, deliveries }: WebhookOutcome,
  candidate: Candidate,
  sending: SendContext,
): Promise<SendOutcome | undefined> {
  const { kind, id, now, auditId } = candidate
  const types = storedJson<string[]>(webhook.events)
  let delivered = candidate.delivered
  let outcome: SendOutcome | undefined
  for (const { word, after } of stepsBetween(delivered, now)) {
    const message = messageOf(webhook, candidate, word)
    if (!types.includes(message.type)) continue
    outcome = await sendMessage(webhook, message, sending)
    const sentMessage = { ...message, outcome, atMs: sending.nowMs }
    if (!outcome.isAccepted) {
      // A change after the last try begins with the first try again.
      const tries = candidate.isWaiting ? candidate.tries + 1 : 1
      const next = nextTryAt(WEBHOOKS_WAITING.retries, tries, sending.nowMs)
      deliveries.push({ ...sentMessage, tries, nextTry: next })
      known.push({
        kind,
        id,
        ...delivered,
        auditId: delivered === candidate.delivered ? 0 : auditId,
        tries,
        nextTry: next,
      })
      return outcome
    }
    deliveries.push({ ...sentMessage, tries: 0, nextTry: null })
    delivered = after
  }
  const isSame = (['isListed', 'isPublic', 'isCanceled'] as const).every(
    name => delivered[name] === now[name],
  )
  // If no message was sent, only changes of state that decide about later messages are stored.
  if (outcome || !isSame || candidate.tries > 0)
    known.push({ kind, id, ...now, auditId, tries: 0, nextTry: null })
  return outcome
}
