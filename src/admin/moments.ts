import { type DateTime, toWall } from '../lib/time.ts'
import type { Visit } from './admin.ts'

/** The day of an instant in UTC, in words, as it is where the calendar is. */
export const dayOf = ({ site, context }: Pick<Visit, 'site' | 'context'>, utc: DateTime): string =>
  site.dates.format('date', toWall(utc, context.settings.timezone))
