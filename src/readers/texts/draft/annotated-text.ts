import { Costs } from '../what/costs.ts'
import { type Sentence, sentencesOf } from '../what/sentences.ts'
import type { DayMention } from '../when/day-mentions.ts'
import { daysIn, englishDaysIn } from '../when/days.ts'
import { feastsBesideWeekday, feastsIn } from '../when/feasts.ts'
import { type EventMoments, eventMoments } from '../when/moments.ts'
import { PartsReader, type TextPart } from '../when/parts.ts'
import { movedToEves } from '../when/relative-days.ts'
import { seasonsIn } from '../when/seasons.ts'
import { type TimeMention, timesIn } from '../when/times.ts'
import { bareDayOfMonth, bareWeekday } from '../when/weekdays.ts'
import { withWeekdaysOfWeek } from '../when/weeks.ts'
import { addressesIn, blanked, isToUnsubscribe, type WebAddress } from '../where/addresses.ts'
import { type NameMention, namesIn, TextIndex } from '../where/names.ts'
import { type StreetMention, streetsIn } from '../where/places.ts'
import { splitClauses } from '../words/clauses.ts'
import type { PlainText, Span } from '../words/plain.ts'
import { readable, spanOfTokens, type Token, tokensOf, withLetters } from '../words/tokens.ts'
import { setOf } from '../words/words.ts'
import type { Contradiction, KnownNames } from './event.ts'

// A text with all that stands in it, before anybody asks what belongs together.

/**
 * A text with its days, times, names, amounts and addresses, and the parts that announce an event each.
 *
 * @property plain the text, in which what is not read is blank
 * @property isTaken true for the number of a token that belongs to a day or a time
 * @property moments the days and times that are said of events
 * @property parts those that announce an event each
 * @property around what stands above and below a list
 * @property outer the same, or what stands above and below paragraphs or a calendar
 * @property site the name of the website, which is no title
 * @property hasWeekdayAlone true if the only day of the text is the coming weekday
 */
export type AnnotatedText = Readonly<{
  plain: PlainText
  tokens: readonly Token[]
  isTaken: (token: number) => boolean
  days: readonly DayMention[]
  times: readonly TimeMention[]
  moments: EventMoments
  parts: readonly TextPart[]
  around: readonly TextPart[]
  outer: readonly TextPart[]
  venues: readonly NameMention[]
  organizers: readonly NameMention[]
  streets: readonly StreetMention[]
  costs: Costs
  web: readonly WebAddress[]
  site: readonly Span[]
  today: string
  hasWeekdayAlone: boolean
}>

/**
 * What the other rows of a table say of one: its language, and whether its hours are those of a clock of 24.
 */
export type TableTraits = { isEnglish: boolean; isOf24: boolean }

/** An hour by the clock of 24: `20:30`, and `20.30` that is no price. */
const IN_24_HOURS = /(?<![£€$\d.])\b(?:1[3-9]|2[0-3])(?:[:h][0-5]\d\b|\.(?:00|15|30|45)\b(?! ?[£€$.]))/

/** True if a text has an hour after noon by the clock of 24. */
export const isIn24Hours = (text: string): boolean => IN_24_HOURS.test(text)

const ENGLISH = setOf(
  'the and at with for in on of from to will is are doors every pm mondays tuesdays wednesdays thursdays fridays saturdays sundays monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat january february march june july august october december',
)

const OTHER_LANGUAGES = setOf(
  'der die das und im mit den von uhr montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz mai juni juli oktober dezember le la les et au des du heures lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre el los las con del para una horas lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
)

/**
 * Finds everything in a text.
 *
 * @param blank stretches that are not read
 */
export function annotated(
  plain: PlainText,
  known: KnownNames & Partial<TableTraits>,
  { blank, site }: { blank: readonly Span[]; site: readonly Span[] } = { blank: [], site: [] },
): AnnotatedText {
  const { today } = known
  const { web, others } = addressesIn(plain.text)
  const text = withLetters(blanked(plain.text, [...blank, ...web.map(({ span }) => span), ...others]))
  const tokens = tokensOf(readable(text))
  const count = (isOf: (word: string) => boolean): number => tokens.filter(({ low }) => isOf(low)).length
  const english = count(word => ENGLISH.has(word))
  const foreign = count(word => OTHER_LANGUAGES.has(word))
  const isEnglish = known.isEnglish ?? english > foreign
  const monthFirst = (known.isEnglish ?? english >= foreign) && known.timezone.startsWith('America/')
  const daysWritten = isEnglish ? englishDaysIn : daysIn
  const written = withWeekdaysOfWeek(tokens, daysWritten(tokens, { today, monthFirst, isEnglish }))
  const feasts = feastsBeside(tokens, written, feastsIn(tokens, known), { isEnglish, today })
  const dated = movedToEves(tokens, inOrder([...written, ...feasts]))
  const weekday = dated.length > 0 ? dated : bareWeekday(tokens, today)
  const ownDays = weekday.length > 0 ? weekday : bareDayOfMonth(tokens, today)
  const taken = tokensOfDays(ownDays)
  const isTaken = (token: number): boolean => taken.has(token)
  const days = inOrder([...ownDays, ...seasonsIn(tokens, isTaken, today)])
  // A text that has 20:30 means the morning by 10:30.
  const isOf24 = known.isOf24 ?? isIn24Hours(text)
  const times = timesIn(tokens, isTaken, isEnglish && !isOf24)
  for (const { from, to } of times) for (let i = from; i < to; i++) taken.add(i)
  splitClauses(tokens, isTaken)
  const costs = new Costs(tokens, isTaken, known.currency)
  const all = eventMoments({ tokens, days, times, isTaken, today })
  const reader = new PartsReader(tokens, days, all, isTaken)
  const parts = reader.parts()
  const around = reader.around(parts)
  // An address below a calendar is that of whoever publishes it: “Oficina de turismo, plaza de España 1”.
  const above: TextPart[] = reader.isCalendar ? [[0, parts[0]?.[0] ?? 0]] : []
  const index = new TextIndex(tokens)
  // “10 Mar Beetle Drive” is no street.
  const moments = [...days, ...times].map(({ from, to }) => spanOfTokens(tokens, from, to))
  // Addresses that were repeated are of something else.
  const isRead = ({ span: [from] }: WebAddress): boolean => !blank.some(([a, b]) => a <= from && from < b)
  return {
    plain: { ...plain, text },
    tokens,
    isTaken,
    days,
    times,
    moments: reader.moments,
    parts,
    around,
    outer: [above, around, reader.outside(parts)].find(({ length }) => length > 0) ?? [],
    venues: namesIn(tokens, index, known.venues, true),
    organizers: namesIn(tokens, index, known.organizers, false, known.venues),
    streets: streetsIn(blanked(text, moments)),
    costs,
    // A link may be the button of a web page, of which the words are not read.
    web: [...web.filter(isRead), ...plain.links].filter(({ url }) => !isToUnsubscribe(url)),
    site,
    today,
    hasWeekdayAlone: dated.length === 0 && ownDays.length > 0,
  }
}

const inOrder = (days: DayMention[]): DayMention[] => days.sort((a, b) => a.from - b.from)

/** The tokens of days, without those between the first and the last of a stretch. */
function tokensOfDays(days: readonly DayMention[]): Set<number> {
  const tokens = new Set<number>()
  for (const { from, to, gap } of days)
    for (let i = from; i < to; i++) if (!gap || i < gap[0] || i >= gap[1]) tokens.add(i)
  return tokens
}

/**
 * The feasts of a text; beside dates only those with an hour in their line: “Happy Easter Sunday! Our
 * concert on 10 April …”
 */
function feastsBeside(
  tokens: readonly Token[],
  written: readonly DayMention[],
  feasts: DayMention[],
  { isEnglish, today }: { isEnglish: boolean; today: string },
): DayMention[] {
  if (feasts.length === 0) return feasts
  if (written.length === 0) return feastsBesideWeekday(tokens, feasts, today)
  const lineOf = ({ from }: { from: number }): number => tokens[from]?.line ?? 0
  const timed = new Set(timesIn(tokens, () => false, isEnglish).map(lineOf))
  // “Karfreitag, 26. März”, and “Shrove Tuesday races on Saturday 6 February”
  return feasts.filter(
    feast => timed.has(lineOf(feast)) && !written.some(day => Math.abs(lineOf(day) - lineOf(feast)) < 2),
  )
}

/** Where the tokens from one to another stand in the text that was sent. */
export const sentSpan = ({ plain, tokens }: AnnotatedText, from: number, to: number): Span =>
  plain.sent(spanOfTokens(tokens, from, to))

/** The sentences of a part, with its days, times and names. */
export const sentencesOfPart = (text: AnnotatedText, part: TextPart): Sentence[] => {
  const { tokens, days, times, moments, organizers, venues } = text
  const spanOf = ({ from, to }: { from: number; to: number }): Span => spanOfTokens(tokens, from, to)
  return sentencesOf(tokens.slice(...part), {
    mentions: [...days, ...times, ...moments.recurrences].map(spanOf),
    names: [...organizers, ...venues].map(spanOf),
  })
}

/** The days whose weekday contradicts their date. */
export const contradictionsIn = (text: AnnotatedText): Contradiction[] =>
  text.moments.days
    .filter(({ isContradicted }) => isContradicted)
    .map(({ from, to }) => ({ field: 'start_date', evidence: sentSpan(text, from, to), reason: 'weekday' }))
