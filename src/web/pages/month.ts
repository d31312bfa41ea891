import { capitalized } from '../../lib/text.ts'
import { addMonths } from '../../lib/time.ts'
import { filled } from '../../words/words.ts'
import { monthPath } from '../html/addresses.ts'
import { eventsIn } from '../html/queries.ts'
import { monthIn, weeksOf } from '../html/when.ts'
import { monthTable, placed } from './month-table.ts'
import { periodRoutes } from './period.ts'

export const monthRoutes = periodRoutes({
  display: 'month',
  pattern: '/events/:name{\\d\\d\\d\\d-\\d\\d}/',
  startOf: ({ today }, name = today.slice(0, 7)) => monthIn(name),
  path: monthPath,
  from: (month, by) => monthIn(addMonths(month, by).slice(0, 7)),
  nameOf: ({ dates }, month) => dates.format('month', month),
  present: 'today',
  nothing: 'nothingInMonth',
  farMonths: 24,
  select: ({ context, dates }, { start, filters }) =>
    eventsIn(context, filters, weeksOf(start, dates.firstWeekday).flat()),
  view: (site, events, { start, filters }) => {
    const { words, dates, context } = site
    const shown = placed(site, start, events)
    const title = dates.format('month', start)
    return {
      title: capitalized(title),
      description: filled(words.monthDescription, { month: title, site: context.settings.siteName }),
      body: monthTable(site, shown, filters),
      isEmpty: shown.own.every(day => !shown.days.get(day)?.slots.length),
      isCut: shown.isCut,
    }
  },
})
