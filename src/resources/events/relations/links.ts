import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RequestContext } from '../../../context.ts'
import { given, jsonPieces, resolvedId } from '../../../db/bulk.ts'
import { events, eventTerms, series, seriesTerms, type Taxonomy, terms } from '../../../db/schema.ts'
import { shaped } from '../../../db/shapes.ts'
import { memoize } from '../../../lib/memo.ts'
import type { RelatedTables } from '../../content/related/resource.ts'
import { distinct, relatedStatements } from '../../content/related/writes.ts'
import { ORGANIZERS } from '../../organizers/resource.ts'
import { insertTerms } from '../../terms/inserts.ts'
import { linksTo } from '../../terms/queries.ts'
import { nameKey } from '../../terms/resource.ts'
import { VENUES } from '../../venues/resource.ts'
import type { Relations } from './resolve.ts'

/**
 * An event or series, and the relations that a write gives it. A new one has none yet.
 *
 * @see resolvedId
 */
export type Owner = { id: number; isNew: boolean; relations: Relations }

const OWNERS = {
  event: { table: events, column: sql`event_id`, links: 'links', terms: eventTerms },
  series: { table: series, column: sql`series_id`, links: 'seriesLinks', terms: seriesTerms },
} as const

type OwnerKind = (typeof OWNERS)[keyof typeof OWNERS]

/**
 * The statements that give events or series the relations that a write names, after making the new terms, venues and
 * organizers.
 */
export function relationStatements(
  context: RequestContext,
  ownedBy: keyof typeof OWNERS,
  owners: readonly Owner[],
): SQL[] {
  const kind = OWNERS[ownedBy]
  return [
    ...termLinks(context, kind, owners),
    ...relatedLinks(context, { kind, to: VENUES, owners }),
    ...relatedLinks(context, { kind, to: ORGANIZERS, owners }),
  ]
}

type Linking = { kind: OwnerKind; to: RelatedTables; owners: readonly Owner[] }

function relatedLinks(context: RequestContext, { kind, to, owners }: Linking): SQL[] {
  const named = owners.flatMap(({ id, isNew, relations }) => {
    const targets = relations[to.singular]
    return targets ? [{ id, isNew, targets }] : []
  })
  const { rows, idOf } = distinct(
    to,
    named.flatMap(({ targets }) => targets),
  )
  const links = named.flatMap(({ id, targets }) =>
    [...new Set(targets.map(idOf))].map((target, position) => ({ owner: id, target, position })),
  )
  return [
    ...(rows.length > 0 ? relatedStatements(context, to, rows) : []),
    ...unlink(to[kind.links], kind, { owners: named, links }),
    ...jsonPieces(links).map(json => link(kind, to)({ json })),
  ]
}

const link = memoize((kind: OwnerKind, to: RelatedTables) =>
  shaped<{ json: string }>(
    ({ json }) => sql`INSERT INTO ${to[kind.links]} (${kind.column}, target_id, position)
      SELECT ${resolvedId(kind.table, given('owner'))}, ${resolvedId(to.table, given('target'))}, ${given('position')}
      FROM json_each(${json}) AS given WHERE true
      ON CONFLICT DO UPDATE SET position = excluded.position WHERE position <> excluded.position`,
  ),
)

/**
 * One text for a link, by which it is looked up in those of a SELECT. For each pair that a list of pairs has not, SQLite
 * reads all of the list in search of a NULL.
 */
export const linkKey = (owner: SQL, target = sql`target_id`): SQL => sql`(${owner} || '/' || ${target})`

type Link = { owner: number; target: number }

/** The statements that delete the links of owners that are not new, but for those that stay. @param taxonomy that of links to terms */
function unlink(
  table: SQLiteTable,
  kind: OwnerKind,
  { owners, links }: { owners: readonly Pick<Owner, 'id' | 'isNew'>[]; links: readonly Link[] },
  taxonomy?: Taxonomy,
): SQL[] {
  const ids = owners.flatMap(({ id, isNew }) => (isNew ? [] : [id]))
  if (ids.length === 0) return []
  const stay = links.flatMap(({ owner, target }) => (target < 0 ? [] : [[owner, target]]))
  return [removeOthers(table, kind, taxonomy)({ ids: JSON.stringify(ids), stay: JSON.stringify(stay) })]
}

const removeOthers = memoize((table: SQLiteTable, kind: OwnerKind, taxonomy: Taxonomy | undefined) =>
  shaped<{ ids: string; stay: string }>(
    ({ ids, stay }) => sql`DELETE FROM ${table}
      WHERE ${kind.column} IN (SELECT ${resolvedId(kind.table, sql`value`)} FROM json_each(${ids}))
        AND ${taxonomy ? linksTo(taxonomy) : sql`1`} AND ${linkKey(kind.column)} NOT IN (
          SELECT ${linkKey(resolvedId(kind.table, sql`(value ->> 0)`), sql`(value ->> 1)`)}
          FROM json_each(${stay}))`,
  ),
)

const TAXONOMIES = { categories: 'event_category', tags: 'event_tag' } as const satisfies Partial<
  Record<keyof Relations, Taxonomy>
>

function termLinks(context: RequestContext, kind: OwnerKind, owners: readonly Owner[]): SQL[] {
  const named = owners.flatMap(({ id, relations }) =>
    (['categories', 'tags'] as const).flatMap(name => {
      const resolved = relations[name]
      return resolved ? [{ id, taxonomy: TAXONOMIES[name], ...resolved }] : []
    }),
  )
  const keyOf = (taxonomy: Taxonomy, name: string) => `${taxonomy}/${nameKey(name)}`
  const added = [
    ...new Map(
      named
        .flatMap(({ taxonomy, names }) =>
          names.map(name => [keyOf(taxonomy, name), { taxonomy, name }] as const),
        )
        // The first spelling of a name counts.
        .reverse(),
    ),
  ].reverse()
  const numbers = new Map(added.map(([key], i) => [key, i - added.length]))
  const links = named.flatMap(({ id, taxonomy, ids, names }) =>
    [...ids, ...names.map(name => numbers.get(keyOf(taxonomy, name)) ?? 0)].map(target => ({
      owner: id,
      target,
    })),
  )
  return [
    ...insertTerms(
      context,
      added.map(([, term]) => term),
      'taxonomy',
    ),
    ...unlinkTerms(kind, owners, links),
    ...jsonPieces(links).map(json => linkTerms(kind)({ json })),
  ]
}

const linkTerms = memoize((kind: OwnerKind) =>
  shaped<{ json: string }>(
    ({ json }) => sql`INSERT INTO ${kind.terms} (${kind.column}, target_id)
      SELECT ${resolvedId(kind.table, given('owner'))}, ${resolvedId(terms, given('target'))}
      FROM json_each(${json}) AS given WHERE true ON CONFLICT DO NOTHING`,
  ),
)

/** The statements that delete links to terms of the taxonomies that owners name: one for those that name both. */
function unlinkTerms(kind: OwnerKind, owners: readonly Owner[], links: readonly Link[]): SQL[] {
  const table = kind.terms
  const naming = (categories: boolean, tags: boolean) => ({
    owners: owners.filter(
      ({ relations }) => Boolean(relations.categories) === categories && Boolean(relations.tags) === tags,
    ),
    links,
  })
  return [
    ...unlink(table, kind, naming(true, true)),
    ...unlink(table, kind, naming(true, false), 'event_category'),
    ...unlink(table, kind, naming(false, true), 'event_tag'),
  ]
}

/** Expressions of the ids that an event or series is linked to, as JSON, by field. @param id its own; by default that of `row` */
export function linksOf(
  ownedBy: keyof typeof OWNERS,
  id: SQL = sql`row.id`,
): Readonly<Record<'venue' | 'organizer' | keyof typeof TAXONOMIES, SQL>> {
  const { column, links, terms: termLinks } = OWNERS[ownedBy]
  const list = (from: SQL) => sql`(SELECT json_group_array(target_id) FROM (SELECT target_id FROM ${from}))`
  const related = (to: RelatedTables) => list(sql`${to[links]} WHERE ${column} = ${id} ORDER BY position`)
  const ofTaxonomy = (taxonomy: Taxonomy) =>
    list(sql`${termLinks} WHERE ${column} = ${id} AND ${linksTo(taxonomy)} ORDER BY target_id`)
  return {
    venue: related(VENUES),
    organizer: related(ORGANIZERS),
    categories: ofTaxonomy(TAXONOMIES.categories),
    tags: ofTaxonomy(TAXONOMIES.tags),
  }
}
