import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'

// At night in most places, at a minute at which little else is scheduled.
const HOUR = 3
const MINUTE = 17

/** Tells whether a minute is the one of the day at which the database is looked after. @param ms epoch milliseconds */
export function isTimeToOptimize(ms: number): boolean {
  const time = new Date(ms)
  return time.getUTCHours() === HOUR && time.getUTCMinutes() === MINUTE
}

/**
 * Brings the statistics of indexes up to date where they have changed much, as D1's documentation advises
 * (https://developers.cloudflare.com/d1/best-practices/use-indexes/). Queries are written so as not to need them.
 */
export const optimize = (db: Database): Promise<void> => db.change([sql`PRAGMA optimize`])
