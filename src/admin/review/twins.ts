import { type SQL, sql } from 'drizzle-orm'
import { listings } from '../../db/derived.ts'
import { literal, many, type Query } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import { fold } from '../../lib/text.ts'
import { plain } from '../../site/text.ts'

/** An event that may be the same as one that waits. */
export type Twin = { id: number; title: string; status: string; url: string }

type Nearby = Twin & { to: number }

/** Minutes that starts of the same event are apart at most. */
const APART = 30

/** The most that one page compares with. */
const MOST = literal(400)

/** A query of what begins at about the same time as some events. @param ids a SELECT of their ids */
export const selectNearby = (ids: SQL): Query<Nearby[]> =>
  many(
    sql`WITH waiting AS MATERIALIZED (
        SELECT id, series_id, datetime(utc_start_date, ${`-${APART} minutes`}) AS since,
          datetime(utc_start_date, ${`+${APART} minutes`}) AS until FROM ${events} WHERE id IN (${ids})
      ), nearby("to", of, id) AS (
        SELECT waiting.id, waiting.series_id, event_id FROM waiting CROSS JOIN ${listings}
          ON facet = 'event' AND target_id = 0 AND utc_start_date BETWEEN since AND until
        UNION ALL SELECT waiting.id, waiting.series_id, events.id FROM waiting
          CROSS JOIN ${events} INDEXED BY events_unpublished ON status <> 'publish' AND status IN ('future', 'pending')
            AND utc_start_date BETWEEN since AND until AND duplicate_of IS NULL
      )
      SELECT "to", ${events.id} AS id, title, status, slug FROM nearby CROSS JOIN ${events} ON ${events.id} = nearby.id
      WHERE ${events.id} <> "to" AND (of IS NULL OR series_id IS NOT of) LIMIT ${MOST}`,
    row => ({
      to: Number(row.to),
      id: Number(row.id),
      title: plain(String(row.title)),
      status: String(row.status),
      url: `/admin/events/${Number(row.id)}/`,
    }),
  )

/** Words of a title that say something. */
const wordsOf = (title: string): Set<string> =>
  new Set(fold(title).match(/[\p{L}\d]{3,}/gu) ?? fold(title).match(/[\p{L}\d]+/gu) ?? [])

/** Those of which half of the words are those of the other title. */
export function twinsOf({ id, title }: { id: number; title: string }, nearby: readonly Nearby[]): Twin[] {
  const own = wordsOf(plain(title))
  return nearby.filter(other => {
    if (other.to !== id) return false
    const theirs = wordsOf(other.title)
    const common = [...own].filter(word => theirs.has(word)).length
    return common > 0 && common * 2 >= Math.min(own.size, theirs.size)
  })
}
