import { announcesNothing } from '../what/purposes.ts'
import { type DayMention, daysLater, weekdayOn } from '../when/day-mentions.ts'
import { MAX_DAYS, type TextPart } from '../when/parts.ts'
import { isOfVehicle } from '../when/roles.ts'
import { eventDatesOf } from '../when/schedules.ts'
import { statusIn } from '../when/status.ts'
import type { EventDates } from '../when/stretches.ts'
import type { TimeMention } from '../when/times.ts'
import type { NameMention } from '../where/names.ts'
import type { VenueCandidate } from '../where/venue-candidates.ts'
import { significantWords } from '../words/phrases.ts'
import { spanOfTokens } from '../words/tokens.ts'
import { isKind } from '../words/words.ts'
import { type AnnotatedText, sentSpan } from './annotated-text.ts'
import { type AnnouncedEvent, setField, type ValueInText } from './event.ts'
import { organizersIn } from './organizer.ts'
import { placeOf } from './place.ts'
import { titleOf } from './title.ts'

// The draft of one event, with all fields that its part of the text says.

/**
 * What the parts of a text have in common.
 *
 * @property times the time, one at most, of all parts that have none of their own
 * @property venues the passages that may be the venue of all parts
 * @property organizer who holds the events of all parts
 * @property isTour whether the parts name towns rather than titles
 * @property namesKind whether the text names a kind of event
 * @property areRows whether each part is a row of a list
 */
export type SharedByParts = {
  times: readonly TimeMention[]
  venues: readonly VenueCandidate[]
  organizer: NameMention | undefined
  isTour: boolean
  namesKind: boolean
  areRows: boolean
}

type Mention = { from: number; to: number }

/** The number of characters below a part among which its web address may be. */
const MAX_TO_WEBSITE = 200

/** The draft of a part, unless it announces nothing. */
export function draftOf(
  text: AnnotatedText,
  part: TextPart,
  common: SharedByParts,
): AnnouncedEvent | undefined {
  const { tokens, times, around } = text
  const [from, to] = part
  const isIn = (one: Mention): boolean => one.from >= from && one.to <= to
  const ownTimes = times.filter(isIn)
  // “Coach from Market Square at 8.30”, for a walk that begins when all do
  const beginsWithAll = common.times.length > 0 && ownTimes.every(one => isOfVehicle(text, one))
  const moments = {
    ...text.moments,
    days: text.moments.days.filter(isIn),
    times: beginsWithAll ? [...common.times] : text.moments.times.filter(isIn),
  }
  const when = eventDatesOf(tokens, part, moments, text.today)
  if (!when) return undefined
  const [firstToken] = when.startTokens
  // The time of the event may be outside the part, if it is said of all events.
  const start = firstToken >= from && firstToken < to ? firstToken : (moments.days[0]?.from ?? from)
  const status = statusIn(tokens, part, text.days, moments, when.start.slice(0, 10))
  const draft = datedDraft(text, when, status)
  const place = placeOf(text, part, when.startTokens, common.venues)
  const cost = costOf(text, part, draft, moments.days)
  const { title, isPlaceOfTitle } = titleOf(text, part, start, { cost, place })
  const isTown = common.isTour && !significantWords(title?.value ?? '').some(isKind)
  const add: typeof setField = (one, field, said) => {
    if (said)
      setField(one, field, { ...said, ...(said.span && { span: text.plain.originalSpan(said.span) }) })
  }
  if (!isPlaceOfTitle) add(draft, 'venue', place.venue)
  add(draft, 'room', place.room)
  add(draft, 'address', place.address)
  add(draft, 'city', place.city)
  add(draft, 'cost', cost && { value: cost.cost, span: spanOfTokens(tokens, cost.from, cost.to) })
  add(draft, 'website', [part, ...around].map(one => websiteOf(text, one)).find(Boolean))
  if (!isTown) add(draft, 'title', title)
  add(draft, 'organizer', organizerOf(text, part, draft, common.organizer))
  const isNoEvent = announcesNothing({
    draft,
    allTokens: tokens,
    part: tokens.slice(from, to),
    start,
    namesKind: common.namesKind,
    isFirst: from === text.parts[0]?.[0],
    isListRow: common.areRows,
    moments,
    spanCount: ownTimes.filter(time => time.start !== undefined && time.end !== undefined).length,
  })
  return isNoEvent ? undefined : draft
}

const withSeconds = (moment: string): string => (moment.length > 10 ? `${moment}:00` : moment)

/** A draft that has its dates and its status alone. */
function datedDraft(
  text: AnnotatedText,
  { start, end, dates, isAllDay, startTokens, endTokens }: EventDates,
  status: AnnouncedEvent['event_status'],
): AnnouncedEvent {
  // What begins at a time does not last for weeks: the end is that of something else.
  const isTooLong = start.length > 10 && (end ?? '') > daysLater(start.slice(0, 10), MAX_DAYS)
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
    ...(end !== undefined && !isTooLong && { end_date: withSeconds(end) }),
    ...(dates.length > 0 && { dates: dates.map(withSeconds) }),
    ...(status && { event_status: status }),
    ...(assumed.length > 0 && { assumed }),
    evidence: {
      start_date: sentSpan(text, ...startTokens),
      ...(endTokens && !isTooLong && { end_date: sentSpan(text, ...endTokens) }),
    },
  }
}

/** The admission of a part, or what is said of all events above or below a list. */
function costOf(
  { costs, tokens, moments, around }: AnnotatedText,
  part: TextPart,
  { start_date: start, dates = [] }: AnnouncedEvent,
  days: readonly DayMention[],
) {
  const ownDates = [start, ...dates].map(date => date.slice(0, 10))
  const isStay = days.some(({ date, last }) => last !== undefined && date === ownDates[0])
  const isOwn = ({ date, last }: DayMention): boolean =>
    ownDates.includes(date) && (!isStay || last !== undefined)
  // “Exhibition until 20 March, admission free”, above “Talk on 25 February, 5 €”
  const isSaidOfEvent = (token: number): boolean => {
    const { paragraph } = tokens[token] ?? {}
    const above = days.filter(({ from }) => from < token && tokens[from]?.paragraph === paragraph)
    return above.length === 0 || above.some(isOwn)
  }
  const weekday = weekdayOn(start.slice(0, 10))
  // “Quiz every Wednesday, £2”, above a concert on a Saturday
  const isOfOtherDays = ([from, to]: TextPart): boolean =>
    moments.recurrences.some(one => one.from >= from && one.to <= to && !one.weekdays.includes(weekday))
  for (const passage of [part, ...around.filter(other => !isOfOtherDays(other))]) {
    const { cost, isSaid } = costs.costIn(passage, isSaidOfEvent, passage !== part)
    if (isSaid) return cost
  }
  return undefined
}

/**
 * The web address in a part or right below it, before the next part.
 */
function websiteOf(
  { tokens, plain, web, parts }: AnnotatedText,
  part: TextPart,
): ValueInText<string> | undefined {
  if (part[0] >= part[1]) return undefined
  const [from, to] = spanOfTokens(tokens, ...part)
  const [next] = parts.find(([start]) => start > part[0]) ?? []
  const end = Math.min(to + MAX_TO_WEBSITE, tokens[next ?? tokens.length]?.from ?? plain.text.length)
  const address = web.find(({ span }) => span[0] >= from && span[0] <= end)
  if (!address) return undefined
  const { url, span } = address
  const value = /^https?:/i.test(url) ? url : `https://${url}`
  // Links have no address in the text.
  return span[0] < span[1] ? { value, span } : { value }
}

/** The organizer of a part, or the one that is named above or below a list. */
function organizerOf(
  text: AnnotatedText,
  part: TextPart,
  { title, venue }: AnnouncedEvent,
  sharedOrganizer: NameMention | undefined,
): ValueInText<{ id: number; organizer: string }> | undefined {
  const isVenue = ({ knownName }: NameMention): boolean => knownName.name === venue?.venue
  const organizer = organizersIn(text, part, title).find(one => !isVenue(one)) ?? sharedOrganizer
  if (!organizer || isVenue(organizer)) return undefined
  const { knownName, from, to } = organizer
  return { value: { id: knownName.id, organizer: knownName.name }, span: spanOfTokens(text.tokens, from, to) }
}
