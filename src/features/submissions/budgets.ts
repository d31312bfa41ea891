import { RETRIES_OF_ROWS, type WaitingWork } from '../../kit/lib/retries.ts'

/** The most submissions that a run of the cron changes. */
export const MAX_DELETED_ROWS = 200

/** Telling visitors how editors decided about their submissions (sender-mails.ts). */
export const DECISION_WORK = {
  look: 1,
  /** The budget of an e-mail: claiming it, and postponing it if the platform refuses it. */
  ofPerson: { statements: 4, requests: 1, cpuMs: 0.1, ms: 15_000 },
} as const

/** Decisions about submissions. After two days, it is too late to tell the sender. */
export const DECISIONS_WAITING = {
  rowName: 'decision',
  atOnce: 10,
  leaseMs: null,
  retries: RETRIES_OF_ROWS,
} as const satisfies WaitingWork
