import { type DateTime, toWall } from '../../lib/time.ts'
import type { Visit } from './admin.ts'

/** The day of an instant in UTC, in words, as it is where the calendar is. */
export const dayOf = ({ site, context }: Pick<Visit, 'site' | 'context'>, utc: DateTime): string =>
  site.dates.format('date', toWall(utc, context.settings.timezone))

/** The day and time of an instant in UTC, as people there say it. */
export const momentOf = (
  { site: { dates, context } }: Pick<Visit, 'site'>,
  utc: DateTime,
  format: 'date' | 'shortDay' = 'date',
): string => {
  const wall = toWall(utc, context.settings.timezone)
  return `${dates.format(format, wall)}, ${dates.clock(wall)}`
}

/** The same for lists of what was lately. */
export const shortMomentOf = (visit: Pick<Visit, 'site'>, utc: DateTime): string =>
  momentOf(visit, utc, 'shortDay')
