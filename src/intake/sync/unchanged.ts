import { sql } from 'drizzle-orm'
import type { Query } from '../../db/query.ts'
import type { Row } from '../../lib/connection.ts'
import type { Links } from '../../resources/events/imported.ts'
import type { AnyRecord, RecordKind } from '../records.ts'
import { leftAs, type Planned, type PlanOptions } from './decisions.ts'
import { hashOf } from './hashes.ts'
import { selectOf } from './lists.ts'
import { MAPPING } from './load.ts'
import { recordKey } from './names.ts'

/** A query of mappings with the versions of their rows, null for deleted ones. */
export const selectMapped = (source: string, keys: Iterable<readonly [RecordKind, string]>): Query<Row[]> =>
  selectOf(
    keys,
    list => sql`SELECT ${MAPPING}, CASE imports.kind
        WHEN 'event' THEN (SELECT version FROM events WHERE id = target_id)
        WHEN 'series' THEN (SELECT version FROM series WHERE id = target_id)
        WHEN 'venue' THEN (SELECT version FROM venues WHERE id = target_id)
        WHEN 'organizer' THEN (SELECT version FROM organizers WHERE id = target_id)
        ELSE (SELECT version FROM terms WHERE id = target_id) END AS version
      FROM ${list} AS given CROSS JOIN imports ON imports.source = ${source}
        AND imports.kind = (given.value ->> 0) AND imports.external_id = (given.value ->> 1)`,
  )

type Imported = {
  records: readonly AnyRecord[]
  mapped: readonly Row[]
  /** What events get beside what their source says. */
  own: Links
}

/** The series of an occurrence. */
const seriesNamed = (record: AnyRecord): string | undefined =>
  record.kind === 'event' ? record.occurrence?.series : undefined

/**
 * Finds the records that are as they were imported, of which nothing more is read. Others, and those of which it takes more to
 * tell, are left to {@link plan}.
 */
export async function unchangedAmong(
  { records, mapped, own }: Imported,
  { mirror }: Pick<PlanOptions, 'mirror'>,
): Promise<Map<AnyRecord, Planned>> {
  const known = new Map(mapped.map(row => [recordKey(row.kind, row.external_id), row]))
  const unchanged = new Map<AnyRecord, Planned>()
  for (const record of records) {
    const row = known.get(recordKey(record.kind, record.externalId))
    const series = seriesNamed(record)
    const holder = series === undefined ? undefined : known.get(recordKey('series', series))
    // Without a version, the row was deleted here. The parent of a chain is the first of its events.
    if (!row || row.version === null || ('chain' in record && record.chain !== undefined)) continue
    const isAdopted = row.imported_version === null
    const isAsImported = String(row.version) === row.imported_version
    // A mirror undoes edits, and a date of a series follows it again once edits have come to nothing.
    if (!isAdopted && !isAsImported && (mirror || series !== undefined)) continue
    const hash = isAdopted
      ? row.hash
      : await hashOf(record, {
          ...{ isKnown: () => true, own },
          series: holder && Number(holder.target_id),
        })
    if (hash === row.hash) unchanged.set(record, leftAs('unchanged', record, { id: Number(row.target_id) }))
  }
  return unchanged
}
