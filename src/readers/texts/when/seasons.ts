import { foldedAt, type MarkedText, skip, tokensBefore } from '../words/tokens.ts'
import { AND, anyOf, MONTHS, setOf, UNTIL, WORDS, type WordSet } from '../words/words.ts'
import { comingDay, type DayMention, daysLater, isoDay } from './day-mentions.ts'
import { recurrencesIn } from './recurrences.ts'

// Something may recur in some months only: “von Mai bis September jeden Samstag”. If the months were not
// read, it would begin today.

const firstDayOf = (year: number, month: number): string => isoDay(year, month, 1)

const lastDayOf = (year: number, month: number): string =>
  daysLater(month === 12 ? firstDayOf(year + 1, 1) : firstDayOf(year, month + 1), -1)

/** The most tokens between a month and what recurs in it. */
const MAX_TO_WEEKDAY = 20

/** Reads the months in which something nearby recurs: from one month to another, or one alone. */
export function seasonsIn(text: MarkedText, today: string): DayMention[] {
  const { tokens } = text
  const recurrences = recurrencesIn(tokens)
  const isNear = (i: number): boolean => recurrences.some(({ from }) => Math.abs(from - i) < MAX_TO_WEEKDAY)
  const seasons: DayMention[] = []
  for (let i = 0; i < tokens.length; i++) {
    const season = MONTHS.has(foldedAt(tokens, i)) && isNear(i) ? seasonAt(text, i, today) : undefined
    if (season) seasons.push(season)
    i = season ? season.to - 1 : i
  }
  return seasons
}

/** The month that a word names without a day beside it; 0 for any other word. */
function monthAt({ tokens, isTaken }: MarkedText, i: number): number {
  const { kind, folded = '', text = '' } = tokens[i] ?? {}
  // “Mai-Andacht”
  const isPart =
    tokens[i + 1]?.folded === '-' &&
    [1, 2].every(ahead => tokens[i + ahead]?.isSpaced === false) &&
    !MONTHS.has(foldedAt(tokens, i + 2))
  const isOfDay = [i - 1, i + 1].some(at => /^\d\d?$/.test(tokens[at]?.text ?? ''))
  return kind === 'word' && folded.length > 2 && text !== 'may' && !isPart && !isOfDay && !isTaken(i)
    ? (MONTHS.get(folded) ?? 0)
    : 0
}

/** Words and marks before a month as a whole. */
const WITHIN_MONTH = anyOf(WORDS.beforeWholeMonths, setOf("' ’"))

/** Words and marks between a preposition and a month: “d'avril”, “mid-May”. */
const BEFORE_MONTH = anyOf(WORDS.betweenUntilAndMonth, setOf("' ’ -"))

/** The most tokens of “jusqu'en”. */
const MAX_BEFORE = 3

/** The most days since something began that is still going on. */
const MAX_DAYS_AGO = 150

function seasonAt(text: MarkedText, from: number, today: string): DayMention | undefined {
  const { tokens } = text
  const wordAt = (i: number): string => foldedAt(tokens, i)
  const first = monthAt(text, from)
  if (first === 0) return undefined
  const before = tokensBefore(tokens, from, MAX_BEFORE)
  const has = (words: WordSet): boolean => before.some(token => words.has(token.folded))
  let [last, to, isPart, isVague] = [first, from + 1, has(WORDS.partsOfMonths), false]
  while (UNTIL.has(wordAt(to)) || AND.has(wordAt(to))) {
    const at = skip(to + 1, i => BEFORE_MONTH.has(wordAt(i)) || WORDS.partsOfMonths.has(wordAt(i)))
    const month = monthAt(text, at)
    if (month === 0) break
    // “in May and June”, but not “in May and October”
    isVague ||= AND.has(wordAt(to)) && month !== (last % 12) + 1
    // If it ends in the middle of a month, nobody knows on which day.
    isVague ||= tokens.slice(to, at).some(token => WORDS.partsOfMonths.has(token.folded))
    ;[last, to] = [month, at + 1]
  }
  const writtenYear = /^\d{4}$/.test(wordAt(to)) ? Number(wordAt(to)) : undefined
  const isOneMonth = to === from + 1
  const [year = 0, thisMonth = 0] = today.split('-').map(Number)
  const lastYear = writtenYear ?? (last < thisMonth ? year + 1 : year)
  const mention = (date: string, isUnsure: boolean, lastDay?: string): DayMention => ({
    ...comingDay(from, writtenYear === undefined ? to : to + 1, date < today ? today : date),
    ...(lastDay !== undefined && { last: lastDay }),
    season: isUnsure ? 'vague' : 'sure',
  })
  // “bis Mai” does not say whether something still takes place in that month.
  if (isOneMonth && has(WORDS.upToMoment)) return undefined
  if (isOneMonth && has(WORDS.fromOn)) {
    const years = writtenYear === undefined ? [year - 1, year, year + 1] : [writtenYear]
    const dates = years.map(one => firstDayOf(one, first))
    return mention(dates.find(date => date >= daysLater(today, -MAX_DAYS_AGO)) ?? today, isPart)
  }
  if (isOneMonth && !WITHIN_MONTH.has(wordAt(from - 1)) && writtenYear === undefined) return undefined
  const begin = firstDayOf(last < first ? lastYear - 1 : lastYear, first)
  return mention(begin, isPart || isVague, lastDayOf(lastYear, last))
}
