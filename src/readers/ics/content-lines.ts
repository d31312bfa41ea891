import { decodeBytes } from '../http.ts'
import { hasNameOfNone, type IcsSlip, repairLine } from './slips.ts'
import { componentLine, splitTimes, tidyLine } from './tidy-lines.ts'

// The lines of an iCalendar file: decoded, unfolded, and with those that belong to the line before.

/** The name of the property in a content line, in capitals. */
export const propertyIn = (line: string): string =>
  line
    .slice(0, 60)
    .replace(/[;:].*/s, '')
    .trim()
    .toUpperCase()

/**
 * The content lines of a file. Lines are unfolded before decoding, because real feeds fold inside a
 * character's bytes (RFC 5545 §3.1 warns of it). A line that is not a content line is appended to the
 * previous one, because some feeds don't escape line breaks; so is one that only looks like it, such as
 * `https://…` or `Tickets: 5 €` after a description.
 *
 * @param maxLines the number of lines to read, not counting empty ones
 * @param onTooMany called if there are more
 */
export function contentLines(
  bytes: Uint8Array,
  maxLines = Infinity,
  onTooMany = () => {},
  onForeign = (_: string) => {},
  onSlip = (_: IcsSlip) => {},
): string[] {
  const lines: string[] = []
  let count = 0
  const { text, foreign } = decodeBytes(unfold(bytes))
  if (foreign !== undefined) onForeign(foreign)
  for (const [rawLine] of text.matchAll(/[^\r\n]+/g)) {
    if (rawLine.trim() === '') continue
    count += 1
    if (count > maxLines) {
      onTooMany()
      break
    }
    const line = repairLine(rawLine, onSlip)
    const isInText = OF_MANY_LINES.test(lines.at(-1) ?? '') && hasNameOfNone(line)
    const isContent = !isInText && /^[\w-]{1,200}\s*[;:]/.test(line)
    if (isContent || componentLine(line) !== undefined) lines.push(...tidyLine(line))
    else if (lines.length > 0) {
      const before = lines.pop() ?? ''
      if (isWholeWithout(before, line)) {
        onSlip({ line, field: 'VEVENT', text: line })
        lines.push(before)
        continue
      }
      // A text may have unescaped line breaks; for any other value, the blank of a fold is missing.
      const isText = /^(?:DESCRIPTION|COMMENT|X-)/i.test(before)
      if (!isText)
        onSlip({ line, field: before.replace(/[;:].*/s, ''), text: line, correction: before + line })
      const wholeLine = ONE_LINE.test(before)
        ? repairLine(before.replace(';VALUE=TEXT:', ':') + line, onSlip)
        : `${before}\\n${line}`
      lines.push(...(ONE_LINE.test(before) ? tidyLine(wholeLine) : [wholeLine]))
    }
  }
  return lines
}

/** The most characters of a value after which stray lines are looked for: each of them is read with it. */
const MAX_BEFORE_LENGTH = 2_000

/** True if a line that doesn't belong to the calendar follows a complete value, and would spoil it. */
function isWholeWithout(before: string, line: string): boolean {
  if (before.length + line.length > MAX_BEFORE_LENGTH) return false
  const name = propertyIn(before)
  const isValid = VALID[name]
  const afterName = before.slice(name.length)
  return isValid?.(afterName) === true && !isValid(afterName + line)
}

const isTimes = (rest: string): boolean => splitTimes(rest) !== undefined
const afterColon = (pattern: RegExp) => (rest: string) => pattern.test(rest.slice(rest.indexOf(':') + 1))

/** Checks of the text after the names of properties with a fixed format. */
const VALID: Readonly<Record<string, (rest: string) => boolean>> = {
  DTSTART: isTimes,
  DTEND: isTimes,
  EXDATE: isTimes,
  RDATE: isTimes,
  'RECURRENCE-ID': isTimes,
  DURATION: afterColon(/^\s*[+-]?P[\dWDTHMS]+\s*$/i),
  RRULE: afterColon(/^\s*(?:[A-Z]+=[\w,+:-]+(?:;|\s*$))+$/i),
  STATUS: afterColon(/^\s*(?:CONFIRMED|TENTATIVE|CANCELLED)\s*$/i),
  CLASS: afterColon(/^\s*(?:PUBLIC|PRIVATE|CONFIDENTIAL)\s*$/i),
}

/** Properties whose values have no line breaks. */
const ONE_LINE = /^(?:UID|DTSTART|DTEND|DURATION|EXDATE|RDATE|RECURRENCE-ID|RRULE|EXRULE|STATUS|CLASS)[;:]/i

/** Properties whose values have line breaks. */
const OF_MANY_LINES = /^(?:DESCRIPTION|COMMENT|X-ALT-DESC)[;:]/i

const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32

/** The bytes without line ends that are followed by a blank. */
function unfold(bytes: Uint8Array): Uint8Array {
  const unfolded = new Uint8Array(bytes.length)
  let length = 0
  let start = 0
  for (let i = 0; i < bytes.length; i += 1) {
    const lineEnd = bytes[i] === CR && bytes[i + 1] === LF ? i + 1 : i
    const end =
      bytes[lineEnd] === LF && isBareName(unfolded.subarray(start, length))
        ? endOfEmpty(bytes, lineEnd)
        : lineEnd
    const next = bytes[end + 1]
    // A component that begins after a blank is not part of the line before.
    const isFold = bytes[end] === LF && (next === SPACE || next === TAB)
    if (isFold && !beginsLine(bytes, end + 2, unfolded.subarray(start, length))) i = end + 1
    else {
      unfolded[length++] = bytes[i] ?? 0
      if (bytes[i] === LF) start = length
    }
  }
  return unfolded.subarray(0, length)
}

/** The longest name whose value may be in a later line. */
const MAX_NAME_LENGTH = 60

/** True if a line is the name of a property alone: its value follows, perhaps after empty lines. */
function isBareName(line: Uint8Array): boolean {
  return line.length > 1 && line.length < MAX_NAME_LENGTH && /^[A-Z-]+$/.test(String.fromCharCode(...line))
}

/** The end of the empty lines after one, or of that line. */
function endOfEmpty(bytes: Uint8Array, end: number): number {
  let last = end
  for (let i = end + 1; bytes[i] === LF || bytes[i] === CR; i += 1) if (bytes[i] === LF) last = i
  return bytes[last + 1] === SPACE || bytes[last + 1] === TAB ? last : end
}

/** True if bytes after a blank begin or end a component, or another line than one that is not text. */
function beginsLine(bytes: Uint8Array, position: number, before: Uint8Array): boolean {
  const textOf = (some: Uint8Array) => String.fromCharCode(...some.subarray(0, 40))
  const text = textOf(bytes.subarray(position, position + 40))
  if (/^\s*(?:BEGIN|END)\s*:\s*V\w+\s*[\r\n]/i.test(text)) return true
  const knownProperty =
    /^(?:UID|DTSTAMP|DTSTART|DTEND|RECURRENCE-ID|RRULE|EXDATE|RDATE|STATUS|CLASS|SUMMARY|LOCATION)[;:]/
  return (
    knownProperty.test(text) &&
    /^(?:BEGIN|END|DTSTAMP|DTSTART|DTEND|DURATION|RECURRENCE-ID|RRULE|EXDATE|RDATE|STATUS|CLASS|TRANSP|SEQUENCE)[;:]/i.test(
      textOf(before),
    )
  )
}
