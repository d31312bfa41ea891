import { serializeImage } from '../../calendar/content/images.ts'
import { directionOf } from '../../kit/lib/languages.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { htmlToText } from '../../kit/lib/text.ts'
import { ASSETS } from './assets.ts'
import { pluginRoot } from './define-page.ts'
import { subscribeMenu } from './feeds.ts'
import { type Html, html, icon, imageAttributes, raw } from './html.ts'
import { jsonOf } from './json-ld.ts'
import type { PageContext } from './page-context.ts'
import { type FeedLink, headLinks, type SiteLink, slot } from './slots.ts'
import { themePath } from './theme.ts'

// The header and the footer of every page.

const MENU = ['events', 'venues', 'organizers'] as const

/** An item of the menu: one of the calendar's own, or the path of a feature's. */
type Section = (typeof MENU)[number] | `/${string}/`

const siteLinks = (site: PageContext): SiteLink[] =>
  slot(site.context, 'siteLinks').flatMap(links => links(site))

/** Links of features, as items of a list. @param current the address of the link for the page */
const featureLinks = (links: readonly SiteLink[], current?: string): Html[] =>
  links.map(
    ({ href, text }) =>
      html`<li><a href="${href}"${href === current && raw(' aria-current="true"')}>${text}</a></li>\n`,
  )

/** Name and menu, over the header image or, without one, over the owner's colour. */
function siteHeader(site: PageContext, section?: Section): Html {
  const { context, words, settings } = site
  const { header, siteName, tagline } = context.settings
  return html`<header class="site-header masthead${header && ' has-image'}">
${header && html`<img class="header-image" ${imageAttributes({ ...serializeImage(header, context), alt_text: '' }, { sizes: '100vw', isCut: false })} decoding="async">`}
<div class="wide">
<a class="site-name" href="/events/">${settings.logo && html`<img class="logo" src="${settings.logo}" alt="" height="40">`}<span>${siteName}${tagline && html` <small>${tagline}</small>`}</span></a>
<details class="fold site-menu"><summary class="button button-quiet">${icon('menu')}<span class="hidden">${words.menu}</span></summary>
<nav aria-label="${words.menu}"><ul class="menu">
${MENU.map(
  name =>
    html`<li><a href="/${name}/"${section === name && raw(' aria-current="true"')}>${words[name]}</a></li>`,
)}
${featureLinks(
  siteLinks(site).filter(({ isMinor }) => !isMinor),
  section,
)}
</ul></nav></details>
</div>
</header>`
}

const LEGAL = ['imprint', 'privacy', 'accessibility'] as const

/** What the calendar is, who runs it, and ways to contribute. */
function footerHtml(site: PageContext): Html {
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
${featureLinks(siteLinks(site))}
<li><a href="/embed">${words.embedLink}</a></li>
${contact && html`<li><a href="${contact}">${words.contact}</a></li>`}
${legal.map(name => html`<li><a href="${links[name]}">${words[name]}</a></li>\n`)}
</ul>
</div>
</footer>`
}

/** What a page shows between its header and its footer, and what its head says. */
export type SitePage = {
  /** The title without the calendar's name. */
  title: string
  description?: string | undefined
  /** The path of the canonical address for search engines. */
  canonical?: string | undefined
  /** True if search engines should not index the page, but follow its links. */
  isUnlisted?: boolean
  /** The item of the menu for the page. */
  section?: Section
  image?:
    | { url: string; width?: number | undefined; height?: number | undefined; alt_text?: string | undefined }
    | undefined
  /** The type in Open Graph. */
  kind?: 'website' | 'article'
  /** The data for search engines, a script element each. */
  jsonLd?: readonly (object | undefined)[]
  feeds?: readonly FeedLink[]
  /** The address of the same data in the API. */
  api?: string
  /**
   * The path of the same data below the plugin's namespace, whose index it is by default:
   * `events/?tags=jazz`.
   */
  pluginPath?: string
  /** The addresses of the previous and the next page. */
  previous?: string | undefined
  next?: string | undefined
  /** Stylesheets and scripts in addition to those of all pages. */
  styles?: readonly string[]
  scripts?: readonly string[]
  /** The row of tools below the header. */
  bar?: Html
  /** The id of the element that “Skip to content” leads to, by default the main part. */
  skipTo?: string
  main: Html
}

export function layout(site: PageContext, page: SitePage): Html {
  const { language, words, settings } = site
  const theme = themePath(settings)
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"${settings.typeface === 'serif' && raw(' class="serif"')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${headHtml(site, page)}
<link rel="stylesheet" href="${ASSETS.style}">
${page.styles?.map(style => html`<link rel="stylesheet" href="${style}">\n`)}
${theme && html`<link rel="stylesheet" href="${theme}">`}
${settings.stylesheet && html`<link rel="stylesheet" href="${settings.stylesheet}">`}
${[ASSETS.script, ...(page.scripts ?? [])].map(script => html`<script type="module" src="${script}"></script>\n`)}
</head>
<body${pluginRoot(site) && raw(' class="tribe-events-page-template"')}>
<a class="skip" href="#${page.skipTo ?? 'main'}">${words.skip}</a>
${siteHeader(site, page.section)}
${page.bar}
<main id="main" class="wide" tabindex="-1">
${page.main}
</main>
${footerHtml(site)}
${slot(site.context, 'pageEnd').map(end => end(site))}
</body>
</html>`
}

/** The metadata in the head, for search engines, for sharing, and for programs. */
function headHtml(site: PageContext, page: SitePage): Html {
  const { context, language } = site
  const plugin = pluginRoot(site)
  const { siteName } = context.settings
  const { title, description, canonical, image, feeds = [] } = page
  const { logo } = site.settings
  const { header } = context.settings
  const ownImage = header
    ? serializeImage(header, context)
    : logo && { url: new URL(logo, context.site).href }
  const sharedImage = image ?? (ownImage || undefined)
  const fullTitle = title === siteName ? title : `${title} · ${siteName}`
  const address = canonical === undefined ? undefined : context.site + canonical
  return html`<title>${fullTitle}</title>
${description && html`<meta name="description" content="${description}">`}
${address && html`<link rel="canonical" href="${address}">`}
${page.isUnlisted && html`<meta name="robots" content="noindex, follow">`}
${page.previous && html`<link rel="prev" href="${page.previous}">`}
${page.next && html`<link rel="next" href="${page.next}">`}
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ASSETS.icon}" type="image/svg+xml">
<meta property="og:type" content="${page.kind ?? 'website'}">
<meta property="og:site_name" content="${siteName}">
<meta property="og:title" content="${title}">
<meta property="og:locale" content="${openGraphLocale(language)}">
${description && html`<meta property="og:description" content="${description}">`}
${address && html`<meta property="og:url" content="${address}">`}
${sharedImage && imageTags(sharedImage)}
<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">
${feeds.map(feed => html`<link rel="alternate" type="${feed.type}" title="${feed.title}" href="${feed.address}">\n`)}
<meta name="tec-api-version" content="v1">
<meta name="tec-api-origin" content="${context.site}">
${headLinks(context)}<link rel="alternate" type="application/json" href="${page.api ?? `${context.api}/`}">
${plugin && html`<link rel="alternate" href="${plugin}/${page.pluginPath}">`}
${(page.jsonLd ?? []).map(data => data && html`<script type="application/ld+json">${raw(jsonOf(data))}</script>`)}`
}

/**
 * A language with its territory, as Open Graph requires: `de_DE`. A tag without a territory gets the most
 * common one.
 */
const openGraphLocale = memoize((tag: string): string => {
  const { language, region } = new Intl.Locale(tag).maximize()
  return `${language}_${region}`
})

const imageTags = ({ url, width, height, alt_text }: NonNullable<SitePage['image']>): Html =>
  html`<meta property="og:image" content="${url}">
${width !== undefined && html`<meta property="og:image:width" content="${width}">`}
${height !== undefined && html`<meta property="og:image:height" content="${height}">`}
${alt_text && html`<meta property="og:image:alt" content="${alt_text}">`}`
