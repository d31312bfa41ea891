import { type SQL, sql } from 'drizzle-orm'
import { inList, settled, together } from '../../db/query.ts'
import type { Key } from '../../http/input.ts'
import { created, one } from '../../http/reply.ts'
import { type SharedWrites, sharing } from '../../http/shared-writes.ts'
import type { ContentKind, ContentRow, NamedTable } from './kind.ts'
import { hasKey, writtenBody } from './single.ts'
import type { ContentValues } from './tables.ts'
import type { ContentWrites } from './writes.ts'

/** What a request does to content: it creates some, or changes what a key names. */
export type ContentWrite<F> = { key?: Key | undefined; values: Partial<F> }

/** What is to be written of a request. `id` and `external_id` are those that it takes; a new row has no id. */
export type PreparedContent<P> = { prepared: P; id: number | undefined; external_id: string | undefined }

/** The rows that requests need: those that they change, and those that their values refer to. */
export type FoundContent<S, L> = { stored: readonly S[]; found: L }

/** The stored row that a key names. */
export const rowOf = <S extends ContentRow>({ stored }: { stored: readonly S[] }, key: Key): S | undefined =>
  stored.find(row =>
    'id' in key
      ? row.id === key.id
      : 'slug' in key
        ? row.slug === key.slug.toLowerCase()
        : row.external_id === key.externalId && key.externalId !== '',
  )

/** A condition for the rows that some keys name. */
function hasKeys(table: NamedTable, keys: readonly Key[]): SQL {
  const [first] = keys
  if (first && keys.length === 1) return hasKey(table, first)
  const ids = keys.flatMap(key => ('id' in key ? [key.id] : []))
  const slugs = keys.flatMap(key => ('slug' in key ? [key.slug.toLowerCase()] : []))
  const externalIds = keys.flatMap(key => ('externalId' in key ? [key.externalId] : []))
  const conditions = [
    ...(ids.length > 0 ? [sql`${table.id} IN ${inList(ids)}`] : []),
    ...(slugs.length > 0 ? [sql`${table.slug} IN ${inList(slugs)}`] : []),
    // The condition of the index as well, so that it is used.
    ...(externalIds.length > 0
      ? [sql`(${table.external_id} IN ${inList(externalIds)} AND ${table.external_id} <> '')`]
      : []),
  ]
  return sql`(${sql.join(conditions, sql` OR `)})`
}

/** The writes of a kind of content, as requests share them. */
export const sharedWrites = <R extends ContentRow, S extends ContentRow, L, P, Body, F extends ContentValues>(
  { table }: Pick<ContentKind<R, Body>, 'table'>,
  writes: ContentWrites<F, S, L, P, Body, R>,
): SharedWrites<ContentWrite<F>, FoundContent<S, L>, PreparedContent<P>, R> => ({
  isAlone: ({ values }) => writes.isAlone?.(values) ?? false,
  load: (context, items) => {
    const updates = items.flatMap(({ key, values }) => (key ? [{ key, values }] : []))
    return together({
      stored:
        updates.length === 0
          ? settled<S[]>([])
          : writes.selectStored(
              context,
              hasKeys(
                table,
                updates.map(({ key }) => key),
              ),
              updates.map(({ values }) => values),
            ),
      found: writes.lookUp(
        context,
        items.map(({ values }) => values),
      ),
    })
  },
  *taken(item, { prepared, id, external_id }) {
    if (id !== undefined) yield [`row ${id}`, item]
    if (external_id) yield [`external id ${external_id}`, item]
    yield* writes.taken?.(prepared) ?? []
  },
  write: (context, all) =>
    writes.write(
      context,
      all.map(({ prepared }) => prepared),
    ),
})

/** The part of a route that loads and writes content: it creates some. */
export const creating = <R extends ContentRow, Body, F, L, P>(
  kind: ContentKind<R, Body>,
  shared: SharedWrites<ContentWrite<F>, L, PreparedContent<P>, R>,
) =>
  sharing(shared, {
    item: ({ body }: { body: Partial<F> }) => ({ values: body }),
    reply: (context, row) => created(writtenBody(context, { kind, row })),
  })

type Naming<F> = { key: Key; query: object; body: Partial<F> }

/** The values of a request that names what it changes: some may be parameters of its address. */
export const givenValues = <F>({ query, body }: Omit<Naming<F>, 'key'>): Partial<F> => ({ ...query, ...body })

/** The part of a route that loads and writes content: it changes what its path names. */
export const changing = <R extends ContentRow, Body, F, L, P>(
  kind: ContentKind<R, Body>,
  shared: SharedWrites<ContentWrite<F>, L, PreparedContent<P>, R>,
) =>
  sharing(shared, {
    item: (input: Naming<F>) => ({ key: input.key, values: givenValues(input) }),
    reply: (context, row) => one(writtenBody(context, { kind, row })),
  })

/** The part of a route that loads and writes content: it changes what its path names, or creates it. */
export const upserting = <R extends ContentRow, Body, F, L, P>(
  kind: ContentKind<R, Body>,
  shared: SharedWrites<ContentWrite<F>, L, PreparedContent<P>, R>,
) =>
  sharing(shared, {
    item: (input: Naming<F>) => ({ key: input.key, values: givenValues(input) }),
    reply: (context, row, { id }) => {
      const body = writtenBody(context, { kind, row })
      return id === undefined ? created(body) : one(body)
    },
  })
