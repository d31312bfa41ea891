import { type SQL, sql } from 'drizzle-orm'
import { listings } from '../db/derived.ts'
import { events } from '../db/schema.ts'
import type { Page } from '../http/lists.ts'
import { may } from '../lib/roles.ts'
import type { DateTime } from '../lib/time.ts'
import { searchTerms } from '../posts/search.ts'
import type { View } from '../view.ts'
import { DEEP, entryTo } from './deep-pages.ts'
import { termNamed } from './filters.ts'
import type { EventListParams } from './schema.ts'
import { eventId, hasWords, listedMatches } from './search.ts'
import { type Listing, outlasting, type Stretch, totalOf, unseen } from './totals.ts'

/** A list that an index has ready in its order: the ids of a page, and a total that needs no counting of rows. */
export type Walk = { ids: SQL; total: SQL }

const ASCENDING = sql`ASC`

const ALL: Listing = { facet: 'event', target: sql`0` }

/** The parameters that say how to page and sort, or that the window has dealt with, rather than what to show. */
const NO_FILTERS: ReadonlySet<string> = new Set([
  'page',
  'per_page',
  'order',
  'orderby',
  'status',
  'start_date',
  'end_date',
  'strict_dates',
])

/** Whether only published events are asked for or to be seen. */
const publishedOnly = ({ status }: EventListParams, { caller }: View): boolean =>
  status ? status.every(name => name === 'publish') : !may(caller, 'edit_posts')

/**
 * The way through an index, if the request is of the kind that calendars make all day: what is published, in
 * a stretch of time, by start, filtered by at most one category, tag, venue, organizer or search.
 */
export function walkOf(
  values: EventListParams,
  stretch: Stretch | undefined,
  page: Page,
  view: View,
): Walk | undefined {
  if (!stretch || !publishedOnly(values, view) || (values.orderby ?? 'start_date') !== 'start_date')
    return undefined
  const filters = Object.keys(values).filter(name => !NO_FILTERS.has(name))
  if (filters.length > 1) return undefined
  const order = values.order === 'desc' ? sql`DESC` : ASCENDING
  const listing = listingOf(values, filters[0])
  if (listing) return listingWalk(listing, stretch, order, page, view)
  const { phrases, short, words } = searchTerms(values.search ?? '')
  return phrases && short.length === 0 ? searchWalk(phrases, words, stretch, order, page, view) : undefined
}

function listingOf(
  { categories, tags, venue, organizer }: EventListParams,
  filter: string | undefined,
): Listing | undefined {
  if (filter === undefined) return ALL
  const only = <T>(list: readonly T[] | undefined): T | undefined =>
    list?.length === 1 ? list[0] : undefined
  const [category, tag, place, person] = [only(categories), only(tags), only(venue), only(organizer)]
  if (category !== undefined) return { facet: 'term', target: termNamed('event_category', sql`${category}`) }
  if (tag !== undefined) return { facet: 'term', target: termNamed('event_tag', sql`${tag}`) }
  if (place !== undefined) return { facet: 'venue', target: sql`${place}` }
  return person === undefined ? undefined : { facet: 'organizer', target: sql`${person}` }
}

const limited = ({ perPage, offset }: Page): SQL => sql`LIMIT ${perPage} OFFSET ${offset}`

function listingWalk(listing: Listing, stretch: Stretch, order: SQL, page: Page, { now }: View): Walk {
  const { facet, target } = listing
  const rows = (from: SQL, skip: SQL) =>
    sql`SELECT event_id FROM ${listings} WHERE facet = ${facet} AND target_id = ${target}
      AND utc_start_date BETWEEN ${from} AND ${stretch.end} AND utc_end_date <= ${stretch.end}
      AND listed_from <= ${now} ORDER BY utc_start_date ${order}, event_id ${order}
      LIMIT ${page.perPage} OFFSET ${skip}`
  const total = totalOf(listing, stretch, now)
  if (page.offset < DEEP || order !== ASCENDING)
    return { ids: rows(sql`${stretch.start}`, sql`${page.offset}`), total }
  const entry = entryTo(page.offset, listing, stretch, now)
  return { ids: sql`${entry.cte} ${rows(entry.start, entry.skip)}`, total }
}

function searchWalk(
  phrases: string,
  words: readonly string[],
  stretch: Stretch,
  order: SQL,
  page: Page,
  { now }: View,
): Walk {
  const found = matchesIn(phrases, stretch, now)
  return {
    ids: sql`SELECT ${events.id} ${found} ORDER BY events_search.rowid ${order} ${limited(page)}`,
    total: searchTotal(phrases, words, stretch, now),
  }
}

/** The matches of a stretch that may be seen, one by one, as FROM and WHERE. */
const matchesIn = (phrases: string, stretch: Stretch, now: DateTime): SQL =>
  sql`FROM events_search CROSS JOIN ${events} ON ${events.id} = ${eventId}
    WHERE ${listedMatches(phrases, stretch.start, stretch.end)}
    AND ${events.utc_end_date} <= ${stretch.end} AND ${events.listed_from} <= ${now}`

/** So many matches are looked at one by one. */
const FEW = 500

/**
 * How many matches of a stretch may be seen. Many are counted in the text index, which knows when they start;
 * then only those events are looked at that it can't tell from those in the stretch.
 *
 * @param few how many count as few
 */
export function searchTotal(
  phrases: string,
  words: readonly string[],
  stretch: Stretch,
  now: DateTime,
  few = FEW,
): SQL {
  const matching = listedMatches(phrases, stretch.start, stretch.end)
  const among = (rows: SQL, alias: SQL) =>
    sql`(SELECT count(*) FROM ${rows} JOIN ${events} ON ${events.id} = ${alias}.event_id
      WHERE ${hasWords(sql`${events.search_key}`, words)})`
  return sql`CASE WHEN (SELECT count(*) FROM (SELECT 1 FROM events_search WHERE ${matching} LIMIT ${few + 1})) <= ${few}
    THEN (SELECT count(*) ${matchesIn(phrases, stretch, now)})
    ELSE (SELECT count(*) FROM events_search WHERE ${matching})
      - ${among(outlasting(ALL, stretch), sql`over`)} - ${among(unseen(ALL, stretch, now), sql`ahead`)} END`
}
