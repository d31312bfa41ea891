import { addDays, type DateTime } from '../time.ts'

/** A DATE, `20270610`. */
export const dateValue = (wall: DateTime): string => wall.slice(0, 4) + wall.slice(5, 7) + wall.slice(8, 10)

/** A DATE-TIME of local time, `20270610T200000`. */
export const localValue = (wall: DateTime): string =>
  `${dateValue(wall)}T${wall.slice(11, 13)}${wall.slice(14, 16)}${wall.slice(17, 19)}`

/** A DATE-TIME in UTC, `20270610T180000Z`. */
export const utcValue = (utc: DateTime): string => `${localValue(utc)}Z`

/** The end of whole days, which are exclusive in iCalendar: the day after the last one. */
export const dayAfter = (wall: DateTime): DateTime => addDays(wall, 1)
