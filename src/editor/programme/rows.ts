import { paramsOf } from '../../calendar/content/fields.ts'
import { EVENT_FIELDS } from '../../calendar/events/schema.ts'
import type { CalendarContext, WriteRequest } from '../../kit/context.ts'
import { dayAfter, endMoment, movedEnd, startMoment } from '../../site/forms/controls/moment.ts'
import { lineControl, rich } from '../../site/forms/controls/text.ts'
import { type Entries, entry, withEntries } from '../../site/forms/entries.ts'
import {
  changedFields,
  defineForm,
  entriesFor,
  formDigests,
  formValues,
  inFirst,
} from '../../site/forms/form.ts'
import { type ErrorTexts, ifVersion } from '../../site/forms/requests.ts'
import { type FollowedChange, followingIn, valuesByFollowing } from './follow.ts'
import type { Part } from './parts.ts'

// Each row of a programme is a small form of an event: its inputs have the names of that form after the name
// of the row.

const { title, start_date, end_date, room, excerpt } = paramsOf(EVENT_FIELDS)

const PART_FORM = defineForm(
  'event',
  { title, start_date, end_date, room, excerpt },
  {
    title: inFirst(lineControl()),
    start_date: inFirst(startMoment),
    end_date: { ...inFirst(endMoment), isRequired: false },
    room: inFirst(),
    excerpt: inFirst(rich(1)),
  },
)

/** The name of a row's input. @param key of the row: the id of its part, or `n` and a number for a new one */
export const rowInputName = (key: string, name: string): string => `part.${key}.${name}`

export const rowErrorName = (key: string): string => `part.${key}`

const ROW_INPUT = /^part\.(\d{1,15}|n\d{1,6})\.(\w+)$/

const DIGEST_INPUTS = [...formDigests(PART_FORM, new Map()).keys()]

/** A row of the programme: a stored part, or one that is typed. */
export type PartRow = {
  key: string
  part: Part | undefined
  /** The inputs, by the names of the fields. */
  entries: Entries
  isRemoved: boolean
}

function storedEntries(part: Part, context: CalendarContext): Entries {
  const shownEntries = entriesFor(PART_FORM, part, context)
  const day = entry(shownEntries, 'start_date')
  const clock = entry(shownEntries, 'start_date_time')
  const endClock = entry(shownEntries, 'end_date_time')
  // The part ends the next day because its end is earlier than its start, so no date is needed.
  const isOvernight = endClock !== '' && endClock < clock && part.end_date < `${dayAfter(day)} ${clock}`
  const entries = new Map([
    ...shownEntries,
    ...(isOvernight ? [['end_date', ['']] as const] : []),
    ...(part.all_day ? [['all_day', ['1']] as const] : []),
  ])
  const was = [...formDigests(PART_FORM, entries).values()].flat().join(' ')
  return new Map([...entries, ['version', [String(part.version)]], ['was', [was]]])
}

/** The inputs of each row in a submitted form. */
function typedRows(entries: Entries): Map<string, Entries> {
  const rows = new Map<string, Map<string, readonly string[]>>()
  for (const [input, texts] of entries) {
    const [, key, name] = ROW_INPUT.exec(input) ?? []
    if (key === undefined || name === undefined) continue
    const row = rows.get(key) ?? new Map<string, readonly string[]>()
    row.set(name, texts)
    rows.set(key, row)
  }
  return rows
}

/**
 * The inputs of a row, with digests of the values that it showed at first, by which changed fields are known.
 */
const withDigests = (entries: Entries): Entries => {
  const digests = entry(entries, 'was').split(' ')
  return withEntries(
    entries,
    DIGEST_INPUTS.map((name, i) => [name, [digests[i] ?? '']] as const),
  )
}

const isChanged = (entries: Entries): boolean => changedFields(PART_FORM, withDigests(entries)).length > 0

const TYPED_INPUTS = ['title', 'start_date_time', 'end_date_time', 'room', 'excerpt']

/** True if nothing is typed in a new row. The day is filled in beforehand. */
const isBlank = (entries: Entries): boolean => TYPED_INPUTS.every(name => entry(entries, name).trim() === '')

/**
 * The rows of a programme: the stored parts with what was typed over them, then new ones. What was typed over
 * a part that has been deleted becomes a new part.
 *
 * @param postedEntries a submitted form, or no entries
 */
export function partRows(
  parts: readonly Part[],
  postedEntries: Entries,
  context: CalendarContext,
): PartRow[] {
  const rowEntries = typedRows(postedEntries)
  const rows = parts.map((part): PartRow => {
    const key = String(part.id)
    const typedEntries = part.isEditable ? rowEntries.get(key) : undefined
    rowEntries.delete(key)
    return {
      key,
      part,
      entries: typedEntries ? (movedEnd(typedEntries) ?? typedEntries) : storedEntries(part, context),
      isRemoved: typedEntries?.has('remove') ?? false,
    }
  })
  let next = nextKey(postedEntries)
  const newRows = [...rowEntries].flatMap(([key, entries]): PartRow[] => {
    const isRemoved = entries.has('remove')
    if (!isNewKey(key) && (isRemoved || !isChanged(entries))) return []
    return [{ key: isNewKey(key) ? key : `n${next++}`, part: undefined, entries, isRemoved }]
  })
  return [...rows, ...newRows]
}

export const nextKey = (postedEntries: Entries): number =>
  1 +
  Math.max(0, ...[...typedRows(postedEntries).keys()].map(key => (isNewKey(key) ? Number(key.slice(1)) : 0)))

/** Another new row, which starts where the last one ends. @param day the event's, for the first row */
export function furtherRow(rows: readonly PartRow[], next: number, day: string): PartRow {
  const last = rows.at(-1)?.entries ?? new Map()
  const texts: [string, string][] = [
    ['start_date', entry(last, 'start_date') || day],
    ['start_date_time', entry(last, 'end_date_time')],
    ['room', entry(last, 'room')],
  ]
  return {
    key: `n${next}`,
    part: undefined,
    entries: new Map(texts.map(([name, text]) => [name, [text]])),
    isRemoved: false,
  }
}

const isNewKey = (key: string): boolean => key.startsWith('n')

const rowsToSave = (postedEntries: Entries): [key: string, entries: Entries][] =>
  [...typedRows(postedEntries)].filter(([key, entries]) =>
    isNewKey(key) ? !entries.has('remove') && !isBlank(entries) : entries.has('remove') || isChanged(entries),
  )

/** True if a submitted form changes the programme. */
export const changesProgramme = (postedEntries: Entries): boolean =>
  rowsToSave(postedEntries).length > 0 || followingIn(postedEntries) !== undefined

/** The errors of rows that are known before anything is saved. */
export function rowErrors(postedEntries: Entries, { form, reason }: ErrorTexts): Map<string, string> {
  return new Map(
    rowsToSave(postedEntries).flatMap(([key, entries]): [string, string][] => {
      if (entries.has('remove')) return []
      const isMissing = ['title', 'start_date'].some(name => entry(entries, name).trim() === '')
      const text = isMissing
        ? reason.missing
        : startMoment.unclear?.(entries, 'start_date') && form.missingTime
      return text ? [[rowErrorName(key), text]] : []
    }),
  )
}

type RowRequest = { row: PartRow; request: WriteRequest }

/** Values of new parts that are not typed in: their parent event, and the values that they share with it. */
export type NewPartValues = Readonly<Record<string, unknown>>

/** Changes that apply to all rows without being typed in. */
type SharedValues = {
  newPartValues: NewPartValues
  /** The change of the event that stored parts follow. */
  following: FollowedChange | undefined
}

/** The requests that store the typed rows, and the parts that follow the event. */
export function rowRequests(
  rows: readonly PartRow[],
  { newPartValues, following }: SharedValues,
  context: CalendarContext,
): RowRequest[] {
  return rows.flatMap((row): RowRequest[] => {
    const { part, entries, isRemoved } = row
    if (!part) {
      if (isRemoved || isBlank(entries)) return []
      const body = { ...newPartValues, ...formValues(PART_FORM.fields, entries, context) }
      return [{ row, request: { method: 'POST', path: '/events', body } }]
    }
    if (!part.isEditable) return []
    const typedValues = formValues(changedFields(PART_FORM, withDigests(entries)), entries, context)
    const followedValues = following && valuesByFollowing(part, following, 'start_date' in typedValues)
    const body = isRemoved ? { status: 'trash' } : { ...typedValues, ...followedValues }
    if (Object.keys(body).length === 0) return []
    const headers = ifVersion(entry(entries, 'version'))
    return [{ row, request: { method: 'PATCH', path: `/events/${part.id}`, body, headers } }]
  })
}
