import * as z from 'zod/mini'
import { pageParams } from '../../http/lists.ts'
import { flag, text } from '../../http/params.ts'
import { eventList } from '../../resources/events/schema.ts'
import { dateOf } from './days.ts'

const { search, categories, tags, venue, organizer, featured } = eventList.shape

/** The parameters of pages that filter, which are those of the API's list. */
const filterParams = { search, categories, tags, venue, organizer, featured }

export const filterList = z.object(filterParams)

/** Values of the parameters that filter. */
export type Filters = Partial<z.output<typeof filterList>>

/** A date as the forms of pages send it, `YYYY-MM-DD`. */
const date = (description: string) =>
  z.optional(
    text({
      isValid: value => dateOf(value) !== undefined,
      reason: 'must be a date such as 2027-06-10',
      description,
    }),
  )

/** The parameter that makes a page of events a calendar for programs, as subscribers may know it from before. It is no filter. */
const ical = z.optional(flag({ description: 'The events of the page as a calendar for programs.' }))

/** The parameters of pages that are calendars for programs, too. */
export const asCalendar = {
  ical,
  expand: z.optional(
    flag({ description: 'Every date of a series as an event of its own in this calendar.', default: true }),
  ),
}

/** The parameters of pages that list events. */
export const pageList = z.object({
  ...filterParams,
  page: pageParams.page,
  date: date('The day from which on events are listed.'),
  until: date('The last day of which events are listed, if the first one is given, too.'),
  past: z.optional(flag({ description: 'Events that are over, the latest first.' })),
  ...asCalendar,
})

export type SitePageParams = Partial<z.output<typeof pageList>>

/** The filters among a page's parameters. */
export function filtersIn({ search, categories, tags, venue, organizer, featured }: SitePageParams): Filters {
  const all = { search, categories, tags, venue, organizer, featured }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** The parameters of a page whose path says what it shows, for which filters are not heeded. */
export const atOwnPath = ({ page, date, until, past }: SitePageParams): SitePageParams => ({
  page,
  date,
  until,
  past,
})

/** True for a list of everything, which search engines may keep; filtered ones are endlessly many. */
export const isUnfiltered = (filters: Filters): boolean => Object.keys(filters).length === 0
