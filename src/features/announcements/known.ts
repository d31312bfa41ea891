import { desc } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { many, mapped, type Query, together } from '../../db/query.ts'
import { organizers, venues } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import type { KnownNames } from '../../intake/readers/text/drafts.ts'
import { isReadable } from '../../resources/content/visibility.ts'

/** The most names of each kind that are compared with a text: the newest. Comparing 4,000 takes some milliseconds. */
const MOST_NAMES = 2_000

/** A query of the names of venues and organizers that the caller may use, in one round trip. */
export const selectKnown = (context: RequestContext): Query<Pick<KnownNames, 'venues' | 'organizers'>> =>
  mapped(
    together({
      venues: many(
        build
          .select({ id: venues.id, name: venues.name })
          .from(venues)
          .where(isReadable(venues, context))
          .orderBy(desc(venues.id))
          .limit(MOST_NAMES),
      ),
      organizers: many(
        build
          .select({ id: organizers.id, name: organizers.name })
          .from(organizers)
          .where(isReadable(organizers, context))
          .orderBy(desc(organizers.id))
          .limit(MOST_NAMES),
      ),
    }),
    names => names,
  )
