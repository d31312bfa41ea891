import { mailed, mayWriteToStrangers } from '../../../kit/work/mail.ts'

export const { isOn: isNewsOn, assertOn: assertNews } = mailed(
  settings => settings.newsFirstMails > 0 && mayWriteToStrangers(settings),
  'Nobody can sign up to news here: the calendar has no imprint or no pages, or NEWS_FIRST_MAILS is 0.',
)
