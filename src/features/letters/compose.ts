import { COPIED_EVENTS } from '../../calendar/changes/events.ts'
import { type ListFilters, selectVisibleFilters } from '../../calendar/changes/followed-lists.ts'
import { renderDigest, selectDigest } from '../../calendar/digest/digest.ts'
import { followingSeries } from '../../calendar/events/schema.ts'
import type { BaseContext } from '../../kit/context.ts'
import { checkInput } from '../../kit/http/input.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { ANONYMOUS } from '../../kit/lib/roles.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { asError, logError } from '../../kit/work/error-log.ts'
import type { LetterRow } from './queries.ts'

/** A letter as it would be sent, and the number of its events. */
type ComposedLetter = { subject: string; html: string; text: string; events: number }

export const filtersOfLetter = ({ filters }: LetterRow): ListFilters => storedJson<ListFilters>(filters)

/** Stored filters without what visitors cannot see any more. @returns undefined if nothing is chosen then */
export const findFiltersForVisitors = (
  context: BaseContext,
  filters: ListFilters,
): Promise<ListFilters | undefined> =>
  context.db.read(selectVisibleFilters({ ...context, caller: ANONYMOUS }, filters))

/** @throws ApiError `rest_letter_cannot_be_sent` if visitors cannot see what its filters name */
export async function composeLetter(context: BaseContext, letter: LetterRow): Promise<ComposedLetter> {
  const { days, language, subject, name, intro } = letter
  const filters = await findFiltersForVisitors(context, filtersOfLetter(letter))
  if (!filters)
    throw new ApiError(
      'rest_letter_cannot_be_sent',
      'The filters of this letter name something that is not public or no longer exists.',
    )
  // The filters were checked when they were stored. Filters that a later version doesn't know are left out.
  const { values } = checkInput(COPIED_EVENTS.params, filters)
  const digest = await context.db.read(
    selectDigest(context, { values: followingSeries(values), days, from: context.clock.now() }),
  )
  const { html, text, shownCount } = renderDigest(context, digest, { language, intro })
  return { subject: subject || name, html, text, events: shownCount }
}

/** Why a letter can't be composed: because of what its filters name, or for a reason that the log has. */
type NotComposed = { reason: 'filters' | 'text' }

/** A letter as it would be sent now. */
export async function tryToCompose(
  context: BaseContext,
  letter: LetterRow,
): Promise<ComposedLetter | NotComposed> {
  try {
    return await composeLetter(context, letter)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rest_letter_cannot_be_sent') return { reason: 'filters' }
    logError('letter', asError(error))
    return { reason: 'text' }
  }
}
