import type { SerializeContext } from '../../../context.ts'
import { LIST_SIZE } from '../../../lib/budgets.ts'
import type { OrganizerRow, VenueRow } from '../../content/related/resource.ts'
import { isRowReadable } from '../../content/visibility.ts'
import type { TermRow } from '../../terms/resource.ts'
import { type EventRow, type EventSource, originsOf, type PageEventRow, type Related } from '../rows.ts'

/** A function that returns the bytes of a related row in a response. */
type Measure = (row: object) => number

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Bytes of the field names and addresses of any related resource. */
const FRAME_BYTES = 1_000

/** Makes a function that measures related rows, each once. */
function measureOf({ settings }: SerializeContext): Measure {
  const copies = settings.imageSizes.length
  const measured = new Map<object, number>()
  return row => {
    const images = 'image' in row && row.image !== null ? copies * (jsonBytes(row.image) + FRAME_BYTES) : 0
    const bytes = measured.get(row) ?? FRAME_BYTES + images + jsonBytes(row) + 3 * addressBytes(row)
    measured.set(row, bytes)
    return bytes
  }
}

/** Bytes of the path or slug of a row, which addresses repeat. */
const addressBytes = (row: object): number =>
  'path' in row ? jsonBytes(row.path) : 'slug' in row ? jsonBytes(row.slug) : 0

// Responses must stay below about ten megabytes, whatever is stored. A hundred events of ordinary calendars take a
// twentieth of that.

type PageRows = {
  events: readonly PageEventRow[]
  venues: readonly Related<VenueRow>[]
  organizers: readonly Related<OrganizerRow>[]
  terms: readonly Related<TermRow>[]
  sources: readonly Related<EventSource>[]
}

/** Joins the events of a page with the related rows that the caller may read, within the limits. */
export function assembled(context: SerializeContext, { events, ...found }: PageRows): EventRow[] {
  // Rows that the caller may not read don't count towards the limits either.
  const venues = byEvent(found.venues.filter(({ row }) => isRowReadable(row, context)))
  const organizers = byEvent(found.organizers.filter(({ row }) => isRowReadable(row, context)))
  const terms = byEvent(found.terms)
  const origin = originsOf(found.sources)
  const measure = measureOf(context)
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
        ...(isLong && { description: '', excerpt: '', custom_fields: '' }),
        venues: parts.venues.rows,
        organizers: parts.organizers.rows,
        terms: parts.terms.rows,
        origin: origin(position),
        isShortened: isLong || event.isShortened || Object.values(parts).some(({ isCut }) => isCut),
      }
    })
}

type Texts = { description: string; excerpt: string; custom_fields: string }

const textsOf = ({ description, excerpt, custom_fields }: Texts): string[] => [
  description,
  excerpt,
  custom_fields,
]

/** Makes a function that tells for one event after the other whether its texts exceed the limit of the page. */
function tooLong(events: readonly Texts[]): (event: Texts) => boolean {
  const units = events.flatMap(textsOf).reduce((sum, text) => sum + text.length, 0)
  if (6 * units <= LIST_SIZE.own) return () => false
  let bytes = 0
  return event => {
    for (const text of textsOf(event)) bytes += jsonBytes(text)
    return bytes > LIST_SIZE.own
  }
}

/** The related rows of each event of the page, in their order. */
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

/** A related row; its description is null if it was too long for its share. */
type DescribedRow = { description: string | null }

/** Takes rows within the limits: first descriptions are left out, then rows. */
function take<R extends DescribedRow>(
  rows: readonly R[] = [],
  measure: Measure,
  spent: { bytes: number },
): { rows: R[]; isCut: boolean } {
  const taken: R[] = []
  let isCut = false
  for (const row of rows) {
    const size = measure(row)
    const fits = row.description !== null && spent.bytes + size <= LIST_SIZE.withDescriptions
    const bytes = fits ? size : size - jsonBytes(row.description)
    if (spent.bytes + bytes > LIST_SIZE.related) return { rows: taken, isCut: true }
    spent.bytes += bytes
    taken.push(fits ? row : { ...row, description: '' })
    isCut ||= !fits && row.description !== ''
  }
  return { rows: taken, isCut }
}

/** Compares terms by folded name and id, by code points as in the database. */
const byName = (a: TermRow, b: TermRow): number =>
  a.sort_name < b.sort_name ? -1 : a.sort_name > b.sort_name ? 1 : a.id - b.id
