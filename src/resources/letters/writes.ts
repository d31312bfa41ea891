import { and, eq, gt, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { recordChange, recordInsert } from '../../db/audit.ts'
import { conflictIf } from '../../db/conflicts.ts'
import type { Statement } from '../../db/query.ts'
import { emailLinks, letterDeliveries, letters } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { ApiError, type ValidationErrors } from '../../lib/errors.ts'
import type { NothingLeft } from '../content/resource.ts'
import { DATE_PARAMS } from '../events/listing/interval.ts'
import { assertFewEmailLinks, newEmailLink, type UserContact } from '../users/email.ts'
import { checkNames, type FilterCheck, type WebhookFilters } from '../webhooks/filters.ts'
import { nextSending } from './compose.ts'
import { DIGEST_DAYS } from './digest.ts'
import { assertLetter, type LetterRow, letterById } from './queries.ts'
import type { LetterFields } from './schema.ts'

/** Each is looked at once a minute, and sends an e-mail a week. */
export const MOST_LETTERS = 20

/** The list whose filters letters have. */
export const EVENT_TYPES = ['event.created'] as const

/** Parameters that say what a letter itself decides: its days, and that it is for everybody. */
const NO_FILTERS: readonly string[] = [...DATE_PARAMS, 'happening', 'strict_dates', 'status']

/** The columns of a letter that users set. */
type LetterValues = Pick<
  LetterRow,
  | 'name'
  | 'filters'
  | 'days'
  | 'weekday'
  | 'hour'
  | 'language'
  | 'subject'
  | 'intro'
  | 'to_email'
  | 'empty'
  | 'active'
>

/** A letter that is to be written. */
export type PreparedLetter = {
  stored: LetterRow | undefined
  fields: string[]
  values: LetterValues
  /** True if a link is to be sent to its address. */
  asks: boolean
  login: string
}

type LetterInput = {
  values: Partial<LetterFields>
  stored?: LetterRow
  count: number
  checkFilters: FilterCheck
  contact: UserContact | undefined
  hasTooManyLinks: boolean
}

/** Adds errors for filters that letters don't have. */
function checkFilterNames(filters: WebhookFilters, errors: ValidationErrors): void {
  const own = Object.keys(filters).filter(name => NO_FILTERS.includes(name))
  if (own.length > 0) errors.add('filters', `must not have ${own.join(', ')}: a letter has its own days`)
  checkNames(EVENT_TYPES, filters, errors)
}

/** Works out what is to be written of a letter, or adds errors. @throws ApiError if there are too many, or too many links */
export function prepareLetter(
  context: RequestContext,
  { values: given, stored, count, checkFilters, contact, hasTooManyLinks }: LetterInput,
  errors: ValidationErrors,
): PreparedLetter {
  const { to, filters, name, days, weekday, hour, language, subject, intro, empty, active, ...rest } = given
  rest satisfies NothingLeft
  if (!stored && count >= MOST_LETTERS)
    throw new ApiError('letters-are-too-many', `There are ${MOST_LETTERS} letters already.`)
  if (filters) checkFilterNames(filters, errors)
  checkFilters(EVENT_TYPES, errors)
  const asks = to !== undefined && to !== stored?.confirmed_email
  if (asks && !errors.any) assertFewEmailLinks(hasTooManyLinks)
  return {
    stored,
    asks,
    login: contact?.login ?? '',
    fields: Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [field])),
    values: {
      name: name ?? stored?.name ?? '',
      filters: filters ? JSON.stringify(filters) : (stored?.filters ?? '{}'),
      days: days ?? stored?.days ?? DIGEST_DAYS,
      weekday: weekday ?? stored?.weekday ?? 'monday',
      hour: hour ?? stored?.hour ?? 0,
      language: language ?? stored?.language ?? context.settings.website.language,
      subject: subject ?? stored?.subject ?? '',
      intro: intro ?? stored?.intro ?? '',
      to_email: to ?? stored?.to_email ?? '',
      empty: empty ?? stored?.empty ?? 'skip',
      active: active ?? stored?.active ?? true,
    },
  }
}

/** The id of the row that the transaction has inserted: ids only grow. */
const newest = sql`(SELECT max(id) FROM ${letters})`

/** Makes or changes a letter, and then sends a link if its address has to be confirmed. @returns the row, and whether that was sent */
export async function writeLetter(
  context: RequestContext,
  { stored, fields, values, asks, login }: PreparedLetter,
): Promise<{ row: LetterRow; linkSent: boolean | undefined }> {
  const id = stored?.id ?? newest
  const link = asks
    ? await newEmailLink(context, { email: values.to_email, login, letter: { id, name: values.name } })
    : undefined
  const zone = context.settings.timezone
  const set = { ...values, api: context.api, zone, next_utc: nextSending(values, context.now, zone) }
  const statements: Statement[] = stored
    ? updateStatements(context, stored, { set, fields })
    : [
        build.insert(letters).values({ ...set, created_utc: context.now }),
        recordInsert(context, 'letter', fields),
        conflictIf(gt(build.$count(letters), MOST_LETTERS)),
      ]
  const row = assertLetter(
    await context.db.change([...statements, ...(link ? [link.statement] : [])], letterById(id)),
  )
  return { row, linkSent: link && (await link.send()).state === 'sent' }
}

function updateStatements(
  context: RequestContext,
  { id, version, confirmed_email }: LetterRow,
  { set, fields }: { set: LetterValues & Partial<LetterRow>; fields: readonly string[] },
): Statement[] {
  const isSent = set.active && set.to_email === confirmed_email
  return [
    build
      .update(letters)
      .set({ ...set, version: version + 1 })
      .where(eq(letters.id, id)),
    recordChange(context, { action: 'update', kind: 'letter', fields }, id),
    // What waits for another try is about a letter that is no longer to be sent.
    ...(isSent
      ? []
      : [
          build
            .update(letterDeliveries)
            .set({ state: 'failed', next_try_utc: null })
            .where(and(eq(letterDeliveries.letter_id, id), eq(letterDeliveries.state, 'waiting'))),
        ]),
  ]
}

/** Deletes a letter, with all that is known of it. */
export const deleteLetter = (context: RequestContext, { id, version }: LetterRow): Promise<void> =>
  context.db.change([
    // Fails if it was changed since it was read.
    build
      .update(letters)
      .set({ version: version + 1 })
      .where(eq(letters.id, id)),
    build.delete(letterDeliveries).where(eq(letterDeliveries.letter_id, id)),
    build.delete(emailLinks).where(eq(emailLinks.letter_id, id)),
    build.delete(letters).where(eq(letters.id, id)),
    recordChange(context, { action: 'delete', kind: 'letter' }, id),
  ])
