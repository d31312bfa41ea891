import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { listings } from '../../../db/derived.ts'
import { byId, type Reference } from '../../../db/references.ts'
import { events, organizers, series, sources, type Taxonomy, venues } from '../../../db/schema.ts'
import { survivorOf } from '../../../db/slugs.ts'
import { may } from '../../../lib/roles.ts'
import { isReadable } from '../../content/visibility.ts'
import { formerTerm, readableTerm } from '../../terms/queries.ts'
import type { EventListParams } from '../schema.ts'

/** A condition for series of which the caller may read an occurrence. Others are unknown to the caller. */
const hasReadableOccurrence = (context: Pick<RequestContext, 'caller' | 'now'>): SQL =>
  sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.series_id} = ${series.id} AND ${isReadable(events, context)})`

/** References to the rows that filters name. They must exist and be readable for the caller: hidden ones are unknown. */
export function listReferences(
  context: RequestContext,
  { categories, tags, venue, organizer, post_parent, series: seriesIds, source }: Partial<EventListParams>,
): Reference[] {
  const readable = (table: typeof events | typeof venues | typeof organizers): [SQL, SQL] => [
    sql`${table}`,
    isReadable(table, context),
  ]
  const named = (
    parameter: string,
    noun: string,
    taxonomy: Taxonomy,
    names: readonly string[],
  ): Reference => ({
    parameter,
    noun,
    values: names,
    exists: sql`${readableTerm(context, taxonomy, sql`json_each.value`)} IS NOT NULL`,
    survivor: formerTerm(context, taxonomy, sql`json_each.value`),
  })
  const related = (
    kind: 'venue' | 'organizer',
    ids: readonly number[],
    table: typeof venues | typeof organizers,
  ) => ({
    ...byId(kind, kind, ids, ...readable(table)),
    survivor: survivorOf(kind, { id: sql`json_each.value` }, table, isReadable(table, context)),
  })
  const references: Reference[] = []
  if (categories) references.push(named('categories', 'category', 'event_category', categories))
  if (tags) references.push(named('tags', 'tag', 'event_tag', tags))
  if (venue) references.push(related('venue', venue, venues))
  if (organizer) references.push(related('organizer', organizer, organizers))
  if (post_parent !== undefined)
    references.push(byId('post_parent', 'event', [post_parent], ...readable(events)))
  if (seriesIds)
    references.push(byId('series', 'series', seriesIds, sql`${series}`, hasReadableOccurrence(context)))
  if (source) references.push(byId('source', 'source', source, sql`${sources}`, isNamed(context)))
  return references
}

/** A condition for sources that a list names to everybody, and for all of them where the caller may see these. */
const isNamed = ({ caller }: RequestContext): SQL =>
  may(caller, 'manage_sources')
    ? sql`NOT is_ending`
    : sql`NOT is_ending AND EXISTS (SELECT 1 FROM ${listings} WHERE facet = 'source' AND target_id = ${sources.id})`
