import { entriesOf } from '../../forms/entries.ts'
import { EVENT_FORM } from '../../forms/forms.ts'
import { freshField } from '../../forms/render.ts'
import { FIELDS_PATH } from '../../forms/repetition/fields.ts'
import type { Area } from '../area.ts'
import { defineAction } from '../route.ts'

/**
 * The fields of a repetition as they are with what a form holds by now: words made from the start, and the next dates. It is
 * for scripts, while somebody types; it works out what the form says, and reads and writes nothing.
 */
const fields = defineAction({
  path: `/admin${FIELDS_PATH}`,
  requires: 'edit_content',
  handle: (admin, { form }) => ({
    body: freshField(admin, EVENT_FORM, 'recurrence', entriesOf(form)),
    type: 'text/html; charset=utf-8',
  }),
})

/** The repetition of events. */
export const repetitionArea: Area = { routes: [fields] }
