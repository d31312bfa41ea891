import { addDays, type DateTime } from '../time.ts'

const compact = (time: DateTime): string => time.replace(' ', 'T').replace(/[-:]/g, '')

/** A DATE, `20270610`. */
export const dateValue = (wall: DateTime): string => wall.slice(0, 10).replaceAll('-', '')

/** A DATE-TIME of local time, `20270610T200000`. */
export const localValue = compact

/** A DATE-TIME in UTC, `20270610T180000Z`. */
export const utcValue = (utc: DateTime): string => `${compact(utc)}Z`

/** The end of whole days, which are exclusive in iCalendar: the day after the last one. */
export const dayAfter = (wall: DateTime): DateTime => addDays(wall, 1)
