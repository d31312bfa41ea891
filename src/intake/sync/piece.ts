import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { inList, many, type Query, together } from '../../db/query.ts'
import { eventOrganizers, events, eventVenues, imports, organizers, venues } from '../../db/schema.ts'
import { asOneChange } from '../../db/statements.ts'
import { requestIdOf } from '../../lib/audit-source.ts'
import type { Status } from '../../lib/statuses.ts'
import type { AnyRecord, OrganizerRecord, VenueRecord } from '../records.ts'
import type { Planned } from './decisions.ts'
import { draftOf } from './draft.ts'
import { load } from './load.ts'
import { plan } from './plan.ts'
import { isRelated, planRelated } from './related.ts'
import { State } from './state.ts'
import { statementsFor } from './writes.ts'

type PieceOptions = {
  /** Makes everything as it is at the source, and undoes edits made here. */
  mirror: boolean
  /** The author of new content whose source names none. */
  authorId: number
  /** Writes nothing. `state` then knows what would have been written before. */
  dryRun?: boolean
  state?: State
}

/** What is to be done about some records. */
export type PlannedPiece = {
  /** What becomes of each record, in order. */
  planned: Planned[]
  /** The statements that do it, of all records or of the first ones. They are one transaction. */
  statementsOf: (some: readonly Planned[]) => SQL[]
}

/**
 * Works out how the calendar is brought in line with some records of one source: what was imported before is updated, unless it
 * was edited here.
 *
 * @param records each after those that it refers to; what is not here yet is left out, and told as `incomplete`
 */
export async function planPiece(
  context: RequestContext,
  source: string,
  records: readonly AnyRecord[],
  { mirror, authorId, state = new State() }: Omit<PieceOptions, 'dryRun'>,
): Promise<PlannedPiece> {
  const options = { mirror, authorId, now: context.now, timezone: context.settings.timezone }
  const drafts = (await withUsedPlaces(context, source, records)).map(draftOf)
  await load(context, { source, drafts, mirror }, state)
  const planned: Planned[] = []
  // One after the other: each sees what those before it do.
  for (const draft of drafts)
    planned.push(
      isRelated(draft)
        ? await planRelated(context, draft, state, options)
        : await plan(draft, state, options),
    )
  const origin = { ...context, requestId: requestIdOf(source) }
  return {
    planned,
    statementsOf: some => {
      const statements = statementsFor(origin, some, state)
      return statements.length === 0 ? [] : asOneChange(statements)
    },
  }
}

/**
 * Brings the calendar in line with some records of one source, in one transaction. It reads and writes nothing else, and works
 * wherever the service does: a hundred new events with venues, organizers, terms and images take some 40 statements.
 *
 * @returns what has become of each record, in order
 * @throws Error if the database refuses the transaction: then nothing was written
 * @see planPiece
 */
export async function syncPiece(
  context: RequestContext,
  source: string,
  records: readonly AnyRecord[],
  { dryRun = false, ...options }: PieceOptions,
): Promise<Planned[]> {
  const { planned, statementsOf } = await planPiece(context, source, records, options)
  const statements = dryRun ? [] : statementsOf(planned)
  if (statements.length > 0) await context.db.change(statements)
  return planned
}

type Place = VenueRecord | OrganizerRecord

const isHiddenPlace = (record: AnyRecord): record is Place => 'isHidden' in record && record.isHidden === true

/** A query of the statuses of those of some venues or organizers that public events of another origin use. */
function selectUsedElsewhere(
  source: string,
  kind: Place['kind'],
  ids: readonly string[],
): Query<[externalId: string, status: Status][]> {
  const [table, links] = kind === 'venue' ? [venues, eventVenues] : [organizers, eventOrganizers]
  const isOfSource = (of: 'event' | 'series', id: typeof events.id | typeof events.series_id) =>
    sql`EXISTS (SELECT 1 FROM ${imports} AS own INDEXED BY imports_target
      WHERE own.kind = ${of} AND own.target_id = ${id} AND own.source = ${source})`
  return many(
    sql`SELECT place.external_id, stored.status FROM ${imports} AS place CROSS JOIN ${table} AS stored ON stored.id = place.target_id
      WHERE place.source = ${source} AND place.kind = ${kind} AND place.external_id IN ${inList(ids)} AND EXISTS (
        SELECT 1 FROM ${links} AS link CROSS JOIN ${events} ON ${events.id} = link.event_id
        WHERE link.target_id = stored.id AND ${events.status} = 'publish'
          AND NOT ${isOfSource('event', events.id)} AND NOT ${isOfSource('series', events.series_id)})`,
    // Of the column of that name.
    row => [String(row.external_id), row.status as Status],
  )
}

/**
 * Leaves venues and organizers as they are that only unpublished events of their source name, but public events of another
 * origin use.
 */
async function withUsedPlaces(
  { db }: RequestContext,
  source: string,
  records: readonly AnyRecord[],
): Promise<readonly AnyRecord[]> {
  const idsOf = (kind: Place['kind']) =>
    records.flatMap(record => (isHiddenPlace(record) && record.kind === kind ? [record.externalId] : []))
  const [ofVenues, ofOrganizers] = [idsOf('venue'), idsOf('organizer')]
  if (ofVenues.length + ofOrganizers.length === 0) return records
  const used = await db.get(
    together({
      venue: selectUsedElsewhere(source, 'venue', ofVenues),
      organizer: selectUsedElsewhere(source, 'organizer', ofOrganizers),
    }),
  )
  const statuses = { venue: new Map(used.venue), organizer: new Map(used.organizer) }
  return records.map(record => {
    const status = isHiddenPlace(record) ? statuses[record.kind].get(record.externalId) : undefined
    // Spreading a union forgets which one it was.
    return status === undefined ? record : ({ ...record, status } as AnyRecord)
  })
}
