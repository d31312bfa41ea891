import { restUrl, type SerializeContext } from '../../../context.ts'
import { permalink } from '../../content/response.ts'
import type { EventRow } from '../rows.ts'
import { textsOf } from './shared.ts'

/**
 * The address of an event on the site. That of an occurrence has its date as a part of its own: the address before it
 * leads to the next one of the series.
 */
export const eventLink = (
  row: Parameters<typeof permalink>[0] & Addressed,
  context: SerializeContext,
): string => permalink(row, 'event', context, eventSlugs(row))

/** An event, and the slug of its series; that is null for single events. */
type Addressed = { slug: string; series: { slug: string } | null }

/** The slugs in the address of an event. */
export const eventSlugs = ({ slug, series }: Addressed): string[] =>
  series === null || !slug.startsWith(`${series.slug}-`)
    ? [slug]
    : [series.slug, slug.slice(series.slug.length + 1)]

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
