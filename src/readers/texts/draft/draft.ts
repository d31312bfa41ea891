import { announcesNothing } from '../what/purposes.ts'
import { type DayMention, daysLater, weekdayOn } from '../when/day-mentions.ts'
import { MAX_DAYS, type TextPart } from '../when/parts.ts'
import { isOfVehicle } from '../when/roles.ts'
import { whenOf } from '../when/schedules.ts'
import { statusIn } from '../when/status.ts'
import type { EventDates } from '../when/stretches.ts'
import type { TimeMention } from '../when/times.ts'
import type { NameMention } from '../where/names.ts'
import type { VenueCandidate } from '../where/venue-candidates.ts'
import { significantWords } from '../words/phrases.ts'
import { spanOfTokens } from '../words/tokens.ts'
import { isKind } from '../words/words.ts'
import { type AnnotatedText, sentSpan } from './annotated-text.ts'
import { type AnnouncedEvent, type Said, setField } from './event.ts'
import { organizersIn } from './organizer.ts'
import { placeOf } from './place.ts'
import { titleOf } from './title.ts'

// The draft of one event, with all fields that its part of the text says.

/**
 * What the parts of a text have in common.
 *
 * @property times the time of all that have none of their own
 * @property venues the passages that may be the venue of all
 * @property organizer that of all
 * @property isOfTour whether lines name towns, and no titles
 * @property namesKind whether the text names a kind of event
 * @property isRow whether each part is a row of a list
 */
export type Common = {
  times: readonly TimeMention[]
  venues: readonly VenueCandidate[]
  organizer: NameMention | undefined
  isOfTour: boolean
  namesKind: boolean
  isRow: boolean
}

type Mention = { from: number; to: number }

/** Characters below a part in which its web address may stand. */
const MAX_TO_WEBSITE = 200

/** The draft of a part, unless it announces nothing. */
export function draftOf(text: AnnotatedText, part: TextPart, common: Common): AnnouncedEvent | undefined {
  const { tokens, times, around } = text
  const [from, to] = part
  const isIn = (one: Mention): boolean => one.from >= from && one.to <= to
  const own = times.filter(isIn)
  // “Coach from Market Square at 8.30”, for a walk that begins when all do
  const isOfAll = common.times.length > 0 && own.every(one => isOfVehicle(tokens, one, text.isTaken))
  const moments = {
    ...text.moments,
    days: text.moments.days.filter(isIn),
    times: isOfAll ? [...common.times] : text.moments.times.filter(isIn),
  }
  const when = whenOf(tokens, part, moments, text.today)
  if (!when) return undefined
  const [first] = when.startTokens
  // Its time may be one that is said of all.
  const start = first >= from && first < to ? first : (moments.days[0]?.from ?? from)
  const status = statusIn(tokens, part, text.days, moments, when.start.slice(0, 10))
  const draft = datedDraft(text, when, status)
  const place = placeOf(text, part, when.startTokens, common.venues)
  const cost = costOf(text, part, draft, moments.days)
  const { title, hasPlace } = titleOf(text, part, start, { cost, place })
  const isTown = common.isOfTour && !significantWords(title?.value ?? '').some(isKind)
  const add: typeof setField = (one, field, said) => {
    if (said) setField(one, field, { ...said, ...(said.span && { span: text.plain.sent(said.span) }) })
  }
  if (!hasPlace) add(draft, 'venue', place.venue)
  add(draft, 'room', place.room)
  add(draft, 'address', place.address)
  add(draft, 'city', place.city)
  add(draft, 'cost', cost && { value: cost.cost, span: spanOfTokens(tokens, cost.from, cost.to) })
  add(draft, 'website', [part, ...around].map(one => websiteOf(text, one)).find(Boolean))
  if (!isTown) add(draft, 'title', title)
  add(draft, 'organizer', organizerOf(text, part, draft, common.organizer))
  const isNothing = announcesNothing({
    draft,
    all: tokens,
    part: tokens.slice(from, to),
    start,
    namesKind: common.namesKind,
    isFirst: from === text.parts[0]?.[0],
    isRow: common.isRow,
    moments,
    spans: own.filter(time => time.start !== undefined && time.end !== undefined).length,
  })
  return isNothing ? undefined : draft
}

const withSeconds = (moment: string): string => (moment.length > 10 ? `${moment}:00` : moment)

/** A draft that has its dates and its status alone. */
function datedDraft(
  text: AnnotatedText,
  { start, end, dates, isAllDay, startTokens, endTokens }: EventDates,
  status: AnnouncedEvent['event_status'],
): AnnouncedEvent {
  // What begins at a time ends within days.
  const isFar = start.length > 10 && (end ?? '') > daysLater(start.slice(0, 10), MAX_DAYS)
  const [from, to] = startTokens
  const isIn = (one: Mention): boolean => one.from >= from && one.to <= to
  const weekday = weekdayOn(start.slice(0, 10))
  const sentenceAt = (token: number): number | undefined => text.tokens[token]?.sentence
  // “On the first Saturday of the month, starting 6 February”
  const recurs = text.moments.recurrences.some(
    one => isIn(one) || (sentenceAt(one.from) === sentenceAt(from) && one.weekdays.includes(weekday)),
  )
  const assumed = [
    ...(text.times.some(time => time.isAssumed && isIn(time)) ? (['evening'] as const) : []),
    ...(dates.length === 0 && recurs ? (['first_date'] as const) : []),
  ]
  return {
    start_date: withSeconds(start),
    all_day: isAllDay,
    ...(end !== undefined && !isFar && { end_date: withSeconds(end) }),
    ...(dates.length > 0 && { dates: dates.map(withSeconds) }),
    ...(status && { event_status: status }),
    ...(assumed.length > 0 && { assumed }),
    evidence: {
      start_date: sentSpan(text, ...startTokens),
      ...(endTokens && !isFar && { end_date: sentSpan(text, ...endTokens) }),
    },
  }
}

/** The admission of a part, or that which is said of all. */
function costOf(
  { costs, tokens, moments, around }: AnnotatedText,
  part: TextPart,
  { start_date: start, dates = [] }: AnnouncedEvent,
  days: readonly DayMention[],
) {
  const own = [start, ...dates].map(date => date.slice(0, 10))
  const isStay = days.some(({ date, last }) => last !== undefined && date === own[0])
  const isOwn = ({ date, last }: DayMention): boolean => own.includes(date) && (!isStay || last !== undefined)
  // “Exhibition until 20 March, admission free”, above “Talk on 25 February, 5 €”
  const isSaidOfEvent = (token: number): boolean => {
    const { paragraph } = tokens[token] ?? {}
    const above = days.filter(({ from }) => from < token && tokens[from]?.paragraph === paragraph)
    return above.length === 0 || above.some(isOwn)
  }
  const weekday = weekdayOn(start.slice(0, 10))
  // “Quiz every Wednesday, £2”, above a concert on a Saturday
  const isOfOther = ([from, to]: TextPart): boolean =>
    moments.recurrences.some(one => one.from >= from && one.to <= to && !one.weekdays.includes(weekday))
  for (const one of [part, ...around.filter(other => !isOfOther(other))]) {
    const { cost, isSaid } = costs.in(one, isSaidOfEvent, one !== part)
    if (isSaid) return cost
  }
  return undefined
}

/**
 * The web address in a part or right below it, unless that is in another one, each of which has its start.
 */
function websiteOf({ tokens, plain, web, parts }: AnnotatedText, part: TextPart): Said<string> | undefined {
  if (part[0] >= part[1]) return undefined
  const [from, to] = spanOfTokens(tokens, ...part)
  const [next] = parts.find(([start]) => start > part[0]) ?? []
  const end = Math.min(to + MAX_TO_WEBSITE, tokens[next ?? tokens.length]?.from ?? plain.text.length)
  const found = web.find(({ span }) => span[0] >= from && span[0] <= end)
  if (!found) return undefined
  const { url, span } = found
  const value = /^https?:/i.test(url) ? url : `https://${url}`
  // Links have no address in the text.
  return span[0] < span[1] ? { value, span } : { value }
}

/** The organizer of a part, or the one that is named above or below a list. */
function organizerOf(
  text: AnnotatedText,
  part: TextPart,
  { title, venue }: AnnouncedEvent,
  ofAll: NameMention | undefined,
): Said<{ id: number; organizer: string }> | undefined {
  const isVenue = ({ named }: NameMention): boolean => named.name === venue?.venue
  const found = organizersIn(text, part, title).find(one => !isVenue(one)) ?? ofAll
  if (!found || isVenue(found)) return undefined
  const { named, from, to } = found
  return { value: { id: named.id, organizer: named.name }, span: spanOfTokens(text.tokens, from, to) }
}
