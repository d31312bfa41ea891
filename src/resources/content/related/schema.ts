import * as z from 'zod/mini'
import { pageParams } from '../../../http/lists.ts'
import { box, flag, integer, search } from '../../../http/params.ts'
import { parseBoolean } from '../../../lib/values.ts'
import { statusFilter } from '../fields.ts'

/** The list parameters that venues and organizers share. */
export const relatedList = z.object({
  ...pageParams,
  search: z.optional(
    search({
      description: 'Words that must occur in the name or any other text.',
      example: 'hall',
    }),
  ),
  event: z.optional(integer({ description: 'Only those of this event.', example: 12 })),
  has_events: z.optional(flag({ description: 'Linked to a published event, or not.' })),
  only_with_upcoming: z.optional(
    flag({
      description: 'Linked to a published event that has not ended.',
      default: false,
      dependsOnClock: value => parseBoolean(value) === true,
    }),
  ),
  status: statusFilter,
})

/** The list parameters of venues, which have a place. */
export const venueList = z.extend(relatedList, {
  bbox: z.optional(box({ description: 'Only venues in this box.' })),
})

/** The list parameters of either. */
export type RelatedListParams = z.output<typeof venueList>
