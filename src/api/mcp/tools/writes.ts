import { flagSchema, type Schema, type Tool, textSchema, whole } from '../tool.ts'
import { eventPathOf, WHOLE_EVENT, wholeEvent } from './get-event.ts'

const DATE =
  'As "2027-06-10 20:00:00", by the clocks of the event\'s time zone, or ISO 8601 with an offset, or in English words.'

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
      'Id of a venue (list_venues), or an object that describes it: venue (its name), address, city, country. One that is known is taken, else it is made: with a draft as a draft, with a change public at once where the user may publish.',
  },
  organizer: {
    type: ['integer', 'object'],
    description:
      'Id of an organizer, or an object: organizer (the name), email, website. A new one is made as a venue is.',
  },
  categories: names('Names of categories.'),
  tags: names('Names of tags.'),
  event_status: textSchema('Whether it takes place.', {
    enum: ['scheduled', 'canceled', 'postponed', 'rescheduled'],
  }),
  event_status_reason: textSchema('Why it was canceled, postponed or rescheduled.'),
  is_virtual: flagSchema('Takes place online, also or only.'),
  virtual_url: textSchema('Where to take part online.'),
}

export const createDraft: Tool = {
  name: 'create_draft',
  title: 'Draft an event',
  description:
    'Adds an event to this calendar as a draft, which the public does not see: a person looks at it and publishes it. Look with search_events first whether it is there already. The answer is the draft as it was stored.',
  requires: 'edit_content',
  args: FIELDS,
  required: ['title', 'start_date', 'end_date'],
  fields: WHOLE_EVENT,
  run: async ({ api }, args) => {
    const request = { method: 'POST', path: '/events', body: { ...args, status: 'draft' } }
    const event = await api.write(request, { isDraft: true })
    return wholeEvent(event, `Draft ${event.id} was made. It is not public until somebody publishes it.`)
  },
}

export const updateEvent: Tool = {
  name: 'update_event',
  title: 'Change an event',
  description:
    'Changes the named fields of an event and no others, with the rights of the user whose password is used. A change of a published event is public at once. It neither publishes nor deletes. The answer is the event as it is then.',
  requires: 'edit_content',
  args: {
    id: whole('Id of the event.', { minimum: 1 }),
    ...FIELDS,
    scope: textSchema('Of an event that repeats: this date only (default), this and all following, or all.', {
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
