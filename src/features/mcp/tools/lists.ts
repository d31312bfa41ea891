import { siteToday } from '../../../kit/http/revision.ts'
import { namesPartOfDay, type Period, periodOf } from '../../../kit/lib/periods.ts'
import { spellingsOf } from '../../../kit/lib/slug.ts'
import { toEpoch } from '../../../kit/lib/time.ts'
import { asObject, isObject, type Json } from '../../../kit/lib/values.ts'
import {
  EVENT_API_FIELDS,
  EVENT_PROPERTIES,
  eventInOneLine,
  eventOf,
  NOTICE,
  omittedResultsLine,
  oneLine,
  postalAddress,
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
  textSchema,
} from '../tool.ts'

const MAX_EVENTS = 20

/** The names of arguments by the parameters of the list. */
const ARGUMENT_NAMES = { search: 'words', happening: 'when', categories: 'category', is_free: 'free' }

const WHEN =
  'When, in English words or ISO 8601, in the time zone of the calendar: "today", "tomorrow", "this weekend", "next week", "next month", "June", "next 10 days", "2027-06-10", "2027-06-01/2027-06-07". Finds events taking place at any time in that period; "tonight" or "Saturday morning" searches the whole day. Default: from today.'

/** The period that an agent asks for. @throws ToolError */
function periodIn({ context }: ToolCall, timeText: unknown): Period {
  const { settings, clock } = context
  const period =
    typeof timeText === 'string' ? periodOf(timeText, settings.timezone, toEpoch(clock.now())) : undefined
  if (period) return period
  throw new ToolError(
    'when must be a period such as "this weekend", "tomorrow", "next month", "next 10 days", "June 2027", "2027-06-10" or "2027-06-01/2027-06-07"',
  )
}

/**
 * The value of `happening` for a period. An open period that begins today begins now instead, which excludes
 * past events.
 */
function happeningOf({ from, to }: Period, beginsToday: boolean): string {
  if (to === undefined) return beginsToday ? 'now' : `${from}/..`
  return `${from}/${to}`
}

export const searchEvents: Tool = {
  name: 'search_events',
  title: 'Search events',
  description: `Finds events of this calendar by words, time, place, category and cost, the earliest first, at most ${MAX_EVENTS} at once. Use it for questions such as "what is on this weekend?". All arguments are optional; they are combined with AND. The result says how many there are, and which days were searched in which time zone. For the description of one event, call get_event with its id.`,
  requires: 'read',
  args: {
    words: textSchema(
      'Words that must all occur: each in title, description or excerpt, or in the name of a venue (with its address), organizer, category or tag.',
    ),
    when: textSchema(WHEN),
    place: textSchema(
      'Words that must all occur in the name or address of the venue: a city, a street, a hall.',
    ),
    category: textSchema('Name or slug of a category, including its subcategories; see list_categories.'),
    free: flagSchema('If true, only events that say they are free.'),
    page: integerSchema('Page of the results, from 1.', { minimum: 1 }),
  },
  fields: {
    total: integerSchema('Number of events that match.'),
    shown: integerSchema('Number of events in this result.'),
    page: integerSchema('This page.'),
    pages: integerSchema('Number of pages.'),
    timezone: textSchema('Time zone of the calendar, in which the days were searched.'),
    window: objectSchema({
      from: textSchema('First day.'),
      to: { type: ['string', 'null'], description: 'Last day; null for no end.' },
    }),
    left_out: textSchema('What was left out of this result; empty if nothing was.'),
    notice: textSchema('How to treat the texts.'),
    events: listSchema(objectSchema(EVENT_PROPERTIES), 'The events.'),
  },
  run: async (call, { words, when, place, category, free, page }) => {
    const { context, api } = call
    // Models send null for what they leave out.
    const period = periodIn(call, when ?? '')
    const response = await api.read(
      '/events',
      {
        search: words,
        search_in: 'all',
        happening: happeningOf(period, period.from === siteToday(context)),
        place,
        categories: typeof category === 'string' ? await categoryIn(call, category) : category,
        is_free: free === false ? undefined : free,
        page,
        per_page: MAX_EVENTS,
        _fields: EVENT_API_FIELDS,
      },
      ARGUMENT_NAMES,
    )
    const events = eventsIn(response)
    const counts = countsOf(response, page, events)
    const remainderLine = omittedResultsLine(counts)
    const { timezone } = context.settings
    const window = { from: period.from, to: period.to ?? null }
    const wholeDays = namesPartOfDay(String(when ?? ''))
      ? ' Whole days were searched, not parts of them.'
      : ''
    const days = window.to === null ? `from ${window.from} on` : `${window.from} to ${window.to}`
    return {
      structured: { ...counts, timezone, window, left_out: remainderLine, notice: NOTICE, events },
      text: [
        `${counts.total} event${counts.total === 1 ? '' : 's'}, ${days} (${timezone}).${wholeDays}${remainderLine && ` ${remainderLine}`}`,
        ...(events.length > 0 ? [NOTICE, quotedBlock(events.map(eventInOneLine))] : []),
      ].join('\n'),
    }
  },
}

/** The counts in every result. @param page the argument */
const countsOf = (body: Json, page: unknown, shownItems: readonly unknown[]) => ({
  total: Number(body.total),
  shown: shownItems.length,
  page: Number(page ?? 1),
  pages: Number(body.total_pages),
})

const eventsIn = ({ events }: Json): Json[] => (Array.isArray(events) ? events.map(eventOf) : [])

/** The slug or id in a category argument. A name almost always equals its slug, apart from spelling. */
async function categoryIn({ api }: ToolCall, name: string): Promise<string> {
  if (/^\d+$/.test(name.trim())) return name.trim()
  const spellings = spellingsOf(name)
  const [slug = ''] = spellings
  if (spellings.length === 1) return slug || name
  // The letters of a name like "Führung" have several spellings.
  const knownCategories = await api.read('/categories', {
    slug: spellings.join(),
    hide_empty: false,
    _fields: 'slug',
  })
  const [first]: unknown[] = Array.isArray(knownCategories.categories) ? knownCategories.categories : []
  return isObject(first) ? String(first.slug) : slug
}

const PER_PAGE = 50

const COUNTS = {
  total: integerSchema('Number of all.'),
  shown: integerSchema('Number of items in this result.'),
  page: integerSchema('This page.'),
  pages: integerSchema('Number of pages.'),
  left_out: textSchema('What was left out of this result; empty if nothing was.'),
  notice: textSchema('How to treat the texts.'),
}

const PAGING = {
  words: textSchema('Words that must all occur in the name or another text.'),
  page: integerSchema('Page of the results, from 1.', { minimum: 1 }),
}

const LISTING_ARGUMENT_NAMES = { search: 'words' }

const numberOrNull: Schema = { type: ['number', 'null'] }

type ListedRow = Readonly<Record<string, unknown>>

/** Makes a tool that lists a resource of the API. */
const listTool = ({
  name,
  title,
  description,
  plural,
  item,
  apiFields,
  query,
  read,
  line,
}: Pick<Tool, 'name' | 'title' | 'description'> & {
  plural: string
  item: { [name: string]: Schema }
  /** The fields of the API that the tool needs. */
  apiFields: string
  query?: ListedRow
  read: (item: ListedRow) => ListedRow
  line: (item: ListedRow) => string
}): Tool => ({
  name,
  title,
  description,
  requires: 'read',
  args: PAGING,
  fields: { ...COUNTS, [plural]: listSchema(objectSchema(item), title) },
  run: async ({ api }, { words, page }) => {
    const body = await api.read(
      `/${plural}`,
      { ...query, search: words, page, per_page: PER_PAGE, _fields: apiFields },
      LISTING_ARGUMENT_NAMES,
    )
    const rows: unknown[] = Array.isArray(body[plural]) ? body[plural] : []
    const items = rows.map(row => read(asObject(row)))
    const counts = countsOf(body, page, items)
    const remainderLine = omittedResultsLine(counts)
    return {
      structured: { ...counts, left_out: remainderLine, notice: NOTICE, [plural]: items },
      text: [
        `${title.replace('List ', 'Number of ')}: ${counts.total}.${remainderLine && ` ${remainderLine}`}`,
        ...(items.length > 0 ? [NOTICE, quotedBlock(items.map(line))] : []),
      ].join('\n'),
    }
  },
})

export const listVenues = listTool({
  name: 'list_venues',
  title: 'List venues',
  description: `Lists the venues of this calendar with their addresses, ${PER_PAGE} at once, or only those with certain words in their name or address. Use it to find out what places there are; search_events finds events by place directly.`,
  plural: 'venues',
  apiFields: 'id,venue,address,city,province,state,stateprovince,zip,country,geo_lat,geo_lng,url',
  item: {
    id: integerSchema('Id.'),
    name: textSchema('Name.'),
    address: textSchema('Street, city, region and country, as far as known.'),
    latitude: { ...numberOrNull, description: 'Latitude in degrees, if known.' },
    longitude: { ...numberOrNull, description: 'Longitude in degrees, if known.' },
    url: textSchema('URL of its page.'),
  },
  read: venue => ({
    id: venue.id,
    name: oneLine(venue.venue),
    address: postalAddress(venue),
    latitude: venue.geo_lat ?? null,
    longitude: venue.geo_lng ?? null,
    url: venue.url,
  }),
  line: ({ id, name, address, url }) => `- ${[name, address].filter(Boolean).join(', ')} · ${url} (id ${id})`,
})

export const listCategories = listTool({
  name: 'list_categories',
  title: 'List categories',
  description: `Lists the categories of this calendar that have events, ${PER_PAGE} at once. search_events takes their slugs or names as category.`,
  plural: 'categories',
  apiFields: 'id,name,slug,parent,count,url',
  item: {
    id: integerSchema('Id.'),
    name: textSchema('Name.'),
    slug: textSchema('Slug.'),
    parent: integerSchema('Id of the category above it; 0 for none.'),
    count: integerSchema('Number of past and future events in it.'),
    url: textSchema('URL of its page.'),
  },
  read: ({ id, name, slug, parent, count, url }) => ({
    id,
    name: oneLine(name),
    slug,
    parent: parent ?? 0,
    count,
    url,
  }),
  line: ({ name, slug, count, url }) => `- ${name} (${slug}), events: ${count} · ${url}`,
})
