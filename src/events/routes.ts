import { codesOf } from '../content/kind.ts'
import { contentRoutes } from '../content/routes.ts'
import { checkStatuses } from '../content/visibility.ts'
import { defineList, type ListSource } from '../http/lists.ts'
import type { Route } from '../http/route.ts'
import { duplicateRoute } from './duplicate.ts'
import { EVENTS } from './kind.ts'
import { intervalOf } from './listing/interval.ts'
import { eventPage } from './listing/page.ts'
import { listReferences } from './listing/references.ts'
import { checkCoordinates } from './parameters.ts'
import { selectEventPage } from './queries.ts'
import type { EventRow } from './rows.ts'
import { type EventListParams, eventFields, eventList, eventSchema } from './schema.ts'
import { eventWrites } from './writes.ts'

/** Pages of events: what the list and other outputs of the same events read and check. */
const pages: ListSource<EventListParams, EventRow> = {
  params: eventList,
  select: (context, { values, page, fields }) =>
    selectEventPage(context, eventPage(context, { values, page }), fields),
  references: listReferences,
  validate: (context, values, errors) => {
    checkStatuses(values.status, context, errors)
    checkCoordinates(values, errors)
  },
}

const list = defineList({
  ...pages,
  id: 'EventList',
  plural: 'events',
  item: eventSchema,
  noPage: codesOf('event').noPage,
  serialize: (context, rows) => rows.map(row => EVENTS.serialize(row, context)),
  resolve: (context, values) => intervalOf(context, values).resolved,
})

export const eventRoutes: Route[] = [list, duplicateRoute, ...contentRoutes(EVENTS, eventFields, eventWrites)]
