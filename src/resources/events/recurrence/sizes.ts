import { type SQL, sql } from 'drizzle-orm'
import { first, mapped, type Query } from '../../../db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
  terms,
} from '../../../db/schema.ts'
import type { EventFields } from '../schema.ts'

/** Limit of the occurrences of a series, those in the trash included: a write of all sends them as one JSON text. */
export const MOST_SERIES_ROWS = 6_000

/**
 * Limit of the links that a write of a series makes: each is several rows, and the database does nothing else meanwhile.
 * So many take two to three seconds.
 */
const MOST_LINKS = 30_000

/** Limit of the same times the links of each: a link that goes makes the database read all others of its event. */
const MOST_PAIRS = 1_500_000

/** The fields of relations. */
const RELATIONS = ['venue', 'organizer', 'categories', 'tags'] as const

/** The numbers of the links of a series, or of a single event. */
export type LinkCounts = Record<(typeof RELATIONS)[number], number>

const NO_LINKS: LinkCounts = { venue: 0, organizer: 0, categories: 0, tags: 0 }

/** Counts the links of the series of an event, or of the event if it has none. @param condition names the event */
export function selectLinkCounts(condition: SQL): Query<LinkCounts> {
  const series = sql`(SELECT series_id FROM ${events} WHERE ${condition})`
  const single = sql`(SELECT id FROM ${events} WHERE ${condition} AND series_id IS NULL)`
  const linksOf = (own: SQL, shared: SQL, rest = sql``) =>
    sql`(SELECT count(*) FROM ${own} WHERE event_id = ${single} ${rest})
      + (SELECT count(*) FROM ${shared} WHERE series_id = ${series} ${rest})`
  const isOf = (taxonomy: string) =>
    sql`AND (SELECT taxonomy FROM ${terms} WHERE ${terms.id} = target_id) = ${taxonomy}`
  const [own, shared] = [sql`${eventTerms}`, sql`${seriesTerms}`]
  return mapped(
    first(
      sql`SELECT ${linksOf(sql`${eventVenues}`, sql`${seriesVenues}`)} AS venue,
        ${linksOf(sql`${eventOrganizers}`, sql`${seriesOrganizers}`)} AS organizer,
        ${linksOf(own, shared, isOf('event_category'))} AS categories,
        ${linksOf(own, shared, isOf('event_tag'))} AS tags`,
      row => ({
        venue: Number(row.venue),
        organizer: Number(row.organizer),
        categories: Number(row.categories),
        tags: Number(row.tags),
      }),
    ),
    counts => counts ?? NO_LINKS,
  )
}

type Values = Partial<EventFields>

/** The name of a relation that values change. */
export const namedRelation = (values: Values) => RELATIONS.find(name => values[name] !== undefined)

/**
 * Checks that a write makes not too many links.
 *
 * @param rows the occurrences that it writes
 * @param stored the links that there are before
 */
export function checkLinks(
  { values, rows, stored = NO_LINKS }: { values: Values; rows: number; stored?: LinkCounts | undefined },
  refuse: (reason: string) => void,
): void {
  const each = RELATIONS.reduce((sum, name) => sum + (values[name]?.length ?? stored[name]), 0)
  const most = Math.min(MOST_LINKS, Math.floor(MOST_PAIRS / each))
  if (rows * each > most)
    refuse(
      `makes ${rows} occurrences, those in the trash included, with ${each} venues, organizers, categories and tags each: with so many each, a series has at most ${most} of them in all`,
    )
}
