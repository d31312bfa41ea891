// Content lines in the form that ical.js reads. Their meaning stays the same, and nothing is guessed: a space
// next to a colon, eight digits that are a day whatever VALUE says, and times with an offset can only be read
// in one way.

/**
 * A line that begins or ends a component, with white space of any kind around its parts: tabs, no-break
 * spaces and byte order marks, too.
 */
const COMPONENT = /^\s*(BEGIN|END)\s*:\s*([\w-]+)\s*$/i

/** A line that begins or ends a component, as the standard writes it; undefined for any other. */
export function componentLine(line: string): string | undefined {
  if (line.length > 100) return undefined
  const [, edge, name] = COMPONENT.exec(line) ?? []
  return edge && name && `${edge}:${name}`.toUpperCase()
}

const TIMES = /^(DTSTART|DTEND|EXDATE|RDATE|RECURRENCE-ID)\s*(?=[;:])/i
const RULES = /^(?:RRULE|EXRULE)\s*[;:]/i

const DAY_OR_TIME =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d))?\s*(?:(Z)|([+-])(\d\d):?(\d\d))?)?$/i

/** The end of a period: a time, or a length. */
const PERIOD_END = /^[+-]?P[\dWDTHMS]+$/i

/** The most colons before the values of a line: only names of zones have some. */
const MAX_COLONS = 10

const isValue = (text: string): boolean => {
  const [from = '', to, ...more] = text.split('/').map(part => part.trim())
  return (
    more.length === 0 &&
    DAY_OR_TIME.test(from) &&
    (to === undefined || DAY_OR_TIME.test(to) || PERIOD_END.test(to))
  )
}

/** The parameters and the values of a line of times; undefined if the values are not times. */
export function splitTimes(afterName: string): { parameters: string; values: readonly string[] } | undefined {
  for (
    let colon = afterName.indexOf(':'), n = 0;
    colon >= 0 && n < MAX_COLONS;
    colon = afterName.indexOf(':', colon + 1), n++
  ) {
    const values = afterName.slice(colon + 1).split(',')
    // A comma too many separates nothing.
    while (values.length > 1 && values.at(-1)?.trim() === '') values.pop()
    if (values.every(isValue)) return { parameters: afterName.slice(0, colon), values }
  }
  return undefined
}

/** The kinds of values, by the name that VALUE has for them. */
type ValueKind = 'DATE' | 'DATE-TIME' | 'PERIOD'

/** A day or time in the digits of the standard. A time with an offset is converted to UTC. */
function stampOf(text: string): { text: string; kind: ValueKind; isUtc: boolean } {
  const [, year = '', month = '', day = '', hour, minute, second = '00', z, sign, hours, minutes] =
    DAY_OR_TIME.exec(text.trim()) ?? []
  const date = year + month + day
  if (hour === undefined) return { text: date, kind: 'DATE', isUtc: false }
  const digits = `${date}T${hour}${minute}${second}`
  if (sign === undefined)
    return { text: z ? `${digits}Z` : digits, kind: 'DATE-TIME', isUtc: z !== undefined }
  const ahead = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const utcMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute) - ahead,
    Number(second),
  )
  // 30 February has no instant, and stays as it is.
  const isReal =
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() >= Number(day)
  const utc = isReal ? new Date(utcMs).toISOString().slice(0, 19).replace(/[-:]/g, '') : digits
  return { text: `${utc}Z`, kind: 'DATE-TIME', isUtc: true }
}

function stampOrPeriod(text: string): { text: string; kind: ValueKind; isUtc: boolean } {
  const [from = '', to] = text.split('/')
  const start = stampOf(from)
  if (to === undefined) return start
  const end = /^\d/.test(to.trim()) ? stampOf(to).text : to.trim().toUpperCase()
  return { ...start, text: `${start.text}/${end}`, kind: 'PERIOD' }
}

/**
 * The parameters of a line, with the VALUE that its values have, and TZID, which may be any text, in quotes.
 */
function parametersOf(text: string, { kind, isUtc }: { kind: ValueKind; isUtc: boolean }): string {
  const otherParameters = text.match(/;[\w-]+=(?:"[^"]*"|[^;"]*)/g) ?? []
  const keptParameters = otherParameters.filter(
    one => !/^;VALUE=/i.test(one) && !(/^;TZID=/i.test(one) && (kind === 'DATE' || isUtc)),
  )
  const quoted = keptParameters.map(one =>
    /^;TZID=(?!")[^"]*[^\w/+ .-]/i.test(one) ? `;TZID="${one.slice(6)}"` : one,
  )
  return quoted.join('') + (kind === 'DATE-TIME' ? '' : `;VALUE=${kind}`)
}

/** An offset of a zone without spaces, colons and quotation marks. */
function tidiedOffset(line: string): string {
  const [, name, value = ''] = /^(TZOFFSET(?:FROM|TO))[\s:"]*([+-]\d[\d\s:"]*)$/i.exec(line) ?? []
  const digits = value.replace(/[^\d+-]/g, '')
  return name !== undefined && /^[+-]\d{4}(?:\d\d)?$/.test(digits) ? `${name}:${digits}` : line
}

const hasNoValue = (line: string): boolean => /:\s*$/.test(line)

/** The content lines that replace a line of a file: several for a list of both days and times. */
export function tidyLine(line: string): string[] {
  const component = componentLine(line)
  if (component !== undefined) return [component]
  // Programs that write all properties have an empty rule where there is none.
  if (RULES.test(line)) return hasNoValue(line) ? [] : [tidiedRule(line)]
  if (/^TZOFFSET(?:FROM|TO)/i.test(line)) return [tidiedOffset(line)]
  if (/^DURATION\s*[;:]/i.test(line)) return hasNoValue(line) ? [] : [line]
  const [head, name = ''] = TIMES.exec(line) ?? []
  if (head === undefined) return [line]
  if (hasNoValue(line) && !/^(?:DTSTART|RECURRENCE-ID)/i.test(name)) return []
  const afterHead = line.slice(head.length)
  const times = splitTimes(afterHead)
  // As a text, the value is in the report of the failure as it was written.
  if (!times) {
    const plain = afterHead.replace(/;VALUE=[\w-]*/i, '')
    return [`${name}${plain.replace(/^((?:;[\w-]+=(?:"[^"]*"|[^:;"]*))*):/, '$1;VALUE=TEXT:')}`]
  }
  const values = times.values.map(stampOrPeriod)
  const groups = Map.groupBy(values, value => parametersOf(times.parameters, value))
  return [...groups].map(
    ([parameters, stamps]) => `${name}${parameters}:${stamps.map(({ text }) => text).join(',')}`,
  )
}

/**
 * A rule without spaces. Programs that write all parts have a count below 0 and an empty UNTIL for a rule
 * without an end.
 */
function tidiedRule(line: string): string {
  const colon = line.indexOf(':')
  const rule = line.slice(colon + 1).replace(/\s+/g, '')
  const isWritten = (part: string) => !/^(?:COUNT=-\d+|UNTIL=)$/i.test(part)
  const parts = /(?:^|;)COUNT=-\d/i.test(rule) ? rule.split(';').filter(isWritten) : rule.split(';')
  return `${line.slice(0, colon).trim()}:${parts.map(tidiedEnd).join(';')}`
}

/** The end of a rule in the digits of the standard, whatever is between them; other parts as they are. */
function tidiedEnd(part: string): string {
  const [, name, value = ''] = /^(UNTIL=)"?([^"]*)"?$/i.exec(part) ?? []
  // The space between a day and a time has been removed by now.
  const end = value.replace(/^(\d{4}-?\d\d-?\d\d)(?=\d\d:?\d\d)/, '$1T')
  return name !== undefined && DAY_OR_TIME.test(end) ? name + stampOf(end).text : part
}

/** The lines of an event whose times Outlook writes at midnight and marks as whole days. */
export function withWholeDays(lines: readonly string[]): readonly string[] {
  if (!lines.some(line => /^X-MICROSOFT-CDO-ALLDAYEVENT\s*:\s*TRUE\s*$/i.test(line))) return lines
  const times = lines.filter(line => /^(?:DTSTART|DTEND)\b/i.test(line))
  if (!times.every(line => /:\d{8}(?:T000000)?$/.test(line))) return lines
  return lines.map(line => line.replace(/^(DTSTART|DTEND)\b.*:(\d{8})T000000$/i, '$1;VALUE=DATE:$2'))
}
