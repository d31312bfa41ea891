import { RETRIES_OF_ROWS, type WaitingWork } from '../../kit/lib/retries.ts'

export const REGISTRATION_WORK = {
  /**
   * E-mails that are claimed together and sent at the same time: a Worker that is killed in between loses no
   * more.
   */
  mailsPerGroup: 5,
  /** The budget of a group: claiming it with what it says, and storing the outcomes. */
  ofGroup: { statements: 6, requests: 5, cpuMs: 2, ms: 15_000 },
  /** Registrations that a run looks at, and the budget of one. */
  registrationsPerRun: 20,
  ofChange: { statements: 12, cpuMs: 1 },
  /** The budget of a change of an event's tickets, or of all dates of a series. */
  ofTicketChange: { statements: 30, cpuMs: 2 },
  movedUpAtOnce: 20,
} as const

/**
 * The minutes from the last change of an event until people are notified, and between two changes of its
 * tickets.
 */
export const QUIET_MINUTES = 10

export const FIRST_MAILS = {
  /** A day, to a mailbox about one event, and about all. */
  ofMailboxAndEvent: 2,
  ofMailbox: 6,
  /**
   * An hour, from a network (/64) that haven't been confirmed yet, and with Turnstile; from a /56 three times
   * as many.
   */
  ofNetwork: 5,
  ofNetworkWithTurnstile: 20,
  widerNetworkFactor: 3,
} as const

/** The days after which an address that nobody has confirmed is erased, and any other one at the latest. */
export const UNCONFIRMED_DAYS = 1
export const MAX_KEPT_DAYS = 400

/** The days after which an e-mail is erased that the platform does not take: what it says is old by then. */
export const REFUSED_MAIL_DAYS = 3

/** E-mails that wait. While the platform takes none, a run tries less and less often. */
export const REGISTRATION_MAILS = {
  rowName: 'registration',
  atOnce: REGISTRATION_WORK.mailsPerGroup,
  leaseMs: null,
  retries: RETRIES_OF_ROWS,
} as const satisfies WaitingWork
