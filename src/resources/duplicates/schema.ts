import * as z from 'zod/mini'
import { TWIN_STATES } from '../../db/schema.ts'
import { pageParams } from '../../http/lists.ts'
import { flag, integer, oneOf } from '../../http/params.ts'
import { eventSchema } from '../events/schema.ts'

export const duplicateList = z.object({
  ...pageParams,
  state: z.optional(
    oneOf(TWIN_STATES, {
      description:
        'What is to be decided (`asked`), what is shown as one (`joined`), or what somebody said to be different. With `event` all of it.',
      default: 'asked',
      example: 'joined',
    }),
  ),
  event: z.optional(integer({ description: 'Only pairs that include this event.', example: 12 })),
})

export type DuplicateListParams = z.output<typeof duplicateList>

export const decisionFields = z
  .object({
    same: flag({
      description:
        'True if both are the same event: lists then show one. False if they are not: they are never asked about again.',
    }),
  })
  .register(z.globalRegistry, { id: 'DuplicateFields' })

export const duplicateSchema = z.lazy(() =>
  z
    .object({
      id: z.int(),
      state: z.enum(TWIN_STATES),
      likeness: z.number().register(z.globalRegistry, { description: 'From 0 to 1.' }),
      events: z.array(eventSchema).register(z.globalRegistry, {
        description: 'Both events. Of those that are joined, the first is the one that lists show.',
      }),
      shown: z.int().register(z.globalRegistry, {
        description: 'Id of the one that lists show in place of both; 0 while both are by themselves.',
      }),
      author: z
        .string()
        .register(z.globalRegistry, { description: 'Id of the user who decided; empty if nobody did.' }),
      date_utc: z.string(),
    })
    .register(z.globalRegistry, { id: 'Duplicate' }),
)

export type DuplicateResponse = z.output<typeof duplicateSchema>
