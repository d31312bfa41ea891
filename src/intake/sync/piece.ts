import type { SQL } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { together } from '../../db/query.ts'
import { asOneChange } from '../../db/statements.ts'
import { requestIdOf } from '../../lib/audit-source.ts'
import { selectUsedElsewhere } from '../../resources/events/imported.ts'
import type { AnyRecord, OrganizerRecord, VenueRecord } from '../records.ts'
import type { Planned } from './decisions.ts'
import { load } from './load.ts'
import { recordKey, recordKeys } from './names.ts'
import { plan } from './plan.ts'
import { State } from './state.ts'
import { selectMapped, unchangedAmong } from './unchanged.ts'
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
  const options = { mirror, authorId, context }
  const all = await withUsedElsewhere(context, source, records)
  const mapped = await context.db.get(selectMapped(source, recordKeys(all).values()))
  const unchanged = await unchangedAmong({ records: all, mapped, own: state.own }, options)
  const changed = all.filter(record => !unchanged.has(record))
  const keys = recordKeys(changed)
  const concerned = mapped.filter(({ kind, external_id }) => keys.has(recordKey(kind, external_id)))
  if (changed.length > 0) await load(context, { source, records: changed, mapped: concerned, mirror }, state)
  const planned: Planned[] = []
  // One after the other: each sees what those before it do.
  for (const record of all) planned.push(unchanged.get(record) ?? (await plan(record, state, options)))
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

type RelatedRecord = VenueRecord | OrganizerRecord

const isHiddenRelated = (record: AnyRecord): record is RelatedRecord =>
  'isHidden' in record && record.isHidden === true

/**
 * Leaves venues and organizers as they are that only unpublished events of their source name, but public events of another
 * origin use.
 */
async function withUsedElsewhere(
  { db }: RequestContext,
  source: string,
  records: readonly AnyRecord[],
): Promise<readonly AnyRecord[]> {
  const idsOf = (kind: RelatedRecord['kind']) =>
    records.flatMap(record => (isHiddenRelated(record) && record.kind === kind ? [record.externalId] : []))
  const [ofVenues, ofOrganizers] = [idsOf('venue'), idsOf('organizer')]
  if (ofVenues.length + ofOrganizers.length === 0) return records
  const used = await db.get(
    together({
      venue: selectUsedElsewhere({ source, kind: 'venue', ids: ofVenues }),
      organizer: selectUsedElsewhere({ source, kind: 'organizer', ids: ofOrganizers }),
    }),
  )
  const statuses = { venue: new Map(used.venue), organizer: new Map(used.organizer) }
  return records.map(record => {
    const status = isHiddenRelated(record) ? statuses[record.kind].get(record.externalId) : undefined
    // Spreading a union forgets which one it was.
    return status === undefined ? record : ({ ...record, status } as AnyRecord)
  })
}
