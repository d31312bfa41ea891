import { toEpoch } from '../../lib/time.ts'
import { comparePlaces, type Nearness, placeWords, type TwinPlace } from './places.ts'
import { compareSigns, isSameTitle, type Title, titleLikeness, titleToJudge } from './titles.ts'

export type { TwinPlace }

/** What is looked at of an event, by the names of its fields. */
export type TwinEvent = {
  title: string
  start_date: string
  end_date: string
  utc_start_date: string
  utc_end_date: string
  all_day: boolean
  is_virtual: boolean
  /** '' for none. */
  website: string
  /** The beginning of its excerpt or description, HTML or not; '' if it has neither. */
  text: string
  venues: readonly TwinPlace[]
}

/** `same`: joined without asking. `likeness` is from 0 to 1, for the order of what is asked. */
export type Judgement = { verdict: 'same' | 'ask' | 'different'; likeness: number }

const DIFFERENT: Judgement = { verdict: 'different', likeness: 0 }

/** Minutes by which starts of the same event differ at most, and a difference of ends that says nothing. */
const APART = 30
const ENDS_APART = 15

/** The likeness from which on somebody is asked. */
const ASKED_FROM = 0.58

const WEIGHTS = {
  time: { same: 1, near: 0.9, day: 0.85 },
  place: { same: 1, like: 0.85, near: 0.8, unknown: 0.7 },
  /** For each kind of sign that only one has: where the words are the same, and where the other one may have another instead. */
  oneSided: { same: 0.8, like: 0.7 },
} as const

/** What is known of an event, worked out once for all that it is compared with. */
type Facts = { title?: Title; start: number; end: number; text?: string }

const facts = new WeakMap<TwinEvent, Facts>()

function factsOf(event: TwinEvent): Facts {
  const known = facts.get(event)
  if (known) return known
  const made = { start: toEpoch(event.utc_start_date), end: toEpoch(event.utc_end_date) }
  facts.set(event, made)
  return made
}

function titleIn(event: TwinEvent): Title {
  const known = factsOf(event)
  known.title ??= titleToJudge(event.title, event)
  return known.title
}

/** The letters at the beginning of the text of an event, without markup. */
function textIn(event: TwinEvent): string {
  const known = factsOf(event)
  known.text ??= event.text
    .replace(/<[^>]*>|&#?\w+;|\W+/g, '')
    .slice(0, 80)
    .toLowerCase()
  return known.text
}

/** Says if two events of different origin are the same. The order of the two doesn't matter. */
export function judge(a: TwinEvent, b: TwinEvent): Judgement {
  const time = compareTimes(a, b)
  if (time === undefined) return DIFFERENT
  const place = compareVenues(a, b)
  if (place === 'other') return DIFFERENT
  const [x, y] = [titleIn(a), titleIn(b)]
  const signs = compareSigns(x, y)
  if (signs.conflict) return DIFFERENT
  // Half of all towns have a quiz night.
  if ((signs.oneSided > 0 || place === 'near') && x.isCommon && y.isCommon) return DIFFERENT
  let ofPlace: ReadonlySet<string> | undefined
  const words = () => {
    ofPlace ??= placeWords([...a.venues, ...b.venues])
    return ofPlace
  }
  const isAlike = isSameTitle(x, y, words)
  let like = isAlike ? 1 : titleLikeness(x, y, words)
  // Branches of a library announce their story times in the same words.
  const isToldTheSame = hasSamePage(a, b) || (hasSameText(a, b) && !x.isCommon)
  if (isToldTheSame && time === 'same') like = Math.max(like, 0.6 + 0.4 * like)
  const likeness =
    Math.round(
      100 *
        like *
        WEIGHTS.time[time] *
        WEIGHTS.place[place] *
        WEIGHTS.oneSided[isAlike ? 'same' : 'like'] ** signs.oneSided,
    ) / 100
  const isSure =
    isAlike &&
    signs.oneSided === 0 &&
    time === 'same' &&
    (place === 'same' || (place === 'unknown' && isToldTheSame)) &&
    (!x.isCommon || isToldTheSame || endsAlike(a, b))
  if (isSure) return { verdict: 'same', likeness }
  return likeness >= ASKED_FROM ? { verdict: 'ask', likeness } : { verdict: 'different', likeness }
}

/** How the times of two events are to each other; undefined if they are not those of one event. */
function compareTimes(a: TwinEvent, b: TwinEvent): 'same' | 'near' | 'day' | undefined {
  const day = (moment: string) => moment.slice(0, 10)
  if (a.all_day && b.all_day) {
    if (day(a.start_date) !== day(b.start_date)) return undefined
    return day(a.end_date) === day(b.end_date) ? 'same' : 'near'
  }
  if (a.all_day || b.all_day) return day(a.start_date) === day(b.start_date) ? 'day' : undefined
  const [x, y] = [factsOf(a), factsOf(b)]
  const apart = Math.abs(x.start - y.start) / 60_000
  if (apart > APART) return undefined
  // One of several days is more than one of its days.
  const isLong = ({ start, end }: Facts) => end - start > 86_400_000
  return apart < 1 && isLong(x) === isLong(y) ? 'same' : 'near'
}

/** True if the ends of two events are alike, or one has none. */
function endsAlike(a: TwinEvent, b: TwinEvent): boolean {
  const [x, y] = [factsOf(a), factsOf(b)]
  const isOpen = ({ start, end }: Facts) => end <= start
  return a.all_day || isOpen(x) || isOpen(y) || Math.abs(x.end - y.end) <= ENDS_APART * 60_000
}

function compareVenues(a: TwinEvent, b: TwinEvent): Nearness | 'unknown' {
  if (a.venues.length === 0 || b.venues.length === 0) return 'unknown'
  let best: Nearness = 'other'
  for (const x of a.venues)
    for (const y of b.venues) {
      const now = comparePlaces(x, y)
      if (now === 'same') return 'same'
      if (now === 'like' || best === 'other') best = now
    }
  return best
}

/** True if both name the same page as theirs, one that is not the front page of a site. */
function hasSamePage(a: TwinEvent, b: TwinEvent): boolean {
  if (a.website === '' || b.website === '') return false
  const page = ({ website }: TwinEvent) =>
    website.replace(/^https?:\/\/(?:www\.)?|#.*$|[?&]utm_[^&#]*/g, '').replace(/\/$/, '')
  return page(a) === page(b) && page(a).includes('/')
}

const hasSameText = (a: TwinEvent, b: TwinEvent): boolean =>
  a.text !== '' && b.text !== '' && textIn(a).length >= 30 && textIn(a) === textIn(b)
