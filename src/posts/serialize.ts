import { type Status, statusAt } from '../lib/statuses.ts'
import type { DateTime } from '../lib/time.ts'
import { globalId, type View } from '../view.ts'

type PostRow = {
  id: number
  author_id: number
  status: Status
  slug: string
  date: DateTime
  date_utc: DateTime
  modified: DateTime
  modified_utc: DateTime
}

/** `host?id=N`, and the list of one that says where a resource came from. */
export const globalIds = (view: View, id: number) => ({
  global_id: globalId(view, id),
  global_id_lineage: [globalId(view, id)],
})

/** What the answers for events, venues and organizers start with. `author` is a string: clients decode it so. */
export const postHead = (row: PostRow, view: View) => ({
  author: String(row.author_id),
  status: statusAt(row, view.now),
  date: row.date,
  date_utc: row.date_utc,
  modified: row.modified,
  modified_utc: row.modified_utc,
})

/** Statuses with an address that is worth giving away. */
const ADDRESSED: readonly Status[] = ['publish', 'private']

/**
 * Where a site shows a post: `{site}/venue/{slug}/`, or an address by id while the slug may still change.
 *
 * @param kind `event`, `venue` or `organizer`
 */
export const permalink = (row: PostRow, kind: string, view: View): string =>
  ADDRESSED.includes(statusAt(row, view.now))
    ? `${view.site}/${kind}/${encodeURIComponent(row.slug)}/`
    : `${view.site}/?post_type=${kind}&p=${row.id}`

/** The texts that say something: empty ones are left out of answers. */
export const stated = <T extends Record<string, string>>(texts: T): Partial<T> => {
  const kept = Object.entries(texts).filter(([, text]) => text !== '')
  // A selection of the given texts.
  return Object.fromEntries(kept) as Partial<T>
}
