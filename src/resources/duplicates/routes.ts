import { firstOf } from '../../db/query.ts'
import { idOf } from '../../http/input.ts'
import { defineList } from '../../http/lists.ts'
import { ok, one, SHORTENED } from '../../http/reply.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { codesOf } from '../content/kind.ts'
import { editable, hasKey, writtenBody } from '../content/single.ts'
import { EVENTS } from '../events/kind.ts'
import { decideTwins, separate } from './decide.ts'
import { assertDuplicate, duplicateById, selectDuplicatePage, serializeDuplicate } from './queries.ts'
import { decisionFields, duplicateList, duplicateSchema } from './schema.ts'

const requires = 'manage_sources'
const codes = codesOf('event')

const list = defineList({
  id: 'DuplicateList',
  plural: 'duplicates',
  item: duplicateSchema,
  params: duplicateList,
  requires,
  isUncached: true,
  noPage: 'duplicate-archive-page-not-found',
  select: selectDuplicatePage,
  serialize: (context, rows) => rows.map(row => serializeDuplicate(row, context)),
})

const decision = defineRoute({
  methods: ['POST'],
  path: '/duplicates/{id}',
  summary: 'Say if two events are the same, or that they are not',
  requires,
  body: decisionFields,
  complete: true,
  responses: { 200: duplicateSchema },
  errors: ['rest-duplicate-not-found'],
  load: (context, { key }) => duplicateById(context, idOf(key)),
  prepare: (_, row, { body: { same = false } }) => ({ pair: assertDuplicate(row).pair, isSame: same }),
  handle: async (context, { prepared: { pair, isSame } }) => {
    await decideTwins(context, pair, isSame)
    return ok(
      serializeDuplicate(assertDuplicate(await context.db.get(duplicateById(context, pair.id))), context),
    )
  },
})

const separation = defineRoute({
  methods: ['POST'],
  path: '/events/{id}/separate',
  summary: 'Take one event apart from those that were joined with it',
  requires,
  responses: { 200: EVENTS.response },
  headers: SHORTENED,
  errors: [codes.notFound],
  load: (context, { key }) => firstOf(EVENTS.select(context, hasKey(EVENTS.table, key))),
  prepare: (context, row, { key }) => editable(context, { kind: EVENTS, row, key }),
  handle: async (context, { prepared: { id }, key }) => {
    await separate(context, id)
    const [row] = await context.db.get(EVENTS.select(context, hasKey(EVENTS.table, key)))
    return one(writtenBody(context, { kind: EVENTS, row }))
  },
})

/** The routes of events that are the same as others. */
export const twinRoutes: Route[] = [list, decision, separation]
