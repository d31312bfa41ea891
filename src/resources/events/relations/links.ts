import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { WriteContext } from '../../../context.ts'
import { given, jsonPieces, resolvedId } from '../../../db/bulk.ts'
import { listings } from '../../../db/derived.ts'
import { inList } from '../../../db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  series,
  seriesTerms,
  type Taxonomy,
  terms,
} from '../../../db/schema.ts'
import type { RelatedTables } from '../../content/related/resource.ts'
import { distinct, relatedStatements } from '../../content/related/writes.ts'
import { numbered } from '../../content/writes.ts'
import { ORGANIZERS } from '../../organizers/resource.ts'
import { nameKey } from '../../terms/resource.ts'
import { namedTerms, termStatements } from '../../terms/statements.ts'
import { VENUES } from '../../venues/resource.ts'
import { RELATIONS, type RelationName } from './choices.ts'
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
  context: WriteContext,
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

function relatedLinks(context: WriteContext, { kind, to, owners }: Linking): SQL[] {
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
    ...jsonPieces(links).map(json => link(kind, to, json)),
  ]
}

const link = (kind: OwnerKind, to: RelatedTables, json: string): SQL =>
  sql`INSERT INTO ${to[kind.links]} (${kind.column}, target_id, position)
    SELECT ${resolvedId(kind.table, given('owner'))}, ${resolvedId(to.table, given('target'))}, ${given('position')}
    FROM json_each(${json}) AS given WHERE true
    ON CONFLICT DO UPDATE SET position = excluded.position WHERE position <> excluded.position`

/**
 * A link as one text, for looking it up in a SELECT of such texts. With pairs, SQLite searches the whole list for a
 * NULL whenever it lacks a pair.
 */
const linkKey = (owner: SQL, target = sql`target_id`): SQL => sql`(${owner} || '/' || ${target})`

type Link = { owner: number; target: number }

/**
 * The statements that delete the links of owners that are not new, except those that stay.
 *
 * @param taxonomy that of links to terms
 */
function unlink(
  table: SQLiteTable,
  kind: OwnerKind,
  { owners, links }: { owners: readonly Pick<Owner, 'id' | 'isNew'>[]; links: readonly Link[] },
  taxonomy?: Taxonomy,
): SQL[] {
  const ids = owners.flatMap(({ id, isNew }) => (isNew ? [] : [id]))
  if (ids.length === 0) return []
  const stay = links.flatMap(({ owner, target }) => (target < 0 ? [] : [[owner, target]]))
  return [
    sql`DELETE FROM ${table}
      WHERE ${kind.column} IN (SELECT ${resolvedId(kind.table, sql`value`)} FROM json_each(${JSON.stringify(ids)}))
        AND ${taxonomy ? linksTo(taxonomy) : sql`1`} AND ${linkKey(kind.column)} NOT IN (
          SELECT ${linkKey(resolvedId(kind.table, sql`(value ->> 0)`), sql`(value ->> 1)`)}
          FROM json_each(${JSON.stringify(stay)}))`,
  ]
}

/** A condition for links to terms of a taxonomy. It reads the terms of these links only. */
const linksTo = (taxonomy: Taxonomy): SQL =>
  sql`(SELECT taxonomy FROM ${terms} WHERE id = target_id) = ${sql.raw(`'${taxonomy}'`)}`

const TAXONOMIES = { categories: 'event_category', tags: 'event_tag' } as const satisfies Partial<
  Record<keyof Relations, Taxonomy>
>

const TAXONOMY_NAMES = ['categories', 'tags'] as const

function termLinks(context: WriteContext, kind: OwnerKind, owners: readonly Owner[]): SQL[] {
  const named = owners.flatMap(({ id, relations }) =>
    TAXONOMY_NAMES.flatMap(name => {
      const resolved = relations[name]
      return resolved ? [{ id, taxonomy: TAXONOMIES[name], ...resolved }] : []
    }),
  )
  const keyOf = (taxonomy: Taxonomy, name: string) => `${taxonomy}/${nameKey(name)}`
  const added = numbered(
    TAXONOMY_NAMES.map(name => TAXONOMIES[name]).flatMap(taxonomy =>
      namedTerms(
        taxonomy,
        named.flatMap(one => (one.taxonomy === taxonomy ? one.names : [])),
      ),
    ),
  )
  const numbers = new Map(
    added.map(({ id, taxonomy, columns }) => [keyOf(taxonomy, String(columns.name)), id]),
  )
  const links = named.flatMap(({ id, taxonomy, ids, names }) =>
    [...ids, ...names.map(name => numbers.get(keyOf(taxonomy, name)) ?? 0)].map(target => ({
      owner: id,
      target,
    })),
  )
  return [
    ...termStatements(context, added),
    ...TAXONOMY_NAMES.flatMap(name =>
      unlink(
        kind.terms,
        kind,
        { owners: owners.filter(({ relations }) => relations[name]), links },
        TAXONOMIES[name],
      ),
    ),
    ...jsonPieces(links).map(
      json => sql`INSERT INTO ${kind.terms} (${kind.column}, target_id)
        SELECT ${resolvedId(kind.table, given('owner'))}, ${resolvedId(terms, given('target'))}
        FROM json_each(${json}) AS given WHERE true ON CONFLICT DO NOTHING`,
    ),
  ]
}

/**
 * Events with each of their links: those of one event follow each other, so that the first counts as a change and the
 * others are a part of it.
 */
const linksFrom = (from: keyof typeof OWNERS, pairs: SQL, links: SQLiteTable): SQL =>
  sql`(${pairs}) AS owner CROSS JOIN ${links} AS link ON link.${OWNERS[from].column} = owner.other`

/**
 * The statements that give events or series the links of others, in addition to their own.
 *
 * @param pairs a SELECT of `id`, and of `other`, whose links it gets
 */
export function copyLinks(
  from: keyof typeof OWNERS,
  to: keyof typeof OWNERS,
  pairs: SQL,
  names: readonly string[] = RELATIONS,
): SQL[] {
  const [source, target] = [OWNERS[from], OWNERS[to]]
  const [taxonomy, ...others] = TAXONOMY_NAMES.filter(name => names.includes(name))
  const isTerm = taxonomy && others.length === 0 ? linksTo(TAXONOMIES[taxonomy]) : sql`true`
  const copiedTerms = sql`INSERT INTO ${target.terms} (${target.column}, target_id)
    SELECT owner.id, target_id FROM ${linksFrom(from, pairs, source.terms)} WHERE ${isTerm} ON CONFLICT DO NOTHING`
  return [
    ...(taxonomy ? [copiedTerms] : []),
    ...[VENUES, ORGANIZERS]
      .filter(({ singular }) => names.includes(singular))
      .map(
        tables => sql`INSERT INTO ${tables[target.links]} (${target.column}, target_id, position)
          SELECT owner.id, target_id, link.position FROM ${linksFrom(from, pairs, tables[source.links])} WHERE true
          ON CONFLICT DO UPDATE SET position = excluded.position WHERE position <> excluded.position`,
      ),
  ]
}

/**
 * The statements that give dates the links of their series instead of their own.
 *
 * @param datesOf makes a SELECT of the dates that get those of a relation, as `copyLinks` takes it
 */
export const replaceLinks = (datesOf: (name: RelationName) => SQL, names: readonly string[]): SQL[] =>
  RELATIONS.filter(name => names.includes(name)).flatMap(name => {
    const pairs = datesOf(name)
    const taxonomy = name === 'categories' || name === 'tags' ? TAXONOMIES[name] : undefined
    const tables = { venue: VENUES, organizer: ORGANIZERS, categories: undefined, tags: undefined }[name]
    const [own, shared] = tables ? [tables.links, tables.seriesLinks] : [eventTerms, seriesTerms]
    return [
      sql`DELETE FROM ${own} WHERE event_id IN (SELECT id FROM (${pairs}))
        AND ${linkKey(sql`event_id`)} NOT IN (SELECT ${linkKey(sql`owner.id`)} FROM ${linksFrom('series', pairs, shared)})
        AND ${taxonomy ? linksTo(taxonomy) : sql`1`}`,
      ...copyLinks('series', 'event', pairs, [name]),
    ]
  })

/** Expressions for the ids that an event or series is linked to, as JSON, by field. @param id its own; by default that of `row` */
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

/** The statements that delete events for good, with what refers to them. */
export const removeEvents = (ids: readonly number[]): SQL[] => [
  // Otherwise each term of a deleted event makes a trigger read all its other terms: that took six seconds for 150
  // events of 200 terms, and takes one like this (test/resources/events/recurrence/sizes.test.ts).
  sql`DELETE FROM ${listings} WHERE (facet, target_id, utc_start_date, event_id) IN (
    SELECT facet, target_id, utc_start_date, event_id FROM expected_listings WHERE event_id IN ${inList(ids)})`,
  ...[eventVenues, eventOrganizers, eventTerms].map(
    links => sql`DELETE FROM ${links} WHERE ${links.event_id} IN ${inList(ids)}`,
  ),
  ...[events, series].map(
    table => sql`UPDATE ${table} SET post_parent = NULL WHERE post_parent IN ${inList(ids)}`,
  ),
  sql`DELETE FROM ${events} WHERE ${events.id} IN ${inList(ids)}`,
]
