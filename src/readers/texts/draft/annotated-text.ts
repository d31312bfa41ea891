import { Costs } from '../what/costs.ts'
import { type Sentence, sentencesOf } from '../what/sentences.ts'
import type { DatedText } from '../when/datelines.ts'
import type { DayMention } from '../when/day-mentions.ts'
import { daysIn, englishDaysIn } from '../when/days.ts'
import { feastsBesideWeekday, feastsIn } from '../when/feasts.ts'
import { type EventMoments, eventMoments } from '../when/moments.ts'
import { PartsReader, type TextPart } from '../when/parts.ts'
import { movedToEves } from '../when/relative-days.ts'
import { seasonsIn } from '../when/seasons.ts'
import { timesIn } from '../when/times.ts'
import { bareDayOfMonth, bareWeekday } from '../when/weekdays.ts'
import { withWeekdaysOfWeek } from '../when/weeks.ts'
import { addressesIn, blanked, isUnsubscribeLink, type WebAddress } from '../where/addresses.ts'
import { type NameMention, namesIn, TextIndex } from '../where/names.ts'
import { type StreetMention, streetsIn } from '../where/places.ts'
import { splitClauses } from '../words/clauses.ts'
import type { PlainText, Span } from '../words/plain.ts'
import {
  type MarkedText,
  normalized,
  spanOfTokens,
  type Token,
  tokensOf,
  withLetters,
} from '../words/tokens.ts'
import { WORDS } from '../words/words.ts'
import type { AnnouncementContext, IgnoredPassage } from './event.ts'

// A text with everything that is found in it, before it is decided what belongs together.

/**
 * A text with its days, times, names, amounts and addresses, and the parts that announce an event each.
 *
 * @property plain the text, in which spaces replace what is not read
 * @property moments the days and times that are said of events
 * @property parts the stretches that announce an event each
 * @property around two stretches: what is above a list, and what is below it
 * @property outside `around`, or else what is above a calendar, or above and below paragraphs
 * @property siteNames lines that may be the name of the website, which is no title
 * @property hasWeekdayAlone true if the only day of the text is the coming weekday
 */
export type AnnotatedText = Readonly<DatedText> &
  Readonly<{
    plain: PlainText
    moments: EventMoments
    parts: readonly TextPart[]
    around: readonly TextPart[]
    outside: readonly TextPart[]
    venues: readonly NameMention[]
    organizers: readonly NameMention[]
    streets: readonly StreetMention[]
    costs: Costs
    web: readonly WebAddress[]
    siteNames: readonly Span[]
    hasWeekdayAlone: boolean
  }>

/**
 * What a table says of each of its rows: whether it is in English, and whether its hours are by a 24-hour
 * clock.
 */
export type TableTraits = { isEnglish: boolean; has24HourClock: boolean }

/** An hour by the 24-hour clock: `20:30`, and `20.30` if it is no price. */
const IN_24_HOURS = /(?<![£€$\d.])\b(?:1[3-9]|2[0-3])(?:[:h][0-5]\d\b|\.(?:00|15|30|45)\b(?! ?[£€$.]))/

/** True if a text has an hour after noon by the 24-hour clock. */
export const isIn24Hours = (text: string): boolean => IN_24_HOURS.test(text)

/**
 * Reads the days, times, names, amounts and addresses of a text, and splits it into parts.
 *
 * @param blank stretches that are not read
 * @param site lines that may be the name of the website
 */
export function annotateText(
  plain: PlainText,
  known: AnnouncementContext & Partial<TableTraits>,
  { blank, site }: { blank: readonly Span[]; site: readonly Span[] } = { blank: [], site: [] },
): AnnotatedText {
  const { today } = known
  const { web, others } = addressesIn(plain.text)
  const text = withLetters(blanked(plain.text, [...blank, ...web.map(({ span }) => span), ...others]))
  const tokens = tokensOf(normalized(text))
  const count = (isOf: (word: string) => boolean): number =>
    tokens.filter(({ folded }) => isOf(folded)).length
  const englishCount = count(word => WORDS.englishWords.has(word))
  const foreignCount = count(word => WORDS.wordsOfOtherLanguages.has(word))
  const isEnglish = known.isEnglish ?? englishCount > foreignCount
  const monthFirst =
    (known.isEnglish ?? englishCount >= foreignCount) && known.timezone.startsWith('America/')
  const daysWritten = isEnglish ? englishDaysIn : daysIn
  const writtenDays = withWeekdaysOfWeek(tokens, daysWritten(tokens, { today, monthFirst, isEnglish }))
  const feasts = feastsBeside(tokens, writtenDays, feastsIn(tokens, known), { isEnglish, today })
  const datesAndFeasts = movedToEves(tokens, sortByStart([...writtenDays, ...feasts]))
  const datesOrWeekday = datesAndFeasts.length > 0 ? datesAndFeasts : bareWeekday(tokens, today)
  const ownDays = datesOrWeekday.length > 0 ? datesOrWeekday : bareDayOfMonth(tokens, today)
  const taken = tokensOfDays(ownDays)
  const marked: MarkedText = { tokens, isTaken: token => taken.has(token) }
  const days = sortByStart([...ownDays, ...seasonsIn(marked, today)])
  // Where one time is 20:30, another one of 10:30 is in the morning.
  const isOf24 = known.has24HourClock ?? isIn24Hours(text)
  const times = timesIn(marked, isEnglish && !isOf24)
  for (const { from, to } of times) for (let i = from; i < to; i++) taken.add(i)
  splitClauses(marked)
  const costs = new Costs(marked, known.currency)
  const dated: DatedText = { ...marked, days, times, today }
  const reader = new PartsReader(dated, eventMoments(dated))
  const parts = reader.parts()
  const around = reader.around(parts)
  // An address below a calendar is that of whoever publishes it: “Oficina de turismo, plaza de España 1”.
  const above: TextPart[] = reader.isCalendar ? [[0, parts[0]?.[0] ?? 0]] : []
  const index = new TextIndex(tokens)
  // “10 Mar Beetle Drive” is no street.
  const momentSpans = [...days, ...times].map(({ from, to }) => spanOfTokens(tokens, from, to))
  // An address in a stretch that is not read, such as a quoted e-mail, is of something else.
  const isRead = ({ span: [from] }: WebAddress): boolean => !blank.some(([a, b]) => a <= from && from < b)
  return {
    ...dated,
    plain: { ...plain, text },
    moments: reader.moments,
    parts,
    around,
    outside: [above, around, reader.outside(parts)].find(({ length }) => length > 0) ?? [],
    venues: namesIn(tokens, index, known.venues, true),
    organizers: namesIn(tokens, index, known.organizers, false, known.venues),
    streets: streetsIn(blanked(text, momentSpans)),
    costs,
    // A link may be the button of a web page, of which the words are not read.
    web: [...web.filter(isRead), ...plain.links].filter(({ url }) => !isUnsubscribeLink(url)),
    siteNames: site,
    hasWeekdayAlone: datesAndFeasts.length === 0 && ownDays.length > 0,
  }
}

const sortByStart = (days: DayMention[]): DayMention[] => days.sort((a, b) => a.from - b.from)

/** The tokens of days, without those between the first and the last of a stretch. */
function tokensOfDays(days: readonly DayMention[]): Set<number> {
  const tokens = new Set<number>()
  for (const { from, to, gap } of days)
    for (let i = from; i < to; i++) if (!gap || i < gap[0] || i >= gap[1]) tokens.add(i)
  return tokens
}

/**
 * The feasts of a text. If it has dates as well, only feasts with an hour in their line count: “Happy Easter
 * Sunday! Our concert on 10 April …”
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
  const timed = new Set(timesIn({ tokens, isTaken: () => false }, isEnglish).map(lineOf))
  // “Karfreitag, 26. März”, and “Shrove Tuesday races on Saturday 6 February”
  return feasts.filter(
    feast => timed.has(lineOf(feast)) && !written.some(day => Math.abs(lineOf(day) - lineOf(feast)) < 2),
  )
}

/** The place of the tokens from one to another in the text that was sent. */
export const sentSpan = ({ plain, tokens }: AnnotatedText, from: number, to: number): Span =>
  plain.originalSpan(spanOfTokens(tokens, from, to))

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
export const contradictionsIn = (text: AnnotatedText): IgnoredPassage[] =>
  text.moments.days
    .filter(({ isContradicted }) => isContradicted)
    .map(({ from, to }) => ({ field: 'start_date', evidence: sentSpan(text, from, to), reason: 'weekday' }))
