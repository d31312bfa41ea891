import { restUrl, type SerializeContext } from '../../../context.ts'
import { statusAt } from '../../../lib/statuses.ts'
import type { EventRow } from '../rows.ts'
import { serializeEvent } from '../serialize.ts'
import { serializeRecurrence } from './serialize.ts'

/** The fields that the occurrences of a series share, in responses and backups. Ids and external ids are their own. */
export function serializeSeries(row: EventRow, context: SerializeContext) {
  const {
    global_id: _,
    global_id_lineage: _lineage,
    external_id: _externalId,
    series: _series,
    ...shared
  } = serializeEvent(row, context)
  const isAddressed = statusAt(row, context.now) === 'publish'
  return {
    ...shared,
    rest_url: restUrl(context, 'series', row.id),
    url: isAddressed ? `${context.site}/event/${encodeURIComponent(row.slug)}/` : '',
    recurrence: serializeRecurrence({ rrule: '', rdate: '[]', exdate: '[]', ...row.series }),
  }
}
