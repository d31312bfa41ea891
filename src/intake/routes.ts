import { and, eq } from 'drizzle-orm'
import { sources } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { ok } from '../http/reply.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { ApiError } from '../lib/errors.ts'
import { toEpoch } from '../lib/time.ts'
import { newestRun } from '../resources/sources/queries.ts'
import { ofOneSource } from '../resources/sources/routes.ts'
import { previewFields, previewSchema, runSchema } from '../resources/sources/schema.ts'
import { serializeRun } from '../resources/sources/serialize.ts'
import { checkUrl } from '../resources/sources/writes.ts'
import { previewOf, readSources } from './schedule/run.ts'

const sync = defineRoute({
  ...ofOneSource,
  methods: ['POST'],
  path: '/sources/{id}/sync',
  summary: 'Read one source now, as far as one request may; the cron does the rest',
  asksElsewhere: true,
  responses: { 202: runSchema },
  handle: async (context, { prepared: { id } }) => {
    const { db, settings, now } = context
    await db.change([
      build
        .update(sources)
        .set({ next_run_utc: now })
        .where(and(eq(sources.id, id), eq(sources.is_ending, false))),
    ])
    await readSources({ db, settings, nowMs: toEpoch(now), only: id })
    const run = await db.get(newestRun(id))
    // Another invocation has it, and has not come to write anything.
    if (!run) throw new ApiError('rest_service_unavailable', 'The source is being read: see its runs.')
    return { status: 202 as const, body: serializeRun(run) }
  },
})

const preview = defineRoute({
  methods: ['POST'],
  path: '/sources/preview',
  summary: 'Look at an address: what is there, and its first five events. Nothing is written',
  requires: ofOneSource.requires,
  asksElsewhere: true,
  body: previewFields,
  complete: true,
  responses: { 200: previewSchema },
  prepare: (context, _, { body: { url = '' } }, errors) => {
    checkUrl(context, url || undefined, errors)
    return url
  },
  handle: async (context, { prepared: url }) => ok(await previewOf(context, url)),
})

/** The routes that read other calendars. */
export const readingRoutes: Route[] = [preview, sync]
