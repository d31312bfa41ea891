import { type RawRow, readText } from '../../kit/db/query.ts'
import { pick, storedJson, textsOf } from '../../kit/lib/values.ts'
import type { ProposedChange, Protection, Question } from '../content/dependents.ts'
import { TICKET_FIELDS } from '../events/recurrence/queries.ts'
import { TIMES } from '../events/shared-fields.ts'

// Events that people have registered for: a source changes their texts, but the organizer decides whether
// they are moved or removed.

/** Columns that follow from the times. */
const DERIVED_TIMES = ['utc_start_date', 'utc_end_date', 'timezone_abbr'] as const

/** The columns that a source doesn't overwrite. */
export const KEPT_COLUMNS = ['status', 'detached', ...TIMES, ...DERIVED_TIMES, ...TICKET_FIELDS] as const

/** The protection of a stored row, with the values that it keeps. */
export type ProtectedValues = Protection & { row: RawRow }

export const protectionOf = (row: RawRow): ProtectedValues | undefined =>
  row.protection == null
    ? undefined
    : // The JSON is of the feature whose people depend on it.
      { ...storedJson<Protection>(readText(row.protection)), row: pick(row, ...KEPT_COLUMNS) }

/** A stored row that people may depend on. */
type ProtectableRow = {
  id: number
  occurrence?: object | undefined
  protection?: ProtectedValues | undefined
}

/** A question, and whether it is one that was not asked before. */
export type ProtectedQuestion = Question & { isNew: boolean }

/** The question about a row. @param change null if the source agrees with the calendar */
function questionAbout(
  { id, protection }: ProtectableRow,
  change: ProposedChange | null,
): ProtectedQuestion | undefined {
  const { left: _, ...before } = protection?.proposal ?? {}
  const isSame = JSON.stringify(change ?? {}) === JSON.stringify(before)
  return isSame ? undefined : { id, change, isNew: change !== null }
}

/** True for a row that a source neither moves nor takes away. */
export const isProtectedRow = ({ protection }: Pick<ProtectableRow, 'protection'>): boolean =>
  protection?.hasPeople === true

/** The question instead of taking a row away; undefined if it was asked before. */
export const askToTakeAway = (
  row: ProtectableRow,
  what: 'trash' | 'hide' = 'trash',
): ProtectedQuestion | undefined => questionAbout(row, { what })

/** The columns that a source may change in a row, and the question about the others. */
export function withoutProtected(
  stored: ProtectableRow,
  given: RawRow,
): { own: RawRow; question: ProtectedQuestion | undefined } {
  const { protection } = stored
  if (!protection) return { own: given, question: undefined }
  const { row, hasPeople } = protection
  const ownColumns: RawRow = { ...given, ...pick(row, ...TICKET_FIELDS) }
  let keptTimes: readonly string[] = []
  let change: ProposedChange | null = null
  if (hasPeople && row.status !== 'trash') {
    const isMoved = (['utc_start_date', 'utc_end_date', 'all_day'] as const).some(
      name => (given[name] ?? null) !== row[name],
    )
    if (isMoved) {
      Object.assign(ownColumns, pick(row, ...TIMES, ...DERIVED_TIMES))
      keptTimes = TIMES
      change = {
        what: 'move',
        to: {
          start_date: readText(given.start_date),
          end_date: readText(given.end_date),
          timezone: readText(given.timezone),
          all_day: given.all_day === 1,
        },
      }
    }
    if (row.status === 'publish' && given.status !== 'publish') {
      ownColumns.status = row.status ?? null
      change = { what: given.status === 'trash' ? 'trash' : 'hide' }
    }
  }
  // A date of a series says which of its values are its own.
  if (stored.occurrence)
    ownColumns.detached = JSON.stringify([
      ...new Set([
        ...textsOf(readText(given.detached)),
        ...textsOf(readText(row.detached)).filter(name => TICKET_FIELDS.some(ticket => ticket === name)),
        ...keptTimes,
      ]),
    ])
  return { own: ownColumns, question: questionAbout(stored, change) }
}
