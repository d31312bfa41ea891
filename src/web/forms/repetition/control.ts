import { type DateTime, isDateTime } from '../../../lib/time.ts'
import { isObject } from '../../../lib/values.ts'
import { canonicalZone } from '../../../lib/zones.ts'
import type { Body, Control, ValueContext } from '../control.ts'
import { start as startControl } from '../controls/moment.ts'
import { type Entries, entriesNamed, entry } from '../entries.ts'
import {
  controlsOf,
  dayOfRule,
  entriesOfRepetition,
  KNOWN,
  type Known,
  NAMES,
  NO_REPETITION,
  recurrenceOf,
  repetitionIn,
} from './controls.ts'
import { repetitionFields, repetitionLabel } from './fields.ts'
import type { FormTimes } from './upcoming.ts'

/** The start in a form as a wall time; undefined if there is none yet. */
function startIn(entries: Entries, context: ValueContext): DateTime | undefined {
  const text = String(startControl.value(entries, 'start_date', context) ?? '')
  const wall = `${text}${text.length === 16 ? ':00' : ''}`
  return isDateTime(wall) ? wall : undefined
}

/** The times of an event in a form; undefined if it has no start yet. */
export function timesIn(entries: Entries, context: ValueContext): FormTimes | undefined {
  const start = startIn(entries, context)
  if (start === undefined) return undefined
  return {
    start,
    all_day: entriesNamed(entries, 'all_day').length > 0,
    timezone: canonicalZone(entry(entries, 'timezone').trim()) ?? context.settings.timezone,
  }
}

const isWall = (value: unknown): value is DateTime => typeof value === 'string' && value.length === 19

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

/**
 * The recurrence of an occurrence, of a response of the API. The first date of its series, `series.first_date`, is in none of
 * these: without it, that is taken to be a date of the same rule.
 */
export function knownOf({ series, start_date }: Body): Known | undefined {
  if (!isObject(series) || !isObject(series.recurrence) || !isWall(start_date)) return undefined
  const { recurrence, occurrence_date, first_date } = series
  const first = [first_date, occurrence_date].find(isWall)
  if (first === undefined) return undefined
  return {
    rrule: String(recurrence.rrule ?? ''),
    rdate: textsOf(recurrence.rdate),
    exdate: textsOf(recurrence.exdate),
    first,
    date: isWall(occurrence_date) ? occurrence_date : start_date,
    shown: start_date,
  }
}

/** The repetition of an event, as words and as dates. */
export const repetition: Control = {
  isSet: true,
  inputs: () => [...Object.values(NAMES), KNOWN, ...startControl.inputs('start_date')],
  show: body => {
    const known = knownOf(body)
    return entriesOfRepetition({ controls: known ? controlsOf(known) : NO_REPETITION, known })
  },
  value: (entries, _, context) => {
    const [given, start] = [repetitionIn(entries), startIn(entries, context)]
    return given && start && recurrenceOf(given, start, entry(entries, 'scope') === 'following')
  },
  read: (entries, _, { site }) => {
    const [given, start] = [repetitionIn(entries), startIn(entries, site.context)]
    return given ? repetitionLabel(site, given.controls, dayOfRule(given.known, start ?? site.today)) : ''
  },
  render: view => {
    const { site, entries } = view
    const shown = repetitionIn(entries) ?? { controls: NO_REPETITION }
    return repetitionFields(view, { repetition: shown, times: timesIn(entries, site.context) })
  },
}
