import * as z from 'zod/mini'
import { digestParams } from '../../calendar/digest/digest.ts'
import { nextSecond, withinBounds } from '../../calendar/events/interval.ts'
import { selectListedWithoutTotal } from '../../calendar/events/listed-events.ts'
import { listReferences } from '../../calendar/events/listing/filters.ts'
import { byStart } from '../../calendar/events/rows.ts'
import type { EventListParams } from '../../calendar/events/schema.ts'
import { combineQueries, mapQuery, resolvedQuery } from '../../kit/db/query.ts'
import { selectUnknownValues } from '../../kit/db/references.ts'
import { sliceOf } from '../../kit/http/lists.ts'
import { integer, oneOf, text } from '../../kit/http/params.ts'
import { parseColour } from '../../kit/lib/colour.ts'
import { directionOf, languageFor } from '../../kit/lib/languages.ts'
import { capitalized } from '../../kit/lib/text.ts'
import { dayOf, toUtc } from '../../kit/lib/time.ts'
import { filled } from '../../words/words.ts'
import { queryOf } from '../html/addresses.ts'
import { type Agenda, eventGroups, groupByDay } from '../html/agenda.ts'
import { ASSETS } from '../html/assets.ts'
import { definePage } from '../html/define-page.ts'
import { FRAGMENT_PATH, FRAME_PATH } from '../html/error-page.ts'
import { isOver } from '../html/events.ts'
import { type Filters, filterList, filtersIn, listFilters } from '../html/filters.ts'
import { categoryOptionsWith } from '../html/finder.ts'
import { framed } from '../html/framed.ts'
import { emptyState, type Html, html, type Options, optionsOf } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import { type PageContext, pageContextOf } from '../html/page-context.ts'
import { selectEventsInSpan, selectUsedCategories } from '../html/queries.ts'
import { accentColours } from '../html/theme.ts'
import { monthIn, weeksShown } from '../html/when.ts'
import { assertFiltersExist } from './list.ts'
import { listInterval } from './list-pages.ts'
import { monthName, placeEvents } from './month-days.ts'
import { monthTable } from './month-table.ts'

const DISPLAYS = ['list', 'month'] as const
const THEMES = ['auto', 'light', 'dark'] as const
const DEFAULT_LIMIT = 6
const MAX_LIMIT = 50

const isColour = (value: string): boolean =>
  parseColour(value.startsWith('#') ? value : `#${value}`) !== undefined

/** The parameters of fragments for embedding: the filters of lists, and display options. */
const embedQuery = z.extend(filterList, {
  view: z.optional(oneOf(DISPLAYS, { description: 'A list or a month.' })),
  display: z.optional(oneOf(DISPLAYS, { description: 'Another name of `view`, in older codes.' })),
  limit: z.optional(integer({ description: 'Events in a list.' })),
  language: digestParams.language,
  theme: z.optional(oneOf(THEMES, { description: 'Light or dark colours.' })),
  accent: z.optional(
    text({
      isValid: isColour,
      reason: 'must be a colour such as #1a6b54',
      description: 'Accent colour.',
    }),
  ),
})

type EmbedParams = Partial<z.output<typeof embedQuery>>

/** The site for a fragment: in the requested language, with absolute addresses. */
function siteInLanguage({ context }: PageContext, { language }: EmbedParams): PageContext {
  return pageContextOf(context, {
    language: languageFor(language, context.settings.website.language),
    base: context.site,
  })
}

/** A query for the events of a fragment, as HTML. */
function selectFragmentEvents(
  site: PageContext,
  { display, view = display, limit = DEFAULT_LIMIT, ...query }: EmbedParams,
) {
  const { context, words, today } = site
  const filters = filtersIn(query)
  if (view === 'month') {
    const month = monthIn(today.slice(0, 7)) ?? today
    const days = weeksShown(site, month).flat()
    return mapQuery(selectEventsInSpan(context, filters, days), ({ events, unknown }) => ({
      unknown,
      hasMore: true,
      body: html`<p class="embed-title">${capitalized(monthName(site, month))}</p>${monthTable(site, placeEvents(site, month, events), queryOf(filters))}`,
    }))
  }
  const day = dayOf(today)
  const shownLimit = Math.min(limit, MAX_LIMIT)
  const values = listFilters(filters)
  const interval = listInterval(site, day)
  const startOfToday = toUtc(today, context.settings.timezone)
  const soon = nextSecond(context.clock.untrackedTime)
  const past = { address: `${site.base}/events/${queryOf(filters, { past: 1 })}`, text: words.past }
  const selectFirstEvents = (
    size: number,
    bounds: Parameters<typeof withinBounds>[1],
    order: Partial<EventListParams> = {},
  ) =>
    selectListedWithoutTotal(context, {
      values: { ...values, ...order },
      page: sliceOf({ per_page: size }, context),
      interval: withinBounds(interval, bounds),
    })
  // Each kind is read on its own, so that neither exhibitions nor events that are over push out those to
  // come.
  const eventQueries = combineQueries({
    begun: selectFirstEvents(shownLimit, { startBefore: startOfToday }, { order: 'desc' }),
    today: selectFirstEvents(
      shownLimit,
      { startFrom: startOfToday, startBefore: soon },
      { orderby: 'end_date', order: 'desc' },
    ),
    coming: selectFirstEvents(shownLimit + MAX_OFF, { startFrom: soon }),
    unknown: selectUnknownValues(listReferences(context, values)),
  })
  return mapQuery(eventQueries, ({ begun, today, coming, unknown }) => {
    if (coming[0]) context.clock.changesAt(coming[0].utc_start_date)
    const events = [...begun, ...today, ...coming].filter(event => !isOver(site, event)).sort(byStart)
    const groupedEvents = groupByDay(site, events, day)
    const shownEvents = { ...groupedEvents, days: limitedDays(groupedEvents.days, shownLimit) }
    const hasEvents = shownEvents.days.length + shownEvents.ongoing.length > 0
    return {
      unknown,
      hasMore: hasEvents,
      body: hasEvents
        ? eventGroups(site, shownEvents)
        : emptyState(site, { text: words.nothingHere, links: [past] }),
    }
  })
}

/** The most cancelled events that are read beyond the limit, which does not count them. */
const MAX_OFF = 4

/** The days of a list up to its limit of events that take place. */
function limitedDays(days: Agenda['days'], limit: number): Agenda['days'] {
  let eventsLeft = limit
  return days.flatMap(({ key, events }) => {
    const shownEvents = events.filter(
      ({ event }) => eventsLeft > 0 && (event.event_status === 'canceled' || eventsLeft-- > 0),
    )
    return shownEvents.length > 0 ? [{ key, events: shownEvents }] : []
  })
}

/** The fragment with events that embed.js inserts into another page. */
const fragment = definePage({
  path: FRAGMENT_PATH,
  query: embedQuery,
  load: (ownSite, { query }) => selectFragmentEvents(siteInLanguage(ownSite, query), query),
  respond: (ownSite, { query, loaded: { unknown, hasMore, body } }) => {
    assertFiltersExist(unknown)
    const site = siteInLanguage(ownSite, query)
    const [accent, onAccent] = accentColours(query.accent ?? site.settings.accent) ?? []
    return {
      body: String(html`<link rel="stylesheet" href="${ASSETS.style}">
<div class="embed" lang="${site.language}" dir="${directionOf(site.language)}"${accent && html` data-accent="${accent}" data-on-accent="${onAccent ?? ''}"`}>
${body}
${moreLink(site, query, hasMore)}
</div>`),
    }
  },
})

/**
 * The same events as a page of their own, for frames: builders of websites that forbid scripts allow these.
 */
const frame = definePage({
  path: FRAME_PATH,
  query: embedQuery,
  isFramed: true,
  load: (ownSite, { query }) => selectFragmentEvents(siteInLanguage(ownSite, query), query),
  respond: (ownSite, { query, loaded: { unknown, hasMore, body } }) => {
    assertFiltersExist(unknown)
    const site = siteInLanguage(ownSite, query)
    const { theme, accent } = query
    const main = html`${body}
${moreLink(site, query, hasMore)}`
    return { body: String(framed(site, { main, theme, accent })) }
  },
})

/** The link below the events: to all of them, filtered as they are unless there are none. */
const moreLink = (site: PageContext, query: EmbedParams, hasMore: boolean): Html =>
  html`<p class="embed-more"><a href="${site.base}/events/${hasMore ? queryOf(filtersIn(query)) : ''}">${site.words.seeUpcoming}</a></p>`

/** The script of the element. Its address never changes; it imports a script with a hash in its name. */
const script = definePage({
  path: '/embed.js',
  load: () => resolvedQuery(undefined),
  respond: () => ({ body: `import '${ASSETS.embed}'\n`, type: 'text/javascript; charset=utf-8' }),
})

function attributesOf(query: EmbedParams): [name: string, value: string][] {
  const { display, view = display, limit, language, theme, accent } = query
  const filters = Object.entries<unknown>(filtersIn(query))
  const attributes: [string, string | undefined][] = [
    ['view', view ?? 'list'],
    ['limit', view === 'month' ? undefined : String(limit ?? DEFAULT_LIMIT)],
    ...filters.map(([name, value]): [string, string] => [name, [value].flat().join(',')]),
    ['language', language],
    ['theme', theme === 'auto' ? undefined : theme],
    ['accent', accent],
  ]
  return attributes.flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []))
}

/**
 * The height of the element before its events are loaded, so that the content below does not move. In pixels:
 * a rem is 10 of them on many pages.
 */
const heightOf = ({ display, view = display, limit = DEFAULT_LIMIT }: EmbedParams): string =>
  `${view === 'month' ? 704 : 112 * Math.min(limit, MAX_LIMIT) + 80}px`

const eventElement = (site: PageContext, query: EmbedParams, origin: string): Html => {
  const filters: Filters = filtersIn(query)
  return html`<event-calendar${attributesOf(query).map(([name, value]) => html` ${name}="${value}"`)} style="display: block; min-height: ${heightOf(query)}">
  <a href="${origin}/events/${queryOf(filters)}">${site.words.events}</a>
</event-calendar>`
}

/** The code for the same events in a frame. */
function frameElement({ words, context }: PageContext, query: EmbedParams): Html {
  const { display, view = display, limit, language, theme, accent } = query
  const options = { view, limit, language, theme: theme === 'auto' ? undefined : theme, accent }
  const address = `${context.site}${FRAME_PATH}${queryOf(filtersIn(query), options)}`
  return html`<iframe src="${address}" title="${words.events}" loading="lazy" style="width: 100%; height: ${heightOf(query)}; border: 0"></iframe>`
}

/** The page that generates the code for embedding. */
const builder = definePage({
  path: '/embed',
  query: embedQuery,
  load: () => selectUsedCategories(),
  respond: (site, { query, url, loaded: categories }) => {
    const { words, context } = site
    const code = `<script type="module" src="${url.origin}/embed.js"></script>\n${eventElement(site, query, context.site)}`
    const frameCode = String(frameElement(site, query))
    const select = (name: string, label: string, options: Options, chosen = '') =>
      html`<div class="field"><label for="embed-${name}">${label}</label><select id="embed-${name}" name="${name}">${optionsOf(options, chosen)}</select></div>`
    const chosenCategories = query.categories?.join(',') ?? ''
    const controls = ['view', 'display', 'categories', 'limit', 'theme', 'accent']
    const otherParams = Object.entries(query).filter(
      ([name, value]) => value !== undefined && !controls.includes(name),
    )
    const main = html`<h1>${words.embed}</h1><p class="lead">${words.embedText}</p>
<form class="finder" action="/embed" method="get">
${select(
  'view',
  words.display,
  [
    ['list', words.list],
    ['month', words.month],
  ],
  query.view ?? query.display,
)}
${select('categories', words.category, [['', words.allCategories], ...categoryOptionsWith(chosenCategories, categories)], chosenCategories)}
<div class="field"><label for="embed-limit">${words.limit}</label><input id="embed-limit" type="number" name="limit" min="1" max="${MAX_LIMIT}" value="${query.limit ?? DEFAULT_LIMIT}"></div>
${select(
  'theme',
  words.theme,
  [
    ['auto', words.themeAuto],
    ['light', words.themeLight],
    ['dark', words.themeDark],
  ],
  query.theme,
)}
<div class="field"><label for="embed-accent">${words.accent}</label><input id="embed-accent" type="text" name="accent" value="${query.accent ?? ''}" placeholder="#1a6b54" maxlength="7" spellcheck="false"></div>
${otherParams.map(([name, value]) => html`<input type="hidden" name="${name}" value="${[value].flat().join(',')}">`)}
<button class="button" type="submit">${words.apply}</button>
</form>
<section aria-labelledby="code"><div class="page-head"><h2 id="code">${words.code}</h2><button class="link-button" type="button" data-copy="${code}" data-done="${words.copied}" hidden>${words.copyCode}</button></div>
<pre class="code" tabindex="0" aria-labelledby="code"><code>${code}</code></pre>
<p class="small">${filled(words.policyText, { origin: url.origin })}</p></section>
<section aria-labelledby="frame"><div class="page-head"><h2 id="frame">${words.frameCode}</h2><button class="link-button" type="button" data-copy="${frameCode}" data-done="${words.copied}" hidden>${words.copyCode}</button></div>
<p>${words.frameText}</p><pre class="code" tabindex="0" aria-labelledby="frame"><code>${frameCode}</code></pre></section>
<section aria-labelledby="preview"><h2 id="preview">${words.preview}</h2>
<script type="module" src="/embed.js"></script>
<div class="preview"><event-calendar${attributesOf(query).map(([name, value]) => html` ${name}="${value}"`)}><a href="/events/${queryOf(filtersIn(query))}">${words.events}</a></event-calendar></div></section>`
    return {
      body: String(
        layout(site, { title: words.embed, description: words.embedText, canonical: '/embed', main }),
      ),
    }
  },
})

export const embedRoutes = [fragment, frame, script, builder]
