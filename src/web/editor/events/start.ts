import { mapped, type Query, together } from '../../../db/query.ts'
import { parseFields } from '../../../http/input.ts'
import { pageOf } from '../../../http/lists.ts'
import { selectEventPage } from '../../../resources/events/queries.ts'
import { eventWords, filled } from '../../../words/words.ts'
import { type Html, html } from '../../html/html.ts'
import type { Admin } from '../admin.ts'
import { addressOf } from './list.ts'
import { startText, titleOf } from './rows.ts'
import { countViews, viewPage } from './views.ts'

/** The events on the start page, at most. */
const MOST = 5

const SHOWN = parseFields('id,title')

/** The place of events on the start page: what waits, what comes next, and the way to a new one. */
export function startCard(admin: Admin): Query<Html> {
  const { context } = admin
  const words = eventWords(admin.language)
  const page = pageOf({ per_page: MOST }, context)
  return mapped(
    together({
      counts: countViews(context),
      next: selectEventPage(context, viewPage(context, { view: 'coming', values: {}, page }), SHOWN),
    }),
    ({ counts, next: { rows } }) => {
      const waiting = (
        [
          ['pending', words.waitingPending],
          ['draft', words.waitingDraft],
          ['future', words.waitingFuture],
        ] as const
      ).filter(([view]) => (counts[view] ?? 0) > 0)
      return html`<h2>${words.next}</h2>
${
  rows.length === 0
    ? html`<p class="small">${words.nothingNext}</p>`
    : html`<ul class="card-list">${rows.map(row => html`<li>${titleOf(admin, row)} <span class="small">${startText(admin, row)}</span></li>`)}</ul>`
}
<p class="actions"><a class="button" href="/admin/events/new/">${words.newEvent}</a></p>
<h3>${words.waiting}</h3>
${
  waiting.length === 0
    ? html`<p class="small">${words.nothingWaits}</p>`
    : html`<ul class="card-list">${waiting.map(([view, text]) => html`<li><a href="${addressOf({ view })}">${filled(text, { n: admin.site.dates.number(counts[view] ?? 0) })}</a></li>`)}</ul>`
}`
    },
  )
}
