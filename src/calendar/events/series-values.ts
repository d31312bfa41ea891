import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { defaultValues } from '../../kit/db/bulk.ts'
import { series, seriesOrganizers, seriesTerms, seriesVenues } from '../../kit/db/tables.ts'

// The values of an imported series by which the next import sees whether people have changed it here.

/** The columns of a series that people can change here, in the order of the stored digests. */
const EDITABLE = (
  'status slug title description excerpt image_id all_day start_date end_date timezone cost website show_map ' +
  'show_map_link hide_from_listings sticky featured ticketed post_parent event_status event_status_reason ' +
  'virtual_event_type virtual_url virtual_video_source custom_fields rrule rdate'
).split(' ')

/**
 * The columns of a series that don't show whether people have changed it: the cron changes some of them,
 * exceptions belong to occurrences, and dates and authors stay when an import changes a series.
 */
const NOT_EDITABLE =
  'id version author_id date date_utc modified modified_utc external_id uid sequence_offset is_virtual exdate extend_from parent_confirmed_by'.split(
    ' ',
  )

/**
 * All other columns. They count only if they differ from their defaults, so that a new column leaves stored
 * digests as they are.
 */
const OTHER_DEFAULTS = Object.entries(defaultValues(getTableColumns<SQLiteTable>(series))).filter(
  ([name]) => ![...EDITABLE, ...NOT_EDITABLE].includes(name),
)

/** A column with the relations of a series in one text. People can change them, too. */
export const SERIES_LINKS_TEXT = sql`${linkList(seriesVenues, seriesVenues.position)}
  || ';' || ${linkList(seriesOrganizers, seriesOrganizers.position)}
  || ';' || ${linkList(seriesTerms, seriesTerms.target_id)} AS links`

function linkList(
  links: typeof seriesVenues | typeof seriesOrganizers | typeof seriesTerms,
  order: SQLiteColumn,
): SQL {
  const ids = sql`SELECT ${links.target_id} AS id FROM ${links} WHERE ${links.series_id} = ${series.id} ORDER BY ${order}`
  return sql`coalesce((SELECT group_concat(id) FROM (${ids})), '')`
}

/**
 * The values of a series that show whether people have changed it here.
 * @param links its relations in one text
 */
export const editableValues = (row: Readonly<Record<string, unknown>>, links: unknown): unknown[] => [
  ...EDITABLE.map(name => row[name] ?? null),
  links,
  ...OTHER_DEFAULTS.flatMap(([name, fallback]) => {
    const value = row[name] ?? fallback
    return value === fallback ? [] : [[name, value]]
  }),
]
