import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { given, insertRows, jsonPieces } from '../../db/bulk.ts'
import { imports } from '../../db/schema.ts'
import { relatedStatements } from '../../resources/content/related/writes.ts'
import { writeStatements } from '../../resources/events/statements.ts'
import { ORGANIZERS } from '../../resources/organizers/resource.ts'
import { termStatements } from '../../resources/terms/statements.ts'
import { VENUES } from '../../resources/venues/resource.ts'
import { type ContentRecordKind, importKey, type RecordKind } from '../records.ts'
import type { Planned, RowToWrite, Trashed } from './decisions.ts'
import type { Mapping, State } from './state.ts'

/** The statements that carry out decisions: one transaction, in an order in which each row comes after those it refers to. */
export function statementsFor(
  context: RequestContext,
  planned: readonly Planned[],
  { stored }: Pick<State, 'stored'>,
): SQL[] {
  const contentOf = (wanted: ContentRecordKind): RowToWrite[] =>
    planned.flatMap(({ record: { kind }, content }) => (content && kind === wanted ? [content] : []))
  const renamed = planned.flatMap(one => one.renamed ?? [])
  const ended = planned.filter(one => one.ended)
  return [
    // Occurrences that are over come before those that take their dates and slugs.
    ...forgetOrigins([
      ...renamed.flatMap(({ before, ...one }) =>
        before === undefined ? [] : [{ ...one, externalId: before }],
      ),
      // The series under whose external id there is a single event now.
      ...ended.map(({ record }) => ({ ...record, kind: 'series' as const })),
    ]),
    ...trashStatements(
      context,
      planned.flatMap(({ trashed = [] }) => trashed),
    ),
    ...writeStatements(context, { series: planned.flatMap(one => one.ended ?? []) }),
    ...termStatements(
      context,
      planned.flatMap(({ term }) => term ?? []),
    ),
    ...relatedStatements(context, VENUES, contentOf('venue')),
    ...relatedStatements(context, ORGANIZERS, contentOf('organizer')),
    ...writeStatements(context, { series: contentOf('series'), events: contentOf('event') }),
    ...mappingStatements(
      [...renamed, ...planned.flatMap(({ record, mapping }) => (mapping ? [{ ...record, mapping }] : []))],
      ({ source, kind, externalId }) => stored.get(importKey(source, kind, externalId)),
    ),
  ]
}

type Origin = { source: string; kind: RecordKind; externalId: string }
type Mapped = Origin & { mapping: Mapping }

/** The statements that delete mappings. */
export const forgetOrigins = (mapped: readonly Origin[]): SQL[] =>
  jsonPieces(mapped.map(({ source, kind, externalId }) => ({ source, kind, externalId }))).map(
    json => sql`DELETE FROM ${imports} WHERE (source, kind, external_id) IN (
      SELECT ${given('source')}, ${given('kind')}, ${given('externalId')} FROM json_each(${json}) AS given)`,
  )

/** The statements that move content to the trash. A later import can restore it. */
export function trashStatements(context: RequestContext, trashed: readonly Trashed[]): SQL[] {
  const contentOf = (wanted: Trashed['kind']) =>
    trashed.flatMap(({ kind, content }) => (kind === wanted ? [content] : []))
  return [
    ...writeStatements(context, { events: contentOf('event') }),
    ...relatedStatements(context, VENUES, contentOf('venue')),
    ...relatedStatements(context, ORGANIZERS, contentOf('organizer')),
    ...mappingStatements(
      trashed.flatMap(({ externalId, ...one }) => (externalId === undefined ? [] : [{ ...one, externalId }])),
    ),
  ]
}

/**
 * The statements that store the mappings of records to our rows. They fail if a new one has been stored meanwhile: two imports
 * of one source must not make its records twice.
 */
function mappingStatements(
  mapped: readonly Mapped[],
  storedTarget: (mapped: Mapped) => number | undefined = ({ mapping }) => mapping.target,
): SQL[] {
  const rowOf = ({ source, kind, externalId: external_id, mapping }: Mapped) => ({
    ...{ source, kind, external_id, hash: mapping.hash },
    ...{ target_id: mapping.target, imported_version: mapping.importedVersion },
  })
  // A record that was renamed before is there twice: the latter counts.
  const last = new Map(mapped.map(one => [importKey(one.source, one.kind, one.externalId), one]))
  const {
    added = [],
    same = [],
    moved = [],
  } = Object.groupBy(last.values(), one => {
    const target = storedTarget(one)
    if (target === undefined) return 'added'
    return target === one.mapping.target ? 'same' : 'moved'
  })
  const values = sql`hash = excluded.hash, imported_version = excluded.imported_version`
  const replacing = (some: readonly Mapped[], assigned: SQL) =>
    insertRows(imports, some.map(rowOf)).map(
      insert => sql`${insert} WHERE true ON CONFLICT DO UPDATE SET ${assigned}`,
    )
  return [
    ...insertRows(imports, added.map(rowOf)),
    // The target is in an index, which would be written as well.
    ...replacing(same, values),
    ...replacing(moved, sql`target_id = excluded.target_id, ${values}`),
  ]
}
