import { eq, type SQL } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { series } from '../../../db/schema.ts'
import { update } from '../../../db/statements.ts'
import { toWall } from '../../../lib/time.ts'
import { extendFrom, horizonOf, type Pattern } from './pattern.ts'
import type { SeriesRow } from './stored.ts'

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
