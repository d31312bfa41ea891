import type { AnyRecord, OrganizerRecord, VenueRecord } from '../records.ts'
import { leftAs, type Planned, verdict } from './decisions.ts'
import type { Piece } from './piece.ts'
import { compare } from './relations.ts'
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
export const newVenueNames = (records: readonly AnyRecord[], piece: Piece): string[] =>
  records.flatMap(record => (record.kind === 'venue' && isNewAndShown(record, piece) ? [record.name] : []))

const isNewAndShown = (record: RelatedRecord, piece: Piece): boolean =>
  isShown(record) && !piece.mappingOf(record.kind, record.externalId)

/** Decides about a venue or organizer. */
export async function planRelated(record: RelatedRecord, piece: Piece): Promise<Planned> {
  const { kind, externalId } = record
  const compared = await compare(record, piece)
  const { known, stored, hash } = compared
  if (known?.importedVersion === null && stored) return leftAs('unchanged', record, { id: stored.id })
  const judged = verdict(known, hash, stored, piece.mirror)
  if (judged !== 'create' && judged !== 'update') return left(judged, compared, piece)
  const id =
    kind === 'venue' && isNewAndShown(record, piece) ? piece.existingVenue(relatedValues(record)) : undefined
  if (id === undefined) return written(compared, piece)
  piece.setRow(kind, { id, ...JOINED })
  const mapping = piece.map(kind, externalId, { target: id, hash, importedVersion: null })
  return { action: 'adopt', record, id, mapping, incomplete: false }
}

/** What has to be known of a venue that is joined: that it is there. */
const JOINED = { slug: '', version: 0, edition: '', status: 'publish', externalId: '' }
