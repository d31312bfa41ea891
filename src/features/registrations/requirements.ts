import { mailed, mayWriteToStrangers } from '../../kit/work/mail.ts'

/** True if people can register here. A calendar that asks for their data has to say what it does with it. */
export const { isOn: isRegistrationOn, assertOn: assertRegistrationOn } = mailed(
  settings =>
    settings.registrations.firstMails > 0 &&
    settings.website.links.privacy !== '' &&
    mayWriteToStrangers(settings),
  'Nobody can register here: the calendar has no imprint, no privacy page or no pages, or REGISTRATION_FIRST_MAILS is 0.',
)
