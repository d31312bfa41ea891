import { settled } from '../../db/query.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Filters } from '../html/filters.ts'
import { definePage } from '../html/route.ts'
import { redirectFromFormer } from './former-addresses.ts'

/** Leads from former addresses of lists to those of today. Those of categories are paths that categories have, too. */
const formerRoute = (path: string, list: (slug: string) => { path: string; filters: Filters }) =>
  definePage({
    path,
    load: () => settled(undefined),
    respond: (site, { params: { slug = '', tail = '' }, url }) => {
      redirectFromFormer(site, { ...list(slug), tail: tail.replace(/\/+$/, ''), url })
      throw new ApiError('rest_no_route', 'There is no such page.')
    },
  })

const tag = (slug: string) => ({ path: `/tag/${encodeURIComponent(slug)}/`, filters: { tags: [slug] } })

export const formerRoutes = [
  formerRoute(
    '/events/:tail{(?:feed|ical|all|day|list|map|month|page|past|photo|summary|today|upcoming|week)(?:/.*)?}/',
    () => ({ path: '/events/', filters: {} }),
  ),
  formerRoute('/tag/:slug/:tail{.+}/', tag),
  formerRoute('/events/tag/:slug/:tail{.+}/', tag),
]
