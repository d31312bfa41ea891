import { type SQL, sql } from 'drizzle-orm'
import { literal } from '../../kit/db/query.ts'
import { venues } from '../../kit/db/tables.ts'
import { searchedNames } from '../content/fields.ts'
import { atBeginningSql, foldedLength } from '../content/search.ts'
import { VENUE_FIELDS } from './schema.ts'

/** The columns that a venue's text has after its name and description. They begin with the address. */
const columnNames = searchedNames(VENUE_FIELDS)
const addressNames = columnNames.slice(0, columnNames.indexOf('zip') + 1)

/**
 * Columns as a venue's text has them, each with a blank before it. A chain of `||` would be too deep an
 * expression.
 */
const joinedSql = (names: readonly string[]): SQL => {
  const columns = names.map(name => sql`${venues}.${sql.identifier(name)}`)
  const texts = columns.map(column => sql`iif(${column} = '', '', ' ' || ${column})`)
  return sql`format(${literal('%s'.repeat(names.length))}, ${sql.join(texts, sql`, `)})`
}

/**
 * A condition for the stored text of a venue whose name or address contains a word. The description, which is
 * between name and address, and what follows the address do not count.
 */
export const inVenueSql = (text: SQL, word: SQL): SQL =>
  sql`(${atBeginningSql(text, venues.name, word)}
    OR ${atBeginningSql(sql`substr(${text}, -${foldedLength(joinedSql(columnNames))})`, joinedSql(addressNames), word)})`
