import type { Route } from '../../http/route.ts'
import { wordpressMedia } from './media.ts'
import { wordpressSite } from './site.ts'
import { wordpressTerms } from './terms.ts'

/**
 * The routes of WordPress that clients of this interface use beside it, below the path `CORE_PREFIX`: they upload a
 * image, ask who they are or look tags up before they write an event. Rights, limits and the audit are those of the
 * routes of this interface that do the same.
 */
export const wordpressRoutes: Route[] = [...wordpressSite, ...wordpressMedia, ...wordpressTerms]
