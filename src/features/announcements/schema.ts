import * as z from 'zod/mini'
import { date, documented, field, lazyObject, zone } from '../../kit/http/params.ts'
import { MISSING } from '../../kit/lib/reasons.ts'
import { dropControls } from '../../kit/lib/text.ts'
import { asText, refuse, requireLength } from '../../kit/lib/values.ts'
import { MAX_TEXT_LENGTH } from '../../readers/announcement.ts'
import { draftSchema, ignoredSchema, MAX_EVENTS } from '../../readers/announcements/drafts.ts'

const announcementText = () =>
  field(
    raw => {
      const text = dropControls(requireLength(asText(raw), MAX_TEXT_LENGTH))
      return text.trim() === '' ? refuse(MISSING) : text
    },
    {
      type: 'string',
      minLength: 1,
      maxLength: MAX_TEXT_LENGTH,
      description: 'What a club or a theatre has sent: plain text, or the HTML of a mail.',
      example: 'Film night: Casablanca, Friday 19 February, 7 pm, Village Hall. Admission £5',
    },
  )

export const draftRequest = lazyObject('DraftRequest', () => ({
  text: announcementText(),
  timezone: z.optional(
    zone({ description: 'The zone in which the text was written.', example: 'Europe/Dublin' }),
  ),
  now: z.optional(
    date({ description: 'When it was written, for «tomorrow» and days without a year. By default, now.' }),
  ),
}))

export const draftsSchema = lazyObject('EventDrafts', () => ({
  drafts: z.array(draftSchema()),
  ignored: documented(
    z.array(ignoredSchema()),
    'What the model gave and the drafts leave out, each with the index of its draft: its quote is not in the text (`not_in_text`) or does not say it (`not_in_quote`), the day or time does not exist or is more than two years away (`no_such_date`), the end is before the start (`ends_early`). Three reasons name what is in the draft and needs a look: another weekday in the text (`weekday`), an hour that may be in the morning (`half_of_day`), words that call something off (`called_off`).',
  ),
  has_more: documented(
    z.boolean(),
    `True if the text announces more than ${MAX_EVENTS} events, of which only the first are in \`drafts\`.`,
  ),
  read_by: documented(
    z.enum(['model', 'dates']),
    'Without a language model, or above the number of texts a day, only one plain day and one plain time are read (`dates`).',
  ),
}))
