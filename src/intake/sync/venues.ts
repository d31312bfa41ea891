import { sql } from 'drizzle-orm'
import { type ExistingVenue, existingVenue } from '../../resources/venues/existing.ts'
import type { VenueRecord } from '../records.ts'
import { leftAs, type Planned } from './decisions.ts'
import { type Draft, isTermDraft } from './draft.ts'
import type { Compared } from './relations.ts'
import type { State } from './state.ts'

// A venue that a source names and that the calendar has already is mapped to it without a version (`imported_version` is null),
// as terms are. It is the calendar's own: no source changes it, or takes it to the trash.

/** Scheduled sources, which give what they publish the status that it waits in. */
const IS_SCHEDULED = /^source:/

/** Tells if a source shows a venue, or hides it only because of the events that name it. */
function isShown({ status, isHidden, source }: VenueRecord): boolean {
  if (status === 'publish' || isHidden) return true
  return IS_SCHEDULED.test(source) && (status === 'pending' || status === 'draft')
}

/** The names of venues that may be in the calendar already: those that no record was mapped to yet. */
export function newVenueNames(drafts: readonly Draft[], state: State): string[] {
  return drafts.flatMap(draft => {
    if (isTermDraft(draft) || 'columns' in draft.record || draft.record.kind !== 'venue') return []
    const { source, externalId, record } = draft
    return isShown(record) && !state.mappingOf(source, 'venue', externalId) ? [record.name] : []
  })
}

/** A condition for venues that a source has not made: what it tells apart stays apart. */
export const isNotMadeBy = (source: string) =>
  sql`NOT EXISTS (SELECT 1 FROM imports AS own INDEXED BY imports_target WHERE own.kind = 'venue'
    AND own.target_id = venues.id AND own.source = ${source} AND own.imported_version IS NOT NULL)`

/**
 * An expression that is true for mappings to a venue that another source names as well. Backups are none: what they restore has
 * the mappings of its sources beside theirs.
 */
export const IS_SHARED = sql.raw(`(imports.kind = 'venue' AND EXISTS (
  SELECT 1 FROM imports AS other INDEXED BY imports_target WHERE other.kind = 'venue'
    AND other.target_id = imports.target_id AND other.source <> imports.source AND NOT other.source GLOB 'backup:*'))`)

/** The decision about a venue that is the calendar's own; undefined for one that its source makes or changes. */
export function joinedVenue({ draft, known, stored, hash }: Compared, state: State): Planned | undefined {
  const { record, source, externalId } = draft
  if ('columns' in record || record.kind !== 'venue') return undefined
  if (known?.importedVersion === null && stored) return leftAs('unchanged', record, { id: known.target })
  if (known || !isShown(record)) return undefined
  const venue = existingVenue(comparedOf(record), state.venues)
  if (!venue) return undefined
  const { id } = venue
  const mapping = { target: id, hash, importedVersion: null }
  state.setMapping(source, 'venue', externalId, mapping)
  state.content.venue.set(id, storedAs(venue))
  return { action: 'adopt', record, id, mapping, incomplete: false }
}

const comparedOf = ({ name, address = '', city = '', geo_lat = null, geo_lng = null }: VenueRecord) => ({
  ...{ name, address, city, lat: geo_lat, lng: geo_lng },
})

const storedAs = ({ slug, version, external_id }: ExistingVenue) => ({
  ...{ slug, version, edition: String(version), status: 'publish', start: '', externalId: external_id },
})
