import type { Mailer, RequestContext } from '../../context.ts'
import { assertMailer } from '../../http/mail.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Settings } from '../../settings.ts'

/** Whoever asks people for their data says who that is, and what becomes of it. */
const isWanted = ({ website, registrations }: Settings): boolean =>
  website.isOn && website.links.imprint !== '' && website.links.privacy !== '' && registrations.firstMails > 0

/** Tells whether people can register here. */
export const isRegistrationOn = ({
  mailer,
  settings,
}: Pick<RequestContext, 'mailer' | 'settings'>): boolean => mailer !== undefined && isWanted(settings)

/** Returns the sender of e-mails. @throws ApiError `rest_mail_unavailable` where nobody can register */
export function assertRegistrationOn({
  mailer,
  settings,
}: Pick<RequestContext, 'mailer' | 'settings'>): Mailer {
  const sender = assertMailer(mailer)
  if (isWanted(settings)) return sender
  throw new ApiError(
    'rest_mail_unavailable',
    'Nobody can register here: the calendar has no imprint, no privacy page or no pages, or REGISTRATION_FIRST_MAILS is 0.',
  )
}
