import { globalId, type SerializeContext } from '../../context.ts'
import { type Status, statusAt } from '../../lib/statuses.ts'
import type { ContentRow, Singular } from './kind.ts'

/** The global id of a resource, `host?id=N`, and its lineage, which has no other id. */
export const globalIds = (context: SerializeContext, id: number) => ({
  global_id: globalId(context, id),
  global_id_lineage: [globalId(context, id)],
})

/** The first fields of events, venues and organizers. `author` is a string, as clients expect. */
export const contentHead = (row: ContentRow, context: SerializeContext) => ({
  author: String(row.author_id),
  status: statusAt(row, context.now),
  date: row.date,
  date_utc: row.date_utc,
  modified: row.modified,
  modified_utc: row.modified_utc,
})

/** Statuses with a permanent address. */
const ADDRESSED: readonly Status[] = ['publish', 'private']

/**
 * The address of content on the site: `{site}/venue/{slug}/`, or by id while the slug may still change.
 *
 * @param slugs the parts of the path after the kind
 */
export const permalink = (
  row: Pick<ContentRow, 'id' | 'status' | 'date_utc' | 'slug'>,
  kind: Singular,
  context: SerializeContext,
  slugs: readonly string[] = [row.slug],
): string =>
  ADDRESSED.includes(statusAt(row, context.now))
    ? `${context.site}/${[kind, ...slugs.map(encodeURIComponent)].join('/')}/`
    : `${context.site}/?post_type=${kind}&p=${row.id}`
