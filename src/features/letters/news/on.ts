import type { Mailer, RequestContext } from '../../../context.ts'
import { assertMailer } from '../../../http/mail.ts'
import { ApiError } from '../../../lib/errors.ts'
import type { Settings } from '../../../settings.ts'

/** Tells if news may be sent: whoever writes to strangers says who that is, and has pages on which they leave. */
export const maySendNews = ({ website }: Settings): boolean => website.isOn && website.links.imprint !== ''

const isWanted = (settings: Settings): boolean => settings.newsFirstMails > 0 && maySendNews(settings)

/** Tells if people can sign up to news. */
export const isNewsOn = ({ mailer, settings }: Pick<RequestContext, 'mailer' | 'settings'>): boolean =>
  mailer !== undefined && isWanted(settings)

/** Returns the sender of e-mails. @throws ApiError `rest_mail_unavailable` if nobody can sign up to news */
export function assertNews({ mailer, settings }: Pick<RequestContext, 'mailer' | 'settings'>): Mailer {
  const sender = assertMailer(mailer)
  if (!isWanted(settings))
    throw new ApiError(
      'rest_mail_unavailable',
      'Nobody can sign up to news here: the calendar has no imprint or no pages, or NEWS_FIRST_MAILS is 0.',
    )
  return sender
}
