import { type DateTime, type Day, daysLater, isoWeekday, toUtc } from '../../kit/lib/time.ts'
import {
  categoryPath,
  pathAndQuery,
  type Selection,
  selectionAddress,
  TODAY_PATHS,
} from '../html/addresses.ts'
import { subscribeMenu } from '../html/feeds.ts'
import type { FilterNames, Filters } from '../html/filters.ts'
import { finder, keptInputs, removableFilters } from '../html/finder.ts'
import { type Html, html, icon } from '../html/html.ts'
import type { PageContext } from '../html/page-context.ts'
import { hueClass } from '../html/picture.ts'
import type { Category, Offers } from '../html/queries.ts'
import { plain } from '../html/text.ts'

// The bar above every list of events, so that the first event is on the first screen: search, events nearby
// and days; categories, with those that don't fit under “More”, and displays. It is one row; on phones it is
// two, the second of which scrolls away.

const SUNDAY = 7

/** A range of days, inclusive. */
export type DayRange = { from: Day; to: Day; isEvening?: boolean }

const daysFrom = (wall: DateTime, first: number, last: number): DayRange => ({
  from: daysLater(wall, first),
  to: daysLater(wall, last),
})

/**
 * The days that most people look for. On a weekend, `weekend` is the rest of the weekend; the next week
 * begins on Monday.
 */
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
  /**
   * The events of the page. Links to displays and days keep its filters, and links to filters keep its days.
   * Feeds have its filters, whatever its days.
   */
  selection: Selection
  categories: readonly Category[]
  offers: Offers
  /**
   * The names of the filters, if the page shows them with a link to remove each: those in its path can't be
   * removed.
   */
  names?: FilterNames
  /** The name of the term, venue or organizer that the page is about. */
  subject?: string
  days?: DayRange | undefined
}

export function bar(site: PageContext, page: BarOptions): Html {
  const { words } = site
  const { selection, categories } = page
  return html`<section class="bar" aria-label="${words.events}">
<div class="wide bar-when">
<search class="bar-search"><form action="${pathAndQuery(site, selection).path}" method="get">${icon('search')}
<input type="search" name="search" value="${selection.filters.search ?? ''}" aria-label="${words.search}" placeholder="${words.find}" maxlength="200" autocomplete="off">
${keptInputs(site, selection, ['search', 'exact'])}
</form></search>
<details class="menu-button bar-filter"><summary class="button button-quiet">${icon('search')}${icon('filter')}<span class="hidden">${words.searchAndFilter}</span></summary>
<search class="menu-items" aria-label="${words.searchAndFilter}">${finder(site, selection, categories)}</search></details>
${nearButton(site, page)}
${quickDates(site, page)}
</div>
<div class="wide bar-what">
${filterRows(site, page)}
${displayMenu(site, page)}
</div>
${hasNearButton(page) && html`<p class="bar-note" role="status" data-near-note="${words.noPosition}"></p>`}</section>`
}

const NOON = '12:00:00'

/**
 * Links to the days that most people look for, with the filters of the page. A menu has further ones, and any
 * other day.
 */
function quickDates(site: PageContext, { selection, days: shownDays }: BarOptions): Html {
  const { context, words, dates, today } = site
  const { filters, exact, display, date } = selection
  const days = quickDays(today)
  const addressOnDay = ({ from, isEvening }: DayRange): string =>
    selectionAddress(site, { display: 'day', filters, exact, date: from, evening: isEvening })
  const addressWithin = ({ from, to }: DayRange): string =>
    selectionAddress(site, { display: 'list', filters, exact, date: from, until: to })
  // “This evening” is offered from noon on.
  const hasEvening = context.clock.hasPassed(toUtc(`${days.today.from} ${NOON}`, context.settings.timezone))
  const tonight = { ...days.today, isEvening: true }
  const nearDates = [
    { name: 'today', days: days.today, address: addressOnDay(days.today) },
    { name: 'weekend', days: days.weekend, address: addressWithin(days.weekend) },
  ] as const
  const furtherDates = [
    ...(hasEvening ? [{ name: 'tonight', days: tonight, address: addressOnDay(tonight) } as const] : []),
    { name: 'tomorrow', days: days.tomorrow, address: addressOnDay(days.tomorrow) },
    { name: 'nextWeek', days: days.nextWeek, address: addressWithin(days.nextWeek) },
  ] as const
  const isShown = ({ days: { from, to, isEvening } }: { days: DayRange }): boolean =>
    shownDays?.from === from && shownDays.to === to && shownDays.isEvening === isEvening
  const shownDates = [...nearDates, ...furtherDates].filter(isShown)
  // On a Sunday, today and what is left of the weekend are the same day: they differ in how their pages show
  // it.
  const currentDates =
    shownDates.find(({ name }) => name !== (display === 'day' ? 'weekend' : 'today')) ?? shownDates[0]
  const chosenDates = furtherDates.find(each => each === currentDates)
  const isOtherDay = date !== undefined && display !== 'month' && display !== 'week' && !currentDates
  const label = chosenDates
    ? words[chosenDates.name]
    : isOtherDay
      ? dates.format('shortDate', date)
      : words.date
  const link = (each: (typeof nearDates)[number] | (typeof furtherDates)[number], className?: string): Html =>
    html`<li><a${className && html` class="${className}"`} href="${each.address}"${each === currentDates && html` aria-current="true"`}>${words[each.name]}</a></li>`
  return html`<nav class="quick" aria-label="${words.quickDates}"><ul>${nearDates.map(each => link(each, 'chip'))}
<li><details class="menu-button dates-menu"><summary class="chip"${(chosenDates || isOtherDay) && html` aria-current="true"`}>${label}${icon('down')}</summary>
<div class="menu-items"><ul>${furtherDates.map(each => link(each))}</ul>${jumpForm(site, selection, 'bar-date')}</div></details></li></ul></nav>`
}

/** The form that leads to a day in the display of a page. @param id of its field */
export const jumpForm = (site: PageContext, selection: Selection, id: string): Html =>
  html`<form class="jump" action="${TODAY_PATHS[selection.display]}" method="get"><div class="field"><label for="${id}">${site.words.pickDay}</label>
<input id="${id}" type="date" name="date" value="${selection.date ?? ''}" required></div>
${keptInputs(site, selection, ['date', 'until', 'past', 'evening'])}<button class="button" type="submit">${site.words.show}</button></form>`

/** A link that filters the page, or removes the filter if it is chosen. */
type Chip = { isChosen: boolean; html: Html }

const chip = (name: string, address: string, isChosen: boolean, className = ''): Chip => ({
  isChosen,
  html: html`<li><a class="chip${className && ` ${className}`}" href="${address}"${isChosen && html` aria-current="true"`}><span>${name}</span></a></li>`,
})

/**
 * Categories and other filters that many look for, the chosen ones first, in one row. “More” unfolds the
 * other rows: it stands before them, so that the keyboard comes to it first, and is only shown if there are
 * any.
 */
function filterRows(site: PageContext, page: BarOptions): Html {
  const { words } = site
  const chips = [...categoryChips(site, page), ...offerChips(site, page)]
  const chosenChips = chips.filter(each => each.isChosen)
  const otherChips = chips.filter(each => !each.isChosen)
  return html`<nav class="strip" aria-label="${words.categories}"><div><details class="fold"><summary class="chip">${words.moreKinds}${icon('down')}</summary></details>
<ul>${[...chosenChips, ...otherChips].map(each => each.html)}</ul></div></nav>`
}

/** The most categories in the bar. The form has all of them. */
const MAX_CHIPS = 12

/** The values of a filter without some of them; undefined if none is left. */
function without(values: readonly string[], isRemoved: (value: string) => boolean): string[] | undefined {
  const remainingValues = values.filter(value => !isRemoved(value))
  return remainingValues.length > 0 ? remainingValues : undefined
}

/**
 * Links for the categories without a parent: each filters the page, or removes the filter if the category is
 * chosen.
 */
function categoryChips(site: PageContext, { selection, categories, offers }: BarOptions): Chip[] {
  const { filters } = selection
  const chosenSlugs = filters.categories ?? []
  const isNamed = ({ slug, id }: Category, value: string): boolean =>
    value.toLowerCase() === slug || value === String(id)
  const isChosen = (term: Category): boolean => chosenSlugs.some(value => isNamed(term, value))
  const ids = new Set(categories.map(({ id }) => id))
  const roots = categories.filter(({ parent }) => !ids.has(parent))
  const childrenCategories = categories.filter(({ id }) => offers.forChildren.some(offer => offer.id === id))
  const shownCategories = [
    ...new Set([...categories.filter(isChosen), ...childrenCategories, ...roots]),
  ].slice(0, MAX_CHIPS)
  const withCategories = (slugs: string[] | undefined): string =>
    selectionAddress(site, { ...selection, filters: { ...filters, categories: slugs } })
  const chipAddress = (term: Category): string => {
    if (isChosen(term)) return withCategories(without(chosenSlugs, value => isNamed(term, value)))
    return withCategories(undefined) === TODAY_PATHS.list
      ? categoryPath(term.path)
      : withCategories([term.slug])
  }
  return shownCategories.map(term =>
    chip(plain(term.name), chipAddress(term), isChosen(term), `category ${hueClass(term)}`),
  )
}

/**
 * Links for filters that match an upcoming event: free of charge, accessible by wheelchair, and a tag for
 * children.
 */
function offerChips(site: PageContext, { selection, offers }: BarOptions): Chip[] {
  const { words } = site
  const { filters } = selection
  const { wheelchair = [], tags = [] } = filters
  const offerChip = (name: string, change: Filters, isChosen: boolean): Chip =>
    chip(name, selectionAddress(site, { ...selection, filters: { ...filters, ...change } }), isChosen)
  const isAccessible = wheelchair.includes('yes')
  const tag = offers.forChildren.find(({ taxonomy }) => taxonomy === 'event_tag')
  const isTag = (value: string): boolean => value.toLowerCase() === tag?.slug
  const hasTag = tags.some(isTag)
  return [
    ...(offers.isFree || filters.is_free
      ? [offerChip(words.free, { is_free: filters.is_free ? undefined : true }, filters.is_free ?? false)]
      : []),
    ...(tag
      ? [offerChip(plain(tag.name), { tags: hasTag ? without(tags, isTag) : [tag.slug] }, hasTag)]
      : []),
    ...(offers.isAccessible || isAccessible
      ? [offerChip(words.access_yes, { wheelchair: isAccessible ? undefined : ['yes'] }, isAccessible)]
      : []),
  ]
}

/** True if a page has the button for events nearby. All events of a venue are in one place. */
const hasNearButton = ({ offers, selection: { filters } }: BarOptions): boolean =>
  offers.isLocated && filters.near === undefined && filters.venue === undefined

/** The button that filters by the device's position. A script shows it if the browser can ask for that. */
function nearButton(site: PageContext, page: BarOptions): Html | '' {
  if (!hasNearButton(page)) return ''
  const { nearMe } = site.words
  return html`<button class="button button-quiet" type="button" data-near="${selectionAddress(site, page.selection)}" title="${nearMe}" hidden>${icon('near')}<span class="hidden">${nearMe}</span></button>`
}

const DISPLAYS = ['list', 'week', 'month'] as const

/** The displays of a calendar: a map only if an event would be on it, or where one is on it already. */
const displaysOf = ({ words }: PageContext, { offers, selection }: BarOptions) => [
  ...DISPLAYS.map(name => [name, words[name]] as const),
  ...(offers.isOnMap || selection.display === 'map' ? [['map', words.mapDisplay] as const] : []),
]

/**
 * The links to the displays of the calendar. On narrow screens they are folded under the name of the one that
 * is shown.
 */
function displayMenu(site: PageContext, page: BarOptions): Html {
  const { words } = site
  const { selection } = page
  const displays = displaysOf(site, page)
  // Days are also shown as lists.
  const shownLabel = displays.find(([name]) => name === selection.display)?.[1] ?? words.list
  return html`<details class="menu-button displays-menu"><summary class="chip"><span class="hidden">${words.display}${words.colon}</span>${shownLabel}${icon('down')}</summary>
<nav class="displays" aria-label="${words.display}"><ul>${displays.map(
    ([name, text]) =>
      html`<li><a href="${selectionAddress(site, { ...selection, display: name })}"${name === selection.display && html` aria-current="true"`}>${text}</a></li>`,
  )}</ul></nav></details>`
}

/** The menu for subscribing to the events of a page. */
export function subscription(
  site: PageContext,
  { selection, categories, names, subject = '' }: BarOptions,
): Html | '' {
  const { filters } = selection
  const chosenFilters = names ? removableFilters(site, filters, categories, names) : []
  const listName = [subject, ...chosenFilters.map(({ name }) => name)].filter(Boolean).join(', ')
  return subscribeMenu(site, { filters, ...(listName && { name: listName }) })
}
