import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { inList, many, type Query, together } from '../../db/query.ts'
import { eventOrganizers, events, eventVenues, imports, organizers, venues } from '../../db/schema.ts'
import type { Status } from '../../lib/statuses.ts'
import type { AnyRecord, OrganizerRecord, VenueRecord } from '../records.ts'

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
export async function withUsedPlaces(
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
