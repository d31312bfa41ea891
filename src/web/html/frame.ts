import { htmlToText } from '../../lib/text.ts'
import { serializeImage } from '../../resources/content/images.ts'
import { subscribeMenu } from './feeds.ts'
import { type Html, html, icon, imageAttributes, raw } from './html.ts'
import type { Site } from './site.ts'
import { type SiteLink, slot } from './slots.ts'

// What every page has at its top and at its bottom.

const MENU = ['events', 'venues', 'organizers'] as const

/** An item of the menu. */
export type Section = (typeof MENU)[number]

const siteLinks = (site: Site): SiteLink[] => slot(site.context, 'siteLinks').flatMap(links => links(site))

/** Links of features, as items of a list. */
const moreLinks = (links: readonly SiteLink[]): Html[] =>
  links.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>\n`)

/** Name and menu, over the header image or, without one, over the owner's colour. */
export function masthead(site: Site, section?: Section): Html {
  const { context, words, settings } = site
  const { header, siteName, tagline } = context.settings
  return html`<header class="site-header masthead${header && ' has-image'}">
${header && html`<img class="header-image" ${imageAttributes({ ...serializeImage(header, context), alt_text: '' }, { shown: '100vw', isCut: false })} decoding="async">`}
<div class="wide">
<a class="site-name" href="/events/">${settings.logo && html`<img class="logo" src="${settings.logo}" alt="" height="40">`}<span>${siteName}${tagline && html` <small>${tagline}</small>`}</span></a>
<details class="fold site-menu"><summary class="button button-quiet">${icon('menu')}<span class="hidden">${words.menu}</span></summary>
<nav aria-label="${words.menu}"><ul class="menu">
${MENU.map(
  name =>
    html`<li><a href="/${name}/"${section === name && raw(' aria-current="true"')}>${words[name]}</a></li>`,
)}
${moreLinks(siteLinks(site).filter(({ isMinor }) => !isMinor))}
</ul></nav></details>
</div>
</header>`
}

const LEGAL = ['imprint', 'privacy', 'accessibility'] as const

/** What the calendar is, who is behind it, and ways to take part in it. */
export function footer(site: Site): Html {
  const { context, words, settings } = site
  const { siteName, tagline } = context.settings
  const { contact, footer, links } = settings
  const legal = LEGAL.filter(name => links[name] !== '')
  const subscription = subscribeMenu(site, { filters: {} })
  return html`<footer class="site-footer">
<div class="wide">
<div class="footer-text"><p class="strong">${siteName}</p>${tagline && html`<p>${tagline}</p>`}${footer && html`<p>${htmlToText(footer)}</p>`}</div>
<ul class="footer-links">
${subscription && html`<li>${subscription}</li>`}
${moreLinks(siteLinks(site))}
<li><a href="/embed">${words.embedLink}</a></li>
${contact && html`<li><a href="${contact}">${words.contact}</a></li>`}
${legal.map(name => html`<li><a href="${links[name]}">${words[name]}</a></li>\n`)}
</ul>
</div>
</footer>`
}
