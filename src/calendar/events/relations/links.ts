import { type SQL, sql } from 'drizzle-orm'
import type { WriteContext } from '../../../kit/context.ts'
import { inputValue, jsonBatches, resolvedId, resolvedIds } from '../../../kit/db/bulk.ts'
import { positionOfName } from '../../../kit/db/event-expressions.ts'
import {
  eachOf,
  literal,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
  type Statement,
} from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import {
  audit,
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  imports,
  series,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
  sourceNameSql,
  submissions,
  type Taxonomy,
  terms,
  users,
} from '../../../kit/db/tables.ts'
import type { DateTime } from '../../../kit/lib/time.ts'
import type { RelatedTables } from '../../content/related/resource.ts'
import { relatedStatements, rowsOfTargets } from '../../content/related/writes.ts'
import { numberRows } from '../../content/writes.ts'
import { ORGANIZERS } from '../../organizers/resource.ts'
import { nameKey } from '../../terms/resource.ts'
import { namedTerms, termStatements } from '../../terms/statements.ts'
import { VENUES } from '../../venues/resource.ts'
import { RELATIONS, type RelationName, type Relations } from './fields.ts'

/**
 * An event or series, and the relations that a write gives it. A new event or series has none before.
 *
 * @see resolvedId
 */
type LinkOwner = { id: number; isNew: boolean; relations: Relations }

/**
 * The owners of links: their table, their column in tables of links, and the table of the links of each
 * relation.
 */
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

const TAXONOMY_OF_RELATION = { categories: 'event_category', tags: 'event_tag' } as const satisfies Partial<
  Record<RelationName, Taxonomy>
>

/**
 * A condition for the links of a relation in their table, which categories and tags share. It reads the terms
 * of these links only.
 */
const linkOfSql = (relation: RelationName): SQL =>
  relation === 'venue' || relation === 'organizer'
    ? sql`true`
    : sql`(SELECT taxonomy FROM ${terms} WHERE id = target_id) = ${literal(TAXONOMY_OF_RELATION[relation])}`

/**
 * The statements that create new terms, venues and organizers, and then give events or series the relations
 * that a write names.
 */
export function relationStatements(
  context: WriteContext,
  ownedBy: keyof typeof OWNERS,
  owners: readonly LinkOwner[],
): Statement[] {
  const kind = OWNERS[ownedBy]
  return [
    ...termLinkStatements(context, kind, owners),
    ...relatedLinkStatements(context, { kind, to: VENUES, owners }),
    ...relatedLinkStatements(context, { kind, to: ORGANIZERS, owners }),
  ]
}

function termLinkStatements(
  context: WriteContext,
  kind: OwnerKind,
  owners: readonly LinkOwner[],
): Statement[] {
  const termRelations = owners.flatMap(({ id, isNew, relations }) =>
    TERM_RELATIONS.flatMap(relation => {
      const resolved = relations[relation]
      return resolved ? [{ id, isNew, relation, ...resolved }] : []
    }),
  )
  if (termRelations.length === 0) return []
  const namedBy = (relation: RelationName) => termRelations.filter(link => link.relation === relation)
  const newTerms = numberRows(
    TERM_RELATIONS.flatMap(relation =>
      namedTerms(context, {
        taxonomy: TAXONOMY_OF_RELATION[relation],
        names: namedBy(relation).flatMap(({ names }) => names),
      }),
    ),
  )
  const keyOf = (taxonomy: Taxonomy, name: unknown) => `${taxonomy}/${nameKey(String(name))}`
  const numbers = new Map(newTerms.map(({ id, taxonomy, columns }) => [keyOf(taxonomy, columns.name), id]))
  const links = termRelations.flatMap(({ id, relation, ids, names }) => {
    const newTargets = names.map(name => numbers.get(keyOf(TAXONOMY_OF_RELATION[relation], name)) ?? 0)
    return [...ids, ...newTargets].map(target => ({ owner: id, target }))
  })
  return [
    ...termStatements(context, newTerms),
    ...TERM_RELATIONS.flatMap(relation => linkRemovalStatements(kind, relation, namedBy(relation), links)),
    ...jsonBatches(links).map(
      json => sql`INSERT INTO ${kind.links.categories} (${kind.column}, target_id)
        SELECT ${resolvedId(kind.table, inputValue('owner'))}, ${resolvedId(terms, inputValue('target'))}
        FROM json_each(${json}) AS input WHERE true ON CONFLICT DO NOTHING`,
    ),
  ]
}

type LinkOwners = { kind: OwnerKind; to: RelatedTables; owners: readonly LinkOwner[] }

function relatedLinkStatements(context: WriteContext, { kind, to, owners }: LinkOwners): Statement[] {
  const namedTargets = owners.flatMap(({ id, isNew, relations }) => {
    const targets = relations[to.singular]
    return targets ? [{ id, isNew, targets }] : []
  })
  const { rows, idOf } = rowsOfTargets(
    to,
    namedTargets.flatMap(({ targets }) => targets),
  )
  const links = namedTargets.flatMap(({ id, targets }) =>
    [...new Set(targets.map(idOf))].map((target, position) => ({ owner: id, target, position })),
  )
  return [
    ...(rows.length > 0 ? relatedStatements(context, to, rows) : []),
    ...linkRemovalStatements(kind, to.singular, namedTargets, links),
    ...jsonBatches(links).map(
      json => sql`INSERT INTO ${kind.links[to.singular]} (${kind.column}, target_id, position)
        SELECT ${resolvedId(kind.table, inputValue('owner'))}, ${resolvedId(to.table, inputValue('target'))},
        ${inputValue('position')}
        FROM json_each(${json}) AS input WHERE true ${onConflictMove}`,
    ),
  ]
}

const onConflictMove = sql`ON CONFLICT DO UPDATE SET position = excluded.position WHERE position <> excluded.position`

/**
 * A link as one text, for looking it up in a SELECT of such texts. With pairs, SQLite searches the whole list
 * for a NULL whenever the list lacks a pair.
 */
const linkKey = (owner: SQL, target = sql`target_id`): SQL => sql`(${owner} || '/' || ${target})`

/** The statements that delete the links of stored owners, except for links that stay. */
function linkRemovalStatements(
  { table, column, links: tables }: OwnerKind,
  relation: RelationName,
  owners: readonly Pick<LinkOwner, 'id' | 'isNew'>[],
  links: readonly { owner: number; target: number }[],
): Statement[] {
  const ids = owners.flatMap(({ id, isNew }) => (isNew ? [] : [id]))
  if (ids.length === 0) return []
  const stayingLinks = links.flatMap(({ owner, target }) => (target < 0 ? [] : [[owner, target]]))
  return [
    build.delete(tables[relation]).where(
      sql`${column} IN ${resolvedIds(table, ids)}
        AND ${linkOfSql(relation)} AND ${linkKey(column)} NOT IN (
          SELECT ${linkKey(resolvedId(table, sql`(value ->> 0)`), sql`(value ->> 1)`)}
          FROM ${eachOf(stayingLinks)})`,
    ),
  ]
}

/**
 * Owners with each of their links. The links of one owner follow each other, so that the first counts as a
 * change and the others are a part of that change.
 */
const linksFrom = ({ column, links }: OwnerKind, pairs: SQL, relation: RelationName): SQL =>
  sql`(${pairs}) AS owner CROSS JOIN ${links[relation]} AS link ON link.${column} = owner.other`

/**
 * The statements that add the links of other events or series to the links of some.
 *
 * @param pairs a SELECT of `id`, which gets the links, and of `other`, which has them
 */
export function linkCopyStatements(
  from: keyof typeof OWNERS,
  to: keyof typeof OWNERS,
  pairs: SQL,
  names: readonly string[] = RELATIONS,
): Statement[] {
  const source = OWNERS[from]
  const target = OWNERS[to]
  // One statement copies the links to terms of both taxonomies.
  const [first, second] = TERM_RELATIONS.filter(relation => names.includes(relation))
  const copiedTerms = first
    ? [
        sql`INSERT INTO ${target.links[first]} (${target.column}, target_id)
          SELECT owner.id, target_id FROM ${linksFrom(source, pairs, first)}
          WHERE ${second ? sql`true` : linkOfSql(first)} ON CONFLICT DO NOTHING`,
      ]
    : []
  const copiedRelated = (['venue', 'organizer'] as const)
    .filter(relation => names.includes(relation))
    .map(
      relation => sql`INSERT INTO ${target.links[relation]} (${target.column}, target_id, position)
        SELECT owner.id, target_id, link.position FROM ${linksFrom(source, pairs, relation)} WHERE true ${onConflictMove}`,
    )
  return [...copiedTerms, ...copiedRelated]
}

/**
 * The statements that give dates the links of their series instead of their own.
 *
 * @param datesOf makes a SELECT of the dates that get the links of a relation, in the form of the pairs of
 *   `linkCopyStatements`
 */
export const linkReplacementStatements = (
  datesOf: (relation: RelationName) => SQL,
  names: readonly string[],
): Statement[] =>
  RELATIONS.filter(relation => names.includes(relation)).flatMap(relation => {
    const pairs = datesOf(relation)
    const sharedLinks = linksFrom(OWNERS.series, pairs, relation)
    return [
      build.delete(OWNERS.event.links[relation]).where(
        sql`event_id IN (SELECT id FROM (${pairs}))
        AND ${linkKey(sql`event_id`)} NOT IN (SELECT ${linkKey(sql`owner.id`)} FROM ${sharedLinks})
        AND ${linkOfSql(relation)}`,
      ),
      ...linkCopyStatements('series', 'event', pairs, [relation]),
    ]
  })

/**
 * Expressions for the ids to which an event or series is linked, as JSON, by field.
 *
 * @param id the id of the event or series; by default `row.id`
 */
export function linksOf(
  ownedBy: keyof typeof OWNERS,
  id: SQL = sql`row.id`,
): Readonly<Record<RelationName, SQL>> {
  const { column, links } = OWNERS[ownedBy]
  const list = (relation: RelationName, order: SQL) =>
    sql`(SELECT json_group_array(target_id) FROM (SELECT target_id FROM ${links[relation]}
      WHERE ${column} = ${id} AND ${linkOfSql(relation)} ORDER BY ${order}))`
  return {
    venue: list('venue', sql`position`),
    organizer: list('organizer', sql`position`),
    categories: list('categories', sql`target_id`),
    tags: list('tags', sql`target_id`),
  }
}

// New venues and organizers of an event: unpublished ones that are published with it.

/** The ids of the new venues and organizers of an event. */
export type NewLinks = Readonly<Record<'venue' | 'organizer', ReadonlySet<number>>>

export const NO_NEW_LINKS: NewLinks = { venue: new Set(), organizer: new Set() }

// In the SQL below, `event` is the event and `linked` the venue or organizer that it is linked to.

/**
 * True if the request of an entry of the audit wrote the event or its series, too. Clients may choose the id
 * of a request, and could choose the id of an earlier request, but not its time.
 */
const wroteEventSql = (entry: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${audit} AS own INDEXED BY audit_object
    WHERE own.request_id = ${entry}.request_id AND own.at_utc = ${entry}.at_utc
      AND (own.kind = 'event' AND own.object_id = event.id OR own.kind = 'series' AND own.object_id = event.series_id))`

/**
 * True for a venue or organizer that the request for an event has created without a status, if no later
 * request has set one. A row that an editor hides has been given its status, by that request or by another.
 *
 * @param ofEvent a condition for the entry `made` of such a request
 */
const madeWithEventSql = (kind: string, ofEvent: SQL): SQL =>
  sql`(EXISTS (SELECT 1 FROM ${audit} AS made INDEXED BY audit_object
      WHERE made.kind = ${kind} AND made.object_id = linked.id AND made.action = 'create'
        AND ${sql.raw(positionOfName('made.fields', 'status'))} = 0 AND ${ofEvent})
    AND NOT EXISTS (SELECT 1 FROM ${audit} AS decided INDEXED BY audit_object
      WHERE decided.kind = ${kind} AND decided.object_id = linked.id
        AND (decided.action NOT IN ('create', 'update') OR ${sql.raw(positionOfName('decided.fields', 'status'))} > 0) AND NOT ${wroteEventSql(sql`decided`)}))`

/**
 * A condition for the submission of an event. The submission of a series names one of its dates.
 *
 * @param event the table or its alias
 */
export const submissionOfSql = (event: SQL): SQL =>
  sql`(${submissions.event_id} = ${event}.id OR ${submissions.event_id} IN (
    SELECT sibling.id FROM ${events} AS sibling WHERE sibling.series_id = ${event}.series_id))`

/**
 * True if a visitor has submitted the event. The author is then somebody else, who may have hidden venues.
 */
const submittedSql = sql`EXISTS (SELECT 1 FROM ${submissions} WHERE ${submissionOfSql(sql`event`)})`

/**
 * True for a venue or organizer whose author is also the author of the event. A row of an editor counts only
 * if it waits for an event, this one or another: created alone, it would have been public at once. In the
 * audit, requests name its field, and sources name no fields.
 */
const sameAuthorSql = (kind: string): SQL =>
  sql`(linked.author_id = event.author_id AND NOT ${submittedSql} AND (EXISTS (SELECT 1 FROM ${users}
      WHERE ${users.id} = linked.author_id AND role NOT IN ('administrator', 'editor'))
    OR ${madeWithEventSql(kind, sql`${sql.raw(positionOfName('made.fields', kind))} > 0`)}))`

/** True for a venue or organizer that a source has made, if the event is of the same source. */
const ofSameSourceSql = (kind: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${imports} AS theirs INDEXED BY imports_target
    WHERE theirs.kind = ${kind} AND theirs.target_id = linked.id AND theirs.imported_version IS NOT NULL
      AND ${sourceNameSql(sql`theirs.source`)} AND theirs.source IN (
        SELECT source FROM ${imports} WHERE kind = 'event' AND target_id = event.id
        UNION ALL SELECT source FROM ${imports} WHERE kind = 'series' AND target_id = event.series_id))`

/**
 * A query for the new venues and organizers of events: unpublished ones that were created with the event,
 * that belong to its author, or that come from the same source. All others stay as they are: venues and
 * organizers that an editor has hidden, and those of other people's events.
 *
 * @param ids a SELECT of the ids of events
 */
export const selectNewLinks = (ids: SQL): Query<ReadonlyMap<number, NewLinks>> =>
  selectNewAmong({
    key: sql`event.id`,
    asked: sql`asked(id) AS MATERIALIZED (${ids})`,
    from: sql`asked CROSS JOIN ${events} AS event ON event.id = asked.id`,
    linkedIds: ({ links, seriesLinks }) => sql`SELECT target_id FROM ${links} WHERE event_id = event.id
      UNION ALL SELECT target_id FROM ${seriesLinks} WHERE series_id = event.series_id`,
  })

/**
 * An event that is about to be written, which has no id before it is stored, with the ids of venues and
 * organizers that the write names.
 */
export type NamedLinks = { id: number | null; series_id: number | null; author_id: number } & Record<
  keyof NewLinks,
  readonly number[]
>

/**
 * A query for the venues and organizers that {@link selectNewLinks} would find among the named ones if the
 * events were stored with them, by the positions of the events.
 */
export const selectNamedNewLinks = (
  named: readonly (Partial<NamedLinks> & { date_utc: DateTime })[],
): Query<ReadonlyMap<number, NewLinks>> =>
  selectNewAmong({
    key: sql`event.position`,
    asked: sql`event AS MATERIALIZED (SELECT key AS position, value ->> 'id' AS id, value ->> 'series_id' AS series_id,
      value ->> 'author_id' AS author_id, value ->> 'date_utc' AS date_utc, value FROM ${eachOf(named)})`,
    from: sql`event`,
    linkedIds: ({ singular }) => sql`SELECT value FROM json_each(event.value, ${sql.raw(`'$.${singular}'`)})`,
  })

type NewLinksQuery = {
  /** An expression that identifies the event of a row. */
  key: SQL
  /** A common table expression. */
  asked: SQL
  /** A FROM clause of `event`. */
  from: SQL
  /** A SELECT of the ids of venues or organizers that may be new. */
  linkedIds: (resource: typeof VENUES | typeof ORGANIZERS) => SQL
}

const selectNewAmong = ({
  key,
  asked,
  from,
  linkedIds,
}: NewLinksQuery): Query<ReadonlyMap<number, NewLinks>> =>
  mapQuery(
    many(
      sql`WITH ${asked} ${sql.join(
        [VENUES, ORGANIZERS].map(resource => {
          const { singular: kind, table } = resource
          return sql`SELECT ${key} AS event, ${kind} AS kind, linked.id AS id
            FROM ${from} CROSS JOIN ${table} AS linked ON linked.id IN (${linkedIds(resource)})
            WHERE (linked.status IN ('draft', 'pending') OR linked.status = 'future' AND linked.date_utc >= event.date_utc)
              AND (${madeWithEventSql(kind, wroteEventSql(sql`made`))} OR ${sameAuthorSql(kind)} OR ${ofSameSourceSql(kind)})`
        }),
        sql` UNION ALL `,
      )}`,
      { event: readNumber, kind: readText, id: readNumber },
    ),
    linkedRows => {
      const idsOfKind = (kind: string, rows: typeof linkedRows): Set<number> =>
        new Set(rows.flatMap(row => (row.kind === kind ? [row.id] : [])))
      return new Map(
        [...Map.groupBy(linkedRows, ({ event }) => event)].map(([event, rows]) => [
          event,
          { venue: idsOfKind('venue', rows), organizer: idsOfKind('organizer', rows) },
        ]),
      )
    },
  )
