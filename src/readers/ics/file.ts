import ICAL from 'ical.js'
import { type CalendarLimits, Unreadable } from '../../calendar/imports/records.ts'
import { messageOf } from '../../kit/lib/errors.ts'
import { CALENDAR_PROPERTY } from '../../kit/lib/ical/lines.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { withoutUtf16 } from '../http.ts'
import { contentLines, propertyIn } from './content-lines.ts'
import { COMMAND_LIMITS } from './limits.ts'
import { type IcsSlip, repairLine } from './slips.ts'
import { componentLine, withWholeDays } from './tidy-lines.ts'

/** An iCalendar file, split so that one bad event does not spoil the rest. */
export type IcsFile = {
  calendar: ICAL.Component
  events: EventLines[]
  /** The reason why the file may lack existing events; undefined if it is complete. */
  gap: string | undefined
  /** True for a file with more lines than are read. */
  isTooLong: boolean
  /** The line on which an event, or a property of it, begins, from 1. */
  lineAt: (event: number, property?: string) => number | undefined
  /** The first line that has a text, from 1. */
  lineWith: (text: string) => number | undefined
  /** The first line that is not in the encoding of the file; undefined if all are. */
  foreign: string | undefined
  /** Words that were read as others. */
  slips: readonly IcsSlip[]
  /**
   * Unknown components, and those that end without a beginning (''), with their UIDs: each may be an event
   * with a misspelt name.
   */
  unknown: readonly { name: string; uid: string }[]
}

/** The lines of an event, except for those left out, and the reason why it cannot be read. */
type EventLines = {
  lines: string[]
  /** The cost of reading it, in characters. */
  size: number
  fault: string | undefined
  droppedFaults: string[]
}

/**
 * Limit on an event, and on the calendar around all events, in characters. A short line counts as {@link
 * MIN_LINE_SIZE}.
 */
const MAX_COMPONENT_LENGTH = 1_000_000
const MIN_LINE_SIZE = 40
/**
 * Limit on an unfolded line, in characters: descriptions may have half of that, and 20,000 dates take less.
 */
const MAX_LINE_LENGTH = 400_000
/**
 * Lines up to this length may have any parameters. ical.js scans the whole line for each parameter, in
 * quadratic time.
 */
const SHORT_LINE = 4_000
const MAX_PARAMETERS = 20
const FEW_PARAMETERS = /^[\w-]+(?:;[\w-]+=(?:"[^"]*"|[^":;]*)){0,20}:/

/** Lines that an event can do without. */
const DISPENSABLE = /^(?:ATTACH|ATTENDEE|COMMENT|DESCRIPTION|IMAGE|X-ALT-DESC)[;:]/i

/**
 * Splits a file, without reading its events yet.
 *
 * @param limits the limit on its lines
 * @param ownId the id of this calendar
 * @throws Unreadable if it is not an iCalendar file, has too much outside its events, or is a copy of this
 *   calendar
 */
export function readIcs(
  bytesRead: Uint8Array,
  limits: CalendarLimits = COMMAND_LIMITS,
  ownId?: string,
): IcsFile {
  const bytes = withoutUtf16(bytesRead)
  let isTooLong = false
  let foreignLine: string | undefined
  const onTooMany = () => {
    isTooLong = true
  }
  const slips: IcsSlip[] = []
  const onForeign = (line: string) => {
    foreignLine = line
  }
  const onSlip = (slip: IcsSlip) => void (slips.length < MAX_SLIPS && slips.push(slip))
  const lines = contentLines(bytes, { maxLines: limits.lines, onTooMany, onForeign, onSlip })
  if (!isLine(lines[0] ?? '', 'BEGIN:VCALENDAR'))
    throw new Unreadable('it is not an iCalendar file', 'source_no_calendar')
  const positions = memoize(() => positionsOf(bytes))
  const lineAt = (n: number, property?: string) => {
    const { begins, lines: fileLines } = positions()
    const begin = begins[n]
    const end = begins[n + 1] ?? fileLines.length
    if (begin === undefined || property === undefined) return begin
    const ownLine = fileLines.slice(begin - 1, end).findIndex(line => propertyIn(line) === property)
    return ownLine < 0 ? begin : begin + ownLine
  }
  const { events, around, unknown, isWhole } = split(lines)
  if (around.fault !== undefined)
    throw new Unreadable(`what it says outside its events ${around.fault}`, 'source_no_calendar')
  const calendar = calendarOf(around.lines)
  if (ownId !== undefined && propertyText(calendar, CALENDAR_PROPERTY.toLowerCase()) === ownId)
    throw new Unreadable('it is this calendar itself', 'source_itself')
  // The last event was not read to its end.
  if (isTooLong && !isEnded(events.at(-1))) events.pop()
  const gap = isTooLong
    ? `has more than ${limits.lines} lines, and the rest is not read`
    : isWhole
      ? undefined
      : 'breaks off before its end'
  // The event with this UID may be one of those that the calendar had before.
  const hasForeignUid = foreignLine !== undefined && /^UID[;:]/i.test(foreignLine)
  return {
    calendar,
    events,
    gap: gap ?? (hasForeignUid ? 'has a UID that is not UTF-8' : undefined),
    isTooLong,
    lineAt,
    lineWith: lineFinder(bytes),
    foreign: foreignLine,
    slips,
    unknown,
  }
}

/** The most slips of a file that are named. */
const MAX_SLIPS = 1_000

const isEnded = (event: EventLines | undefined): boolean => isLine(event?.lines.at(-1) ?? '', 'END:VEVENT')

/** @throws Unreadable for an event that cannot be read */
export function parseEvent(event: EventLines): ICAL.Component | null {
  if (event.fault !== undefined) throw new Unreadable(`it ${event.fault}`, 'record_unreadable')
  if (!isEnded(event)) throw new Unreadable('the file breaks off in it', 'record_broken')
  const parsed = (lines: readonly string[]) => parse(withWholeDays(lines)).getFirstSubcomponent('vevent')
  const otherLines = event.lines.filter(line => !/^(?:RRULE|EXRULE)[;:]/i.test(line))
  try {
    return parsed(event.lines)
  } catch (error) {
    if (otherLines.length === event.lines.length) throw error
    parsed(otherLines)
    // Everything in the event but its rule can be read.
    throw new Unreadable(messageOf(error), 'record_rule')
  }
}

export const hasUid = ({ lines }: EventLines): boolean => lines.some(line => /^UID[;:]/i.test(line))

/** The name of an unreadable event: its UID, or else its summary. */
export function nameOfEvent({ lines }: EventLines): string {
  const nameLine =
    lines.find(line => /^UID[;:]/i.test(line)) ?? lines.find(line => /^SUMMARY[;:]/i.test(line))
  return nameLine?.replace(/^[^:]*:/, '') ?? 'without UID'
}

/** The title of an unreadable event. */
export const titleOfEvent = (event: EventLines): string => unescapeText(propertyValue(event, 'SUMMARY'))

/**
 * The lines of a file, and the numbers, from 1, of those on which its events begin. Only reports need them.
 */
function positionsOf(bytes: Uint8Array): { begins: number[]; lines: string[] } {
  const lines = new TextDecoder('windows-1252').decode(bytes).split(/\r\n?|\n/)
  const begins = lines.flatMap((line, i) =>
    componentLine(repairLine(line)) === 'BEGIN:VEVENT' ? [i + 1] : [],
  )
  return { begins, lines }
}

/** The value of a property as an event has it in the file; '' without one. */
export function propertyValue({ lines }: EventLines, property: string): string {
  const line = lines.find(one => propertyIn(one) === property) ?? ''
  return line.replace(/^(?:[^:"]|"[^"]*")*:/, '')
}

/**
 * Finds the first line that has a text, from 1. Thousands of events may have the same unknown zone, and most
 * files have no report.
 */
function lineFinder(bytes: Uint8Array): IcsFile['lineWith'] {
  const decoded = memoize(() => new TextDecoder('windows-1252').decode(bytes))
  return memoize((text: string) => {
    const wholeText = decoded()
    const index = wholeText.indexOf(text)
    if (index < 0) return undefined
    let line = 1
    for (let end = wholeText.indexOf('\n'); end >= 0 && end < index; end = wholeText.indexOf('\n', end + 1))
      line += 1
    return line
  })
}

const isLine = (line: string, text: string): boolean =>
  line.length < 2 * text.length && line.trim().toUpperCase() === text

const noLines = (): EventLines => ({ lines: [], size: 0, fault: undefined, droppedFaults: [] })

/** Adds a line. If the line is too long, it is left out, or makes the event unreadable. */
function addLine(to: EventLines, line: string): void {
  const fault = faultIn(line)
  if (fault !== undefined && DISPENSABLE.test(line)) return void to.droppedFaults.push(fault)
  to.fault ??= fault
  if (fault !== undefined) return
  to.size += Math.max(MIN_LINE_SIZE, line.length)
  if (to.size > MAX_COMPONENT_LENGTH) to.fault ??= `has more than ${MAX_COMPONENT_LENGTH} characters`
  to.lines.push(line)
}

/** The reason why a line is not read; undefined if it is. */
function faultIn(line: string): string | undefined {
  const name = () =>
    line
      .slice(0, 50)
      .replace(/[;:].*/s, '')
      .toUpperCase()
  if (line.length > MAX_LINE_LENGTH) return `has more than ${MAX_LINE_LENGTH} characters in ${name()}`
  if (line.length > SHORT_LINE && !FEW_PARAMETERS.test(line))
    return `has more than ${MAX_PARAMETERS} parameters in ${name()}, or more than ${SHORT_LINE} characters of them`
  return undefined
}

/**
 * Makes a test for the lines outside events that are read: properties of the calendar and zones, but not
 * tasks and journals.
 */
function outerLineTest(): (line: string) => boolean {
  let isInZone = false
  let depth = 0
  return line => {
    const [, edge = '', name] = /^(BEGIN|END):\s*([\w-]+)\s*$/.exec(line.slice(0, 100).toUpperCase()) ?? []
    if (name === 'VTIMEZONE' && depth === 0) isInZone = edge === 'BEGIN'
    else if (!isInZone && edge !== '') {
      depth = Math.max(0, depth + (edge === 'BEGIN' ? 1 : -1))
      return false
    }
    return depth === 0
  }
}

/**
 * Components that are not events, tasks and journals included (RFC 5545, 7529, 7953, 9073), and those of
 * programs.
 */
const NOT_EVENTS =
  /^(?:VCALENDAR|VTODO|VJOURNAL|VFREEBUSY|VTIMEZONE|STANDARD|DAYLIGHT|VALARM|VAVAILABILITY|AVAILABLE|VPOLL|VVOTER|VOTE|PARTICIPANT|VLOCATION|VRESOURCE|X-.*)$/

/** The lines of each event, and the lines outside events, without the frame around everything. */
function split(lines: readonly string[]): {
  events: EventLines[]
  around: EventLines
  unknown: { name: string; uid: string }[]
  isWhole: boolean
} {
  const unknownNames: { name: string; uid: string }[] = []
  let stranger: { name: string; uid: string } | undefined
  const events: EventLines[] = []
  const outerLines = noLines()
  const isAround = outerLineTest()
  let event: EventLines | undefined
  let looseLine = ''
  for (const line of lines) {
    if (!event && !stranger && /^UID[;:]/i.test(line)) looseLine = line.replace(/^[^:]*:/, '').trim()
    if (!event && !stranger && isLine(line, 'END:VEVENT')) unknownNames.push({ name: '', uid: looseLine })
    if (isLine(line, 'END:VEVENT')) looseLine = ''
    if (isLine(line, 'BEGIN:VEVENT')) {
      // The previous event has no end.
      if (event) events.push(event)
      event = noLines()
    }
    const [, begunName] = event ? [] : (/^BEGIN:(.*)$/.exec(line) ?? [])
    if (begunName !== undefined && !NOT_EVENTS.test(begunName)) {
      stranger = { name: begunName, uid: '' }
      unknownNames.push(stranger)
    } else if (stranger && /^UID[;:]/i.test(line)) stranger.uid = line.replace(/^[^:]*:/, '').trim()
    else if (stranger && line === `END:${stranger.name}`) stranger = undefined
    if (event) addLine(event, line)
    else if (isLine(line, 'BEGIN:VCALENDAR') || isLine(line, 'END:VCALENDAR')) continue
    else if (isAround(line)) addLine(outerLines, line)
    if (event && isLine(line, 'END:VEVENT')) {
      events.push(event)
      event = undefined
    }
  }
  // If a file breaks off, its last event may end in half a line.
  if (event) events.push(event)
  // Some programs that fail within an event write their error, and the last line of the file all the same.
  const isWhole = event === undefined && /^END:VCALENDAR\b/i.test(lines.at(-1) ?? '')
  return { events, around: outerLines, unknown: unknownNames, isWhole }
}

/** @throws Unreadable if a component ends that has not begun: ical.js then ends the calendar */
function parse(lines: readonly string[]): ICAL.Component {
  const component = ICAL.parse(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n'))
  if (component[0] !== 'vcalendar')
    throw new Unreadable('a component in it has no BEGIN', 'record_unreadable')
  return new ICAL.Component(component)
}

/** The properties and zones of a calendar; without the zones if their rules can't be read. */
function calendarOf(lines: readonly string[]): ICAL.Component {
  try {
    return parse(lines)
  } catch {
    const end = lines.findIndex(line => /^BEGIN:/i.test(line))
    return parse(lines.slice(0, end < 0 ? undefined : end).filter(line => /^(?!END:)[\w-]+:/i.test(line)))
  }
}

/** The name of one of our own properties in the form that ical.js uses. */
export const propertyName = (property: string): string => property.toLowerCase()

/** The types of values that ical.js reads. It leaves all other values as they are in the file. */
const KNOWN_TYPES: ReadonlySet<string> = new Set(
  'text uri date date-time date-and-or-time time duration period recur utc-offset integer float boolean cal-address binary'.split(
    ' ',
  ),
)

/** The first value of a property as text. ical.js leaves values of unknown types escaped. */
export function propertyText(component: ICAL.Component, name: string): string {
  const property = component.getFirstProperty(name)
  const value = property && firstValue(property)
  if (value === undefined || value === null) return ''
  const text = String(value)
  return property && !KNOWN_TYPES.has(property.type) ? unescapeText(text) : text
}

/** The first value, or its text if it does not have the type that the property names. */
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
