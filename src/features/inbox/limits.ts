// Limits on an e-mail from anybody, so that the time for reading it depends on its length alone. An e-mail
// that exceeds one of them is refused with a reason.

/** The most bytes of the headers of an e-mail, and of all its parts together. Real ones have 5 to 30 kB. */
export const MAX_HEADER_BYTES = 128_000

/** The most bytes of all texts, decoded. Newsletters have up to a tenth of that, with all their markup. */
export const MAX_TEXT_BYTES = 500_000

/** The most short lines: only texts have them. */
export const MAX_SHORT_LINES = 20_000
/** The bytes of a line that is not short: encoded files have 60 to 76 in each. */
export const SHORT_LINE_BYTES = 60

/**
 * The most lines: each costs the parser a turn, however short it is. Ten megabytes in Base64 have 130,000.
 */
export const MAX_LINES = 140_000

/** The most lines that could separate parts: those that begin with two hyphens. */
export const MAX_SEPARATORS = 2_000

/** The depth of parts in parts. */
export const MAX_DEPTH = 20

/** The most characters of a text that is kept. */
export const MAX_RECEIVED_LENGTH = 30_000

/** The most iCalendar files. Invitations have one or two. */
export const MAX_CALENDARS = 5

/** The most bytes of an iCalendar file, and what its repetitions may cost. */
export const MAX_CALENDAR_BYTES = 100_000
export const CALENDAR_LIMITS = { lines: 2_000, dates: 200, days: 500_000 } as const

/** Why an e-mail is refused, for the log. */
type RejectionReason =
  | 'switched_off'
  | 'too_large'
  | 'unreadable'
  | 'no_sender'
  | 'own_address'
  | 'mailing_list'
  | 'automatic'
  | 'calendar_file'
  | 'too_many_events'
  | 'no_event'
  | 'attached_mail'
  | 'outlook_file'
  | 'answer'
  | 'cancellation'

/** An e-mail that is refused for good. The message tells its sender why, in ASCII, as replies of SMTP do. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly reason: RejectionReason

  constructor(reason: RejectionReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

export const tooLong = (): Refused =>
  new Refused(
    'too_large',
    `The text of this e-mail has more than ${MAX_RECEIVED_LENGTH} characters. Please send the announcement alone.`,
  )
