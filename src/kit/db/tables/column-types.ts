import { type AnySQLiteColumn, integer } from 'drizzle-orm/sqlite-core'

export const booleanColumn = () => integer({ mode: 'boolean' }).notNull().default(false)
export const refersTo = (column: () => AnySQLiteColumn) => integer().notNull().references(column)
