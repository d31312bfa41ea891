import { siteTimes } from '../../lib/time.ts'
import { eventPath } from '../../resources/events/listed.ts'
import { storedCostWords } from '../../words/cost.ts'
import { ticketsWord } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import type { ProgrammePart } from './around.ts'
import { eventLine } from './events.ts'
import { type Html, html } from './html.ts'
import type { EventSummary } from './queries.ts'
import type { Site } from './site.ts'
import { nameOf, plain } from './text.ts'

// The programme of an event: the events that are a part of it, whether or not lists show them.

/** The line of a part that leads to the event it belongs to. */
export const parentLine = (site: Site, parent: EventSummary | undefined): Html | '' =>
  parent === undefined
    ? ''
    : html`<p class="part-of">${filled(site.words.partOf, { name: '' })}<a href="${eventPath(site, parent)}">${nameOf(parent.title, parent.slug)}</a></p>`

/** The programme of an event by day and place. */
export function programmeSection(site: Site, parts: readonly ProgrammePart[]): Html | '' {
  if (parts.length === 0) return ''
  const { words, dates, context } = site
  const timed = parts.map(part => ({ part, times: siteTimes(part, context.settings.timezone) }))
  const days = [...Map.groupBy(timed, ({ times }) => times.firstDay)]
  return html`<section class="programme" aria-labelledby="programme"><h2 id="programme">${words.programme}</h2>
${days.map(
  ([day, events]) => html`<h3>${dates.format('day', `${day} 00:00:00`)}</h3>
${[...Map.groupBy(events, ({ part }) => part.venue)].map(
  ([venue, here]) =>
    html`${venue && html`<h4>${plain(venue)}</h4>`}<ol>${here.map(({ part, times }) =>
      eventLine(site, part, {
        time: part.all_day ? words.allDay : dates.clock(times.start),
        notes: [
          storedCostWords(site.language, part.cost, context.settings.currency),
          ticketsWord(site, part),
        ],
      }),
    )}</ol>`,
)}`,
)}</section>`
}
