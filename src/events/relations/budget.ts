import type { OrganizerRow, VenueRow } from '../../content/related/rows.ts'
import type { TermRow } from '../../terms/serialize.ts'
import type { EventRow, LinkedEventRow } from '../rows.ts'
import type { Related } from './rows.ts'

// A response must stay below some ten megabytes, whatever people have written and linked. Texts of a hundred events
// of ordinary calendars are a twentieth of that, so nobody sees these limits who doesn't try to reach them.

/** Bytes of related resources: from so many on without descriptions, and no more than so many. */
const WITH_DESCRIPTIONS = 2_500_000
const AT_MOST = 4_500_000

/** Bytes of the fields and addresses that every related resource has. */
const FRAME_BYTES = 700

/** The most bytes that a UTF-16 unit takes in UTF-8. */
const BYTES_A_UNIT = 3

type Found = {
  events: readonly LinkedEventRow[]
  venues: readonly Related<VenueRow>[]
  organizers: readonly Related<OrganizerRow>[]
  terms: readonly Related<TermRow>[]
}

/** Puts the events of a page together with the rows that they refer to, as far as those fit. */
export function assembled(found: Found): EventRow[] {
  const venues = byEvent(found.venues)
  const organizers = byEvent(found.organizers)
  const terms = byEvent(found.terms)
  const spent = { bytes: 0 }
  return found.events
    .toSorted((a, b) => a.position - b.position)
    .map(({ position, ...event }) => {
      const parts = {
        venues: take(venues.get(position), spent),
        organizers: take(organizers.get(position), spent),
        terms: take(terms.get(position)?.toSorted(byName), spent),
      }
      return {
        ...event,
        venues: parts.venues.rows,
        organizers: parts.organizers.rows,
        terms: parts.terms.rows,
        isShortened: event.isShortened || Object.values(parts).some(({ isCut }) => isCut),
      }
    })
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
  spent: { bytes: number },
): { rows: R[]; isCut: boolean } {
  const taken: R[] = []
  let isCut = false
  for (const row of rows) {
    const size = FRAME_BYTES + bytesOf(row)
    const description = BYTES_A_UNIT * (row.description ?? '').length
    const fits = row.description !== null && spent.bytes + size <= WITH_DESCRIPTIONS
    const bytes = fits ? size : size - description
    if (spent.bytes + bytes > AT_MOST) return { rows: taken, isCut: true }
    spent.bytes += bytes
    taken.push(fits ? row : { ...row, description: '' })
    isCut ||= !fits && row.description !== ''
  }
  return { rows: taken, isCut }
}

/** A quick upper bound of a row's texts in bytes. */
function bytesOf(row: object): number {
  let units = 0
  for (const value of Object.values(row)) if (typeof value === 'string') units += value.length
  return BYTES_A_UNIT * units
}

/** Terms are shown by name. Folded names compare by code points, as in the database. */
const byName = (a: TermRow, b: TermRow): number =>
  a.sort_name < b.sort_name ? -1 : a.sort_name > b.sort_name ? 1 : a.id - b.id
