import { eq } from 'drizzle-orm'
import { eventOrganizers, events, eventTerms, eventVenues, series } from '../../db/schema.ts'
import { deleteFrom, update } from '../../db/statements.ts'
import type { ContentKind } from '../content/kind.ts'
import { selectEvents } from './queries.ts'
import type { EventRow } from './rows.ts'
import { type EventResponse, eventSchema } from './schema.ts'
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
