import type { Span } from './words/plain.ts'

// The agenda of a meeting has days and amounts that are not the meeting's. By its heading and the marks of
// its items, this finds the stretches that are not to be read.

const HEADING = /^\W{0,4}(?:agenda|tagesordnung|ordre du jour|orden del d[ií]a)\W{0,4}$/i
const IN_LINE = /^\W{0,4}(?:tagesordnung|ordre du jour|orden del d[ií]a) ?:/i
const ITEM = /^\s{0,8}(?:[-–•*·]\s|(?:\d{1,2}|[a-z])\s?[.):-])/i
/** The number of an item that looks like a day: `27/03 Public participation`. */
const REFERENCE = /^\s{0,8}(\d{1,4})\/(\d{1,4})(?![\d/])/
/** Nothing takes place on the same day of three months in a row, but items have numbers like that. */
const MIN_OF_REFERENCES = 3

/**
 * The items of the agendas of meetings, whose days and amounts are not of the meeting. It has been announced
 * above, with its day: an “Agenda” at the top may be a calendar.
 */
export function agendasIn(text: string): Span[] {
  const spans: Span[] = []
  let isBelow = false
  let at = 0
  let hasDay = false
  const lines = text.split('\n')
  const isReference = referencesOf(lines)
  for (const line of lines) {
    const end = at + line.length
    const [number] = REFERENCE.exec(line) ?? []
    const isNumbered = number !== undefined && isReference(number)
    if (HEADING.test(line)) isBelow = hasDay
    else if (hasDay && IN_LINE.test(line)) spans.push([at, end])
    else if (isBelow && (isNumbered || ITEM.test(line))) spans.push([at, end])
    else {
      if (isNumbered) spans.push([at, at + number.length])
      if (line.trim() !== '') isBelow = false
    }
    hasDay ||= /\d/.test(line)
    at = end + 1
  }
  return spans
}

/** Tells the numbers of items that go up by one, behind one that stays: 27/01, 27/02, 27/03. */
function referencesOf(lines: readonly string[]): (number: string) => boolean {
  const partsOf = (line: string): number[] => (REFERENCE.exec(line) ?? []).slice(1).map(Number)
  const said = new Set(lines.map(line => partsOf(line).join('/')))
  const steps = Array.from({ length: MIN_OF_REFERENCES }, (_, i) => i)
  return number => {
    const [first, second = 0] = partsOf(number)
    return steps.some(back => steps.every(step => said.has(`${first}/${second - back + step}`)))
  }
}
