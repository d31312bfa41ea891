import { lowAt, skip, type Token, tokensBefore } from '../words/tokens.ts'
import { AND, FROM_ON, MONTHS, setOf, UNTIL, UP_TO, type WordSet } from '../words/words.ts'
import { comingDay, type DayMention, daysLater, isoDay } from './day-mentions.ts'
import { recurrencesIn } from './recurrences.ts'

// Something may recur in some months alone: “von Mai bis September jeden Samstag”. Without them it would
// begin today.

const firstOf = (year: number, month: number): string => isoDay(year, month, 1)

const lastOf = (year: number, month: number): string =>
  daysLater(month === 12 ? firstOf(year + 1, 1) : firstOf(year, month + 1), -1)

/** The most tokens between a month and what recurs in it. */
const MAX_TO_WEEKDAY = 20

/** Reads the months in which something recurs that stands near them: from one to another, or one alone. */
export function seasonsIn(
  tokens: readonly Token[],
  isTaken: (token: number) => boolean,
  today: string,
): DayMention[] {
  const recurrences = recurrencesIn(tokens)
  const isNear = (i: number): boolean => recurrences.some(({ from }) => Math.abs(from - i) < MAX_TO_WEEKDAY)
  const found: DayMention[] = []
  for (let i = 0; i < tokens.length; i++) {
    const season = MONTHS.has(lowAt(tokens, i)) && isNear(i) ? seasonAt(tokens, i, isTaken, today) : undefined
    if (season) found.push(season)
    i = season ? season.to - 1 : i
  }
  return found
}

/** The month that a word names beside no day; 0 for any other word. */
function monthAt(tokens: readonly Token[], i: number, isTaken: (token: number) => boolean): number {
  const { kind, low = '', text = '' } = tokens[i] ?? {}
  // “Mai-Andacht”
  const isPart =
    tokens[i + 1]?.low === '-' &&
    [1, 2].every(ahead => tokens[i + ahead]?.isSpaced === false) &&
    !MONTHS.has(lowAt(tokens, i + 2))
  const isOfDay = [i - 1, i + 1].some(at => /^\d\d?$/.test(tokens[at]?.text ?? ''))
  return kind === 'word' && low.length > 2 && text !== 'may' && !isPart && !isOfDay && !isTaken(i)
    ? (MONTHS.get(low) ?? 0)
    : 0
}

/** Before a month as a whole. */
const WITHIN = setOf("in im en of de ' ’ during throughout all whole entire ganzen tout todo")

/** Words of a part of a month, of which nobody knows where it begins. */
const PARTS = setOf('anfang mitte ende mid late early mi debut fin mediados principios finales')

/** Between a preposition and a month: “d'avril”, “mid-May”. */
const FILLERS = setOf("' ’ - de d a en in im the")

/** The most tokens of “jusqu'en”. */
const MAX_BEFORE = 3

/** The most days since something began that is still going on. */
const MAX_DAYS_AGO = 150

function seasonAt(
  tokens: readonly Token[],
  from: number,
  isTaken: (token: number) => boolean,
  today: string,
): DayMention | undefined {
  const low = (i: number): string => lowAt(tokens, i)
  const first = monthAt(tokens, from, isTaken)
  if (first === 0) return undefined
  const before = tokensBefore(tokens, from, MAX_BEFORE)
  const has = (words: WordSet): boolean => before.some(token => words.has(token.low))
  let [last, to, isPart, isVague] = [first, from + 1, has(PARTS), false]
  while (UNTIL.has(low(to)) || AND.has(low(to))) {
    const at = skip(to + 1, i => FILLERS.has(low(i)) || PARTS.has(low(i)))
    const month = monthAt(tokens, at, isTaken)
    if (month === 0) break
    // “in May and June”, but not “in May and October”
    isVague ||= AND.has(low(to)) && month !== (last % 12) + 1
    // Until the middle of a month, of which nobody knows when it ends
    isVague ||= tokens.slice(to, at).some(token => PARTS.has(token.low))
    ;[last, to] = [month, at + 1]
  }
  const given = /^\d{4}$/.test(low(to)) ? Number(low(to)) : undefined
  const isOne = to === from + 1
  const [year = 0, now = 0] = today.split('-').map(Number)
  const lastYear = given ?? (last < now ? year + 1 : year)
  const mention = (date: string, isVague: boolean, last?: string): DayMention => ({
    ...comingDay(from, given === undefined ? to : to + 1, date < today ? today : date),
    ...(last !== undefined && { last }),
    season: isVague ? 'vague' : 'sure',
  })
  // “bis Mai”: whether it does so in that month, too, is not said.
  if (isOne && has(UP_TO)) return undefined
  if (isOne && has(FROM_ON)) {
    const years = given === undefined ? [year - 1, year, year + 1] : [given]
    const dates = years.map(one => firstOf(one, first))
    return mention(dates.find(date => date >= daysLater(today, -MAX_DAYS_AGO)) ?? today, isPart)
  }
  if (isOne && !WITHIN.has(low(from - 1)) && given === undefined) return undefined
  const begin = firstOf(last < first ? lastYear - 1 : lastYear, first)
  return mention(begin, isPart || isVague, lastOf(lastYear, last))
}
