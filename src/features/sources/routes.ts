import { and, eq, sql } from 'drizzle-orm'
import { selectSourceById } from '../../calendar/imports/source.ts'
import {
  deletionParams,
  fileFields,
  filePreviewFields,
  filePreviewSchema,
  previewFields,
  previewSchema,
  runSchema,
  sourceFields,
  sourceSchema,
} from '../../calendar/imports/source-schema.ts'
import type { BaseContext } from '../../kit/context.ts'
import { recorded } from '../../kit/db/audit.ts'
import { combineQueries, resolvedQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { sourceRuns, sources } from '../../kit/db/tables.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { plainList } from '../../kit/http/lists.ts'
import { defineManaged } from '../../kit/http/managed-resource.ts'
import { createdReply, LOCATION, ok } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { toEpoch } from '../../kit/lib/time.ts'
import {
  requireSource,
  selectNewestRun,
  selectRunPage,
  selectSourceCount,
  selectSourcePage,
} from './queries.ts'
import { kindOfFile } from './schedule/file-records.ts'
import { previewCalendar, previewFile } from './schedule/preview.ts'
import { readSources } from './schedule/run.ts'
import { serializeRun, serializeSource } from './serialize.ts'
import { isFileSpaceFull, selectFileRowCount, selectSourceOfFile, storeFile } from './stored-files.ts'
import {
  checkUrl,
  deleteSource,
  MAX_SOURCES,
  prepareSource,
  selectNamedBySource,
  writeSource,
} from './writes.ts'

export const managedSources = defineManaged({
  singular: 'source',
  id: 'Source',
  item: sourceSchema,
  fields: sourceFields,
  requires: 'manage_sources',
  limit: MAX_SOURCES,
  tooMany: 'sources-are-too-many',
  notFound: 'rest-source-not-found',
  noPage: 'source-archive-page-not-found',
  summaries: {
    create: 'Add a calendar to be read on a schedule',
    remove: 'Delete one source; its events stay, or go to the trash',
  },
  removal: deletionParams,
  selectCount: selectSourceCount,
  selectPage: selectSourcePage,
  selectById: selectSourceById,
  requireRow: requireSource,
  serialize: serializeSource,
  selectNeeded: selectNamedBySource,
  prepare: prepareSource,
  write: async (context, prepared) => ({ row: await writeSource(context, prepared) }),
  remove: async (context, row, { events }) => {
    const trashesEvents = events === 'trash'
    await deleteSource(context, row, { trashesEvents })
    // Until they are in the trash, the events stay public without their source.
    if (trashesEvents) await workOn(context, row.id)
  },
})

const { requires, routes, ofOne, listOfOne } = managedSources

const runs = listOfOne({
  id: 'SourceRunList',
  plural: 'runs',
  summary: 'List the runs of one source, the newest first',
  item: runSchema,
  params: plainList,
  noPage: 'source-archive-page-not-found',
  select: (id, { page }) => selectRunPage(id, page),
  serialize: (_, rows) => rows.map(serializeRun),
})

/** Reads a source, undoes its import or clears its events away, as far as one request may. */
const workOn = ({ db, settings, clock }: BaseContext, id: number): Promise<void> =>
  readSources({ db, settings, nowMs: toEpoch(clock.now()), onlyId: id })

/** Reads a source as far as one request may. @returns the response with its newest run @throws ApiError */
async function readNow(context: BaseContext, id: number) {
  await workOn(context, id)
  const run = await context.db.read(selectNewestRun(id))
  // Another invocation has reserved the source, but has not written anything yet.
  if (!run)
    throw new ApiError('rest_source_being_read', 'The source is being read: see its runs.', {
      retry_after: 5,
    })
  return { status: 202 as const, body: serializeRun(run) }
}

const sync = defineWrite({
  ...ofOne,
  methods: ['POST'],
  path: '/sources/{id}/sync',
  summary: 'Read one source now, as far as one request can; the cron does the rest',
  asksElsewhere: true,
  errors: [...ofOne.errors, 'rest_source_being_read'],
  responses: { 202: runSchema },
  handle: async (context, { prepared: { id } }) => {
    await context.db.write([
      build
        .update(sources)
        .set({ next_run_utc: context.clock.now() })
        .where(and(eq(sources.id, id), eq(sources.is_being_deleted, false))),
    ])
    return readNow(context, id)
  },
})

const preview = defineWrite({
  methods: ['POST'],
  path: '/sources/preview',
  summary: 'Look at an address: what is there, and its next twelve events. Nothing is written',
  requires,
  asksElsewhere: true,
  body: previewFields,
  complete: true,
  responses: { 200: previewSchema },
  prepare: (context, _, { body: { url = '' } }, errors) => {
    checkUrl(context, url || undefined, errors)
    return url
  },
  handle: async (context, { prepared: url }) => ok(await previewCalendar(context, url)),
})

const upload = defineWrite({
  methods: ['POST'],
  path: '/sources/files',
  summary:
    'Upload a CSV or iCalendar file, or a saved page, which becomes a paused source; one of the same name is replaced',
  requires,
  body: fileFields,
  complete: true,
  responses: { 201: sourceSchema },
  headers: LOCATION,
  errors: ['sources-are-too-many'],
  load: (_, { body: { file } }) =>
    combineQueries({
      count: selectSourceCount,
      rows: selectFileRowCount,
      stored: file ? selectSourceOfFile(file) : resolvedQuery(undefined),
    }),
  prepare: (_, { count, rows, stored }) => {
    if ((!stored && count >= MAX_SOURCES) || isFileSpaceFull(rows))
      throw new ApiError('sources-are-too-many', 'There are too many sources or files already.')
    return stored
  },
  handle: async (context, { prepared: storedSource, body: { file } }) => {
    const row = await storeFile(context, { file, stored: storedSource, kind: kindOfFile(file) })
    const body = serializeSource(row, context)
    return createdReply({ body, version: row.version }, body.rest_url)
  },
})

const filePreview = defineWrite({
  ...ofOne,
  methods: ['POST'],
  path: '/sources/{id}/preview',
  summary: 'Look at an uploaded file: its columns, its events, and what cannot be read. Nothing is written',
  body: filePreviewFields,
  responses: { 200: filePreviewSchema },
  handle: async (context, { prepared: source, body: { page = 1 } }) => {
    const shownFile = await previewFile(context, source, page)
    if (!shownFile) throw new ApiError('rest-source-not-found', 'No file is waiting to be imported there.')
    return ok(shownFile)
  },
})

const undo = defineWrite({
  ...ofOne,
  methods: ['POST'],
  path: '/sources/{id}/undo',
  summary:
    'Undo the last import of an uploaded file: the events that it added go to the trash unless they were edited since, and so does what it made for these alone',
  asksElsewhere: true,
  errors: [...ofOne.errors, 'rest_source_being_read'],
  responses: { 202: runSchema },
  prepare: (context, row) => {
    const source = ofOne.prepare(context, row)
    if (source.file === '')
      throw new ApiError('rest-source-not-found', 'There is no import of a file that can be undone.')
    return source
  },
  handle: async (context, { prepared: { id } }) => {
    const lastRun = sql`(SELECT max(id) FROM ${sourceRuns} WHERE source_id = ${id} AND state <> 'running')`
    await context.db.write(
      recorded(
        context,
        build
          .update(sources)
          .set({ undoing: lastRun, next_run_utc: context.clock.now() })
          .where(and(eq(sources.id, id), eq(sources.is_being_deleted, false), sql`${lastRun} IS NOT NULL`)),
        { action: 'update', kind: 'source', fields: ['undoing'], id },
      ),
    )
    return readNow(context, id)
  },
})

export const sourceRoutes: Route[] = [preview, upload, filePreview, undo, sync, ...routes, runs]
