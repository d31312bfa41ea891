import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { SerializeContext } from '../../kit/context.ts'
import { columnExpressions, decodeList, type UnionPart, unionOf } from '../../kit/db/columns.ts'
import {
  combineQueries,
  first,
  mapQuery,
  orNull,
  type Query,
  readNumber,
  readText,
} from '../../kit/db/query.ts'
import { events, series, seriesOrganizers, seriesTerms, seriesVenues } from '../../kit/db/tables.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { documented } from '../../kit/http/params.ts'
import { okVersioned } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { occurrenceAt } from '../../kit/lib/recurrence/pattern.ts'
import { mayReadUnpublished } from '../../kit/lib/roles.ts'
import { omit, pick, textsOf } from '../../kit/lib/values.ts'
import { imageExpressions, imageJoin, readImage } from '../content/images.ts'
import { dateTime } from '../content/resource.ts'
import { isRowReadable, readableSql } from '../content/visibility.ts'
import { assembleRows, selectEvents, withPage } from './queries.ts'
import { allSeriesColumns } from './recurrence/queries.ts'
import { recurrenceSchema } from './recurrence-fields.ts'
import { serializeSeries } from './resource.ts'
import { type EventRow, type PageEventRow, partsLinkedBy } from './rows.ts'
import { eventSchema } from './schema.ts'

/** A series read as if it were an event, at the times of its first occurrence. */
const seriesPart: UnionPart<PageEventRow> = {
  columns: [sql`page.position`, ...imageExpressions, ...columnExpressions(allSeriesColumns)],
  from: sql`FROM page CROSS JOIN ${series} ON ${series.id} = page.id ${imageJoin(series.image_id)}`,
  read: ([position, ...imageAndColumns]) => {
    const { rrule, rdate, exdate, ...columns } = decodeList(
      allSeriesColumns,
      imageAndColumns.slice(imageExpressions.length),
    )
    const row = omit(columns, 'extend_from')
    const pattern = { ...row, rrule, rdate: textsOf(rdate), exdate: textsOf(exdate) }
    return {
      ...row,
      ...occurrenceAt(pattern, row.start_date),
      series_id: row.id,
      duplicate_of: null,
      previous_utc_start_date: '',
      detached: '[]',
      series: { slug: row.slug, rrule, rdate, exdate },
      position: Number(position),
      isShortened: false,
      image: readImage(row.image_id, imageAndColumns),
    }
  },
}

const selectSeriesParts = unionOf({
  events: seriesPart,
  ...partsLinkedBy({ venues: seriesVenues, organizers: seriesOrganizers, terms: seriesTerms }),
})

/**
 * A query for series as if they were events, at the times of their first occurrence.
 * @param ids a SELECT of their ids
 */
export const selectSharedRows = (context: SerializeContext, ids: SQL): Query<EventRow[]> =>
  mapQuery(selectSeriesParts(withPage({ ids }), sql`0`), pageRows =>
    assembleRows(context, { ...pageRows, sources: [] }),
  )

/** The span of the occurrences of a series that the caller may read, and their number. */
type Span = { first: string | null; last: string | null; total: number }

type SeriesResult = { row: EventRow | undefined; isReadable: boolean; span: Span }

/**
 * Selects a series with the fields that its occurrences share, and the span of the occurrences that the
 * caller may read. Callers who may not read drafts of the series get the fields of the readable occurrence
 * with the fewest fields of its own, because only drafts may have the shared text.
 */
function selectSeriesResult(context: SerializeContext, id: number): Query<SeriesResult> {
  const plainestId = sql`(SELECT ${events.id} FROM ${events} WHERE ${events.series_id} = ${id}
    AND ${readableSql(events, context)} ORDER BY json_array_length(${events.detached}), ${events.occurrence_date} LIMIT 1)`
  return combineQueries(
    {
      shared: selectSharedRows(context, sql`SELECT ${id} AS id`),
      span: selectSpan(context, id),
      shown: selectEvents(context, sql`${events.id} = ${plainestId}`),
    },
    ({ shared: [plain], span, shown: [occurrence] }) => {
      const row = plain && { ...plain, origin: { source: occurrence?.origin.source, others: [] } }
      const showsAll = !row || !occurrence || mayReadUnpublished(context.caller, row)
      return {
        row: showsAll ? row : { ...occurrence, ...partsOfSeries(row) },
        isReadable: row !== undefined && isRowReadable(row, context) && span.total > 0,
        span,
      }
    },
  )
}

/** The parts of a series that no occurrence has: its id and address, and the start of its rule. */
const partsOfSeries = (row: EventRow) => ({
  ...pick(row, 'id', 'slug', 'series', 'version', 'all_day', 'timezone', 'timezone_abbr'),
  ...pick(row, 'start_date', 'end_date', 'utc_start_date', 'utc_end_date'),
})

const selectSpan = (context: SerializeContext, id: number): Query<Span> =>
  mapQuery(
    first(
      sql`SELECT min(occurrence_date) AS first, max(occurrence_date) AS last, count(*) AS total FROM ${events}
        WHERE ${events.series_id} = ${id} AND ${readableSql(events, context)}`,
      { first: orNull(readText), last: orNull(readText), total: readNumber },
    ),
    span => span ?? { first: null, last: null, total: 0 },
  )

const seriesSchema = documented(
  z.extend(
    z.omit(eventSchema, {
      global_id: true,
      global_id_lineage: true,
      external_id: true,
      series: true,
      json_ld: true,
    }),
    {
      url: documented(z.string(), 'Redirects to the next occurrence.'),
      recurrence: recurrenceSchema,
      first_date: documented(
        z.nullable(dateTime),
        'The start of the first occurrence, according to the rule.',
      ),
      last_date: documented(
        z.nullable(dateTime),
        'The start of the last existing occurrence, according to the rule.',
      ),
      total: documented(z.int(), 'The number of existing occurrences.'),
    },
  ),
  { id: 'Series' },
)

const readSeries = defineRead({
  path: '/series/{id}',
  summary: 'Read what the occurrences of a series share',
  requires: 'read',
  responses: { 200: seriesSchema },
  errors: ['rest-series-not-found', 'series-not-accessible'],
  load: (context, { id }) => selectSeriesResult(context, id),
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
    return okVersioned({ body, version: row.version })
  },
})

export const seriesRoutes: Route[] = [readSeries]
