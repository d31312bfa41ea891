import type { OrganizerRow, VenueRow } from '../../content/related/rows.ts'
import { isRowReadable } from '../../content/visibility.ts'
import type { SerializeContext } from '../../context.ts'
import type { TermRow } from '../../terms/serialize.ts'
import type { EventRow, LinkedEventRow } from '../rows.ts'
import type { Related } from './rows.ts'
import { jsonBytes, type Measure, measureOf } from './sizes.ts'

// A response must stay below some ten megabytes, whatever people have written and linked. Texts of a hundred events
// of ordinary calendars are a twentieth of that, so nobody sees these limits who doesn't try to reach them.

/** Bytes of their own text that the events of a page may take. */
export const OWN_BYTES = 3_000_000

/** Bytes of what events refer to: from so many on without descriptions, and no more than so many. */
const WITH_DESCRIPTIONS = 2_500_000
const AT_MOST = 4_000_000

type Found = {
  events: readonly LinkedEventRow[]
  venues: readonly Related<VenueRow>[]
  organizers: readonly Related<OrganizerRow>[]
  terms: readonly Related<TermRow>[]
}

/** Puts the events of a page together with the rows that they refer to and the caller may read, as far as they fit. */
export function assembled(context: SerializeContext, { events, ...found }: Found): EventRow[] {
  const readable = {
    // To those who may not read it, a hidden one is not there, and takes no room either.
    venues: found.venues.filter(({ row }) => isRowReadable(row, context)),
    organizers: found.organizers.filter(({ row }) => isRowReadable(row, context)),
    terms: found.terms,
  }
  const venues = byEvent(readable.venues)
  const organizers = byEvent(readable.organizers)
  const terms = byEvent(readable.terms)
  const measure = measureOf(context, Object.values(readable).flat(), WITH_DESCRIPTIONS)
  const isTooLong = tooLong(events)
  const spent = { bytes: 0 }
  return events
    .toSorted((a, b) => a.position - b.position)
    .map(({ position, ...event }) => {
      const parts = {
        venues: take(venues.get(position), measure, spent),
        organizers: take(organizers.get(position), measure, spent),
        terms: take(terms.get(position)?.toSorted(byName), measure, spent),
      }
      const isLong = isTooLong(event)
      return {
        ...event,
        ...(isLong && { description: '', excerpt: '' }),
        venues: parts.venues.rows,
        organizers: parts.organizers.rows,
        terms: parts.terms.rows,
        isShortened: isLong || event.isShortened || Object.values(parts).some(({ isCut }) => isCut),
      }
    })
}

type Texts = { description: string; excerpt: string }

/** Tells of each event in turn whether its texts would take the page over the limit. JSON makes two bytes of one at most. */
function tooLong(events: readonly Texts[]): (event: Texts) => boolean {
  const units = events.reduce((sum, { description, excerpt }) => sum + description.length + excerpt.length, 0)
  if (6 * units <= OWN_BYTES) return () => false
  let bytes = 0
  return ({ description, excerpt }) => {
    bytes += jsonBytes(description) + jsonBytes(excerpt)
    return bytes > OWN_BYTES
  }
}

/** The rows that each event of the page refers to, in its order. */
function byEvent<R>(related: readonly Related<R>[]): ReadonlyMap<number, R[]> {
  const rows = new Map<number, { place: number; row: R }[]>()
  for (const { row, uses } of related)
    for (const [event, place] of uses) {
      const known = rows.get(event)
      if (known) known.push({ place, row })
      else rows.set(event, [{ place, row }])
    }
  const inOrder = [...rows].map(([event, uses]): [number, R[]] => [
    event,
    uses.sort((a, b) => a.place - b.place).map(({ row }) => row),
  ])
  return new Map(inOrder)
}

/** A row as the database found it; a description that was too long for its share is null. */
type Taken = { description: string | null }

/** Rows without descriptions, and then none, once too much is spent. */
function take<R extends Taken>(
  rows: readonly R[] = [],
  measure: Measure,
  spent: { bytes: number },
): { rows: R[]; isCut: boolean } {
  const taken: R[] = []
  let isCut = false
  for (const row of rows) {
    const size = measure(row)
    const fits = row.description !== null && spent.bytes + size <= WITH_DESCRIPTIONS
    const bytes = fits ? size : size - jsonBytes(row.description)
    if (spent.bytes + bytes > AT_MOST) return { rows: taken, isCut: true }
    spent.bytes += bytes
    taken.push(fits ? row : { ...row, description: '' })
    isCut ||= !fits && row.description !== ''
  }
  return { rows: taken, isCut }
}

/** Terms are shown by name. Folded names compare by code points, as in the database. */
const byName = (a: TermRow, b: TermRow): number =>
  a.sort_name < b.sort_name ? -1 : a.sort_name > b.sort_name ? 1 : a.id - b.id
