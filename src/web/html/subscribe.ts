import { type CalendarFilters, calendarOf, webcal } from './feeds.ts'
import { type Html, html } from './html.ts'
import { copyButton, menuButton } from './menu.ts'
import type { Site } from './site.ts'

const withQuery = (address: string, params: Record<string, string>): string =>
  `${address}?${new URLSearchParams(params)}`

type Subscription = {
  filters: CalendarFilters
  /** The name that a calendar program gives it. */
  name: string
  /** A sentence that says what is subscribed to. */
  note: string
}

/** The ways to subscribe to events: in the programs that most people have, or in any other by the address. */
export function subscribeMenu(site: Site, { filters, name, note }: Subscription): Html {
  const { words } = site
  const address = calendarOf(site, filters)
  const program = webcal(address)
  const google = withQuery('https://calendar.google.com/calendar/render', { cid: program })
  const outlook = withQuery('https://outlook.live.com/calendar/0/addfromweb', { url: address, name })
  return menuButton({
    name: 'subscribe',
    text: words.subscribe,
    isQuiet: true,
    note,
    items: [
      html`<a href="${google}" rel="noopener">Google Calendar</a>`,
      html`<a href="${program}">Apple Calendar</a>`,
      html`<a href="${outlook}" rel="noopener">Outlook.com</a>`,
      html`<a href="${address}">${words.calendarFile}</a>`,
      copyButton(address, { label: words.copyAddress, done: words.copied }),
    ],
  })
}
