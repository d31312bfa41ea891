import { sql } from 'drizzle-orm'
import { type Database, many } from '../db/client.ts'
import { inList } from '../db/rows.ts'
import { eventOrganizers, eventVenues, terms } from '../db/schema.ts'
import { EVENTS } from '../events/kind.ts'
import type { EventRow } from '../events/rows.ts'
import { ORGANIZERS } from '../organizers/kind.ts'
import type { PostKind, PostRow } from '../posts/kind.ts'
import { CATEGORIES, TAGS, type TermKind } from '../terms/kind.ts'
import { selectTerms } from '../terms/queries.ts'
import { termAnswer } from '../terms/serialize.ts'
import { VENUES } from '../venues/kind.ts'
import type { VenueRow } from '../venues/serialize.ts'
import type { View } from '../view.ts'

/** As many records a page as the API answers at most by default. */
export const PER_PAGE = 50

/** One page of a collection, and the rows that it was made from. */
export type ExportPage<R> = { items: object[]; rows: R[] }

/** A collection from its first page to its last, in the order of ids. */
export type Collection = {
  plural: string
  total: number
  pages: AsyncIterable<ExportPage<unknown>>
}

/** All pages of what a query by id selects. */
async function* byId<R extends { id: number }>(
  select: (after: number) => Promise<R[]>,
  itemsOf: (rows: R[]) => Promise<object[]> | object[],
): AsyncGenerator<ExportPage<R>> {
  for (let after = 0; ; ) {
    const rows = await select(after)
    const last = rows.at(-1)
    if (!last) return
    yield { items: await itemsOf(rows), rows }
    after = last.id
  }
}

const countOf = async (db: Database, condition: ReturnType<typeof sql>): Promise<number> => {
  const [total] = await db.get(
    many(sql`SELECT count(*) AS total FROM ${condition}`, row => Number(row.total)),
  )
  return total ?? 0
}

/** What an answer leaves out or shows otherwise than it is stored; a backup has it beside the answer. */
type Stored = Record<string, unknown>

const posts = async <R extends PostRow, A extends object>(
  db: Database,
  kind: PostKind<R, A>,
  view: View,
  storedOf: (rows: R[]) => Promise<(row: R) => Stored>,
): Promise<Collection> => ({
  plural: kind.plural,
  total: await countOf(db, sql`${kind.table}`),
  pages: byId<R>(
    after =>
      db.get(kind.select(sql`${kind.table.id} > ${after}`, sql`ORDER BY ${kind.table.id} LIMIT ${PER_PAGE}`)),
    async rows => {
      const stored = await storedOf(rows)
      return rows.map(row => ({
        ...kind.serialize(row, view),
        stored: { version: row.version, status: row.status, ...stored(row) },
      }))
    },
  ),
})

const termPages = async (db: Database, kind: TermKind, view: View): Promise<Collection> => ({
  plural: kind.plural,
  total: await countOf(db, sql`${terms} WHERE taxonomy = ${kind.taxonomy}`),
  pages: byId(
    after =>
      db.get(selectTerms(kind, sql`${terms.id} > ${after}`, sql`ORDER BY ${terms.id} LIMIT ${PER_PAGE}`)),
    rows => rows.map(row => ({ ...termAnswer(row, view), stored: { version: row.version } })),
  ),
})

/** The ids that events link to, also those in the trash, which answers leave out. */
async function linkedIds(db: Database, links: typeof eventVenues | typeof eventOrganizers, rows: EventRow[]) {
  const found = await db.get(
    many(
      sql`SELECT event_id, target_id FROM ${links} WHERE event_id IN ${inList(rows.map(({ id }) => id))} ORDER BY event_id, position`,
      row => ({ event: Number(row.event_id), target: Number(row.target_id) }),
    ),
  )
  return (event: number) => found.filter(link => link.event === event).map(({ target }) => target)
}

/** Everything in a calendar that has pages, what others link to before them. */
export async function collections(db: Database, view: View): Promise<Collection[]> {
  const nothing = async () => () => ({})
  const ofEvents = async (rows: EventRow[]) => {
    const venueIds = await linkedIds(db, eventVenues, rows)
    const organizerIds = await linkedIds(db, eventOrganizers, rows)
    return ({ id, cost, website, post_parent }: EventRow): Stored => ({
      cost,
      website,
      post_parent,
      venue: venueIds(id),
      organizer: organizerIds(id),
    })
  }
  const ofVenues =
    async () =>
    ({ geo_lat, geo_lng }: VenueRow): Stored => ({ geo_lat, geo_lng })
  return [
    await termPages(db, CATEGORIES, view),
    await termPages(db, TAGS, view),
    await posts(db, VENUES, view, ofVenues),
    await posts(db, ORGANIZERS, view, nothing),
    await posts(db, EVENTS, view, ofEvents),
  ]
}
