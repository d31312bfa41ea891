import * as z from 'zod/mini'
import { idOf } from '../../../http/input.ts'
import { one } from '../../../http/reply.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { ApiError } from '../../../lib/errors.ts'
import { dateTime } from '../../content/resource.ts'
import { serializeSeries } from '../resource.ts'
import { eventSchema } from '../schema.ts'
import { recurrenceSchema } from './fields.ts'
import { selectSeriesResult } from './queries.ts'

const seriesSchema = z
  .extend(
    z.omit(eventSchema, {
      global_id: true,
      global_id_lineage: true,
      external_id: true,
      series: true,
      json_ld: true,
    }),
    {
      url: z.string().register(z.globalRegistry, { description: 'Redirects to the next occurrence.' }),
      recurrence: recurrenceSchema,
      first_date: z
        .nullable(dateTime)
        .register(z.globalRegistry, { description: 'The start of the first occurrence, by the rule.' }),
      last_date: z.nullable(dateTime).register(z.globalRegistry, {
        description: 'The start of the last existing occurrence, by the rule.',
      }),
      total: z.int().register(z.globalRegistry, { description: 'The number of existing occurrences.' }),
    },
  )
  .register(z.globalRegistry, { id: 'Series' })

/** Reads a series. */
const readOne = defineRoute({
  methods: ['GET'],
  path: '/series/{id}',
  summary: 'Read what the occurrences of a series share',
  requires: 'read',
  responses: { 200: seriesSchema },
  errors: ['rest-series-not-found', 'series-not-accessible'],
  load: (context, { key }) => selectSeriesResult(context, idOf(key)),
  prepare: (_, { row, isReadable, span }) => {
    if (row === undefined) throw new ApiError('rest-series-not-found', 'There is no series with this id.')
    if (!isReadable) throw new ApiError('series-not-accessible', 'This series is not published.')
    return { row, span }
  },
  handle: (context, { prepared: { row, span } }) => {
    const body = {
      ...serializeSeries(row, context),
      first_date: span.first,
      last_date: span.last,
      total: span.total,
    }
    return one({ body, version: row.version })
  },
})

export const seriesRoutes: Route[] = [readOne]
