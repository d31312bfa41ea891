import { splitTimes } from './tidy-lines.ts'

// Lines whose name, parameter or keyword is misspelt in a way that leaves one reading: a letter too many, too
// few or wrong, or a missing separator. They are read as the nearest known word, and this is reported.

/** A word of a file, and the word that it was read as; nothing if it was left out. */
export type IcsSlip = { line: string; field: string; text: string; correction?: string }

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const TIMES = words('DTSTART DTEND EXDATE RDATE RECURRENCE-ID')
/** Properties whose misspellings are found: those that matter most for an event. */
const CORRECTED_NAMES = words(
  'BEGIN END DTSTART DTEND EXDATE RDATE RECURRENCE-ID DURATION RRULE EXRULE STATUS CLASS SUMMARY LOCATION UID DTSTAMP DESCRIPTION SEQUENCE',
)
const PROPERTIES = CORRECTED_NAMES.difference(words('BEGIN END'))
/** Further properties of the standards, which are not misspellings of the ones above. */
const OTHER_NAMES = words(
  'DUE CREATED LAST-MODIFIED URL GEO TRANSP VERSION PRODID CALSCALE METHOD TZID TZNAME TZURL TZOFFSETFROM TZOFFSETTO NAME COLOR IMAGE SOURCE CONFERENCE CONTACT ORGANIZER ATTENDEE ATTACH CATEGORIES COMMENT PRIORITY RESOURCES RELATED-TO REQUEST-STATUS TRIGGER ACTION REPEAT COMPLETED FREEBUSY CONCEPT LINK REFID REFRESH-INTERVAL PERCENT-COMPLETE XML TZUNTIL TZID-ALIAS-OF BUSYTYPE CALENDAR-ADDRESS LOCATION-TYPE PARTICIPANT-TYPE RESOURCE-TYPE STRUCTURED-DATA STYLED-DESCRIPTION ACKNOWLEDGED PROXIMITY ESTIMATED-DURATION AALARM DALARM MALARM PALARM DCREATED RNUM',
)

/** True for the name of a property, in capitals: one of the standards, or of a program. */
export const isPropertyName = (name: string): boolean =>
  PROPERTIES.has(name) || OTHER_NAMES.has(name) || name.startsWith('X-')

const COMPONENTS = words('VCALENDAR VEVENT VTIMEZONE STANDARD DAYLIGHT VALARM')
const VALUES_OF_PROPERTIES: Readonly<Record<string, ReadonlySet<string>>> = {
  BEGIN: COMPONENTS,
  END: COMPONENTS,
  STATUS: words('CONFIRMED TENTATIVE CANCELLED'),
  CLASS: words('PUBLIC PRIVATE CONFIDENTIAL'),
}
/** Values that are not slips, although something else is made of them. */
const NOT_SLIPS = words('CANCELED NEEDS-ACTION COMPLETED IN-PROCESS DRAFT FINAL PENDING SCHEDULED')

const PARAMETERS = words('TZID VALUE RANGE RELATED LANGUAGE')

/** True if one word is another with a letter too many, too few, wrong, or in the place of its neighbour. */
export function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let from = 0
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - from && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const left = a.slice(from, a.length - end)
  const right = b.slice(from, b.length - end)
  return (
    (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === right.at(1) + right.slice(0, 1))
  )
}

/** The known word that a word is, or is one slip away from if there is only one. */
function nearestName(word: string, knownNames: ReadonlySet<string>): string | undefined {
  if (knownNames.has(word)) return word
  const nearNames = [...knownNames].filter(one => isOneSlipAway(word, one))
  return nearNames.length === 1 ? nearNames[0] : undefined
}

/** Matches most lines, which need no repair: their names are right, and what follows is a text. */
const PLAIN_LINE = /^(?:DESCRIPTION|SUMMARY|LOCATION|UID|DTSTAMP|CATEGORIES|URL|ATTENDEE|X-[\w-]+)[;:]/i
const PLAIN_TIMES = /^(?:DTSTART|DTEND|EXDATE|RDATE|RECURRENCE-ID)(?:;(?:TZID|VALUE)=[\w/ -]+)*:[\dTZ,]+$/

/** A name whose separator is lost. */
const LOST_SEPARATOR =
  /^(?:BEGIN|END|DTSTART|DTEND|EXDATE|RDATE|RECURRENCE-ID|DURATION|RRULE|EXRULE|STATUS|CLASS|SUMMARY|LOCATION|UID|DTSTAMP|DESCRIPTION|SEQUENCE|X-WR-TIMEZONE)(?=[\w"])/

/** A content line without slips; the line itself if it has none, or is not a content line. */
export function repairLine(givenLine: string, report: (slip: IcsSlip) => void = () => {}): string {
  if (PLAIN_LINE.test(givenLine) || PLAIN_TIMES.test(givenLine)) return givenLine
  const line = givenLine.trimStart()
  const [, raw = '', mark = '', afterMark = ''] = /^([^;:"]{2,60})([;:])(.*)$/s.exec(line) ?? []
  const name = raw.trim().toUpperCase()
  if (mark !== '' && CORRECTED_NAMES.has(name))
    return withValue(name, mark + afterMark, { line: givenLine, report }) ?? name + mark + afterMark
  // A space before the colon is not part of the name.
  if (OTHER_NAMES.has(name) || name.startsWith('X-')) return raw.trimEnd() + mark + afterMark
  const letters = raw.replace(/[^A-Za-z-]/g, '')
  const nearProperty =
    mark !== '' && letters === letters.toUpperCase()
      ? nearestName(letters, /^:V[A-Z]+\s*$/.test(mark + afterMark) ? CORRECTED_NAMES : PROPERTIES)
      : undefined
  if (nearProperty !== undefined) {
    report({ line: givenLine, field: raw, text: afterMark, correction: nearProperty })
    return (
      withValue(nearProperty, mark + afterMark, { line: givenLine, report }) ??
      nearProperty + mark + afterMark
    )
  }
  const lostMark = LOST_SEPARATOR.exec(line)?.[0]
  if (lostMark === undefined || line.length > 1_000) return givenLine
  const tail = line.slice(lostMark.length)
  const repairedTail = (/^(?:TZID|VALUE)=/.test(tail) ? ';' : ':') + tail
  report({ line: givenLine, field: lostMark, text: tail, correction: lostMark + repairedTail })
  return withValue(lostMark, repairedTail, { line: givenLine, report }) ?? lostMark + repairedTail
}

type SlipReport = { line: string; report: (slip: IcsSlip) => void }

/** A line whose name is right, with its value repaired; undefined if the line stays as it is. */
function withValue(name: string, afterName: string, { line, report }: SlipReport): string | undefined {
  if (TIMES.has(name)) return withParameters(name, afterName, { line, report })
  if (/^(?:RRULE|EXRULE)$/.test(name)) return name + withParts(name, afterName, { line, report })
  const knownValues = VALUES_OF_PROPERTIES[name]
  if (!knownValues) return undefined
  const [, head = '', text = ''] = /^([^:]*):(.*)$/s.exec(afterName) ?? []
  const value = text.replace(/[\s:"]/g, '').toUpperCase()
  if (value === '' || value.length > 30 || knownValues.has(value)) return `${name}${head}:${value || text}`
  const nearValue =
    NOT_SLIPS.has(value) || /^(?:X-|VTODO$)/.test(value)
      ? undefined
      : nearestName(value.replace(/[^A-Z]/g, ''), knownValues)
  if (nearValue !== undefined) report({ line, field: name, text, correction: nearValue })
  else if (name === 'CLASS' && !value.startsWith('X-'))
    report({ line, field: name, text, correction: 'PRIVATE' })
  else if (name === 'STATUS' && !NOT_SLIPS.has(value)) report({ line, field: name, text })
  return nearValue && `${name}${head}:${nearValue}`
}

const RULE_PARTS = words(
  'FREQ UNTIL COUNT INTERVAL BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST RSCALE SKIP',
)

/** A rule with the names of its parts repaired. Parts that are not understood are reported. */
function withParts(name: string, afterName: string, { line, report }: SlipReport): string {
  const colon = afterName.indexOf(':') + 1
  const parts = afterName
    .slice(colon)
    .split(';')
    .map(part => {
      const index = part.indexOf('=')
      if (index < 0) {
        if (part.trim() !== '') report({ line, field: name, text: part })
        return part
      }
      const key = part.slice(0, index).replace(/[\s:]/g, '').toUpperCase()
      const value = part.slice(index + 1)
      const nearKey = nearestName(key, RULE_PARTS)
      if (nearKey === undefined || value.includes('=')) report({ line, field: name, text: part })
      else if (nearKey !== key) report({ line, field: name, text: part, correction: `${nearKey}=${value}` })
      return nearKey === undefined ? part : `${nearKey}=${value}`
    })
  return afterName.slice(0, colon) + parts.join(';')
}

/** The most characters of parameters that are repaired: far more than programs write. */
const MAX_MENDED = 1_000

/** Removes quotation marks around several parameters, or around a value. */
function withoutStrayQuotes(afterName: string): string {
  const isStray = (quoted: string) => /;(?:VALUE|TZID)=|^[\dTZ,-]+$/i.test(quoted)
  if (afterName.length > MAX_MENDED || !afterName.split('"').some((part, i) => i % 2 === 1 && isStray(part)))
    return afterName
  const unquoted = afterName.replaceAll('"', '')
  return splitTimes(unquoted) ? unquoted : afterName
}

/** A line of times with its parameters repaired; undefined if it stays as it is. */
function withParameters(name: string, givenRest: string, { line, report }: SlipReport): string | undefined {
  const afterName = withoutStrayQuotes(givenRest)
  if (afterName !== givenRest) report({ line, field: name, text: givenRest, correction: afterName })
  const times = splitTimes(afterName)
  if (!times || times.parameters.length > MAX_MENDED) return undefined
  // A semicolon within quotes separates nothing.
  if (times.parameters.split('"').some((part, i) => i % 2 === 1 && part.includes(';'))) return undefined
  const keptParameters = times.parameters.split(';').flatMap(text => {
    const index = text.indexOf('=')
    const key = text.slice(0, Math.max(index, 0)).trim()
    const value = text.slice(index + 1).replace(/^[\s=]+/, '')
    const upper = key.toUpperCase()
    if (/^X-/.test(upper)) return [text]
    const nearParameter = key === '' ? undefined : nearestName(upper, PARAMETERS)
    const bareValue = (nearParameter ? value : text.trim().replace(/^TZID/i, '')).replaceAll('"', '').trim()
    if (nearParameter === undefined && (key !== '' || bareValue === '')) {
      if (text.trim() !== '') report({ line, field: name, text })
      return []
    }
    if (bareValue === '') {
      report({ line, field: name, text })
      return []
    }
    const repaired = `${nearParameter ?? 'TZID'}=${/[:;,]/.test(bareValue) ? `"${bareValue}"` : bareValue}`
    if (nearParameter !== upper) report({ line, field: name, text, correction: repaired })
    return [repaired]
  })
  return `${[name, ...keptParameters].join(';')}:${times.values.join(',')}`
}
