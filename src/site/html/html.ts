import { html, raw } from 'hono/html'
import type { ImageResponse } from '../../calendar/content/resource.ts'
import type { ValuesFor } from '../../words/words.ts'
import type { PageContext } from './page-context.ts'

/** A piece of HTML: escaped text, or a template of such pieces. */
export type Html = ReturnType<typeof html>

export { html, raw }

/** As `filled`, with values that may be HTML. */
export const filledHtml = <T extends string>(text: T, values: ValuesFor<T, Html | string>): Html => {
  const given: Readonly<Record<string, Html | string | undefined>> = values
  // Every other part is the name of a value.
  return html`${text.split(/\{\{(\w+)\}\}/).map((part, i) => (i % 2 === 0 ? part : given[part]))}`
}

export type Options = readonly (readonly [value: string, text: Html | string])[]

export const optionsOf = (options: Options, chosen: string): Html =>
  html`${options.map(([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>\n`)}`

export const backLink = (to: string, text: string | Html): Html =>
  html`<p class="back"><a href="${to}">${icon('previous')}<span>${text}</span></a></p>`

/** The address of a page, for paper. */
export const paperLink = (address: string): Html =>
  html`<p class="paper-link">${address.replace(/^https?:\/\//, '')}</p>`

/** The paths of the icons, 24 by 24, drawn for these pages. */
const ICON_PATHS = {
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  place: 'M12 21s-7-6.2-7-11a7 7 0 0 1 14 0c0 4.8-7 11-7 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  near: 'M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM12 2v4M12 18v4M2 12h4M18 12h4M12 12h.01',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.6-6 8-6s8 2 8 6',
  ticket: 'M3 8h18v3a2 2 0 0 0 0 4v3H3v-3a2 2 0 0 0 0-4zM14 8v10',
  web: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  down: 'M7 10l5 5 5-5',
  subscribe: 'M5 11a8 8 0 0 1 8 8M5 5a14 14 0 0 1 14 14M6 19h.01',
  share: 'M12 15V3M8 7l4-4 4 4M5 12v8h14v-8',
  close: 'M6 6l12 12M18 6L6 18',
  phone: 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z',
  email: 'M3 6h18v12H3zM3 7l9 7 9-7',
  access: 'M10 3.5h.01M10 7v6h5l3 6M10 9.5h5M8 11a5.5 5.5 0 1 0 6.5 7',
  filter: 'M4 7h16M7 12h10M10 17h4',
  list: 'M4 6h16M4 12h16M4 18h10',
  menu: 'M4 7h16M4 12h16M4 17h16',
  online: 'M4 5h16v11H4zM9 20h6M12 16v4',
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
  italic: 'M10 5h6M8 19h6M14 5l-4 14',
  heading: 'M6 5v14M18 5v14M6 12h12',
  bullets: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  numbers: 'M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M4 15a1.5 1.5 0 0 1 2.5 1L4 20h3',
  quote: 'M5 18c2-1 3-3 3-6H5V7h5v5c0 4-2 6-5 7M14 18c2-1 3-3 3-6h-3V7h5v5c0 4-2 6-5 7',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  heart: 'M12 20.5c-5-4-8-7.2-8-10.8a4.3 4.3 0 0 1 8-2.2 4.3 4.3 0 0 1 8 2.2c0 3.6-3 6.8-8 10.8z',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
} as const

export type IconName = keyof typeof ICON_PATHS

/** An icon next to a text with the same meaning. */
export const icon = (name: IconName) =>
  raw(
    `<svg class="icon icon-${name}" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${ICON_PATHS[name]}"/></svg>`,
  )

export type PagerLink = { address: string; text: string; isNofollow?: boolean } | undefined

/** Links to the previous and the next page in time, with today between them; '' if there is neither page. */
export function pager(
  label: string,
  { before, today, after }: { before: PagerLink; today?: PagerLink; after: PagerLink },
): Html | '' {
  if (!before && !after) return ''
  const rel = (step: PagerLink, name: string) => html` rel="${name}${step?.isNofollow ? ' nofollow' : ''}"`
  return html`<nav class="pager" aria-label="${label}"><ul>
<li>${before && html`<a href="${before.address}"${rel(before, 'prev')}>${icon('previous')}<span>${before.text}</span></a>`}</li>
<li>${today && html`<a class="pager-today" href="${today.address}">${today.text}</a>`}</li>
<li>${after && html`<a href="${after.address}"${rel(after, 'next')}><span>${after.text}</span>${icon('next')}</a>`}</li>
</ul></nav>`
}

/** A note for a page without content, with links to other pages. */
export const emptyState = (
  { words }: PageContext,
  {
    title = words.nothing,
    text,
    links,
  }: { title?: string; text?: string; links: readonly { address: string; text: string }[] },
): Html =>
  html`<div class="empty"><h2>${title}</h2>${text && html`<p>${text}</p>`}<ul>${links.map(link => html`<li><a href="${link.address}">${link.text}</a></li>`)}</ul></div>`

/**
 * The attributes `src`, `srcset`, `sizes` and `alt` of an image. Browsers choose the best size; the thumbnail
 * is cropped, so only images that are cropped on the page use it. An image without an alternative text is
 * decorative.
 *
 * @param sizes the width on the page, as in the attribute of that name
 */
export function imageAttributes(
  image: ImageResponse,
  { sizes, isCut }: { sizes: string; isCut: boolean },
): Html {
  const { url, width, alt_text = '' } = image
  const { thumbnail, ...uncropped } = image.sizes
  const scaled = Object.values(thumbnail && isCut ? { thumbnail, ...uncropped } : uncropped)
  if (scaled.length === 0) return html`src="${url}" alt="${alt_text}"`
  const candidates = [...scaled, ...(width ? [{ url, width }] : [])]
  const srcset = candidates.map(each => `${each.url} ${each.width}w`).join(', ')
  return html`src="${url}" srcset="${srcset}" sizes="${sizes}" alt="${alt_text}"`
}

type MenuButton = {
  name: IconName
  text: string
  isQuiet: boolean
  /** A text above the items. */
  note?: string
  items: readonly Html[]
}

/** A button that opens a menu, which works without scripts. */
export const menuButton = ({ name, text, isQuiet, note, items }: MenuButton): Html =>
  html`<details class="menu-button"><summary class="button${isQuiet && ' button-quiet'}">${icon(name)}<span>${text}</span></summary>
<div class="menu-items">${note && html`<p>${note}</p>`}<ul>${items.map(item => html`<li>${item}</li>`)}</ul></div></details>`
