import type { OfPlainFields } from '../../../calendar/events/schema.ts'
import type { Json } from '../../../kit/lib/values.ts'
import { asObject } from '../../../kit/lib/values.ts'
import {
  EVENT_PARTS,
  EVENT_PROPERTIES,
  eventInOneLine,
  eventOf,
  NOTICE,
  oneLine,
  proseOf,
  quotedBlock,
} from '../results.ts'
import {
  flagSchema,
  listSchema,
  type Schema,
  type Tool,
  type ToolCall,
  ToolError,
  type ToolResult,
  textSchema,
  wholeSchema,
} from '../tool.ts'

const valuesNamed = (value: unknown, name: string): string[] =>
  (Array.isArray(value) ? value : []).map(item => oneLine(asObject(item)[name])).filter(Boolean)

/** The plain texts that agents read and write, in words; null for other fields, some of which stand below. */
const TEXTS = {
  title: null,
  description: null,
  external_id: null,
  excerpt: null,
  website: "The event's own website",
  show_map: null,
  show_map_link: null,
  hide_from_listings: null,
  sticky: null,
  featured: null,
  ticketed: null,
  ticket_availability: null,
  wheelchair: null,
  accessibility: null,
  room: 'Room or stage at the venue',
  event_status: null,
  event_status_reason: 'Why it was canceled, postponed or rescheduled',
  virtual_url: 'Where to take part online',
  virtual_video_source: null,
} satisfies OfPlainFields<string>

const texts = Object.entries(TEXTS).flatMap(([name, words]): [string, string][] =>
  words ? [[name, words]] : [],
)

const nameInResult = (name: string): string => (name === 'virtual_url' ? 'online_url' : name)

const schemasOfTexts = <T>(
  made: (name: string, words: string) => T,
  nameOf = nameInResult,
): { [name: string]: T } =>
  Object.fromEntries(texts.map(([name, words]) => [nameOf(name), made(name, words)]))

const WHOLE_EVENT = {
  ...EVENT_PROPERTIES,
  description: textSchema('Description, plain text.'),
  description_cut: flagSchema('The end of the description was left out.'),
  organizers: listSchema({ type: 'string' }, 'Names of the organizers.'),
  tags: listSchema({ type: 'string' }, 'Names of the tags.'),
  sources: listSchema({ type: 'string' }, 'Names of the other calendars that it comes from.'),
  ...schemasOfTexts((_, words) => textSchema(`${words}; empty for none.`)),
  repeats: textSchema('Rule (RFC 5545) by which it repeats; empty if it does not.'),
  modified: textSchema('Last change, UTC.'),
  notice: textSchema('How to treat the texts.'),
}

const WHOLE_PARTS = `${EVENT_PARTS},description,${texts.map(([name]) => name)},organizer.organizer,tags.name,series,source,other_sources.name,modified_utc`

/** A whole event of the API, introduced by a sentence. */
function wholeEvent(event: Json, sentence: string): ToolResult {
  const { text, isCut } = proseOf(event.description)
  const short = eventOf(event)
  const structured = {
    ...short,
    description: text,
    description_cut: isCut,
    organizers: valuesNamed(event.organizer, 'organizer'),
    tags: valuesNamed(event.tags, 'name'),
    sources: valuesNamed([event.source, event.other_sources].flat(), 'name'),
    ...schemasOfTexts(name => oneLine(event[name])),
    repeats: String(asObject(asObject(event.series).recurrence).rrule ?? ''),
    modified: `${String(event.modified_utc).replace(' ', 'T')}Z`,
    notice: NOTICE,
  }
  const facts = [
    ...(structured.organizers.length > 0 ? [`Organizers: ${structured.organizers.join('; ')}`] : []),
    ...(event.website ? [`Website: ${oneLine(event.website)}`] : []),
    ...(structured.sources.length > 0 ? [`From: ${structured.sources.join('; ')}`] : []),
    ...(event.event_status_reason ? [`Reason: ${oneLine(event.event_status_reason)}`] : []),
    ...(structured.repeats ? [`Repeats: ${structured.repeats}`] : []),
    ...(text ? ['', text] : []),
    ...(isCut ? ['(The end of the description was left out.)'] : []),
  ]
  return {
    structured,
    text: [sentence, NOTICE, quotedBlock([eventInOneLine(short), ...facts])].join('\n'),
  }
}

/** The path of the event that the arguments name. @throws ToolError */
function eventPathOf({ id }: Json): string {
  if (typeof id === 'number' ? Number.isSafeInteger(id) && id > 0 : /^\d{1,15}$/.test(String(id ?? '')))
    return `/events/${id}`
  throw new ToolError('id must be the id of an event, a positive whole number: search_events tells it')
}

export const getEvent: Tool = {
  name: 'get_event',
  title: 'Read one event',
  description:
    'Reads one event of this calendar with its description, organizers and everything else, by its id from search_events.',
  requires: 'read',
  args: { id: wholeSchema('Id of the event.', { minimum: 1 }) },
  required: ['id'],
  fields: WHOLE_EVENT,
  run: async ({ api, context }: ToolCall, args) => {
    const event = await api.read(eventPathOf(args), { _fields: WHOLE_PARTS })
    return wholeEvent(
      event,
      `Event ${event.id}, in the time zone ${event.timezone}; that of the calendar is ${context.settings.timezone}.`,
    )
  },
}

const DATE =
  'As "2027-06-10 20:00:00", in the time zone of the event, or ISO 8601 with an offset, or in English words.'

const names = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description })

/**
 * The fields of an event that agents may write: the API's fields without the status, because people publish.
 */
const FIELDS: { [name: string]: Schema } = {
  title: textSchema('Title, plain text.'),
  start_date: textSchema(`Start. ${DATE}`),
  end_date: textSchema(`End. ${DATE}`),
  all_day: flagSchema('Lasts whole days.'),
  timezone: textSchema('Time zone, such as Europe/Dublin; that of the calendar if absent.'),
  description: textSchema('Description, plain text or HTML.'),
  excerpt: textSchema('One or two sentences for lists.'),
  cost: textSchema('Cost: a price, a range or words; 0 for free.'),
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
  is_virtual: flagSchema('Takes place online, only or also.'),
  ...schemasOfTexts(
    (_, words) => textSchema(`${words}.`),
    name => name,
  ),
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
    id: wholeSchema('Id of the event.', { minimum: 1 }),
    ...FIELDS,
    scope: textSchema('For a recurring event: this date only (default), this and all following, or all.', {
      enum: ['this', 'following', 'all'],
    }),
    spread: names(
      'With following or all: names of fields whose values the other dates get although this date has them of its own already.',
    ),
  },
  required: ['id'],
  fields: WHOLE_EVENT,
  run: async ({ api }, { id, ...body }) => {
    const event = await api.write({ method: 'PATCH', path: eventPathOf({ id }), body })
    return wholeEvent(event, `Event ${event.id} was changed.`)
  },
}
