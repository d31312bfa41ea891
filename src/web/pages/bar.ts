import { hasPassed } from '../../lib/clock.ts'
import { addDays, type DateTime, isoWeekday, toUtc } from '../../lib/time.ts'
import { filled } from '../../words/words.ts'
import { categoryPath, type Display, dayPath, displayPath, PRESENT, queryOf } from '../html/addresses.ts'
import { subscribeMenu } from '../html/feeds.ts'
import { type FilterNames, type Filters, isUnfiltered } from '../html/filters.ts'
import { filterNames, finder } from '../html/finder.ts'
import { type Html, html, icon } from '../html/html.ts'
import { hueClass } from '../html/picture.ts'
import type { Category, Offers } from '../html/queries.ts'
import type { Site } from '../html/site.ts'
import { plain } from '../html/text.ts'

// The bar above every list of events: search, events nearby, days, categories, displays and subscribing in one row. Days and
// categories scroll sideways if they do not fit, so that the first event is on the first screen.

const SUNDAY = 7

/** A range of days, `YYYY-MM-DD`, inclusive. */
export type Days = { from: string; to: string; isEvening?: boolean }

const daysFrom = (wall: DateTime, first: number, last: number): Days => ({
  from: addDays(wall, first).slice(0, 10),
  to: addDays(wall, last).slice(0, 10),
})

/** The days that most people look for. On a weekend, `weekend` is the rest of the weekend; the next week begins on Monday. */
export function quickDays(today: DateTime) {
  const toSunday = SUNDAY - isoWeekday(today)
  return {
    today: daysFrom(today, 0, 0),
    tomorrow: daysFrom(today, 1, 1),
    weekend: daysFrom(today, Math.max(toSunday - 1, 0), toSunday),
    nextWeek: daysFrom(today, toSunday + 1, toSunday + 7),
  } as const
}

export type BarOptions = {
  display: Display
  /** The filters that apply to the page. Displays, days and feeds keep them. */
  filters: Filters
  categories: readonly Category[]
  offers: Offers
  /** The filters that the page shows with a link to remove each; without those in its path. */
  chosen?: { filters: Filters; names: FilterNames }
  /** The name of the term, venue or organizer that the page is about. */
  subject?: string
  /** The first day of the page, if it is not today: `YYYY-MM-DD`. */
  date?: string | undefined
  /** The days of the page, if it has an end. */
  days?: Days | undefined
}

export function bar(site: Site, page: BarOptions): Html {
  const { words } = site
  const { display, filters } = page
  const others = Object.entries(filters).filter(([name]) => name !== 'search')
  return html`<section class="bar" aria-label="${words.events}"><div class="wide">
<search class="bar-search"><form action="${PRESENT[display]}" method="get">${icon('search')}
<input type="search" name="search" value="${filters.search ?? ''}" aria-label="${words.search}" placeholder="${words.find}" maxlength="200" autocomplete="off">
${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${[value].flat().join(',')}">`)}
</form></search>
<details class="menu-button bar-filter"><summary class="button button-quiet">${icon('search')}${icon('filter')}<span class="hidden">${words.searchAndFilter}</span></summary>
<search class="menu-items" aria-label="${words.searchAndFilter}">${finder(site, page)}</search></details>
${nearButton(site, page)}
<div class="strip">${quickDates(site, page)}${offerChips(site, page)}${categoryChips(site, page)}</div>
${displays(site, page)}
${subscription(site, page)}
</div>${offersNear(page) && html`<p class="bar-note" role="status" data-near-note="${words.noPosition}"></p>`}</section>`
}

const NOON = '12:00:00'

/** Links to the days that most people look for, with the filters of the page. */
function quickDates(site: Site, { filters, days: shown }: BarOptions): Html {
  const { context, words, today } = site
  const days = quickDays(today)
  const within = ({ from, to }: Days): string => `/events/${queryOf(filters, { date: from, until: to })}`
  // Announced from noon on, when the day is half over.
  const hasEvening = hasPassed(context, toUtc(`${days.today.from} ${NOON}`, context.settings.timezone))
  const links = [
    ['today', PRESENT.day + queryOf(filters)],
    ...(hasEvening ? [['tonight', PRESENT.day + queryOf(filters, { evening: 1 })] as const] : []),
    ['tomorrow', dayPath(days.tomorrow.from) + queryOf(filters)],
    ['weekend', within(days.weekend)],
    ['nextWeek', within(days.nextWeek)],
  ] as const
  const isShown = ({ from, to }: Days, isEvening: boolean): boolean =>
    shown?.from === from && shown.to === to && shown.isEvening === (isEvening || undefined)
  return html`<nav class="quick" aria-label="${words.quickDates}"><ul>${links.map(
    ([name, address]) =>
      html`<li><a class="chip" href="${address}"${isShown(days[name === 'tonight' ? 'today' : name], name === 'tonight') && html` aria-current="true"`}>${words[name]}</a></li>`,
  )}</ul></nav>`
}

/** The most categories in the bar. The form has all of them. */
const MOST_CHIPS = 12

/** Links for the categories without a parent: each filters the page, or ends that if the category is chosen. */
function categoryChips(site: Site, page: BarOptions): Html | '' {
  const { words } = site
  const { display, filters, categories, offers, date } = page
  const chosen = (filters.categories ?? []).map(value => value.toLowerCase())
  const isChosen = ({ slug, id }: Category): boolean => chosen.includes(slug) || chosen.includes(String(id))
  const ids = new Set(categories.map(({ id }) => id))
  const roots = categories.filter(({ parent }) => !ids.has(parent))
  const ofChildren = categories.filter(({ id }) => offers.forChildren.some(offer => offer.id === id))
  const shown = [...new Set([...categories.filter(isChosen), ...ofChildren, ...roots])].slice(0, MOST_CHIPS)
  if (shown.length === 0) return ''
  const wall = date && `${date} 00:00:00`
  const addressOf = (term: Category): string => {
    const { categories: _, ...rest } = filters
    if (isChosen(term)) return displayPath(site, display, rest, wall)
    if (display === 'list' && isUnfiltered(rest) && date === undefined) return categoryPath(term.path)
    return displayPath(site, display, { ...rest, categories: [term.slug] }, wall)
  }
  return html`<nav class="quick" aria-label="${words.allCategories}"><ul>${shown.map(
    term =>
      html`<li><a class="chip category ${hueClass(term)}" href="${addressOf(term)}"${isChosen(term) && html` aria-current="true"`}>${plain(term.name)}</a></li>`,
  )}</ul></nav>`
}

/** Links for filters that match an upcoming event: free of charge, accessible by wheelchair, and a tag for children. */
function offerChips(site: Site, { display, filters, offers, date }: BarOptions): Html | '' {
  const { words } = site
  const wall = date && `${date} 00:00:00`
  const chip = (name: string, change: Filters, isChosen: boolean): Html =>
    html`<li><a class="chip" href="${displayPath(site, display, { ...filters, ...change }, wall)}"${isChosen && html` aria-current="true"`}>${name}</a></li>`
  const isAccessible = filters.wheelchair?.includes('yes') ?? false
  const tag = offers.forChildren.find(({ taxonomy }) => taxonomy === 'event_tag')
  const hasTag = tag !== undefined && (filters.tags ?? []).some(value => value.toLowerCase() === tag.slug)
  const chips = [
    ...(offers.isFree || filters.is_free
      ? [chip(words.free, { is_free: filters.is_free ? undefined : true }, filters.is_free ?? false)]
      : []),
    ...(tag ? [chip(plain(tag.name), { tags: hasTag ? undefined : [tag.slug] }, hasTag)] : []),
    ...(offers.isAccessible || isAccessible
      ? [chip(words.access_yes, { wheelchair: isAccessible ? undefined : ['yes'] }, isAccessible)]
      : []),
  ]
  return chips.length === 0
    ? ''
    : html`<nav class="quick" aria-label="${words.searchAndFilter}"><ul>${chips}</ul></nav>`
}

/** Tells whether a page has the button for events nearby. All events of a venue are in one place. */
const offersNear = ({ offers, filters }: BarOptions): boolean =>
  offers.isLocated && filters.near === undefined && filters.venue === undefined

/** The button that filters by the device's position. A script shows it if the browser can ask for that. */
function nearButton(site: Site, page: BarOptions): Html | '' {
  if (!offersNear(page)) return ''
  const { display, filters, date } = page
  const address = displayPath(site, display, filters, date && `${date} 00:00:00`)
  const { nearMe } = site.words
  return html`<button class="button button-quiet" type="button" data-near="${address}" title="${nearMe}" hidden>${icon('near')}<span class="hidden">${nearMe}</span></button>`
}

const DISPLAYS = ['list', 'week', 'month'] as const

/** The links to the displays of the calendar. On narrow screens they are folded. */
function displays(site: Site, { display, filters, date }: BarOptions): Html {
  const { words } = site
  const wall = date && `${date} 00:00:00`
  return html`<details class="menu-button displays-menu"><summary class="button button-quiet">${icon('list')}<span class="hidden">${words.display}</span></summary>
<nav class="displays" aria-label="${words.display}"><ul>${DISPLAYS.map(
    name =>
      html`<li><a href="${displayPath(site, name, filters, wall)}"${name === display && html` aria-current="true"`}>${words[name]}</a></li>`,
  )}</ul></nav></details>`
}

/** The menu for subscribing to the events of a page. */
function subscription(site: Site, { filters, categories, chosen, subject = '' }: BarOptions): Html {
  const { words, context } = site
  const names = chosen ? filterNames(site, chosen.filters, categories, chosen.names) : []
  const name = [subject, ...names.map(({ name }) => name)].filter(Boolean).join(', ')
  const note = name ? filled(words.subscribeTo, { name }) : words.subscribeAll
  return subscribeMenu(site, { filters, name: name || context.settings.siteName, note })
}
