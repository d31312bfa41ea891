import { flagSchema, type Schema, type Tool, textSchema, whole } from '../tool.ts'
import { eventPathOf, WHOLE_EVENT, wholeEvent } from './get-event.ts'

const DATE =
  'As "2027-06-10 20:00:00", in the time zone of the event, or ISO 8601 with an offset, or in English words.'

const names = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description })

/** The fields of an event that agents may write: those of the API but for its status, since people publish. */
const FIELDS: { [name: string]: Schema } = {
  title: textSchema('Title, plain text.'),
  start_date: textSchema(`Start. ${DATE}`),
  end_date: textSchema(`End. ${DATE}`),
  all_day: flagSchema('Lasts whole days.'),
  timezone: textSchema('Time zone, such as Europe/Dublin; that of the calendar if absent.'),
  description: textSchema('Description, plain text or HTML.'),
  excerpt: textSchema('One or two sentences for lists.'),
  cost: textSchema('Cost: a price, a range or words; 0 for free.'),
  website: textSchema("The event's own website."),
  venue: {
    type: ['integer', 'object'],
    description:
      'Id of a venue (list_venues), or an object that describes it: venue (its name), address, city, country. A known one is used, otherwise it is created: as a draft along with a draft, public at once along with a change if the user may publish.',
  },
  organizer: {
    type: ['integer', 'object'],
    description:
      'Id of an organizer, or an object: organizer (the name), email, website. A new one is created like a venue.',
  },
  categories: names('Names of categories.'),
  tags: names('Names of tags.'),
  event_status: textSchema('Whether it takes place.', {
    enum: ['scheduled', 'canceled', 'postponed', 'rescheduled'],
  }),
  event_status_reason: textSchema('Why it was canceled, postponed or rescheduled.'),
  is_virtual: flagSchema('Takes place online, only or also.'),
  virtual_url: textSchema('Where to take part online.'),
}

export const createDraft: Tool = {
  name: 'create_draft',
  title: 'Draft an event',
  description:
    'Adds an event to this calendar as a draft, which the public does not see: a person reviews and publishes it. First use search_events to check whether it exists already. The result is the stored draft.',
  requires: 'edit_content',
  args: FIELDS,
  required: ['title', 'start_date', 'end_date'],
  fields: WHOLE_EVENT,
  run: async ({ api }, args) => {
    const request = { method: 'POST', path: '/events', body: { ...args, status: 'draft' } }
    const event = await api.write(request, { isDraft: true })
    return wholeEvent(event, `Draft ${event.id} was created. It is not public until somebody publishes it.`)
  },
}

export const updateEvent: Tool = {
  name: 'update_event',
  title: 'Change an event',
  description:
    'Changes the named fields of an event and no others, with the permissions of the user whose password is used. A change of a published event is public at once. It neither publishes nor deletes. The result is the updated event.',
  requires: 'edit_content',
  args: {
    id: whole('Id of the event.', { minimum: 1 }),
    ...FIELDS,
    scope: textSchema('For a recurring event: this date only (default), this and all following, or all.', {
      enum: ['this', 'following', 'all'],
    }),
  },
  required: ['id'],
  fields: WHOLE_EVENT,
  run: async ({ api }, { id, ...body }) => {
    const event = await api.write({ method: 'PATCH', path: eventPathOf({ id }), body })
    return wholeEvent(event, `Event ${event.id} was changed.`)
  },
}
