import { type SQL, sql } from 'drizzle-orm'
import { datesVersion } from '../../db/audit.ts'
import { conflictIf, isConflict } from '../../db/conflicts.ts'
import { events, images, organizers, series, terms, venues } from '../../db/schema.ts'
import { ApiError } from '../../lib/errors.ts'

const shownId = sql.raw('shown.value ->> 1')

/** Expressions of the version that something has now, by what it is. All dates of a series have one together. */
const CURRENT = {
  event: sql`(SELECT version || '' FROM ${events} WHERE id = ${shownId})`,
  series: sql`(SELECT version || '' FROM ${series} WHERE id = ${shownId})`,
  dates: datesVersion(shownId),
  venue: sql`(SELECT version || '' FROM ${venues} WHERE id = ${shownId})`,
  organizer: sql`(SELECT version || '' FROM ${organizers} WHERE id = ${shownId})`,
  image: sql`(SELECT version || '' FROM ${images} WHERE id = ${shownId})`,
  term: sql`(SELECT version || '' FROM ${terms} WHERE id = ${shownId})`,
} as const satisfies Record<string, SQL>

/** The error of a write that begins with {@link unlessChanged}, if that has made it fail: another attempt would fail as well. */
export const asChanged = (error: unknown): unknown =>
  isConflict(error) ? new ApiError('rest_precondition_failed', 'Something of this has changed.') : error

/** The version in which something was shown: `['venue', 7, '2']`. */
export type ShownVersion = readonly [of: keyof typeof CURRENT, id: number, version: string]

/** A version as forms carry it. */
export const versionText = (shown: ShownVersion): string => shown.join('.')

/** The statement that makes a write fail as a conflict unless everything still has the version in which it was shown. */
export const unlessChanged = (shown: readonly ShownVersion[]): SQL => {
  const current = Object.entries(CURRENT).map(
    ([of, version]) => sql`WHEN ${sql.raw(`'${of}'`)} THEN ${version}`,
  )
  return conflictIf(sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(shown)}) AS shown
    WHERE shown.value ->> 2 IS NOT CASE shown.value ->> 0 ${sql.join(current, sql` `)} END)`)
}
