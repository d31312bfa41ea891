import { type SQL, sql } from 'drizzle-orm'

/** The owner of relations: an event, or a series whose occurrences share them. */
export type Owner = { kind: 'event' | 'series'; id: SQL | number }

export const eventOwner = (id: SQL | number): Owner => ({ kind: 'event', id })

/** The column of an owner in a table of links. */
export const ownerColumn = ({ kind }: Owner): SQL => sql.raw(`${kind}_id`)
