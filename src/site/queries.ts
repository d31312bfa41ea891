import { sql } from 'drizzle-orm'
import type { RequestContext } from '../context.ts'
import { many, type Query, together } from '../db/query.ts'
import { type UnknownValues, unknownValues } from '../db/references.ts'
import { events } from '../db/schema.ts'
import type { EventFilter } from '../events/listing/filters.ts'
import { eventPage } from '../events/listing/page.ts'
import { listReferences } from '../events/listing/references.ts'
import { selectEventPage } from '../events/queries.ts'
import type { EventRow } from '../events/rows.ts'
import type { EventListParams } from '../events/schema.ts'
import type { Page, Rows } from '../http/lists.ts'
import { CATEGORIES } from '../terms/kind.ts'
import { isUsedTerm, selectTerms } from '../terms/queries.ts'
import type { TermRow } from '../terms/serialize.ts'
import { type LeanEvent, selectLean } from './lean-events.ts'

export type EventQuery = {
  values: Partial<EventListParams>
  page: Page
  filters?: readonly EventFilter[]
}

/** Categories in the form of filters, at most. */
const MOST_CATEGORIES = 200

/** The categories that have events or lead to some, by name. */
export const usedCategories = (): Query<TermRow[]> =>
  selectTerms(CATEGORIES, isUsedTerm, sql`ORDER BY sort_name, id LIMIT ${sql.raw(String(MOST_CATEGORIES))}`)

/** Events, and the rows that every page with events reads beside them. */
export type ListedEvents<E> = { events: E; unknown: UnknownValues[]; categories: TermRow[] }

/** A page of events, the categories, and the values of filters that name nothing. */
export const listedEvents = (
  context: RequestContext,
  query: EventQuery,
): Query<ListedEvents<Rows<EventRow>>> =>
  together({
    events: selectEventPage(context, eventPage(context, query)),
    unknown: unknownValues(listReferences(context, query.values)),
    categories: usedCategories(),
  })

/** The ids of a page of events. */
export function idsOf(context: RequestContext, query: EventQuery): Query<number[]> {
  const { shared, ids } = eventPage(context, query)
  return many(sql`${shared ? sql`WITH ${shared}` : sql``} ${ids}`, row => Number(row.id))
}

/** The events of an interval without texts and relations, and the categories. */
export function monthListing(context: RequestContext, query: EventQuery): Query<ListedEvents<LeanEvent[]>> {
  const { shared, ids } = eventPage(context, query)
  const found = sql`${shared ? sql`${shared}, ` : sql``}page(id) AS MATERIALIZED (${ids})`
  return together({
    events: selectLean(sql`page CROSS JOIN ${events} ON ${events.id} = page.id`, sql``, sql`WITH ${found}`),
    unknown: unknownValues(listReferences(context, query.values)),
    categories: usedCategories(),
  })
}
