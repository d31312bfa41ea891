import { beginningOfToday } from '../../calendar/events/listing/interval.ts'
import type { Movable, TicketAvailability } from '../../kit/lib/statuses.ts'
import type { EventTimes } from '../../kit/lib/time.ts'
import { isOff, movedWords, statusWord, ticketsWord } from '../../words/events.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'

/** True if an event is over. An event without a length has no known end, so it is over once its day is. */
export const isOver = (
  { context }: PageContext,
  { utc_start_date: start, utc_end_date: end }: EventTimes,
): boolean => (end > start ? context.clock.hasPassed(end) : start < beginningOfToday(context))

/** The former date of an event that was moved, in the zone of the site; '' for one that was not. */
export const formerDateText = (site: PageContext, event: Movable): string =>
  movedWords(site, event, site.context.settings.timezone)

/** A badge: a word beside a title. Its colour only underlines what the word says. */
export const badge = (text: string, look: 'plain' | 'alert' | 'warn' | 'good' | 'strong' = 'plain'): Html =>
  html`<span class="badge${look !== 'plain' && ` badge-${look}`}">${text}</span>`

type BadgedEvent = Movable & { ticket_availability?: TicketAvailability; is_virtual?: boolean }

/**
 * The badges beside the title of an event, the same on every page: whether it takes place and when it was to
 * be, what is left of its tickets, and if it is online.
 *
 * @param isPastEvent true if it is over: nobody needs tickets then
 */
export function badges(site: PageContext, event: BadgedEvent, isPastEvent = false): Html[] {
  const { words } = site
  const { event_status, ticket_availability = '', is_virtual } = event
  const was = isOff(event_status) ? '' : formerDateText(site, event)
  const status = was ? `${words.newDate} (${was})` : statusWord(site, event_status)
  const tickets = isPastEvent ? '' : ticketsWord(site, { event_status, ticket_availability })
  const badgeList = [
    ...(isPastEvent ? [badge(words.over)] : []),
    ...(status ? [badge(status, isOff(event_status) ? 'alert' : 'warn')] : []),
    ...(tickets && ticket_availability !== 'available'
      ? [badge(tickets, ticket_availability === 'sold_out' ? 'strong' : 'warn')]
      : []),
    ...(is_virtual ? [badge(words.onlineBadge)] : []),
  ]
  return badgeList.map(each => html` ${each}`)
}
