import { and, eq, gt } from 'drizzle-orm'
import {
  checkNames,
  type ListFilters,
  NO_FILTER_CHECK,
  selectFilterCheck,
} from '../../calendar/changes/followed-lists.ts'
import { storedColumns } from '../../calendar/content/fields.ts'
import { DIGEST_DAYS } from '../../calendar/digest/digest.ts'
import { DATE_PARAMS } from '../../calendar/events/interval.ts'
import { emailLinkRemovalStatement, newEmailLink, selectContact } from '../../calendar/users/email.ts'
import { assertFewMailedLinks, countsOfLink } from '../../calendar/users/link-limits.ts'
import type { BaseContext, RequestContext } from '../../kit/context.ts'
import { insertedId, recorded } from '../../kit/db/audit.ts'
import { newestId } from '../../kit/db/bulk.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { combineQueries, type RowOfQuery, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import type { WrittenRow } from '../../kit/http/managed-resource.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { withoutUndefined } from '../../kit/lib/values.ts'
import { selectUsedUp } from '../../kit/work/counts.ts'
import { isOwnMailbox, OWN_ADDRESS } from '../../kit/work/mail.ts'
import { type LetterRow, requireLetter, selectLetterById } from './queries.ts'
import { LETTER_FIELDS, type LetterFields, type LetterResponse } from './schema.ts'
import { isConfirmed, nextSending } from './state.ts'
import { letterDeliveries, letters } from './tables.ts'

/** The most letters. Each is looked at once a minute, and sends an e-mail a week. */
export const MAX_LETTERS = 20

/** The list whose filters letters have. */
const FILTERED_LISTS = ['events'] as const

/** Parameters for what a letter itself decides: its days, and that its events are public. */
const DENIED_FILTERS: readonly string[] = [...DATE_PARAMS, 'happening', 'strict_dates', 'status']

type PreparedLetter = {
  stored: LetterRow | undefined
  fields: string[]
  /** The columns that the request sets. */
  given: Partial<LetterRow>
  /** True if a link is to be sent to its address. */
  needsLink: boolean
  login: string
}

/** A query for the facts on which a write of a letter depends. */
export const selectNeededForLetter = (context: BaseContext, { filters, to = '' }: Partial<LetterFields>) =>
  combineQueries({
    // Stored filters were checked when they were set.
    checkFilters: filters ? selectFilterCheck(context, filters) : NO_FILTER_CHECK,
    contact: selectContact(context.caller.id),
    usedUpLinks: selectUsedUp(context.clock, countsOfLink(context, to)),
  })

function checkFilterNames(filters: ListFilters, errors: ValidationErrors): void {
  const deniedNames = Object.keys(filters).filter(name => DENIED_FILTERS.includes(name))
  if (deniedNames.length > 0)
    errors.add(
      'filters',
      `must not have ${deniedNames.join(', ')}: a letter has days of its own, and public events only`,
    )
  checkNames(FILTERED_LISTS, filters, errors)
}

const letterColumnsOf = storedColumns(LETTER_FIELDS, letters)

/** The columns that a new letter has if a request doesn't set them. */
const newLetter = ({ settings, api, clock }: BaseContext) => ({
  name: '',
  to_email: '',
  weekday: 'monday' as const,
  hour: 0,
  active: true,
  days: DIGEST_DAYS,
  language: settings.website.language,
  subject: '',
  confirmed_email: '',
  api,
  created_utc: clock.now(),
})

type LetterInput = {
  values: Partial<LetterFields>
  fields: string[]
  stored: LetterRow | undefined
  needed: RowOfQuery<typeof selectNeededForLetter>
}

/** Prepares the write of a letter, or adds errors. @throws ApiError if there are too many links */
export function prepareLetter(
  { settings }: BaseContext,
  { values, fields, stored, needed }: LetterInput,
  errors: ValidationErrors,
): PreparedLetter {
  const { to, filters } = values
  if (filters) checkFilterNames(filters, errors)
  needed.checkFilters(FILTERED_LISTS, errors)
  if (to !== undefined && isOwnMailbox(settings, to)) errors.add('to', OWN_ADDRESS)
  const needsLink = to !== undefined && to !== stored?.confirmed_email
  if (needsLink && !errors.hasAny) assertFewMailedLinks(needed.usedUpLinks)
  const given = withoutUndefined({
    ...letterColumnsOf(values),
    ...(to !== undefined && { to_email: to }),
    ...(filters && { filters: JSON.stringify(filters) }),
  })
  return {
    stored,
    fields,
    needsLink,
    given,
    login: needed.contact?.login ?? '',
  }
}

/**
 * Makes or changes a letter, and then sends a link if its address has to be confirmed. `link_sent` says
 * whether the link was sent.
 */
export async function writeLetter(
  context: RequestContext,
  { stored, fields, given, needsLink, login }: PreparedLetter,
): Promise<WrittenRow<LetterRow, LetterResponse>> {
  const zone = context.settings.timezone
  const wholeLetter = { ...(stored ?? newLetter(context)), ...given }
  // Any other change leaves a time that has come to the cron, so that what is due is still sent.
  const isNewTime =
    !stored?.active ||
    !isConfirmed(stored) ||
    stored.weekday !== wholeLetter.weekday ||
    stored.hour !== wholeLetter.hour
  const times = isNewTime ? { zone, next_utc: nextSending(wholeLetter, context.clock.now(), zone) } : {}
  const id = stored?.id ?? newestId(letters)
  const link = needsLink
    ? await newEmailLink(context, {
        email: wholeLetter.to_email,
        login,
        row: { kind: 'letter', id, name: wholeLetter.name },
      })
    : undefined
  const statements: Statement[] = stored
    ? [
        ...recorded(
          context,
          build
            .update(letters)
            .set({ ...given, ...times, api: context.api, version: stored.version + 1 })
            .where(eq(letters.id, stored.id)),
          { action: 'update', kind: 'letter', fields, id: stored.id },
        ),
        ...(wholeLetter.active && wholeLetter.to_email === wholeLetter.confirmed_email
          ? []
          : [triesEndStatement(stored.id)]),
      ]
    : [
        ...recorded(context, build.insert(letters).values({ ...wholeLetter, ...times }), {
          action: 'create',
          kind: 'letter',
          fields,
          id: insertedId,
        }),
        conflictIf(gt(build.$count(letters), MAX_LETTERS)),
      ]
  const row = requireLetter(
    await context.db.write([...statements, ...(link?.statements ?? [])], selectLetterById(id)),
  )
  return { row, ...(link && { once: { link_sent: (await link.send()).state === 'sent' } }) }
}

/** The statement that ends the tries of a letter that is no longer to be sent. */
const triesEndStatement = (id: number): Statement =>
  build
    .update(letterDeliveries)
    .set({ state: 'failed', next_try_utc: null })
    .where(and(eq(letterDeliveries.letter_id, id), eq(letterDeliveries.state, 'waiting')))

export const deleteLetter = (context: BaseContext, { id, version, name }: LetterRow): Promise<void> =>
  context.db.write([
    // Fails if the letter was changed since it was read.
    build
      .update(letters)
      .set({ version: version + 1 })
      .where(eq(letters.id, id)),
    build.delete(letterDeliveries).where(eq(letterDeliveries.letter_id, id)),
    emailLinkRemovalStatement('letter', id),
    ...recorded(context, build.delete(letters).where(eq(letters.id, id)), {
      action: 'delete',
      kind: 'letter',
      changed: { name: [name, null] },
      id,
    }),
  ])
