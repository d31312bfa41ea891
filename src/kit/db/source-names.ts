import { type SQL, sql } from 'drizzle-orm'

// The table `imports` and the audit name a source of the calendar `source:7`; other imports have names of
// their own. Triggers know this form as well (kit/db/triggers/event-sources.sql).

/** The name of a source in the table `imports`. */
export const importSource = (id: number): string => `source:${id}`

/** The id in the name of a source; undefined for other imports. */
export function sourceIdIn(name: string): number | undefined {
  const id = /^source:(\d{1,15})$/.exec(name)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** A condition that is true for the names of sources. @param name an expression */
export const sourceNameSql = (name: SQL): SQL => sql`${name} GLOB 'source:*'`

/** An expression for the id in the name of a source. @param name an expression */
export const idInSourceName = (name: SQL): SQL => sql`CAST(substr(${name}, 8) AS INTEGER)`
