import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { readableSql } from '../../calendar/content/visibility.ts'
import { listReferences } from '../../calendar/events/listing/filters.ts'
import { pageStatement, type SelectedPage } from '../../calendar/events/listing/page.ts'
import { selectEventPage } from '../../calendar/events/queries.ts'
import type { EventListParams } from '../../calendar/events/schema.ts'
import { selectSourceById } from '../../calendar/imports/source.ts'
import {
  combineQueries,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { selectUnknownValues } from '../../kit/db/references.ts'
import { build } from '../../kit/db/statements.ts'
import { events, users } from '../../kit/db/tables.ts'
import { date, flag, integer, oneOf, search } from '../../kit/http/params.ts'
import { parseFields } from '../../kit/http/requested-fields.ts'
import { may } from '../../kit/lib/roles.ts'
import { withoutUndefined } from '../../kit/lib/values.ts'
import { wordsOfField } from '../../site/forms/control.ts'
import { blank } from '../../site/forms/entries.ts'
import { feedsIn } from '../../site/html/feeds.ts'
import { categoryOptions } from '../../site/html/finder.ts'
import { type Html, html, icon } from '../../site/html/html.ts'
import { countedText } from '../../site/html/page-context.ts'
import { type Category, selectUsedCategories } from '../../site/html/queries.ts'
import { readListOrSimilar, similarNotice } from '../../site/html/similar-search.ts'
import { plain } from '../../site/html/text.ts'
import type { EditorContext } from '../context.ts'
import {
  addressWith,
  findChoice,
  findInput,
  listFinder,
  pageAt,
  pageLinks,
  pageNumber,
  tabLinks,
} from '../lists.ts'
import { defineEditorPage } from '../pages-and-actions.ts'
import { selectReviewNotes } from '../review/notes.ts'
import { mayKnowSources, NEW_FILE_PATH, sourcePath } from '../source-paths.ts'
import { bulkForm } from './bulk.ts'
import {
  EVENT_VIEWS,
  type EventView,
  selectAllViewCounts,
  selectDateCounts,
  selectMatchCounts,
  type ViewCounts,
  viewPage,
} from './views.ts'

const listQuery = z.object({
  page: pageNumber,
  view: z.optional(oneOf(EVENT_VIEWS, { description: 'Which of the tabs.' })),
  search: blank(
    search({
      description: 'Words in title or text, or in names of venues, organizers, categories and tags.',
    }),
  ),
  exact: blank(flag({ description: 'Only the words of the search as they are, not similar ones.' })),
  place: blank(search({ description: 'Words in the name of the venue.' })),
  category: blank(search({ description: 'The slug of a category.' })),
  from: blank(date({ description: 'The first day.' })),
  until: blank(date({ description: 'The last day.' })),
  source: blank(integer({ minimum: 1, description: 'The calendar elsewhere that they come from.' })),
  series: blank(integer({ minimum: 1, description: 'The series of which they are dates.' })),
})

type ListQuery = Partial<z.output<typeof listQuery>>

const PER_PAGE = 30

const SHOWN_FIELDS = parseFields(
  'id,title,slug,status,start_date,venue,categories,series,event_status,image,cost',
)

const filterValues = ({ search, place, category, from, until, source, series }: ListQuery) =>
  withoutUndefined({
    search,
    search_in: search === undefined ? undefined : 'all',
    place,
    start_date: from,
    end_date: until,
    categories: category === undefined ? undefined : [category],
    source: source === undefined ? undefined : [source],
    series: series === undefined ? undefined : [series],
  }) satisfies Partial<EventListParams>

const isFiltered = (query: ListQuery): boolean => Object.keys(filterValues(query)).length > 0

/** True if a series is one row: among the coming events, unless there is a search or a filter. */
const isFolded = (query: ListQuery): boolean => (query.view ?? 'coming') === 'coming' && !isFiltered(query)

function pageOf(editor: EditorContext, query: ListQuery): SelectedPage {
  const page = pageAt(query.page ?? 1, PER_PAGE)
  const isFoldedList = isFolded(query)
  return viewPage(editor.context, {
    view: query.view ?? 'coming',
    values: filterValues(query),
    isFolded: isFoldedList,
    // There is no total, so one more row is read to know whether there is another page.
    page: isFoldedList ? { ...page, perPage: PER_PAGE + 1 } : page,
  })
}

/** The most users whose names the list knows. */
const MAX_AUTHORS = 200

/** A query for names of users. Distinguishing equal names would read thirty rows for each user. */
const selectAuthors = () =>
  many(
    build
      .select({ id: users.id, name: sql<string>`iif(${users.name} <> '', ${users.name}, ${users.login})` })
      .from(users)
      .limit(MAX_AUTHORS),
  )

/** A query for the titles of parent events, by the ids of their parts on the page. */
const selectParentTitles = (
  { context }: EditorContext,
  page: SelectedPage,
): Query<ReadonlyMap<number, string>> =>
  mapQuery(
    many(
      sql`WITH page(id) AS MATERIALIZED (${pageStatement(page)})
        SELECT part.id AS part, ${events.title} AS title FROM page CROSS JOIN ${events} AS part ON part.id = page.id
        CROSS JOIN ${events} ON ${events.id} = coalesce(part.post_parent, 0) WHERE ${readableSql(events, context)}`,
      ({ part, title }) => [readNumber(part), readText(title)] as const,
    ),
    titles => new Map(titles),
  )

function selectListing(editor: EditorContext, query: ListQuery) {
  const { context } = editor
  const page = pageOf(editor, query)
  return combineQueries({
    listedEvents: selectEventPage(context, page, SHOWN_FIELDS),
    // The notes of returned events, which are drafts.
    notes: query.view === 'draft' ? selectReviewNotes(context, pageStatement(page)) : resolvedQuery([]),
    parentTitles: selectParentTitles(editor, page),
    dates: isFolded(query) ? selectDateCounts(context, page) : resolvedQuery(undefined),
    counts: selectAllViewCounts(context),
    categories: selectUsedCategories(),
    authors: may(context.caller, 'edit_others_content') ? selectAuthors() : resolvedQuery([]),
    unknown: selectUnknownValues(listReferences(context, filterValues(query))),
    source:
      mayKnowSources(editor) && query.source !== undefined
        ? selectSourceById(query.source)
        : resolvedQuery(undefined),
  })
}

type LoadedList = ReturnType<ReturnType<typeof selectListing>['read']>

/** The events that were found; none if a filter names something that no longer exists. */
const shownEvents = ({ listedEvents, unknown }: LoadedList): LoadedList['listedEvents'] =>
  unknown.some(({ values }) => values.length > 0) ? { rows: [], total: 0 } : listedEvents

export const listPage = defineEditorPage({
  path: '/admin/events/',
  requires: 'edit_content',
  query: listQuery,
  load: (editor, { query }) => selectListing(editor, query),
  respond: async (editor, input) => {
    const { query, loaded, typed } = await readListOrSimilar(editor.context, input, {
      read: similarQuery => editor.context.db.read(selectListing(editor, similarQuery)),
      isEmpty: list => shownEvents(list).total === 0,
    })
    const { notes, parentTitles, dates, counts, categories, authors, source } = loaded
    const { rows, total } = shownEvents(loaded)
    const { page = 1 } = query
    // The action may have removed the events of the last page.
    const lastPage = dates ? (rows.length > 0 ? page : 1) : Math.max(1, Math.ceil(total / PER_PAGE))
    if (page > lastPage) return { to: listAddress({ ...query, page: lastPage }) }
    const hasMore = dates ? rows.length > PER_PAGE : page * PER_PAGE < total
    // Each date of a series counts as an event.
    const eventCount = dates ? (counts.coming ?? 0) : total
    // Tabs keep the search and the filters, so an empty tab shows how many matches the others have.
    const shownCounts =
      rows.length === 0 && isFiltered(query)
        ? await editor.context.db.read(selectMatchCounts(editor.context, filterValues(query)))
        : counts
    const words = editor.texts.event
    const { view = 'coming' } = query
    const spreadsheet = hasPublic(editor, view) && spreadsheetOf(editor, query)
    const addressOfPage = (n: number) => listAddress({ ...query, page: n })
    return {
      title: editor.site.words.events,
      main: html`<div class="page-head"><h1>${editor.site.words.events}</h1><div class="actions">${editor.shell.otherNewPages
        .filter(({ requires }) => may(editor.context.caller, requires))
        .map(
          ({ path, label }) => html`<a class="button button-quiet" href="${path}">${label(editor.texts)}</a>`,
        )}
<a class="button" href="/admin/events/new/">${words.newEvent}</a></div></div>
<div class="list-head">${viewTabs(editor, query, shownCounts)}
${findForm(editor, query, categories)}</div>
${typed !== undefined && similarNotice(editor.site, { typed, shown: query.search ?? '', literalAddress: listAddress({ ...input.query, exact: true }) })}
${source && html`<p class="from-source">${editor.texts.source.from} <a href="${sourcePath(source.id)}">${plain(source.name)}</a></p>`}
${
  rows.length === 0
    ? html`<div class="empty"><h2>${may(editor.context.caller, 'edit_others_content') ? words.none : words.noneOwn}</h2>${isFiltered(query) && html`<p>${words.noneText}</p>`}${mayKnowSources(editor) && html`<p><a href="${NEW_FILE_PATH}">${editor.texts.upload.title}</a></p>`}</div>`
    : html`${bulkForm(editor, { rows: rows.slice(0, PER_PAGE), notes, parentTitles, authors, dates, view, backPath: listAddress(query) })}
${pageLinks(editor, { previous: page > 1 && addressOfPage(page - 1), next: hasMore && addressOfPage(page + 1) })}
<p class="count">${countedText(editor, editor.site.words, 'count', eventCount)}${spreadsheet && html` · <a href="${spreadsheet}" download>${words.spreadsheet}</a>`}${mayKnowSources(editor) && html` · <a href="${NEW_FILE_PATH}">${editor.texts.upload.title}</a>`}</p>`
}`,
    }
  },
})

/** True if a list may contain public events. */
const hasPublic = ({ context }: EditorContext, view: EventView): boolean =>
  (view === 'coming' || view === 'past') && may(context.caller, 'edit_others_content')

/**
 * The address of a CSV file with the events of the list, as far as they are public; undefined if there is
 * none.
 */
function spreadsheetOf({ context }: EditorContext, query: ListQuery): string | undefined {
  const { search, place, category, from, until, source, series, view } = query
  const isPast = view === 'past'
  return feedsIn(context)?.spreadsheet(context, {
    search,
    place,
    categories: category,
    source,
    series,
    start_date: from ?? (isPast ? '1970-01-01' : undefined),
    end_date: until,
    ...(isPast ? { ends_before: 'now' } : from === undefined && { ends_after: 'now' }),
  })
}

export const listAddress = ({ page = 1, ...query }: ListQuery): string =>
  addressWith('/admin/events/', { ...query, ...(page > 1 && { page }) })

function viewTabs({ site, texts }: EditorContext, query: ListQuery, counts: ViewCounts): Html {
  const words = texts.event
  const current = query.view ?? 'coming'
  const { view: _view, page: _page, ...filters } = query
  const isShown = (view: EventView): boolean =>
    view === current ||
    ['coming', 'past', 'draft', 'pending', 'trash'].includes(view) ||
    (counts[view] ?? 0) > 0 ||
    view === 'hidden'
  return tabLinks(
    words.views,
    EVENT_VIEWS.filter(isShown).map(view => ({
      href: listAddress({ ...filters, ...(view !== 'coming' && { view }) }),
      text: view === 'trash' ? texts.trash.trash : words[view],
      isCurrent: view === current,
      count: counts[view] ? site.dates.number(counts[view]) : undefined,
    })),
  )
}

function findForm(editor: EditorContext, query: ListQuery, categories: readonly Category[]): Html {
  const words = editor.texts.event
  const { view, search, place, category, from, until, source, series } = query
  const hiddenEntries = Object.entries({ view, source, series }).filter(([, value]) => value !== undefined)
  return html`<search class="find"><details class="fold"${isFiltered(query) && html` open`}><summary class="button button-quiet">${icon('search')}<span>${editor.words.find}</span></summary>
${listFinder(editor, {
  action: '/admin/events/',
  fields: html`${hiddenEntries.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${findInput('search', words.searchTitle, search)}${findInput('place', wordsOfField(editor.language, 'event', 'venue').label, place)}${
  categories.length > 0 &&
  findChoice(
    'category',
    editor.texts.history.category,
    [['', words.anyCategory], ...categoryOptions(categories)],
    category,
  )
}${findInput('from', words.from, from, 'date')}${findInput('until', words.until, until, 'date')}`,
  clear: isFiltered(query) && listAddress({ view }),
})}</details></search>`
}
