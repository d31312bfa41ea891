import type { Filters } from './filters.ts'
import type { Site } from './site.ts'

/** A feed of the events of a page. */
export type Feed = { type: string; title: string; address: string }

/** The addresses of feeds with the events of a page: of the whole calendar, or of those that fulfil its filters. */
export type FeedsOf = (site: Site, filters: Filters) => Feed[]

/**
 * The feeds that pages announce and offer to subscribe to, the calendar for subscribers (`text/calendar`) first. There
 * are none yet: a service with feeds gives their addresses here.
 */
export const feedsOf: FeedsOf = () => []
