import type { Statement } from '../lib/connection.ts'
import { fold, htmlToText } from '../lib/text.ts'
import { pieces } from './bulk.ts'
import type { PostKind } from './records.ts'
import { type Columns, searchText } from './rows.ts'
import { partsOf } from './statements.ts'

// The resources index one row a statement, each of which costs two round trips to a local database: an import of
// 2,244 events took 31 s with theirs and 20 s with these, which index many rows at once. That both write the same is
// tested by backups of what the API wrote.

const INSERT: Record<PostKind, string> = {
  // Stands under a key that follows the start.
  event: `INSERT OR REPLACE INTO events_search (rowid, listed, unlisted)
    SELECT search_key, iif(listed_from IS NULL, NULL, given.value ->> 1), iif(listed_from IS NULL, given.value ->> 1, NULL)
    FROM json_each(?) AS given JOIN events ON events.id = given.value ->> 0`,
  venue: `INSERT OR REPLACE INTO venues_search (rowid, search_text) SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
  organizer: `INSERT OR REPLACE INTO organizers_search (rowid, search_text)
    SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
}

const append = (kind: PostKind, id: number, text: string): Statement =>
  kind === 'event'
    ? [
        `UPDATE events_search SET listed = listed || ?, unlisted = unlisted || ?
          WHERE rowid = (SELECT search_key FROM events WHERE id = ?)`,
        text,
        text,
        id,
      ]
    : [`UPDATE ${kind}s_search SET search_text = search_text || ? WHERE rowid = ?`, text, id]

const htmlOf = (row: Columns, column: string): string => htmlToText(String(row[column] ?? ''))

const textOf = (kind: PostKind, row: Columns): string =>
  kind === 'event'
    ? fold([row.title, htmlOf(row, 'description'), htmlOf(row, 'excerpt')].filter(Boolean).join('\n'))
    : searchText(kind, row)

/**
 * The statements that store what `search` looks through, for rows that are there already. A text that is too long
 * for one statement is written in parts.
 */
export function searchStatements(
  kind: PostKind,
  writes: readonly { id: number; columns: Columns }[],
  maxBytes: number,
): Statement[] {
  const room = Math.floor(maxBytes / 8)
  const rows: [number, string][] = []
  const tails: Statement[] = []
  for (const { id, columns } of writes) {
    const [first = '', ...others] = partsOf(textOf(kind, columns), room)
    rows.push([id, first])
    tails.push(...others.map(part => append(kind, id, part)))
  }
  return [...[...pieces(rows, maxBytes)].map((json): Statement => [INSERT[kind], json]), ...tails]
}
