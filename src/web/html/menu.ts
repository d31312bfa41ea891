import { type Html, html } from './html.ts'
import { type IconName, icon } from './icons.ts'

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
export const copyButton = (text: string, { label, done }: { label: string; done: string }): Html =>
  html`<button class="link-button" type="button" data-copy="${text}" data-done="${done}" hidden>${label}</button>`
