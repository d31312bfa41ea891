import { eq, type SQL } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { events, series } from '../../db/schema.ts'
import { freeSlugSql } from '../../db/slugs.ts'
import { update } from '../../db/statements.ts'
import { MAX_SLUG } from '../../lib/slug.ts'
import { toWall } from '../../lib/time.ts'
import { extendFrom, horizonOf, type Pattern } from './pattern.ts'
import type { SeriesRow } from './stored.ts'

/** Room in a slug for the date and time of an occurrence, and for the ending of slugs in the trash. */
const SUFFIX_ROOM = 30

/**
 * The first free slug of a series. Single events have theirs at the same addresses.
 *
 * @param except the id of the event that becomes the series
 */
export const seriesSlug = (base: string, except?: number): SQL =>
  freeSlugSql(events, base.slice(0, MAX_SLUG - SUFFIX_ROOM).replace(/-+$/, '') || 'event', {
    alsoIn: series,
    ...(except !== undefined && { except }),
  })

/** The columns of a pattern as they are stored. */
export const patternColumns = ({ rdate, exdate, ...columns }: Pattern) => ({
  ...columns,
  rdate: JSON.stringify(rdate),
  exdate: JSON.stringify(exdate),
})

/** The columns of the time of a change. */
export const modifiedNow = ({ now, settings }: RequestContext) => ({
  modified: toWall(now, settings.timezone),
  modified_utc: now,
})

/** The statement that gives a series another pattern, which takes no new occurrences. */
export const changePattern = (
  context: RequestContext,
  { id, version }: Pick<SeriesRow, 'id' | 'version'>,
  pattern: Pattern,
): SQL =>
  update(
    series,
    {
      ...patternColumns(pattern),
      ...modifiedNow(context),
      extend_from: extendFrom(pattern, horizonOf(pattern, context.now)),
      version: version + 1,
    },
    eq(series.id, id),
  )
