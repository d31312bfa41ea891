import { sourceIdIn } from '../../kit/db/tables.ts'
import { importedSlug, spellingsOf } from '../../kit/lib/slug.ts'
import { isWaiting } from '../../kit/lib/statuses.ts'
import { CATEGORIES, MAX_LEVELS, nameKey, TAGS } from '../terms/resource.ts'
import { prepareImportedTerm } from '../terms/writes.ts'
import { comparedOf } from '../venues/same-venue.ts'
import type { ImportBatch } from './batch.ts'
import { decisionToLeave, judgeRecord, type PlannedRecord } from './decisions.ts'
import { hashOf } from './hashes.ts'
import type { AnyRecord, OrganizerRecord, RecordKind, TermRecord, VenueRecord } from './records.ts'
import { compareRecord } from './relations.ts'
import { decideWrite, relatedValues, withdrawOrLeave } from './write-decisions.ts'

// Venues, organizers and terms, which events refer to. If the calendar already has one of them, the
// record's mapping has no version (`imported_version` is null): the row is the calendar's own, and no source
// changes it or moves it to the trash.

export type RelatedRecord = VenueRecord | OrganizerRecord

export const isRelated = (record: AnyRecord): record is RelatedRecord =>
  record.kind === 'venue' || record.kind === 'organizer'

/**
 * True if a source shows a venue or organizer, or hides it only because of the events that name it. Scheduled
 * sources give new content the status in which it waits.
 */
const isShown = (record: RelatedRecord): boolean =>
  record.status === 'publish' ||
  record.isHidden === true ||
  (sourceIdIn(record.source) !== undefined && isWaiting(record.status))

/** The names of new venues or organizers, which the calendar may have already. */
export const newNames = (
  kind: RelatedRecord['kind'],
  records: readonly AnyRecord[],
  batch: ImportBatch,
): string[] =>
  records.flatMap(record =>
    isRelated(record) && record.kind === kind && isNewAndShown(record, batch) ? [record.name] : [],
  )

const isNewAndShown = (record: RelatedRecord, batch: ImportBatch): boolean =>
  isShown(record) && !batch.mappingOf(record.kind, record.externalId)

/** Decides about a venue or organizer. */
export async function planRelated(record: RelatedRecord, batch: ImportBatch): Promise<PlannedRecord> {
  const { kind, externalId } = record
  const comparedRecord = await compareRecord(record, batch)
  const { known, stored, hash } = comparedRecord
  if (known?.importedVersion === null && stored)
    return decisionToLeave('unchanged', record, { id: stored.id })
  const decision = judgeRecord(known, hash, stored, batch.mirror)
  if (decision !== 'create' && decision !== 'update') return withdrawOrLeave(decision, comparedRecord, batch)
  const existing = isNewAndShown(record, batch) ? existingOf(record, batch) : undefined
  if (!existing) {
    const plannedRecord = await decideWrite(comparedRecord, batch)
    if (decision === 'create') noteNew(record, plannedRecord.id, batch)
    return plannedRecord
  }
  const { id, version, isPublic } = existing
  if (!batch.rows[kind].has(id)) batch.setRow(kind, { ...LINKED, id, version, revision: String(version) })
  // While it waits for review, each of its sources may publish it with its own values.
  const importedVersion = isPublic ? null : String(version)
  const mapping = batch.setMapping(kind, externalId, { target: id, hash, importedVersion })
  return { action: 'link', record, id, mapping, incomplete: false }
}

const existingOf = (record: RelatedRecord, { existingVenues, existingOrganizers, source }: ImportBatch) =>
  record.kind === 'venue'
    ? existingVenues.sameAs(relatedValues(record), { source, isWaiting: isWaiting(record.status) })
    : existingOrganizers.sameAs(namedOrganizer(record), source)

const namedOrganizer = ({ name, email = '' }: OrganizerRecord) => ({ name, email })

/** Lets the records that follow find a new venue or organizer. */
function noteNew(record: RelatedRecord, id: number, batch: ImportBatch): void {
  if (!isShown(record) || record.isHidden) return
  const isPublic = !isWaiting(record.status)
  const noted = { id, version: 1, events: 0, isPublic, source: batch.source }
  if (record.kind === 'venue') batch.existingVenues.add({ ...comparedOf(relatedValues(record)), ...noted })
  else batch.existingOrganizers.add({ ...namedOrganizer(record), ...noted })
}

/** The columns of an existing venue or organizer that planning needs. */
const LINKED = { slug: '', status: 'publish', externalId: '' }

/**
 * Decides about a category or tag. If one of the same name is here already, the record is mapped to it, and
 * that term is never changed: other events use it too.
 */
export async function planTerm(record: TermRecord, batch: ImportBatch): Promise<PlannedRecord> {
  const { kind, externalId, name, description, standalone = true } = record
  const { taxonomy, singular } = kind === 'category' ? CATEGORIES : TAGS
  const knownMapping = batch.mappingOf(kind, externalId)
  const storedTerm = knownMapping && batch.terms.get(knownMapping.target)
  const { parent, incomplete } = parentOf(record, knownMapping?.target, batch)
  const isKnown = (ofKind: RecordKind, ofId: string) => batch.mappingOf(ofKind, ofId) !== undefined
  const hash = await hashOf(record, { isKnown, sourceLinks: batch.sourceLinks })
  const { language } = batch.context.settings.website
  const slug =
    importedSlug({ slug: record.slug, name, language, fallback: singular }, storedTerm) ??
    storedTerm?.slug ??
    ''
  const slugs = record.slug === '' ? [slug, ...spellingsOf(name)] : [slug]
  const likeTermId = knownMapping
    ? undefined
    : batch.termLike({ taxonomy, name_key: nameKey(name), slugs, parent })
  if (likeTermId !== undefined && !batch.mappingTo(kind, likeTermId)) {
    const mapping = batch.setMapping(kind, externalId, { target: likeTermId, hash, importedVersion: null })
    return { action: 'link', record, id: likeTermId, mapping, incomplete }
  }
  const isLinked = storedTerm !== undefined && knownMapping?.importedVersion === null
  const decision = isLinked
    ? 'unchanged'
    : judgeRecord(knownMapping, hash, storedTerm && { revision: String(storedTerm.version) }, batch.mirror)
  if (decision !== 'create' && decision !== 'update')
    return decisionToLeave(decision, record, { id: knownMapping?.target, incomplete })
  const id =
    knownMapping && storedTerm
      ? knownMapping.target
      : batch.ids.terms.takeFree(knownMapping?.target ?? record.id)
  const values = { taxonomy, name, slug, description, parent, standalone }
  const term = prepareImportedTerm(batch.context, id, values, storedTerm)
  const version = (storedTerm?.version ?? 0) + (term ? 1 : 0)
  const mapping = batch.setMapping(kind, externalId, { target: id, hash, importedVersion: String(version) })
  if (!term) return { action: 'link', record, id, mapping, incomplete }
  const keepsSlug = storedTerm !== undefined && !term.columns.slug
  batch.setTerm(id, {
    ...values,
    name_key: nameKey(name),
    version,
    slug: keepsSlug ? storedTerm.slug : slug,
  })
  return { action: storedTerm ? 'update' : 'create', record, id, term, mapping, incomplete }
}

/**
 * The id of the parent category; 0 while it is unknown, or if it would make a circle. A category that would
 * be too deep below the root comes below the deepest category that may have children.
 */
function parentOf(
  { kind, parent: wantedParent }: TermRecord,
  ownId: number | undefined,
  batch: ImportBatch,
): { parent: number; incomplete: boolean } {
  if (wantedParent === undefined) return { parent: 0, incomplete: false }
  const parent = batch.mappingOf(kind, wantedParent)?.target
  if (parent === undefined) return { parent: 0, incomplete: true }
  const ancestors = new Set<number>()
  for (
    let ancestor = parent;
    ancestor !== 0 && !ancestors.has(ancestor);
    ancestor = batch.terms.get(ancestor)?.parent ?? 0
  )
    ancestors.add(ancestor)
  if (ownId !== undefined && ancestors.has(ownId)) return { parent: 0, incomplete: false }
  const isTooDeep = ancestors.size >= MAX_LEVELS
  return { parent: isTooDeep ? ([...ancestors].at(1 - MAX_LEVELS) ?? 0) : parent, incomplete: false }
}
