import { queryOf } from './addresses.ts'
import { type Html, html, menuButton } from './html.ts'
import type { Site } from './site.ts'

/** The address of a calendar with the scheme that calendar programs handle. */
const webcal = (address: string): string => address.replace(/^https?:/, 'webcal:')

/** A button that copies a text to the clipboard. It is hidden without scripts. */
export const copyButton = (text: string, { label, done }: { label: string; done: string }): Html =>
  html`<button class="link-button" type="button" data-copy="${text}" data-done="${done}" hidden>${label}</button>`

type Subscription = {
  /** The address of the calendar. */
  address: string
  /** Its name in the program; by default the name of the site. */
  name?: string | undefined
  /** A sentence above the items. */
  note: string
  /** Further items. */
  more?: readonly Html[]
}

/** A menu with the most common programs that subscribe to a calendar, and its address for others. */
export function subscriptionMenu(
  { words, context }: Site,
  { address, name = context.settings.siteName, note, more = [] }: Subscription,
): Html {
  const program = webcal(address)
  const google = `https://calendar.google.com/calendar/render${queryOf({}, { cid: program })}`
  const outlook = `https://outlook.live.com/calendar/0/addfromweb${queryOf({}, { url: address, name })}`
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
      ...more,
    ],
  })
}
