import { type SQL, sql } from 'drizzle-orm'
import { readableSql } from '../../../../calendar/content/visibility.ts'
import { termReadableSql } from '../../../../calendar/terms/queries.ts'
import type { BaseContext } from '../../../../kit/context.ts'
import { listings } from '../../../../kit/db/derived.ts'
import {
  combineQueries,
  inList,
  literal,
  many,
  type Query,
  readNumber,
  readText,
} from '../../../../kit/db/query.ts'
import { eventOrganizers, eventVenues, organizers, terms, venues } from '../../../../kit/db/tables.ts'
import type { Offer } from '../../../../site/forms/control.ts'
import { inTreeOrder } from '../../../../site/html/finder.ts'
import { hueClass } from '../../../../site/html/picture.ts'
import { selectUsedCategories } from '../../../../site/html/queries.ts'
import { plain } from '../../../../site/html/text.ts'
import { CHOICE_KINDS, type ChoiceKind, type NewsChoice } from '../choices.ts'

/** What the form offers of each kind, including what was chosen before. */
export type NewsOffers = Readonly<Record<ChoiceKind, readonly Offer[]>>

/** The most coming events whose venues and organizers are counted: the most frequent ones are offered. */
const MAX_COMING_EVENTS = 300
const MAX_OFFERED = 24

type Related = {
  table: typeof venues | typeof organizers
  links: typeof eventVenues | typeof eventOrganizers
}

function selectRelated(context: BaseContext, { table, links }: Related, chosenSql: SQL): Query<Offer[]> {
  const comingEvents = sql`SELECT event_id FROM ${listings} WHERE facet = 'event' AND target_id = 0 AND utc_start_date > ${context.clock.now()}
    ORDER BY utc_start_date LIMIT ${literal(MAX_COMING_EVENTS)}`
  const frequentIds = sql`SELECT link.target_id FROM (${comingEvents}) AS next CROSS JOIN ${links} AS link ON link.event_id = next.event_id
    GROUP BY link.target_id ORDER BY count(*) DESC, link.target_id LIMIT ${literal(MAX_OFFERED)}`
  return many(
    sql`SELECT ${table.id} AS id, ${table.name} AS name FROM ${table}
      WHERE (${table.id} IN (${frequentIds}) OR ${table.id} IN ${chosenSql}) AND ${readableSql(table, context)}
      ORDER BY ${table.name} COLLATE NOCASE, ${table.id}`,
    row => ({ id: readNumber(row.id), name: plain(readText(row.name)) }),
  )
}

const selectTerms = (context: BaseContext, ids: SQL): Query<Offer[]> =>
  many(
    sql`SELECT ${terms.id} AS id, ${terms.name} AS name FROM ${terms}
      WHERE ${terms.id} IN ${ids} AND ${terms.taxonomy} = 'event_category' AND ${termReadableSql(context)}`,
    row => ({ id: readNumber(row.id), name: plain(readText(row.name)) }),
  )

/**
 * A query for the choices in the form.
 *
 * @param chosenByKind the ids that are already chosen: lists or SELECTs, in parentheses
 */
export function selectOffers(
  context: BaseContext,
  chosenByKind: Readonly<Record<ChoiceKind, SQL>>,
): Query<NewsOffers> {
  return combineQueries(
    {
      used: selectUsedCategories(),
      chosen: selectTerms(context, chosenByKind.categories),
      venues: selectRelated(context, { table: venues, links: eventVenues }, chosenByKind.venues),
      organizers: selectRelated(
        context,
        { table: organizers, links: eventOrganizers },
        chosenByKind.organizers,
      ),
    },
    ({ used, chosen, ...related }) => {
      const offeredTerms = inTreeOrder(used).map(({ term }) => ({
        id: term.id,
        name: plain(term.name),
        className: hueClass(term),
        slug: term.slug,
      }))
      const otherTerms = chosen.filter(({ id }) => !offeredTerms.some(offer => offer.id === id))
      return { ...related, categories: [...offeredTerms, ...otherTerms] }
    },
  )
}

/** The ids of a choice, for the query of what is offered. */
export const chosenIds = ({
  categories = [],
  venues: venueIds = [],
  organizers: organizerIds = [],
}: NewsChoice): Record<ChoiceKind, SQL> => ({
  categories: inList(categories),
  venues: inList(venueIds),
  organizers: inList(organizerIds),
})

/**
 * The offers, and an offer of a given name for each choice that is not among them: it was hidden or deleted.
 */
export const withRemovedChoices = (offers: NewsOffers, choice: NewsChoice, name: string): NewsOffers => {
  const allOf = (kind: ChoiceKind): readonly Offer[] => [
    ...offers[kind],
    ...(choice[kind] ?? []).flatMap(id =>
      offers[kind].some(offer => offer.id === id) ? [] : [{ id, name }],
    ),
  ]
  return { categories: allOf('categories'), venues: allOf('venues'), organizers: allOf('organizers') }
}

/** The names of what was chosen, in the order of the kinds. */
export const chosenNames = (offers: NewsOffers, choice: NewsChoice): string[] =>
  CHOICE_KINDS.flatMap(kind =>
    offers[kind].flatMap(({ id, name }) => (choice[kind]?.includes(id) ? [name] : [])),
  )
