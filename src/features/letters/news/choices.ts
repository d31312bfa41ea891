import { eq, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { first, type Query, type Statement } from '../../../db/query.ts'
import { build } from '../../../db/statements.ts'
import { NAMESPACE } from '../../../settings.ts'
import { newsChoices, subscribers } from '../tables.ts'

/** What a subscriber gets: events in any of these categories that are at any of these venues and by any of these organizers. */
export type Choice = {
  categories?: readonly number[] | undefined
  venues?: readonly number[] | undefined
  organizers?: readonly number[] | undefined
}

/** The most ids of each kind in a choice. */
export const MOST_CHOSEN = 10

/** The kinds of a choice, each with the parameter of the list of events. */
const PARAMETERS = { categories: 'categories', venues: 'venue', organizers: 'organizer' } as const
export type ChoiceKind = keyof typeof PARAMETERS
export const CHOICE_KINDS = ['categories', 'venues', 'organizers'] as const satisfies readonly ChoiceKind[]

/** The parameters of the list of events for a choice, in the same text for equal choices. */
export function filtersOf(choice: Choice): string {
  const given = CHOICE_KINDS.flatMap(kind => {
    const ids = [...new Set(choice[kind])].sort((a, b) => a - b)
    return ids.length > 0 ? [[PARAMETERS[kind], ids] as const] : []
  })
  return JSON.stringify(Object.fromEntries(given))
}

/** The choice of stored parameters, in which merges of what they name leave texts. */
export function choiceIn(filters: string): Choice {
  // This module wrote it.
  const stored = JSON.parse(filters) as Readonly<Record<string, readonly (string | number)[]>>
  return Object.fromEntries(CHOICE_KINDS.map(kind => [kind, stored[PARAMETERS[kind]]?.map(Number)]))
}

/** A choice in a language, for which one e-mail is composed. */
type ChoiceToStore = { choice: Choice; language: string }

/** The statement that stores a choice unless it is stored, and an expression of its id. */
export function storedChoice(
  { api }: Pick<RequestContext, 'api'>,
  { choice, language }: ChoiceToStore,
): { statement: Statement; id: SQL } {
  const [filters, base] = [filtersOf(choice), `${new URL(api).origin}/${NAMESPACE}`]
  const isIt = sql`filters = ${filters} AND language = ${language} AND api = ${base}`
  return {
    statement: sql`INSERT INTO ${newsChoices} (filters, language, api)
      SELECT ${filters}, ${language}, ${base} WHERE NOT EXISTS (SELECT 1 FROM ${newsChoices} WHERE ${isIt})`,
    id: sql`(SELECT min(id) FROM ${newsChoices} WHERE ${isIt})`,
  }
}

/** The statement that deletes choices which nobody has any more. */
export const forgetChoices: Statement = sql`DELETE FROM ${newsChoices}
  WHERE NOT EXISTS (SELECT 1 FROM ${subscribers} WHERE choice_id = ${newsChoices.id})`

export type ChoiceRow = typeof newsChoices.$inferSelect

/** A query for a stored choice. */
export const choiceById = (id: number): Query<ChoiceRow | undefined> =>
  first(build.select().from(newsChoices).where(eq(newsChoices.id, id)))
