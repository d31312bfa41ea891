import { eventPath, type ListedEvent } from '../../calendar/events/listed-events.ts'
import { takesPlace } from '../../kit/lib/statuses.ts'
import { dayOf, formatInstant, MINUTE_MS, startOfDay, toEpoch, toWall } from '../../kit/lib/time.ts'
import { queryOf } from '../../site/html/addresses.ts'
import { dayList, eventGroups, groupByDay } from '../../site/html/agenda.ts'
import { copyButton, subscriptionMenu } from '../../site/html/calendar-menus.ts'
import { definePage } from '../../site/html/define-page.ts'
import { badges, type DatedEvent, formerDateText, startOf, withTimes } from '../../site/html/events.ts'
import { type Html, html, icon } from '../../site/html/html.ts'
import { layout } from '../../site/html/layout.ts'
import { countedText, type PageContext } from '../../site/html/page-context.ts'
import type { Slots } from '../../site/html/slots.ts'
import { nameOf } from '../../site/html/text.ts'
import { shortMoment } from '../../site/html/when.ts'
import { movedStyle } from '../../words/dates.ts'
import { filled } from '../../words/words.ts'
import { type FoundPicks, selectPicks } from './queries.ts'
import { type KeptEvent, MAX_PICKS, pageQuery } from './schema.ts'

export const PICKS_PATH = '/picks/'

/**
 * The button with a heart. The script puts it on events, dates and series. A click on the heart adds the item
 * that it is on to the picks.
 */
const heart: Html = html`<button class="heart" type="button" aria-pressed="false">${icon('heart')}</button>`

/** What the script (pages.browser.ts) needs on every page: addresses, texts, and the heart. */
export const pickTemplate: NonNullable<Slots['pageEnd']> = ({ context, words, dates }) =>
  html`<template id="pick" data-path="${PICKS_PATH}" data-api="${context.api}/picks" data-name="${filled(words.pickName, { name: '{{name}}' })}" data-one="${words.pick}" data-dates="${words.pickDates}" data-most="${MAX_PICKS}" data-full="${filled(words.picksFull, { n: dates.number(MAX_PICKS) })}" data-failed="${words.picksFailed}" data-unkept="${words.picksUnkept}">${heart}</template>`

/** A placeholder for the token in addresses, until the script has stored the list. */
const NO_TOKEN = '0'.repeat(32)

/**
 * What is shown: `asked` as in the address; `kept` with each event once, and merged events replaced by those
 * that they were merged into.
 */
type ShownPicks = FoundPicks & Record<'asked' | 'kept', readonly KeptEvent[]> & { series: readonly number[] }

function keptOnce(asked: readonly KeptEvent[], { merged }: FoundPicks): KeptEvent[] {
  const survivors = new Map(merged.map(({ id, event }) => [id, event]))
  const kept = asked.map(each => ({ ...each, id: survivors.get(each.id) ?? each.id }))
  return [...new Map(kept.map(each => [each.id, each])).values()]
}

/** The start of an event at the time it was kept, if it has changed since: minutes since 1970. */
function formerStart(event: ListedEvent, minutes: number | undefined): number | undefined {
  // An all-day event starts at midnight UTC here, as in browsers.
  const start = event.all_day ? startOfDay(event.start_date) : event.utc_start_date
  return minutes === undefined || minutes * MINUTE_MS === toEpoch(start) ? undefined : minutes
}

/** A former start of an event in words, in the zone of the site. */
function formerMoment({ dates, context }: PageContext, minutes: number, event: ListedEvent): string {
  const utc = formatInstant(minutes * MINUTE_MS)
  const wall = event.all_day ? utc : toWall(utc, context.settings.timezone)
  return dates.moment(movedStyle(wall, event.start_date), wall, event.all_day)
}

/**
 * The events that were moved or cancelled since they were kept, with what the page said then. What somebody
 * shares, and the next date of a series, may already have been moved or cancelled at that time.
 */
function changesList(
  site: PageContext,
  comingEvents: readonly DatedEvent[],
  keptEvents: readonly KeptEvent[],
): Html | '' {
  const { words } = site
  let haveAllKeptTimes = true
  const items = comingEvents.flatMap(({ event, times }) => {
    const { minutes, off } = keptEvents.find(({ id }) => id === event.id) ?? {}
    const formerMinutes = formerStart(event, minutes)
    const hasKeptTime = minutes !== undefined
    const isListed = hasKeptTime
      ? formerMinutes !== undefined || (!takesPlace(event.event_status) && event.event_status !== off)
      : event.event_status !== 'scheduled'
    if (!isListed) return []
    haveAllKeptTimes &&= hasKeptTime
    const formerTime = formerMinutes === undefined ? '' : formerMoment(site, formerMinutes, event)
    // A badge may say the former time already.
    const formerText =
      formerTime !== '' &&
      !formerDateText(site, event).includes(formerTime) &&
      filled(words.pickWas, { when: formerTime })
    return html`<li class="${event.event_status === 'canceled' && 'is-off'}"><a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}</a>${badges(site, event)}
<span><time datetime="${startOf(event)}">${shortMoment(site, times.start, event.all_day)}</time>${formerText && html`, ${formerText}`}</span></li>`
  })
  return items.length === 0
    ? ''
    : html`<section class="notice picks-changed" aria-labelledby="picks-changed"><h2 id="picks-changed">${haveAllKeptTimes ? words.picksChanged : words.picksOff}</h2><ul>${items}</ul></section>`
}

/** Series of which all dates are kept, with links to the dates. */
function allDates(site: PageContext, { events, next }: FoundPicks): Html | '' {
  const rows = next.flatMap(({ series, event: id }) => {
    const event = events.find(each => each.id === id)
    return event?.series ? [{ series, event, slug: event.series.slug }] : []
  })
  return rows.length === 0
    ? ''
    : html`<section class="picks-series"><h2>${site.words.picksAllDates}</h2><ul>${rows.map(
        ({ series, event, slug }) =>
          html`<li data-series="${series}"><a href="${site.base}/event/${encodeURIComponent(slug)}/all/">${nameOf(event.title, event.slug)}</a></li>`,
      )}</ul></section>`
}

/** The ways to take the list along, and to delete it. Scripts show those that fit the list. */
function pickTools(site: PageContext, share: string): Html {
  const { words, context } = site
  return html`<div class="picks-tools" data-picks-own hidden>
<button class="button button-quiet" type="button" data-share="${share}" data-title="${words.picks}" hidden>${icon('share')}<span>${words.share}</span></button>
${copyButton(share, { label: words.copyLink, done: words.copied })}
${subscriptionMenu(site, { address: `${context.api}/picks/${NO_TOKEN}.ics`, name: `${words.picks} · ${context.settings.siteName}`, note: words.picksSubscribe })}
</div>
<p data-picks-other hidden><button class="button" type="button" data-picks-add>${icon('heart')}<span>${words.picksAdd}</span></button></p>`
}

function pickListHtml(
  site: PageContext,
  { asked, kept, series, ...shownPicks }: ShownPicks,
  isOwnList: boolean,
): Html {
  const { words, today } = site
  const day = dayOf(today)
  const dated = shownPicks.events.map(event => withTimes(site, event))
  // The page shows another date of a series once this one is over.
  for (const { event } of shownPicks.next)
    for (const date of shownPicks.events)
      if (date.id === event) site.context.clock.changesAt(date.utc_end_date)
  const past = dated.filter(({ times }) => times.lastDay < day)
  const comingEvents = dated.filter(shown => !past.includes(shown))
  const goneCount =
    kept.filter(({ id }) => !shownPicks.events.some(event => event.id === id)).length +
    series.filter(id => !shownPicks.next.some(next => next.series === id)).length
  const shareAddress = site.context.site + PICKS_PATH + queryOf({}, shareQuery({ kept, series }))
  return html`<div class="picks" data-picks-ids="${asked.map(({ id }) => id).join()}" data-picks-merged="${shownPicks.merged.map(({ id, event }) => `${id}:${event}`).join()}" data-picks-series="${series.join()}">
<div class="picks-head"><h1><span data-own="${words.picks}" data-other="${words.picksShared}">${isOwnList ? words.picks : words.picksShared}</span> <span class="count" data-picks-count>${site.dates.number(kept.length + series.length)}</span></h1>${pickTools(site, shareAddress)}</div>
<p class="small" data-own="${words.picksLead}" data-other="${words.picksSharedLead}">${isOwnList ? words.picksLead : words.picksSharedLead}</p>
<p class="notice" role="status" data-picks-note hidden></p>
${changesList(site, comingEvents, kept)}
${
  comingEvents.length > 0 &&
  eventGroups(
    site,
    groupByDay(
      site,
      comingEvents.map(({ event }) => event),
      day,
    ),
  )
}
${allDates(site, shownPicks)}
${past.length > 0 && html`<details class="earlier"><summary>${countedText({ site }, words, 'picksPast', past.length)}</summary>${dayList(site, past, '', { level: 'h2' })}</details>`}
${goneCount > 0 && html`<p class="small">${countedText({ site }, words, 'picksGone', goneCount)}</p>`}
<p class="small" data-picks-own hidden><button class="link-button" type="button" data-picks-forget>${words.picksForget}</button></p>
</div>`
}

const shareQuery = ({ kept, series }: Pick<ShownPicks, 'kept' | 'series'>) => ({
  ...(kept.length > 0 && { ids: kept.map(({ id }) => id).join() }),
  ...(series.length > 0 && { series: series.join() }),
})

/** The page before anything is kept. From here, the script leads to the list that it knows. */
const emptyPage = ({ words }: PageContext): Html =>
  html`<div class="picks" data-picks-empty><h1>${words.picks}</h1>
<p class="notice" role="status" tabindex="-1" data-picks-forgotten hidden>${words.picksForgotten} <button class="link-button" type="button" data-picks-undo>${words.picksUndo}</button></p>
<p>${words.picksNone}</p><noscript><p>${words.picksNoScripts}</p></noscript>
<p><a class="button" href="/events/">${words.seeUpcoming}</a></p></div>`

/**
 * What a visitor keeps, or shares. The browser knows what that is, and asks for it in the address: nothing is
 * stored for this page. The times at which events started when they were kept show which have been moved.
 */
export const picksPage = definePage({
  path: PICKS_PATH,
  query: pageQuery,
  load: ({ context }, { query: { ids = [], series = [] } }) =>
    selectPicks(context, { ids: ids.map(({ id }) => id), series }),
  respond: (site, { query: { ids: keptEvents = [], series = [] }, loaded }) => {
    const { words } = site
    const isEmpty = keptEvents.length + series.length === 0
    const kept = keptOnce(keptEvents, loaded)
    const isOwnList = isEmpty || kept.some(({ minutes }) => minutes !== undefined)
    const main = isEmpty
      ? emptyPage(site)
      : pickListHtml(site, { ...loaded, asked: keptEvents, kept, series }, isOwnList)
    const title = isOwnList ? words.picks : words.picksShared
    return { body: String(layout(site, { title, section: PICKS_PATH, isUnlisted: true, main })) }
  },
})
