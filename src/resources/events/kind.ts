import { eq } from 'drizzle-orm'
import { eventOrganizers, events, eventTerms, eventVenues, series } from '../../db/schema.ts'
import { deleteFrom, update } from '../../db/statements.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import type { ContentKind } from '../content/kind.ts'
import { selectEvents } from './queries.ts'
import type { EventRow } from './rows.ts'
import { type EventListParams, type EventResponse, eventSchema } from './schema.ts'
import { serializeEvent, serializeSingleEvent } from './serialize.ts'

export const EVENTS: ContentKind<EventRow, EventResponse> = {
  singular: 'event',
  plural: 'events',
  table: events,
  select: selectEvents,
  isShortened: row => row.isShortened,
  shownBy: row => row.duplicate_of,
  response: eventSchema,
  serialize: serializeEvent,
  serializeSingle: serializeSingleEvent,
  removal: id => [
    ...[eventVenues, eventOrganizers, eventTerms].map(links => deleteFrom(links, eq(links.event_id, id))),
    update(events, { post_parent: null }, eq(events.post_parent, id)),
    update(series, { post_parent: null }, eq(series.post_parent, id)),
    deleteFrom(events, eq(events.id, id)),
  ],
}

/** Adds an error if one of the coordinates is missing; one that is refused for itself is not. */
export function checkCoordinates(params: Partial<EventListParams>, errors: ValidationErrors): void {
  const isMissing = (name: 'geoloc_lat' | 'geoloc_lng') => params[name] === undefined && !errors.has(name)
  if (params.geoloc_lat !== undefined && isMissing('geoloc_lng'))
    errors.add('geoloc_lat', 'needs geoloc_lng as well')
  if (params.geoloc_lng !== undefined && isMissing('geoloc_lat'))
    errors.add('geoloc_lng', 'needs geoloc_lat as well')
}
