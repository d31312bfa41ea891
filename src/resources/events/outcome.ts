import type { RequestContext } from '../../context.ts'
import { type Query, together } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { type Holders, reportTaken, selectHolders } from '../content/external-ids.ts'
import type { ImageChoice } from '../content/image-choice.ts'
import { otherImage } from '../content/images.ts'
import { type Publication, publicationOf } from '../content/publication.ts'
import {
  assertAuthor,
  type KnownReferences,
  knownAmong,
  reportReferences,
  selectReferences,
} from '../content/references.ts'
import { assertMayUpload } from '../content/uploads.ts'
import { isReadable } from '../content/visibility.ts'
import { columnsOf } from './columns.ts'
import { EVENTS } from './kind.ts'
import type { StoredEvent } from './recurrence/stored.ts'
import {
  type FoundRelations,
  lookUpRelations,
  type Relations,
  resolveRelations,
} from './relations/resolve.ts'
import type { EventFields } from './schema.ts'
import { type Times, timesOf } from './times.ts'

type Values = Partial<EventFields>

/** The rows that the fields of events refer to. */
export type FoundForEvents = {
  references: KnownReferences
  holders: Holders
  parents: ReadonlySet<number>
  relations: FoundRelations
}

/** A query of the rows that the values of several events refer to. It has no statements if there are none. */
export const lookUp = (context: RequestContext, values: readonly Values[]): Query<FoundForEvents> =>
  together({
    references: selectReferences(context, values),
    holders: selectHolders(context, EVENTS, values),
    parents: knownAmong(
      events,
      values.flatMap(({ post_parent: id }) => (id ? [id] : [])),
      () => isReadable(events, context),
    ),
    relations: lookUpRelations(context, values),
  })

/** What the values of a request make of an event, worked out once. Columns and relations that they don't name are absent. */
export type EventOutcome<S extends StoredEvent | undefined = StoredEvent | undefined> = {
  values: Values
  /** The event before an update. */
  stored: S
  times: Times
  publication: Publication
  columns: ReturnType<typeof columnsOf>
  relations: Relations
  /** The image, if it is another one than before. */
  image: ImageChoice | undefined
}

type Input<S> = { values: Values; found: FoundForEvents; stored: S }

/**
 * Works out what the values of a request make of an event.
 *
 * @param errors gets those of references, and of fields that depend on others
 * @throws ApiError `rest_forbidden` if the caller may not send these fields
 */
export function outcomeOf<S extends StoredEvent | undefined>(
  context: RequestContext,
  { values, found, stored }: Input<S>,
  errors: ValidationErrors,
): EventOutcome<S> {
  assertAuthor(context, { author: values.author, ...(stored && { owner: stored.author_id }) })
  assertMayUpload(context, values.image)
  const relations = resolveRelations(context, { values, found: found.relations }, errors)
  reportReferences(context, { values, known: found.references }, errors)
  reportTaken(EVENTS, values, { holders: found.holders, own: stored?.id }, errors)
  const { post_parent: parent } = values
  if (parent && !found.parents.has(parent)) errors.add('post_parent', `there is no event ${parent}`)
  if (stored && parent === stored.id) errors.add('post_parent', 'an event cannot be its own parent')
  return {
    values,
    stored,
    relations,
    times: timesOf(context, { values, stored }, errors),
    columns: columnsOf(context, { values, stored }, errors),
    publication: publicationOf(context, { given: values, stored }),
    image: stored
      ? otherImage(values.image, { image_id: stored.image_id, image: stored.relations?.image })
      : values.image,
  }
}
