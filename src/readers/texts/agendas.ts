import type { Span } from './words/plain.ts'

// The agenda of a meeting has days and amounts that are not the meeting's. By its heading and the marks of
// its items, this finds the stretches that are not to be read.

const HEADING = /^\W{0,4}(?:agenda|tagesordnung|ordre du jour|orden del d[ií]a)\W{0,4}$/i
const IN_LINE = /^\W{0,4}(?:tagesordnung|ordre du jour|orden del d[ií]a) ?:/i
const ITEM = /^\s{0,8}(?:[-–•*·]\s|(?:\d{1,2}|[a-z])\s?[.):-])/i

/**
 * The items of the agendas of meetings, whose days and amounts are not of the meeting. It has been announced
 * above, with its day: an “Agenda” at the top may be a calendar.
 */
export function agendasIn(text: string): Span[] {
  const spans: Span[] = []
  let isBelow = false
  let at = 0
  let hasDay = false
  for (const line of text.split('\n')) {
    const end = at + line.length
    if (HEADING.test(line)) isBelow = hasDay
    else if (hasDay && IN_LINE.test(line)) spans.push([at, end])
    else if (isBelow && ITEM.test(line)) spans.push([at, end])
    else if (line.trim() !== '') isBelow = false
    hasDay ||= /\d/.test(line)
    at = end + 1
  }
  return spans
}
