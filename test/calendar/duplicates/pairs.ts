/// <reference types="vite/types/importMeta.d.ts" />
import type { ComparedEvent, ComparedPlace } from '../../../src/calendar/duplicates/judge.ts'

/** Two events, and what people say of them. */
export type Pair = { kind: string; line: string; isSame: boolean; a: ComparedEvent; b: ComparedEvent }

let ids = 0

function placeIn(text: string): ComparedPlace[] {
  if (text === '~' || text === '') return []
  const shared = /^#(\d+) /.exec(text)
  const [name = '', city = '', address = '', position = ''] = text
    .slice(shared?.[0].length ?? 0)
    .split(';')
    .map(part => part.trim())
  const [lat = null, lng = null] = position === '' ? [] : position.split(',').map(Number)
  return [{ id: shared ? -Number(shared[1]) : ++ids, name, city, address, lat, lng }]
}

const day = (date: string): string => `2027-03-${date.padStart(2, '0')}`
const time = (text: string): string => `${text.padStart(5, '0')}:00`

/** Reads `6`, `6-8`, `20:00`, `20:00-22:00`, `7 20:00`, `6 10:00-8 18:00`. */
function whenIn(text: string) {
  if (!text.includes(':')) {
    const [from = '', to = from] = text.split('-')
    return { all_day: true, start_date: `${day(from)} 00:00:00`, end_date: `${day(to)} 23:59:59` }
  }
  const moment = (part: string, otherwise: string) => {
    const [date = '', clock = ''] = part.includes(' ') ? part.split(' ') : [otherwise, part]
    return `${day(date)} ${time(clock)}`
  }
  const [from = '', to = from] = text.split('-')
  const start_date = moment(from, '6')
  return { all_day: false, start_date, end_date: moment(to, String(Number(start_date.slice(8, 10)))) }
}

function eventIn(fields: readonly string[]): ComparedEvent {
  const [title = '', when = '', where = '', website = ''] = fields
  const times = whenIn(when)
  return {
    title,
    ...times,
    utc_start_date: times.start_date,
    utc_end_date: times.end_date,
    website,
    venues: placeIn(where),
  }
}

/**
 * Reads pairs. A line is `event || event`, an event `title | when | where | page`; what the second one leaves
 * out is as in the first. Pages are those of both; texts behind them are not compared. `when` is a day of
 * March 2027 and times, of the 6th if there is no day, or days for events without times. `where` is `name;
 * city; address; lat, lng`, `~` nowhere; `#1` is the same venue for both. A line `# kind` begins another
 * kind.
 */
function pairsIn(lines: string, isSame: boolean): Pair[] {
  const pairs: Pair[] = []
  let kind = ''
  for (const line of lines.split('\n')) {
    if (line.startsWith('# ')) kind = line.slice(2)
    const [first, second] = line.split('||').map(event => event.split('|').map(field => field.trim()))
    if (!first || !second) continue
    const others = [0, 1, 2, 3].map(i => second[i] || first[i] || '')
    pairs.push({ kind, line, isSame, a: eventIn(first), b: eventIn(others) })
  }
  return pairs
}

const { './same.txt': same = '', './others.txt': others = '' } = import.meta.glob<string>('./*.txt', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The labelled set. */
export const PAIRS = [...pairsIn(same, true), ...pairsIn(others, false)]
