import { permalink } from '../../content/serialize.ts'
import { restUrl, type SerializeContext } from '../../context.ts'
import type { EventRow } from '../rows.ts'
import { textsOf } from './texts.ts'

/**
 * The address of an event on the site. That of an occurrence has its date as a part of its own: the address before it
 * leads to the next one of the series.
 */
export function eventLink(
  row: Parameters<typeof permalink>[0] & { series: { slug: string } | null },
  context: SerializeContext,
): string {
  const { slug, series } = row
  if (series === null || !slug.startsWith(`${series.slug}-`)) return permalink(row, 'event', context)
  return permalink(row, 'event', context, [series.slug, slug.slice(series.slug.length + 1)])
}

type Stored = { rrule: string; rdate: string; exdate: string }

/** A recurrence as the database holds it, in responses. */
export const serializeRecurrence = ({ rrule, rdate, exdate }: Stored) => ({
  rrule,
  rdate: textsOf(rdate),
  exdate: textsOf(exdate),
})

/** The field `series` of an occurrence; nothing for single events. */
export function serializeSeriesHead(row: EventRow, context: SerializeContext) {
  const { series, series_id, occurrence_date, detached } = row
  if (series === null || series_id === null) return {}
  return {
    series: {
      id: series_id,
      rest_url: restUrl(context, 'series', series_id),
      recurrence: serializeRecurrence(series),
      occurrence_date: occurrence_date ?? row.start_date,
      detached: textsOf(detached),
    },
  }
}
