import { sql } from 'drizzle-orm'
import type { OrganizerRow, VenueRow } from '../../content/related/rows.ts'
import { events } from '../../db/schema.ts'
import type { TermRow } from '../../terms/serialize.ts'
import type { EventRow, LinkedEventRow } from '../rows.ts'
import type { Related } from './rows.ts'

// A response must stay below some ten megabytes, whatever people have written and linked. Texts of a hundred events
// of ordinary calendars are a twentieth of that, so nobody sees these limits who doesn't try to reach them.

/** Bytes that the texts of the page's events themselves may take. */
const OWN_BYTES = 3_500_000

/** 1 as long as the texts of the page's events, up to this one, fit. */
export const ownTextBudget = sql`sum(octet_length(${events.description}) + octet_length(${events.excerpt}))
  OVER (ORDER BY page.position) <= ${sql.raw(String(OWN_BYTES))}`

/** Bytes of what events refer to: from so many on without descriptions, and no more than so many. */
const WITH_DESCRIPTIONS = 2_500_000
const AT_MOST = 4_500_000

/** Bytes of the fields and addresses that every related resource has. */
const FRAME_BYTES = 700

type Found = {
  events: readonly LinkedEventRow[]
  venues: readonly Related<VenueRow>[]
  organizers: readonly Related<OrganizerRow>[]
  terms: readonly Related<TermRow>[]
}

/** Puts the events of a page together with what they refer to, as far as it fits. */
export function withinBudget(found: Found): EventRow[] {
  const venues = byId(found.venues)
  const organizers = byId(found.organizers)
  const terms = byId(found.terms)
  const spent = { bytes: 0 }
  return found.events
    .toSorted((a, b) => a.position - b.position)
    .map(({ position: _, venueIds, organizerIds, termIds, ...event }) => {
      const parts = {
        venues: take(venues, venueIds, spent),
        organizers: take(organizers, organizerIds, spent),
        terms: take(terms, termIds, spent),
      }
      return {
        ...event,
        venues: parts.venues.rows,
        organizers: parts.organizers.rows,
        terms: parts.terms.rows.sort(byName),
        isShortened: event.isShortened || Object.values(parts).some(({ isCut }) => isCut),
      }
    })
}

const byId = <R extends { id: number }>(related: readonly Related<R>[]): ReadonlyMap<number, Related<R>> =>
  new Map(related.map(one => [one.row.id, one]))

/** The rows of some ids, in their order; without descriptions, and then not at all, once too much is spent. */
function take<R extends { description: string }>(
  rows: ReadonlyMap<number, Related<R>>,
  ids: readonly number[],
  spent: { bytes: number },
): { rows: R[]; isCut: boolean } {
  const taken: R[] = []
  let isCut = false
  for (const id of ids) {
    const found = rows.get(id)
    if (!found) continue
    const { row, size } = found
    const whole = spent.bytes + size + FRAME_BYTES <= WITH_DESCRIPTIONS
    const bytes = FRAME_BYTES + (whole ? size : size - Math.min(size, row.description.length))
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
