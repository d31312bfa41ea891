import { inArray, type SQL } from 'drizzle-orm'
import type { ContentContext } from '../../../kit/context.ts'
import type { Database } from '../../../kit/db/database.ts'
import { combineQueries, inList } from '../../../kit/db/query.ts'
import { organizers, venues } from '../../../kit/db/tables.ts'
import { mayEdit } from '../../../kit/lib/roles.ts'
import { isPublicStatus, isWaiting, type Status } from '../../../kit/lib/statuses.ts'
import type { DateTime } from '../../../kit/lib/time.ts'
import { compareTexts } from '../../../kit/lib/values.ts'
import { prepareRelatedUpdate } from '../../content/related/prepare.ts'
import type { RelatedRow, RelatedTables } from '../../content/related/resource.ts'
import { relatedStatements } from '../../content/related/writes.ts'
import { numberRows, withAuditedValues } from '../../content/writes.ts'
import { ORGANIZERS } from '../../organizers/resource.ts'
import { VENUES } from '../../venues/resource.ts'
import { type NamedLinks, type NewLinks, NO_NEW_LINKS, selectNamedNewLinks } from './links.ts'

type PublicationState = { status: Status; date_utc: DateTime }

/**
 * The new venues and organizers of an event, its publication before and after a write, and the unpublished
 * venues and organizers that the write names. These are new, too, if they will be once the event is stored.
 */
export type LinkedPublication = {
  links: NewLinks
  named?: NamedLinks
  before: PublicationState
  after: PublicationState
}

/**
 * The rows that writes are about to publish: of writers that share a transaction, the first publishes a row.
 */
const pendingRows = new WeakMap<Database, Set<string>>()

/**
 * Runs a write of events with the statements that publish their new venues and organizers. A row that becomes
 * public later does so at the time of the event, and follows the event if that is put off or taken back.
 */
export async function withLinkedPublications<T>(
  context: ContentContext,
  publications: readonly LinkedPublication[],
  write: (statements: readonly SQL[]) => Promise<T>,
): Promise<T> {
  const events = await withNamed(context, publications)
  const rows = await readRowsOf(context, events)
  const pending = pendingRows.get(context.db) ?? new Set<string>()
  pendingRows.set(context.db, pending)
  const keys = [
    rows.venue.map(({ id }) => `venue ${id}`),
    rows.organizer.map(({ id }) => `organizer ${id}`),
  ].flat()
  const ownKeys = keys.filter(key => !pending.has(key))
  const isOwn =
    (kind: keyof NewLinks) =>
    ({ id }: RelatedRow) =>
      ownKeys.includes(`${kind} ${id}`)
  const statements = [
    ...(await publicationStatements(context, {
      resource: VENUES,
      rows: rows.venue.filter(isOwn('venue')),
      events,
    })),
    ...(await publicationStatements(context, {
      resource: ORGANIZERS,
      rows: rows.organizer.filter(isOwn('organizer')),
      events,
    })),
  ]
  for (const key of ownKeys) pending.add(key)
  // A writer that shares the transaction is prepared during this write.
  return write(statements).finally(() => {
    for (const key of ownKeys) pending.delete(key)
  })
}

/** Adds what writes name to the new venues and organizers of their events. */
async function withNamed(
  context: ContentContext,
  events: readonly LinkedPublication[],
): Promise<readonly LinkedPublication[]> {
  const named = events.map(event => ({
    venue: [],
    organizer: [],
    ...event.named,
    date_utc: event.after.date_utc,
  }))
  if (named.every(({ venue, organizer }) => venue.length + organizer.length === 0)) return events
  const newLinks = await context.db.read(selectNamedNewLinks(named))
  return events.map((event, n) => {
    const more = newLinks.get(n) ?? NO_NEW_LINKS
    const idsOf = (kind: keyof NewLinks) => new Set([...event.links[kind], ...more[kind]])
    return { ...event, links: { venue: idsOf('venue'), organizer: idsOf('organizer') } }
  })
}

async function readRowsOf(context: ContentContext, events: readonly LinkedPublication[]) {
  const idsOf = (kind: keyof NewLinks) => [...new Set(events.flatMap(({ links }) => [...links[kind]]))]
  const ids = { venue: idsOf('venue'), organizer: idsOf('organizer') }
  if (ids.venue.length + ids.organizer.length === 0) return { venue: [], organizer: [] }
  return context.db.read(
    combineQueries({
      venue: VENUES.select(context, inArray(venues.id, inList(ids.venue))),
      organizer: ORGANIZERS.select(context, inArray(organizers.id, inList(ids.organizer))),
    }),
  )
}

type RowsAndEvents = {
  resource: RelatedTables & { singular: keyof NewLinks }
  rows: readonly RelatedRow[]
  events: readonly LinkedPublication[]
}

async function publicationStatements(
  context: ContentContext,
  { resource, rows, events }: RowsAndEvents,
): Promise<SQL[]> {
  const updates = rows.flatMap(row => {
    const wanted = events
      .filter(({ links }) => links[resource.singular].has(row.id))
      .flatMap(event => publicationWith(event, row) ?? [])
      // The first event that shows the row decides; an event that is taken back comes last.
      .sort(
        (a, b) =>
          Number(isPublicStatus(b.status)) - Number(isPublicStatus(a.status)) ||
          compareTexts(a.date_utc, b.date_utc),
      )
    const [first] = wanted
    if (!first || !mayEdit(context.caller, row)) return []
    const { status, date_utc } = first
    const isLater = status === 'future' || row.date_utc > date_utc
    const update = prepareRelatedUpdate(context, resource, {
      values: { status, ...(isLater && isPublicStatus(status) && { date_utc }) },
      stored: row,
    })
    return 'same' in update ? [] : [update]
  })
  return relatedStatements(context, resource, numberRows(await withAuditedValues(context, updates)))
}

/** The publication that a venue or organizer gets along with an event; undefined if it keeps its own. */
function publicationWith(
  { before, after }: LinkedPublication,
  row: PublicationState,
): PublicationState | undefined {
  if (isPublicStatus(after.status)) {
    const hadTimeOfEvent = before.status === 'future' && before.date_utc === row.date_utc
    return isWaiting(row.status) || hadTimeOfEvent || after.date_utc < row.date_utc ? after : undefined
  }
  const isTakenBack =
    row.status === 'future' && before.status === 'future' && before.date_utc === row.date_utc
  return isTakenBack ? { status: 'draft', date_utc: after.date_utc } : undefined
}
