// Shared shapes and the calendar sums of the generator. No dependencies.
export type Day = { y: number; m: number; d: number }
export type Rel = 'today' | 'tomorrow' | 'after' | 'this' | 'inweek' | 'wdweek' | 'nextweek'
/**
 * A way to write a day. `say` is as on a poster; p: inside a sentence (else the language's preposition +
 * say).
 */
export type DayForm = {
  key: string
  weight: number
  say: (x: Day) => string
  p?: (x: Day) => string
  rel?: Rel
  ok?: (x: Day) => boolean
}
/** A way to write a time; null where this way does not fit. p: inside a sentence (“um 20 Uhr”). */
export type TimeForm = {
  key: string
  weight: number
  say: (h: number, m: number, p: boolean) => string | null
}
type RangeForm = {
  key: string
  weight: number
  say: (h: number, m: number, h2: number, m2: number, p: boolean) => string | null
}
export type Title = { t: string; nom: string; dat: string; day?: boolean; also?: string[] }
export type Venue = { name: string; at: string; part?: string; partAt?: string }
/** A place that is not known but shares a word with the known one `near`. */
type Other = { text: string; at: string; near: string }
type Price = { key: string; weight: number; s: string; c: 'p' | 'p - q' | '0' | 'h' | '?' }
type Money = {
  key: string
  weight: number
  say: (n: number, half: boolean) => string | null
  zones?: string[]
}
type ListForm = { key: string; weight: number; say: (days: Day[], p: boolean) => string | null }
/** A way to write a first and a last day. */
type RunForm = {
  key: string
  weight: number
  say: (days: readonly [Day, Day], p: boolean) => string | null
}
export const PART_KEYS = [
  'photoDate',
  'pastEvent',
  'founding',
  'issue',
  'sheetDate',
  'presents',
  'thanksPast',
  'jubilee',
  'sentHeader',
  'closedDays',
  'deadline',
  'doors',
  'officeHours',
  'phone',
  'address',
  'ages',
  'quantity',
  'boxOffice',
  'ticketsFrom',
  'caseNo',
  'stalls',
  'tombola',
  'membership',
  'discount',
  'food',
  'parking',
  'otherDate',
  'noRegistration',
  'account',
  'website',
  'bus',
  'duration',
  'pause',
  'distance',
  'lifespan',
  'opus',
  'verse',
  'dogs',
  'photoNotice',
  'meeting',
  'setup',
  'lastBus',
  'offer',
  'donation',
  'room',
  'temperature',
  'classes',
  'percent',
  'rain',
  'flat',
  'bring',
  'access',
  'score',
  'law',
  'kids',
  'prize',
] as const
export type PartKey = (typeof PART_KEYS)[number]
export type SeriesKey =
  | 'until'
  | 'untilOnly'
  | 'open'
  | 'openFrom'
  | 'nth'
  | 'nth2'
  | 'count'
  | 'except'
  | 'otherTimes'
  | 'fortnight'
export type Lang = {
  code: string
  zones: string[]
  wd: string[]
  wdS: string[]
  mo: string[]
  day: DayForm[]
  time: TimeForm[]
  range: RangeForm[]
  list: ListForm[]
  run: RunForm[]
  on: string
  each: string
  plain: (x: Day) => string
  plainY: (x: Day) => string
  every: (weekday: number) => string
  plural: (weekday: number) => string
  clock: (h: number, m: number) => string
  ord: (n: number) => string
  nums: string[]
  titles: Title[]
  stays: Title[]
  courses: Title[]
  shows: Title[]
  venues: Venue[]
  others: Other[]
  orgs: string[]
  sentence: string[]
  chat: string[]
  label: { what: string; when: string; where: string; cost: string }
  series: Record<SeriesKey, string[]>
  cancelled: string[]
  cancelHead: string[]
  negated: string[]
  moved: string[]
  movedOpen: string[]
  price: Price[]
  money: Money[]
  parts: Record<PartKey, string[]>
  nothing: string[]
  hello: string[]
  bye: string[]
  sign: string[]
  subject: string[]
  disclaimer: string[]
  intro: string[]
  lists: string[]
  subtitle: string[]
  more: string[]
}
export const pad = (n: number): string => String(n).padStart(2, '0')
export const iso = (x: Day): string => `${x.y}-${pad(x.m)}-${pad(x.d)}`
export const toNum = (x: Day): number => Math.round(Date.UTC(x.y, x.m - 1, x.d) / 86400000)
const toDay = (n: number): Day => {
  const t = new Date(n * 86400000)
  return { y: t.getUTCFullYear(), m: t.getUTCMonth() + 1, d: t.getUTCDate() }
}
export const add = (x: Day, n: number): Day => toDay(toNum(x) + n)
/** 0 = Monday … 6 = Sunday */
export const wday = (x: Day): number => (toNum(x) + 3) % 7
export const cap = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)
/** An item of a list that certainly has it. */
export const nth = <T>(items: readonly T[], i: number): T => items[i] as T
export type Rand = {
  next: () => number
  int: (a: number, b: number) => number
  pick: <T>(a: readonly T[]) => T
}
export function rand(key: string): Rand {
  let h = 2166136261
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 16777619)
  let a = (h ^ (h >>> 15)) >>> 0
  const next = (): number => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), a | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  next()
  const int = (lo: number, hi: number): number => lo + Math.floor(next() * (hi - lo + 1))
  return { next, int, pick: <T>(xs: readonly T[]): T => xs[Math.floor(next() * xs.length)] as T }
}
