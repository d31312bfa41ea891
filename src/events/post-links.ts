import { type SQL, sql } from 'drizzle-orm'
import { many, type Query } from '../db/client.ts'
import { inList } from '../db/rows.ts'
import type { Problems } from '../lib/errors.ts'
import type { AnyKind } from '../linked/kind.ts'
import { findOrInsert } from '../linked/writes.ts'
import type { View } from '../view.ts'
import type { LinkChoice } from './links.ts'

/** Which of the ids that choices name there are, the trash aside. */
export const knownIds = ({ table }: AnyKind, choices: readonly LinkChoice[]): Query<number[]> =>
  many(
    sql`SELECT id FROM ${table} WHERE status <> 'trash'
      AND id IN ${inList(choices.flatMap(({ id }) => (id === undefined ? [] : [id])))}`,
    row => Number(row.id),
  )

/** Adds the ids that are unknown and come without data to fall back on. */
export function reportUnknownIds(
  kind: AnyKind,
  choices: readonly LinkChoice[],
  known: readonly number[],
  problems: Problems,
): void {
  const missing = choices.filter(({ id, values }) => id !== undefined && !values && !known.includes(id))
  if (missing.length > 0)
    problems.add(kind.singular, `there is no ${kind.singular} ${missing.map(({ id }) => id).join(', ')}`)
}

/** The statement that takes all of an event's links of a kind away. */
export const removeLinks = ({ links }: AnyKind, event: SQL | number): SQL =>
  sql`DELETE FROM ${links} WHERE event_id = ${event}`

/** The statements that link an event to these, in this order, making new ones first. */
export function addLinks(
  kind: AnyKind,
  event: SQL | number,
  choices: readonly LinkChoice[],
  known: readonly number[],
  view: View,
): SQL[] {
  const targets = choices.map(({ id, values }) => {
    if (id !== undefined && known.includes(id)) return { insert: [], id }
    return findOrInsert(kind, values ?? {}, view)
  })
  const existing = targets.flatMap(({ id }, position) => (typeof id === 'number' ? [[id, position]] : []))
  return [
    ...targets.flatMap(({ insert }) => insert),
    ...(existing.length === 0
      ? []
      : [
          sql`INSERT INTO ${kind.links} (event_id, target_id, position)
            SELECT ${event}, value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(existing)}) WHERE true
            ON CONFLICT DO NOTHING`,
        ]),
    ...targets.flatMap(({ id }, position) =>
      typeof id === 'number'
        ? []
        : [
            sql`INSERT INTO ${kind.links} (event_id, target_id, position) VALUES (${event}, ${id}, ${position})
              ON CONFLICT DO NOTHING`,
          ],
    ),
  ]
}
