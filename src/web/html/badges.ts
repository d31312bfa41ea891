import type { EventStatus, TicketAvailability } from '../../lib/statuses.ts'
import { statusWord, ticketsWord } from '../../words/events.ts'
import { type Html, html } from './html.ts'
import type { Site } from './site.ts'

type Marked = {
  event_status: EventStatus
  ticket_availability?: TicketAvailability
  is_virtual?: boolean
}

/** A badge: a word beside a title. Its colour only underlines what the word says. */
export const badge = (text: string, look: 'plain' | 'alert' | 'warn' | 'good' | 'strong' = 'plain'): Html =>
  html`<span class="badge${look !== 'plain' && ` badge-${look}`}">${text}</span>`

/** The badges beside the title of an event, the same on every page: whether it takes place, what is left of its tickets, where it is. */
export function badges(site: Site, { event_status, ticket_availability = '', is_virtual }: Marked): Html[] {
  const status = statusWord(site, event_status)
  const tickets = ticketsWord(site, { event_status, ticket_availability })
  return [
    ...(status ? [badge(status, event_status === 'canceled' ? 'alert' : 'warn')] : []),
    ...(tickets && ticket_availability !== 'available'
      ? [badge(tickets, ticket_availability === 'sold_out' ? 'strong' : 'warn')]
      : []),
    ...(is_virtual ? [badge(site.words.onlineBadge)] : []),
  ]
}
