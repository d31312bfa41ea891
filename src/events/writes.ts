import { eq, type SQL, sql } from 'drizzle-orm'
import { recordImage } from '../content/images.ts'
import { publicationOf } from '../content/publication.ts'
import { writtenBody } from '../content/single.ts'
import { changedSlug, newSlug } from '../content/slugs.ts'
import type { ContentWrites } from '../content/writes.ts'
import type { RequestContext } from '../context.ts'
import { recordChange, recordInsert } from '../db/audit.ts'
import { events } from '../db/schema.ts'
import { insertInto, update } from '../db/statements.ts'
import { ValidationErrors } from '../lib/errors.ts'
import { columnsOf } from './columns.ts'
import { changedCustomFields } from './custom-fields.ts'
import { EVENTS } from './kind.ts'
import { changedValues } from './recurrence/changes.ts'
import { newSeries, repeatEvent, validateNewSeries } from './recurrence/create.ts'
import { scopeParam } from './recurrence/fields.ts'
import { detach, endRecurrence } from './recurrence/one.ts'
import { deleteEvent } from './recurrence/remove.ts'
import { takenBySeries } from './recurrence/slugs.ts'
import { type StoredEvent, type StoredSeries, selectStored } from './recurrence/stored.ts'
import { assertMayEditAll, changeStatements, isWide, validateOccurrence } from './recurrence/update.ts'
import {
  type LookedUp,
  linkStatements,
  lookUpRelations,
  permitRelations,
  resolved,
  resolveRelations,
  unlinkStatements,
} from './relations/lookups.ts'
import { eventOwner } from './relations/owner.ts'
import type { EventRow } from './rows.ts'
import type { EventFields, EventResponse } from './schema.ts'
import { indexEvent } from './search.ts'
import { timesOf } from './times.ts'

type Values = Partial<EventFields>
type Update = { values: Values; found: LookedUp; stored: StoredEvent }

/** Tells an occurrence from a single event. */
const isOccurrence = (stored: StoredEvent): stored is StoredEvent & { series: StoredSeries } =>
  stored.series !== null

/** The writes of events. Creating an event also creates its new venues, organizers and terms, in one transaction. */
export const eventWrites: ContentWrites<EventFields, StoredEvent, LookedUp, EventResponse, EventRow> = {
  options: scopeParam,
  selectStored,
  lookUp: lookUpRelations,
  permit: (context, { values, found, stored }) => {
    permitRelations(context, { values, found })
    if (stored?.series && isWide(values)) assertMayEditAll(context, stored.series, stored.series.occurrences)
  },
  validate: (context, { values, found, stored }, errors) => {
    resolveRelations(values, found, errors)
    timesOf(context, { values, stored }, errors)
    changedCustomFields({ changes: values.custom_fields, stored: stored?.custom_fields }, errors)
    if (stored && values.post_parent === stored.id)
      errors.add('post_parent', 'an event cannot be its own parent')
    if (errors.any) return
    if (stored && isOccurrence(stored)) validateOccurrence(context, { values, found, stored }, errors)
    else validateNewSeries(context, { values, stored }, errors)
  },
  create: async (context, { values, found }) => {
    if (values.recurrence) {
      const { statements, first } = newSeries(context, { values, found })
      return written(context, statements, first)
    }
    const publication = publicationOf(context, { given: values })
    const naming = {
      slug: values.slug,
      name: values.title,
      status: publication.status,
      fallback: 'event',
      takenElsewhere: takenBySeries(),
    }
    const row = {
      ...columnsOf(context, { values }),
      ...timesOf(context, { values }, new ValidationErrors()),
      ...publication,
      title: values.title,
      website: values.website ?? '',
      author_id: values.author ?? context.caller.id,
      slug: newSlug(events, naming),
    }
    // Ids only grow, and a batch is a transaction.
    const id = sql`(SELECT max(id) FROM ${events})`
    const statements = [
      ...recordImage(context, values.image),
      insertInto(events, row),
      recordInsert(context, 'event', Object.keys(values)),
      indexEvent(id, values),
      ...linkStatements(context, { values, owner: eventOwner(id), relations: resolved(values, found) }),
    ]
    return written(context, statements, id)
  },
  update: async (context, input) =>
    written(context, updateStatements(context, input), sql`${input.stored.id}`),
  remove: (context, { row, force, options: { scope = 'this' } }) =>
    deleteEvent(context, { row, force, scope }),
}

function updateStatements(context: RequestContext, { values, found, stored }: Update): SQL[] {
  if (isOccurrence(stored)) {
    const input = { values, found, stored }
    if (values.recurrence === '') return [...plainUpdate(context, input), ...endRecurrence(context, input)]
    return isWide(values) ? changeStatements(context, input) : updateOne(context, input)
  }
  const plain = plainUpdate(context, { values, found, stored })
  const searchable = values.title ?? values.description ?? values.excerpt
  return [
    ...plain,
    ...(searchable === undefined ? [] : [indexEvent(stored.id, { ...stored, ...values })]),
    ...(values.recurrence ? repeatEvent(context, { values, stored }) : []),
  ]
}

/** The statements that change one occurrence of a series, and detach it from there as far as it differs. */
function updateOne(
  context: RequestContext,
  { values, found, stored }: Update & { stored: { series: StoredSeries } },
): SQL[] {
  const changed = changedValues(context, { values, found, stored })
  const { status } = publicationOf(context, { given: changed, stored })
  const { columns, statements } = detach(context, { changed, status, stored })
  return [...plainUpdate(context, { values: changed, found, stored }, columns), ...statements]
}

/** The statements that change the columns and relations of one event. */
function plainUpdate(
  context: RequestContext,
  { values, found, stored }: Update,
  columns: { detached?: string } = {},
): SQL[] {
  const { id } = stored
  const publication = publicationOf(context, { given: values, stored })
  const naming = {
    slug: values.slug,
    name: values.title ?? stored.title,
    status: publication.status,
    fallback: 'event',
    takenElsewhere: takenBySeries(stored.series?.slug),
  }
  const changes = {
    ...columnsOf(context, { values, stored }),
    ...timesOf(context, { values, stored }, new ValidationErrors()),
    ...publication,
    ...columns,
    version: stored.version + 1,
    slug: changedSlug(events, naming, stored),
  }
  return [
    ...recordImage(context, values.image),
    update(events, changes, eq(events.id, id)),
    recordChange(context, { action: 'update', kind: 'event', fields: Object.keys(values) }, id),
    ...unlinkStatements(values, eventOwner(id)),
    ...linkStatements(context, { values, owner: eventOwner(id), relations: resolved(values, found) }),
  ]
}

/** Runs the statements of a write and reads the event afterwards. */
async function written(context: RequestContext, statements: SQL[], id: SQL) {
  const [row] = await context.db.change(statements, EVENTS.select(context, eq(events.id, id)))
  return writtenBody(context, { kind: EVENTS, row })
}
