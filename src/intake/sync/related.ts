import type { AnyRecord, OrganizerRecord, VenueRecord } from '../records.ts'
import { leftAs, type Planned, type PlanOptions, verdict } from './decisions.ts'
import { compare } from './relations.ts'
import type { State } from './state.ts'
import { left, relatedValues, written } from './written.ts'

// Venues and organizers. A venue that the calendar has already is mapped to without a version (`imported_version` is null), as
// terms are: it is the calendar's own, and no source changes it or takes it to the trash.

export type RelatedRecord = VenueRecord | OrganizerRecord

export const isRelated = (record: AnyRecord): record is RelatedRecord =>
  record.kind === 'venue' || record.kind === 'organizer'

/** Scheduled sources, which give what they publish the status that it waits in. */
const IS_SCHEDULED = /^source:/

/** Tells if a source shows something, or hides it only because of the events that name it. */
const isShown = ({ status, isHidden, source }: RelatedRecord): boolean =>
  status === 'publish' ||
  isHidden === true ||
  (IS_SCHEDULED.test(source) && (status === 'pending' || status === 'draft'))

/** The names of new venues, which the calendar may have already. */
export const newVenueNames = (records: readonly AnyRecord[], state: State): string[] =>
  records.flatMap(record => (record.kind === 'venue' && isNewAndShown(record, state) ? [record.name] : []))

const isNewAndShown = (record: RelatedRecord, state: State): boolean =>
  isShown(record) && !state.mappingOf(record.source, record.kind, record.externalId)

/** Decides about a venue or organizer. */
export async function planRelated(
  record: RelatedRecord,
  state: State,
  options: PlanOptions,
): Promise<Planned> {
  const { kind, source, externalId } = record
  const compared = await compare(record, state)
  const { known, stored, hash } = compared
  if (known?.importedVersion === null && stored) return leftAs('unchanged', record, { id: known.target })
  const judged = verdict(known, hash, stored, options.mirror)
  if (judged !== 'create' && judged !== 'update') return left(judged, compared, state, options)
  const existing =
    record.kind === 'venue' && isNewAndShown(record, state)
      ? state.existingVenue(relatedValues(record))
      : undefined
  if (existing === undefined) return written(compared, state, options)
  const mapping = { target: existing, hash, importedVersion: null }
  state.setMapping(source, kind, externalId, mapping)
  state.content[kind].set(existing, JOINED)
  return { action: 'adopt', record, id: existing, mapping, incomplete: false }
}

/** What has to be known of a venue that is joined: that it is there. */
const JOINED = { slug: '', version: 0, edition: '', status: 'publish', start: '', externalId: '' }
