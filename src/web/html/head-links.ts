import type { RequestContext } from '../../context.ts'
import { linkHeader } from '../../http/reply.ts'
import { type Html, html } from './html.ts'
import { type HeadLink, slot } from './slots.ts'

const linksOf = (context: RequestContext): HeadLink[] =>
  slot(context, 'headLinks').flatMap(links => links(context))

/** The links of features as elements, a line each. */
export const headLinks = (context: RequestContext): Html[] =>
  linksOf(context).map(
    ({ rel, href, type }) => html`<link rel="${rel}"${type && html` type="${type}"`} href="${href}">\n`,
  )

/** The links of features that are a header as well. */
export const headerLinks = (context: RequestContext): Record<string, string> =>
  linkHeader(
    Object.fromEntries(
      linksOf(context).flatMap(({ rel, href, isHeader }) => (isHeader ? [[rel, href]] : [])),
    ),
  )
