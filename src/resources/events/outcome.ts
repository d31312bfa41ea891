import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import type { RowOf } from '../../db/columns.ts'
import { inList, literal, many, mapped, type Query, settled, together } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import { costToStore } from '../../lib/cost.ts'
import {
  type CustomFieldChanges,
  type CustomFields,
  changeCustomFields,
  customFieldsError,
  parseCustomFields,
} from '../../lib/custom-fields.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { parseDate } from '../../lib/parse-date.ts'
import { coded } from '../../lib/reasons.ts'
import { mayEdit } from '../../lib/roles.ts'
import type { VirtualEventType } from '../../lib/statuses.ts'
import { atWall, type DateTime, endOfDay, startOfDay, toEpoch, type ZonedTime } from '../../lib/time.ts'
import { zoneAbbreviation } from '../../lib/zones.ts'
import { storedColumns } from '../content/fields.ts'
import { assertMayUpload, otherImage } from '../content/images.ts'
import { type Publication, publicationOf } from '../content/publication.ts'
import {
  assertAuthor,
  checkExternalId,
  checkReferences,
  type KnownReferences,
  type RowsByExternalId,
  selectByExternalId,
  selectReferences,
} from '../content/references.ts'
import type { ImageChoice } from '../content/uploads.ts'
import { isReadable } from '../content/visibility.ts'
import { type StoredEvent, scopeOf } from './recurrence/stored.ts'
import { type FoundRelations, lookUpRelations, type Relations, resolveRelations } from './relations/fields.ts'
import { EVENTS } from './resource.ts'
import type { PlainEventRow, timeColumns } from './rows.ts'
import { EVENT_FIELDS, type EventValues } from './schema.ts'

/** The columns that say whether an event takes place online, and how. */
type Attendance = { is_virtual: boolean; virtual_event_type: VirtualEventType }

type AttendanceValues = { [K in keyof Attendance]?: Attendance[K] | undefined }

/**
 * The columns of the attendance after a write: the type and `is_virtual` always agree. `is_virtual` has precedence;
 * without it, a type makes the event virtual, and an empty type makes it an ordinary one.
 *
 * @param stored the row before an update
 */
function attendanceOf(given: AttendanceValues, stored?: Attendance): Partial<Attendance> {
  const { is_virtual, virtual_event_type: type } = given
  if (is_virtual === undefined && type === undefined) return {}
  if (!(is_virtual ?? type !== '')) return { is_virtual: false, virtual_event_type: '' }
  const kept = type === undefined ? stored?.virtual_event_type : type
  return { is_virtual: true, virtual_event_type: kept || 'virtual' }
}

type CustomFieldUpdate = { changes: CustomFieldChanges | 'none' | undefined; stored?: string | undefined }

/** The custom fields after a write as they are stored; undefined if they stay. @param errors gets one for too many */
function changedCustomFields({ changes, stored = '{}' }: CustomFieldUpdate, errors: ValidationErrors) {
  if (changes === undefined) return undefined
  const fields: CustomFields =
    changes === 'none' ? {} : changeCustomFields(parseCustomFields(stored), changes)
  const error = customFieldsError(fields)
  if (error) errors.add('custom_fields', error)
  return JSON.stringify(fields)
}

const asStored = storedColumns(EVENT_FIELDS, events)

/** The columns whose new values depend on the stored ones. */
type StoredBasis = Pick<
  PlainEventRow,
  'cost' | 'is_virtual' | 'virtual_event_type' | 'custom_fields' | keyof ParentColumns
>

/** The parent of a part, and the user on whose word its programme shows the part. */
type ParentColumns = Pick<PlainEventRow, 'post_parent' | 'parent_confirmed_by'>

/**
 * The columns of the parent after a write. Whoever may edit the parent confirms it by naming it, once or again; another parent is
 * unconfirmed otherwise.
 *
 * @param parent the id that the request names, 0 for none
 */
function parentColumns(
  { caller }: Pick<RequestContext, 'caller'>,
  {
    parent,
    mayEdit: isEditable,
    stored,
  }: { parent: number | undefined; mayEdit: boolean; stored?: ParentColumns | undefined },
): Partial<ParentColumns> {
  if (parent === undefined) return {}
  if (parent === 0) return { post_parent: null, parent_confirmed_by: null }
  const known = stored?.post_parent === parent ? stored.parent_confirmed_by : null
  return { post_parent: parent, parent_confirmed_by: known ?? (isEditable ? caller.id : null) }
}

/**
 * The columns of the fields of an event or series, except for its times, publication, slug and image. Fields that are
 * absent leave theirs undefined.
 *
 * @param given.stored the row before an update
 * @param given.mayEditParent tells whether the caller may edit the parent that the values name
 * @param errors gets one for too many custom fields
 */
export function columnsOf(
  context: RequestContext,
  {
    values,
    stored,
    mayEditParent,
  }: { values: EventValues; stored?: StoredBasis | undefined; mayEditParent: boolean },
  errors: ValidationErrors,
) {
  const { settings } = context
  const { cost, cost_details: details, custom_fields: changes, author, post_parent } = values
  return {
    ...asStored(values),
    author_id: author,
    ...parentColumns(context, { parent: post_parent, mayEdit: mayEditParent, stored }),
    // A cost that the client sends back as it read it stays unchanged.
    ...(cost !== undefined && {
      cost: costToStore(cost, settings.currency, { stored: stored?.cost, details }),
    }),
    ...attendanceOf(values, stored),
    custom_fields: changedCustomFields({ changes, stored: stored?.custom_fields }, errors),
  }
}

/** The stored times of an event. */
export type Times = RowOf<typeof timeColumns> & { timezone_abbr: string }

/**
 * The times of an event after a request, which may name some of them: dates without an offset are local to the event's
 * zone, a new zone alone keeps local times, and `all_day` extends them to whole days.
 *
 * @param stored the event before an update
 * @param errors gets an error if the end is before the start
 */
function timesOf(
  { now, settings }: RequestContext,
  { values, stored }: { values: EventValues; stored?: Times | undefined },
  errors: ValidationErrors,
): Times {
  const zone = values.timezone ?? stored?.timezone ?? settings.timezone
  const all_day = values.all_day ?? stored?.all_day ?? false
  const read = (
    text: string | undefined,
    wall: DateTime | undefined,
    utc: DateTime | undefined,
  ): ZonedTime => {
    // A local time may occur twice. If the client sends it back unchanged, the stored instant stays.
    const isSentBack = text === wall && zone === stored?.timezone
    const parsed = text === undefined || isSentBack ? undefined : parseDate(text, zone, toEpoch(now))
    if (parsed) return parsed
    // A date that is missing or bad has its own error, so any value does here.
    if (wall === undefined || utc === undefined) return { wall: now, utc: now }
    return zone === stored?.timezone ? { wall, utc } : atWall(wall, zone)
  }
  let start = read(values.start_date, stored?.start_date, stored?.utc_start_date)
  let end = read(values.end_date, stored?.end_date, stored?.utc_end_date)
  if (all_day) {
    start = atWall(startOfDay(start.wall), zone)
    end = atWall(endOfDay(end.wall), zone)
  }
  if (end.utc < start.utc && !errors.has('start_date') && !errors.has('end_date')) {
    const named = values.end_date === undefined && values.start_date !== undefined ? 'start_date' : 'end_date'
    errors.add(
      named,
      coded('ends_early', `the end, ${end.wall}, must not be before the start, ${start.wall}`),
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

/** A parent that a request names: all that it is a part of, itself included, and whether the caller may edit it. */
type FoundParent = { above: ReadonlySet<number>; mayEdit: boolean }

/** The rows that the fields of events refer to. */
export type FoundForEvents = {
  references: KnownReferences
  byExternalId: RowsByExternalId
  /** The parents that requests name. */
  parents: ReadonlyMap<number, FoundParent>
  relations: FoundRelations
}

/** The most levels of programmes within programmes that are looked at. */
const MOST_LEVELS = 100

/** A SELECT of events with all that these are a part of. UNION ends circles that others have written. @param from a SELECT of their ids */
const withAbove = (from: SQL): SQL => sql`WITH RECURSIVE above(id) AS (${from} UNION
  SELECT whole.post_parent FROM above CROSS JOIN ${events} AS whole ON whole.id = above.id
    WHERE whole.post_parent IS NOT NULL LIMIT ${literal(MOST_LEVELS)})`

/** A query of those parents that the caller may read. */
function selectParents(context: RequestContext, ids: readonly number[]): Query<FoundForEvents['parents']> {
  if (ids.length === 0) return settled(new Map())
  return mapped(
    many(
      sql`SELECT id, author_id, status, (${withAbove(sql`SELECT ${events.id}`)} SELECT json_group_array(id) FROM above) AS above
        FROM ${events} WHERE ${events.id} IN ${inList(ids)} AND ${isReadable(events, context)}`,
      ({ id, author_id, status, above }) => {
        const parent = { author_id: Number(author_id), status: String(status) }
        // Made by json_group_array() above.
        const ids = new Set<number>(JSON.parse(String(above)))
        return [Number(id), { above: ids, mayEdit: mayEdit(context.caller, parent) }] as const
      },
    ),
    found => new Map(found),
  )
}

/** A condition that is true if one of some events, or of the dates of some series, is a part of itself. */
export const isInCircle = (ids: readonly number[], seriesIds: readonly number[]): SQL =>
  sql`EXISTS (SELECT 1 FROM (SELECT value AS id FROM json_each(${JSON.stringify(ids)}) UNION ALL
      SELECT ${events.id} FROM ${events} WHERE series_id IN ${inList(seriesIds)}) AS part WHERE part.id IN (
    ${withAbove(sql`SELECT post_parent FROM ${events} WHERE ${events.id} = part.id`)} SELECT id FROM above))`

/** Adds an error for a parent that is unknown, or that is the event itself or one of its parts. */
function checkParent(
  { values, found, stored }: Input<StoredEvent | undefined>,
  errors: ValidationErrors,
): void {
  const { post_parent: parent } = values
  if (!parent) return
  const above = found.parents.get(parent)?.above
  if (!above) errors.add('post_parent', coded('unknown', `there is no event ${parent}`))
  if (!above || !stored) return
  const dates = scopeOf(values) !== 'this' ? (stored.series?.occurrences ?? []) : []
  if (parent === stored.id) errors.add('post_parent', 'an event cannot be its own parent')
  else if ([stored, ...dates].some(({ id }) => above.has(id)) || above.size >= MOST_LEVELS)
    errors.add('post_parent', `event ${parent} is itself a part of this one`)
}

/** A query for the rows that the values of several events refer to. It has no statements if there are none. */
export const lookUp = (context: RequestContext, values: readonly EventValues[]): Query<FoundForEvents> =>
  together({
    references: selectReferences(context, values),
    byExternalId: selectByExternalId(context, EVENTS, values),
    parents: selectParents(
      context,
      values.flatMap(({ post_parent: id }) => (id ? [id] : [])),
    ),
    relations: lookUpRelations(context, values),
  })

/** The event that the values of a request lead to. Columns and relations that they don't name are absent. */
export type EventOutcome<S extends StoredEvent | undefined = StoredEvent | undefined> = {
  values: EventValues
  /** The event before an update. */
  stored: S
  times: Times
  publication: Publication
  columns: ReturnType<typeof columnsOf>
  /** True if the caller may edit the parent that the values name. */
  mayEditParent: boolean
  relations: Relations
  /** The image, if it changes. */
  image: ImageChoice | undefined
}

/** The columns of a new event, or of a new series, except for its times and its slug. */
export const newColumns = (
  { caller }: RequestContext,
  { values: { title = '', website = '', author = caller.id }, columns, publication }: EventOutcome,
) => ({ ...columns, ...publication, title, website, author_id: author })

type Input<S> = { values: EventValues; found: FoundForEvents; stored: S }

/**
 * Computes the event that the values of a request lead to.
 *
 * @param errors gets those of references, and of fields that depend on others
 * @throws ApiError `rest_forbidden` if the caller may not send these fields
 */
export function outcomeOf<S extends StoredEvent | undefined>(
  context: RequestContext,
  { values, found, stored }: Input<S>,
  errors: ValidationErrors,
): EventOutcome<S> {
  assertAuthor(context, { author: values.author, ...(stored && { owner: stored.author_id }) })
  assertMayUpload(context, values.image)
  const relations = resolveRelations(context, { values, found: found.relations }, errors)
  checkReferences(context, { values, known: found.references }, errors)
  checkExternalId(EVENTS, values, { byExternalId: found.byExternalId, own: stored?.id }, errors)
  checkParent({ values, found, stored }, errors)
  const mayEditParent = found.parents.get(values.post_parent ?? 0)?.mayEdit ?? false
  return {
    values,
    stored,
    relations,
    times: timesOf(context, { values, stored }, errors),
    columns: columnsOf(context, { values, stored, mayEditParent }, errors),
    mayEditParent,
    publication: publicationOf(context, { given: values, stored }),
    image: stored
      ? otherImage(values.image, { image_id: stored.image_id, image: stored.relations?.image })
      : values.image,
  }
}
