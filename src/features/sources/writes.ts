import { and, eq, exists, gte, inArray, not, type SQL, sql } from 'drizzle-orm'
import { changesRow } from '../../calendar/content/changed-values.ts'
import { storedColumns } from '../../calendar/content/fields.ts'
import { readableSql } from '../../calendar/content/visibility.ts'
import {
  type ReferencedByRelations,
  type Relations,
  type ResolvedTerms,
  resolveRelations,
  selectReferencedByRelations,
} from '../../calendar/events/relations/fields.ts'
import { type SourceRow, selectSourceById } from '../../calendar/imports/source.ts'
import { SOURCE_FIELDS, type SourceFields } from '../../calendar/imports/source-schema.ts'
import { nameKey } from '../../calendar/terms/resource.ts'
import { namedTerms, termStatements } from '../../calendar/terms/statements.ts'
import type { BaseContext } from '../../kit/context.ts'
import { insertedId, recorded } from '../../kit/db/audit.ts'
import { newestId } from '../../kit/db/bulk.ts'
import { latestChange, revision } from '../../kit/db/derived.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { combineQueries, inList, type Query, type Statement } from '../../kit/db/query.ts'
import { byId, reportUnknown, selectUnknownValues, type UnknownValues } from '../../kit/db/references.ts'
import { asOneChange, build } from '../../kit/db/statements.ts'
import {
  importSource,
  imports,
  organizers,
  sourceDocuments,
  sourcePages,
  sourceRuns,
  sources,
  type Taxonomy,
  terms,
  twins,
  twinsPosition,
  users,
  venues,
} from '../../kit/db/tables.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { checkHost } from '../../kit/lib/network.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import { rolesWith } from '../../kit/lib/roles.ts'
import { addDays, formatInstant } from '../../kit/lib/time.ts'
import { presentSources, requireSource } from './queries.ts'
import { fileReadingOf } from './serialize.ts'

export type CalendarPlace = Pick<BaseContext, 'settings' | 'site' | 'api'>

/**
 * True if an address belongs to this calendar, whatever its scheme. Without a setting for it, the cron
 * doesn't know the calendar's own address.
 */
export function isOwnUrl({ settings, site, api }: CalendarPlace, address: string | null): boolean {
  if (address === null || !URL.canParse(address)) return false
  const { host, pathname } = new URL(address)
  return (
    [site, api].some(address => new URL(address).host === host) &&
    (settings.website.isOn || settings.namespaces.some(path => `${pathname}/`.startsWith(`/${path}/`)))
  )
}

/** The most sources: each costs the cron requests and statements. */
export const MAX_SOURCES = 200

type SourceValues = Partial<SourceFields>

/** The existing terms that a source names, and its unknown venue or organizer. */
type ReferencedBySource = { relations: ReferencedByRelations; unknown: UnknownValues[] }

/** A query for the terms, venue and organizer that a source names. */
export const selectNamedBySource = (
  context: BaseContext,
  { categories = [], tags = [], organizer, venue }: SourceValues,
): Query<ReferencedBySource> =>
  combineQueries({
    relations: selectReferencedByRelations(context, [{ categories, tags }]),
    unknown: selectUnknownValues([
      byId(
        'organizer',
        'organizer',
        organizer ? [organizer] : [],
        organizers,
        readableSql(organizers, context),
      ),
      byId('venue', 'venue', venue ? [venue] : [], venues, readableSql(venues, context)),
    ]),
  })

/** Adds an error for an address that visibly leads into a private network, or to this calendar. */
export function checkUrl(context: BaseContext, url: string | undefined, errors: ValidationErrors): void {
  if (url === undefined) return
  checkHost(context.settings, url, errors)
  if (isOwnUrl(context, url))
    errors.add('url', codedReason('source_itself', 'must not be this calendar itself'))
}

type PreparedSource = {
  stored: SourceRow | undefined
  values: SourceValues
  terms: Pick<Relations, 'categories' | 'tags'>
  fields: string[]
}

type SourceInput = {
  values: SourceValues
  fields: string[]
  stored: SourceRow | undefined
  needed: ReferencedBySource
}

/** Prepares the write of a source, or adds errors. */
export function prepareSource(
  context: BaseContext,
  { values, fields, stored, needed: { relations, unknown } }: SourceInput,
  errors: ValidationErrors,
): PreparedSource {
  checkUrl(context, values.url, errors)
  // A file cannot change: users upload another one.
  for (const name of stored?.file ? (['url', 'kind', 'every', 'mirror'] as const) : [])
    if (values[name]) errors.add(name, 'must not be given for uploaded files')
  reportUnknown(errors, unknown)
  const { categories, tags } = values
  const choices = { ...(categories && { categories }), ...(tags && { tags }) }
  const sourceTerms = resolveRelations(context, { values: choices, referencedRows: relations }, errors)
  return { stored, values, terms: sourceTerms, fields }
}

/** The ids of terms as JSON. New terms are looked up by name, once they have been inserted. */
function storedTermIds(
  taxonomy: Taxonomy,
  resolvedTerms: ResolvedTerms | undefined,
): string | SQL | undefined {
  if (!resolvedTerms) return undefined
  const ids = JSON.stringify([...new Set(resolvedTerms.ids)])
  if (resolvedTerms.names.length === 0) return ids
  const keys = inList([...new Set(resolvedTerms.names.map(nameKey))])
  return sql`(SELECT json_group_array(id) FROM (SELECT value AS id FROM json_each(${ids})
    UNION ALL SELECT id FROM ${terms} WHERE taxonomy = ${taxonomy} AND name_key IN ${keys}))`
}

/** The statements that insert the new terms that a source names, which its events will have. */
function newTermStatements(context: BaseContext, { terms: { categories, tags } }: PreparedSource): SQL[] {
  return termStatements(context, [
    ...namedTerms(context, { taxonomy: 'event_category', names: categories?.names ?? [], standalone: true }),
    ...namedTerms(context, { taxonomy: 'event_tag', names: tags?.names ?? [], standalone: true }),
  ])
}

const sourceColumnsOf = storedColumns(SOURCE_FIELDS, sources)

/** The fields that don't affect the events of a source. */
const FIELDS_NOT_ABOUT_EVENTS = ['name', 'url', 'every', 'rights', 'state']

function givenColumns({ values, stored, terms: { categories, tags } }: PreparedSource) {
  const { kind, organizer, venue, rights, state, reading } = values
  return {
    ...sourceColumnsOf(values),
    kind,
    categories: storedTermIds('event_category', categories),
    tags: storedTermIds('event_tag', tags),
    organizer: organizer === undefined ? undefined : organizer || null,
    venue: venue === undefined ? undefined : venue || null,
    rights_text: rights?.text,
    rights_url: rights?.url,
    reading: reading && JSON.stringify({ host: stored && fileReadingOf(stored).host, ...reading }),
    state,
  }
}

const RESTART = { etag: '', last_modified: '', place: 0, refused_within: 0 } as const

function sourceColumns(context: BaseContext, prepared: PreparedSource) {
  const { values, stored, fields } = prepared
  const { url, every, kind, state } = values
  const hasNewUrl = stored !== undefined && url !== undefined && url !== stored.url
  const isResumed = state === 'ok' && stored !== undefined && stored.state !== 'ok'
  // Validators of the former address mean nothing for a new one, and changed settings change events even if
  // the document is unchanged.
  const isReadAnew = hasNewUrl || (stored && fields.some(field => !FIELDS_NOT_ABOUT_EVENTS.includes(field)))
  return {
    ...givenColumns(prepared),
    kind: kind ?? (hasNewUrl ? ('' as const) : undefined),
    ...((isReadAnew || isResumed) && RESTART),
    // Resuming a paused source answers no question.
    ...((hasNewUrl || (isResumed && stored.state === 'asking')) && { events: 0 }),
    ...(state !== undefined && { message: '', code: '' as const, failures: 0 }),
    ...((hasNewUrl || isResumed || (every !== undefined && every !== '')) && {
      next_run_utc: context.clock.now(),
    }),
    // After a day, the rest of a file is deleted, unless somebody resumes its import.
    ...(stored?.file && state === 'paused' && { next_run_utc: addDays(context.clock.now(), 1) }),
    // A run under way continues to its end.
    ...(every === '' && stored && stored.every !== every && { next_run_utc: nextIfRunning(stored.id) }),
  }
}

/** The time of the next batch of a run under way; null if there is none. */
const nextIfRunning = (id: number): SQL =>
  sql`iif(EXISTS (SELECT 1 FROM ${sourceRuns} WHERE source_id = ${id} AND state = 'running'), ${sources.next_run_utc}, NULL)`

/**
 * The statement that starts duplicate detection when the first source is added. Older events are compared
 * with those of the source, but not with each other: years of events would keep the cron busy for days.
 */
export const skippingOfOlderEvents = build
  .update(twinsPosition)
  .set({
    id: 0,
    public_n: sql`(SELECT public_change_number FROM ${revision})`,
    n: sql`1 + ${latestChange(sql`'events'`)}`,
  })
  .where(sql`(SELECT count(*) FROM ${sources}) = 1`)

/** Creates or changes a source. @returns the row afterwards */
export async function writeSource(context: BaseContext, prepared: PreparedSource): Promise<SourceRow> {
  const { stored, fields } = prepared
  if (stored)
    return requireSource(
      await context.db.write(updateStatements(context, stored, prepared), selectSourceById(stored.id)),
    )
  const columns = sourceColumns(context, prepared)
  const interval = columns.every ?? 'day'
  return requireSource(
    await context.db.write(
      [
        ...newTermStatements(context, prepared),
        ...recorded(
          context,
          build.insert(sources).values({
            ...columns,
            name: columns.name ?? '',
            url: columns.url ?? '',
            kind: columns.kind ?? '',
            every: interval,
            status: columns.status ?? 'publish',
            author_id: context.caller.id,
            created_utc: context.clock.now(),
            // A new source comes before all others, because somebody is waiting for it.
            served_utc: formatInstant(0),
            next_run_utc: interval === '' ? null : context.clock.now(),
          }),
          { action: 'create', kind: 'source', fields, id: insertedId },
        ),
        conflictIf(sql`(SELECT count(*) FROM ${presentSources}) > ${MAX_SOURCES}`),
        skippingOfOlderEvents,
      ],
      selectSourceById(newestId(sources)),
    ),
  )
}

/**
 * The statements that change a source. If its owner may no longer have sources, it passes to the user who
 * changes it.
 */
function updateStatements(context: BaseContext, stored: SourceRow, prepared: PreparedSource): Statement[] {
  const { id, version } = stored
  const { fields } = prepared
  const ownedSql = exists(
    build
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, sources.author_id), inArray(users.role, rolesWith('manage_sources')))),
  )
  const owner = sql`iif(${ownedSql}, ${sources.author_id}, ${context.caller.id})`
  const entry = { action: 'update', kind: 'source', fields, id } as const
  const ownership = { author_id: owner, version: version + 1 }
  const addedTerms = newTermStatements(context, prepared)
  if (addedTerms.length === 0 && !changesRow({ stored, columns: givenColumns(prepared) }))
    return recorded(
      context,
      build
        .update(sources)
        .set(ownership)
        .where(and(eq(sources.id, id), not(ownedSql))),
      entry,
    )
  const columns = sourceColumns(context, prepared)
  return asOneChange([
    ...addedTerms,
    ...recorded(
      context,
      build
        .update(sources)
        .set({ ...columns, ...ownership })
        .where(eq(sources.id, id)),
      entry,
    ),
    ...(columns.place === 0 ? [pageRemovalStatement(id)] : []),
    // A paused run starts over.
    ...(columns.place === 0 || columns.state === 'paused' ? [stagedRemovalStatement(id)] : []),
  ])
}

const pageRemovalStatement = (id: number): Statement =>
  build.delete(sourcePages).where(eq(sourcePages.source_id, id))

/** The statement that deletes a source's staged records, but not its uploaded file. */
export const stagedRemovalStatement = (id: number): Statement =>
  build.delete(sourceDocuments).where(and(eq(sourceDocuments.source_id, id), gte(sourceDocuments.place, -1)))

/** The statement that deletes a source's staged records and uploaded file. */
export const documentRemovalStatement = (id: number | SQL): Statement =>
  build.delete(sourceDocuments).where(eq(sourceDocuments.source_id, id))

/** The statements that delete a source. Its content stays, without a source. */
export const sourceRemovalStatements = (id: number): Statement[] => [
  build.delete(sourceRuns).where(eq(sourceRuns.source_id, id)),
  // Editors get no questions about two events of this calendar itself.
  build.delete(twins).where(
    sql`state = 'asked' AND id IN (SELECT ${twins.id} FROM ${imports}
    CROSS JOIN ${twins} ON first_id = target_id OR second_id = target_id
    WHERE ${imports.source} = ${importSource(id)} AND kind = 'event')`,
  ),
  pageRemovalStatement(id),
  documentRemovalStatement(id),
  build.delete(imports).where(eq(imports.source, importSource(id))),
  build.delete(sources).where(eq(sources.id, id)),
]

/**
 * Deletes a source.
 * @param input.trashesEvents true if its events go to the trash: the cron does that, and then deletes the
 *   source
 */
export const deleteSource = (
  context: BaseContext,
  { id, version, name, url }: SourceRow,
  { trashesEvents }: { trashesEvents: boolean },
): Promise<void> =>
  context.db.write(
    asOneChange([
      ...recorded(
        context,
        // Fails if the source was changed since it was read.
        build
          .update(sources)
          .set({
            version: version + 1,
            ...(trashesEvents && { is_being_deleted: true, next_run_utc: context.clock.now(), lease: '' }),
          })
          .where(eq(sources.id, id)),
        // The name and the address are kept for somebody who wants to add the source again: once it is
        // deleted, no row has them any more.
        {
          action: 'delete',
          kind: 'source',
          changed: { name: [name, null], ...(url && { url: [url, null] }) },
          id,
        },
      ),
      ...(trashesEvents ? [] : sourceRemovalStatements(id)),
    ]),
  )
