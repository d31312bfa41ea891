import { type SQL, sql } from 'drizzle-orm'
import { revision } from './derived.ts'
import { constant } from './shapes.ts'

const begin = constant(() => sql`UPDATE ${revision} SET stage = 1`)
const end = constant(() => sql`UPDATE ${revision} SET stage = 0`)

/**
 * The statements of a write, of which all changes get one number (db/triggers/changes.sql): what it changes several times, as an
 * event with its links, is numbered once. For a batch of 100 events, that saves a third of the rows that it writes.
 */
export const asOneChange = (statements: readonly SQL[]): SQL[] =>
  statements.length === 0 ? [] : [begin(), ...statements, end()]
