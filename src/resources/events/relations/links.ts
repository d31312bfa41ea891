import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext, WriteContext } from '../../../context.ts'
import { inputValue, jsonBatches, resolvedId } from '../../../db/bulk.ts'
import { inList, literal, many, mapped, type Query, settled } from '../../../db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  series,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
  type Taxonomy,
  terms,
} from '../../../db/schema.ts'
import { mayEdit } from '../../../lib/roles.ts'
import type { RelatedTables } from '../../content/related/resource.ts'
import { distinct, relatedStatements } from '../../content/related/writes.ts'
import { isReadable } from '../../content/visibility.ts'
import { numbered } from '../../content/writes.ts'
import { ORGANIZERS } from '../../organizers/resource.ts'
import { nameKey } from '../../terms/resource.ts'
import { namedTerms, termStatements } from '../../terms/statements.ts'
import { VENUES } from '../../venues/resource.ts'
import type { PlainEventRow } from '../rows.ts'
import { RELATIONS, type RelationName, type Relations } from './fields.ts'

/**
 * An event or series, and the relations that a write gives it. A new event or series has none before.
 *
 * @see resolvedId
 */
export type Owner = { id: number; isNew: boolean; relations: Relations }

/** The owners of links: their table, their column in tables of links, and the table of the links of each relation. */
const OWNERS = {
  event: {
    table: events,
    column: sql`event_id`,
    links: { venue: eventVenues, organizer: eventOrganizers, categories: eventTerms, tags: eventTerms },
  },
  series: {
    table: series,
    column: sql`series_id`,
    links: { venue: seriesVenues, organizer: seriesOrganizers, categories: seriesTerms, tags: seriesTerms },
  },
} as const

type OwnerKind = (typeof OWNERS)[keyof typeof OWNERS]

const TERM_RELATIONS = ['categories', 'tags'] as const

const TAXONOMIES = { categories: 'event_category', tags: 'event_tag' } as const satisfies Partial<
  Record<RelationName, Taxonomy>
>

/**
 * A condition for the links of a relation in their table, which categories and tags share. It reads the terms of these
 * links only.
 */
const isLinkOf = (relation: RelationName): SQL =>
  relation === 'venue' || relation === 'organizer'
    ? sql`true`
    : sql`(SELECT taxonomy FROM ${terms} WHERE id = target_id) = ${sql.raw(`'${TAXONOMIES[relation]}'`)}`

/** The statements that create new terms, venues and organizers, and then give events or series the relations that a write names. */
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

function termLinks(context: WriteContext, kind: OwnerKind, owners: readonly Owner[]): SQL[] {
  const named = owners.flatMap(({ id, isNew, relations }) =>
    TERM_RELATIONS.flatMap(relation => {
      const resolved = relations[relation]
      return resolved ? [{ id, isNew, relation, ...resolved }] : []
    }),
  )
  if (named.length === 0) return []
  const namedBy = (relation: RelationName) => named.filter(one => one.relation === relation)
  const added = numbered(
    TERM_RELATIONS.flatMap(relation =>
      namedTerms(context, {
        taxonomy: TAXONOMIES[relation],
        names: namedBy(relation).flatMap(({ names }) => names),
      }),
    ),
  )
  const keyOf = (taxonomy: Taxonomy, name: unknown) => `${taxonomy}/${nameKey(String(name))}`
  const numbers = new Map(added.map(({ id, taxonomy, columns }) => [keyOf(taxonomy, columns.name), id]))
  const links = named.flatMap(({ id, relation, ids, names }) => {
    const made = names.map(name => numbers.get(keyOf(TAXONOMIES[relation], name)) ?? 0)
    return [...ids, ...made].map(target => ({ owner: id, target }))
  })
  return [
    ...termStatements(context, added),
    ...TERM_RELATIONS.flatMap(relation => unlink(kind, relation, namedBy(relation), links)),
    ...jsonBatches(links).map(
      json => sql`INSERT INTO ${kind.links.categories} (${kind.column}, target_id)
        SELECT ${resolvedId(kind.table, inputValue('owner'))}, ${resolvedId(terms, inputValue('target'))}
        FROM json_each(${json}) AS input WHERE true ON CONFLICT DO NOTHING`,
    ),
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
    ...unlink(kind, to.singular, named, links),
    ...jsonBatches(links).map(
      json => sql`INSERT INTO ${kind.links[to.singular]} (${kind.column}, target_id, position)
        SELECT ${resolvedId(kind.table, inputValue('owner'))}, ${resolvedId(to.table, inputValue('target'))}, ${inputValue('position')}
        FROM json_each(${json}) AS input WHERE true ${movePosition}`,
    ),
  ]
}

const movePosition = sql`ON CONFLICT DO UPDATE SET position = excluded.position WHERE position <> excluded.position`

/**
 * A link as one text, for looking it up in a SELECT of such texts. With pairs, SQLite searches the whole list for a
 * NULL whenever it lacks a pair.
 */
const linkKey = (owner: SQL, target = sql`target_id`): SQL => sql`(${owner} || '/' || ${target})`

/** The statements that delete the links of stored owners, except those that stay. */
function unlink(
  { table, column, links: tables }: OwnerKind,
  relation: RelationName,
  owners: readonly Pick<Owner, 'id' | 'isNew'>[],
  links: readonly { owner: number; target: number }[],
): SQL[] {
  const ids = owners.flatMap(({ id, isNew }) => (isNew ? [] : [id]))
  if (ids.length === 0) return []
  const stay = links.flatMap(({ owner, target }) => (target < 0 ? [] : [[owner, target]]))
  return [
    sql`DELETE FROM ${tables[relation]}
      WHERE ${column} IN (SELECT ${resolvedId(table, sql`value`)} FROM json_each(${JSON.stringify(ids)}))
        AND ${isLinkOf(relation)} AND ${linkKey(column)} NOT IN (
          SELECT ${linkKey(resolvedId(table, sql`(value ->> 0)`), sql`(value ->> 1)`)}
          FROM json_each(${JSON.stringify(stay)}))`,
  ]
}

/**
 * Owners with each of their links. The links of one owner follow each other, so that the first counts as a change and the
 * others are a part of that change.
 */
const linksFrom = ({ column, links }: OwnerKind, pairs: SQL, relation: RelationName): SQL =>
  sql`(${pairs}) AS owner CROSS JOIN ${links[relation]} AS link ON link.${column} = owner.other`

/**
 * The statements that add the links of other events or series to the links of some.
 *
 * @param pairs a SELECT of `id`, which gets the links, and of `other`, which has them
 */
export function copyLinks(
  from: keyof typeof OWNERS,
  to: keyof typeof OWNERS,
  pairs: SQL,
  names: readonly string[] = RELATIONS,
): SQL[] {
  const [source, target] = [OWNERS[from], OWNERS[to]]
  // One statement copies the links to terms of both taxonomies.
  const [first, second] = TERM_RELATIONS.filter(relation => names.includes(relation))
  const copiedTerms = first
    ? [
        sql`INSERT INTO ${target.links[first]} (${target.column}, target_id)
          SELECT owner.id, target_id FROM ${linksFrom(source, pairs, first)}
          WHERE ${second ? sql`true` : isLinkOf(first)} ON CONFLICT DO NOTHING`,
      ]
    : []
  const copiedRelated = (['venue', 'organizer'] as const)
    .filter(relation => names.includes(relation))
    .map(
      relation => sql`INSERT INTO ${target.links[relation]} (${target.column}, target_id, position)
        SELECT owner.id, target_id, link.position FROM ${linksFrom(source, pairs, relation)} WHERE true ${movePosition}`,
    )
  return [...copiedTerms, ...copiedRelated]
}

/**
 * The statements that give dates the links of their series instead of their own.
 *
 * @param datesOf makes a SELECT of the dates that get the links of a relation, in the form of the pairs of `copyLinks`
 */
export const replaceLinks = (datesOf: (relation: RelationName) => SQL, names: readonly string[]): SQL[] =>
  RELATIONS.filter(relation => names.includes(relation)).flatMap(relation => {
    const pairs = datesOf(relation)
    const shared = linksFrom(OWNERS.series, pairs, relation)
    return [
      sql`DELETE FROM ${OWNERS.event.links[relation]} WHERE event_id IN (SELECT id FROM (${pairs}))
        AND ${linkKey(sql`event_id`)} NOT IN (SELECT ${linkKey(sql`owner.id`)} FROM ${shared})
        AND ${isLinkOf(relation)}`,
      ...copyLinks('series', 'event', pairs, [relation]),
    ]
  })

/** Expressions for the ids to which an event or series is linked, as JSON, by field. @param id that of the event or series; by default `row.id` */
export function linksOf(
  ownedBy: keyof typeof OWNERS,
  id: SQL = sql`row.id`,
): Readonly<Record<RelationName, SQL>> {
  const { column, links } = OWNERS[ownedBy]
  const list = (relation: RelationName, order: SQL) =>
    sql`(SELECT json_group_array(target_id) FROM (SELECT target_id FROM ${links[relation]}
      WHERE ${column} = ${id} AND ${isLinkOf(relation)} ORDER BY ${order}))`
  return {
    venue: list('venue', sql`position`),
    organizer: list('organizer', sql`position`),
    categories: list('categories', sql`target_id`),
    tags: list('tags', sql`target_id`),
  }
}

// An event may also be a part of another event, its parent, whose programme lists it.

/** The parent of a part, and the user who has confirmed that the programme of the parent shows the part. */
export type ParentColumns = Pick<PlainEventRow, 'post_parent' | 'parent_confirmed_by'>

/**
 * The columns of the parent after a write. Callers who may edit the parent confirm the part by naming the parent, even if they name
 * it again. If other callers name another parent, the part is unconfirmed.
 *
 * @param parent the id that the request names, 0 for none
 */
export function parentColumns(
  { caller }: Pick<RequestContext, 'caller'>,
  {
    parent,
    mayEdit: isEditable,
    stored,
  }: { parent: number | undefined; mayEdit: boolean; stored?: ParentColumns | undefined },
): Partial<ParentColumns> {
  if (parent === undefined) return {}
  if (parent === 0) return { post_parent: null, parent_confirmed_by: null }
  const known = stored?.post_parent === parent ? stored.parent_confirmed_by : null
  return { post_parent: parent, parent_confirmed_by: known ?? (isEditable ? caller.id : null) }
}

/** A parent that a request names: the ids of the parent and of all events above it, and whether the caller may edit the parent. */
export type FoundParent = { above: ReadonlySet<number>; mayEdit: boolean }

/** The most levels of programmes within programmes that a query follows. */
export const MOST_PARENTS = 100

/** A SELECT of events and all events above them. UNION ends circles that other programs have written. @param from a SELECT of the ids */
const withAbove = (from: SQL): SQL => sql`WITH RECURSIVE above(id) AS (${from} UNION
  SELECT whole.post_parent FROM above CROSS JOIN ${events} AS whole ON whole.id = above.id
    WHERE whole.post_parent IS NOT NULL LIMIT ${literal(MOST_PARENTS)})`

/** A query of the parents that the caller may read. */
export function selectParents(
  context: RequestContext,
  ids: readonly number[],
): Query<ReadonlyMap<number, FoundParent>> {
  if (ids.length === 0) return settled(new Map())
  return mapped(
    many(
      sql`SELECT id, author_id, status, (${withAbove(sql`SELECT ${events.id}`)} SELECT json_group_array(id) FROM above) AS above
        FROM ${events} WHERE ${events.id} IN ${inList(ids)} AND ${isReadable(events, context)}`,
      ({ id, author_id, status, above }) => {
        const parent = { author_id: Number(author_id), status: String(status) }
        // Made by json_group_array() above.
        const ids = new Set<number>(JSON.parse(String(above)))
        return [Number(id), { above: ids, mayEdit: mayEdit(context.caller, parent) }] as const
      },
    ),
    found => new Map(found),
  )
}

/** A condition that is true if one of some events, or of the dates of some series, is a part of itself. */
export const isInCircle = (ids: readonly number[], seriesIds: readonly number[]): SQL =>
  sql`EXISTS (SELECT 1 FROM (SELECT value AS id FROM json_each(${JSON.stringify(ids)}) UNION ALL
      SELECT ${events.id} FROM ${events} WHERE series_id IN ${inList(seriesIds)}) AS part WHERE part.id IN (
    ${withAbove(sql`SELECT post_parent FROM ${events} WHERE ${events.id} = part.id`)} SELECT id FROM above))`
