import { eq, type SQL, sql } from 'drizzle-orm'
import { listingCounts } from '../../../db/derived.ts'
import { firstOf, literal, many, mapped, together } from '../../../db/query.ts'
import { type Capability, mayEdit } from '../../../lib/roles.ts'
import { STATUSES, type Status, statusAt } from '../../../lib/statuses.ts'
import { isRelatedListed } from '../../../resources/content/related/queries.ts'
import type {
  OrganizerRow,
  RelatedResource,
  RelatedRow,
  VenueRow,
} from '../../../resources/content/related/resource.ts'
import { ORGANIZERS } from '../../../resources/organizers/resource.ts'
import { VENUES } from '../../../resources/venues/resource.ts'
import type { Form } from '../../forms/form.ts'
import { ORGANIZER_FORM, VENUE_FORM } from '../../forms/forms.ts'
import type { AllFieldWords } from '../../forms/words.ts'
import { plain } from '../../html/text.ts'
import { PER_PAGE, type Resource } from './resource.ts'

/** An expression of the number of events that lists show with a venue or organizer: it reads a row for each month. */
const eventsWith = (singular: 'venue' | 'organizer', id: SQL): SQL =>
  sql`(SELECT coalesce(sum(${listingCounts.starts}), 0) FROM ${listingCounts}
    WHERE ${listingCounts.facet} = ${singular} AND ${listingCounts.target_id} = ${id} AND ${listingCounts.grain} = 'month')`

type Row = RelatedRow & { author_id: number; version: number; status: Status }

type Declared<R extends Row, Body> = {
  kind: RelatedResource<R, Body>
  form: Form<keyof AllFieldWords>
  /** An expression of what is shown beside the name. */
  detail: SQL
}

/** Venues or organizers in the editor. */
function relatedResource<R extends Row, Body extends { url: string }>({
  kind,
  form,
  detail,
}: Declared<R, Body>): Resource {
  const { singular, plural, table } = kind
  const requires: Capability = 'edit_content'
  const isMine: Resource['isEditable'] = ({ caller, now }, { body }) =>
    // Of a serialized row, which has all of these.
    mayEdit(caller, {
      author_id: Number(body.author),
      status: statusAt({ status: body.status as Status, date_utc: String(body.date_utc) }, now),
    })
  return {
    name: plural,
    singular,
    form,
    requires,
    createdBy: requires,
    hasTrash: true,
    isEditable: isMine,
    list: (context, { search, status, page }) => {
      const values = { ...(search !== '' && { search }), ...(status && { status: [status] }) }
      const index = search === '' ? sql`INDEXED BY ${sql.identifier(`${plural}_name`)}` : sql``
      return many(
        // Events are counted for the page only: a search may find half of all venues.
        sql`WITH page AS MATERIALIZED (SELECT id, name, ${detail} AS detail, status, author_id, date_utc
            FROM ${table} ${index} WHERE ${isRelatedListed(context, kind, values)}
            ORDER BY name, id LIMIT ${literal(PER_PAGE + 1)} OFFSET ${(page - 1) * PER_PAGE})
          SELECT page.*, ${eventsWith(singular, sql`page.id`)} AS events FROM page ORDER BY name, id`,
        row => {
          const stored = STATUSES.find(name => name === row.status) ?? 'draft'
          const current = statusAt({ status: stored, date_utc: String(row.date_utc) }, context.now)
          return {
            id: Number(row.id),
            name: plain(String(row.name)),
            detail: plain(String(row.detail ?? '')),
            events: Number(row.events),
            status: current,
            depth: 0,
            isEditable: mayEdit(context.caller, { author_id: Number(row.author_id), status: current }),
          }
        },
      )
    },
    find: (context, id) =>
      mapped(
        together({
          row: firstOf(kind.select(context, eq(table.id, id))),
          events: many(sql`SELECT ${eventsWith(singular, sql`${id}`)} AS events`, row => Number(row.events)),
        }),
        ({ row, events: [events = 0] }) => {
          if (!row) return undefined
          const body = kind.serialize(row, context)
          return {
            id,
            name: plain(row.name),
            version: row.version,
            status: statusAt(row, context.now),
            events,
            body,
            url: body.url,
          }
        },
      ),
  }
}

export const venueResource = relatedResource<VenueRow, ReturnType<typeof VENUES.serialize>>({
  kind: VENUES,
  form: VENUE_FORM,
  detail: sql`city`,
})

export const organizerResource = relatedResource<OrganizerRow, ReturnType<typeof ORGANIZERS.serialize>>({
  kind: ORGANIZERS,
  form: ORGANIZER_FORM,
  detail: sql`email`,
})
