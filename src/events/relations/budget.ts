import type { OrganizerRow, VenueRow } from '../../content/related/rows.ts'
import type { SerializeContext } from '../../context.ts'
import type { TermRow } from '../../terms/serialize.ts'
import type { EventRow, LinkedEventRow } from '../rows.ts'
import type { Related } from './rows.ts'

// A response must stay below some ten megabytes, whatever people have written and linked. Texts of a hundred events
// of ordinary calendars are a twentieth of that, so nobody sees these limits who doesn't try to reach them.

/** Bytes of their own text that events of a page may take. */
export const OWN_BYTES = 3_000_000

/** Bytes of what events refer to: from so many on without descriptions, and no more than so many. */
const WITH_DESCRIPTIONS = 2_500_000
const AT_MOST = 4_000_000

/** Bytes of the fields and addresses that every related resource has. */
export const FRAME_BYTES = 1_000

/** A byte of text becomes six at most, as a character of a slug in an address. */
const MOST_EXPANDED = 6

type Found = {
  events: readonly LinkedEventRow[]
  venues: readonly Related<VenueRow>[]
  organizers: readonly Related<OrganizerRow>[]
  terms: readonly Related<TermRow>[]
}

type Described = { description: string }

/** Puts the events of a page together with what they refer to, as far as it fits. */
export function withinBudget(found: Found, context: Pick<SerializeContext, 'settings'>): EventRow[] {
  const measure = measureOf(found, context)
  // JSON makes two bytes of one at most.
  const isLong = found.events.some(({ ownBytes }) => 2 * ownBytes > OWN_BYTES)
  let own = 0
  const spent = { bytes: 0 }
  const [venues, organizers, terms] = [byId(found.venues), byId(found.organizers), byId(found.terms)]
  return found.events
    .toSorted((a, b) => a.position - b.position)
    .map(({ position: _, ownBytes, venueIds, organizerIds, termIds, ...event }) => {
      const parts = {
        venues: take(venues, venueIds, spent, measure),
        organizers: take(organizers, organizerIds, spent, measure),
        terms: take(terms, termIds, spent, measure),
      }
      if (isLong) own += jsonBytes(event.description) + jsonBytes(event.excerpt)
      const isTooLong = ownBytes > OWN_BYTES || own > OWN_BYTES
      return {
        ...event,
        ...(isTooLong && { description: '', excerpt: '' }),
        venues: parts.venues.rows,
        organizers: parts.organizers.rows,
        terms: parts.terms.rows.sort(byName),
        isShortened: isTooLong || Object.values(parts).some(({ isCut }) => isCut),
      }
    })
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

type Measure = (related: Related<object>) => number

/** Measures what related rows take in the response. Where all of them fit in any case, they are not worth the time. */
function measureOf(found: Found, { settings }: Pick<SerializeContext, 'settings'>): Measure {
  const copies = settings.imageSizes.length
  const imageBytes = ({ row }: Related<object>): number =>
    'image' in row && row.image !== null ? copies * (jsonBytes(row.image) + FRAME_BYTES) : 0
  const roughly: Measure = one => FRAME_BYTES + MOST_EXPANDED * one.size + imageBytes(one)
  const related = [...found.venues, ...found.organizers, ...found.terms]
  const mostLinks = found.events.length
  if (mostLinks * related.reduce((sum, one) => sum + roughly(one), 0) <= WITH_DESCRIPTIONS) return () => 0
  const measured = new Map<object, number>()
  return one => {
    const known =
      measured.get(one) ?? FRAME_BYTES + jsonBytes(one.row) + 3 * addressBytes(one.row) + imageBytes(one)
    measured.set(one, known)
    return known
  }
}

/** Bytes of the part of a row that addresses repeat, percent-encoded. */
const addressBytes = (row: object): number =>
  'path' in row ? jsonBytes(row.path) : 'slug' in row ? jsonBytes(row.slug) : 0

const byId = <R extends { id: number }>(related: readonly Related<R>[]) => ({
  rows: new Map(related.map(one => [one.row.id, one])),
  isComplete: related.every(({ isComplete }) => isComplete),
})

/** The rows of some ids, in their order; without descriptions, and then not at all, once too much is spent. */
function take<R extends Described>(
  { rows, isComplete }: { rows: ReadonlyMap<number, Related<R>>; isComplete: boolean },
  ids: readonly number[],
  spent: { bytes: number },
  measure: Measure,
): { rows: R[]; isCut: boolean } {
  const taken: R[] = []
  let isCut = false
  for (const id of ids) {
    const found = rows.get(id)
    // Some are hidden from the caller, which is nobody's business; others had no room.
    if (!found) {
      isCut ||= !isComplete
      continue
    }
    const { row } = found
    const size = measure(found)
    const whole = spent.bytes + size <= WITH_DESCRIPTIONS
    const bytes = whole ? size : size - jsonBytes(row.description)
    if (spent.bytes + bytes > AT_MOST) isCut = true
    else {
      spent.bytes += bytes
      taken.push(whole ? row : { ...row, description: '' })
      isCut ||= !whole && row.description !== ''
    }
  }
  return { rows: taken, isCut }
}

/** Terms are shown by name. Folded names compare by code points, as in the database. */
const byName = (a: TermRow, b: TermRow): number =>
  a.sort_name < b.sort_name ? -1 : a.sort_name > b.sort_name ? 1 : a.id - b.id
