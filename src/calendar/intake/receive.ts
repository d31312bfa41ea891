import { sql } from 'drizzle-orm'
import type { BaseContext, ContentContext, RequestContext } from '../../kit/context.ts'
import { type ColumnValues, resolvedId, rowInsertStatements } from '../../kit/db/bulk.ts'
import { conflictIf, isUniqueViolation, retryConflicts } from '../../kit/db/failures.ts'
import { combineQueries, inList, many } from '../../kit/db/query.ts'
import { events, submissions } from '../../kit/db/tables.ts'
import { readWithRevision } from '../../kit/http/revision.ts'
import { assertHuman } from '../../kit/http/turnstile.ts'
import { ApiError, ValidationErrors } from '../../kit/lib/errors.ts'
import { hexDigest, randomHex } from '../../kit/lib/hash.ts'
import { proseIn } from '../../kit/lib/html.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { codedReason, MISSING } from '../../kit/lib/reasons.ts'
import type { Caller } from '../../kit/lib/roles.ts'
import { fold, htmlToText } from '../../kit/lib/text.ts'
import { dayOf, HOUR_MS, toEpoch } from '../../kit/lib/time.ts'
import { countStatements } from '../../kit/work/counts.ts'
import { keyedHash, senderDigest, type Ticket } from '../../kit/work/day-keys.ts'
import { isOwnMailbox, OWN_ADDRESS } from '../../kit/work/mail.ts'
import { firstDateOfNewSeries } from '../events/series-writes/start-and-end.ts'
import { eventWrites, writeEvents } from '../events/writes.ts'
import {
  assertFewLinks,
  assertOpen,
  readSenderCounts,
  type SubmissionToCheck,
  selectIsDateLimitReached,
  selectIsImageLimitReached,
  selectKnownIds,
  selectSubmissionFacts,
  tooMany,
  tooMuchSql,
} from './checks.ts'
import { MAX_TEXT, type SubmissionFields } from './schema.ts'
import { newSenderLink } from './sender-link.ts'
import { likenessToSpam, readableText, SPAM_ABOVE, type SubmittedText } from './spam.ts'

type SubmissionValues = Partial<SubmissionFields>

export type SentImage = {
  /** The texts that the image would have. */
  texts: readonly string[]
  /**
   * Adds the image to the library.
   * @returns its id; undefined to go on without it
   * @throws ApiError if it is not an image
   */
  upload: (author: Caller) => Promise<number | undefined>
}

type SentSubmission = {
  /** Checked fields. */
  values: SubmissionValues
  /** The form that was sent; absent for programs. */
  ticket?: Ticket
  image?: SentImage | undefined
  /** The e-mail that it was in; absent for forms and programs. */
  mail?: SentByMail
}

type SentByMail = {
  /** Identifies the submission: an e-mail that is delivered twice makes it once. */
  id: string
  /** True if the sender's address is surely the sender's. */
  isConfirmed: boolean
  /** Its text as received. */
  text: string
  /** What its text says of the event, if that doesn't take place as planned. */
  eventStatus?: 'canceled' | 'postponed' | undefined
}

type TakenSubmission = {
  /** The token of the submission's page. */
  token: string
  /** False if the same form or e-mail had been accepted before. Then the token of an e-mail is of no use. */
  isNew: boolean
  /** True if the same form had been accepted with another title, day or hour: this event is not stored. */
  isOther?: boolean
  isLikelySpam: boolean
}

const digestOfMail = (id: string): Promise<string> => hexDigest(`mail ${id}`)

/** Returns the ids of those among some e-mails that have submissions already. */
export async function findKnownMails(
  { db }: BaseContext,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const digests = await Promise.all(ids.map(digestOfMail))
  const existingIds = new Set(
    await db.read(
      many(
        sql`SELECT form_digest FROM ${submissions} WHERE form_digest IN ${inList(digests)}`,
        ({ form_digest }) => form_digest,
      ),
    ),
  )
  return new Set(ids.filter((_, at) => existingIds.has(digests[at] ?? '')))
}

/** The digest that identifies the page of a submission. */
export const tokenDigest = (token: string): Promise<string> => hexDigest(`token ${token}`)

const NOT_IN_TITLES = lazyPattern(String.raw`[^\p{L}\d]+`, 'gu')

const foldedTitle = (html: string): string => fold(htmlToText(html)).replace(NOT_IN_TITLES(), ' ').trim()

/**
 * What two submissions of the same event have in common: the digest of its title and the day of its start,
 * which a likely repetition shares, and the hour, in which a matinee and an evening differ.
 */
async function identityOf(
  { settings, clock }: BaseContext,
  { title = '', start_date = '', timezone, all_day }: SubmissionValues,
) {
  const start = parseDate(start_date, timezone ?? settings.timezone, toEpoch(clock.now()))
  return {
    eventKey: await hexDigest(`${foldedTitle(title)}|${start ? dayOf(start.wall) : start_date}`),
    hour: all_day ? '00:00:00' : (start?.wall.slice(11) ?? ''),
  }
}

const chosenIds = (choices: readonly { id?: number }[] = []): number[] =>
  choices.flatMap(({ id }) => (id === undefined ? [] : [id]))

const chosenIdsByKind = ({ venue, organizer, categories }: SubmissionValues) => ({
  venues: chosenIds(venue),
  organizers: chosenIds(organizer),
  categories: chosenIds(categories),
})

const alreadySubmittedError = () =>
  new ApiError(
    'rest_submission_exists',
    'This event has already been submitted. There is nothing more to do.',
  )

/** @throws ApiError `rest_submission_refused` for links where people don't write any, or for too many */
function assertLinks(values: SubmissionValues): void {
  const { title = '', name = '', description = '' } = values
  const descriptions = textsOfLinked(values).flatMap(([field, text]) =>
    field === 'description' ? [text] : [],
  )
  assertFewLinks({ title, name, texts: [description, ...descriptions] })
}

/**
 * Accepts a submission: it becomes a pending event, in the same transaction that stores its sender. A form
 * makes only one submission; sending it again has the same result.
 *
 * Forms and programs get a link to the page by e-mail. For an e-mail, the caller replies.
 *
 * @throws ApiError with all errors of its fields; `rest_submission_refused` for spam,
 *   `rest_submission_exists`, `rest_too_many_requests`
 */
export async function takeSubmission(
  context: RequestContext,
  { values, ticket, image, mail }: SentSubmission,
): Promise<TakenSubmission> {
  assertOpen(context)
  const { turnstile, name = '', email = '' } = values
  const sender = await senderDigest(context)
  const formDigest = ticket ? await hexDigest(`form ${ticket.nonce}`) : mail && (await digestOfMail(mail.id))
  const token = ticket ? await keyedHash(ticket.key, `token ${ticket.nonce}`) : randomHex(16)
  const { eventKey, hour } = await identityOf(context, values)
  const ids = chosenIdsByKind(values)
  const via = mail ? 'email' : ''
  const toCheck: SubmissionToCheck = {
    sender,
    email,
    via,
    eventKey,
    hour,
    formDigest,
    ids,
    hasImage: image !== undefined,
    counts: mail ? [] : await readSenderCounts(context, 'submissions'),
  }
  // Read with the revision, because a calendar that is being restored accepts nothing.
  const { result: known } = await readWithRevision(context, selectSubmissionFacts(context, toCheck))
  const sentBefore = ({ repeats }: { repeats: number }): TakenSubmission => ({
    token,
    isNew: false,
    isOther: ticket !== undefined && !repeats,
    isLikelySpam: false,
  })
  if (known.sent) return sentBefore(known.sent)
  const { author } = known
  if (!author)
    throw new ApiError(
      'rest_submissions_misconfigured',
      'Submissions are on, but SUBMISSIONS_AUTHOR is not a user of this calendar.',
      { retry_after: HOUR_MS / 1000 },
    )
  // An event that is there already needs no place, and trying again later would help nobody.
  if (known.isFull) throw known.isSame ? alreadySubmittedError() : tooMany()
  assertLinks(values)
  const errors = checkVisitorFields(values, known.ids)
  if (isOwnMailbox(context.settings, email)) errors.add('email', OWN_ADDRESS)
  const visitor = {
    ...context,
    caller: author,
    isVisitor: true,
    ...(mail && { reusesCreated: true as const }),
  } as const
  const eventValues = {
    ...pendingValues(values),
    ...(mail?.eventStatus && { event_status: mail.eventStatus }),
  }
  // Errors of fields come first, because people can fix those.
  await prepareEvent(visitor, eventValues, errors)
  if (known.isSame) throw alreadySubmittedError()
  if (!mail) await assertHuman(context, turnstile)
  const likeness = likenessToSpam(submittedText(values, image?.texts))
  const isLikelySpam = likeness > SPAM_ABOVE
  const link = mail || isLikelySpam ? undefined : await newSenderLink(context, { email, token })
  const row: ColumnValues<typeof submissions> = {
    token_digest: await tokenDigest(token),
    form_digest: formDigest ?? null,
    sender,
    name,
    email,
    has_image: toCheck.hasImage,
    event_key: eventKey,
    likeness,
    email_digest: link?.digest ?? '',
    created_utc: context.clock.now(),
    via,
    mail_text: mail?.text ?? '',
    is_confirmed: mail?.isConfirmed ?? false,
  }
  const imageId = await image?.upload(author)
  const uploaded = imageId !== undefined && { image: { id: imageId } }
  const sent = await writeSubmission(visitor, { values: { ...eventValues, ...uploaded }, row, toCheck })
  if (sent) return sentBefore(sent)
  link?.send()
  return { token, isNew: true, isLikelySpam }
}

/**
 * Makes sure that a submission would still be accepted after its sender's changes.
 *
 * @param values all fields after the changes
 * @param image another image, if it changes
 * @returns the likelihood that it is spam after the changes
 * @throws ApiError `rest_invalid_param`, `rest_submission_refused`, `rest_too_many_requests`
 */
export async function checkChangedSubmission(
  context: BaseContext,
  values: SubmissionValues,
  image?: SentImage,
): Promise<number> {
  const { known, full } = await context.db.read(
    combineQueries({
      known: selectKnownIds(context, chosenIdsByKind(values)),
      full: combineQueries([
        selectIsDateLimitReached(context),
        ...(image ? [selectIsImageLimitReached(context)] : []),
      ]),
    }),
  )
  if (full.includes(true)) throw tooMany()
  assertLinks(values)
  checkVisitorFields(values, known).throwIfAny()
  return likenessToSpam(submittedText(values, image?.texts))
}

/**
 * A function that makes sure that a submission among several would be accepted, apart from limits and
 * repetitions, before any of them is written. One round trip finds out what they refer to.
 *
 * The function throws ApiError `rest_invalid_param` or `rest_submission_refused`.
 */
export async function makeSubmissionCheck(
  context: ContentContext,
  valuesOfAll: readonly SubmissionValues[],
): Promise<(values: SubmissionValues) => void> {
  // The author that submissions get has this role as well, and no other rights.
  const visitor = { ...context, caller: { id: 0, role: 'contributor' }, isVisitor: true } as const
  const ids = valuesOfAll.map(chosenIdsByKind)
  const { known, referencedRows } = await context.db.read(
    combineQueries({
      known: selectKnownIds(context, {
        venues: ids.flatMap(({ venues }) => venues),
        organizers: ids.flatMap(({ organizers }) => organizers),
        categories: ids.flatMap(({ categories }) => categories),
      }),
      referencedRows: eventWrites.selectReferencedRows(visitor, valuesOfAll.map(pendingValues)),
    }),
  )
  return values => {
    assertLinks(values)
    const errors = checkVisitorFields(values, known)
    eventWrites.prepare(visitor, { values: pendingValues(values), referencedRows }, errors)
    errors.throwIfAny()
  }
}

/** The values of an event that waits for approval. */
function pendingValues({ turnstile: _, name: __, email: ___, ...given }: SubmissionValues) {
  // Names of categories are an error, not a request to create new ones.
  const categories = given.categories?.filter(({ id }) => id !== undefined)
  return { ...given, ...(categories && { categories }), status: 'pending' as const }
}

/** Finds errors beyond those of any event: visitors may refer to public content only. */
function checkVisitorFields(
  { email = '', description = '', venue, organizer, categories = [], start_date }: SubmissionValues,
  publicIds: Readonly<Record<'venues' | 'organizers' | 'categories', ReadonlySet<number>>>,
) {
  const errors = new ValidationErrors()
  if (email === '') errors.add('email', MISSING)
  if (start_date === undefined) errors.add('start_date', MISSING)
  if (description.length > MAX_TEXT)
    errors.add(
      'description',
      codedReason('too_long', `must have at most ${MAX_TEXT} characters`, { n: MAX_TEXT }),
    )
  const report = (name: string, ids: readonly number[], known: ReadonlySet<number>) => {
    const unknown = ids.find(id => !known.has(id))
    if (unknown !== undefined) errors.add(name, codedReason('unknown', `there is no ${name} ${unknown}`))
  }
  report('venue', chosenIds(venue), publicIds.venues)
  report('organizer', chosenIds(organizer), publicIds.organizers)
  report('categories', chosenIds(categories), publicIds.categories)
  if (categories.some(({ id }) => id === undefined)) errors.add('categories', 'must be a list of ids')
  return errors
}

const prepareEvent = async (
  context: ContentContext,
  values: Parameters<typeof eventWrites.prepare>[1]['values'],
  errors: ValidationErrors,
) => {
  const referencedRows = await context.db.read(eventWrites.selectReferencedRows(context, [values]))
  const event = eventWrites.prepare(context, { values, referencedRows }, errors)
  errors.throwIfAny()
  return event
}

/** The texts of the venues and organizers in a submission, with the names of their fields. */
const textsOfLinked = ({ venue = [], organizer = [] }: SubmissionValues): [field: string, text: string][] =>
  [...venue, ...organizer].flatMap(({ values = {} }) =>
    Object.entries(values).flatMap(([field, value]): [string, string][] =>
      typeof value === 'string' ? [[field, value]] : [],
    ),
  )

/** The text that the classifier reads. @param furtherTexts texts besides the fields */
function submittedText(values: SubmissionValues, furtherTexts: readonly string[] = []): SubmittedText {
  const { title = '', description = '', website = '', cost = '', virtual_url = '' } = values
  const texts = textsOfLinked(values).map(([field, text]) => (field === 'description' ? proseIn(text) : text))
  return readableText({
    title,
    description,
    otherTexts: [...texts, website, cost, virtual_url, ...furtherTexts],
  })
}

/** The id of the event that the transaction has just inserted; for a series, of its first date. */
const newEventId = {
  series: { event_id: () => firstDateOfNewSeries },
  event: { event_id: () => resolvedId(events, sql`-1`) },
}

type CheckedSubmission = {
  values: Parameters<typeof eventWrites.prepare>[1]['values']
  row: ColumnValues<typeof submissions>
  toCheck: SubmissionToCheck
}

/**
 * Writes the event and its sender, or nothing.
 *
 * @returns the submission that the same form has made in the meantime
 * @throws ApiError if other submissions have reached a limit in the meantime
 */
async function writeSubmission(context: ContentContext, { values, row, toCheck }: CheckedSubmission) {
  const readKnown = () => context.db.read(selectSubmissionFacts(context, toCheck))
  let isRetry = false
  return retryConflicts(async () => {
    if (isRetry) {
      const { sent, isFull, isSame } = await readKnown()
      if (sent) return sent
      if (isSame) throw alreadySubmittedError()
      if (isFull) throw tooMany()
    }
    isRetry = true
    const event = await prepareEvent(context, values, new ValidationErrors())
    const after = [
      ...rowInsertStatements(submissions, [{ ...row, event_id: 0 }], newEventId[event.type]),
      conflictIf(tooMuchSql(context, toCheck)),
      ...(toCheck.counts.length > 0 ? countStatements(context.clock, toCheck.counts) : []),
    ]
    await writeEvents(context, [event], { after })
    return undefined
  }).catch(async (error: unknown) => {
    // The same form came twice at the same time, and the other request was accepted.
    if (!isUniqueViolation(error, submissions.form_digest)) throw error
    const { sent } = await readKnown()
    if (!sent) throw error
    return sent
  })
}
