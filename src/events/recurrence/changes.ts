import { uploadedPath } from '../../content/images.ts'
import { publicationOf } from '../../content/publication.ts'
import type { RequestContext } from '../../context.ts'
import { ValidationErrors } from '../../lib/errors.ts'
import { slugify } from '../../lib/slug.ts'
import { columnsOf } from '../columns.ts'
import type { LinkChoice } from '../relations/choices.ts'
import { type LookedUp, resolveRelations } from '../relations/lookups.ts'
import type { EventFields } from '../schema.ts'
import { timesOf } from '../times.ts'
import { copiedColumns, type FieldName, isDetachedIn, isSharedField, namesOf, TIMES } from './shared.ts'
import type { StoredEvent } from './stored.ts'
import { textsOf } from './texts.ts'

type Values = Partial<EventFields>
type Input = { values: Values; found: LookedUp; stored: StoredEvent }

/**
 * The values that change an occurrence. Clients send back whole events to change one field: what they leave as it is must
 * not be detached from the series, nor be written to all occurrences.
 */
export const changedValues = (context: RequestContext, input: Input): Values =>
  pick(input.values, changeTest(context, input))

/**
 * The values that change a series. If there is nothing in them that the named occurrence doesn't have, they are about what
 * it has of its own, and all others are to get it.
 */
export function sharedValues(context: RequestContext, input: Input): Values {
  const changed = changedValues(context, input)
  if (input.values.recurrence !== undefined || namesOf(changed).some(isSharedField)) return changed
  const detached = textsOf(input.stored.detached)
  return { ...changed, ...pick(input.values, name => isSharedField(name) && isDetachedIn(detached, name)) }
}

function pick(values: Values, isWanted: (name: FieldName) => boolean): Values {
  const wanted = namesOf(values).filter(isWanted)
  // A selection of the given values.
  return Object.fromEntries(wanted.map(name => [name, values[name]])) as Values
}

/** Makes a function that tells if the value of a field differs from the stored event. */
function changeTest(context: RequestContext, { values, found, stored }: Input): (name: FieldName) => boolean {
  const next: Readonly<Record<string, unknown>> = {
    ...columnsOf(context, { values, stored }),
    ...publicationOf(context, { given: values, stored }),
    ...timesOf(context, { values, stored }, new ValidationErrors()),
  }
  const before: Readonly<Record<string, unknown>> = stored
  const differs = (column: string) => next[column] !== undefined && next[column] !== before[column]
  const isRelated = relationTest({ values, found, stored })
  return name => {
    if (name === 'image') return !isSameImage(values.image, stored)
    if (name === 'categories' || name === 'tags' || name === 'venue' || name === 'organizer')
      return !isRelated(name)
    if (name === 'slug') return slugify(values.slug ?? '') !== stored.slug && values.slug !== ''
    if (TIMES.some(time => time === name)) return differs(name) || differs(`utc_${name}`)
    if (name === 'status' || name === 'description' || name === 'excerpt') return differs(name)
    const columns = [...copiedColumns([name]).keys()]
    return columns.length === 0 || columns.some(differs)
  }
}

function isSameImage(choice: Values['image'], { image_id, series }: StoredEvent): boolean {
  if (!choice) return image_id === null
  if ('id' in choice) return choice.id === image_id
  return 'url' in choice && [choice.url, uploadedPath(choice.url)].includes(series?.relations.image ?? '')
}

/** Makes a function that tells if a field names the relations that an event has already. */
function relationTest({ values, found, stored }: Input) {
  const relations = stored.series?.relations
  const resolved = resolveRelations(values, found, new ValidationErrors())
  const isSame = (ids: readonly number[], known: readonly number[] = []) =>
    ids.length === known.length && ids.every((id, i) => id === known[i])
  const sameLinks = (choices: readonly LinkChoice[] = [], known: readonly number[], before?: number[]) =>
    choices.every(({ id }) => id !== undefined && known.includes(id)) &&
    isSame(
      choices.flatMap(({ id }) => id ?? []),
      before,
    )
  const sorted = (ids: readonly number[] = []) => [...new Set(ids)].sort((a, b) => a - b)
  return (name: 'categories' | 'tags' | 'venue' | 'organizer'): boolean => {
    if (name === 'venue') return sameLinks(values.venue, found.venues, relations?.venue)
    if (name === 'organizer') return sameLinks(values.organizer, found.organizers, relations?.organizer)
    const { ids, names } = resolved[name]
    return names.length === 0 && isSame(sorted(ids), sorted(relations?.[name]))
  }
}

/** The names of the fields that an update of one occurrence detaches from its series. */
export const detachedBy = (changed: Values, status: string, stored: StoredEvent): FieldName[] =>
  namesOf(changed).filter(name => {
    if (!isSharedField(name)) return false
    // An occurrence in the trash is one that the rule leaves out; restored, it is as the series again.
    return name !== 'status' || (status !== 'trash' && status !== stored.series?.status)
  })
