import * as z from 'zod'
import { pageParams } from '../../http/lists.ts'
import { flag, integer, search } from '../../http/params.ts'
import { parseBoolean } from '../../lib/values.ts'
import { statusFilter } from '../fields.ts'

/** The list parameters of venues and organizers. */
export const relatedList = z.object({
  ...pageParams,
  search: search({
    description: 'Words that must occur in the name or any other text.',
    example: 'hall',
  }).optional(),
  event: integer({ description: 'Only those of this event.', example: 12 }).optional(),
  has_events: flag({ description: 'Linked to a published event, or not.' }).optional(),
  only_with_upcoming: flag({
    description: 'Linked to a published event that has not ended.',
    default: false,
    dependsOnClock: value => parseBoolean(value) === true,
  }).optional(),
  status: statusFilter,
})

export type RelatedListParams = z.output<typeof relatedList>
