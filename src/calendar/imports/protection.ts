import type { RawRow } from '../../kit/db/query.ts'
import { pick, storedJson, textsOf } from '../../kit/lib/values.ts'
import type { Hold, Question, Wish } from '../content/dependents.ts'

// Events that people have registered for: a source changes their texts, but the organizer decides whether
// they are moved or removed.

const TIMES = ['start_date', 'end_date', 'timezone', 'all_day'] as const
const MOMENTS = ['utc_start_date', 'utc_end_date', 'timezone_abbr'] as const
/** What the calendar itself knows about an event that people have registered for. */
const TICKETS = ['ticketed', 'ticket_availability'] as const

/** The columns that a source doesn't overwrite. */
const KEPT_COLUMNS = ['status', 'detached', ...TIMES, ...MOMENTS, ...TICKETS] as const

/** The hold of a stored row, with what it holds. */
export type ProtectedValues = Hold & { row: RawRow }

export const protectionOf = (row: Readonly<Record<string, unknown>>): ProtectedValues | undefined =>
  row.held == null
    ? undefined
    : // The JSON is of the feature whose people depend on it; the columns are as the database has them.
      { ...storedJson<Hold>(String(row.held)), row: pick(row as RawRow, ...KEPT_COLUMNS) }

/** A stored row that people may depend on. */
type Row = { id: number; occurrence?: object | undefined; held?: ProtectedValues | undefined }

/** A question, and whether it is one that was not asked before. */
export type ProtectedQuestion = Question & { isNew: boolean }

/** The question about a row. @param wish null if the source agrees with the calendar */
function questionAbout({ id, held }: Row, wish: Wish | null): ProtectedQuestion | undefined {
  const { left: _, ...before } = held?.asked ?? {}
  const isSame = JSON.stringify(wish ?? {}) === JSON.stringify(before)
  return isSame ? undefined : { id, wish, isNew: wish !== null }
}

/** True for a row that a source neither moves nor takes away. */
export const isProtectedRow = ({ held }: Pick<Row, 'held'>): boolean => held?.people === true

/** The question instead of taking a row away; undefined if it was asked before. */
export const askToTakeAway = (row: Row, what: 'trash' | 'hide' = 'trash'): ProtectedQuestion | undefined =>
  questionAbout(row, { what })

/** The columns that a source may change in a row, and the question about the others. */
export function withoutProtected(
  stored: Row,
  given: RawRow,
): { own: RawRow; asked: ProtectedQuestion | undefined } {
  const { held } = stored
  if (!held) return { own: given, asked: undefined }
  const { row, people } = held
  const ownColumns: RawRow = { ...given, ...pick(row, ...TICKETS) }
  const keptColumns: string[] = [...TICKETS]
  let wish: Wish | null = null
  if (people && row.status !== 'trash') {
    const isMoved = (['utc_start_date', 'utc_end_date', 'all_day'] as const).some(
      name => (given[name] ?? null) !== row[name],
    )
    if (isMoved) {
      Object.assign(ownColumns, pick(row, ...TIMES, ...MOMENTS))
      keptColumns.push(...TIMES)
      const [start_date, end_date, timezone] = TIMES.map(name => String(given[name]))
      wish = {
        what: 'move',
        to: {
          start_date: start_date ?? '',
          end_date: end_date ?? '',
          timezone: timezone ?? '',
          all_day: given.all_day === 1,
        },
      }
    }
    if (row.status === 'publish' && given.status !== 'publish') {
      ownColumns.status = row.status ?? null
      wish = { what: given.status === 'trash' ? 'trash' : 'hide' }
    }
  }
  // A date of a series says which of its values are its own.
  if (stored.occurrence)
    ownColumns.detached = JSON.stringify([
      ...new Set([
        ...textsOf(String(given.detached ?? '[]')),
        ...textsOf(String(row.detached ?? '[]')).filter(name => TICKETS.some(ticket => ticket === name)),
        ...keptColumns.slice(TICKETS.length),
      ]),
    ])
  return { own: ownColumns, asked: questionAbout(stored, wish) }
}
