import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { inputValue, insertRows, jsonBatches } from '../../db/bulk.ts'
import { imports } from '../../db/schema.ts'
import { relatedStatements } from '../../resources/content/related/writes.ts'
import { writeStatements } from '../../resources/events/writes.ts'
import { ORGANIZERS } from '../../resources/organizers/resource.ts'
import { termStatements } from '../../resources/terms/statements.ts'
import { VENUES } from '../../resources/venues/resource.ts'
import { type ContentRecordKind, type RecordName, recordKey } from '../records.ts'
import type { Mapped, Planned, RowToWrite, Trashed } from './decisions.ts'

/** The statements that carry out decisions: one transaction, in an order in which each row comes after those it refers to. */
export function statementsFor(context: RequestContext, source: string, planned: readonly Planned[]): SQL[] {
  const contentOf = (wanted: ContentRecordKind): RowToWrite[] =>
    planned.flatMap(({ record: { kind }, content }) => (content && kind === wanted ? [content] : []))
  const trashed = planned.flatMap(one => one.trashed ?? [])
  return [
    ...forgetRecords(
      source,
      planned.flatMap(({ forgotten = [] }) => forgotten),
    ),
    // Occurrences that are over come before those that take their dates and slugs.
    ...trashStatements(context, trashed),
    ...writeStatements(context, { series: planned.flatMap(({ ended }) => ended ?? []) }),
    ...termStatements(
      context,
      planned.flatMap(({ term }) => term ?? []),
    ),
    ...relatedStatements(context, VENUES, contentOf('venue')),
    ...relatedStatements(context, ORGANIZERS, contentOf('organizer')),
    ...writeStatements(context, { series: contentOf('series'), events: contentOf('event') }),
    ...mappingStatements(source, [
      ...trashed.flatMap(({ mapped }) => mapped ?? []),
      ...planned.flatMap(({ renamed = [] }) => renamed),
      ...planned.flatMap(({ record, mapping }) => (mapping ? [{ ...record, mapping }] : [])),
    ]),
  ]
}

/** The statements that delete the mappings of records. */
export const forgetRecords = (source: string, names: readonly RecordName[]): SQL[] =>
  jsonBatches(names.map(([kind, externalId]) => ({ kind, externalId }))).map(
    json => sql`DELETE FROM ${imports} WHERE (source, kind, external_id) IN (
      SELECT ${source}, ${inputValue('kind')}, ${inputValue('externalId')} FROM json_each(${json}) AS input)`,
  )

/** The statements that move content to the trash. A later import can restore it. */
export function trashStatements(context: RequestContext, trashed: readonly Trashed[]): SQL[] {
  const contentOf = (wanted: Trashed['kind']) =>
    trashed.flatMap(({ kind, content }) => (kind === wanted ? [content] : []))
  return [
    ...writeStatements(context, { events: contentOf('event') }),
    ...relatedStatements(context, VENUES, contentOf('venue')),
    ...relatedStatements(context, ORGANIZERS, contentOf('organizer')),
  ]
}

/**
 * The statements that store the mappings of records to our rows; of several of one record the last. They fail if a new one has
 * been stored meanwhile: two imports of one source must not make its records twice.
 */
export function mappingStatements(source: string, mapped: readonly Mapped[]): SQL[] {
  const last = new Map(mapped.map(one => [recordKey(one.kind, one.externalId), one]))
  const { added, same, moved } = Object.groupBy(last.values(), ({ mapping: { target, storedTarget } }) => {
    if (storedTarget === undefined) return 'added'
    return storedTarget === target ? 'same' : 'moved'
  })
  const insertions = (some: readonly Mapped[] = []) =>
    insertRows(
      imports,
      some.map(({ kind, externalId: external_id, mapping: { target, hash, importedVersion } }) => ({
        source,
        kind,
        external_id,
        hash,
        target_id: target,
        imported_version: importedVersion,
      })),
    )
  const values = sql`hash = excluded.hash, imported_version = excluded.imported_version`
  const replacing = (some: readonly Mapped[] | undefined, assigned: SQL) =>
    insertions(some).map(insert => sql`${insert} WHERE true ON CONFLICT DO UPDATE SET ${assigned}`)
  return [
    ...insertions(added),
    // The target is in an index, which would be written as well.
    ...replacing(same, values),
    ...replacing(moved, sql`target_id = excluded.target_id, ${values}`),
  ]
}
