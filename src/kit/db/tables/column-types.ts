import { type AnySQLiteColumn, integer, text } from 'drizzle-orm/sqlite-core'
import type { Utc, Wall } from '../../lib/time.ts'

export const booleanColumn = () => integer({ mode: 'boolean' }).notNull().default(false)
export const refersTo = (column: () => AnySQLiteColumn) => integer().notNull().references(column)

// Times of events and content, which have both: the compiler keeps them apart.
export const wallColumn = () => text().$type<Wall>()
export const utcColumn = () => text().$type<Utc>()
