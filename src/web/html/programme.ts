import { summary } from '../../lib/text.ts'
import { eventPath } from '../../resources/events/listed.ts'
import { storedCostWords } from '../../words/cost.ts'
import { isOff } from '../../words/events.ts'
import { PART_TEXT, type ProgrammePart } from './around.ts'
import { badges } from './badges.ts'
import { type DatedEvent, dated, startOf, timeOn } from './events.ts'
import { type Html, html } from './html.ts'
import type { Site } from './site.ts'
import { inLine, nameOf } from './text.ts'

// The programme of an event as a timetable: a heading for each day, and a row for each time at which parts begin.

type Part = DatedEvent<ProgrammePart>

/** The most characters of a part's text. */
const LINE = 140

/**
 * The programme of an event by day and time; '' for an event without parts.
 *
 * @param places the names of the event's own venues: a programme that is all in one of them doesn't repeat its name
 */
export function programme(site: Site, parts: readonly ProgrammePart[], places: readonly string[]): Html | '' {
  if (parts.length === 0) return ''
  const { words, dates } = site
  const venues = new Set(parts.map(({ venue }) => venue))
  const isElsewhere = venues.size > 1 || !places.some(place => venues.has(place))
  const days = Map.groupBy(
    parts.map(part => dated(site, part)),
    ({ times }) => times.firstDay,
  )
  return html`<section class="programme" aria-labelledby="programme"><h2 id="programme">${words.programme}</h2>
${[...days].map(
  ([day, all]) => html`<h3>${dates.format('day', `${day} 00:00:00`)}</h3>
<ol>${[...Map.groupBy(all, ({ event, times }) => (event.all_day ? '' : times.start))].map(([, atOnce]) => slot(site, atOnce, day, isElsewhere))}</ol>`,
)}</section>`
}

/** The parts that begin at one time. The column of times has their end, too, if it is the same. */
function slot(site: Site, parts: readonly Part[], day: string, hasVenues: boolean): Html {
  const spans = new Set(parts.map(part => timeOn(site, part, day)))
  const [first] = parts
  if (!first) return html``
  const isSame = spans.size === 1
  return html`<li class="event-line"><time datetime="${startOf(first.event)}">${isSame ? timeOn(site, first, day) : site.dates.clock(first.times.start)}</time>
<ul class="parts">${parts.map(part => partItem(site, part, [isSame ? '' : timeOn(site, part, day), inLine([hasVenues ? part.event.venue : '', part.event.room])]))}</ul></li>`
}

function partItem(site: Site, { event }: Part, details: readonly string[]): Html {
  const isVain = isOff(event.event_status)
  // Nobody buys a ticket for a cancelled part.
  const cost = isVain ? '' : storedCostWords(site.language, event.cost, site.context.settings.currency)
  const line = [...details, cost].filter(Boolean).join(' · ')
  const text = summary(event.text, LINE, PART_TEXT)
  return html`<li class="${isVain && 'is-off'}"><a class="strong" href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}</a>${badges(site, event)}
${line && html`<p class="small">${line}</p>`}${text && html`<p class="part-text">${text}</p>`}</li>`
}
