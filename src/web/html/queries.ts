import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { columnList, decodeRow } from '../../db/columns.ts'
import { literal, many, mapped, type Query, together } from '../../db/query.ts'
import { type UnknownValues, unknownValues } from '../../db/references.ts'
import { terms } from '../../db/schema.ts'
import { shaped } from '../../db/shapes.ts'
import { unionOf } from '../../db/union.ts'
import type { Page, Rows } from '../../http/lists.ts'
import { type EventFilter, listReferences } from '../../resources/events/listing/filters.ts'
import { eventPage } from '../../resources/events/listing/page.ts'
import { withPage } from '../../resources/events/queries.ts'
import type { EventListParams } from '../../resources/events/schema.ts'
import { isUsedTerm } from '../../resources/terms/queries.ts'
import { CATEGORIES } from '../../resources/terms/resource.ts'
import { type LeanEvent, leanPart } from './lean-events.ts'
import { type ListedEvent, listedPart } from './listed-events.ts'

export type EventQuery = {
  values: Partial<EventListParams>
  page: Page
  filters?: readonly EventFilter[]
}

/** Categories in the form of filters, at most. */
const MOST_CATEGORIES = 200

const { id, parent, name, slug, path } = terms
const categoryColumns = { id, parent, name, slug, path }

/** A category as pages name it. */
export type Category = ReturnType<typeof decodeRow<typeof categoryColumns>>

const categories = shaped(
  () => sql`SELECT ${columnList(categoryColumns)} FROM ${terms}
    WHERE ${terms.taxonomy} = ${sql.raw(`'${CATEGORIES.taxonomy}'`)} AND ${isUsedTerm}
    ORDER BY sort_name, id LIMIT ${literal(MOST_CATEGORIES)}`,
)

/** The categories that have events or lead to some, by name. */
export const usedCategories = (): Query<Category[]> =>
  many(categories(), row => decodeRow(categoryColumns, row))

/** Events, and the values of filters that name nothing. */
type Listed<E> = Query<{ events: E; unknown: UnknownValues[] }>

const selectListed = unionOf({ events: listedPart })

/** A page of events. */
export function listedEvents(context: RequestContext, query: EventQuery): Listed<Rows<ListedEvent>> {
  const page = eventPage(context, query)
  const withClause = sql`${withPage(page)}, present(now) AS (SELECT ${context.now})`
  return together({
    events: mapped(selectListed(withClause, page.total), ({ events, head }) => ({
      rows: events.sort((a, b) => a.position - b.position),
      total: head,
    })),
    unknown: unknownValues(listReferences(context, query.values)),
  })
}

/** Tells if there are events on a page. */
export function hasEvents(context: RequestContext, query: EventQuery): Query<boolean> {
  const { shared, ids } = eventPage(context, query)
  return mapped(
    many(sql`${shared ? sql`WITH ${shared}` : sql``} ${ids}`, ({ id }) => id),
    found => found.length > 0,
  )
}

const selectMonth = unionOf({ events: leanPart(sql`page`) })

/** The events of an interval without texts and relations. */
export function monthEvents(context: RequestContext, query: EventQuery): Listed<LeanEvent[]> {
  const { shared, ids } = eventPage(context, query)
  const withClause = sql`WITH ${shared ? sql`${shared}, ` : sql``}page(id) AS MATERIALIZED (${ids})`
  return together({
    events: mapped(selectMonth(withClause, sql`0`), ({ events }) => events),
    unknown: unknownValues(listReferences(context, query.values)),
  })
}
