import { comparable, trigramLikeness, trigrams } from '../../kit/lib/likeness.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { decodeEntities } from '../../kit/lib/text.ts'
import { dayOf, MINUTE_MS, toEpoch } from '../../kit/lib/time.ts'
import { type ComparedVenue, compareVenues, type Nearness } from '../venues/same-venue.ts'

// Events are joined without asking only if title, start and place are the same and nothing contradicts it.
// Other likely pairs become a question to editors. Longer rules with lists of words were right about the
// pairs they were made with, and wrong about others.

export type ComparedPlace = ComparedVenue & { id: number }

export type ComparedEvent = {
  title: string
  start_date: string
  end_date: string
  utc_start_date: string
  utc_end_date: string
  all_day: boolean
  /** '' for none. */
  website: string
  venues: readonly ComparedPlace[]
}

/** `same`: joined without asking. `likeness`, from 0 to 1, gives questions their order. */
export type Judgement = { verdict: 'same' | 'ask' | 'different'; likeness: number }

/** The most minutes between two starts of the same event: some calendars give the time when doors open. */
export const MAX_MINUTES_APART = 30

/** The most minutes between the ends of joined events. */
const MAX_MINUTES_BETWEEN_ENDS = 15

/**
 * The lowest likeness of titles that becomes a question: if the places may differ, and if they are the same.
 */
const ASKED_FROM = { anywhere: 0.4, atOnePlace: 0.2 } as const

/** Judges whether two events of different origin are the same. The order of the two doesn't matter. */
export function judgePair(a: ComparedEvent, b: ComparedEvent): Judgement {
  const time = compareTimes(a, b)
  const place = comparePlaces(a, b)
  if (time === 'other' || place === 'other') return { verdict: 'different', likeness: 0 }
  const x = titleOf(a.title)
  const y = titleOf(b.title)
  // A title of punctuation alone leaves no text to compare.
  const isSameTitle = x.text === y.text && x.text !== ''
  if (isSameTitle && time === 'same' && place === 'same' && endsAlike(a, b))
    return { verdict: 'same', likeness: 1 }
  if (haveOtherSigns(x, y)) return { verdict: 'different', likeness: 0 }
  const likeness = Math.round(100 * trigramLikeness(x.trigrams, y.trigrams)) / 100
  const isAtOnePlace = place === 'same' || place === 'like'
  const isAlike =
    likeness >= (isAtOnePlace ? ASKED_FROM.atOnePlace : ASKED_FROM.anywhere) ||
    (isAtOnePlace && time === 'same' && (x.isLatin !== y.isLatin || hasSamePage(a, b)))
  return { verdict: isAlike ? 'ask' : 'different', likeness }
}

/** Compares the starts of two events. An all-day event may be any event of that day. */
function compareTimes(a: ComparedEvent, b: ComparedEvent): 'same' | 'near' | 'other' {
  const isSameDay = dayOf(a.start_date) === dayOf(b.start_date)
  if (a.all_day && b.all_day) return isSameDay ? 'same' : 'other'
  if (a.all_day || b.all_day) return isSameDay ? 'near' : 'other'
  const minutes = Math.abs(toEpoch(a.utc_start_date) - toEpoch(b.utc_start_date)) / MINUTE_MS
  return minutes < 1 ? 'same' : minutes <= MAX_MINUTES_APART ? 'near' : 'other'
}

/** True if two events end on the same day, or at about the same time, or one has no end. */
function endsAlike(a: ComparedEvent, b: ComparedEvent): boolean {
  if (a.all_day) return dayOf(a.end_date) === dayOf(b.end_date)
  const isOpen = (event: ComparedEvent) => event.utc_end_date <= event.utc_start_date
  const minutes = Math.abs(toEpoch(a.utc_end_date) - toEpoch(b.utc_end_date)) / MINUTE_MS
  return isOpen(a) || isOpen(b) || minutes <= MAX_MINUTES_BETWEEN_ENDS
}

/** Compares the places of two events: the best result of any venue of one with any venue of the other. */
function comparePlaces(a: ComparedEvent, b: ComparedEvent): Exclude<Nearness, 'there'> {
  if (a.venues.length === 0 || b.venues.length === 0) return 'unknown'
  const nearnesses = new Set(a.venues.flatMap(x => b.venues.map(y => nearnessOf(x, y))))
  if (nearnesses.has('there')) return 'same'
  return (['same', 'like', 'unknown'] as const).find(nearness => nearnesses.has(nearness)) ?? 'other'
}

/**
 * Sources use one venue for all places of the same name. If only the name is known, two events there may be
 * at two places.
 */
const nearnessOf = (x: ComparedPlace, y: ComparedPlace): Nearness =>
  x.id !== y.id ? compareVenues(x, y) : x.city || x.address || x.lat !== null ? 'same' : 'like'

type Title = {
  text: string
  trigrams: ReadonlySet<string>
  /** Words that tell sessions apart, in order: numbers, C++, A1, single letters. */
  signs: readonly string[]
  /** True if it is in Latin letters, at least in part. */
  isLatin: boolean
}

const LATIN = lazyPattern(String.raw`\p{Script=Latin}`, 'u')
const SIGN = lazyPattern(String.raw`[\p{N}+#]|^\p{L}$|^[ivx]+$`, 'u')

const titleOf = memoize(
  (title: string): Title => {
    const text = comparable(decodeEntities(title))
    // `#106` is the number 106.
    const signs = text.split(' ').flatMap(word => (SIGN().test(word) ? [word.replace(/^#(?=\d)/, '')] : []))
    return { text, trigrams: trigrams(text), signs: signs.sort(), isLatin: LATIN().test(text) }
  },
  { most: 2_000 },
)

/** True if both titles have signs and these differ: `Level 1` and `Level 2`. */
const haveOtherSigns = (a: Title, b: Title): boolean =>
  a.signs.length > 0 && b.signs.length > 0 && a.signs.join(' ') !== b.signs.join(' ')

/** True if both have the same website, and it isn't the front page of a site. */
function hasSamePage(a: ComparedEvent, b: ComparedEvent): boolean {
  const page = ({ website }: ComparedEvent) =>
    website.replace(/^https?:\/\/(?:www\.)?|[?#].*$/gs, '').replace(/\/$/, '')
  return page(a) === page(b) && page(a).includes('/')
}
