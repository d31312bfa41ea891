import { eq, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { exec, type Query } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import { asOneChange } from '../../db/statements.ts'
import { SHORTENED } from '../../http/reply.ts'
import type { Taken } from '../../http/shared-writes.ts'
import { slugify } from '../../lib/slug.ts'
import { SERIES_DATES, withDates } from '../content/series-dates.ts'
import {
  auditStatements,
  type ContentWrites,
  type Numbered,
  numbered,
  type PreparedRow,
  rowStatements,
  selectWritten,
  withKeptValues,
  withStoredImages,
} from '../content/writes.ts'
import { nameKey } from '../terms/resource.ts'
import { type FoundForEvents, lookUp } from './outcome.ts'
import { type PreparedEvent, type PreparedEventRow, prepareEvent } from './prepare.ts'
import { takenBySeries } from './recurrence/columns.ts'
import { firstOfNew, seriesStatements } from './recurrence/create.ts'
import { scopeParam } from './recurrence/fields.ts'
import { deleteEvent } from './recurrence/remove.ts'
import { type StoredEvent, selectStored } from './recurrence/stored.ts'
import { changeStatements, isSeriesWide } from './recurrence/update.ts'
import { linksOf, relationStatements } from './relations/links.ts'
import { EVENTS } from './resource.ts'
import type { EventRow } from './rows.ts'
import type { EventFields, EventResponse } from './schema.ts'
import { indexEvents } from './search.ts'
import { keepTwinsHidden } from './twins.ts'

/** The writes of events. Creating events also creates their new venues, organizers and terms, in one transaction. */
export const eventWrites: ContentWrites<
  EventFields,
  StoredEvent,
  FoundForEvents,
  PreparedEvent,
  EventResponse,
  EventRow
> = {
  options: scopeParam,
  headers: { ...SHORTENED, ...SERIES_DATES },
  isAlone: values => isSeriesWide(values) || values.recurrence !== undefined,
  taken,
  selectStored,
  lookUp,
  prepare: prepareEvent,
  write: (context, prepared) => withDates(context, datesIn(prepared), () => writeEvents(context, prepared)),
  remove: (context, { row, force, options: { scope = 'this' } }) =>
    deleteEvent(context, { row, force, scope }),
}

/**
 * The series of an occurrence, whose pattern changes if the occurrence goes to the trash or comes back, and the slugs of new
 * terms: another name of the same slug means the one that is there by then.
 */
function* taken(prepared: PreparedEvent): Iterable<Taken> {
  if (prepared.type !== 'event') return
  const { stored, columns } = prepared
  const changesPattern = (stored?.status === 'trash') !== (columns.status === 'trash')
  if (stored?.series_id) yield [`series ${stored.series_id}`, changesPattern ? prepared : 'its dates']
  for (const name of ['categories', 'tags'] as const)
    for (const term of prepared.relations[name]?.names ?? [])
      yield [`${name} ${slugify(term)}`, nameKey(term)]
}

/** The statements of a part of a write, and a query of its rows afterwards. */
type Step = { statements: SQL[]; rows: Query<EventRow[]> }

async function writeEvents(context: RequestContext, wanted: readonly PreparedEvent[]): Promise<EventRow[]> {
  const prepared = await withKeptValues(context, await withStoredImages(context, wanted))
  const rows = prepared.flatMap(one => (one.type === 'event' ? [one] : []))
  const steps = [
    ...(rows.length === 0 ? [] : [rowsStep(context, rows)]),
    ...prepared.flatMap(one => (one.type === 'event' ? [] : [seriesStep(context, one)])),
  ]
  const results = await context.db.write(
    steps.flatMap((step): Query<EventRow[] | undefined>[] => [...step.statements.map(exec), step.rows]),
  )
  const found = results.flatMap(result => (result ? [result] : []))
  const plain = rows.length === 0 ? [].values() : (found.shift() ?? []).values()
  return prepared.flatMap(one => (one.type === 'event' ? plain.next().value : found.shift()?.[0]) ?? [])
}

/** The dates of series that are made or changed. */
const datesIn = (prepared: readonly PreparedEvent[]): number =>
  prepared.reduce((sum, one) => {
    if (one.type === 'new series') return sum + one.series.added.length
    if (one.type === 'event') return sum + (one.dates ?? 0)
    return sum + one.change.plan.added.length + one.change.plan.changes.length
  }, 0)

/** A row of `events` as it is written: an update needs no more of the stored one. */
export type EventRowToWrite = PreparedRow & Pick<PreparedEventRow, 'relations' | 'text'>

const LINKS = linksOf('event')

/** The statements that write rows of events, all of them at once, with their relations. */
export const eventStatements = (
  context: RequestContext,
  rows: readonly Numbered<EventRowToWrite>[],
): SQL[] => [
  ...rowStatements(context, { resource: EVENTS, takenElsewhere: takenBySeries }, rows),
  ...indexEvents(rows.flatMap(({ id, text }) => (text === undefined ? [] : [{ id, text }]))),
  ...relationStatements(
    context,
    'event',
    rows.map(({ id, stored, relations }) => ({ id, isNew: !stored, relations })),
  ),
  ...auditStatements(context, EVENTS, rows, LINKS),
]

const goingToTrash = (rows: readonly PreparedEventRow[]): number[] =>
  rows.flatMap(({ columns, stored }) =>
    stored && columns.status === 'trash' && stored.status !== 'trash' ? [stored.id] : [],
  )

function rowsStep(context: RequestContext, prepared: readonly PreparedEventRow[]): Step {
  const all = numbered(prepared)
  const rows = all.filter(({ isUnchanged }) => !isUnchanged)
  const statements = [
    ...keepTwinsHidden(context, goingToTrash(rows)),
    ...eventStatements(context, rows),
    ...rows.flatMap(({ also }) => also),
  ]
  const hasMore = rows.some(({ relations, also }) => Object.keys(relations).length + also.length > 0)
  return {
    // A row by itself is one change.
    statements: rows.length > 1 || hasMore ? asOneChange(statements) : statements,
    rows: selectWritten(
      context,
      EVENTS,
      all.map(({ id }) => id),
    ),
  }
}

function seriesStep(context: RequestContext, prepared: Exclude<PreparedEvent, PreparedEventRow>): Step {
  if (prepared.type === 'series')
    return {
      statements: asOneChange(changeStatements(context, prepared.change, prepared)),
      rows: EVENTS.select(context, eq(events.id, prepared.change.stored.id)),
    }
  return {
    statements: asOneChange(seriesStatements(context, prepared.series, prepared.image)),
    rows: EVENTS.select(context, sql`${events.id} = ${firstOfNew}`),
  }
}
