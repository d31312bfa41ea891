import * as z from 'zod/mini'
import { documented, field, lazyObject } from '../../kit/http/params.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { asText, FIELD_LIMITS, refuse, toInteger, toItems } from '../../kit/lib/values.ts'

/** The most events and series of a list together. */
export const MAX_PICKS = FIELD_LIMITS.ids

/** Ids of events, and of series of which all dates are kept. */
export type Picks = { ids: readonly number[]; series: readonly number[] }

/** A list of distinct ids, which may be empty. */
const idList = (description: string, example: number[]) =>
  field(raw => [...new Set(toItems(raw, MAX_PICKS).map(item => toInteger(item, 1)))], {
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    maxItems: MAX_PICKS,
    description,
    example,
  })

export const pickFields = lazyObject('PickFields', () => ({
  ids: z.optional(
    idList("Events and single dates. Those that the public can't see are kept, and not shown.", [12, 15]),
  ),
  series: z.optional(idList('Series all of whose dates are kept.', [3])),
}))

/** Adds an error for more picks than a list may have. */
export function checkNumber({ ids, series }: Picks, errors: ValidationErrors): void {
  if (ids.length + series.length > MAX_PICKS)
    errors.add('ids', `must be at most ${MAX_PICKS}, together with series`)
}

export const picksSchema = lazyObject('Picks', () => ({ ids: z.array(z.int()), series: z.array(z.int()) }))

const text = (description: string) => documented(z.string(), description)

export const newListSchema = lazyObject('NewPicks', () => ({
  token: text('The secret that reads the list.'),
  key: text('The secret that changes and deletes the list. It is shown only here.'),
  url: text('The address of the list.'),
  ics: text('The address of its calendar, to subscribe to.'),
}))

/**
 * An event on the page of picks as it was when it was kept: its start, in minutes since 1970, UTC, if that is
 * known, and its status if it was off.
 */
export type KeptEvent = { id: number; minutes: number | undefined; off: string | undefined }

const KEPT_EVENT = /^(\d{1,15})(?:-(\d{1,10})(?:-(canceled|postponed))?)?$/

/** @throws InvalidValue */
function toKeptEvent(item: unknown): KeptEvent {
  const [, id = '', minutes, off] = KEPT_EVENT.exec(asText(item)) ?? []
  if (Number(id) < 1) return refuse('must be ids such as 12, or 12-29680140 with minutes since 1970')
  return { id: Number(id), minutes: minutes === undefined ? undefined : Number(minutes), off }
}

export const pageQuery = z.object({
  ids: z.optional(
    field(raw => toItems(raw, MAX_PICKS).map(toKeptEvent), {
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_PICKS,
      description:
        'Events, each with the time at which it started when it was kept, if that is known, and its status if it was off.',
      example: ['12-29680140', '15', '16-29680140-canceled'],
    }),
  ),
  series: pickFields.shape.series,
})
