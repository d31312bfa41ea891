import { eq, sql } from 'drizzle-orm'
import { mapped, together } from '../../db/query.ts'
import { terms } from '../../db/schema.ts'
import { byTarget } from '../../events/listing/filters.ts'
import { serializeEvent } from '../../events/serialize.ts'
import { pageOf } from '../../http/lists.ts'
import { ApiError } from '../../lib/errors.ts'
import { filled } from '../../lib/words.ts'
import { CATEGORIES, TAGS, type TermKind } from '../../terms/kind.ts'
import { selectTerms } from '../../terms/queries.ts'
import { serializeEmbeddedTerm, type TermRow } from '../../terms/serialize.ts'
import { categoryPath, queryOf } from '../addresses.ts'
import { assertNotCalendar, feedsOf } from '../feeds.ts'
import { pageList } from '../filters.ts'
import { displays, finder } from '../finder.ts'
import { leadOn, splitPath } from '../former.ts'
import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'
import { pager } from '../pager.ts'
import { listingOf } from '../queries.ts'
import { assertOwnPath, definePage } from '../route.ts'
import { linkTo, type Site } from '../site.ts'
import { plain } from '../text.ts'
import { listBody, pagesOf, timeOf, turns } from './list.ts'

/** The slugs of a path, the last one first. */
const slugsIn = (path: string): string[] => path.replace(/\/+$/, '').toLowerCase().split('/').reverse()

/** The page of a category or tag. The last slug of a path names it; other forms of the path lead to its own. */
function termRoute(kind: TermKind, path: string) {
  return definePage({
    path,
    query: pageList,
    load: (site, { params: { path: given = '' }, query }) => {
      const { context } = site
      const [slug = ''] = slugsIn(given)
      const page = pageOf(query, context)
      const target = sql`(SELECT id FROM ${terms} WHERE taxonomy = ${kind.taxonomy} AND slug = ${slug})`
      const values = timeOf(query.date ?? site.today.slice(0, 10), query.past)
      return mapped(
        together({
          found: selectTerms(kind, eq(terms.slug, slug)),
          listing: listingOf(context, { values, page, filters: [byTarget('term', target)] }),
        }),
        ({ found, listing }) => ({ ...listing, term: found[0], page }),
      )
    },
    respond: (site, { params: { path: given = '' }, query, url, loaded }) => {
      const { context, words } = site
      const { term, categories, page } = loaded
      // A former address of a category, unless it is that of one below it, which slugs did not always prevent.
      const isOwn = term?.path === [...slugsIn(given)].reverse().join('/')
      const { own: above, tail } = splitPath(given)
      const [slugAbove = ''] = slugsIn(above)
      if (!isOwn && kind.hierarchical)
        leadOn(site, { path: categoryPath(above), filters: { categories: [slugAbove] }, tail, url })
      if (!term) throw new ApiError(kind.notFound, 'There is no such page.')
      const own = linkTo(site, serializeEmbeddedTerm(term, context).url)
      assertOwnPath(own, url)
      const filters = kind.hierarchical ? { categories: [term.slug] } : { tags: [term.slug] }
      assertNotCalendar(site, query, filters)
      const { rows, total } = loaded.events
      const pages = pagesOf(page, rows.length, total)
      const isPast = query.past ?? false
      const name = plain(term.name)
      const number = page.page > 1 ? filled(words.pageNumber, { n: page.page }) : ''
      const since = isPast ? undefined : (query.date ?? site.today.slice(0, 10))
      const steps = turns(site, {
        query: { page: query.page, date: query.date, past: query.past },
        page: page.page,
        pages,
        path: own,
      })
      const main = html`${trail(site, term, categories)}
<div class="page-head"><h1>${name}</h1>${displays(site, { display: 'list', filters, date: query.date })}</div>
${term.description && html`<p class="lead">${plain(term.description)}</p>`}
${below(site, term, categories)}
${finder(site, { display: 'list', filters, categories, date: query.date })}
${isPast && html`<h2 class="section-heading">${words.past}</h2>`}
${listBody(
  site,
  rows.map(row => serializeEvent(row, context)),
  { filters: {}, path: own, since },
)}
${pager(words.pages, steps)}`
      return {
        body: String(
          layout(site, {
            title: [filled(words.inTerm, { name }), isPast && words.past, number].filter(Boolean).join(' – '),
            description:
              plain(term.description) ||
              filled(words.listingDescription, { name, site: context.settings.siteName }),
            canonical:
              own + queryOf({}, { page: query.page, past: isPast ? 1 : undefined, date: query.date }),
            isUnlisted: query.date !== undefined,
            section: 'events',
            feeds: feedsOf(site, filters),
            api: `${context.api}/${kind.plural}/${term.id}`,
            previous: (isPast ? steps.after : steps.before)?.address,
            next: (isPast ? steps.before : steps.after)?.address,
            main,
          }),
        ),
      }
    },
  })
}

/** The categories above one, from the top down. */
function trail({ words }: Site, term: TermRow, categories: readonly TermRow[]): Html {
  const above: TermRow[] = []
  let next = categories.find(({ id }) => id === term.parent)
  while (next && !above.includes(next)) {
    above.unshift(next)
    const { parent } = next
    next = categories.find(({ id }) => id === parent)
  }
  return html`<nav class="trail" aria-label="${words.categories}"><ol><li><a href="/events/">${words.events}</a></li>${above.map(
    ({ name, path }) => html`<li><a href="${categoryPath(path)}">${plain(name)}</a></li>`,
  )}</ol></nav>`
}

/** The categories directly below one. */
function below({ words }: Site, term: TermRow, categories: readonly TermRow[]): Html | '' {
  const children = categories.filter(({ parent }) => parent === term.id)
  if (term.taxonomy !== CATEGORIES.taxonomy || children.length === 0) return ''
  return html`<nav aria-label="${words.subcategories}"><ul class="chip-list">${children.map(
    ({ name, path }) => html`<li><a class="chip" href="${categoryPath(path)}">${plain(name)}</a></li>`,
  )}</ul></nav>`
}

export const termRoutes = [
  termRoute(CATEGORIES, '/events/category/:path{.+}/'),
  termRoute(TAGS, '/tag/:path/'),
  termRoute(TAGS, '/events/tag/:path/'),
]
