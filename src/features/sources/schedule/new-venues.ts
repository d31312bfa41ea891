import type { RequestContext } from '../../../context.ts'
import { mapped, type Query, settled, together } from '../../../db/query.ts'
import type { VenueRecord } from '../../../intake/records.ts'
import { IS_WAITING, isMadeBy, selectMapped } from '../../../intake/sync/mappings.ts'
import { withStatuses } from '../../../intake/sync/settings.ts'
import { relatedValues } from '../../../intake/sync/written.ts'
import { isWaiting } from '../../../lib/statuses.ts'
import { importSource, type SourceRow } from '../../../resources/sources/queries.ts'
import { ExistingVenues, selectExisting } from '../../../resources/venues/same-venue.ts'

/**
 * A query of the external ids of those venues of a source that an import would make: neither has the source brought them before, nor
 * does the calendar have the same. Planning the import says so as well, but takes as many statements as importing.
 */
export function selectNewVenues(
  context: RequestContext,
  row: SourceRow,
  records: readonly VenueRecord[],
): Query<ReadonlySet<string>> {
  if (records.length === 0) return settled(new Set())
  const source = importSource(row.id)
  const found = together({
    mappings: selectMapped(source, records, row),
    existing: selectExisting(context, {
      names: records.map(({ name }) => name),
      source,
      isOwn: isMadeBy(source),
      isWaiting: IS_WAITING,
    }),
  })
  return mapped(found, ({ mappings, existing }) => {
    // Without a version, the row was deleted here.
    const known = new Set(
      mappings.flatMap(({ external_id, version }) => (version === null ? [] : external_id)),
    )
    const venues = new ExistingVenues()
    for (const venue of existing) venues.add(venue)
    return new Set(
      withStatuses(records, row, mappings).flatMap(record =>
        record.kind !== 'venue' ||
        known.has(record.externalId) ||
        venues.sameAs(relatedValues(record), { source, isWaiting: isWaiting(record.status) })
          ? []
          : [record.externalId],
      ),
    )
  })
}
