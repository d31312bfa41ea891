import { eq, type SQL, sql } from 'drizzle-orm'
import { asColumns, contentColumns, ownFields } from '../content/columns.ts'
import { recordImage } from '../content/images.ts'
import { publicationOf } from '../content/publication.ts'
import { writtenBody } from '../content/single.ts'
import { changedSlug, newSlug } from '../content/slugs.ts'
import type { ContentWrites } from '../content/writes.ts'
import type { RequestContext } from '../context.ts'
import { recordChange, recordInsert } from '../db/audit.ts'
import { events } from '../db/schema.ts'
import { insertInto, update } from '../db/statements.ts'
import { costToStore } from '../lib/cost.ts'
import { ValidationErrors } from '../lib/errors.ts'
import { attendanceOf } from './attendance.ts'
import { changedCustomFields } from './custom-fields.ts'
import { EVENTS } from './kind.ts'
import { selectPlainEvents } from './queries.ts'
import {
  type LookedUp,
  linkStatements,
  lookUpRelations,
  permitRelations,
  resolveRelations,
  unlinkStatements,
} from './relations/lookups.ts'
import type { PlainEventRow } from './rows.ts'
import type { EventFields, EventResponse } from './schema.ts'
import { indexEvent } from './search.ts'
import { timesOf } from './times.ts'

type Values = Partial<EventFields>

/**
 * The columns of an event's own fields, except for the cost, the times (times.ts), those that depend on each other or on
 * what is stored (dependentColumns), the columns that all content shares, and relations, which are in other tables.
 */
function ownColumns(values: Values) {
  const {
    post_parent,
    cost: _cost,
    cost_details: _costDetails,
    start_date: _start,
    end_date: _end,
    timezone: _zone,
    all_day: _allDay,
    is_virtual: _isVirtual,
    virtual_event_type: _virtualType,
    custom_fields: _customFields,
    categories: _categories,
    tags: _tags,
    venue: _venue,
    organizer: _organizer,
    ...fields
  } = ownFields(values)
  return asColumns(events, { ...fields, post_parent: post_parent === 0 ? null : post_parent })
}

/** The column of the cost. A cost that is sent back as it was read stays unchanged. */
function costColumn(
  { settings }: RequestContext,
  { cost, cost_details: details }: Values,
  stored: string | undefined,
): { cost?: string } {
  if (cost === undefined) return {}
  return { cost: costToStore(cost, settings.currency, { stored, details }) }
}

/** The columns whose new values depend on several fields, or on the row before an update. */
const dependentColumns = (context: RequestContext, values: Values, stored: PlainEventRow | undefined) => ({
  ...costColumn(context, values, stored?.cost),
  ...attendanceOf(values, stored),
  ...timesOf(context, { values, stored }, new ValidationErrors()),
  custom_fields: changedCustomFields(
    { changes: values.custom_fields, stored: stored?.custom_fields },
    new ValidationErrors(),
  ),
})

/** The writes of events. Creating an event also creates its new venues, organizers and terms, in one transaction. */
export const eventWrites: ContentWrites<EventFields, PlainEventRow, LookedUp, EventResponse> = {
  selectStored: (_, condition) => selectPlainEvents(condition),
  lookUp: lookUpRelations,
  permit: permitRelations,
  validate: (context, { values, found, stored }, errors) => {
    resolveRelations(values, found, errors)
    timesOf(context, { values, stored }, errors)
    changedCustomFields({ changes: values.custom_fields, stored: stored?.custom_fields }, errors)
    if (stored && values.post_parent === stored.id)
      errors.add('post_parent', 'an event cannot be its own parent')
  },
  create: async (context, { values, found }) => {
    const publication = publicationOf(context, { given: values })
    const naming = { slug: values.slug, name: values.title, status: publication.status, fallback: 'event' }
    const row = {
      ...ownColumns(values),
      ...dependentColumns(context, values, undefined),
      ...contentColumns(values),
      ...publication,
      title: values.title,
      website: values.website ?? '',
      author_id: values.author ?? context.caller.id,
      slug: newSlug(events, naming),
    }
    // Ids only grow, and a batch is a transaction.
    const id = sql`(SELECT max(id) FROM ${events})`
    const statements = [
      ...recordImage(values.image),
      insertInto(events, row),
      recordInsert(context, 'event', Object.keys(values)),
      indexEvent(id, values),
      ...linkStatements(context, { values, event: id, relations: resolved(values, found) }),
    ]
    return written(context, statements, id)
  },
  update: async (context, { values, found, stored }) =>
    written(context, updateStatements(context, { values, found, stored }), sql`${stored.id}`),
}

/** Relations of values that have been validated. */
const resolved = (values: Values, found: LookedUp) => resolveRelations(values, found, new ValidationErrors())

function updateStatements(
  context: RequestContext,
  { values, found, stored }: { values: Values; found: LookedUp; stored: PlainEventRow },
): SQL[] {
  const { id } = stored
  const publication = publicationOf(context, { given: values, stored })
  const naming = {
    slug: values.slug,
    name: values.title ?? stored.title,
    status: publication.status,
    fallback: 'event',
  }
  const changes = {
    ...ownColumns(values),
    ...dependentColumns(context, values, stored),
    ...contentColumns(values),
    ...publication,
    version: stored.version + 1,
    slug: changedSlug(events, naming, stored),
  }
  const searchable = values.title ?? values.description ?? values.excerpt
  return [
    ...recordImage(values.image),
    update(events, changes, eq(events.id, id)),
    recordChange(context, { action: 'update', kind: 'event', fields: Object.keys(values) }, id),
    ...(searchable === undefined ? [] : [indexEvent(id, { ...stored, ...values })]),
    ...unlinkStatements(values, id),
    ...linkStatements(context, { values, event: id, relations: resolved(values, found) }),
  ]
}

/** Runs the statements of a write and reads the event afterwards. */
async function written(context: RequestContext, statements: SQL[], id: SQL) {
  const [row] = await context.db.change(statements, EVENTS.select(context, eq(events.id, id)))
  return writtenBody(context, { kind: EVENTS, row })
}
