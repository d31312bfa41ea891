import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, first, literal, mapQuery, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { checkInput, type ResourceKey } from '../../kit/http/input.ts'
import { flag } from '../../kit/http/params.ts'
import { LOCATION } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { mayEdit } from '../../kit/lib/roles.ts'
import {
  addDays,
  dayNumber,
  exactTime,
  isShownTwice,
  laterByClock,
  msByClock,
  toEpoch,
} from '../../kit/lib/time.ts'
import { compareTexts } from '../../kit/lib/values.ts'
import type { OrganizerRow, VenueRow } from '../content/related/resource.ts'
import { codesOf } from '../content/resource.ts'
import { createdContent } from '../content/routes.ts'
import { keySql, noDuplicateSql, readableSql, requireReadableRow, requireRow } from '../content/visibility.ts'
import type { ReferencedByEvents } from './prepare.ts'
import { repeats } from './recurrence-fields.ts'
import type { ReferencedTargets } from './relations/fields.ts'
import { EVENTS, serializeEvent } from './resource.ts'
import type { EventRow } from './rows.ts'
import { type EventValues, eventFields } from './schema.ts'
import { eventWrites } from './writes.ts'

/**
 * The fields that a copy doesn't share, such as that the event is cancelled or sold out, and fields with ids,
 * which come from the row.
 */
const NOT_IN_COPY = [
  'slug',
  'external_id',
  'author',
  'status',
  'date',
  'date_utc',
  'event_status',
  'event_status_reason',
  'ticket_availability',
  'recurrence',
  'scope',
] as const
const COPIED_BY_ID = ['venue', 'organizer', 'categories', 'tags', 'image'] as const

const termsOf = ({ terms }: EventRow, taxonomy: string): number[] =>
  terms.flatMap(({ id, taxonomy: own }) => (own === taxonomy ? [id] : []))

const linkedIds = (row: EventRow) => ({
  venue: row.venues.map(({ id }) => id),
  organizer: row.organizers.map(({ id }) => id),
  categories: termsOf(row, 'event_category'),
  tags: termsOf(row, 'event_tag'),
  image: row.image === null ? [] : [row.image.id],
})

/**
 * The values of a copy: the values of the request and, for all other fields, the values of the event as
 * responses show them.
 */
function valuesOfCopy(context: BaseContext, row: EventRow, requestedValues: EventValues): EventValues {
  const names: readonly string[] = [...NOT_IN_COPY, ...COPIED_BY_ID]
  const shownFields = Object.entries(serializeEvent(row, context)).filter(([name]) => !names.includes(name))
  const { values } = checkInput(eventFields, Object.fromEntries(shownFields))
  const { image, venue, organizer, categories, tags } = linkedIds(row)
  const toChoices = (ids: readonly number[]) => ids.map(id => ({ id }))
  const toTerms = (ids: readonly number[]) => ids.map(id => ({ id, creatable: false }))
  return {
    ...values,
    venue: toChoices(venue),
    organizer: toChoices(organizer),
    categories: toTerms(categories),
    tags: toTerms(tags),
    ...(image[0] !== undefined && { image: { id: image[0] } }),
    ...(!row.all_day && {
      start_date: exactTime(row.start_date, row.utc_start_date, row.timezone),
      end_date: exactTime(row.end_date, row.utc_end_date, row.timezone),
    }),
    status: 'draft',
    ...endOfCopy(context, row, requestedValues),
    ...requestedValues,
  }
}

/** The start of a copy, as a wall time; undefined if the start in the request is not a date. */
const startOfCopy = ({ clock }: BaseContext, row: EventRow, { start_date, timezone }: EventValues) =>
  start_date === undefined
    ? undefined
    : parseDate(start_date, timezone ?? row.timezone, toEpoch(clock.now()))?.wall

/** The end of a copy that begins at another time: the copy lasts as long as the event. */
function endOfCopy(context: BaseContext, row: EventRow, requestedValues: EventValues): EventValues {
  const start = startOfCopy(context, row, requestedValues)
  if (start === undefined) return {}
  const hasAmbiguousTime = [row.utc_start_date, row.utc_end_date].some(utc => isShownTwice(utc, row.timezone))
  const durationMs =
    hasAmbiguousTime && !row.all_day
      ? toEpoch(row.utc_end_date) - toEpoch(row.utc_start_date)
      : msByClock(row.start_date, row.end_date)
  return { end_date: laterByClock(start, durationMs) }
}

/** The most parts that are copied with an event. */
const MAX_PARTS = 200

/** A query for the parts in an event's programme that the caller may read: one more than a copy may have. */
const selectParts = (context: BaseContext, key: ResourceKey): Query<EventRow[]> =>
  mapQuery(
    EVENTS.select(
      context,
      sql`${events.id} IN (SELECT id FROM ${events}
        WHERE post_parent = (SELECT id FROM ${events} WHERE ${keySql(EVENTS.table, key)})
        AND parent_confirmed_by IS NOT NULL AND ${events.status} <> 'trash' AND ${noDuplicateSql} AND ${readableSql(events, context)}
        ORDER BY utc_start_date, id LIMIT ${literal(MAX_PARTS + 1)})`,
    ),
    rows => rows.sort((a, b) => compareTexts(a.utc_start_date, b.utc_start_date)),
  )

/**
 * The values of a part's copy, which moves by as many days as the event and gets the publication of the
 * event's copy.
 */
function valuesOfPart(
  context: BaseContext,
  part: EventRow,
  { parent, parentValues }: { parent: EventRow; parentValues: EventValues },
): EventValues {
  const start = startOfCopy(context, parent, parentValues) ?? parent.start_date
  const days = dayNumber(start) - dayNumber(parent.start_date)
  const { status, date, date_utc, author } = parentValues
  return valuesOfCopy(context, part, {
    start_date:
      days === 0 && !part.all_day
        ? exactTime(part.start_date, part.utc_start_date, part.timezone)
        : addDays(part.start_date, days),
    ...(status && { status }),
    ...(date && { date }),
    ...(date_utc && { date_utc }),
    ...(author && { author }),
  })
}

const withKnown = (
  targets: ReferencedTargets,
  rows: readonly (VenueRow | OrganizerRow)[],
): ReferencedTargets => ({
  ...targets,
  known: new Set([...targets.known, ...rows.map(({ id }) => id)]),
  byId: new Map([...rows.map(row => [row.id, row] as const), ...targets.byId]),
})

/**
 * The rows to which the values of a copy refer. Rows to which the event refers count as known, because the
 * caller can see them there.
 */
function withCopied(referencedRows: ReferencedByEvents, row: EventRow): ReferencedByEvents {
  const ids = linkedIds(row)
  const { references, relations } = referencedRows
  const { venue, organizer, categories, tags } = relations
  return {
    ...referencedRows,
    references: { ...references, images: new Set([...references.images, ...ids.image]) },
    relations: {
      venue: withKnown(venue, row.venues),
      organizer: withKnown(organizer, row.organizers),
      categories: { ...categories, ids: new Set([...categories.ids, ...ids.categories]) },
      tags: { ...tags, ids: new Set([...tags.ids, ...ids.tags]) },
    },
  }
}

const codes = codesOf('event')

const copyQuery = z.object({
  programme: z.optional(
    flag({ description: 'Copy the parts of the event as well, as parts of the copy.', default: true }),
  ),
})

/** @throws ApiError if a row was not read in full */
const assertWhole = (rows: readonly EventRow[]): void => {
  if (rows.length > 1 + MAX_PARTS)
    throw new ApiError(
      'rest_payload_too_large',
      `This event has more than ${MAX_PARTS} parts: copy it with programme=false, and its parts one by one.`,
    )
  if (rows.some(({ isShortened }) => isShortened))
    throw new ApiError('rest_payload_too_large', 'This event is too large for a copy in one request.')
}

/** The route that makes a new event from another, with its programme. */
export const copyRoute: Route = defineWrite({
  methods: ['POST'],
  path: '/events/{id}/duplicate',
  summary: 'Copy one event and its parts, with the changes in the request: drafts unless they say otherwise',
  requires: 'edit_content',
  query: copyQuery,
  body: eventFields,
  responses: { 201: EVENTS.response },
  headers: { ...LOCATION, ...eventWrites.headers },
  errors: [codes.notFound, codes.notAccessible, codes.trashed],
  load: (context, { key, body, query: { programme = true } }) =>
    combineQueries({
      row: first(EVENTS.select(context, keySql(EVENTS.table, key))),
      // A series has no programme: each of its dates may have one.
      parts:
        programme && !repeats(body.recurrence) ? selectParts(context, key) : resolvedQuery<EventRow[]>([]),
      referencedRows: eventWrites.selectReferencedRows(context, [body]),
    }),
  prepare: (context, { row: storedRow, parts, referencedRows }, { key, body }, errors) => {
    const row = requireReadableRow(context, { resource: EVENTS, row: requireRow(EVENTS, storedRow), key })
    if (row.duplicate_of !== null && !mayEdit(context.caller, row))
      throw new ApiError(codes.notAccessible, `This event is shown as event ${row.duplicate_of}: copy that.`)
    assertWhole([row, ...parts])
    const copy = (original: EventRow, values: EventValues) => ({
      ...eventWrites.prepare(
        context,
        { values, referencedRows: withCopied(referencedRows, original) },
        errors,
      ),
      copyOf: original.id,
    })
    return [
      copy(row, valuesOfCopy(context, row, body)),
      ...parts.map(part => ({
        ...copy(part, valuesOfPart(context, part, { parent: row, parentValues: body })),
        isPartOfFirst: true,
      })),
    ]
  },
  handle: async (context, { prepared }) => {
    await context.countWrites(prepared.length - 1)
    const [row] = await eventWrites.write(context, prepared)
    return createdContent(context, { resource: EVENTS, row })
  },
})
