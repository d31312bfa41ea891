import { type SQL, sql } from 'drizzle-orm'
import type { RelatedTables } from '../../content/related/kind.ts'
import { distinct, relatedStatements } from '../../content/related/writes.ts'
import type { RequestContext } from '../../context.ts'
import { given, jsonPieces, resolvedId } from '../../db/bulk.ts'
import { events, eventTerms, series, seriesTerms, type Taxonomy, terms } from '../../db/schema.ts'
import { ORGANIZERS } from '../../organizers/kind.ts'
import { insertTerms } from '../../terms/inserts.ts'
import { nameKey } from '../../terms/names.ts'
import { VENUES } from '../../venues/kind.ts'
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
    targets.map((target, position) => ({ owner: id, target: idOf(target), position })),
  )
  const table = to[kind.links]
  return [
    ...(rows.length > 0 ? relatedStatements(context, to, rows) : []),
    ...unlink(sql`${table}`, kind, named),
    ...jsonPieces(links).map(
      json => sql`INSERT INTO ${table} (${kind.column}, target_id, position)
        SELECT ${resolvedId(kind.table, given('owner'))}, ${resolvedId(to.table, given('target'))}, ${given('position')}
        FROM json_each(${json}) AS given WHERE true ON CONFLICT DO NOTHING`,
    ),
  ]
}

/** The statements that delete the links of owners that are not new. @param condition for links of the kind that they name */
function unlink(
  links: SQL,
  { table, column }: OwnerKind,
  owners: readonly { id: number; isNew: boolean }[],
  condition = sql`1`,
): SQL[] {
  const ids = owners.flatMap(({ id, isNew }) => (isNew ? [] : [id]))
  if (ids.length === 0) return []
  const named = sql`SELECT ${resolvedId(table, sql`value`)} FROM json_each(${JSON.stringify(ids)})`
  return [sql`DELETE FROM ${links} WHERE ${column} IN (${named}) AND ${condition}`]
}

const TAXONOMIES = { categories: 'event_category', tags: 'event_tag' } as const satisfies Partial<
  Record<keyof Relations, Taxonomy>
>

function termLinks(context: RequestContext, kind: OwnerKind, owners: readonly Owner[]): SQL[] {
  const named = owners.flatMap(({ id, isNew, relations }) =>
    (['categories', 'tags'] as const).flatMap(name => {
      const resolved = relations[name]
      return resolved ? [{ id, isNew, taxonomy: TAXONOMIES[name], ...resolved }] : []
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
  const isOf = (taxonomy: Taxonomy) =>
    sql`target_id IN (SELECT id FROM ${terms} WHERE taxonomy = ${taxonomy})`
  return [
    ...insertTerms(
      context,
      added.map(([, term]) => term),
      'taxonomy',
    ),
    ...Object.values(TAXONOMIES).flatMap(taxonomy =>
      unlink(
        sql`${kind.terms}`,
        kind,
        named.filter(one => one.taxonomy === taxonomy),
        isOf(taxonomy),
      ),
    ),
    ...jsonPieces(links).map(
      json => sql`INSERT INTO ${kind.terms} (${kind.column}, target_id)
        SELECT ${resolvedId(kind.table, given('owner'))}, ${resolvedId(terms, given('target'))}
        FROM json_each(${json}) AS given WHERE true ON CONFLICT DO NOTHING`,
    ),
  ]
}
