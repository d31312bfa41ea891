import { wordpressBase } from '../../context.ts'
import { linkHeader } from '../../http/links.ts'
import type { Site } from './site.ts'

/** The policy of pages: everything from here, images and sounds of descriptions from anywhere, nothing inline. */
function policy({ settings }: Site): string {
  const styles = URL.canParse(settings.stylesheet) ? ` ${new URL(settings.stylesheet).origin}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles}`,
    ...(styles && [`font-src 'self'${styles}`]),
    "img-src 'self' https: http: data:",
    "media-src 'self' https: http:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * The address by which clients that look for WordPress find the API, `rel="https://api.w.org/"`; undefined where the
 * settings put nothing below it that they know.
 */
export const apiRoot = ({ context }: Site): string | undefined =>
  context.settings.namespaces.some(path => path.startsWith(`${context.settings.corePrefix || '/'}/`))
    ? `${wordpressBase(context)}/`
    : undefined

/** The headers of all pages. Clients find the API by the last ones, as on other sites of this interface. */
export const pageHeaders = (site: Site): Record<string, string> => ({
  'Content-Security-Policy': policy(site),
  'Content-Language': site.language,
  'X-TEC-API-VERSION': 'v1',
  'X-TEC-API-ROOT': `${site.context.api}/`,
  'X-TEC-API-ORIGIN': site.context.site,
  ...linkHeader({ 'https://api.w.org/': apiRoot(site) }),
})
