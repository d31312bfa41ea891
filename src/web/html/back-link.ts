import { type Html, html } from './html.ts'
import { icon } from './icons.ts'

/** The way to the page above, before the heading. */
export const backLink = (to: string, text: string | Html): Html =>
  html`<p class="back"><a href="${to}">${icon('previous')}<span>${text}</span></a></p>`
