import { globalId, type SerializeContext } from '../context.ts'
import { type Status, statusAt } from '../lib/statuses.ts'
import type { ContentRow, Singular } from './kind.ts'

/** `host?id=N`, and the list of one that says where a resource came from. */
export const globalIds = (context: SerializeContext, id: number) => ({
  global_id: globalId(context, id),
  global_id_lineage: [globalId(context, id)],
})

/** The first fields of events, venues and organizers. `author` is a string: clients decode it so. */
export const contentHead = (row: ContentRow, context: SerializeContext) => ({
  author: String(row.author_id),
  status: statusAt(row, context.now),
  date: row.date,
  date_utc: row.date_utc,
  modified: row.modified,
  modified_utc: row.modified_utc,
})

/** Statuses with an address that is worth giving away. */
const ADDRESSED: readonly Status[] = ['publish', 'private']

/** Where a site shows content: `{site}/venue/{slug}/`, or an address by id while the slug may still change. */
export const permalink = (row: ContentRow, kind: Singular, context: SerializeContext): string =>
  ADDRESSED.includes(statusAt(row, context.now))
    ? `${context.site}/${kind}/${encodeURIComponent(row.slug)}/`
    : `${context.site}/?post_type=${kind}&p=${row.id}`

/** Texts without the empty ones, which responses leave out. */
export const omitEmpty = <T extends Record<string, string>>(texts: T): Partial<T> => {
  const kept = Object.entries(texts).filter(([, text]) => text !== '')
  // A selection of the given texts.
  return Object.fromEntries(kept) as Partial<T>
}
