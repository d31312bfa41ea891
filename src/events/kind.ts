import { sql } from 'drizzle-orm'
import { eventOrganizers, events, eventTerms, eventVenues } from '../db/schema.ts'
import type { PostKind } from '../posts/kind.ts'
import { type EventRow, selectEvents } from './rows.ts'
import { type EventAnswer, eventSchema } from './schema.ts'
import { eventAnswer, singleEventAnswer } from './serialize.ts'

export const EVENTS: PostKind<EventRow, EventAnswer> = {
  singular: 'event',
  plural: 'events',
  table: events,
  select: selectEvents,
  answer: eventSchema,
  serialize: eventAnswer,
  serializeSingle: singleEventAnswer,
  removal: id => [
    ...[eventVenues, eventOrganizers, eventTerms].map(
      links => sql`DELETE FROM ${links} WHERE ${links.event_id} = ${id}`,
    ),
    sql`UPDATE ${events} SET post_parent = NULL WHERE ${events.post_parent} = ${id}`,
    sql`DELETE FROM ${events} WHERE ${events.id} = ${id}`,
  ],
}
