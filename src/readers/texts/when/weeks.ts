import { hasWord } from '../words/clauses.ts'
import { BULLETS, foldedAt, startsLine, type Token } from '../words/tokens.ts'
import { anyOf, WORDS, weekdayOf } from '../words/words.ts'
import { FESTIVALS } from './calendars.ts'
import { comingDay, type DayMention, daysLater, weekdayFrom } from './day-mentions.ts'
import { isPlural } from './weekdays.ts'

/** Tokens of “week beginning”, “Woche vom”, “semana del”. */
const MAX_TO_WEEK = 3

/** Tokens of a line in which its time is looked for. */
const MAX_TO_TIME = 40

/** The most lines of the head of a sheet. */
const MAX_HEAD_LINES = 4

/** Words before the days of a week: “KW 3 (18.1.–24.1.)”, “Wochenplan 18. bis 24. Januar”. */
const WEEK_HEADS = anyOf(WORDS.weeks, WORDS.headsOfWeeks)

/**
 * The days of a text with the weekdays that begin lines below a week: “week beginning 18 January”, above
 * “TUES quiz night, 8.30” and “SAT live music, 9.30”. A single line may be anything, so it takes two, except
 * in a sheet: “Weekly sheet, 24th – 31st January”, above “On Saturday there will be a coffee morning at 10”.
 */
export function withWeekdaysOfWeek(tokens: readonly Token[], days: readonly DayMention[]): DayMention[] {
  const isOfSheet = ({ from, last }: DayMention): boolean => {
    const { line = MAX_HEAD_LINES } = tokens[from] ?? {}
    if (last === undefined || line >= MAX_HEAD_LINES) return false
    return hasWord(
      tokens,
      tokens.findIndex(token => token.line === line),
      from,
      WORDS.sheets,
    )
  }
  const week = days.find(
    day => hasWord(tokens, day.from - MAX_TO_WEEK, day.from, WEEK_HEADS) || isOfSheet(day),
  )
  if (!week || (week.last ?? week.date) > daysLater(week.date, isOfSheet(week) ? 7 : 6)) return [...days]
  // “Holiday camp in the week of 18 January”, whose days belong together
  if (tokens.slice(0, week.to).some(({ folded }) => FESTIVALS.has(folded))) return [...days]
  const weekdayMentions = tokens.flatMap((token, i) => {
    const weekday = weekdayOf(token.folded)
    if (i < week.to || weekday === 0 || !isLabel(tokens, i)) return []
    const isOfDay = days.some(({ from, to }) => from <= i && i < to)
    // “Wednesday: kitchen open, no music”
    const isTimed = tokens
      .slice(i, i + MAX_TO_TIME)
      .some(one => one.line === token.line && one.kind === 'number')
    return isTimed && !isOfDay ? [comingDay(i, i + 1, weekdayFrom(week.date, weekday))] : []
  })
  if (weekdayMentions.length < (isOfSheet(week) ? 1 : 2)) return [...days]
  // “Wochenplan (18.1.–24.1.)” is no stay.
  return [...days.filter(day => day !== week || day.last === undefined), ...weekdayMentions]
}

/** Marks after the number of an hour, which may follow a weekday just as the number of a day may. */
const HOUR_MARKS = new Set(['am', 'pm', 'uhr', 'h', ':'])

/** True if a weekday begins a line, and no number of a day follows: “So: Probe”, but not “So kommen alle”. */
function isLabel(tokens: readonly Token[], i: number): boolean {
  const { folded = '', kind } = tokens[i] ?? {}
  const next = tokens[i + 1]
  const before = foldedAt(tokens, i - 1)
  const isFirst =
    startsLine(tokens, i) ||
    ((BULLETS.has(before) || WORDS.beforeDate.has(before)) && startsLine(tokens, i - 1))
  const isNumbered = next?.kind === 'number' && !HOUR_MARKS.has(foldedAt(tokens, i + 2))
  const isShort = folded.length < 3 && ![':', '.', '-'].includes(next?.folded ?? '')
  return kind === 'word' && isFirst && !isNumbered && !isShort && !isPlural(folded)
}
