import type { MiddlewareHandler } from 'hono'
import { accepts } from 'hono/accepts'
import type { AppEnv } from '../../env.ts'

/** The path of the page's scripts and styles, which `src/cli/docs-assets.ts` writes. */
const ASSETS = '/_docs'

/** The content security policy: everything from this origin, no inline scripts and no eval. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers of an address with two responses, of which shared caches would keep only one. */
export const VARIANT = { Vary: 'Accept', 'Cache-Control': 'private, max-age=300' }

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The page, which requests the document from its own address. */
const html = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${ASSETS}/swagger-ui.css">
<link rel="stylesheet" href="${ASSETS}/page.css">
<script src="${ASSETS}/swagger-ui-bundle.js" defer></script>
<script src="${ASSETS}/page.js" defer></script>
</head>
<body>
<noscript>This page needs JavaScript. The document itself is JSON, at this address with <code>Accept: application/json</code>.</noscript>
<main id="document"></main>
</body>
</html>
`

/** Sends browsers a page that shows the document; other clients get the document itself. */
export const pageForBrowsers: MiddlewareHandler<AppEnv> = async (c, next) => {
  const wanted = accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/html'],
    default: 'application/json',
  })
  if (wanted !== 'text/html') return next()
  return c.html(html(`${c.get('context').settings.siteName}: calendar API`), 200, {
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
    ...VARIANT,
  })
}
