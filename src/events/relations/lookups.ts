import { type SQL, sql } from 'drizzle-orm'
import { assertAuthor, contentReferences } from '../../content/references.ts'
import type { RelatedTables } from '../../content/related/kind.ts'
import { isReadable } from '../../content/visibility.ts'
import type { RequestContext } from '../../context.ts'
import { type Query, together } from '../../db/query.ts'
import { byId, reportUnknown, type UnknownValues, unknownValues } from '../../db/references.ts'
import { events } from '../../db/schema.ts'
import { ValidationErrors } from '../../lib/errors.ts'
import { ORGANIZERS } from '../../organizers/kind.ts'
import { VENUES } from '../../venues/kind.ts'
import type { EventFields } from '../schema.ts'
import type { LinkChoice } from './choices.ts'
import {
  addLinks,
  knownIds,
  type NestedClaim,
  nestedClaims,
  removeLinks,
  reportNested,
  reportUnknownIds,
} from './content-links.ts'
import type { Owner } from './owner.ts'
import {
  addTerms,
  assertNewTerms,
  type Candidate,
  candidateTerms,
  type ResolvedTerms,
  removeTerms,
  resolveTerms,
} from './term-links.ts'

type Values = Partial<EventFields>

/** Existing rows that the fields of a request refer to. */
export type LookedUp = {
  unknown: UnknownValues[]
  venueClaims: NestedClaim[]
  organizerClaims: NestedClaim[]
  venues: number[]
  organizers: number[]
  categories: Candidate[]
  tags: Candidate[]
}

const NONE: Query<never[]> = { statements: [], read: () => [] }

/** A query of the rows that the fields of an event refer to by id or name. It has no statements if there are none. */
export function lookUpRelations(context: RequestContext, values: Values): Query<LookedUp> {
  const { venue, organizer, categories, tags, post_parent } = values
  const references = [
    ...contentReferences(context, values),
    ...nestedValues(venue).flatMap(nested => contentReferences(context, nested, 'venue')),
    ...nestedValues(organizer).flatMap(nested => contentReferences(context, nested, 'organizer')),
    ...(post_parent
      ? [byId('post_parent', 'event', [post_parent], sql`${events}`, isReadable(events, context))]
      : []),
  ]
  return together({
    unknown: unknownValues(references),
    venueClaims: nestedClaims(context, VENUES, venue),
    organizerClaims: nestedClaims(context, ORGANIZERS, organizer),
    venues: venue?.length ? knownIds(context, VENUES, venue) : NONE,
    organizers: organizer?.length ? knownIds(context, ORGANIZERS, organizer) : NONE,
    categories: categories?.length ? candidateTerms('event_category', categories) : NONE,
    tags: tags?.length ? candidateTerms('event_tag', tags) : NONE,
  })
}

/** The values of new venues or organizers among some choices. */
const nestedValues = (choices: readonly LinkChoice[] = []) =>
  choices.flatMap(({ values }) => (values ? [values] : []))

/** The resolved relations of an event: existing rows by id, new terms by name. */
export type Relations = {
  venues: number[]
  organizers: number[]
  categories: ResolvedTerms
  tags: ResolvedTerms
}

/** Resolves the relations that fields name. @param errors gets an error for each field with unknown ones */
export function resolveRelations(
  { categories = [], tags = [], venue = [], organizer = [] }: Values,
  found: LookedUp,
  errors: ValidationErrors,
): Relations {
  reportUnknown(errors, found.unknown)
  reportNested(found.venueClaims, found.venues, errors)
  reportNested(found.organizerClaims, found.organizers, errors)
  reportUnknownIds(VENUES, venue, found.venues, errors)
  reportUnknownIds(ORGANIZERS, organizer, found.organizers, errors)
  return {
    venues: found.venues,
    organizers: found.organizers,
    categories: resolveTerms('categories', categories, found.categories, errors),
    tags: resolveTerms('tags', tags, found.tags, errors),
  }
}

/** The relations of values that have been validated. */
export const resolved = (values: Values, found: LookedUp): Relations =>
  resolveRelations(values, found, new ValidationErrors())

/**
 * Checks that the caller may create the venues, organizers and terms that are nested in an event.
 *
 * @throws ApiError `rest_forbidden` if the caller may not give a new venue or organizer to its author, or create a term
 */
export function permitRelations(
  context: RequestContext,
  { values, found }: { values: Values; found: LookedUp },
): void {
  for (const nested of [...nestedValues(values.venue), ...nestedValues(values.organizer)])
    assertAuthor(context, nested)
  const { categories, tags } = resolveRelations(values, found, new ValidationErrors())
  assertNewTerms([categories, tags], context.caller)
}

/** The statements that delete an owner's links of the kinds that a request names. */
export const unlinkStatements = (values: Values, owner: Owner): SQL[] => [
  ...(values.categories ? [removeTerms('event_category', owner)] : []),
  ...(values.tags ? [removeTerms('event_tag', owner)] : []),
  ...(values.venue ? [removeLinks(VENUES, owner)] : []),
  ...(values.organizer ? [removeLinks(ORGANIZERS, owner)] : []),
]

type Linking = { values: Values; owner: Owner; relations: Relations }

/** The statements that link an owner to the rows that a request names. */
export function linkStatements(context: RequestContext, { values, owner, relations }: Linking): SQL[] {
  const related = (kind: RelatedTables, choices: readonly LinkChoice[] = [], known: readonly number[]) =>
    addLinks(context, { kind, owner, choices, known })
  return [
    ...addTerms('event_category', owner, relations.categories, context),
    ...addTerms('event_tag', owner, relations.tags, context),
    ...related(VENUES, values.venue, relations.venues),
    ...related(ORGANIZERS, values.organizer, relations.organizers),
  ]
}
