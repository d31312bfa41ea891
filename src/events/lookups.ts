import { type SQL, sql } from 'drizzle-orm'
import type { Query } from '../db/client.ts'
import { events } from '../db/schema.ts'
import type { Problems } from '../lib/errors.ts'
import type { Caller } from '../lib/roles.ts'
import { ORGANIZERS } from '../organizers/kind.ts'
import { byId, postReferences, reportUnknown, unknownValues } from '../posts/references.ts'
import { VENUES } from '../venues/kind.ts'
import type { View } from '../view.ts'
import { addLinks, knownIds, removeLinks, reportUnknownIds } from './post-links.ts'
import type { EventFields } from './schema.ts'
import {
  addTerms,
  candidateTerms,
  demandNewTerms,
  type ResolvedTerms,
  removeTerms,
  resolveTerms,
} from './term-links.ts'

type Values = Partial<EventFields>

/** What of the things that a request names there is. */
export type Lookups = {
  venues: number[]
  organizers: number[]
  categories: ResolvedTerms
  tags: ResolvedTerms
}

/** Enters what one query found, and the problem if it found too little. */
type Finding = (lookups: Lookups, problems: Problems) => void

const then = <T>(query: Query<T>, enter: (found: T) => Finding): Query<Finding> => ({
  sql: query.sql,
  read: rows => enter(query.read(rows)),
})

/** The queries for whatever a request names by id or name; none if it names nothing. */
export function lookupQueries(
  { venue, organizer, categories, tags, ...values }: Values,
  caller: Caller,
): Query<Finding>[] {
  const references = postReferences(values, caller)
  if (values.post_parent) references.push(byId('post_parent', 'event', [values.post_parent], sql`${events}`))
  const queries = references.map(reference =>
    then(
      unknownValues(reference),
      unknown => (_, problems) => reportUnknown(problems, [reference], [unknown]),
    ),
  )
  if (venue?.length)
    queries.push(
      then(knownIds(VENUES, venue), known => (lookups, problems) => {
        lookups.venues = known
        reportUnknownIds(VENUES, venue, known, problems)
      }),
    )
  if (organizer?.length)
    queries.push(
      then(knownIds(ORGANIZERS, organizer), known => (lookups, problems) => {
        lookups.organizers = known
        reportUnknownIds(ORGANIZERS, organizer, known, problems)
      }),
    )
  if (categories?.length)
    queries.push(
      then(candidateTerms('event_category', categories), found => (lookups, problems) => {
        lookups.categories = resolveTerms('categories', categories, found, problems)
      }),
    )
  if (tags?.length)
    queries.push(
      then(candidateTerms('event_tag', tags), found => (lookups, problems) => {
        lookups.tags = resolveTerms('tags', tags, found, problems)
      }),
    )
  return queries
}

/**
 * Puts together what {@link lookupQueries} found.
 *
 * @param problems gets what is unknown
 * @throws ApiError `rest_forbidden` if a new term would have to be made and the caller may not
 */
export function gather(findings: readonly Finding[], caller: Caller, problems: Problems): Lookups {
  const lookups: Lookups = {
    venues: [],
    organizers: [],
    categories: { ids: [], names: [] },
    tags: { ids: [], names: [] },
  }
  for (const enter of findings) enter(lookups, problems)
  demandNewTerms([lookups.categories, lookups.tags], caller)
  return lookups
}

/** The statements that unlink an event from what it had of the kinds that a request names. */
export const unlinkStatements = (values: Values, event: number): SQL[] => [
  ...(values.categories ? [removeTerms('event_category', event)] : []),
  ...(values.tags ? [removeTerms('event_tag', event)] : []),
  ...(values.venue ? [removeLinks(VENUES, event)] : []),
  ...(values.organizer ? [removeLinks(ORGANIZERS, event)] : []),
]

/** The statements that link an event to what a request names. */
export const linkStatements = (values: Values, event: SQL | number, lookups: Lookups, view: View): SQL[] => [
  ...addTerms('event_category', event, lookups.categories, view),
  ...addTerms('event_tag', event, lookups.tags, view),
  ...addLinks(VENUES, event, values.venue ?? [], lookups.venues, view),
  ...addLinks(ORGANIZERS, event, values.organizer ?? [], lookups.organizers, view),
]
