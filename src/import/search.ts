import { relatedText } from '../content/related/writes.ts'
import { type IndexedText, indexTexts } from '../content/search.ts'
import { eventText, indexEvents, occurrenceText } from '../events/search.ts'
import type { Row, Statement } from '../lib/connection.ts'
import { ORGANIZERS } from '../organizers/kind.ts'
import { VENUES } from '../venues/kind.ts'
import { pieces } from './bulk.ts'
import { COLLECTIONS } from './documents.ts'
import type { ContentRecordKind } from './records.ts'
import type { Texts } from './state.ts'
import { partsOf, statementOf } from './statements.ts'

/** The resources' own statement, for many rows at once: one statement a row takes half as long again. */
function insert(kind: ContentRecordKind, json: string): Statement[] {
  if (kind === 'series')
    return [
      [
        "INSERT OR REPLACE INTO series_search (rowid, search_text) SELECT value ->> 'id', value ->> 'text' FROM json_each(?)",
        json,
      ],
    ]
  // pieces() has made it of such rows.
  const texts = JSON.parse(json) as IndexedText[]
  return (kind === 'event' ? indexEvents(texts) : indexTexts(`${kind}s_search`, texts)).map(statementOf)
}

const append = (kind: ContentRecordKind, id: number, text: string): Statement =>
  kind === 'event'
    ? [
        `UPDATE events_search SET listed = listed || ?, unlisted = unlisted || ?
          WHERE rowid = (SELECT search_key FROM events WHERE id = ?)`,
        text,
        text,
        id,
      ]
    : [`UPDATE ${COLLECTIONS[kind]}_search SET search_text = search_text || ? WHERE rowid = ?`, text, id]

type Indexed = { id: number; columns: Row; texts?: Texts | undefined }

/** The text of a row; undefined for an occurrence that is found by that of its series. */
function textOf(kind: ContentRecordKind, { columns, texts }: Indexed): string | undefined {
  if (kind === 'venue' || kind === 'organizer')
    return relatedText(kind === 'venue' ? VENUES : ORGANIZERS, columns)
  if (kind === 'series' || columns.series_id === null) return eventText(columns)
  return texts && occurrenceText(texts)
}

/**
 * The statements that store the search text of rows, which have been written before. A text that is too long for one
 * statement is written in parts.
 */
export function searchStatements(
  kind: ContentRecordKind,
  writes: readonly Indexed[],
  maxBytes: number,
): Statement[] {
  const room = Math.floor(maxBytes / 8)
  const rows: IndexedText[] = []
  const tails: Statement[] = []
  for (const write of writes) {
    const { id } = write
    const text = textOf(kind, write)
    if (text === undefined) continue
    const [first = '', ...others] = partsOf(text, room)
    rows.push({ id, text: first })
    tails.push(...others.map(part => append(kind, id, part)))
  }
  return [...[...pieces(rows, maxBytes)].flatMap(json => insert(kind, json)), ...tails]
}
