import { Unreadable } from '../../calendar/imports/records.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { fold } from '../../kit/lib/text.ts'
import { addMonths, dayOf, isoWeekday, toEpoch, toUtc } from '../../kit/lib/time.ts'
import { MONTHS, setOfWords, weekdayOf } from '../moment-words.ts'
import { type CellTimes, cellTimes, isOfEitherHalf, isTimeCell, MIDNIGHT } from './clock.ts'
import { isDayCell, readDay as readDayCell } from './days.ts'

// The day of a whole text, by the grammar of cells: only if the text has exactly one.

/** The months within which a day may be. */
const MAX_MONTHS = 24
/** The most words of a day and of a time, and the most words of a text that are looked at. */
const MOST_WORDS = { day: 6, time: 5, text: 1_500 } as const

/** Words before a day that is a deadline, and before the time of something else. */
const DEADLINES = setOfWords(
  'until till by before since bis vor seit ab spatestens avant jusqu au depuis des hasta antes desde',
)
const OTHER_TIMES = setOfWords(
  'doors open until till before after einlass kasse bis vor nach ouverture portes jusqu avant apres apertura puertas taquilla hasta antes despues',
)

const FIRST_WORD = lazyPattern(String.raw`^(\p{L}+)`, 'u')
const WORD = lazyPattern(String.raw`\p{L}+`, 'gu')
const wordsOf = (text: string): string[] => fold(text).match(WORD()) ?? []

/** A value that a passage says, with the passage and the two words before it. */
type Found<Value> = { value: Value; quote: string; before: readonly string[] }

/** The longest passages of a text that a function can read, each in one line. */
function passages<Value>(
  text: string,
  most: number,
  read: (words: string) => Value | undefined,
): Found<Value>[] {
  const found: Found<Value>[] = []
  let looked = 0
  for (const line of text.split('\n')) {
    const words = line.match(/[^\s|]+/g) ?? []
    for (let at = 0; at < words.length && looked < MOST_WORDS.text; at++, looked++)
      for (let n = Math.min(most, words.length - at); n > 0; n--) {
        const quote = withoutSigns(words.slice(at, at + n).join(' '))
        const value = /\d/.test(quote) ? read(quote) : undefined
        if (value === undefined) continue
        found.push({ value, quote, before: wordsOf(words.slice(Math.max(at - 2, 0), at).join(' ')) })
        at += n - 1
        break
      }
  }
  return found
}

/** A passage without brackets and quotation marks around it, and without what ends a sentence. */
function withoutSigns(passage: string): string {
  let [from, to] = [0, passage.length]
  while ('("„“«'.includes(passage.charAt(from)) && from < to) from++
  while (to > from && ')"”»,;:!?'.includes(passage.charAt(to - 1))) to--
  return passage.slice(from, to)
}

type WrittenText = { writtenAt: string; timezone: string }

/** A day, or '' for a passage that may be a day, but can be read in two ways. */
function dayIn(words: string, { writtenAt, timezone }: WrittenText): string | undefined {
  const [, first] = FIRST_WORD().exec(words) ?? []
  const isWhen = first === undefined || MONTHS.has(fold(first)) || weekdayOf(fold(first)) > 0
  if (!isWhen || !isDayCell(words, false)) return undefined
  const nowMs = toEpoch(toUtc(writtenAt, timezone))
  try {
    const { day, time } = readDayCell(words, '', { dayOrder: undefined, timezone, nowMs })
    return time === '' ? day : undefined
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return error.code === 'record_two_dates' ? '' : undefined
  }
}

/** The one time of a text, or the one from which it lasts until another. */
function onlyTimes(text: string): Found<CellTimes> | undefined {
  const [only, ...others] = passages(text, MOST_WORDS.time, words =>
    /^\d/.test(words) && isTimeCell(words, false) ? cellTimes(words) : undefined,
  )
  const isSame = ({ value }: Found<CellTimes>) =>
    value.from === only?.value.from && value.to === only.value.to
  if (!only || !others.every(isSame) || isOfEitherHalf(only.value) || only.value.zone !== '') return undefined
  return only.before.some(word => OTHER_TIMES.has(word)) ? undefined : only
}

/**
 * The one day of a text, within two years and on each weekday that the text names, and its time if it has one
 * time; undefined for a text with no day or several, or with a deadline.
 *
 * @returns `from` and `to` such as `18:00:00`, or ''; the passage that says the day
 */
export function readPlainDay(
  text: string,
  written: WrittenText,
): { day: string; from: string; to: string; quote: string } | undefined {
  const days = passages(text, MOST_WORDS.day, words => dayIn(words, written))
  const [only] = days
  if (!only || days.some(({ value }) => value !== only.value)) return undefined
  const weekdays = wordsOf(text).map(word => (word.length > 4 ? weekdayOf(word) : 0))
  const isSure =
    only.value >= dayOf(written.writtenAt) &&
    only.value < addMonths(written.writtenAt, MAX_MONTHS) &&
    weekdays.every(weekday => weekday === 0 || weekday === isoWeekday(only.value)) &&
    days.every(({ before }) => !before.some(word => DEADLINES.has(word)))
  if (!isSure) return undefined
  const { from = '', to = '' } = onlyTimes(text)?.value ?? {}
  // Midnight ends the day that is named with it, so nothing begins then.
  const isMidnight = from === MIDNIGHT
  return {
    day: only.value,
    from: isMidnight ? '' : from,
    to: to > from && to < MIDNIGHT ? to : '',
    quote: only.quote,
  }
}
