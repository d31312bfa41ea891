import { type SQL, sql } from 'drizzle-orm'
import type { RelatedValues } from '../../resources/content/related/resource.ts'
import { preparedImport } from '../../resources/content/related/writes.ts'
import { ORGANIZERS } from '../../resources/organizers/resource.ts'
import { VENUES } from '../../resources/venues/resource.ts'
import type { OrganizerRecord, VenueRecord } from '../records.ts'
import { leftAs, type Planned, type PlanOptions, verdict } from './decisions.ts'
import { type ContentDraft, type Draft, isTermDraft } from './draft.ts'
import { type Compared, compare } from './relations.ts'
import type { State } from './state.ts'
import { authorOf, imageFor, left, wholeRow, withoutExternalId } from './written.ts'

// Venues and organizers. A venue that the calendar has already is mapped to without a version (`imported_version` is null), as
// terms are: it is the calendar's own, and no source changes it or takes it to the trash.

type RelatedRecord = VenueRecord | OrganizerRecord
type RelatedDraft = ContentDraft & { kind: RelatedRecord['kind']; record: RelatedRecord }

export const isRelated = (draft: Draft): draft is RelatedDraft =>
  !isTermDraft(draft) && (draft.kind === 'venue' || draft.kind === 'organizer')

/** Scheduled sources, which give what they publish the status that it waits in. */
const IS_SCHEDULED = /^source:/

/** Tells if a source shows something, or hides it only because of the events that name it. */
const isShown = ({ status, isHidden, source }: RelatedRecord): boolean =>
  status === 'publish' ||
  isHidden === true ||
  (IS_SCHEDULED.test(source) && (status === 'pending' || status === 'draft'))

/** A condition for venues that a source has not made: what it tells apart stays apart. */
export const isNotMadeBy = (source: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM imports AS own INDEXED BY imports_target WHERE own.kind = 'venue'
    AND own.target_id = venues.id AND own.source = ${source} AND own.imported_version IS NOT NULL)`

/** An expression that is true for mappings to a venue that another source names as well. */
export const IS_SHARED = sql.raw(`(imports.kind = 'venue' AND EXISTS (
  SELECT 1 FROM imports AS other INDEXED BY imports_target WHERE other.kind = 'venue'
    AND other.target_id = imports.target_id AND other.source <> imports.source))`)

/** The names of new venues, which the calendar may have already. */
export const newVenueNames = (drafts: readonly Draft[], state: State): string[] =>
  drafts
    .filter(isRelated)
    .flatMap(draft => (draft.kind === 'venue' && isNewAndShown(draft, state) ? [draft.record.name] : []))

const isNewAndShown = ({ source, kind, externalId, record }: RelatedDraft, state: State): boolean =>
  isShown(record) && !state.mappingOf(source, kind, externalId)

/** Decides about a venue or organizer. */
export async function planRelated(draft: RelatedDraft, state: State, options: PlanOptions): Promise<Planned> {
  const { record, kind, source, externalId } = draft
  const compared = await compare(draft, state)
  const { known, stored, hash } = compared
  if (known?.importedVersion === null && stored) return leftAs('unchanged', record, { id: known.target })
  const judged = verdict(known, hash, stored, options.mirror)
  if (judged !== 'create' && judged !== 'update') return left(judged, compared, state, options)
  const values = valuesOf(draft, state, options)
  const existing = kind === 'venue' && isNewAndShown(draft, state) ? state.existingVenue(values) : undefined
  if (existing !== undefined) {
    const mapping = { target: existing, hash, importedVersion: null }
    state.setMapping(source, kind, externalId, mapping)
    state.content[kind].set(existing, JOINED)
    return { action: 'adopt', record, id: existing, mapping, incomplete: false }
  }
  return written({ ...compared, draft }, values, state, options)
}

/** What has to be known of a venue that is joined: that it is there. */
const JOINED = { slug: '', version: 0, edition: '', status: 'publish', start: '', externalId: '' }

/** The values of a record, but for its image. */
function valuesOf({ author, record }: RelatedDraft, state: State, options: PlanOptions): RelatedValues {
  const { source: _, externalId: _externalId, id: _id, image: _image, ...values } = record
  const { kind, name, date, modified, ...fields } = values
  return {
    ...fields,
    [kind]: name,
    author: authorOf(author, state, options),
    ...{ date: date?.wall, date_utc: date?.utc, modified: modified?.wall, modified_utc: modified?.utc },
  }
}

/** The decision to create or update a row. The state is updated as if it was carried out. */
function written(
  { draft, known, stored, hash }: Compared & { draft: RelatedDraft },
  values: RelatedValues,
  state: State,
  { context }: PlanOptions,
): Planned {
  const { record, kind, source, externalId, external_id = stored?.externalId ?? '' } = draft
  const index = state.content[kind]
  const id = stored ? (known?.target ?? 0) : index.freeId(known?.target ?? draft.id)
  const image = imageFor(draft, state)
  const before = stored && wholeRow(kind, id, stored, state)
  const isSameImage = image.isKnown === true && before?.image_id === image.id
  const prepared = preparedImport(context, kind === 'venue' ? VENUES : ORGANIZERS, {
    values: { ...values, external_id, image: isSameImage ? undefined : image.choice },
    stored: stored && { ...stored, id },
    before,
    holder: external_id === '' ? undefined : index.having(`id ${external_id}`).at(-1),
  })
  const { columns, taken } = prepared
  const note = taken === undefined ? undefined : withoutExternalId({ ...draft, external_id }, taken)
  const version = stored && !prepared.isUnchanged ? stored.version + 1 : (stored?.version ?? 1)
  const mapping = { target: id, hash, importedVersion: String(version) }
  state.setMapping(source, kind, externalId, mapping)
  if (prepared.isUnchanged) return { ...leftAs('adopt', record, { id, mapping }), note }
  index.set(id, {
    ...{
      slug: columns.slug ?? stored?.slug ?? '',
      version,
      edition: String(version),
      status: record.status,
    },
    ...{ start: '', externalId: String(columns.external_id ?? stored?.externalId ?? '') },
  })
  return {
    ...{ action: stored ? 'update' : 'create', record, id, mapping, incomplete: false },
    content: { ...prepared, id, relations: {} },
    note,
  }
}
