import { eq, type SQL, sql } from 'drizzle-orm'
import { relatedListedSql } from '../../calendar/content/related/queries.ts'
import type {
  OrganizerRow,
  RelatedResource,
  RelatedRow,
  VenueRow,
} from '../../calendar/content/related/resource.ts'
import { readableSql, readStatus, unlistedIdsSql } from '../../calendar/content/visibility.ts'
import { ORGANIZERS } from '../../calendar/organizers/resource.ts'
import { selectTermById, selectTerms, termListedSql } from '../../calendar/terms/queries.ts'
import { CATEGORIES, serializeTerm, TAGS, type TermKind } from '../../calendar/terms/resource.ts'
import { VENUES } from '../../calendar/venues/resource.ts'
import type { BaseContext } from '../../kit/context.ts'
import { listingCounts } from '../../kit/db/derived.ts'
import {
  combineQueries,
  countOf,
  first,
  literal,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
} from '../../kit/db/query.ts'
import { eventOrganizers, events, eventTerms, eventVenues, terms } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { type Capability, may, mayEdit } from '../../kit/lib/roles.ts'
import { type Status, statusAt } from '../../kit/lib/statuses.ts'
import type { Body, FieldResource } from '../../site/forms/control.ts'
import { detailIn } from '../../site/forms/controls/links.ts'
import type { Form } from '../../site/forms/form.ts'
import { CATEGORY_FORM, ORGANIZER_FORM, TAG_FORM, VENUE_FORM } from '../../site/forms/forms.ts'
import { DETAIL_COLUMNS } from '../../site/forms/load.ts'
import { inTreeOrder } from '../../site/html/finder.ts'
import { plain } from '../../site/html/text.ts'

/** A venue, organizer, category or tag in a list. */
export type ContentListItem = {
  id: number
  name: string
  /** A short description, such as the town. */
  detail: string
  /**
   * The number of published events that lists show. For a term it includes those that lists leave out, as in
   * the API.
   */
  eventCount: number
  status: Status
  /** The level of a category in the tree, starting at 0. */
  depth: number
  isEditable: boolean
}

/** A venue, organizer, category or tag with everything that its form needs. */
export type LoadedContent = Omit<ContentListItem, 'detail' | 'depth'> & {
  /** The number of other events that the caller may read, such as drafts. The trash doesn't count. */
  unlisted: number
  version: number
  body: Body
  /** The address of its public page. */
  url: string
}

/** A request for a page of a list; by default, for the first page of all items. */
export type ContentListQuery = {
  search?: string | undefined
  status?: Status | undefined
  page?: number | undefined
}

/** A resource that events refer to, as the editor presents it: venues, organizers, categories, tags. */
export type EditedResource = {
  /** The name in paths of the API and of the editor: `venues`. */
  name: 'venues' | 'organizers' | 'categories' | 'tags'
  singular: 'venue' | 'organizer' | 'category' | 'tag'
  form: Form<FieldResource>
  requires: Capability
  /** True if removed items go to the trash and can be restored from there. */
  hasTrash: boolean
  /** A query for the items on a page, and for one more if there is one. */
  selectList: (context: BaseContext, query: ContentListQuery) => Query<ContentListItem[]>
  /** A query for one item; undefined if it does not exist or the caller may not know of it. */
  selectOne: (context: BaseContext, id: number) => Query<LoadedContent | undefined>
}

/** Items on a page of the list. */
export const PER_PAGE = 50

/** The path of the list, or of one item. */
export const resourcePath = ({ name }: EditedResource, id?: number | string): string =>
  id === undefined ? `/admin/${name}/` : `/admin/${name}/${id}/`

/** The field that holds the name: `venue` and `organizer` for these, `name` for categories and tags. */
export const nameFieldOf = ({ form, singular }: EditedResource): string =>
  form.fields.some(({ name }) => name === singular) ? singular : 'name'

/**
 * The given row, if the caller may change it.
 *
 * @throws ApiError of 403 and 404
 */
export function requireEditable(
  { singular }: EditedResource,
  content: LoadedContent | undefined,
): LoadedContent {
  if (!content) throw new ApiError('rest_no_route', `There is no ${singular} with this id.`)
  if (!content.isEditable) throw new ApiError('rest_forbidden', `The role may not change this ${singular}.`)
  return content
}

/** The links of events to these resources. */
export const EVENT_LINKS = {
  venues: eventVenues,
  organizers: eventOrganizers,
  categories: eventTerms,
  tags: eventTerms,
} as const

/**
 * A query for the number of unlisted events of one item. It reads all unlisted events outside the trash, and
 * looks for a link of each to the item: too many rows for a list of items.
 */
function selectUnlistedCount(context: BaseContext, name: EditedResource['name'], id: number): Query<number> {
  const links = EVENT_LINKS[name]
  const countedSql =
    links === eventTerms ? sql`${events.status} = 'publish' AND ${events.duplicate_of} IS NULL` : sql`0`
  return countOf(sql`(${unlistedIdsSql}) AS unlisted
    CROSS JOIN ${links} ON ${links.event_id} = unlisted.id AND ${links.target_id} = ${id}
    CROSS JOIN ${events} ON ${events.id} = unlisted.id AND ${readableSql(events, context)} AND NOT (${countedSql})`)
}

/**
 * An expression for the number of listed events of a venue or organizer. It reads one row for every four
 * weeks.
 */
const listedEventCount = (singular: 'venue' | 'organizer', id: SQL): SQL =>
  sql`(SELECT coalesce(sum(${listingCounts.count}), 0) FROM ${listingCounts}
    WHERE ${listingCounts.facet} = ${singular} AND ${listingCounts.target_id} = ${id})`

type StoredRow = RelatedRow & { author_id: number; version: number; status: Status }

function relatedResource<R extends StoredRow, B extends { url: string }>(
  kind: RelatedResource<R, B>,
  form: Form<FieldResource>,
): EditedResource {
  const { singular, plural, table } = kind
  const requires: Capability = 'edit_content'
  return {
    name: plural,
    singular,
    form,
    requires,
    hasTrash: true,
    selectList: (context, { search = '', status, page = 1 }) => {
      const values = { ...(search !== '' && { search }), ...(status && { status: [status] }) }
      const index = search === '' ? sql`INDEXED BY ${sql.identifier(`${plural}_name`)}` : sql``
      return many(
        // Events are counted only for this page: a search may find half of all venues.
        sql`WITH page AS MATERIALIZED (SELECT id, name, ${DETAIL_COLUMNS[singular]}, status, author_id, date_utc
            FROM ${table} ${index} WHERE ${relatedListedSql(context, kind, values)}
            ORDER BY name, id LIMIT ${literal(PER_PAGE + 1)} OFFSET ${(page - 1) * PER_PAGE})
          SELECT page.*, ${listedEventCount(singular, sql`page.id`)} AS events FROM page ORDER BY name, id`,
        row => {
          const currentStatus = statusAt(
            { status: readStatus(row.status), date_utc: readText(row.date_utc) },
            context.clock.now(),
          )
          return {
            id: readNumber(row.id),
            name: plain(readText(row.name)),
            detail: plain(detailIn(row).detail ?? ''),
            eventCount: readNumber(row.events),
            status: currentStatus,
            depth: 0,
            isEditable: mayEdit(context.caller, {
              author_id: readNumber(row.author_id),
              status: currentStatus,
            }),
          }
        },
      )
    },
    selectOne: (context, id) =>
      combineQueries(
        {
          row: first(kind.select(context, eq(table.id, id))),
          listed: many(sql`SELECT ${listedEventCount(singular, sql`${id}`)} AS events`, row =>
            readNumber(row.events),
          ),
          unlisted: selectUnlistedCount(context, plural, id),
        },
        ({ row, listed: [listed = 0], unlisted }) => {
          if (!row) return undefined
          const body = kind.serialize(row, context)
          const status = statusAt(row, context.clock.now())
          return {
            id,
            name: plain(row.name),
            version: row.version,
            status,
            eventCount: listed,
            unlisted,
            isEditable: mayEdit(context.caller, { author_id: row.author_id, status }),
            body,
            url: body.url,
          }
        },
      ),
  }
}

/**
 * The most categories that are shown as a tree. More have pages by name, because a tree has no good place to
 * cut.
 */
export const MAX_IN_TREE = 1_000

function termResource(kind: TermKind, form: Form<FieldResource>): EditedResource {
  return {
    name: kind.plural,
    singular: kind.singular,
    form,
    requires: kind.creatableBy,
    hasTrash: false,
    selectList: (context, { search = '', page = 1 }) => {
      const isTree = kind.hierarchical && search === '' && page === 1
      const [limit, offset] = isTree ? [MAX_IN_TREE + 1, 0] : [PER_PAGE + 1, (page - 1) * PER_PAGE]
      const isEditable = may(context.caller, 'manage_terms')
      return mapQuery(
        selectTerms(
          kind,
          termListedSql(context, search === '' ? {} : { search }),
          sql`ORDER BY ${terms.sort_name}, ${terms.id} LIMIT ${literal(limit)} OFFSET ${offset}`,
        ),
        rows =>
          (isTree && rows.length <= MAX_IN_TREE
            ? inTreeOrder(rows)
            : rows.map(term => ({ term, depth: 0 }))
          ).map(({ term, depth }) => ({
            id: term.id,
            name: plain(term.name),
            detail: '',
            eventCount: term.count,
            status: 'publish' as const,
            depth,
            isEditable,
          })),
      )
    },
    selectOne: (context, id) =>
      combineQueries(
        { row: selectTermById(context, kind, id), unlisted: selectUnlistedCount(context, kind.plural, id) },
        ({ row, unlisted }) => {
          if (!row) return undefined
          const body = serializeTerm(row, context)
          const { name, version, count } = row
          return {
            id,
            name: plain(name),
            version,
            status: 'publish',
            eventCount: count,
            unlisted,
            isEditable: may(context.caller, 'manage_terms'),
            body,
            url: body.url,
          }
        },
      ),
  }
}

/** All edited resources, in the order of the menu. */
export const EDITED_RESOURCES: readonly EditedResource[] = [
  relatedResource<VenueRow, ReturnType<typeof VENUES.serialize>>(VENUES, VENUE_FORM),
  relatedResource<OrganizerRow, ReturnType<typeof ORGANIZERS.serialize>>(ORGANIZERS, ORGANIZER_FORM),
  termResource(CATEGORIES, CATEGORY_FORM),
  termResource(TAGS, TAG_FORM),
]
