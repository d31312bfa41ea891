import type { RequestContext } from '../../context.ts'
import { mapped, type Query, together } from '../../db/query.ts'
import { addMonths, type DateTime } from '../../lib/time.ts'
import { displayPath, queryOf } from '../html/addresses.ts'
import { type Filters, namesOf } from '../html/filters.ts'
import { pager, type Step } from '../html/html.ts'
import { usedCategories } from '../html/queries.ts'
import type { Site } from '../html/site.ts'

// What the pages of a day, a week and a month have in common: they stand between two others of their kind.

/** A query of a period's events, with what the form above them needs. */
export const withChoices = <T extends object>(context: RequestContext, filters: Filters, listing: Query<T>) =>
  mapped(
    together({ listing, categories: usedCategories(), names: namesOf(context, filters) }),
    ({ listing, categories, names }) => ({ ...listing, categories, names, filters }),
  )

type Period = {
  display: 'day' | 'week' | 'month'
  filters: Filters
  /** The beginnings of the periods before and after; undefined beyond the limits of dates. */
  before: DateTime | undefined
  after: DateTime | undefined
  path: (start: DateTime) => string
  name: (start: DateTime) => string
  /** The text of the link to the present one. */
  present: string
  /** The months from today up to which search engines should follow links to others, of which there is no end. */
  farMonths: number
}

/** The links to the periods before and after, and to the present one. */
export function periodPager(site: Site, period: Period) {
  const { display, filters, path, name, present, farMonths } = period
  const near = [addMonths(site.today, -farMonths), addMonths(site.today, farMonths)] as const
  const stepTo = (start: DateTime | undefined): Step =>
    start === undefined
      ? undefined
      : {
          address: path(start) + queryOf(filters),
          text: name(start),
          isNofollow: start < near[0] || start > near[1],
        }
  const [before, after] = [stepTo(period.before), stepTo(period.after)]
  const today = { address: displayPath(site, display, filters), text: present }
  const links = pager(site.words[display], { before, after, today })
  return { links, previous: before?.address, next: after?.address }
}
