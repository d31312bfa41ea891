import { dayNumber } from '../../lib/time.ts'
import { MONTH_WORDS } from './words.ts'

/** When an event begins and ends, by clocks there. */
export type Dated = { start_date: string; end_date: string; all_day: boolean }

/** A time of day, or a date, wherever it stands in a folded title. */
const TIME = /\b(\d{1,2})(?:[:.h](\d{2}))?\s?(am|pm|uhr|hrs|h)\b|\b(\d{1,2})[:h](\d{2})\b/g
const ISO = /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/g
const NUMERIC = /\b(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}|\d{2})?)?(?![\d/])/g
const NAME = [...MONTH_WORDS.keys()].join('|')
const NAMED = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th|er|\\.)?\\s(?:de\\s)?(${NAME})\\b|\\b(${NAME})\\.?\\s(\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)`,
  'g',
)

/** Takes the event's own date and time out of a title; others stay, as signs. */
export function withoutOwnDate(
  text: string,
  { start_date, end_date, all_day }: Dated,
  dates: Set<string>,
): string {
  const first = dayNumber(start_date)
  const last = dayNumber(end_date)
  const year = start_date.slice(0, 4)
  const isOwn = (y: string, m: number, d: number): boolean => {
    const day = dayNumber(`${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')} 00:00:00`)
    return day >= first && day <= last
  }
  const told = (sign: string): string => {
    dates.add(sign)
    return ' '
  }
  const dated = (m: number, d: number, y = year): string => (isOwn(y, m, d) ? ' ' : told(`${m}-${d}`))
  return text
    .replace(ISO, (_, y: string, m: string, d: string) => dated(Number(m), Number(d), y))
    .replace(NAMED, (_, d1?: string, m1?: string, m2?: string, d2?: string) =>
      dated(MONTH_WORDS.get(m1 ?? m2 ?? '') ?? 0, Number(d1 ?? d2)),
    )
    .replace(TIME, (_, h1?: string, min1?: string, suffix?: string, h2?: string, min2?: string) => {
      const hour =
        (Number(h1 ?? h2) % (suffix === 'am' || suffix === 'pm' ? 12 : 24)) + (suffix === 'pm' ? 12 : 0)
      const time = `${String(hour).padStart(2, '0')}:${min1 ?? min2 ?? '00'}`
      const isOwnTime = !all_day && [start_date, end_date].some(moment => moment.slice(11, 16) === time)
      return isOwnTime ? ' ' : told(time)
    })
    .replace(NUMERIC, (whole, a: string, separator: string, b: string, y?: string) => {
      const [x, z, own] = [Number(a), Number(b), y?.length === 2 ? `20${y}` : (y ?? year)]
      return isOwn(own, z, x) || (separator !== '.' && isOwn(own, x, z)) ? ' ' : whole
    })
}
