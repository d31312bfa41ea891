import { mailed, mayWriteToStrangers } from '../../http/mail.ts'

/** People can register here. Whoever asks them for their data says what becomes of it. */
export const { isOn: isRegistrationOn, assertOn: assertRegistrationOn } = mailed(
  settings =>
    settings.registrations.firstMails > 0 &&
    settings.website.links.privacy !== '' &&
    mayWriteToStrangers(settings),
  'Nobody can register here: the calendar has no imprint, no privacy page or no pages, or REGISTRATION_FIRST_MAILS is 0.',
)
