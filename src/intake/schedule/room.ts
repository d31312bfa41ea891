import type { SourceRow } from '../../resources/sources/queries.ts'
import { type AnyRecord, recordLength } from '../records.ts'

/** Events, records and characters of descriptions of a piece: the free plan gives 10 ms of CPU. */
const EVENTS = 50
const RECORDS = 150
const CHARACTERS = 500_000

/** Bytes of pages after which no more are read: taking 1 MB apart takes 30 ms, or 1 ms if its JSON-LD is at its beginning. */
const BYTES = 500_000

/** What a piece may hold. */
export type PieceRoom = { isFull: (bytes?: number) => boolean; take: (record: AnyRecord) => void }

/** How often pieces of a run were killed one after the other. Failures of a source that is failing are those of reading it. */
const killsOf = ({ state, failures }: SourceRow): number => (state === 'failing' ? 0 : failures)

/**
 * The room of the next piece of a source. After a kill there is less, down to one event.
 *
 * @param mostRecords that it may have, whatever they are
 */
export function roomOf(source: SourceRow, mostRecords = RECORDS): PieceRoom {
  const kills = killsOf(source)
  const shift = 2 * Math.min(kills, 4)
  const most = Math.max(1, EVENTS >> shift)
  let [events, records, characters] = [0, 0, 0]
  return {
    isFull: (bytes = 0) =>
      events >= most ||
      records >= Math.min(mostRecords, kills > 0 ? most : RECORDS) ||
      characters > CHARACTERS ||
      bytes > BYTES >> shift,
    take: record => {
      records += 1
      if (record.kind === 'event') events += 1
      characters += recordLength(record)
    },
  }
}
