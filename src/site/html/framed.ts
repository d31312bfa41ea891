import { directionOf } from '../../kit/lib/languages.ts'
import { ASSETS } from './assets.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'
import { themePath } from './theme.ts'

type Framed = {
  main: Html
  theme?: 'auto' | 'light' | 'dark' | undefined
  accent?: string | undefined
  /** Why there are no events, for the author of the page around the frame. */
  reason?: string
}

/** A page for frames on other sites: without header and footer, and with links that leave the frame. */
export function framed(
  site: PageContext,
  { main, theme = 'auto', accent = site.settings.accent, reason = '' }: Framed,
): Html {
  const { siteName } = site.context.settings
  return html`<!doctype html>
<html class="framed is-${theme}" lang="${site.language}" dir="${directionOf(site.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, follow">
<title>${siteName}</title>
<base target="_blank">
<link rel="stylesheet" href="${ASSETS.style}">
${accent && html`<link rel="stylesheet" href="${themePath({ accent })}">`}
<script type="module" src="${ASSETS.framed}"></script>
</head>
<body><main class="embed"${reason && html` data-reason="${reason}"`}>
<h1 class="hidden">${siteName}</h1>
${main}
</main></body>
</html>`
}
