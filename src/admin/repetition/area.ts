import { ApiError } from '../../lib/errors.ts'
import type { Area } from '../area.ts'
import { entriesOf } from '../forms/entries.ts'
import { EVENT_FORM } from '../forms/forms.ts'
import { viewOf } from '../forms/render.ts'
import { defineAction } from '../route.ts'
import { FIELDS_PATH } from './fields.ts'

/**
 * The fields of a repetition as they are with what a form holds by now: words made from the start, and the next dates. It is
 * for scripts, while somebody types; it works out what the form says, and reads and writes nothing.
 */
const fields = defineAction({
  path: `/admin${FIELDS_PATH}`,
  requires: 'edit_content',
  handle: (admin, { form }) => {
    const field = EVENT_FORM.fields.find(({ name }) => name === 'recurrence')
    if (!field) throw new ApiError('rest_internal_error', 'The form of events has no repetition.')
    const state = { entries: entriesOf(form), choices: {}, errors: new Map<string, string>() }
    return {
      body: String(field.control.render(viewOf(admin, EVENT_FORM, state, field))),
      type: 'text/html; charset=utf-8',
    }
  },
})

/** The repetition of events. */
export const repetitionArea: Area = { routes: [fields] }
