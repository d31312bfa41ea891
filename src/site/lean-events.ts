import { type SQL, sql } from 'drizzle-orm'
import { columnList, columnsWithout, decodeRow } from '../db/columns.ts'
import { many, type Query } from '../db/query.ts'
import { events, series } from '../db/schema.ts'
import { seriesJoin } from '../events/rows.ts'

// Events without their texts and what belongs to them, for pages and files with hundreds of them.

const leanColumns = columnsWithout(
  events,
  'description',
  'excerpt',
  'custom_fields',
  'listed',
  'span',
  'search_key',
  'shares_text',
)

/** An event, and the slug of its series; that is null for single events. */
export type LeanEvent = ReturnType<typeof decodeRow<typeof leanColumns>> & { series: { slug: string } | null }

/**
 * Selects events without their texts.
 *
 * @param from the part of FROM before and with `events`
 * @param tail WHERE and further clauses
 * @param shared a WITH clause
 */
export const selectLean = (from: SQL, tail: SQL, shared: SQL = sql``): Query<LeanEvent[]> =>
  many(
    sql`${shared} SELECT ${columnList(leanColumns)}, ${series.slug} AS series_slug FROM ${from} ${seriesJoin} ${tail}`,
    raw => ({
      ...decodeRow(leanColumns, raw),
      series: typeof raw.series_slug === 'string' ? { slug: raw.series_slug } : null,
    }),
  )
