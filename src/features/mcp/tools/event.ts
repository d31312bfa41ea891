import type { EventResponse, PlainFieldName } from '../../../calendar/events/schema.ts'
import { previousStart, type TicketAvailability } from '../../../kit/lib/statuses.ts'
import { dayOf, isoWithOffset } from '../../../kit/lib/time.ts'
import { asObject, isObject, type Json } from '../../../kit/lib/values.ts'
import { movableEvent } from '../../../site/html/facts.ts'
import {
  EVENT_API_FIELDS,
  EVENT_PROPERTIES,
  eventInOneLine,
  eventOf,
  momentWithWeekday,
  NOTICE,
  oneLine,
  proseOf,
  quotedBlock,
} from '../results.ts'
import {
  flagSchema,
  integerSchema,
  listSchema,
  objectSchema,
  type Schema,
  type Tool,
  type ToolCall,
  ToolError,
  type ToolResult,
  textSchema,
} from '../tool.ts'

/** The most events of a programme that are read. */
const MAX_PARTS = 50

const valuesNamed = (value: unknown, name: string): string[] =>
  (Array.isArray(value) ? value : []).map(item => oneLine(asObject(item)[name])).filter(Boolean)

/** The fields that agents read in another form, or not at all. */
type OtherField =
  | 'title'
  | 'description'
  | 'external_id'
  | 'excerpt'
  | 'show_map'
  | 'show_map_link'
  | 'hide_from_listings'
  | 'sticky'
  | 'featured'
  | 'ticketed'
  | 'ticket_availability'
  | 'wheelchair'
  | 'accessibility'
  | 'event_status'
  | 'virtual_video_source'

/** All other plain fields are texts that agents read and write, each with its description. */
const TEXTS: {
  readonly [Name in Exclude<PlainFieldName, OtherField>]: EventResponse[Name] extends string | undefined
    ? string
    : never
} = {
  website: "The event's own website",
  room: 'Room or stage at the venue',
  event_status_reason: 'Why it was canceled, postponed or rescheduled',
  virtual_url: 'Where to take part online',
}

const nameInResult = (name: string): string => (name === 'virtual_url' ? 'online_url' : name)

const mapTexts = <T>(
  make: (name: string, words: string) => T,
  nameOf = nameInResult,
): { [name: string]: T } =>
  Object.fromEntries(Object.entries(TEXTS).map(([name, words]) => [nameOf(name), make(name, words)]))

const partSchema = objectSchema({
  id: EVENT_PROPERTIES.id,
  title: EVENT_PROPERTIES.title,
  start: EVENT_PROPERTIES.start,
  url: EVENT_PROPERTIES.url,
})

const customFieldSchema = objectSchema({ label: textSchema('Label.'), value: textSchema('Value.') })

const WHOLE_EVENT_PROPERTIES = {
  ...EVENT_PROPERTIES,
  excerpt: textSchema('One or two sentences for lists, plain text; empty for none.'),
  description: textSchema('Description, plain text.'),
  description_cut: flagSchema('True if the end of the description was left out.'),
  organizers: listSchema({ type: 'string' }, 'Names of the organizers.'),
  tags: listSchema({ type: 'string' }, 'Names of the tags.'),
  sources: listSchema({ type: 'string' }, 'Names of the other calendars it comes from.'),
  ...mapTexts((_, words) => textSchema(`${words}; empty for none.`)),
  ticket_availability: textSchema(
    'Whether there are tickets or places left: available, few, sold_out or waitlist; empty if unknown.',
  ),
  wheelchair: textSchema(
    'Wheelchair access of the event, or else of its venue: yes, limited or no; empty if unknown.',
  ),
  accessibility: textSchema('Accessibility of the event in words, or else of its venue; empty if unknown.'),
  custom_fields: listSchema(customFieldSchema, 'Further facts.'),
  repeats: textSchema(
    'Rule, in the form of RFC 5545, by which it repeats; empty if it does not, or if this date was moved away from the rule.',
  ),
  left_out: listSchema(
    { type: 'string' },
    'Dates of the rule, in local time, on which it does not take place.',
  ),
  moved_from: textSchema('Start before it was moved, in the format of start; empty if it was not moved.'),
  programme: listSchema(partSchema, `Public events that are parts of it, at most ${MAX_PARTS}.`),
  modified: textSchema('Last change, UTC.'),
  notice: textSchema('How to treat the texts.'),
}

const WHOLE_EVENT_API_FIELDS = `${EVENT_API_FIELDS},description,excerpt,ticket_availability,wheelchair,accessibility,custom_fields,venue.wheelchair,venue.accessibility,json_ld.previousStartDate,${Object.keys(TEXTS)},organizer.organizer,tags.name,series,source,other_sources.name,modified_utc`

/** The access to an event by its own fields, or else by those of its venue. */
function accessTo(event: Json): { wheelchair: string; accessibility: string } {
  const rows = [event, ...[event.venue].flat().filter(isObject)]
  const firstText = (name: string) => rows.map(row => oneLine(row[name])).find(Boolean) ?? ''
  return { wheelchair: firstText('wheelchair'), accessibility: firstText('accessibility') }
}

/** The start of an event before it was moved; '' if it was not. */
function formerStart(event: Json): string {
  // The API has made the event.
  const former = previousStart(movableEvent(event as EventResponse))
  if (!former) return ''
  return event.all_day ? dayOf(former.wall) : isoWithOffset(former.wall, former.utc)
}

const TICKET_WORDS: { readonly [value: string]: string } = {
  available: 'available',
  few: 'only a few left',
  sold_out: 'sold out',
  waitlist: 'sold out, with a waiting list',
} satisfies Record<Exclude<TicketAvailability, ''>, string>

/** A whole event of the API, introduced by a sentence. @param parts the events of its programme */
function wholeEvent(event: Json, sentence: string, parts: readonly Json[] = []): ToolResult {
  const { text, isCut } = proseOf(event.description)
  const listedEvent = eventOf(event)
  const { rrule = '', exdate = [] } = asObject(asObject(event.series).recurrence)
  const movedFrom = formerStart(event)
  const categories = valuesNamed(event.categories, 'name')
  const structured = {
    ...listedEvent,
    description: text,
    description_cut: isCut,
    organizers: valuesNamed(event.organizer, 'organizer'),
    tags: valuesNamed(event.tags, 'name'),
    sources: valuesNamed([event.source, event.other_sources].flat(), 'name'),
    ...mapTexts(name => oneLine(event[name])),
    excerpt: oneLine(proseOf(event.excerpt).text),
    ticket_availability: event.ticket_availability ?? '',
    ...accessTo(event),
    custom_fields: Object.values(asObject(event.custom_fields)).flatMap(field => {
      const { label, value } = asObject(field)
      return value ? [{ label: oneLine(label), value: oneLine(value) }] : []
    }),
    repeats: movedFrom ? '' : String(rrule),
    left_out: movedFrom || !Array.isArray(exdate) ? [] : exdate.map(String),
    moved_from: movedFrom,
    programme: parts.map(part => {
      const { id, title, start, url } = eventOf(part)
      return { id, title, start, url }
    }),
    modified: `${String(event.modified_utc).replace(' ', 'T')}Z`,
    notice: NOTICE,
  }
  const tickets = TICKET_WORDS[String(structured.ticket_availability)]
  const access = [
    structured.wheelchair && `by wheelchair: ${structured.wheelchair}`,
    structured.accessibility,
  ].filter(Boolean)
  const facts = [
    ...(movedFrom ? [`Moved from: ${momentWithWeekday(movedFrom)}`] : []),
    ...(tickets ? [`Tickets: ${tickets}`] : []),
    ...(event.room ? [`Room: ${oneLine(event.room)}`] : []),
    ...(event.virtual_url ? [`Online: ${oneLine(event.virtual_url)}`] : []),
    ...(access.length > 0 ? [`Access: ${access.join('; ')}`] : []),
    ...(structured.organizers.length > 0 ? [`Organizers: ${structured.organizers.join('; ')}`] : []),
    ...(event.website ? [`Website: ${oneLine(event.website)}`] : []),
    ...(structured.sources.length > 0 ? [`From: ${structured.sources.join('; ')}`] : []),
    ...(event.event_status_reason ? [`Reason: ${oneLine(event.event_status_reason)}`] : []),
    ...(structured.repeats ? [`Repeats: ${structured.repeats}`] : []),
    ...(structured.left_out.length > 0
      ? [`Not on: ${structured.left_out.map(momentWithWeekday).join(', ')}`]
      : []),
    ...(categories.length > 0 ? [`Categories: ${categories.join('; ')}`] : []),
    ...(structured.tags.length > 0 ? [`Tags: ${structured.tags.join('; ')}`] : []),
    ...structured.custom_fields.map(({ label, value }) => `${label}: ${value}`),
    ...(structured.excerpt ? ['', structured.excerpt] : []),
    ...(text ? ['', text] : []),
    ...(isCut ? ['(The end of the description was left out.)'] : []),
    ...(parts.length > 0 ? ['', 'Programme:', ...parts.map(part => eventInOneLine(eventOf(part)))] : []),
  ]
  return {
    structured,
    text: [sentence, NOTICE, quotedBlock([eventInOneLine(listedEvent), ...facts])].join('\n'),
  }
}

/** The path of the event that the arguments name. @throws ToolError */
function eventPathOf({ id }: Json): string {
  if (typeof id === 'number' ? Number.isSafeInteger(id) && id > 0 : /^\d{1,15}$/.test(String(id ?? '')))
    return `/events/${id}`
  throw new ToolError('id must be the id of an event, a positive whole number: search_events returns it')
}

export const getEvent: Tool = {
  name: 'get_event',
  title: 'Read one event',
  description:
    'Reads one event of this calendar by its id from search_events, with everything its page says: description, organizers, tickets, access, programme and so on.',
  requires: 'read',
  args: { id: integerSchema('Id of the event.', { minimum: 1 }) },
  required: ['id'],
  fields: WHOLE_EVENT_PROPERTIES,
  run: async ({ api, context }: ToolCall, args) => {
    const [event, { events: parts }] = await Promise.all([
      api.read(eventPathOf(args), { _fields: WHOLE_EVENT_API_FIELDS }),
      api.read('/events', {
        post_parent: args.id,
        status: 'publish',
        start_date: '1000-01-01',
        end_date: '9999-12-30',
        per_page: MAX_PARTS,
        _fields: EVENT_API_FIELDS,
      }),
    ])
    return wholeEvent(
      event,
      `Event ${event.id}, in the time zone ${event.timezone}; that of the calendar is ${context.settings.timezone}.`,
      Array.isArray(parts) ? parts.filter(isObject) : [],
    )
  },
}

const DATE_FORMAT =
  'As "2027-06-10 20:00:00" in the time zone of the event, as ISO 8601 with an offset, or in English words.'

const namesSchema = (description: string): Schema => ({
  type: 'array',
  items: { type: 'string' },
  description,
})

/**
 * The fields of an event that agents may write: the API's fields without the status, because people publish.
 */
const WRITABLE_FIELDS: { [name: string]: Schema } = {
  title: textSchema('Title, plain text.'),
  start_date: textSchema(`Start. ${DATE_FORMAT}`),
  end_date: textSchema(`End. ${DATE_FORMAT}`),
  all_day: flagSchema('True for an all-day event.'),
  timezone: textSchema("Time zone, such as Europe/Dublin; defaults to the calendar's."),
  description: textSchema('Description, plain text or HTML.'),
  excerpt: textSchema('One or two sentences for lists.'),
  cost: textSchema('Cost: a price, a range or words; 0 for free.'),
  venue: {
    type: ['integer', 'object'],
    description:
      'Id of a venue (list_venues), or an object that describes it: venue (its name), address, city, country. A known venue is used, and an unknown one is created: as a draft, published with the event, if that is not public; public at once if it is.',
  },
  organizer: {
    type: ['integer', 'object'],
    description:
      'Id of an organizer, or an object: organizer (the name), email, website. A new one is created like a venue.',
  },
  categories: namesSchema('Names of categories.'),
  tags: namesSchema('Names of tags.'),
  event_status: textSchema('Whether it takes place.', {
    enum: ['scheduled', 'canceled', 'postponed', 'rescheduled'],
  }),
  is_virtual: flagSchema('True if it takes place online, entirely or in part.'),
  ...mapTexts(
    (_, words) => textSchema(`${words}.`),
    name => name,
  ),
}

const FIELD_NAMES = Object.keys(WRITABLE_FIELDS).join(', ')

export const createDraft: Tool = {
  name: 'create_draft',
  title: 'Draft an event',
  description:
    'Adds an event to this calendar as a draft, which the public does not see: a person finds it among the drafts, and publishes it. First use search_events to check whether the event already exists. Returns the stored draft.',
  requires: 'edit_content',
  args: WRITABLE_FIELDS,
  required: ['title', 'start_date', 'end_date'],
  fields: WHOLE_EVENT_PROPERTIES,
  run: async ({ api }, args) => {
    const request = { method: 'POST', path: '/events', body: { ...args, status: 'draft' } }
    const event = await api.write(request, { isDraft: true })
    return wholeEvent(
      event,
      `Draft ${event.id} was created. It is not public until somebody publishes it: in the editor, it is under Events, Drafts, not under Review.`,
    )
  },
}

export const updateEvent: Tool = {
  name: 'update_event',
  title: 'Change an event',
  description:
    'Changes only the given fields of an event, with the permissions of the user whose password is used. A change to a published event is public at once. Cannot publish or delete events. Returns the updated event.',
  requires: 'edit_content',
  args: {
    id: integerSchema('Id of the event.', { minimum: 1 }),
    ...WRITABLE_FIELDS,
    timezone: textSchema('Time zone, such as Europe/Dublin. Start and end keep their times of day in it.'),
    scope: textSchema('For a recurring event: this date only (default), this and all following, or all.', {
      enum: ['this', 'following', 'all'],
    }),
    spread: namesSchema(
      'With following or all: names of fields whose values the other dates get as well, even if they were set before for this date alone.',
    ),
  },
  required: ['id'],
  fields: WHOLE_EVENT_PROPERTIES,
  run: async ({ api }, { id, ...body }) => {
    const givenNames = Object.keys(body).filter(name => name in WRITABLE_FIELDS)
    if (givenNames.length === 0) throw new ToolError(`Nothing to change: give at least one of ${FIELD_NAMES}`)
    const event = await api.write({ method: 'PATCH', path: eventPathOf({ id }), body })
    // It may have had these values before.
    return wholeEvent(event, `Event ${event.id} has these values now.`)
  },
}
