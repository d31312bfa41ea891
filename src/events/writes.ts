import { type SQL, sql } from 'drizzle-orm'
import { recordChange, recordInsert } from '../db/audit.ts'
import { type Database, retryConflicts } from '../db/client.ts'
import { insertInto, updateSet } from '../db/rows.ts'
import { events } from '../db/schema.ts'
import type { Versioned } from '../http/reply.ts'
import type { Key } from '../http/route.ts'
import type { Checked } from '../http/validate.ts'
import { publicationOf } from '../posts/publication.ts'
import { answerOf, demandFound, hasKey } from '../posts/queries.ts'
import { demandAuthor, imageIdOf, recordImage } from '../posts/references.ts'
import { permalink } from '../posts/serialize.ts'
import { changedSlug, newSlug } from '../posts/slugs.ts'
import { demandEditable } from '../posts/writes.ts'
import type { View } from '../view.ts'
import { EVENTS } from './kind.ts'
import { gather, type Lookups, linkStatements, lookupQueries, unlinkStatements } from './lookups.ts'
import { type PlainEventRow, selectPlainEvents } from './rows.ts'
import type { EventAnswer, EventFields } from './schema.ts'
import { indexEvent } from './search.ts'
import { timesOf } from './times.ts'

type Values = Partial<EventFields>

/** Creates an event along with all that is new on it: one transaction. */
export const createEvent = (
  db: Database,
  view: View,
  { values, problems }: Checked<EventFields>,
): Promise<Versioned<EventAnswer>> =>
  retryConflicts(async () => {
    demandAuthor(values.author, view.caller)
    const queries = lookupQueries(values, view.caller)
    const lookups = gather(queries.length > 0 ? await db.batch(queries) : [], view.caller, problems)
    const times = timesOf(values, undefined, view, problems)
    problems.throwIfAny()
    const publication = publicationOf(values, undefined, view)
    const title = values.title ?? ''
    const row = {
      ...plainColumns(values),
      ...times,
      ...publication,
      title,
      author_id: values.author ?? view.caller.id,
      image_id: imageIdOf(values.image),
      website: values.website || null,
      slug: newSlug(events, {
        slug: values.slug,
        name: title,
        status: publication.status,
        fallback: 'event',
      }),
    }
    // Ids only grow, and no other request comes between the statements of a batch.
    const id = sql`(SELECT max(id) FROM ${events})`
    const statements = [
      ...recordImage(values.image),
      insertInto(events, row),
      recordInsert(view, 'event', Object.keys(values)),
      indexEvent(id, { ...values, title }),
      ...linkStatements(values, id, lookups, view),
    ]
    return written(db, statements, id, view)
  })

/** Changes the named fields of an event, and no others. */
export const updateEvent = (
  db: Database,
  view: View,
  key: Key,
  { values, problems }: Checked<EventFields>,
): Promise<Versioned<EventAnswer>> =>
  retryConflicts(async () => {
    const [[found], ...findings] = await db.batch([
      selectPlainEvents(hasKey(events, key)),
      ...lookupQueries(values, view.caller),
    ])
    const stored = demandFound(EVENTS, found)
    demandEditable(stored, view)
    demandAuthor(values.author, view.caller, stored.author_id)
    const lookups = gather(findings, view.caller, problems)
    const times = timesOf(values, stored, view, problems)
    if (values.post_parent === stored.id) problems.add('post_parent', 'an event cannot be its own parent')
    problems.throwIfAny()
    return written(db, changeStatements(values, stored, lookups, times, view), sql`${stored.id}`, view)
  })

function changeStatements(
  values: Values,
  stored: PlainEventRow,
  lookups: Lookups,
  times: object,
  view: View,
): SQL[] {
  const publication = publicationOf(values, stored, view)
  const naming = {
    slug: values.slug,
    name: values.title ?? stored.title,
    status: publication.status,
    fallback: 'event',
  }
  const changes = {
    ...plainColumns(values),
    ...times,
    ...publication,
    version: stored.version + 1,
    title: values.title,
    author_id: values.author,
    image_id: imageIdOf(values.image),
    website: websiteAfterUpdate(values, stored, view),
    slug: changedSlug(events, naming, stored),
  }
  const searched = values.title ?? values.description ?? values.excerpt
  return [
    ...recordImage(values.image),
    updateSet(events, changes, sql`${events.id} = ${stored.id}`),
    recordChange(view, { action: 'update', kind: 'event', fields: Object.keys(values) }, stored.id),
    ...(searched === undefined ? [] : [indexEvent(stored.id, { ...stored, ...values })]),
    ...unlinkStatements(values, stored.id),
    ...linkStatements(values, stored.id, lookups, view),
  ]
}

/** Runs the statements of one write and reads back what became of the event. */
async function written(
  db: Database,
  statements: SQL[],
  id: SQL,
  view: View,
): Promise<Versioned<EventAnswer>> {
  const [row] = await db.change(statements, EVENTS.select(sql`${events.id} = ${id}`))
  return answerOf(EVENTS, row, view)
}

/** The columns that take a field's value as it is. */
const plainColumns = (values: Values) => ({
  description: values.description,
  excerpt: values.excerpt,
  cost: values.cost,
  show_map: values.show_map,
  show_map_link: values.show_map_link,
  hide_from_listings: values.hide_from_listings,
  sticky: values.sticky,
  featured: values.featured,
  ticketed: values.ticketed,
  post_parent: values.post_parent === 0 ? null : values.post_parent,
})

/**
 * The website that an update leaves behind. Emptied, or sent back as it was shown, it is none, and the
 * permalink is shown. An event that never had one and is updated otherwise shows an empty text from then on:
 * the recorded answers of this interface tell the two apart.
 */
function websiteAfterUpdate({ website }: Values, stored: PlainEventRow, view: View): string | null {
  if (website === undefined) return stored.website ?? ''
  return website === '' || website === permalink(stored, 'event', view) ? null : website
}
