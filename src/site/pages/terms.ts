import { eq, sql } from 'drizzle-orm'
import { survivorOf } from '../../calendar/content/slugs.ts'
import { byTarget } from '../../calendar/events/listing/filters.ts'
import { selectTerms, termReadableSql } from '../../calendar/terms/queries.ts'
import {
  CATEGORIES,
  serializeEmbeddedTerm,
  TAGS,
  type TermKind,
  type TermRow,
} from '../../calendar/terms/resource.ts'
import { combineQueries } from '../../kit/db/query.ts'
import { terms } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { toHtml } from '../../kit/lib/html.ts'
import { htmlToText } from '../../kit/lib/text.ts'
import { withoutTrailingSlashes } from '../../kit/lib/values.ts'
import { filled } from '../../words/words.ts'
import { categoryPath, pathAndQuery, queryOf, type Selection } from '../html/addresses.ts'
import { assertOwnPath, definePage } from '../html/define-page.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import { parameterKey, paramsAtOwnPath, sitePage } from '../html/filters.ts'
import { type Html, html, icon, raw } from '../html/html.ts'
import { linkTo, type PageContext } from '../html/page-context.ts'
import type { Category } from '../html/queries.ts'
import { selectPageParts } from '../html/slots.ts'
import { plain, richText } from '../html/text.ts'
import { eventsPage } from './events-page.ts'
import { redirectFromFormer, splitPath } from './former-addresses.ts'
import { pagedList, readSuggestionsIfEmpty, selectList } from './list.ts'
import { suggestedEvents } from './suggestions.ts'

/** The slugs in a path. */
const slugsIn = (path: string): string[] => withoutTrailingSlashes(path).toLowerCase().split('/')

/**
 * The page of a category or tag. The last slug of a path identifies it; other variants of the path redirect.
 */
function termRoute(kind: TermKind, path: string) {
  return definePage({
    path,
    query: sitePage,
    load: (site, { params: { path: givenPath = '' }, query }) => {
      const slug = slugsIn(givenPath).at(-1) ?? ''
      const target = sql`(SELECT id FROM ${terms} WHERE taxonomy = ${kind.taxonomy} AND slug = ${slug})`
      return combineQueries(
        {
          termRows: selectTerms(kind, sql`${eq(terms.slug, slug)} AND ${termReadableSql(site.context)}`),
          survivorRows: selectTerms(
            kind,
            sql`${terms.id} = ${survivorOf(kind.singular, { slug: sql`${slug}` }, terms, termReadableSql(site.context))}`,
          ),
          listing: selectList(site, paramsAtOwnPath(query), [byTarget('term', target)]),
          partsOf: selectPageParts(site, kind.singular, target),
        },
        ({ termRows, survivorRows, listing, partsOf }) => ({
          ...listing,
          term: termRows[0] ?? survivorRows[0],
          partsOf,
        }),
      )
    },
    respond: async (site, { params: { path: givenPath = '' }, query, url, loaded }) => {
      const { context, words } = site
      const { term, categories } = loaded
      // A former address of a category, unless there is a category with this path, which was possible once.
      const isWholePath = term?.path === slugsIn(givenPath).join('/')
      const { ownPath, tail } = splitPath(givenPath)
      const ownSlug = slugsIn(ownPath).at(-1) ?? ''
      if (!isWholePath && kind.hierarchical)
        redirectFromFormer(site, {
          path: categoryPath(ownPath),
          filters: { categories: [ownSlug] },
          tail,
          url,
        })
      if (!term) throw new ApiError(kind.notFound, 'There is no such page.')
      const address = linkTo(site, serializeEmbeddedTerm(term, context).url)
      const filters = kind.hierarchical ? { categories: [term.slug] } : { tags: [term.slug] }
      // What is on there: programs take their events from this address.
      const subject = `${context.api}/events/${queryOf(filters)}`
      assertOwnPath(address, url, subject)
      assertNotCalendar(site, query, filters)
      const { past, date } = query
      const name = plain(term.name)
      const list = pagedList(site, loaded, { query, filters, path: address })
      const suggestions = await readSuggestionsIfEmpty(site, loaded, { query, filters })
      const names = new Map([[parameterKey('tags', term.slug), name]])
      const page = eventsPage(site, {
        ...list.frame,
        categories,
        offers: loaded.offers,
        subject: name,
        above: ancestorLinks(site, term, categories),
        heading: html`<h1>${name}</h1>`,
        intro: html`${term.description && html`<div class="lead rich">${raw(richText(toHtml(term.description)))}</div>`}${childLinks(site, { term, categories, selection: list.frame.selection })}${loaded.partsOf(term)}`,
        body: html`${past && html`<h2 class="section-heading">${words.past}</h2>`}${list.body}${suggestions && suggestedEvents(site, suggestions, { categories: [...categories, term], names })}`,
        title: [filled(words.inTerm, { name }), past && words.past, list.number].filter(Boolean).join(' – '),
        description:
          htmlToText(term.description) ||
          filled(words.listingDescription, { name, site: context.settings.siteName }),
        canonical: address + queryOf({}, list.ownParams),
        isUnlisted: date !== undefined,
        api: subject,
      })
      return { ...page, subject }
    },
  })
}

/** The ancestors of a category, from the root down. */
function ancestorLinks({ words }: PageContext, term: Category, categories: readonly Category[]): Html {
  const ancestors: Category[] = []
  let next = categories.find(({ id }) => id === term.parent)
  while (next && !ancestors.includes(next)) {
    ancestors.unshift(next)
    const { parent } = next
    next = categories.find(({ id }) => id === parent)
  }
  return html`<nav class="trail" aria-label="${words.youAreHere}"><ol><li><a href="/events/">${icon('previous')}${words.events}</a></li>${ancestors.map(
    ({ name, path }) => html`<li><a href="${categoryPath(path)}">${plain(name)}</a></li>`,
  )}</ol></nav>`
}

type ChildLinks = { term: TermRow; categories: readonly Category[]; selection: Selection }

/** The direct children of a category, on the days of its page. */
function childLinks(site: PageContext, { term, categories, selection }: ChildLinks): Html | '' {
  const children = categories.filter(({ parent }) => parent === term.id)
  if (term.taxonomy !== CATEGORIES.taxonomy || children.length === 0) return ''
  const days = queryOf({}, pathAndQuery(site, selection).furtherValues)
  return html`<nav aria-label="${site.words.subcategories}"><ul class="chip-list">${children.map(
    ({ name, path }) => html`<li><a class="chip" href="${categoryPath(path) + days}">${plain(name)}</a></li>`,
  )}</ul></nav>`
}

export const termRoutes = [
  termRoute(CATEGORIES, '/events/category/:path{.+}/'),
  termRoute(TAGS, '/tag/:path/'),
  termRoute(TAGS, '/events/tag/:path/'),
]
