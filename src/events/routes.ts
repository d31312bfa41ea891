import { listsOf, pageOf } from '../http/lists.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { Problems } from '../lib/errors.ts'
import { codesOf } from '../posts/kind.ts'
import { postRoutes } from '../posts/routes.ts'
import { demandListable } from '../posts/visibility.ts'
import { EVENTS } from './kind.ts'
import { listEvents } from './queries.ts'
import { type EventListParams, eventFields, eventList, eventSchema } from './schema.ts'
import { windowOf } from './window.ts'
import { createEvent, updateEvent } from './writes.ts'

/** Coordinates come in pairs. */
function demandBothCoordinates({ geoloc_lat, geoloc_lng }: EventListParams, problems: Problems): void {
  if (geoloc_lat !== undefined && geoloc_lng === undefined)
    problems.add('geoloc_lat', 'needs geoloc_lng as well')
  if (geoloc_lng !== undefined && geoloc_lat === undefined)
    problems.add('geoloc_lng', 'needs geoloc_lat as well')
}

const lists = listsOf('EventList', 'events', eventSchema, codesOf('event').noPage)

const list = defineRoute({
  methods: ['GET'],
  path: '/events',
  summary: 'List events',
  requires: 'read',
  query: eventList,
  answers: { 200: lists.schema },
  headers: lists.headers,
  errors: ['rest_invalid_param', lists.noPage],
  handle: async ({ db, view, query: { values, problems }, given }) => {
    demandListable(values.status, view.caller, problems)
    demandBothCoordinates(values, problems)
    const window = windowOf(values, view)
    const page = pageOf(values, view)
    const { rows, total } = await listEvents(db, values, problems, window, page, view)
    const items = rows.map(row => EVENTS.serialize(row, view))
    return lists.reply(view, { items, total, page, given: { ...given, ...window.resolved } })
  },
})

export const eventRoutes: Route[] = [
  list,
  ...postRoutes(EVENTS, eventFields, { create: createEvent, update: updateEvent }),
]
