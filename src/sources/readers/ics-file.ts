import ICAL from 'ical.js'
import { messageOf } from '../../lib/errors.ts'
import { Unreadable } from '../records.ts'
import { withoutUtf16 } from './encoding.ts'

/** An iCalendar file, taken apart so that one bad event does not spoil the rest. */
export type IcsFile = {
  /** The calendar without its events. */
  calendar: ICAL.Component
  events: ICAL.Component[]
  /** Why the file may lack events that are still there; undefined if it has all. */
  gap: string | undefined
  /** Events that could not be read: UID, or summary, the line on which they begin, and the reason. */
  failures: { what: string; line: number | undefined; reason: string }[]
  /** The line on which an event begins, from 1. */
  lineOf: (event: ICAL.Component) => number | undefined
}

/**
 * The content lines of a file. Lines are unfolded before decoding, because real feeds fold inside of a character's
 * bytes (RFC 5545 §3.1 warns of it). A line that is no content line is appended to the one before: some feeds don't
 * escape line breaks.
 */
export function contentLines(bytes: Uint8Array): string[] {
  const unfolded = unfold(bytes)
  const lines: string[] = []
  for (const line of decode(unfolded).split(/\r\n?|\n/)) {
    if (/^[\w-]+[;:]/.test(line)) lines.push(line)
    else if (line !== '' && lines.length > 0) lines.push(`${lines.pop()}\\n${line}`)
  }
  return lines
}

const [TAB, LF, CR, SPACE] = [9, 10, 13, 32]

/** The bytes without the line ends that a blank follows. */
function unfold(bytes: Uint8Array): Uint8Array {
  const unfolded = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const end = bytes[at] === CR && bytes[at + 1] === LF ? at + 1 : at
    const next = bytes[end + 1]
    if (bytes[end] === LF && (next === SPACE || next === TAB)) at = end + 1
    else unfolded[length++] = bytes[at] ?? 0
  }
  return unfolded.subarray(0, length)
}

/** Decodes UTF-8, which the standard requires, or else Windows-1252, which some programs write. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** @throws Unreadable if it is no iCalendar file at all */
export function readIcs(given: Uint8Array): IcsFile {
  const bytes = withoutUtf16(given)
  const lines = contentLines(bytes)
  if (!/^BEGIN:VCALENDAR$/i.test(lines[0]?.trim() ?? '')) throw new Unreadable('it is not an iCalendar file')
  const { events, others, isWhole } = split(lines)
  const gap = isWhole ? undefined : 'breaks off before its end'
  const numbers = new Map<ICAL.Component, number>()
  let begins: number[] | undefined
  const lineAt = (n: number | undefined) => {
    begins ??= beginnings(bytes)
    return n === undefined ? undefined : begins[n]
  }
  const lineOf = (event: ICAL.Component) => lineAt(numbers.get(event))
  const file: IcsFile = { calendar: calendarOf(others), events: [], gap, failures: [], lineOf }
  for (const [n, event] of events.entries()) {
    try {
      if (!isLine(event.at(-1) ?? '', 'END:VEVENT')) throw new Unreadable('the file breaks off in it')
      const component = parse(event).getFirstSubcomponent('vevent')
      if (component) {
        file.events.push(component)
        numbers.set(component, n)
      }
    } catch (error) {
      const uid = event.find(line => /^UID[;:]/i.test(line))
      const name = uid ?? event.find(line => /^SUMMARY[;:]/i.test(line))
      const reason = messageOf(error)
      file.failures.push({ what: name?.replace(/^[^:]*:/, '') ?? 'without UID', line: lineAt(n), reason })
      // Nobody knows which one it is.
      if (uid === undefined) file.gap ??= 'has an event that breaks off before its UID'
    }
  }
  if (events.length === 0) file.gap ??= 'has no events'
  return file
}

/** The lines of a file, from 1, on which its events begin. Only failures need them. */
const beginnings = (bytes: Uint8Array): number[] =>
  new TextDecoder('windows-1252')
    .decode(bytes)
    .split(/\r\n?|\n/)
    .flatMap((line, i) => (isLine(line, 'BEGIN:VEVENT') ? [i + 1] : []))

const isLine = (line: string, text: string): boolean => line.trim().toUpperCase() === text

/** The lines of each event, and those outside of events and of the frame around it all. */
function split(lines: readonly string[]): { events: string[][]; others: string[]; isWhole: boolean } {
  const events: string[][] = []
  const others: string[] = []
  let event: string[] | undefined
  for (const line of lines) {
    if (isLine(line, 'BEGIN:VEVENT')) {
      // The one before has no end.
      if (event) events.push(event)
      event = []
    }
    if (event) event.push(line)
    else if (!isLine(line, 'BEGIN:VCALENDAR') && !isLine(line, 'END:VCALENDAR')) others.push(line)
    if (event && isLine(line, 'END:VEVENT')) {
      events.push(event)
      event = undefined
    }
  }
  // What a file that breaks off says of its last event may be half of a line.
  if (event) events.push(event)
  return { events, others, isWhole: /^END:VCALENDAR\b/i.test(lines.at(-1) ?? '') }
}

const parse = (lines: readonly string[]): ICAL.Component =>
  new ICAL.Component(ICAL.parse(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')))

/** The properties and zones of a calendar; without the zones if their rules can't be read. */
function calendarOf(lines: readonly string[]): ICAL.Component {
  try {
    return parse(lines)
  } catch {
    const end = lines.findIndex(line => /^BEGIN:/i.test(line))
    return parse(lines.slice(0, end < 0 ? undefined : end).filter(line => /^[\w-]+:/.test(line)))
  }
}

/** The name of a property of ours as ical.js has it. */
export const propertyName = (property: string): string => property.toLowerCase()

/** The first value of a property as text. ical.js leaves values of unknown types escaped. */
export function propertyText(component: ICAL.Component, name: string): string {
  const property = component.getFirstProperty(name)
  const value = property && firstValue(property)
  if (value === undefined || value === null) return ''
  const text = String(value)
  return property?.type === 'unknown' ? unescapeText(text) : text
}

/** The first value; as it is written if it is none of the type that the property names. */
function firstValue(property: ICAL.Property): unknown {
  try {
    return property.getFirstValue()
  } catch {
    return property.jCal[3]
  }
}

const unescapeText = (text: string): string =>
  text.replace(/\\([nN;,\\])/g, (_, character: string) =>
    character.toLowerCase() === 'n' ? '\n' : character,
  )
