import type { VirtualEventType } from '../../lib/statuses.ts'

/** The columns that tell if an event takes place online, and how. */
type Attendance = { is_virtual: boolean; virtual_event_type: VirtualEventType }

type Given = { [K in keyof Attendance]?: Attendance[K] | undefined }

/**
 * The columns of the attendance after a write: a type and `is_virtual` always agree. `is_virtual` has precedence; alone,
 * a type makes the event virtual, and an empty one makes it an ordinary one.
 *
 * @param stored the row before an update
 */
export function attendanceOf(given: Given, stored?: Attendance): Partial<Attendance> {
  const { is_virtual, virtual_event_type: type } = given
  if (is_virtual === undefined && type === undefined) return {}
  if (!(is_virtual ?? type !== '')) return { is_virtual: false, virtual_event_type: '' }
  const kept = type === undefined ? stored?.virtual_event_type : type
  return { is_virtual: true, virtual_event_type: kept || 'virtual' }
}
