import type { SQL } from 'drizzle-orm'
import { mapped, type Query } from '../../../db/query.ts'
import { selectNearby } from '../../../resources/duplicates/candidates.ts'
import { judge } from '../../../resources/duplicates/judge.ts'
import { plain } from '../../html/text.ts'

/** An event that may be the same as one that waits. */
export type Twin = { title: string; url: string }

/** A query of what may be the same as some events, by their ids, as calendars elsewhere are judged. @param ids a SELECT of them */
export const selectAlike = (ids: SQL): Query<ReadonlyMap<number, Twin[]>> =>
  mapped(
    selectNearby(ids),
    nearby =>
      new Map(
        nearby.map(({ event, candidates }) => {
          const alike = candidates.filter(other => judge(event, other).verdict !== 'different')
          return [
            event.id,
            alike.map(({ id, title }) => ({ title: plain(title), url: `/admin/events/${id}/` })),
          ]
        }),
      ),
  )
