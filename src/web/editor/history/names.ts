import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { inList, inOrder, many, mapped, type Query } from '../../../db/query.ts'
import { events, images, organizers, series, sources, terms, users, venues } from '../../../db/schema.ts'
import { sourceOfRequest } from '../../../lib/audit-source.ts'
import { may } from '../../../lib/roles.ts'
import { isPublished, ownedBy } from '../../../resources/content/visibility.ts'
import { isTermReadable } from '../../../resources/terms/queries.ts'
import { plain } from '../../html/text.ts'
import type { Entry } from './queries.ts'

/** Things that entries and their values name by id. */
type Named = 'event' | 'series' | 'venue' | 'organizer' | 'term' | 'user' | 'image' | 'source'

/** The names of things by kind and id. Those that the caller may not read are absent. */
export type Names = (kind: string, id: unknown) => string | undefined

/** The fields whose values are ids, and of what. */
export const ID_FIELDS: Readonly<Record<string, Named>> = {
  venue: 'venue',
  organizer: 'organizer',
  categories: 'term',
  tags: 'term',
  parent: 'term',
  author: 'user',
  image: 'image',
  post_parent: 'event',
  duplicate_of: 'event',
}

const namedKind = (kind: string): Named | undefined =>
  kind === 'category' || kind === 'tag'
    ? 'term'
    : ['event', 'series', 'venue', 'organizer', 'user', 'image', 'source'].includes(kind)
      ? // One of these.
        (kind as Named)
      : undefined

/** The ids in a value of a field. Of a venue or organizer itself, the field of its kind is its name. */
const idsIn = (value: unknown): number[] =>
  [value].flat().filter((id): id is number => typeof id === 'number' && id > 0)

/** The calendar elsewhere that has made a change, by its id. */
export function changingCalendar(requestId: string | null): number | undefined {
  const id = /^source:(\d{1,15})$/.exec(sourceOfRequest(requestId ?? '') ?? '')?.[1]
  return id === undefined ? undefined : Number(id)
}

/** The ids that entries name, by kind. */
function idsOf(entries: readonly Entry[]): Map<Named, Set<number>> {
  const ids = new Map<Named, Set<number>>()
  const add = (kind: Named | undefined, found: readonly number[]) => {
    if (kind) ids.set(kind, new Set([...(ids.get(kind) ?? []), ...found]))
  }
  for (const { kind, object_id, changed, request_id } of entries) {
    add(namedKind(kind), [object_id])
    const calendar = changingCalendar(request_id)
    if (calendar !== undefined) add('source', [calendar])
    for (const [field, values] of Object.entries(changed))
      add(field === 'into' ? namedKind(kind) : ID_FIELDS[field], values.flatMap(idsIn))
  }
  return ids
}

/** A SELECT of the id and name of things that the caller may read. */
function selectNamed(context: RequestContext, kind: Named): SQL {
  const mayRead = (table: typeof events | typeof venues | typeof organizers | typeof series) =>
    sql`(${isPublished(table, context.now)} OR ${ownedBy(table, context)})`
  const isEditor = may(context.caller, 'edit_others_content')
  switch (kind) {
    case 'event':
      return sql`SELECT id, title AS name FROM ${events} WHERE ${mayRead(events)}`
    case 'series':
      return sql`SELECT id, title AS name FROM ${series} WHERE ${mayRead(series)}`
    case 'venue':
      return sql`SELECT id, name FROM ${venues} WHERE ${mayRead(venues)}`
    case 'organizer':
      return sql`SELECT id, name FROM ${organizers} WHERE ${mayRead(organizers)}`
    case 'term':
      return sql`SELECT id, name FROM ${terms} WHERE ${isTermReadable(context)}`
    case 'source':
      return sql`SELECT id, name FROM ${sources} WHERE ${may(context.caller, 'manage_sources') ? sql`1` : sql`0`}`
    case 'user':
      return sql`SELECT id, login AS name FROM ${users} WHERE ${isEditor ? sql`1` : sql`id = ${context.caller.id}`}`
    case 'image':
      return sql`SELECT id, coalesce(nullif(title, ''), nullif(slug, ''), url) AS name FROM ${images}
        WHERE ${isEditor ? sql`1` : sql`author_id = ${context.caller.id}`}`
  }
}

/** A query of the names that entries need. */
export function selectNames(context: RequestContext, entries: readonly Entry[]): Query<Names> {
  const wanted = [...idsOf(entries)].filter(([, ids]) => ids.size > 0)
  return mapped(
    inOrder(
      wanted.map(([kind, ids]) =>
        many(
          sql`${selectNamed(context, kind)} AND id IN ${inList([...ids])}`,
          row => [`${kind} ${row.id}`, plain(String(row.name))] as const,
        ),
      ),
    ),
    found => {
      const names = new Map<string, string>(found.flat())
      return (kind, id) => names.get(`${namedKind(kind) ?? kind} ${id}`)
    },
  )
}
