import { sql } from 'drizzle-orm'
import { relatedText } from '../content/related/writes.ts'
import { indexTexts } from '../content/search.ts'
import { eventText, indexEvents } from '../events/search.ts'
import type { Row, Statement } from '../lib/connection.ts'
import { ORGANIZERS } from '../organizers/kind.ts'
import { VENUES } from '../venues/kind.ts'
import { pieces } from './bulk.ts'
import type { ContentRecordKind } from './records.ts'
import { partsOf, statementOf } from './statements.ts'

/** The resources' own statement, for many rows at once: one statement a row takes half as long again. */
const insert = (kind: ContentRecordKind, json: string): Statement =>
  statementOf(kind === 'event' ? indexEvents(sql`${json}`) : indexTexts(`${kind}s_search`, sql`${json}`))

const append = (kind: ContentRecordKind, id: number, text: string): Statement =>
  kind === 'event'
    ? [
        `UPDATE events_search SET listed = listed || ?, unlisted = unlisted || ?
          WHERE rowid = (SELECT search_key FROM events WHERE id = ?)`,
        text,
        text,
        id,
      ]
    : [`UPDATE ${kind}s_search SET search_text = search_text || ? WHERE rowid = ?`, text, id]

const textOf = (kind: ContentRecordKind, row: Row): string => {
  if (kind === 'event') return eventText(row)
  return relatedText(kind === 'venue' ? VENUES : ORGANIZERS, row)
}

/**
 * The statements that store the search text of rows, which have been written before. A text that is too long for one
 * statement is written in parts.
 */
export function searchStatements(
  kind: ContentRecordKind,
  writes: readonly { id: number; columns: Row }[],
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
  return [...[...pieces(rows, maxBytes)].map(json => insert(kind, json)), ...tails]
}
