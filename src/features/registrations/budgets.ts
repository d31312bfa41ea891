export const REGISTRATION_WORK = {
  /**
   * E-mails that are claimed and sent together: a Worker that is killed in between loses no more than these.
   */
  mailsPerGroup: 5,
  /** The budget of a group: claiming and reading the e-mails, and storing the outcomes. */
  ofGroup: { statements: 6, requests: 5, cpuMs: 2, ms: 15_000 },
  /** Registrations that a run looks at, and the budget of one. */
  registrationsPerRun: 20,
  ofChange: { statements: 12, cpuMs: 1 },
  /** The budget for changing the ticket status of an event, or of all dates of a series. */
  ofTicketChange: { statements: 30, cpuMs: 2 },
  movedUpAtOnce: 20,
} as const

/**
 * The minutes from the last change of an event until people are notified, and between two changes of its
 * tickets.
 */
export const QUIET_MINUTES = 10

export const FIRST_MAILS = {
  /** First e-mails per day to a mailbox: about one event, and about all events. */
  ofMailboxAndEvent: 2,
  ofMailbox: 6,
  /** First e-mails per hour from a network, unconfirmed ones only: without and with Turnstile. */
  ofNetwork: 5,
  ofNetworkWithTurnstile: 20,
} as const

/**
 * Changes of the number of places per day on somebody's own page. Confirming happens once, and cancelling has
 * no limit.
 */
export const OWN_CHANGES = 30

/**
 * The days after which an unconfirmed address is erased, and the days after which any other address is erased
 * if no date is to come: for a postponed event, a new date may never be named.
 */
export const UNCONFIRMED_DAYS = 1
export const MAX_WAITING_DAYS = 400

/** People are told of a date that is added if it is within this number of days. */
export const NEW_DATE_DAYS = 400

/** The days after which an e-mail that the platform refuses is erased: by then, its news is old. */
export const REFUSED_MAIL_DAYS = 3
