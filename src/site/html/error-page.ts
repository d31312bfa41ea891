import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { isDailyLimit } from '../../kit/db/failures.ts'
import type { AppEnv } from '../../kit/env.ts'
import {
  logCause,
  remedyHere,
  respondToError,
  retryAfter,
  withLocation,
} from '../../kit/http/error-replies.ts'
import { statusOf } from '../../kit/lib/error-codes.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { languageFor } from '../../kit/lib/languages.ts'
import { pageHeaders } from './define-page.ts'
import { framed } from './framed.ts'
import { html, icon } from './html.ts'
import { layout } from './layout.ts'
import { type PageContext, pageContextOf } from './page-context.ts'

/** The addresses of events in pages of other sites: as a fragment for a script, and as a page in a frame. */
export const FRAGMENT_PATH = '/embed/fragment'
export const FRAME_PATH = '/embed/frame'

type ErrorText = 'notFound' | 'gone' | 'invalid' | 'tooLarge' | 'elsewhere' | 'failed' | 'dayLimit'

/** The texts for an error. Visitors have followed a link, so none of them mentions parameters. */
function errorTextFor(error: Error): {
  textKey: ErrorText
  status: 400 | 403 | 404 | 410 | 413 | 429 | 500 | 503
} {
  const status = error instanceof ApiError ? statusOf(error.code) : 500
  if (isDailyLimit(error)) return { textKey: 'dayLimit', status: 503 }
  if (status === 410) return { textKey: 'gone', status: 410 }
  if (status === 400) return { textKey: 'invalid', status: 400 }
  // Visitors may read every page, so only a form sent from another site is refused to them.
  if (status === 403) return { textKey: 'elsewhere', status: 403 }
  if (status === 413) return { textKey: 'tooLarge', status }
  if (status === 429 || status === 503) return { textKey: 'failed', status }
  return status >= 500 ? { textKey: 'failed', status: 500 } : { textKey: 'notFound', status: 404 }
}

/**
 * The page for an address without content, with links to go on. It reads nothing.
 * @param remedy for developers
 */
function errorPage(site: PageContext, errorText: ErrorText, remedy: string | undefined): string {
  const { words } = site
  const main = html`<div class="error-page"><h1>${words[errorText]}</h1><p class="lead">${words[`${errorText}Text`]}</p>${remedy && html`<p lang="en">${remedy}</p>`}
<search><form class="finder" action="/events/" method="get"><div class="field field-wide"><label for="find-search">${words.search}</label>
<input id="find-search" type="search" name="search" maxlength="200" autocomplete="off"></div>
<button class="button" type="submit">${icon('search')}<span>${words.find}</span></button></form></search>
<ul class="ways"><li><a href="/events/">${words.upcoming}</a></li>
<li><a href="/events/month/">${words.month}</a></li>
<li><a href="/events/today/">${words.today}</a></li>
<li><a href="/venues/">${words.venues}</a></li></ul></div>`
  return String(layout(site, { title: words[errorText], isUnlisted: true, main }))
}

/**
 * The page for an error in a frame of another site, which leads its visitors to the events. Without it,
 * browsers would only say that the calendar refuses to be shown. Its script shows the reason to the author of
 * the surrounding page.
 */
function framedError(site: PageContext, errorText: ErrorText, reason: string): string {
  const { words } = site
  return String(
    framed(site, {
      main: html`<p><strong>${words[errorText]}</strong><br>${words[`${errorText}Text`]}</p>
<p class="embed-more"><a href="${site.base}/events/">${words.seeUpcoming}</a></p>`,
      reason,
    }),
  )
}

/** Turns an error of a page into an error page or a redirect. */
export function respondWithPage(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof HTTPException) {
    const { status, headers } = error.getResponse()
    for (const [name, value] of headers) c.header(name, value)
    // The status of a redirect.
    return c.body(null, status as 301)
  }
  const locatedError = withLocation(error, c.req.url)
  if (locatedError instanceof ApiError && locatedError.data.location !== undefined) {
    const { pathname, search } = new URL(locatedError.data.location)
    return c.redirect(pathname + search, 301)
  }
  const { textKey, status } = errorTextFor(error)
  const context = c.get('context')
  // Without a context the settings are invalid, so there can be no page either.
  if (!context) return respondToError(error, c)
  // A fragment is requested by a script, which shows the reason to the author of the surrounding page.
  if (c.req.path === FRAGMENT_PATH) return respondToError(error, c)
  logCause(c.get('requestId'), error)
  const isFramed = c.req.path === FRAME_PATH
  c.set('isFramed', isFramed)
  const site = isFramed
    ? pageContextOf(context, {
        language: languageFor(c.req.query('language'), context.settings.website.language),
        base: context.site,
      })
    : pageContextOf(context)
  for (const [name, value] of Object.entries(pageHeaders(site, isFramed))) c.header(name, value)
  const seconds = error instanceof ApiError ? retryAfter(error) : undefined
  if (seconds !== undefined) c.header('Retry-After', String(seconds))
  return c.html(
    isFramed
      ? framedError(site, textKey, error instanceof ApiError ? error.message : '')
      : errorPage(site, textKey, remedyHere(error, c.req.url)),
    status,
  )
}
