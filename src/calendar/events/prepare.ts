import type { BaseContext, ContentContext } from '../../kit/context.ts'
import type { ChangedFields } from '../../kit/db/audit.ts'
import type { RowOf } from '../../kit/db/columns.ts'
import { TEXT_FIELDS } from '../../kit/db/event-expressions.ts'
import { combineQueries, type Query } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { costToStore } from '../../kit/lib/cost.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import { asRecurrence } from '../../kit/lib/recurrence/pattern.ts'
import { changedSlug, newSlug, renamedSlug } from '../../kit/lib/slug.ts'
import {
  isPublicStatus,
  isWaiting,
  previousStartToStore,
  type VirtualEventType,
} from '../../kit/lib/statuses.ts'
import {
  atWall,
  type DateTime,
  endAfter,
  endOfDay,
  startOfDay,
  toEpoch,
  type Utc,
  type Wall,
  type ZonedTime,
} from '../../kit/lib/time.ts'
import { zoneAbbreviation } from '../../kit/lib/zones.ts'
import { beforeAndAfter, changesRow } from '../content/changed-values.ts'
import {
  type CustomFieldChanges,
  type CustomFields,
  changeCustomFields,
  customFieldsError,
  parseCustomFields,
} from '../content/custom-fields.ts'
import { storedColumns } from '../content/fields.ts'
import { assertMayUpload, otherImage } from '../content/images.ts'
import {
  assertAuthor,
  checkExternalId,
  checkReferences,
  type KnownReferences,
  type RowsByExternalId,
  selectByExternalId,
  selectReferences,
} from '../content/known-references.ts'
import { type Publication, publicationOf, type WaitingPublication } from '../content/publication.ts'
import { seriesSlug } from '../content/slugs.ts'
import type { ImageChoice } from '../content/uploads.ts'
import type { PreparedRow } from '../content/writes.ts'
import { checkParent, type KnownParent, type ParentColumns, parentColumns, selectParents } from './parents.ts'
import { type EventOfSeries, isSeriesWide, type StoredEvent, scopeOf } from './recurrence/queries.ts'
import type { PreparedSeries } from './recurrence/statements.ts'
import { repeats } from './recurrence-fields.ts'
import {
  changedRelations,
  type ReferencedByRelations,
  type Relations,
  resolveRelations,
  selectReferencedByRelations,
} from './relations/fields.ts'
import type { LinkedPublication } from './relations/linked-publications.ts'
import type { NewLinks } from './relations/links.ts'
import { EVENTS } from './resource.ts'
import type { PlainEventRow, timeColumns } from './rows.ts'
import { EVENT_FIELDS, type EventValues } from './schema.ts'
import { eventText } from './search.ts'

/** The columns that say whether an event takes place online, and how. */
type Attendance = { is_virtual: boolean; virtual_event_type: VirtualEventType }

/**
 * The columns of the attendance after a write: the type and `is_virtual` always agree. `is_virtual` has
 * precedence; without it, a type makes the event virtual, and an empty type makes it an ordinary one.
 *
 * @param stored the row before an update
 */
function attendanceOf(values: EventValues, stored?: Attendance): Partial<Attendance> {
  const { is_virtual, virtual_event_type: type } = values
  if (is_virtual === undefined && type === undefined) return {}
  if (!(is_virtual ?? type !== '')) return { is_virtual: false, virtual_event_type: '' }
  const virtualType = type === undefined ? stored?.virtual_event_type : type
  return { is_virtual: true, virtual_event_type: virtualType || 'virtual' }
}

type CustomFieldUpdate = { changes: CustomFieldChanges | 'none' | undefined; stored: string | undefined }

/**
 * The custom fields after a write, as the database stores them; undefined if they stay.
 *
 * @param errors gets an error for too many fields
 */
function changedCustomFields({ changes, stored = '{}' }: CustomFieldUpdate, errors: ValidationErrors) {
  if (changes === undefined) return undefined
  const fields: CustomFields =
    changes === 'none' ? {} : changeCustomFields(parseCustomFields(stored), changes)
  const error = customFieldsError(fields)
  if (error) errors.add('custom_fields', error)
  return JSON.stringify(fields)
}

const storedEventColumns = storedColumns(EVENT_FIELDS, events)

/** The columns whose new values depend on the stored values. */
type StoredBasis = Pick<
  PlainEventRow,
  'cost' | 'is_virtual' | 'virtual_event_type' | 'custom_fields' | keyof ParentColumns
>

/**
 * The columns of the fields of an event or series, except for its times, publication, slug and image. The
 * columns of absent fields are undefined.
 *
 * @param input.stored the row before an update
 * @param input.mayEditParent true if the caller may edit the parent that the values name
 * @param errors gets an error for too many custom fields
 */
export function columnsOfFields(
  context: BaseContext,
  {
    values,
    stored,
    mayEditParent,
  }: { values: EventValues; stored: StoredBasis | undefined; mayEditParent: boolean },
  errors: ValidationErrors,
) {
  const { settings } = context
  const { cost, cost_details: details, custom_fields: changes, author, post_parent } = values
  return {
    ...storedEventColumns(values),
    author_id: author,
    ...parentColumns(context, { parent: post_parent, isEditable: mayEditParent, stored }),
    // A cost that the client sends back as it read it stays unchanged.
    ...(cost !== undefined && {
      cost: costToStore(cost, settings.currency, { stored: stored?.cost, details }),
    }),
    ...attendanceOf(values, stored),
    custom_fields: changedCustomFields({ changes, stored: stored?.custom_fields }, errors),
  }
}

type Times = RowOf<typeof timeColumns> & { timezone_abbr: string }

/**
 * The times of an event after a request, which may name some of them: dates without an offset are local to
 * the event's zone, a new zone alone keeps local times, and `all_day` extends them to whole days.
 *
 * @param stored the event before an update
 * @param errors gets an error if the end is before the start
 */
function timesOf(
  { clock, settings }: BaseContext,
  { values, stored }: { values: EventValues; stored: Times | undefined },
  errors: ValidationErrors,
): Times {
  const zone = values.timezone ?? stored?.timezone ?? settings.timezone
  const all_day = values.all_day ?? stored?.all_day ?? false
  const read = (text: string | undefined, wall: Wall | undefined, utc: Utc | undefined): ZonedTime => {
    // A local time may occur twice. If the client sends it back unchanged, the stored instant stays.
    const isSentBack = text === wall && zone === stored?.timezone
    const parsed = text === undefined || isSentBack ? undefined : parseDate(text, zone, toEpoch(clock.now()))
    if (parsed) return parsed
    const now: DateTime = clock.now()
    // A date that is missing or bad has its own error, so any value does here.
    if (wall === undefined || utc === undefined) return { wall: now, utc: now }
    return zone === stored?.timezone ? { wall, utc } : atWall(wall, zone)
  }
  let start = read(values.start_date, stored?.start_date, stored?.utc_start_date)
  let end = read(values.end_date, stored?.end_date, stored?.utc_end_date)
  if (all_day) {
    start = atWall(startOfDay(start.wall), zone)
    end = atWall(endOfDay(end.wall), zone)
  } else end = endAfter(start, end, zone)
  if (end.utc < start.utc && !errors.has('start_date') && !errors.has('end_date')) {
    const namedField =
      values.end_date === undefined && values.start_date !== undefined ? 'start_date' : 'end_date'
    errors.add(
      namedField,
      codedReason('ends_early', `the end, ${end.wall}, must not be before the start, ${start.wall}`),
    )
  }
  return {
    all_day,
    timezone: zone,
    timezone_abbr: zoneAbbreviation(start.utc, zone),
    start_date: start.wall,
    end_date: end.wall,
    utc_start_date: start.utc,
    utc_end_date: end.utc,
  }
}

/** The rows that the fields of events refer to. */
export type ReferencedByEvents = {
  references: KnownReferences
  byExternalId: RowsByExternalId
  parents: ReadonlyMap<number, KnownParent>
  relations: ReferencedByRelations
}

/**
 * A query for the rows that the values of several events refer to. It has no statements if they refer to
 * none.
 */
export const selectReferencedByEvents = (
  context: BaseContext,
  values: readonly EventValues[],
): Query<ReferencedByEvents> =>
  combineQueries({
    references: selectReferences(context, values),
    byExternalId: selectByExternalId(context, EVENTS, values),
    parents: selectParents(
      context,
      values.flatMap(({ post_parent: id }) => (id ? [id] : [])),
    ),
    relations: selectReferencedByRelations(context, values),
  })

/**
 * The event that the values of a request produce. Columns and relations that the values don't name are
 * absent.
 */
export type EventOutcome<S extends StoredEvent | undefined = StoredEvent | undefined> = {
  values: EventValues
  stored: S
  times: Times
  publication: Publication
  columns: ReturnType<typeof columnsOfFields>
  mayEditParent: boolean
  relations: Relations
  /** The image, if it changes. */
  image: ImageChoice | undefined
}

export const isStored = (outcome: EventOutcome): outcome is EventOutcome<StoredEvent> =>
  outcome.stored !== undefined

/** The columns of a new event or series, except for its times and its slug. */
export const newColumns = (
  { caller }: BaseContext,
  { values: { title = '', website = '', author = caller.id }, columns, publication }: EventOutcome,
) => ({ ...columns, ...publication, title, website, author_id: author })

type EventInput<S> = { values: EventValues; referencedRows: ReferencedByEvents; stored: S }

/**
 * Computes the event that the values of a request produce.
 *
 * @param errors gets errors about references, and about fields that depend on other fields
 * @throws ApiError `rest_forbidden` if the caller may not send these fields
 */
export function outcomeOf<S extends StoredEvent | undefined>(
  context: ContentContext,
  { values, referencedRows, stored }: EventInput<S>,
  errors: ValidationErrors,
): EventOutcome<S> {
  assertAuthor(context, { author: values.author, ...(stored && { owner: stored.author_id }) })
  assertMayUpload(context, values.image)
  const publication = publicationOf(context, { values, stored })
  const waiting = waitingPublication(context, { values, stored, publication })
  const relations = resolveRelations(
    context,
    { values, referencedRows: referencedRows.relations, waiting },
    errors,
  )
  checkReferences(context, { values, known: referencedRows.references }, errors)
  checkExternalId(EVENTS, values, { byExternalId: referencedRows.byExternalId, own: stored?.id }, errors)
  checkParent({ values, parents: referencedRows.parents, stored }, errors)
  const mayEditParent = referencedRows.parents.get(values.post_parent ?? 0)?.mayEdit ?? false
  return {
    values,
    stored,
    relations,
    times: timesOf(context, { values, stored }, errors),
    columns: columnsOfFields(context, { values, stored, mayEditParent }, errors),
    mayEditParent,
    publication,
    image: stored
      ? otherImage(values.image, { image_id: stored.image_id, image: stored.relations?.image })
      : values.image,
  }
}

/**
 * The publication that the new venues and organizers of an event get while the event isn't public; undefined
 * if they are public at once. The venues and organizers of a planned event become public with it.
 */
function waitingPublication(
  context: BaseContext,
  {
    values,
    stored,
    publication: { status, date_utc },
  }: Pick<EventOutcome, 'values' | 'stored' | 'publication'>,
): WaitingPublication | undefined {
  // A change that is sent to a hidden date may also apply to dates that are public.
  const isOfPublicDates =
    isSeriesWide(values) && values.status === undefined && stored?.series?.status === 'publish'
  if (status === 'publish' || isOfPublicDates) return undefined
  const author = authorOf(context, { values, stored })
  return status === 'future' ? { status, date: undefined, date_utc, author } : { status: 'draft', author }
}

const authorOf = ({ caller }: BaseContext, { values, stored }: Pick<EventOutcome, 'values' | 'stored'>) =>
  values.author ?? stored?.author_id ?? caller.id

/** What is published along with an event, by the write of the event. */
type WithLinkedPublication = { linkedPublication?: LinkedPublication | undefined }

/** A row of `events` to write. An update needs only these columns of the stored row. */
export type EventRowToWrite = PreparedRow<typeof events> & {
  stored?: { id: number; version: number; status?: string; series_id?: number | null } | undefined
  relations: Relations
  /** The text for searches, if it changes. An occurrence that shares the texts of its series has none. */
  text: string | undefined
  /** True if an update changes the date of the event in its series. */
  movesDate?: boolean | undefined
}

export type PreparedEventRow = WithLinkedPublication &
  EventRowToWrite & {
    type: 'event'
    stored?: StoredEvent | undefined
    /** The series that changes with an occurrence, or with an event that starts or ends a recurrence. */
    series?: readonly PreparedSeries[]
    /** True for an update that changes nothing, which is not written. */
    isUnchanged?: boolean
    copyOf?: number
    /**
     * True for a new part of the first event of the same write, which is new as well: parts come right after
     * it.
     */
    isPartOfFirst?: boolean
    /** The number of dates that a deletion leaves of a series. */
    remaining?: number
  }

/** A prepared write of an event: its row, a new series, or a change of a series. */
export type PreparedEvent =
  | PreparedEventRow
  | (WithLinkedPublication & {
      type: 'series'
      /** Empty for an update that changes nothing. */
      series: readonly PreparedSeries[]
      /**
       * The occurrence that the request names, and the response shows; undefined for the first date of a new
       * series.
       */
      stored?: EventOfSeries
      /** The number of dates that a deletion leaves. */
      remaining?: number
    })

const changedEventValues = ({
  values,
  stored,
  columns,
  times,
  publication,
  relations,
  image,
}: EventOutcome<StoredEvent>): ChangedFields => ({
  ...beforeAndAfter(EVENT_FIELDS, {
    namedFields: Object.keys(values),
    stored,
    columns: { ...columns, ...times, ...publication, slug: values.slug },
    image,
  }),
  ...changedRelations(relations, stored.relations),
})

/** The recurrence of an event that starts or stops repeating. */
function changedRecurrence({ values, stored }: EventOutcome<StoredEvent>): ChangedFields {
  const { recurrence } = values
  if (recurrence === '' && stored.series) return { recurrence: [asRecurrence(stored.series), ''] }
  return recurrence && repeats(recurrence) && !stored.series ? { recurrence: ['', recurrence] } : {}
}

/** The parts from which the slug of an event is made, except for its title. */
export const namingOf = (
  { settings }: Pick<BaseContext, 'settings'>,
  { slug }: Pick<EventValues, 'slug'>,
) => ({
  slug,
  language: settings.website.language,
  fallback: 'event',
})

/**
 * The slug that follows from another title, as in WordPress: for an event that has never been public, and
 * whose slug nobody has chosen. The title of all dates of a series changes the slug of the series.
 */
export function slugOfTitle(
  context: BaseContext,
  values: EventValues,
  stored: StoredEvent,
): string | undefined {
  const { title, slug } = values
  const subject = stored.series ?? stored
  if (title === undefined || slug !== undefined || stored.wasPublic || !isWaiting(subject.status))
    return undefined
  if (stored.series && scopeOf(values) !== 'all') return undefined
  const naming = { ...namingOf(context, {}), name: title }
  return renamedSlug(
    naming,
    { slug: subject.slug, name: subject.title },
    stored.series ? seriesSlug : undefined,
  )
}

export function newEventRow(context: BaseContext, outcome: EventOutcome): PreparedEventRow {
  const { values, times, publication, relations } = outcome
  const { status } = publication
  return {
    type: 'event',
    columns: {
      ...newColumns(context, outcome),
      ...times,
      slug: newSlug({ ...namingOf(context, values), name: values.title ?? '', status }),
    },
    image: values.image,
    fields: Object.keys(values),
    relations,
    text: eventText(values),
  }
}

type FurtherChanges = {
  /** True if the event has a text for searches of its own, which follows from its columns. */
  hasOwnText?: boolean
  /** Another text for searches. */
  text?: string | undefined
  columns?: PreparedEventRow['columns']
  series?: readonly PreparedSeries[]
}

/**
 * The update of one row.
 * @param changes columns, a text and series that don't follow from the values of the outcome alone
 */
export function changedEventRow(
  context: BaseContext,
  outcome: EventOutcome<StoredEvent>,
  { hasOwnText = false, text, columns: otherColumns, series = [] }: FurtherChanges,
): PreparedEventRow {
  const { values, stored, times, publication, image } = outcome
  const { status } = publication
  const naming = { ...namingOf(context, values), name: values.title ?? stored.title, status }
  const changes = { ...changedEventValues(outcome), ...changedRecurrence(outcome) }
  const isNewText = hasOwnText && TEXT_FIELDS.some(name => changes[name])
  const slug = changedSlug(naming, stored)
  const columns = {
    ...outcome.columns,
    ...times,
    ...(times.utc_start_date !== stored.utc_start_date && {
      previous_utc_start_date: previousStartToStore(stored),
    }),
    ...publication,
    ...otherColumns,
    slug,
  }
  // Forms send all fields. Unchanged links and texts are not written again.
  const relations = Object.fromEntries(Object.entries(outcome.relations).filter(([name]) => changes[name]))
  const isUnchanged =
    series.length + Object.keys(relations).length === 0 && !changesRow({ stored, columns, image })
  return {
    type: 'event',
    isUnchanged,
    stored,
    columns,
    slugOwner: stored.series?.slug,
    image,
    fields: Object.keys(values),
    changed: changes,
    relations,
    text: isNewText ? eventText({ ...stored, ...values }) : text,
    series,
  }
}

/**
 * The new venues and organizers that the write of an event publishes, or takes back, and unpublished ones
 * that it adds to a public event; undefined for none. Those that the event loses by the same write stay as
 * they are.
 */
export function linkedPublicationOf(
  context: BaseContext,
  outcome: EventOutcome,
): LinkedPublication | undefined {
  const { values, stored, publication, relations } = outcome
  // A date of a series may be public before the others are.
  const isPublicDate = scopeOf(values) === 'this' && stored?.status === 'publish'
  const newLinks = isPublicDate ? [] : (stored?.newLinks ?? [])
  const idsOf = (kind: keyof NewLinks) => {
    const targets = relations[kind]?.map(target => ('same' in target ? target.same : 0))
    const remainingIds = targets ?? (scopeOf(values) === 'this' ? stored?.relations?.[kind] : undefined)
    const ids = newLinks.flatMap(links => [...links[kind]])
    return new Set(remainingIds ? ids.filter(id => remainingIds.includes(id)) : ids)
  }
  const after = waitingPublication(context, outcome)
    ? publication
    : { ...publication, status: 'publish' as const }
  const namedIds = (kind: keyof NewLinks) =>
    (isPublicStatus(after.status) ? (relations[kind] ?? []) : []).flatMap(target =>
      // A row that was linked before has stayed unpublished, or was taken back.
      'same' in target && target.isUnpublished && !stored?.relations?.[kind].includes(target.same)
        ? [target.same]
        : [],
    )
  const named = { venue: namedIds('venue'), organizer: namedIds('organizer') }
  if (newLinks.length + named.venue.length + named.organizer.length === 0) return undefined
  return {
    links: { venue: idsOf('venue'), organizer: idsOf('organizer') },
    named: {
      ...named,
      id: stored?.id ?? null,
      series_id: stored?.series_id ?? null,
      author_id: authorOf(context, outcome),
    },
    before: stored ?? { ...publication, status: 'draft' },
    after,
  }
}
