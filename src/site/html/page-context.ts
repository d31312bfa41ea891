import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { type ContentRow, codesOf, type Singular } from '../../calendar/content/resource.ts'
import { isRowReadable } from '../../calendar/content/visibility.ts'
import type { RequestContext } from '../../kit/context.ts'
import type { AppEnv } from '../../kit/env.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { LANGUAGES, languageFor, languageOf } from '../../kit/lib/languages.ts'
import { type DateTime, startOfDay, toWall } from '../../kit/lib/time.ts'
import type { Website } from '../../kit/settings.ts'
import { type Dates, datesOf } from '../../words/dates.ts'
import { type AreaTexts, type Catalogue, filled, type PluralIn, plural, textsIn } from '../../words/words.ts'

/**
 * The context of a page, passed as `site`: the request's context, with the language and the settings of the
 * site.
 */
export type PageContext = {
  context: RequestContext
  settings: Website
  /** A tag of BCP 47. */
  language: string
  words: Catalogue['pages']
  dates: Dates
  /** The beginning of today, in the site's zone. */
  today: DateTime
  /** The prefix of links: '' on pages, the calendar's address in embedded fragments. */
  base: string
}

/** The first language of the browser that the pages have; the calendar's if there is none. */
export const browserLanguageOf = (c: Context<AppEnv>, fallback: string): string =>
  accepts(c, {
    header: 'Accept-Language',
    supports: [...LANGUAGES],
    default: fallback,
    match: asked => languageFor(asked.map(({ type }) => type).find(languageOf), fallback),
  })

/** The context of a page. @param options another language or prefix of links, for fragments */
export function pageContextOf(
  context: RequestContext,
  options: { language?: string | undefined; base?: string } = {},
): PageContext {
  const { website, timezone } = context.settings
  const language = options.language ?? website.language
  return {
    context,
    settings: website,
    language,
    words: textsIn(language).pages,
    dates: datesOf(language),
    today: startOfDay(toWall(context.clock.untrackedTime, timezone)),
    base: options.base ?? '',
  }
}

/** The page in the language of the person whom it is about, in which their e-mails are, too. */
export const inLanguageOf = (
  { context, base }: PageContext,
  { language }: { language: string },
): PageContext => pageContextOf(context, { language, base })

/** An address of the API for a link on the calendar's pages; addresses elsewhere stay as they are. */
export const linkTo = ({ context, base }: PageContext, address: string): string =>
  address.startsWith(`${context.site}/`) ? base + address.slice(context.site.length) : address

/**
 * The row, if it is public.
 *
 * @throws ApiError of 404 otherwise: pages must not reveal that hidden content exists
 */
export function requirePublic<R extends ContentRow>(
  { context }: PageContext,
  singular: Singular,
  row: R | undefined,
): R {
  if (row && isRowReadable(row, context)) return row
  throw new ApiError(codesOf(singular).notFound, 'There is no such page.')
}

/** The text for a count, which it contains as `{{n}}`. */
export const countedText = <A extends AreaTexts>(
  { site }: { site: Pick<PageContext, 'language' | 'dates'> },
  texts: A,
  key: PluralIn<A>,
  n: number,
): string => filled(plural(site.language, texts, key, n), { n: site.dates.number(n) })
