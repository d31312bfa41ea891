import * as z from 'zod/mini'
import type { BaseContext, SerializeContext } from '../../kit/context.ts'
import { combineQueries, type Query } from '../../kit/db/query.ts'
import { withQuery } from '../../kit/http/lists.ts'
import { integer, text } from '../../kit/http/params.ts'
import { LANGUAGES, languageOf } from '../../kit/lib/languages.ts'
import { ANONYMOUS } from '../../kit/lib/roles.ts'
import {
  addDays,
  type DateTime,
  type Day,
  dayOf,
  lastDayOf,
  lastExpectedDay,
  siteTimes,
  startOfDay,
  toUtc,
  toWall,
} from '../../kit/lib/time.ts'
import { datesOf } from '../../words/dates.ts'
import { filled, plural, textsIn } from '../../words/words.ts'
import {
  DATE_PARAMS,
  END_OF_TIME,
  happeningInterval,
  type Interval,
  intervalOf,
  nextSecond,
  UNBOUNDED,
  withinBounds,
} from '../events/interval.ts'
import { type ListedEvent, selectListedEvents } from '../events/listed-events.ts'
import type { EventListValues } from '../events/schema.ts'
import { type DigestEntry, type DigestFrame, type DigestLink, digestEntries, digestFrame } from './entries.ts'
import { digestHtml, entryHtml } from './html.ts'

// The events of some days, as letters announce them: in HTML that mail programs show, and as plain text.

/** The length of lines, in characters, by the custom of mail. Addresses are not broken. */
const LINE_WIDTH = 72

/** A text in lines that are not too long. */
function wrapText(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/[ \t]+/).filter(Boolean)) {
    if (line !== '' && line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

const heading = (text: string, mark: string): string =>
  `${wrapText(text)}\n${mark.repeat(Math.min([...text].length, LINE_WIDTH))}`

/** An event, below its heading unless the event before it has the same heading. */
function entryText(entry: DigestEntry, before: DigestEntry | undefined, language: string): string {
  const { time, title, status, place, notes, teaser, address } = entry
  const lines = [
    time,
    [status.toLocaleUpperCase(language), title].filter(Boolean).join(textsIn(language).pages.colon),
    place,
    notes,
    teaser,
  ]
  const block = [...lines.filter(Boolean).map(row => wrapText(row)), address].join('\n')
  return entry.heading === before?.heading ? block : `${heading(entry.heading, '-')}\n\n${block}`
}

function digestText(frame: DigestFrame, entries: readonly DigestEntry[]): string {
  const { language, title, days, intro, more, empty, footer, links } = frame
  const linkText = (link: { text: string; address: string }): string =>
    `${wrapText(link.text)}\n${link.address}`
  const blocks = [
    [heading(title, '='), days].filter(Boolean).join('\n'),
    ...intro.map(paragraph =>
      paragraph
        .split('\n')
        .map(line => wrapText(line))
        .join('\n'),
    ),
    empty,
    ...entries.map((entry, i) => entryText(entry, entries[i - 1], language)),
    more ? linkText(more) : '',
    '--------',
    footer && wrapText(footer),
    ...links.map(linkText),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

/** The most events: with more, Gmail would cut off the end, which it does after 102 KB. */
const MAX_DIGEST_EVENTS = 50

export const DIGEST_DAYS = 7
export const MAX_DIGEST_DAYS = 62

/** The parameters of a digest besides the filters of lists. */
export const digestParams = {
  days: z.optional(
    integer({
      maximum: MAX_DIGEST_DAYS,
      description: 'Number of days, starting today or on `start_date`.',
      default: DIGEST_DAYS,
    }),
  ),
  language: z.optional(
    text({
      isValid: value => languageOf(value) !== undefined,
      reason: `must be one of ${LANGUAGES.join(', ')}, with or without a region`,
      description: 'The language of words and dates; by default that of the calendar.',
      example: 'en',
    }),
  ),
}

type DigestQuery = {
  /**
   * The filters of a list. `start_date` is the first day, `happening` the whole period; `status` and the
   * order don't count.
   */
  values: EventListValues
  /**
   * The number of days, beginning with the day of `from`. If `from` is at noon or later, the count begins
   * with the next day, and the rest of the first day is added.
   */
  days: number
  /** The moment (UTC) from which events are announced; by default the beginning of today. */
  from?: DateTime
  /** The most events; by default as many as an e-mail can have. */
  limit?: number
}

/** The events of a digest: first events that begin in it, then events that began before. */
export type Digest = {
  events: readonly ListedEvent[]
  total: number
  /**
   * The first and the last day, `YYYY-MM-DD` in the site's zone; undefined for events that are named one by
   * one.
   */
  days: { first: Day; last: Day } | undefined
  address: string
}

type Period = { from: DateTime; until: DateTime; days: Digest['days'] }

/** From this hour on, the rest of a day is too short to count. */
const NOON = '12'

/** The period of a digest, UTC. Its end is exclusive. */
function digestPeriod(context: BaseContext, { values, days, from }: DigestQuery): Period {
  const { timezone } = context.settings
  const today = startOfDay(toWall(context.clock.untrackedTime, timezone))
  const { happening } = values
  const happeningSpan = happening === undefined ? undefined : happeningInterval(happening, context)
  const start = intervalOf(context, values, {}).resolved.start_date
  const periodStart =
    happeningSpan?.anyEndFrom ??
    (start ? toUtc(startOfDay(start), timezone) : (from ?? toUtc(today, timezone)))
  const wall = toWall(periodStart, timezone)
  const periodEnd = addDays(startOfDay(wall), days + (wall.slice(11, 13) >= NOON ? 1 : 0))
  const until =
    happeningSpan && happeningSpan.startBefore !== END_OF_TIME
      ? happeningSpan.startBefore
      : toUtc(periodEnd, timezone)
  return {
    from: periodStart,
    until,
    days: values.include ? undefined : { first: dayOf(wall), last: lastDayOf(wall, toWall(until, timezone)) },
  }
}

/**
 * The intervals of two kinds of events: events that begin in a period, and events that began on an earlier
 * day. With `include`, a single interval without bounds.
 */
function intervalsOf(context: BaseContext, values: EventListValues, { from, until }: Period): Interval[] {
  if (values.include) return [UNBOUNDED]
  const { timezone } = context.settings
  const { happening: _, start_date: _start, ...others } = values
  const { interval } = intervalOf(context, others, {})
  const startOfFirstDay = toUtc(startOfDay(toWall(from, timezone)), timezone)
  const stillOn = { endFrom: nextSecond(from) }
  const startingInterval: Interval = {
    ...UNBOUNDED,
    startFrom: startOfFirstDay,
    startBefore: until,
    ...(from > startOfFirstDay && { ...stillOn, anyEndFrom: from }),
  }
  return [
    withinBounds(startingInterval, interval),
    withinBounds({ ...UNBOUNDED, startBefore: startOfFirstDay, ...stillOn }, interval),
  ]
}

/** A query for the events of a digest: public ones, no matter who asks. */
export function selectDigest(callerContext: BaseContext, query: DigestQuery): Query<Digest> {
  const context = { ...callerContext, caller: ANONYMOUS }
  const { status: _, order: _order, orderby: _orderby, ...values } = query.values
  const period = digestPeriod(context, query)
  const { limit = MAX_DIGEST_EVENTS } = query
  const page = { page: 1, perPage: limit, offset: 0 }
  const parts = intervalsOf(context, values, period).map(interval =>
    selectListedEvents(context, { values, page, interval }),
  )
  // As on pages of days, an event that ends in the small hours belongs to the evening before, and an all-day
  // event in a zone further west to its own day.
  const isOfDays = (event: ListedEvent): boolean =>
    !period.days || lastExpectedDay(siteTimes(event, context.settings.timezone)) >= period.days.first
  return combineQueries(parts, results => {
    const rows = results.flatMap(result => result.rows)
    const events = rows.filter(isOfDays)
    const total = results.reduce((sum, result) => sum + result.total, events.length - rows.length)
    const address = listAddress(context, values, period.days)
    return { events: events.slice(0, limit), total, days: period.days, address }
  })
}

/** The address of the page that lists the events of a digest. Pages ignore filters that they don't have. */
function listAddress({ site }: BaseContext, values: EventListValues, days: Digest['days']): string {
  const others: readonly string[] = [...DATE_PARAMS, 'happening', 'strict_dates', 'include', 'followsSeries']
  const filters = Object.entries(values).filter(
    ([name, value]) => !others.includes(name) && value !== undefined,
  )
  return withQuery(`${site}/events/`, {
    ...Object.fromEntries(filters),
    ...(days && { date: days.first, until: days.last }),
  }).replaceAll('%2C', ',')
}

type DigestHead = {
  /** A tag of BCP 47 with a catalogue. */
  language: string
  /** Plain text before the events, with its paragraphs. */
  intro?: string
  /** The first links at the end. */
  links?: readonly DigestLink[]
}

/** A digest in its two forms. Both have the same events. */
type RenderedDigest = {
  html: string
  text: string
  /** The number of events in it. If there are more, a link leads to all of them. */
  shownCount: number
  days: string
}

export function renderDigest(
  context: SerializeContext,
  { events, total, days, address }: Digest,
  { language, intro = '', links = [] }: DigestHead,
): RenderedDigest {
  const entries = digestEntries(context, { events, days, language })
  const frame = digestFrame(context, { language, intro, days, isEmpty: total === 0, links })
  const left = total - entries.length
  const fullFrame = left > 0 ? { ...frame, more: { address, text: moreText(language, left) } } : frame
  const rows = entries.map((entry, i) => entryHtml(frame, entry, entries[i - 1]))
  return {
    html: digestHtml(fullFrame, rows.join('')),
    text: digestText(fullFrame, entries),
    shownCount: entries.length,
    days: frame.days,
  }
}

/** The words for events that are left out. */
export function moreText(language: string, n: number): string {
  const text = plural(language, textsIn(language).digest, 'more', n)
  return filled(text, { n: datesOf(language).number(n) })
}
