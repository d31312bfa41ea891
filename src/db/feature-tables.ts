import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Registry } from '../lib/features.ts'

const tables = new Registry<Readonly<Record<string, SQLiteTable>>>('tables')

/** Adds the tables of features, by their names in the code. */
export const addTables = (ofFeatures: Readonly<Record<string, SQLiteTable>>): void => tables.set(ofFeatures)

/** The tables of features, beside those of `schema.ts`. */
export const featureTables = (): Readonly<Record<string, SQLiteTable>> => tables.value
