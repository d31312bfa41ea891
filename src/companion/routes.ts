import type { Route } from '../http/route.ts'
import { companionMedia } from './media.ts'
import { companionSite } from './site.ts'
import { companionTerms } from './terms.ts'

/**
 * The routes of WordPress that clients of this interface use beside it, below the path `CORE_PREFIX`: they upload a
 * picture, ask who they are or look tags up before they write an event. Rights, limits and the audit are those of the
 * routes of this interface that do the same.
 */
export const companionRoutes: Route[] = [...companionSite, ...companionMedia, ...companionTerms]
