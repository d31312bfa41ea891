/** The most bytes of an e-mail, as it travels: a poster of 1.4 MB fits. */
export const MAX_MAIL_BYTES = 2_000_000

/** The most characters of a text that is kept. */
export const MAX_RECEIVED_LENGTH = 30_000

/** The most iCalendar files. Invitations have one or two. */
export const MAX_CALENDARS = 5

/** The most bytes of an iCalendar file, and what its repetitions may cost. */
export const MAX_CALENDAR_BYTES = 100_000
export const CALENDAR_LIMITS = { lines: 2_000, dates: 200, days: 500_000 } as const

/** An e-mail that is refused for good. The message tells its sender why, in ASCII, as replies of SMTP do. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** Why, for the log: `too_large`. */
  readonly reason: string

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
