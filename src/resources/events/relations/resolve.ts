import type { RequestContext } from '../../../context.ts'
import { mapped, type Query, together } from '../../../db/query.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { reportTaken } from '../../content/external-ids.ts'
import { assertAuthor, knownAmong, reportReferences } from '../../content/references.ts'
import type { RelatedTables } from '../../content/related/kind.ts'
import { givenColumns, givenKey } from '../../content/related/same.ts'
import {
  type FoundRelated,
  lookUpRelated,
  preparedNew,
  type RelatedTarget,
} from '../../content/related/writes.ts'
import { isReadable } from '../../content/visibility.ts'
import { ORGANIZERS } from '../../organizers/kind.ts'
import { VENUES } from '../../venues/kind.ts'
import type { EventFields } from '../schema.ts'
import type { LinkChoice } from './choices.ts'
import {
  assertNewTerms,
  type FoundTerms,
  type ResolvedTerms,
  resolveTerms,
  selectTermsNamed,
} from './terms.ts'

type Values = Partial<EventFields>

/** The venues or organizers that events refer to. `known` are ids that the caller may read. */
type FoundLinks = FoundRelated & { known: ReadonlySet<number> }

/** The rows that the relations of events refer to. */
export type FoundRelations = {
  venue: FoundLinks
  organizer: FoundLinks
  categories: FoundTerms
  tags: FoundTerms
}

/** A query of the rows that the relations of several events refer to, by id or name. */
export function lookUpRelations(context: RequestContext, values: readonly Values[]): Query<FoundRelations> {
  const named = <N extends 'categories' | 'tags'>(name: N) => values.flatMap(one => one[name] ?? [])
  const linked = (kind: RelatedTables) => {
    const choices: LinkChoice[] = values.flatMap(one => one[kind.singular] ?? [])
    const ids = choices.flatMap(({ id }) => (id === undefined ? [] : [id]))
    return together({
      known: knownAmong(kind.table, ids, () => isReadable(kind.table, context)),
      related: lookUpRelated(
        context,
        kind,
        choices.flatMap(({ values: nested }) => (nested ? [nested] : [])),
      ),
    })
  }
  return mapped(
    together({
      venue: linked(VENUES),
      organizer: linked(ORGANIZERS),
      categories: selectTermsNamed(context, 'event_category', named('categories')),
      tags: selectTermsNamed(context, 'event_tag', named('tags')),
    }),
    ({ venue, organizer, ...terms }) => ({
      venue: { ...venue.related, known: venue.known },
      organizer: { ...organizer.related, known: organizer.known },
      ...terms,
    }),
  )
}

/** The relations that a write gives an event, resolved. Those that it doesn't name are absent. */
export type Relations = {
  venue?: RelatedTarget[]
  organizer?: RelatedTarget[]
  categories?: ResolvedTerms
  tags?: ResolvedTerms
}

/**
 * Resolves the relations that values name.
 *
 * @param errors gets an error for each field with unknown ones
 * @throws ApiError `rest_forbidden` if the caller may not give a new venue or organizer to its author, or create a term
 */
export function resolveRelations(
  context: RequestContext,
  { values, found }: { values: Values; found: FoundRelations },
  errors: ValidationErrors,
): Relations {
  const { venue, organizer, categories, tags } = values
  for (const { values: nested } of [...(venue ?? []), ...(organizer ?? [])])
    if (nested) assertAuthor(context, nested)
  const terms = {
    ...(categories && { categories: resolveTerms('categories', categories, found.categories, errors) }),
    ...(tags && { tags: resolveTerms('tags', tags, found.tags, errors) }),
  }
  assertNewTerms([terms.categories, terms.tags], context.caller)
  return {
    ...(venue && { venue: targetsOf(context, { kind: VENUES, choices: venue, found: found.venue }, errors) }),
    ...(organizer && {
      organizer: targetsOf(context, { kind: ORGANIZERS, choices: organizer, found: found.organizer }, errors),
    }),
    ...terms,
  }
}

type Linking = { kind: RelatedTables; choices: readonly LinkChoice[]; found: FoundLinks }

/** The venues or organizers that choices name: existing ones, and those to be made. */
function targetsOf(
  context: RequestContext,
  { kind, choices, found }: Linking,
  errors: ValidationErrors,
): RelatedTarget[] {
  const { singular } = kind
  const unknown = choices.filter(({ id, values }) => id !== undefined && !values && !found.known.has(id))
  if (unknown.length > 0)
    errors.add(singular, `there is no ${singular} ${unknown.map(({ id }) => id).join(', ')}`)
  return choices.flatMap(({ id, values }): RelatedTarget[] => {
    if (id !== undefined && found.known.has(id)) return [{ same: id }]
    if (!values) return []
    reportReferences(context, { values, known: found.references }, errors, singular)
    const holder = found.holders.get(values.external_id ?? '')
    if (holder?.isReadable) return [{ same: holder.id }]
    reportTaken(kind, values, { holders: found.holders, own: undefined }, errors, singular)
    const given = givenColumns(context, kind, values)
    const same = found.same.get(givenKey(given))
    return [same === undefined ? preparedNew(context, kind, { values, given }) : { same }]
  })
}
