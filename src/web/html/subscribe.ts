import { type CalendarFilters, calendarOf, webcal } from './feeds.ts'
import { type Html, html, type IconName, icon } from './html.ts'
import type { Site } from './site.ts'

type Menu = {
  name: IconName
  text: string
  isQuiet?: boolean
  /** What the menu is about, above its items. */
  note?: string
  items: readonly Html[]
}

/** A button that opens a menu, also without scripts. */
export const menuButton = ({ name, text, isQuiet = false, note, items }: Menu): Html =>
  html`<details class="menu-button"><summary class="button${isQuiet && ' button-quiet'}">${icon(name)}<span>${text}</span></summary>
<div class="menu-items">${note && html`<p>${note}</p>`}<ul>${items.map(item => html`<li>${item}</li>`)}</ul></div></details>`

/** A button that puts a text on the clipboard, which needs a script: without one it isn't there. */
const copyButton = (text: string, { label, done }: { label: string; done: string }): Html =>
  html`<button class="link-button" type="button" data-copy="${text}" data-done="${done}" hidden>${label}</button>`

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
