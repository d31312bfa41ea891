import { type SQL, sql } from 'drizzle-orm'
import { readableSql } from '../../../calendar/content/visibility.ts'
import type { BaseContext } from '../../../kit/context.ts'
import {
  first,
  mapQuery,
  type Query,
  readText,
  resolvedQuery,
  type Statement,
} from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { organizers, terms, venues } from '../../../kit/db/tables.ts'
import { ANONYMOUS } from '../../../kit/lib/roles.ts'
import { mailLine } from '../../../kit/lib/text.ts'
import { storedJson } from '../../../kit/lib/values.ts'
import { NAMESPACE } from '../../../kit/settings.ts'
import { newsChoices, subscribers } from '../tables.ts'

/**
 * What a subscriber gets: events in any of these categories that are at any of these venues and by any of
 * these organizers.
 */
export type NewsChoice = {
  categories?: readonly number[] | undefined
  venues?: readonly number[] | undefined
  organizers?: readonly number[] | undefined
}

const MAX_NAME_LENGTH = 80

/** The most ids of each kind. */
export const MAX_CHOSEN = 10

/** The kinds of a choice, each with the parameter of the list of events. */
export const PARAMETERS = { categories: 'categories', venues: 'venue', organizers: 'organizer' } as const
export type ChoiceKind = keyof typeof PARAMETERS
export const CHOICE_KINDS = ['categories', 'venues', 'organizers'] as const satisfies readonly ChoiceKind[]

/** The parameters of the list of events for a choice, in the same text for equal choices. */
function filtersOfChoice(choice: NewsChoice): string {
  const givenFilters = CHOICE_KINDS.flatMap(kind => {
    const ids = [...new Set(choice[kind])].sort((a, b) => a - b)
    return ids.length > 0 ? [[PARAMETERS[kind], ids] as const] : []
  })
  return JSON.stringify(Object.fromEntries(givenFilters))
}

/** The choice in stored parameters. After merges of what they name, some of the ids in them are texts. */
export function choiceIn(filters: string): NewsChoice {
  const stored = storedJson<Readonly<Record<string, readonly (string | number)[]>>>(filters)
  return Object.fromEntries(CHOICE_KINDS.map(kind => [kind, stored[PARAMETERS[kind]]?.map(Number)]))
}

const TABLES = { categories: terms, venues, organizers } as const

/**
 * A query for the name of the only category, venue or organizer that is chosen, if it is public; '' in other
 * cases.
 */
export function selectOnlyName(context: BaseContext, choice: NewsChoice): Query<string> {
  const targets = CHOICE_KINDS.flatMap(each => [...new Set(choice[each])].map(id => ({ kind: each, id })))
  const [target, otherTarget] = targets
  if (!target || otherTarget) return resolvedQuery('')
  const anybody = { ...context, caller: ANONYMOUS }
  const { kind, id } = target
  // A category without public events has no news.
  const visibleSql = kind === 'categories' ? sql`1` : readableSql(TABLES[kind], anybody)
  const nameQuery = first(
    sql`SELECT name FROM ${TABLES[kind]} WHERE ${TABLES[kind].id} = ${id} AND ${visibleSql}`,
    row => mailLine(readText(row.name), MAX_NAME_LENGTH),
  )
  return mapQuery(nameQuery, name => name ?? '')
}

/** A choice in a language, for which one e-mail is composed. */
type ChoiceToStore = { choice: NewsChoice; language: string }

/** The statement that stores a choice unless it is stored, and an expression of its id. */
export function storedChoice(
  { api }: Pick<BaseContext, 'api'>,
  { choice, language }: ChoiceToStore,
): { statement: Statement; id: SQL } {
  const filters = filtersOfChoice(choice)
  const base = `${new URL(api).origin}/${NAMESPACE}`
  const sameChoiceSql = sql`filters = ${filters} AND language = ${language} AND api = ${base}`
  return {
    statement: sql`INSERT INTO ${newsChoices} (filters, language, api)
      SELECT ${filters}, ${language}, ${base} WHERE NOT EXISTS (SELECT 1 FROM ${newsChoices} WHERE ${sameChoiceSql})`,
    id: sql`(SELECT min(id) FROM ${newsChoices} WHERE ${sameChoiceSql})`,
  }
}

/** The statement that deletes a choice which somebody has left, unless others have it. */
export const choiceRemovalStatement = (id: number): Statement =>
  build
    .delete(newsChoices)
    .where(sql`id = ${id} AND NOT EXISTS (SELECT 1 FROM ${subscribers} WHERE choice_id = ${id})`)

export type ChoiceRow = typeof newsChoices.$inferSelect
