import type { RequestContext } from '../../context.ts'
import { firstOf, together } from '../../db/query.ts'
import { check } from '../../http/input.ts'
import { LOCATION } from '../../http/reply.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { parseDate } from '../../lib/parse-date.ts'
import { mayEdit } from '../../lib/roles.ts'
import { formatInstant, toEpoch } from '../../lib/time.ts'
import { codesOf } from '../content/resource.ts'
import { createdContent } from '../content/routes.ts'
import { assertFound, hasKey, readable } from '../content/visibility.ts'
import type { FoundForEvents } from './prepare.ts'
import { EVENTS, serializeEvent } from './resource.ts'
import type { EventRow } from './rows.ts'
import { type EventValues, eventFields } from './schema.ts'
import { eventWrites } from './writes.ts'

/** The fields that a copy doesn't share, and fields with ids, which come from the row. */
const NOT_COPIED = [
  'slug',
  'external_id',
  'author',
  'status',
  'date',
  'date_utc',
  'recurrence',
  'scope',
] as const
const BY_ID = ['venue', 'organizer', 'categories', 'tags', 'image'] as const

const termsOf = ({ terms }: EventRow, taxonomy: string): number[] =>
  terms.flatMap(({ id, taxonomy: own }) => (own === taxonomy ? [id] : []))

/** The ids of the rows to which an event refers. */
const idsOf = (row: EventRow) => ({
  venue: row.venues.map(({ id }) => id),
  organizer: row.organizers.map(({ id }) => id),
  categories: termsOf(row, 'event_category'),
  tags: termsOf(row, 'event_tag'),
  image: row.image === null ? [] : [row.image.id],
})

/** The values of a copy: those that the request names, and otherwise those of the event in the form of responses, which requests may send back. */
function valuesOfCopy(context: RequestContext, row: EventRow, requested: EventValues): EventValues {
  const names: readonly string[] = [...NOT_COPIED, ...BY_ID]
  const shown = Object.entries(serializeEvent(row, context)).filter(([name]) => !names.includes(name))
  const { values } = check(eventFields, Object.fromEntries(shown))
  const { image, venue, organizer, categories, tags } = idsOf(row)
  const toChoices = (ids: readonly number[]) => ids.map(id => ({ id }))
  const toTerms = (ids: readonly number[]) => ids.map(id => ({ id, creatable: false }))
  return {
    ...values,
    venue: toChoices(venue),
    organizer: toChoices(organizer),
    categories: toTerms(categories),
    tags: toTerms(tags),
    ...(image[0] !== undefined && { image: { id: image[0] } }),
    status: 'draft',
    ...endOfCopy(context, row, requested),
    ...requested,
  }
}

/** The end of a copy that begins at another time: the copy lasts as long as the event. */
function endOfCopy(
  { now }: RequestContext,
  row: EventRow,
  { start_date, timezone }: EventValues,
): EventValues {
  const start = start_date && parseDate(start_date, timezone ?? row.timezone, toEpoch(now))
  if (!start) return {}
  const lasts = toEpoch(row.end_date) - toEpoch(row.start_date)
  return { end_date: formatInstant(toEpoch(start.wall) + lasts) }
}

/** The rows to which the values of a copy refer. Those of the event count as known, because the caller can see them there. */
function withCopied(found: FoundForEvents, row: EventRow): FoundForEvents {
  const ids = idsOf(row)
  const { references, relations } = found
  const { venue, organizer, categories, tags } = relations
  return {
    ...found,
    references: { ...references, images: new Set([...references.images, ...ids.image]) },
    relations: {
      venue: { ...venue, known: new Set([...venue.known, ...ids.venue]) },
      organizer: { ...organizer, known: new Set([...organizer.known, ...ids.organizer]) },
      categories: { ...categories, ids: new Set([...categories.ids, ...ids.categories]) },
      tags: { ...tags, ids: new Set([...tags.ids, ...ids.tags]) },
    },
  }
}

const codes = codesOf('event')

/** The route that makes a new event from another one. */
export const duplicateRoute: Route = defineRoute({
  methods: ['POST'],
  path: '/events/{id}/duplicate',
  summary:
    'Make a copy of one event, with other values where they are named: a draft unless they say otherwise',
  requires: 'edit_content',
  body: eventFields,
  responses: { 201: EVENTS.response },
  headers: { ...LOCATION, ...eventWrites.headers },
  errors: [codes.notFound, codes.notAccessible, codes.trashed],
  load: (context, { key, body }) =>
    together({
      row: firstOf(EVENTS.select(context, hasKey(EVENTS.table, key))),
      found: eventWrites.lookUp(context, [body]),
    }),
  prepare: (context, { row: stored, found }, { key, body }, errors) => {
    const row = readable(context, { resource: EVENTS, row: assertFound(EVENTS, stored), key })
    if (row.duplicate_of !== null && !mayEdit(context.caller, row))
      throw new ApiError(codes.notAccessible, `This event is shown as event ${row.duplicate_of}: copy that.`)
    if (row.isShortened)
      throw new ApiError('rest_payload_too_large', 'This event is too large for a copy in one request.')
    const values = valuesOfCopy(context, row, body)
    return eventWrites.prepare(context, { values, found: withCopied(found, row) }, errors)
  },
  handle: async (context, { prepared }) => {
    const [row] = await eventWrites.write(context, [prepared])
    return createdContent(context, { resource: EVENTS, row })
  },
})
