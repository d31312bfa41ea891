import { type AnyRecord, recordLength } from '../../../calendar/imports/records.ts'
import type { SourceRow } from '../../../calendar/sources/queries.ts'
import { SOURCE_WORK } from '../budgets.ts'

export type BatchRoom = { isFull: (bytes?: number) => boolean; take: (record: AnyRecord) => void }

/** The number of successive batches that were killed. If the source is failing, its failures are those of reading it. */
export const killsOf = ({ state, failures }: SourceRow): number => (state === 'failing' ? 0 : failures)

/** The room in the next batch of a source. After a kill there is less, down to one event. */
export function roomOf(source: SourceRow): BatchRoom {
  const kills = killsOf(source)
  const shift = 2 * Math.min(kills, 4)
  const most = Math.max(1, SOURCE_WORK.events >> shift)
  let [events, records, characters] = [0, 0, 0]
  return {
    isFull: (bytes = 0) =>
      events >= most ||
      records >= (kills > 0 ? most : SOURCE_WORK.records) ||
      characters > SOURCE_WORK.characters ||
      bytes > SOURCE_WORK.bytes >> shift,
    take: record => {
      records += 1
      if (record.kind === 'event') events += 1
      characters += recordLength(record)
    },
  }
}

/** The first records, as many as there is room for. */
export function recordsThatFit(records: Iterable<AnyRecord>, room: BatchRoom): AnyRecord[] {
  const fitting: AnyRecord[] = []
  for (const record of records) {
    if (room.isFull()) break
    room.take(record)
    fitting.push(record)
  }
  return fitting
}
