import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'

// Cloudflare Turnstile on the forms of visitors, if there are keys. `assertHuman` (kit/http/turnstile.ts)
// checks its token.

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js'

/** The field in which the script of Turnstile sends its token. */
export const TURNSTILE_FIELD = 'cf-turnstile-response'

/** The scripts of Turnstile: pages load one only if there are keys. */
export const turnstileScripts = ({ context }: PageContext): string[] =>
  context.settings.turnstile ? [SCRIPT] : []

/** The place in a form at which Turnstile appears. */
export function turnstileBox({ context, language }: PageContext): Html | '' {
  const { siteKey } = context.settings.turnstile ?? {}
  return siteKey
    ? html`<div class="cf-turnstile" data-sitekey="${siteKey}" data-language="${language}"></div>`
    : ''
}

/** Headers of a page with a form, whose content security policy allows Turnstile if there are keys. */
export function withTurnstile(site: PageContext, headers: Record<string, string>): Record<string, string> {
  if (!site.context.settings.turnstile) return headers
  const { origin } = new URL(SCRIPT)
  const policy = headers['Content-Security-Policy']?.replace(
    "script-src 'self'",
    `script-src 'self' ${origin}`,
  )
  return { ...headers, 'Content-Security-Policy': `${policy}; frame-src ${origin}` }
}
