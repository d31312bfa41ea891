import { settled } from '../../db/query.ts'
import { rssOf } from '../html/feeds.ts'
import { type Filters, filterList, filtersIn } from '../html/filters.ts'
import { definePage, redirect } from '../html/route.ts'

/** Leads from an address that readers of feeds may know from before to the API's feed, which checks the filters. */
const feedRoute = (path: string, own: (slug: string) => Filters) =>
  definePage({
    path,
    query: filterList,
    load: () => settled(undefined),
    respond: (site, { params: { slug = '' }, query }) => {
      throw redirect(rssOf(site, { ...filtersIn(query), ...own(slug) }), 302)
    },
  })

export const feedPageRoutes = [
  feedRoute('/events/feed/', () => ({})),
  feedRoute('/tag/:slug/feed/', slug => ({ tags: [slug] })),
  feedRoute('/events/tag/:slug/feed/', slug => ({ tags: [slug] })),
]
