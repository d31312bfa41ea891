import { isObject } from '../../lib/values.ts'
import type { Raw } from './fields.ts'
import { isNear } from './ics-slips.ts'

// Keys of events with a slip: another case, or a letter too many, too few, wrong, or in the place of its neighbour.

/** Keys without which an event is another one. */
const KEYS: readonly string[] = [
  ...['name', 'startDate', 'endDate', 'duration', 'eventSchedule', 'eventStatus', 'subEvent'],
  ...['eventAttendanceMode', 'description', 'location', 'organizer', 'offers', 'image'],
  ...['address', 'streetAddress', 'addressLocality', 'addressRegion', 'addressCountry', 'postalCode'],
  ...['geo', 'latitude', 'longitude', 'price', 'lowPrice', 'highPrice', 'priceCurrency', 'availability'],
]
const KNOWN = new Set(KEYS)
/** The parts of an event whose keys are looked at, and how deep. */
const PARTS = ['location', 'address', 'geo', 'organizer', 'offers'] as const
const [MOST_PARTS, MOST_DEPTH, MOST_KEYS, LONGEST_KEY] = [20, 3, 100, 30]

/** The one key that another is near to. Short ones are near to too much. */
function nearest(key: string): string | undefined {
  const low = key.toLowerCase()
  const near = KEYS.filter(one => {
    const known = one.toLowerCase()
    return known === low || (key.length > 2 && isNear(low, known))
  })
  return near.length === 1 ? near[0] : undefined
}

/** Gives keys of an event with a slip the name that they are near to. @param say takes the key, and that name */
export function mendKeys(node: Raw, say: (key: string, as: string) => void, depth = 0): void {
  // What the parser has made belongs to nobody else.
  const own = node as Record<string, unknown>
  for (const key of Object.keys(own).slice(0, MOST_KEYS)) {
    if (KNOWN.has(key) || key.startsWith('@') || key.length > LONGEST_KEY) continue
    const as = nearest(key)
    if (as === undefined || Object.hasOwn(own, as)) continue
    say(key, as)
    own[as] = own[key]
    delete own[key]
  }
  if (depth < MOST_DEPTH)
    for (const part of PARTS)
      for (const one of [node[part]].flat().slice(0, MOST_PARTS))
        if (isObject(one)) mendKeys(one, say, depth + 1)
}
