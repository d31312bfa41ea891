import { lazyPattern } from '../kit/lib/pattern.ts'
import { fold } from '../kit/lib/text.ts'
import { WORDS, type WordSet } from './texts/words/words.ts'

const WORD = lazyPattern(String.raw`[\p{L}\p{N}]+`, 'gu')
export const foldedWords = (text: string): string[] => fold(text).match(WORD()) ?? []

// What newsletters put around their content: links to see them in a browser, and to unsubscribe, which belong
// to one reader alone.

/** The most words of a line of the frame. */
const MAX_WORDS = 25
/** The most words of a line that names a version for the web. */
const FEW_WORDS = 8
/** How many lines at the beginning and at the end of a text may be part of the frame. */
const FIRST_LINES = 5
const LAST_LINES = 10
const MAX_LINE_LENGTH = 1_000

function isFrame(words: readonly string[]): boolean {
  if (words.length > MAX_WORDS || words.some(word => /\d/.test(word))) return false
  const hasAnyOf = (set: WordSet) => words.some(word => set.has(word))
  if (hasAnyOf(WORDS.browsers)) return hasAnyOf(WORDS.verbsOfReading)
  if (hasAnyOf(WORDS.onTheWeb) && hasAnyOf(WORDS.versions)) return words.length <= FEW_WORDS
  return (
    hasAnyOf(WORDS.newsletters) &&
    hasAnyOf(WORDS.verbsOfReading) &&
    (hasAnyOf(WORDS.onTheWeb) || hasAnyOf(WORDS.clickHere))
  )
}

const LINK = /https?:\/\//

/**
 * A text without the lines at its beginning and end that link to the newsletter in a browser, or let the
 * reader unsubscribe.
 */
export function withoutFrame(text: string): string {
  const lines = text.split('\n')
  const filledLines = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]))
  const outer = new Set([...filledLines.slice(0, FIRST_LINES), ...filledLines.slice(-LAST_LINES)])
  let isBelowFrame = false
  const isContent = (line: string, index: number): boolean => {
    if (!outer.has(index) || line.length > MAX_LINE_LENGTH) return true
    const words = foldedWords(line.replace(/https?:\/\/\S+/g, ' '))
    // The link may be on a line of its own.
    const isLink = isBelowFrame && words.every(word => WORDS.clickHere.has(word))
    const isLeaving = words.some(word => WORDS.unsubscribing.has(word))
    // The same words ask people who can't come to say so, but without a link.
    isBelowFrame =
      isFrame(words) || (isLeaving && words.length <= MAX_WORDS && (words.length === 1 || LINK.test(line)))
    return !(isBelowFrame || isLink)
  }
  return lines.filter(isContent).join('\n')
}

// What letters put around their content: the subject, a salutation, and the names of those who write.

const SUBJECT = /^(?:subject|betreff|objet|asunto)\s?:/i
/** The most characters of a salutation, of a farewell and of each line below that. */
const MAX_LETTER_LINE = 60
/** The most lines from the farewell on. */
const MAX_SIGNED_LINES = 6
const MAX_FAREWELL_WORDS = 7

function isSalutation(line: string): boolean {
  const words = foldedWords(line)
  return (
    line.length <= MAX_LETTER_LINE &&
    /^[^\d]*[,:!]$/.test(line) &&
    WORDS.greetings.has(words[0] ?? '') &&
    !WORDS.greetingsOfSentences.has(words[0] ?? '')
  )
}

function isFarewell(line: string): boolean {
  const words = foldedWords(line)
  if (line.length > MAX_LETTER_LINE || words.length === 0 || words.length > MAX_FAREWELL_WORDS) return false
  return (
    words.slice(0, 3).some(word => WORDS.farewells.has(word)) ||
    (words.every(word => WORDS.linesOfThanks.has(word)) && !/[.?]$/.test(line))
  )
}

/** For each line of a text, true if it is of the subject, the salutation or the signature of a letter. */
export function letterLines(lines: readonly string[]): boolean[] {
  const filledLines = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]))
  const textOf = (at: number | undefined): string => (lines[at ?? -1] ?? '').trim()
  const subject = SUBJECT.test(textOf(filledLines[0])) ? filledLines.slice(0, 1) : []
  const salutation = filledLines
    .slice(subject.length, subject.length + 1)
    .filter(at => isSalutation(textOf(at)))
  const last = filledLines.slice(-MAX_SIGNED_LINES)
  const farewell = last.findIndex(at => isFarewell(textOf(at)))
  const signed = farewell === -1 ? [] : last.slice(farewell)
  const isSigned = signed.every(at => textOf(at).length <= MAX_LETTER_LINE)
  const letter = new Set([...subject, ...salutation, ...(isSigned ? signed : [])])
  return lines.map((_, at) => letter.has(at))
}

/** A text without the subject, the salutation and the signature of a letter. */
export function withoutLetter(text: string): string {
  const lines = text.split('\n')
  const isLetter = letterLines(lines)
  return lines.filter((_, at) => !isLetter[at]).join('\n')
}
