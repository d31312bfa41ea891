import * as z from 'zod/mini'
import { settled, together } from '../../db/query.ts'
import { unknownValues } from '../../db/references.ts'
import { listReferences } from '../../events/listing/references.ts'
import { selectEventPage } from '../../events/queries.ts'
import type { EventRow } from '../../events/rows.ts'
import type { EventListParams } from '../../events/schema.ts'
import { parseFields } from '../../http/fields.ts'
import { pageOf, pageParams } from '../../http/lists.ts'
import { date, integer, oneOf, search } from '../../http/params.ts'
import { ApiError } from '../../lib/errors.ts'
import { may } from '../../lib/roles.ts'
import { filled } from '../../lib/words.ts'
import { inTreeOrder } from '../../site/finder.ts'
import { type Html, html } from '../../site/html.ts'
import { icon } from '../../site/icons.ts'
import { pager, type Step } from '../../site/pager.ts'
import { type Category, usedCategories } from '../../site/queries.ts'
import { plain } from '../../site/text.ts'
import { type SourceRow, sourceById } from '../../sources/resource/queries.ts'
import type { Admin } from '../admin.ts'
import { blank } from '../forms/blank.ts'
import type { AdminPage } from '../layout.ts'
import { type ReviewNote, selectReviewNotes } from '../review/notes.ts'
import { defineAdminPage } from '../route.ts'
import { sourcePath } from '../sources/paths.ts'
import { type EventWords, eventWords } from '../words/events.ts'
import { sourceWords } from '../words/sources.ts'
import { bulkForm } from './bulk.ts'
import { type Counts, countViews, VIEWS, type View, viewPage } from './views.ts'

const listQuery = z.object({
  page: pageParams.page,
  view: z.optional(oneOf(VIEWS, { description: 'Which of the tabs.' })),
  search: blank(search({ description: 'Words in title or text.' })),
  place: blank(search({ description: 'Words in the name of the venue.' })),
  category: blank(search({ description: 'The slug of a category.' })),
  from: blank(date({ description: 'The first day.' })),
  until: blank(date({ description: 'The last day.' })),
  source: blank(integer({ minimum: 1, description: 'The calendar elsewhere that they come from.' })),
})

type ListQuery = Partial<z.output<typeof listQuery>>

/** The events of a page of the list. */
const PER_PAGE = 30

/** The parts of events that the list shows. */
const SHOWN = parseFields('id,title,slug,status,start_date,venue,series,event_status')

const valuesOf = ({ search, place, category, from, until, source }: ListQuery): Partial<EventListParams> => ({
  ...(search !== undefined && { search }),
  ...(place !== undefined && { place }),
  ...(category !== undefined && { categories: [category] }),
  ...(from !== undefined && { start_date: from }),
  ...(until !== undefined && { end_date: until }),
  ...(source !== undefined && { source: [source] }),
})

const pageIn = ({ context }: Admin, { page = 1 }: ListQuery) => pageOf({ page, per_page: PER_PAGE }, context)

const viewOf = (admin: Admin, query: ListQuery) =>
  viewPage(admin.context, {
    view: query.view ?? 'coming',
    values: valuesOf(query),
    page: pageIn(admin, query),
  })

/** A query of the notes of events that were sent back: of drafts. */
const selectNotes = (admin: Admin, query: ListQuery) =>
  query.view === 'draft' ? selectReviewNotes(admin.context, viewOf(admin, query).ids) : settled([])

/** The list of events, and the form to do something with several of them. */
export const listPage = defineAdminPage({
  path: '/admin/events/',
  requires: 'edit_content',
  query: listQuery,
  load: (admin, { query }) =>
    together({
      found: selectEventPage(admin.context, viewOf(admin, query), SHOWN),
      notes: selectNotes(admin, query),
      counts: countViews(admin.context),
      categories: usedCategories(),
      unknown: unknownValues(listReferences(admin.context, valuesOf(query))),
      source: mayKnow(admin) && query.source !== undefined ? sourceById(query.source) : settled(undefined),
    }),
  respond: (admin, { query, loaded: { found, notes, counts, categories, unknown, source } }) => {
    // A category that is there no longer has no events.
    const { rows, total } = unknown.some(({ values }) => values.length > 0) ? { rows: [], total: 0 } : found
    const { page, perPage } = pageIn(admin, query)
    if (page > 1 && rows.length === 0) throw new ApiError('rest_no_route', 'There is no such page.')
    const pages = Math.ceil(total / perPage)
    return listOf(admin, { query, counts, categories, rows, notes, total, pages, source })
  },
})

/** Tells if the caller may know of all calendars elsewhere. */
const mayKnow = ({ context }: Admin): boolean => may(context.caller, 'manage_sources')

type Listed = {
  query: ListQuery
  counts: Counts
  categories: readonly Category[]
  rows: readonly EventRow[]
  notes: readonly ReviewNote[]
  total: number
  pages: number
  source: SourceRow | undefined
}

function listOf(admin: Admin, listed: Listed): AdminPage {
  const words = eventWords(admin.language)
  const { query, rows, notes, total, pages } = listed
  const { page = 1, view = 'coming' } = query
  const { dates } = admin.site
  const step = (number: number, text: string): Step =>
    number >= 1 && number <= pages ? { address: addressOf({ ...query, page: number }), text } : undefined
  const count = filled(dates.plural(total) === 'one' ? words.countOne : words.countOther, {
    n: dates.number(total),
  })
  return {
    title: words.events,
    main: html`<div class="page-head"><h1>${words.events}</h1><a class="button" href="/admin/events/new/">${words.newEvent}</a></div>
${tabs(words, query, listed.counts, admin)}
${finder(words, query, listed.categories)}
${listed.source && html`<p class="from-source">${sourceWords(admin.language).from} <a href="${sourcePath(listed.source.id)}">${plain(listed.source.name)}</a></p>`}
${
  rows.length === 0
    ? html`<div class="empty"><h2>${words.none}</h2><p>${words.noneText}</p></div>`
    : html`<p class="count">${count}</p>
${bulkForm(admin, { rows, notes, view, back: addressOf(query) })}
${pages > 1 && pager(admin.site.words.pages, { before: step(page - 1, admin.site.words.earlier), after: step(page + 1, admin.site.words.later) })}`
}`,
  }
}

/** The address of the list with some parameters. */
export function addressOf(query: ListQuery): string {
  const given = Object.entries({ ...query, page: query.page === 1 ? undefined : query.page })
  const params = given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const search = new URLSearchParams(params).toString()
  return `/admin/events/${search && `?${search}`}`
}

function tabs(words: EventWords, query: ListQuery, counts: Counts, { site }: Admin): Html {
  const current = query.view ?? 'coming'
  const { view: _view, page: _page, ...filters } = query
  const isShown = (view: View): boolean =>
    view === current ||
    ['coming', 'past', 'draft', 'pending', 'trash'].includes(view) ||
    (counts[view] ?? 0) > 0 ||
    view === 'hidden'
  return html`<nav class="tabs" aria-label="${words.views}"><ul>${VIEWS.filter(isShown).map(
    view =>
      html`<li><a href="${addressOf({ ...filters, ...(view !== 'coming' && { view }) })}"${view === current && html` aria-current="page"`}>${words[view]}${counts[view] ? html` <span class="tab-count">${site.dates.number(counts[view])}</span>` : ''}</a></li>`,
  )}</ul></nav>`
}

function finder(words: EventWords, query: ListQuery, categories: readonly Category[]): Html {
  const { view, search, place, category, from, until, source } = query
  const isFiltered = [search, place, category, from, until, source].some(value => value !== undefined)
  return html`<search class="find"><details class="fold"${isFiltered && html` open`}><summary class="button button-quiet">${icon('search')}<span>${words.find}</span></summary>
<form class="finder admin-finder" action="/admin/events/" method="get">
${view && html`<input type="hidden" name="view" value="${view}">`}${source !== undefined && html`<input type="hidden" name="source" value="${source}">`}
<div class="field"><label for="find-search">${words.searchTitle}</label><input id="find-search" type="search" name="search" value="${search ?? ''}" maxlength="200" autocomplete="off"></div>
<div class="field"><label for="find-place">${words.place}</label><input id="find-place" type="search" name="place" value="${place ?? ''}" maxlength="200" autocomplete="off"></div>
${
  categories.length > 0 &&
  html`<div class="field"><label for="find-category">${words.category}</label><select id="find-category" name="category"><option value="">${words.anyCategory}</option>
${inTreeOrder(categories).map(({ term, depth }) => html`<option value="${term.slug}"${term.slug === category && html` selected`}>${'– '.repeat(depth)}${plain(term.name)}</option>`)}</select></div>`
}
<div class="field"><label for="find-from">${words.from}</label><input id="find-from" type="date" name="from" value="${from ?? ''}"></div>
<div class="field"><label for="find-until">${words.until}</label><input id="find-until" type="date" name="until" value="${until ?? ''}"></div>
<button class="button button-quiet" type="submit">${icon('search')}<span>${words.find}</span></button>
${isFiltered && html`<a class="clear" href="${addressOf(view ? { view } : {})}">${words.clear}</a>`}
</form></details></search>`
}
