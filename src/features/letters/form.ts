import { paramsOf } from '../../resources/content/fields.ts'
import { hour, weekday } from '../../web/forms/controls/choice.ts'
import { languageChoice } from '../../web/forms/controls/settings.ts'
import { lines, queryControl } from '../../web/forms/controls/text.ts'
import { defineForm, inFirst } from '../../web/forms/form.ts'
import { LETTER_FIELDS } from './schema.ts'
import { LETTER_WEEKDAYS } from './tables.ts'

/** The form of letters. */
export const LETTER_FORM = defineForm('letter', paramsOf(LETTER_FIELDS), {
  name: inFirst(),
  to: inFirst(),
  weekday: inFirst(weekday(LETTER_WEEKDAYS)),
  hour: { ...inFirst(hour), isBeside: true },
  days: inFirst(),
  subject: inFirst(),
  intro: inFirst(lines(4)),
  language: inFirst(languageChoice),
  filters: inFirst(queryControl),
  empty: inFirst(),
  active: null,
})
