import type { Json } from '../../../lib/values.ts'
import { type Call, flagSchema, list, type Result, type Tool, ToolError, textSchema, whole } from '../tool.ts'
import { EVENT, EVENT_PARTS, eventLine, eventOf, NOTICE, oneLine, prose, quoted } from '../words.ts'

const named = (value: unknown, name: string): string[] =>
  (Array.isArray(value) ? value : []).map(item => oneLine(Object(item)[name])).filter(Boolean)

/** The fields of a whole event. */
export const WHOLE_EVENT = {
  ...EVENT,
  description: textSchema('Description, plain text.'),
  description_cut: flagSchema('The end of the description was left out.'),
  event_status_reason: textSchema('Why it was canceled, postponed or rescheduled; empty if not given.'),
  organizers: list({ type: 'string' }, 'Names of the organizers.'),
  tags: list({ type: 'string' }, 'Names of the tags.'),
  website: textSchema("The event's own website; empty for none."),
  sources: list({ type: 'string' }, 'Names of the other calendars that it comes from.'),
  online_url: textSchema('Where to take part online; empty for none.'),
  repeats: textSchema('Rule (RFC 5545) by which it repeats; empty if it does not.'),
  modified: textSchema('Last change, UTC.'),
  notice: textSchema('How to treat the texts.'),
}

const WHOLE_PARTS = `${EVENT_PARTS},description,event_status_reason,organizer.organizer,tags.name,website,virtual_url,series,source,other_sources.name,modified_utc`

/** A whole event of the API, with a sentence before it. */
export function wholeEvent(event: Json, sentence: string): Result {
  const { text, isCut } = prose(event.description)
  const short = eventOf(event)
  const structured = {
    ...short,
    description: text,
    description_cut: isCut,
    event_status_reason: oneLine(event.event_status_reason),
    organizers: named(event.organizer, 'organizer'),
    tags: named(event.tags, 'name'),
    website: oneLine(event.website),
    sources: named([event.source, event.other_sources].flat(), 'name'),
    online_url: oneLine(event.virtual_url),
    repeats: String(Object(Object(event.series).recurrence).rrule ?? ''),
    modified: `${String(event.modified_utc).replace(' ', 'T')}Z`,
    notice: NOTICE,
  }
  const facts = [
    ...(structured.organizers.length > 0 ? [`Organizers: ${structured.organizers.join('; ')}`] : []),
    ...(structured.website ? [`Website: ${structured.website}`] : []),
    ...(structured.sources.length > 0 ? [`From: ${structured.sources.join('; ')}`] : []),
    ...(structured.event_status_reason ? [`Reason: ${structured.event_status_reason}`] : []),
    ...(structured.repeats ? [`Repeats: ${structured.repeats}`] : []),
    ...(text ? ['', text] : []),
    ...(isCut ? ['(The end of the description was left out.)'] : []),
  ]
  return {
    structured,
    text: [sentence, NOTICE, quoted([eventLine(short), ...facts])].join('\n'),
  }
}

/** The path of an event that arguments name. @throws ToolError */
export function eventPathOf({ id }: Json): string {
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
  args: { id: whole('Id of the event.', { minimum: 1 }) },
  required: ['id'],
  fields: WHOLE_EVENT,
  run: async ({ api, context }: Call, args) => {
    const event = await api.read(eventPathOf(args), { _fields: WHOLE_PARTS })
    return wholeEvent(
      event,
      `Event ${event.id}, in the time zone ${event.timezone}; that of the calendar is ${context.settings.timezone}.`,
    )
  },
}
