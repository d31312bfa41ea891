import { defineList, type ListSource, type Paging } from '../../kit/http/lists.ts'
import type { Route } from '../../kit/http/route.ts'
import { codesOf } from '../content/resource.ts'
import { contentRoutes } from '../content/routes.ts'
import { checkStatuses } from '../content/visibility.ts'
import { copyRoute } from './copy.ts'
import { geojsonRoute } from './geojson.ts'
import { intervalOf } from './interval.ts'
import { listReferences } from './listing/filters.ts'
import { eventPage } from './listing/page.ts'
import { selectEventPage } from './queries.ts'
import { checkList, EVENTS } from './resource.ts'
import type { EventRow } from './rows.ts'
import { type EventListParams, eventFields, eventList, eventSchema } from './schema.ts'
import { eventWrites } from './writes.ts'

/**
 * Pages of events: the parameters, queries and checks that the list shares with other outputs of the same
 * events.
 */
const pages = {
  params: eventList,
  select: (context, { values, page, fields }) =>
    selectEventPage(context, eventPage(context, { values, page }), fields),
  references: listReferences,
  validate: (context, values, errors) => {
    checkStatuses(values.status, context, errors)
    checkList(context, values, errors)
  },
  noPage: codesOf('event').noPage,
  resolve: (context, values) => intervalOf(context, values).resolved,
} satisfies ListSource<EventListParams, EventRow> & Paging<EventListParams>

const list = defineList({
  ...pages,
  id: 'EventList',
  plural: 'events',
  errors: ['rest_moved'],
  item: eventSchema,
  serialize: (context, rows) => rows.map(row => EVENTS.serialize(row, context)),
})

const geojson = geojsonRoute(pages)

export const eventRoutes: Route[] = [
  list,
  geojson,
  copyRoute,
  ...contentRoutes(EVENTS, eventFields, eventWrites),
]
