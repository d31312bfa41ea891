import type { RequestContext } from '../../context.ts'
import { linkHeader } from '../../http/reply.ts'
import { Registry } from '../../lib/registry.ts'
import { type Html, html } from './html.ts'

/** A link from every page to something that programs use. */
export type HeadLink = {
  rel: string
  href: string
  /** The media type. */
  type?: string
  /** True if programs look for it in the header `Link`, too. */
  isHeader?: boolean
}

/** The links of a feature. */
export type HeadLinks = (context: RequestContext) => readonly HeadLink[]

const ofFeatures = new Registry<readonly HeadLinks[]>('links of pages')
export const addHeadLinks = (links: readonly HeadLinks[]): void => ofFeatures.set(links)

const linksOf = (context: RequestContext): HeadLink[] => ofFeatures.value.flatMap(links => links(context))

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
