import { decodeBytes } from '../http.ts'
import { isQuoted, MAX_HEAD_LENGTH, unquoteLine } from './quoted-printable.ts'
import { type IcsSlip, isPropertyName, repairLine } from './slips.ts'
import { componentLine, splitTimes, tidyLine } from './tidy-lines.ts'

// The lines of an iCalendar file: decoded, unfolded, and each joined with the stray lines that belong to it.

/** The name of the property in a content line, in capitals. */
export const propertyIn = (line: string): string =>
  line
    .slice(0, 60)
    .replace(/[;:].*/s, '')
    .trim()
    .toUpperCase()

type ContentLineOptions = {
  /** The number of lines to read, not counting empty ones. */
  maxLines: number
  /** Called if there are more. */
  onTooMany: () => void
  /** Called with the first line that is not UTF-8, if there is one. */
  onForeign: (line: string) => void
  /** Called with each line that is read otherwise than it is written, or left out. */
  onSlip: (slip: IcsSlip) => void
}

/**
 * The content lines of a file. Lines are unfolded before decoding, because real feeds fold inside a
 * character's bytes (RFC 5545 §3.1 warns of it). A line that is not a content line is appended to the
 * previous one, because some feeds don't escape line breaks; so is one that only looks like it, such as
 * `https://…` or `INFO: Bring a chair` after a description.
 */
export function contentLines(
  bytes: Uint8Array,
  {
    maxLines = Infinity,
    onTooMany = () => {},
    onForeign = () => {},
    onSlip = () => {},
  }: Partial<ContentLineOptions> = {},
): string[] {
  const lines: string[] = []
  /** Lines that belong to the last one: joined one by one, they would be copied again and again. */
  let furtherLines: string[] = []
  const endLine = () => {
    if (furtherLines.length > 0) lines.push([lines.pop(), ...furtherLines].join('\\n'))
    furtherLines = []
  }
  let namesSoFar = new Set<string>()
  let count = 0
  const { text, foreign } = decodeBytes(unfold(bytes))
  if (foreign !== undefined) onForeign(foreign)
  for (const { 0: rawLine, index } of text.matchAll(/[^\r\n]+/g)) {
    if (rawLine.trim() === '') continue
    count += 1
    if (count > maxLines) {
      onTooMany()
      break
    }
    const before = lines.at(-1) ?? ''
    const isAlsoElsewhere = (name: string) =>
      namesSoFar.has(name) || comesAgain(name, text, index + rawLine.length)
    if (MANY_LINES.test(before) && isOfText(rawLine, before, isAlsoElsewhere)) {
      furtherLines.push(rawLine)
      continue
    }
    const line = repairLine(unquoteLine(rawLine, onSlip), onSlip)
    if (/^[\w-]{1,200}\s*[;:]/.test(line) || componentLine(line) !== undefined) {
      endLine()
      lines.push(...tidyLine(line))
      const name = propertyIn(line)
      if (isEdge(name)) namesSoFar = new Set()
      else namesSoFar.add(name)
    } else if (lines.length > 0 && !isCompleteBefore(before, line)) {
      // A text may have unescaped line breaks; for any other value, the space of a fold is missing.
      const isText = /^(?:DESCRIPTION|COMMENT|X-)/i.test(before)
      if (!isText)
        onSlip({ line, field: before.replace(/[;:].*/s, ''), text: line, correction: before + line })
      if (ONE_LINE.test(before)) {
        lines.pop()
        lines.push(...tidyLine(repairLine(before.replace(';VALUE=TEXT:', ':') + line, onSlip)))
      } else furtherLines.push(line)
    } else if (lines.length > 0) onSlip({ line, field: 'VEVENT', text: line })
  }
  endLine()
  return lines
}

const isEdge = (name: string): boolean => name === 'BEGIN' || name === 'END'

/** A line that begins or ends a component of a plausible name: `End: late` is no such line. */
const EDGE = /^\s*(?:BEGIN|END)\s*:\s*(?:[VX][\w-]+|STANDARD|DAYLIGHT|PARTICIPANT|AVAILABLE)\s*$/i

/** Properties that an event has only once, and whose names people write in descriptions, too. */
const HAD_ONCE: ReadonlySet<string> = new Set(['SUMMARY', 'LOCATION', 'ORGANIZER', 'URL'])

/** Properties that matter little for an event, and whose names are words with which people begin a line. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  'ACTION COLOR COMMENT CONCEPT CONTACT LINK METHOD NAME PRIORITY REPEAT RESOURCES SOURCE TRIGGER VERSION'.split(
    ' ',
  ),
)

/**
 * True if a line after a text is part of the text. It is if no property has its name. If one has, it is if
 * the event has that property elsewhere, too, or if the line has a space after its colon and the text has
 * none after its own.
 */
function isOfText(rawLine: string, before: string, isAlsoElsewhere: (name: string) => boolean): boolean {
  const line = repairLine(rawLine)
  const name = propertyIn(line)
  if (isEdge(name)) return !EDGE.test(line)
  if (!isPropertyName(name)) return true
  // “UND: …” is no UID, nor “CLASSICAL MUSIC” a CLASS.
  if (name !== propertyIn(rawLine))
    return isAlsoElsewhere(name) || VALUE_CHECKS[name]?.(line.slice(name.length)) === false
  // What people write has no parameters.
  const [, firstOfValue] = /^[\w-]+\s*:(.?)/.exec(line) ?? []
  if (firstOfValue === undefined) return false
  if (HAD_ONCE.has(name)) return isAlsoElsewhere(name)
  return COMMON_WORDS.has(name) && firstOfValue === ' ' && /:(?! )/.test(before.slice(0, MAX_NAME_LENGTH))
}

/** True if the component of a line has a property after it. */
function comesAgain(name: string, text: string, after: number): boolean {
  const next = new RegExp(`^(?:(${name})|BEGIN|END)\\s*[;:]`, 'gim')
  next.lastIndex = after
  return next.exec(text)?.[1] !== undefined
}

/**
 * The most characters of a value after which stray lines are looked for: each of these lines is checked
 * together with the value.
 */
const MAX_BEFORE_LENGTH = 2_000

/** True if a line that doesn't belong to the calendar follows a complete value, and would spoil it. */
function isCompleteBefore(before: string, line: string): boolean {
  // Only lists of dates are longer.
  if (before.length + line.length > MAX_BEFORE_LENGTH)
    return ONE_LINE.test(before) && !(/^(?:EXDATE|RDATE)[;:]/i.test(before) && /^[\dTZ,]+$/i.test(line))
  const name = propertyIn(before)
  const isValid = VALUE_CHECKS[name]
  const afterName = before.slice(name.length)
  return isValid?.(afterName) === true && !isValid(afterName + line)
}

const isTimes = (rest: string): boolean => splitTimes(rest) !== undefined
const valueMatches = (pattern: RegExp) => (rest: string) => pattern.test(rest.slice(rest.indexOf(':') + 1))

/** Checks of the text after the names of properties with a fixed format. */
const VALUE_CHECKS: Readonly<Record<string, (rest: string) => boolean>> = {
  DTSTART: isTimes,
  DTEND: isTimes,
  EXDATE: isTimes,
  RDATE: isTimes,
  'RECURRENCE-ID': isTimes,
  DURATION: valueMatches(/^\s*[+-]?P[\dWDTHMS]+\s*$/i),
  RRULE: valueMatches(/^\s*(?:[A-Z]+=[\w,+:-]+(?:;|\s*$))+$/i),
  STATUS: valueMatches(/^\s*(?:CONFIRMED|TENTATIVE|CANCELLED)\s*$/i),
  CLASS: valueMatches(/^\s*(?:PUBLIC|PRIVATE|CONFIDENTIAL)\s*$/i),
}

/** Properties whose values have no line breaks. */
const ONE_LINE = /^(?:UID|DTSTART|DTEND|DURATION|EXDATE|RDATE|RECURRENCE-ID|RRULE|EXRULE|STATUS|CLASS)[;:]/i

/** Properties whose values have line breaks. */
const MANY_LINES = /^(?:DESCRIPTION|COMMENT|X-ALT-DESC)[;:]/i

const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const EQUALS = 61

/** True if a line goes on after its end, as quoted-printable lines do that end with `=`. */
const isSoftBreak = (bytes: Uint8Array, end: number, line: Uint8Array): boolean =>
  line.at(-1) === EQUALS &&
  isQuoted(String.fromCharCode(...line.subarray(0, MAX_HEAD_LENGTH))) &&
  !beginsLine(bytes, end + 1, line)

/** The bytes without the line ends that are followed by a space or a tab, and without soft line breaks. */
function unfold(bytes: Uint8Array): Uint8Array {
  const unfolded = new Uint8Array(bytes.length)
  let length = 0
  let start = 0
  for (let i = 0; i < bytes.length; i += 1) {
    const lineEnd = bytes[i] === CR && bytes[i + 1] === LF ? i + 1 : i
    if (bytes[lineEnd] === LF && isSoftBreak(bytes, lineEnd, unfolded.subarray(start, length))) {
      length -= 1
      i = lineEnd
      continue
    }
    const end =
      bytes[lineEnd] === LF && isBareName(unfolded.subarray(start, length))
        ? endOfEmpty(bytes, lineEnd)
        : lineEnd
    const next = bytes[end + 1]
    // A component that begins after a space is not part of the line before.
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

/** The last of the line ends that follow one, if a folded line comes after them; otherwise the given one. */
function endOfEmpty(bytes: Uint8Array, end: number): number {
  let last = end
  for (let i = end + 1; bytes[i] === LF || bytes[i] === CR; i += 1) if (bytes[i] === LF) last = i
  return bytes[last + 1] === SPACE || bytes[last + 1] === TAB ? last : end
}

/**
 * True if a component begins or ends after a blank, or if a property does and the one before it has a value
 * of a single line.
 */
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
