import { FREE_PLAN } from '../../kit/lib/budgets.ts'
import { MESSAGE_PAUSES_MS, type WaitingWork } from '../../kit/lib/retries.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kit/lib/time.ts'

const SENDING_MS = 20_000
const PATIENCE_MS = 15_000

export const WEBHOOK_WORK = {
  /**
   * Messages that a run of the cron sends, and messages that a write sends at once, leaving others to the
   * cron. Each is a request.
   */
  messages: 30,
  messagesAfterWrite: 10,
  /** Milliseconds that signing a message takes. */
  cpuOfMessage: 0.2,
  /**
   * Statements for a webhook: one for what its filters name, one read of each of three resources, and seven
   * that store the outcome.
   */
  ofWebhook: 1 + 3 + 7,
  /** Statements reserved for other work that follows a response. */
  forOtherWork: 3,
  /** The number of times that a run reads further changes that arrived while it was sending. */
  rounds: 4,
  /**
   * Changes of a resource that a run reads for a webhook, and entries of the audit that name the changed
   * fields.
   */
  changes: 100,
  entries: 20,
  /**
   * Rows that may wait for a receiver that accepts nothing. Beyond that, no changes are read for it until it
   * accepts a message.
   */
  waiting: 20,
  /** The time after which no message is sent, the time to wait for a receiver, and the sum of both. */
  sendingMs: SENDING_MS,
  patienceMs: PATIENCE_MS,
  ms: SENDING_MS + PATIENCE_MS,
} as const

/**
 * Messages to webhooks. They have ids, so that receivers recognise repeated messages. The tenth try is the
 * last.
 */
export const WEBHOOKS_WAITING = {
  rowName: 'webhook',
  // One of the connections of an invocation stays free for its other requests.
  atOnce: FREE_PLAN.connections - 1,
  leaseMs: MINUTE_MS,
  retries: {
    pausesMs: [...MESSAGE_PAUSES_MS, 10 * HOUR_MS, 14 * HOUR_MS, 20 * HOUR_MS, DAY_MS],
    isEndless: false,
  },
} as const satisfies WaitingWork
