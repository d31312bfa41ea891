import type { RequestContext } from '../../context.ts'
import { restUrl } from '../../context.ts'
import { together } from '../../db/query.ts'
import { idOf } from '../../http/input.ts'
import { defineList } from '../../http/lists.ts'
import { created, LOCATION, one } from '../../http/reply.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { assertConditions } from '../../lib/precondition.ts'
import {
  assertSource,
  type SourceRow,
  selectRunPage,
  selectSourcePage,
  sourceById,
  sourceCount,
} from './queries.ts'
import { deletion, runSchema, sourceFields, sourceList, sourceSchema } from './schema.ts'
import { serializeRun, serializeSource } from './serialize.ts'
import { deleteSource, namedBy, prepareSource, writeSource } from './writes.ts'

export const requires = 'manage_sources'
export const NO_SOURCE = 'rest-source-not-found'
const NO_PAGE = 'source-archive-page-not-found'

const list = defineList({
  id: 'SourceList',
  plural: 'sources',
  item: sourceSchema,
  params: sourceList,
  requires,
  isUncached: true,
  noPage: NO_PAGE,
  select: (_, { page }) => selectSourcePage(page),
  serialize: (context, rows) => rows.map(row => serializeSource(row, context)),
})

const shown = (row: SourceRow, context: RequestContext) => ({
  body: serializeSource(row, context),
  version: row.version,
})

const create = defineRoute({
  methods: ['POST'],
  path: '/sources',
  summary: 'Add a calendar to be read on a schedule',
  requires,
  body: sourceFields,
  complete: true,
  responses: { 201: sourceSchema },
  headers: LOCATION,
  errors: ['sources-are-too-many'],
  load: (context, { body }) => together({ count: sourceCount, named: namedBy(context, body) }),
  prepare: (context, { count, named }, { body: values }, errors) =>
    prepareSource(context, { values, count, named }, errors),
  handle: async (context, { prepared }) => {
    const row = await writeSource(context, prepared)
    return created(shown(row, context), restUrl(context, 'sources', row.id))
  },
})

const read = defineRoute({
  methods: ['GET'],
  path: '/sources/{id}',
  summary: 'Read one source',
  requires,
  isUncached: true,
  responses: { 200: sourceSchema },
  errors: [NO_SOURCE],
  load: (_, { key }) => sourceById(idOf(key)),
  prepare: (_, row) => assertSource(row),
  handle: (context, { prepared }) => one(shown(prepared, context)),
})

const change = defineRoute({
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/sources/{id}',
  summary: 'Update one source',
  requires,
  body: sourceFields,
  responses: { 200: sourceSchema },
  errors: [NO_SOURCE],
  load: (context, { key, body }) => together({ row: sourceById(idOf(key)), named: namedBy(context, body) }),
  prepare: (context, { row, named }, { body: values }, errors) => {
    const stored = assertConditions(context, assertSource(row))
    return prepareSource(context, { values, stored, count: 0, named }, errors)
  },
  handle: async (context, { prepared }) => one(shown(await writeSource(context, prepared), context)),
})

const remove = defineRoute({
  methods: ['DELETE'],
  path: '/sources/{id}',
  summary: 'Delete one source; its events stay, or go to the trash',
  requires,
  query: deletion,
  responses: { 200: sourceSchema },
  errors: [NO_SOURCE],
  load: (_, { key }) => sourceById(idOf(key)),
  prepare: (context, row) => assertConditions(context, assertSource(row)),
  handle: async (context, { prepared: row, query: { events } }) => {
    await deleteSource(context, row, events === 'trash')
    return one(shown(row, context))
  },
})

const runs = defineList({
  id: 'SourceRunList',
  plural: 'runs',
  path: '/sources/{id}/runs',
  summary: 'List the runs of one source, the newest first',
  item: runSchema,
  params: sourceList,
  requires,
  isUncached: true,
  noPage: NO_PAGE,
  errors: [NO_SOURCE],
  of: { byId: sourceById, assert: assertSource },
  select: (_, { key, page }) => selectRunPage(idOf(key), page),
  serialize: (_, rows) => rows.map(serializeRun),
})

/** The routes of sources, but for those that read them (src/intake/routes.ts). */
export const sourceRoutes: Route[] = [list, create, read, change, remove, runs]
