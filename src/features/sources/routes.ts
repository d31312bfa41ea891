import { idOf } from '../../http/input.ts'
import { defineList, plainList } from '../../http/lists.ts'
import type { Route } from '../../http/route.ts'
import { managedRoutes } from '../../resources/content/managed.ts'
import { sourceById } from '../../resources/sources/queries.ts'
import { deletion, runSchema, sourceFields, sourceSchema } from '../../resources/sources/schema.ts'
import { assertSource, selectRunPage, selectSourcePage, sourceCount } from './queries.ts'
import { serializeRun, serializeSource } from './serialize.ts'
import { deleteSource, MOST_SOURCES, namedBy, prepareSource, writeSource } from './writes.ts'

const requires = 'manage_sources'

const { routes, ofOne } = managedRoutes({
  singular: 'source',
  id: 'Source',
  item: sourceSchema,
  fields: sourceFields,
  requires,
  most: MOST_SOURCES,
  summaries: {
    create: 'Add a calendar to be read on a schedule',
    remove: 'Delete one source; its events stay, or go to the trash',
  },
  removal: deletion,
  count: sourceCount,
  selectPage: selectSourcePage,
  byId: sourceById,
  assert: assertSource,
  serialize: serializeSource,
  needs: namedBy,
  prepare: prepareSource,
  write: async (context, prepared) => ({ row: await writeSource(context, prepared) }),
  remove: (context, row, { events }) => deleteSource(context, row, events === 'trash'),
})

/** The parts of a route about one source. */
export const ofOneSource = ofOne

const runs = defineList({
  id: 'SourceRunList',
  plural: 'runs',
  path: '/sources/{id}/runs',
  summary: 'List the runs of one source, the newest first',
  item: runSchema,
  params: plainList,
  requires,
  isUncached: true,
  noPage: 'source-archive-page-not-found',
  errors: ofOne.errors,
  of: { byId: sourceById, assert: assertSource },
  select: (_, { key, page }) => selectRunPage(idOf(key), page),
  serialize: (_, rows) => rows.map(serializeRun),
})

/** The routes of sources, but for those that read them (src/intake/routes.ts). */
export const sourceRoutes: Route[] = [...routes, runs]
