import type { SQL } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { isOwnUid } from '../../lib/ical/own-uid.ts'
import { type Audited, changesRow } from '../content/changed-values.ts'
import type { ImageChoice } from '../content/image-choice.ts'
import { changedSlug, newSlug } from '../content/slugs.ts'
import type { PreparedRow } from '../content/writes.ts'
import { changedEventValues, changedRecurrence, changedSeries } from './changed.ts'
import { type EventOutcome, type FoundForEvents, outcomeOf } from './outcome.ts'
import { type NewSeries, prepareSeries, repeatEvent } from './recurrence/create.ts'
import { changedNames } from './recurrence/differences.ts'
import { repeats } from './recurrence/fields.ts'
import { detach, endRecurrence, occurrencesEnded, validateReturn } from './recurrence/one.ts'
import { changesSeries, prepareChange, type SeriesChange } from './recurrence/series-change.ts'
import { TEXT_FIELDS } from './recurrence/shared.ts'
import { type StoredEvent, type StoredSeries, scopeOf } from './recurrence/stored.ts'
import { assertMayEditAll, isWide } from './recurrence/update.ts'
import type { Relations } from './relations/resolve.ts'
import type { EventFields } from './schema.ts'
import { eventText } from './search.ts'

type Values = Partial<EventFields>

/** A row of `events` that is to be written, with its relations. */
export type PreparedEventRow = PreparedRow & {
  type: 'event'
  stored?: StoredEvent | undefined
  relations: Relations
  /** The text for searches, if it changes and isn't that of a series. */
  text: string | undefined
  /** What an update of an occurrence, or one that begins or ends a recurrence, writes besides. */
  also: readonly SQL[]
  /** The dates of a series that `also` writes. */
  dates?: number
  /** True for an update that changes nothing: nothing is written of it. */
  isUnchanged?: boolean
}

/** What is to be written of an event: its row, a new series, or a change of a series. */
export type PreparedEvent =
  | PreparedEventRow
  | ({ type: 'new series'; image: ImageChoice | undefined; series: NewSeries } & Audited)
  | ({ type: 'series'; image: ImageChoice | undefined; change: SeriesChange } & Audited)

type Occurrence = StoredEvent & { series: StoredSeries }

/** Tells an occurrence from a single event. */
const isOccurrence = (outcome: EventOutcome): outcome is EventOutcome<Occurrence> =>
  Boolean(outcome.stored?.series)

const isSingle = (outcome: EventOutcome): outcome is EventOutcome<StoredEvent> => outcome.stored !== undefined

/**
 * Works out what is to be written of an event.
 *
 * @throws ApiError `rest_forbidden` if the caller may not do this, and all errors at once
 */
export function prepareEvent(
  context: RequestContext,
  { values, found, stored }: { values: Values; found: FoundForEvents; stored?: StoredEvent | undefined },
  errors: ValidationErrors,
): PreparedEvent {
  if (stored?.series && isWide(values)) assertMayEditAll(context, stored.series, stored.series.occurrences)
  // A date in the trash comes back with its series, which others may have published.
  else if (stored?.series && stored.status === 'trash') assertMayEditAll(context, stored.series, [])
  const { external_id = '' } = values
  if (external_id !== stored?.external_id && ['', context.host].some(host => isOwnUid(external_id, host)))
    errors.add('external_id', 'has the form of the UIDs that this calendar gives to its own events')
  const outcome: EventOutcome = outcomeOf(context, { values, found, stored }, errors)
  errors.throwIfAny()
  if (isOccurrence(outcome)) return preparedOccurrence(context, outcome, errors)
  const series = repeats(values.recurrence) ? prepareSeries(context, outcome, errors) : undefined
  errors.throwIfAny()
  if (isSingle(outcome)) {
    if (!series) return preparedUpdate(outcome, { hasOwnText: true })
    const also = repeatEvent(context, outcome, series)
    return preparedUpdate(outcome, { hasOwnText: true, also, dates: series.added.length })
  }
  return series ? { type: 'new series', image: values.image, series } : preparedNew(context, outcome)
}

function preparedNew(context: RequestContext, outcome: EventOutcome): PreparedEventRow {
  const { values, columns, times, publication, relations } = outcome
  const title = values.title ?? ''
  return {
    type: 'event',
    columns: {
      ...columns,
      ...times,
      ...publication,
      title,
      website: values.website ?? '',
      author_id: values.author ?? context.caller.id,
      slug: newSlug({ slug: values.slug, name: title, status: publication.status, fallback: 'event' }),
    },
    image: values.image,
    fields: Object.keys(values),
    relations,
    text: eventText(values),
    also: [],
  }
}

type Further = {
  /** True if its text for searches is not that of a series, or written by `also`. */
  hasOwnText?: boolean
  also?: readonly SQL[]
  dates?: number
  columns?: Readonly<Record<string, unknown>>
}

/** The update of one row. @param further columns and statements beside those of the values */
function preparedUpdate(
  outcome: EventOutcome<StoredEvent>,
  { hasOwnText = false, also = [], dates = 0, columns: others }: Further,
): PreparedEventRow {
  const { values, stored, times, publication, image } = outcome
  const { status } = publication
  const naming = { slug: values.slug, name: values.title ?? stored.title, status, fallback: 'event' }
  const changed = { ...changedEventValues(outcome), ...changedRecurrence(outcome) }
  const isNewText = hasOwnText && TEXT_FIELDS.some(name => changed[name])
  const slug = changedSlug(naming, stored)
  const columns = { ...outcome.columns, ...times, ...publication, ...others, slug }
  // Whoever saves a form sends all of it. Links and texts that are there are not written again.
  const relations = Object.fromEntries(Object.entries(outcome.relations).filter(([name]) => changed[name]))
  const isUnchanged =
    also.length + Object.keys(relations).length === 0 && !changesRow({ stored, columns, image })
  return {
    type: 'event',
    isUnchanged,
    stored,
    columns,
    seriesSlug: stored.series?.slug,
    image,
    fields: Object.keys(values),
    changed,
    // The dates that it had are in the trash then, and would not come back by a rule.
    isFinal: values.recurrence === '' && stored.series !== null,
    relations,
    text: isNewText ? eventText({ ...stored, ...values }) : undefined,
    also,
    dates,
  }
}

function preparedOccurrence(
  context: RequestContext,
  outcome: EventOutcome<Occurrence>,
  errors: ValidationErrors,
): PreparedEvent {
  const { values, stored } = outcome
  if (values.recurrence !== undefined && values.scope === 'this')
    errors.add('scope', 'must be all or following for a change of the recurrence')
  if (isWide(values)) {
    errors.throwIfAny()
    if (values.recurrence === '') {
      const { length: dates } = occurrencesEnded(stored, values.scope !== 'following')
      return preparedUpdate(outcome, { also: endRecurrence(context, outcome), dates })
    }
    const change = prepareChange(context, outcome, errors)
    if (!changesSeries(change, scopeOf(values))) return unchangedRow(outcome)
    return {
      type: 'series',
      image: change.changed.image,
      change,
      changed: changedSeries(outcome, change),
    }
  }
  validateReturn(stored, outcome.publication.status, errors)
  errors.throwIfAny()
  const changed = narrowed(outcome, changedNames(outcome))
  return preparedUpdate(changed, detach(context, changed))
}

/** An update that leaves its event as it is: what it asks for, the series has already. */
const unchangedRow = ({ stored, values }: EventOutcome<Occurrence>): PreparedEventRow => ({
  type: 'event',
  isUnchanged: true,
  stored,
  columns: { status: stored.status },
  image: undefined,
  fields: Object.keys(values),
  changed: {},
  relations: {},
  text: undefined,
  also: [],
})

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
