import { slugify } from '../../../lib/slug.ts'
import { toEpoch } from '../../../lib/time.ts'
import type { Json } from '../../../lib/values.ts'
import { type Period, periodOf } from '../../../lib/when.ts'
import { type Call, list, object, type Tool, ToolError, textSchema, whole } from '../tool.ts'
import { EVENT, EVENT_PARTS, eventLine, eventOf, leftOutLine, NOTICE, quoted } from '../words.ts'

const MOST = 20

/** The arguments by the parameters of the list. */
const NAMES = { search: 'words', happening: 'when', categories: 'category' }

const WHEN =
  'When, in English words or ISO 8601, in the time zone of the calendar: "today", "tomorrow", "this weekend", "next week", "next month", "June", "next 10 days", "2027-06-10", "2027-06-01/2027-06-07". Events that are on at any moment of it are found. Without it: from today on.'

/** The period that an agent asks for. @throws ToolError */
function periodIn({ context }: Call, when: unknown): Period {
  const { settings, now } = context
  const period = typeof when === 'string' ? periodOf(when, settings.timezone, toEpoch(now)) : undefined
  if (period) return period
  throw new ToolError(
    'when must be a period such as "this weekend", "tomorrow", "next month", "June 2027", "2027-06-10" or "2027-06-01/2027-06-07"',
  )
}

/** The value of a list's parameter for an open period that begins today is the present: what is over is left out. */
function happeningOf({ from, to }: Period, isNow: boolean): string {
  if (to === undefined) return isNow ? 'now' : `${from}/..`
  return `${from}/${to}`
}

export const searchEvents: Tool = {
  name: 'search_events',
  title: 'Search events',
  description: `Finds events of this calendar by words, time, place and category, the earliest first, at most ${MOST} at once. Use it for questions such as "what is on this weekend?". All arguments are optional; they are combined with AND. The result says how many there are, which days were searched and in which time zone. For the description of one event, call get_event with its id.`,
  requires: 'read',
  args: {
    words: textSchema('Words that must all occur in title, description or excerpt.'),
    when: textSchema(WHEN),
    place: textSchema(
      'Words that must all occur in the name or address of the venue: a city, a street, a hall.',
    ),
    category: textSchema('Name or slug of a category, including its subcategories; see list_categories.'),
    page: whole('Page of the results, from 1.', { minimum: 1 }),
  },
  fields: {
    total: whole('Number of events that match.'),
    shown: whole('Number of events in this result.'),
    page: whole('This page.'),
    pages: whole('Number of pages.'),
    timezone: textSchema('Time zone of the calendar, in which days were searched.'),
    window: object({
      from: textSchema('First day.'),
      to: { type: ['string', 'null'], description: 'Last day; null for no end.' },
    }),
    left_out: textSchema('What was left out of this result; empty for nothing.'),
    notice: textSchema('How to treat the texts.'),
    events: list(object(EVENT), 'The events.'),
  },
  run: async (call, { words, when = '', place, category, page }) => {
    const { context, api } = call
    const period = periodIn(call, when)
    const today = periodOf('', context.settings.timezone, toEpoch(context.now))?.from
    const found = await api.read(
      '/events',
      {
        search: words,
        happening: happeningOf(period, period.from === today),
        place,
        categories: typeof category === 'string' ? categoryIn(category) : category,
        page,
        per_page: MOST,
        _fields: EVENT_PARTS,
      },
      NAMES,
    )
    const events = eventsIn(found)
    const counts = {
      total: Number(found.total),
      shown: events.length,
      page: Number(page ?? 1),
      pages: Number(found.total_pages),
    }
    const left = leftOutLine(counts)
    const { timezone } = context.settings
    const window = { from: period.from, to: period.to ?? null }
    const days = window.to === null ? `from ${window.from} on` : `${window.from} to ${window.to}`
    return {
      structured: { ...counts, timezone, window, left_out: left, notice: NOTICE, events },
      text: [
        `${counts.total} event${counts.total === 1 ? '' : 's'}, ${days} (${timezone}).${left && ` ${left}`}`,
        ...(events.length > 0 ? [NOTICE, quoted(events.map(eventLine))] : []),
      ].join('\n'),
    }
  },
}

const eventsIn = ({ events }: Json): Json[] => (Array.isArray(events) ? events.map(eventOf) : [])

/** Categories are known by id or slug; a name is nearly always its slug, but for spelling. */
const categoryIn = (name: string): string => (/^\d+$/.test(name.trim()) ? name.trim() : slugify(name) || name)
