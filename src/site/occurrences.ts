import { sql } from 'drizzle-orm'
import { isPublished } from '../content/visibility.ts'
import { literal, type Query } from '../db/query.ts'
import { events, series } from '../db/schema.ts'
import { addressOf, type LeanEvent, selectLean } from './lean-events.ts'
import { linkTo, type Site } from './site.ts'

/** The slugs that an address may mean: of an event, and of a series. */
export type Slugs = { event: string; series: string }

/** The public dates of a series, in order: of that of an event, or of the one with a slug. @param most how many of them */
export const occurrencesOf = (site: Site, slugs: Slugs, most: number, upcoming = false): Query<LeanEvent[]> =>
  selectLean(
    sql`${events} INDEXED BY events_occurrence`,
    sql`WHERE ${events.series_id} = coalesce(
        (SELECT series_id FROM events WHERE slug = ${slugs.event.toLowerCase()}),
        (SELECT id FROM ${series} WHERE slug = ${slugs.series.toLowerCase()}))
      AND ${isPublished(events, site.context.now)} AND ${events.utc_end_date} >= ${upcoming ? site.context.now : ''}
      ORDER BY ${events.utc_start_date}, ${events.id} LIMIT ${literal(most)}`,
  )

/** The path of an occurrence's page. */
export const pathOf = (site: Site, row: LeanEvent): string => linkTo(site, addressOf(site.context, row))
