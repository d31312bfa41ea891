import type { GuessCode } from '../../kit/lib/reasons.ts'
import type { GuessedValue, ReaderContext } from './records.ts'

/** Equal guesses: the first of them, and their number. */
export type CountedGuess = GuessedValue & { times: number }

/**
 * Reports what a reader has guessed. Every value that a reader makes up has to be reported by this function.
 */
export function reportGuess(
  { guess, note }: Pick<ReaderContext, 'guess' | 'note'>,
  guessedValue: GuessedValue,
): void {
  if (guess) guess(guessedValue)
  else note(placedGuess(guessedValue))
}

const MESSAGES = {
  guess_zone: ({ text, as }) => `unknown time zone ${text}, read as ${as}`,
  guess_value: ({ field, text, as }) => `${field} ${text} was read as ${as}`,
  guess_left_out: ({ field, text }) => `${field} cannot be understood, left out: ${text}`,
  guess_early: ({ field, text }) => `${field} is before the start, left out: ${text}`,
  guess_days_by_rows: ({ text, as }) => `${text} and days like it were read as ${as}, judging by other rows`,
  guess_days_by_headings: ({ text, as }) =>
    `${text} and days like it were read as ${as}, because of the language of the headings`,
  guess_half: ({ text, as }) =>
    `${text} and times like it, without am or pm, were read as in the morning: ${as}`,
  guess_no_title: () => 'it has no title, and its page shows the end of its address instead',
  guess_skipped: ({ text, as }) => `clocks skip ${text}, so start and end were read as ${as}`,
  guess_year: ({ text, as }) => `${text} and days like it, without a year, were read as ${as}`,
  guess_encoding: ({ text, as }) => `${text} is not ${as}: the bytes were read as Windows-1252`,
  guess_hides: ({ field, text }) => `${field} ${text} is not known, so the event waits`,
  guess_status: ({ field, text }) => `${field} ${text} is not known, so the event waits`,
  guess_version: ({ text }) => `it occurs more than once, and the newest version is used; left out: ${text}`,
} as const satisfies Record<GuessCode, (guess: GuessedValue) => string>

const placedGuess = ({ what, line, ...guess }: GuessedValue): string => {
  const place = [what, line && `line ${line}`].filter(Boolean).join(', ')
  return `${place && `${place}: `}${guessText(guess)}`
}

/** A guess in words, for programs and logs. */
export const guessText = (guess: GuessedValue): string =>
  MESSAGES[guess.code]({ ...guess, text: JSON.stringify(guess.text), field: guess.field ?? 'a value' })

/** The most characters of a text that a guess quotes. */
const MAX_TEXT_LENGTH = 100

/** The most different guesses that are told apart. */
const MAX_GUESSES = 200

/** Collects guesses, and counts equal ones. */
export class Guesses {
  readonly #counted = new Map<string, CountedGuess>()

  take = (guess: GuessedValue): void => {
    const text = guess.text.trim().slice(0, MAX_TEXT_LENGTH).toWellFormed()
    const keyOf = (...parts: unknown[]) => JSON.stringify([guess.code, guess.field, ...parts])
    const ownKey = keyOf(text, guess.as)
    // Further guesses are counted by field only, because there are few fields.
    const key =
      this.#counted.has(ownKey) || this.#counted.size < MAX_GUESSES
        ? ownKey
        : keyOf().slice(0, MAX_TEXT_LENGTH)
    const countedGuess = this.#counted.get(key)
    if (countedGuess) countedGuess.times += 1
    else if (this.#counted.size < 2 * MAX_GUESSES) this.#counted.set(key, { ...guess, text, times: 1 })
  }

  /** The guesses, in the order of the file. */
  get all(): CountedGuess[] {
    return [...this.#counted.values()]
  }

  get lines(): string[] {
    return this.all.map(({ times, ...guess }) => placedGuess(guess) + (times > 1 ? ` (${times} times)` : ''))
  }
}
