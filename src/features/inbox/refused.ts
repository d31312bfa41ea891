import { MAX_RECEIVED_LENGTH } from './limits.ts'

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
