import type { SQL } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { inList } from '../../../db/query.ts'
import { series } from '../../../db/schema.ts'
import { type Numbered, type PreparedRow, rowStatements } from '../../content/writes.ts'
import { relationStatements } from '../relations/links.ts'
import type { Relations } from '../relations/resolve.ts'
import { indexSeries, reindexOccurrences } from '../search.ts'
import { FIELD_NAMES } from './shared.ts'
import { followInTrash, replaceLinks } from './statements.ts'

/** A row of `series` that is to be written, by whoever writes its occurrences as well. Its slug is taken as it is. */
type PreparedSeriesRow = PreparedRow & {
  relations: Relations
  /** The texts by which occurrences are found, if they may have changed. */
  texts?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The statements that write rows of series. Occurrences follow them where they are in the trash, in their links, and in the
 * texts by which they are found; all else is up to whoever writes them, after this.
 */
export function seriesRowStatements(
  context: RequestContext,
  rows: readonly Numbered<PreparedSeriesRow>[],
): SQL[] {
  if (rows.length === 0) return []
  const texts = rows.flatMap(({ id, texts }) => (texts ? [{ ...texts, id }] : []))
  const changed = rows.flatMap(row => (row.stored && row.texts ? [row.id] : []))
  return [
    ...rowStatements(context, { kind: { table: series, singular: 'series' }, keepsSlugs: true }, rows),
    ...indexSeries(texts),
    ...relationStatements(
      context,
      'series',
      rows.map(({ id, stored, relations }) => ({ id, isNew: !stored, relations })),
    ),
    ...(changed.length === 0
      ? []
      : [
          ...reindexOccurrences(texts.filter(({ id }) => changed.includes(id))),
          followInTrash(changed),
          ...replaceLinks(inList(changed), FIELD_NAMES),
        ]),
  ]
}
