import type { RequestContext } from '../../context.ts'
import type { Changed } from '../../db/audit.ts'
import { TEXT_FIELDS } from '../../db/derived.ts'
import { seriesSlug } from '../../db/slugs.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { isOwnUid } from '../../lib/ical/lines.ts'
import { asRecurrence } from '../../lib/recurrence/pattern.ts'
import { changedSlug, isSlugOf, newSlug, slugBase, spellingsOf } from '../../lib/slug.ts'
import type { Status } from '../../lib/statuses.ts'
import { beforeAndAfter, changesRow } from '../content/changed-values.ts'
import type { PreparedRow } from '../content/writes.ts'
import { type EventOutcome, type FoundForEvents, newColumns, outcomeOf } from './outcome.ts'
import { changedNames, prepareChange, spreadNames } from './recurrence/change.ts'
import { repeats } from './recurrence/fields.ts'
import { detach, endRecurrence, prepareNewSeries, prepareRepeated } from './recurrence/start-and-end.ts'
import {
  assertMayEditAll,
  type EventOfSeries,
  isSeriesWide,
  type StoredEvent,
  scopeOf,
} from './recurrence/stored.ts'
import type { PreparedSeries } from './recurrence/write.ts'
import { changedRelations, type Relations } from './relations/fields.ts'
import { EVENT_FIELDS, type EventValues } from './schema.ts'
import { eventText } from './search.ts'

/** The values of an event that an update changes. */
const changedEventValues = ({
  values,
  stored,
  columns,
  times,
  publication,
  relations,
  image,
}: EventOutcome<StoredEvent>): Changed => ({
  ...beforeAndAfter(EVENT_FIELDS, {
    named: Object.keys(values),
    stored,
    columns: { ...columns, ...times, ...publication, slug: values.slug },
    image,
  }),
  ...changedRelations(relations, stored.relations),
})

/** The recurrence of an event that starts or stops repeating. */
function changedRecurrence({ values, stored }: EventOutcome<StoredEvent>): Changed {
  const { recurrence } = values
  if (recurrence === '' && stored.series) return { recurrence: [asRecurrence(stored.series), ''] }
  return recurrence && repeats(recurrence) && !stored.series ? { recurrence: ['', recurrence] } : {}
}

/** A row of `events` that is to be written, with its relations. */
export type PreparedEventRow = PreparedRow & {
  type: 'event'
  stored?: StoredEvent | undefined
  relations: Relations
  /** The text for searches, if it changes and isn't that of a series. */
  text: string | undefined
  /** The series that changes with an occurrence, or with an event that starts or ends a recurrence. */
  series?: readonly PreparedSeries[]
  /** True for an update that changes nothing, which is not written. */
  isUnchanged?: boolean
  /** The number of dates that a deletion leaves of a series. */
  remaining?: number
}

/** What is to be written of an event: its row, a new series, or a change of a series. */
export type PreparedEvent =
  | PreparedEventRow
  | {
      type: 'series'
      /** Empty for an update that changes nothing. */
      series: readonly PreparedSeries[]
      /** The occurrence that the request names, and the response shows; undefined for the first date of a new series. */
      stored?: EventOfSeries
      /** The number of dates that a deletion leaves. */
      remaining?: number
    }

/** Tells an occurrence from a single event. */
const isOccurrence = (outcome: EventOutcome): outcome is EventOutcome<EventOfSeries> =>
  Boolean(outcome.stored?.series)

const isSingle = (outcome: EventOutcome): outcome is EventOutcome<StoredEvent> => outcome.stored !== undefined

/**
 * Works out what is to be written of an event.
 *
 * @throws ApiError `rest_forbidden` if the caller may not do this, and all errors at once
 */
export function prepareEvent(
  context: RequestContext,
  {
    values: given,
    found,
    stored,
  }: { values: EventValues; found: FoundForEvents; stored?: StoredEvent | undefined },
  errors: ValidationErrors,
): PreparedEvent {
  const slug = stored && slugOfTitle(context, given, stored)
  const values = slug === undefined ? given : { ...given, slug }
  if (stored?.series && isSeriesWide(values))
    assertMayEditAll(context, stored.series, stored.series.occurrences)
  // A date in the trash comes back with its series, which others may have published.
  else if (stored?.series && stored.status === 'trash') assertMayEditAll(context, stored.series, [])
  const { external_id = '' } = values
  if (external_id !== stored?.external_id && ['', context.host].some(host => isOwnUid(external_id, host)))
    errors.add('external_id', 'has the form of the UIDs that this calendar gives to its own events')
  const outcome: EventOutcome = outcomeOf(context, { values, found, stored }, errors)
  errors.throwIfAny()
  if (isOccurrence(outcome)) return preparedOccurrence(context, outcome, errors)
  const isRepeated = repeats(values.recurrence)
  if (!isSingle(outcome))
    return isRepeated
      ? { type: 'series', series: [prepareNewSeries(context, outcome, errors)] }
      : preparedNew(context, outcome)
  if (!isRepeated) return preparedUpdate(context, outcome, { hasOwnText: true })
  return preparedUpdate(context, outcome, prepareRepeated(context, outcome, errors))
}

/** What the slug of an event is made from, beside its title. */
const namingOf = ({ settings }: RequestContext, { slug }: Pick<EventValues, 'slug'>) => ({
  slug,
  language: settings.website.language,
  fallback: 'event',
})

/** The statuses of events that wait for their first publication. */
const WAITING: readonly Status[] = ['draft', 'pending']

/**
 * The slug that follows from another title, as in WordPress: that of an event which has never been public, unless it was named.
 * Dates of a series have that of the series.
 */
function slugOfTitle(context: RequestContext, values: EventValues, stored: StoredEvent): string | undefined {
  const { title, slug } = values
  const of = stored.series ?? stored
  if (title === undefined || slug !== undefined || stored.wasPublic || !WAITING.includes(of.status))
    return undefined
  if (stored.series && scopeOf(values) !== 'all') return undefined
  const naming = namingOf(context, {})
  const formsOf = (name: string) => [slugBase({ ...naming, name }), ...spellingsOf(name)].filter(Boolean)
  const short = (form: string) => (stored.series ? seriesSlug(form) : form)
  const isMade = (name: string) => formsOf(name).some(form => isSlugOf(of.slug, short(form)))
  return isMade(of.title) && !isMade(title) ? slugBase({ ...naming, name: title }) : undefined
}

function preparedNew(context: RequestContext, outcome: EventOutcome): PreparedEventRow {
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

type Further = {
  /** True if it is found by a text of its own, which follows from its columns. */
  hasOwnText?: boolean
  /** Another text by which it is found from now on. */
  text?: string | undefined
  columns?: Readonly<Record<string, unknown>>
  series?: readonly PreparedSeries[]
}

/** The update of one row. @param further columns and rows beside those of the values */
function preparedUpdate(
  context: RequestContext,
  outcome: EventOutcome<StoredEvent>,
  { hasOwnText = false, text, columns: others, series = [] }: Further,
): PreparedEventRow {
  const { values, stored, times, publication, image } = outcome
  const { status } = publication
  const naming = { ...namingOf(context, values), name: values.title ?? stored.title, status }
  const changed = { ...changedEventValues(outcome), ...changedRecurrence(outcome) }
  const isNewText = hasOwnText && TEXT_FIELDS.some(name => changed[name])
  const slug = changedSlug(naming, stored)
  const columns = {
    ...outcome.columns,
    ...times,
    ...(times.utc_start_date !== stored.utc_start_date && { previous_utc_start_date: stored.utc_start_date }),
    ...publication,
    ...others,
    slug,
  }
  // Forms send all fields. Links and texts that stay as they are are not written again.
  const relations = Object.fromEntries(Object.entries(outcome.relations).filter(([name]) => changed[name]))
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
    changed,
    relations,
    text: isNewText ? eventText({ ...stored, ...values }) : text,
    series,
  }
}

function preparedOccurrence(
  context: RequestContext,
  outcome: EventOutcome<EventOfSeries>,
  errors: ValidationErrors,
): PreparedEvent {
  const { values, stored } = outcome
  if (values.recurrence !== undefined && values.scope === 'this')
    errors.add('scope', 'must be all or following for a change of the recurrence')
  if (isSeriesWide(values)) {
    const spread = spreadNames(outcome, errors)
    errors.throwIfAny()
    if (values.recurrence === '') return preparedUpdate(context, outcome, endRecurrence(context, outcome))
    const series = prepareChange(context, narrowed(outcome, [...changedNames(outcome), ...spread]), errors)
    return { type: 'series', series, stored }
  }
  const changed = narrowed(outcome, changedNames(outcome))
  const further = detach(context, changed, errors)
  errors.throwIfAny()
  return preparedUpdate(context, changed, further)
}

/** An outcome of some of its values. Texts that an occurrence shares with its series stay there unless they change. */
function narrowed<S extends StoredEvent>(
  outcome: EventOutcome<S>,
  names: readonly string[],
): EventOutcome<S> {
  const only = <T extends object>(given: T): T =>
    // A selection of the given entries, each of which may be absent.
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name))) as T
  const shared = Object.fromEntries(
    TEXT_FIELDS.filter(name => !names.includes(name)).map(name => [name, undefined]),
  )
  return {
    ...outcome,
    values: only(outcome.values),
    relations: only(outcome.relations),
    image: names.includes('image') ? outcome.image : undefined,
    columns: { ...outcome.columns, ...shared },
  }
}
