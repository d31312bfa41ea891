import * as z from 'zod/mini'
import { ApiError } from '../../lib/errors.ts'
import { filled } from '../../words/words.ts'
import { backLink } from '../html/back-link.ts'
import { dateList } from '../html/event-article.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import { asCalendar } from '../html/filters.ts'
import { html } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import { occurrencesOf } from '../html/occurrences.ts'
import { definePage } from '../html/route.ts'
import { nameOf } from '../html/text.ts'

/** Dates on the page of all dates, at most. */
const MOST = 1_000

/** All dates of a series. */
export const datesRoute = definePage({
  path: '/event/:base/all/',
  query: z.object(asCalendar),
  load: (site, { params: { base = '' } }) => occurrencesOf(site, base, MOST),
  respond: (site, { params: { base = '' }, query, loaded: rows }) => {
    const past = rows.filter(({ utc_end_date }) => utc_end_date < site.context.now)
    const coming = rows.filter(({ utc_end_date }) => utc_end_date >= site.context.now).toReversed()
    const next = coming[0] ?? past[0]
    if (!next) throw new ApiError('rest-event-not-found', 'There is no such series.')
    assertNotCalendar(site, query, { series: [...new Set(rows.map(({ series_id }) => series_id ?? 0))] })
    const { words } = site
    const path = `/event/${encodeURIComponent(base.toLowerCase())}/`
    const name = nameOf(next.title, base)
    const title = `${name}: ${words.allDates}`
    const description = filled(words.datesDescription, { name })
    const main = html`${backLink(path, name)}
<h1>${title}</h1>
${coming.length > 0 && html`<section><h2>${words.upcoming}</h2>${dateList(site, coming)}</section>`}
${past.length > 0 && html`<section><h2>${words.past}</h2>${dateList(site, past)}</section>`}`
    return {
      body: String(layout(site, { title, description, canonical: `${path}all/`, section: 'events', main })),
    }
  },
})
