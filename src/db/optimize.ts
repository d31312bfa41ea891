import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'

// A minute at which few other jobs are scheduled.
const HOUR = 3
const MINUTE = 17

/** Tells if it is the minute of the day for {@link optimize}, in UTC. @param ms epoch milliseconds */
export function isTimeToOptimize(ms: number): boolean {
  const time = new Date(ms)
  return time.getUTCHours() === HOUR && time.getUTCMinutes() === MINUTE
}

/**
 * Updates the statistics of indexes that have changed much, as D1's documentation advises
 * (https://developers.cloudflare.com/d1/best-practices/use-indexes/). Our queries don't depend on them.
 */
export const optimize = (db: Database): Promise<void> => db.change([sql`PRAGMA optimize`])
