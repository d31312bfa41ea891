import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { insertRows, resolvedId } from '../../db/bulk.ts'
import { conflictIf, retryConflicts } from '../../db/conflicts.ts'
import { together } from '../../db/query.ts'
import { events, submissions } from '../../db/schema.ts'
import { hex, randomHex, sha256 } from '../../lib/digest.ts'
import { ApiError, ValidationErrors } from '../../lib/errors.ts'
import { proseIn } from '../../lib/html.ts'
import { parseDate } from '../../lib/parse-date.ts'
import type { Caller } from '../../lib/roles.ts'
import { fold, htmlToText } from '../../lib/text.ts'
import { toEpoch } from '../../lib/time.ts'
import { firstOfNew } from '../events/recurrence/create.ts'
import { eventWrites } from '../events/writes.ts'
import { keyed, keysOf, type Ticket } from './keys.ts'
import { type Asked, areDatesFull, isTooMuch, knownIds, selectKnown } from './known.ts'
import { MOST_TEXT, type SubmissionFields } from './schema.ts'
import { isChecked } from './turnstile.ts'
import { REFUSED_FROM, type Written, weigh } from './weigh.ts'

type SubmissionValues = Partial<SubmissionFields>

/** An image that came with a submission. */
export type SentImage = {
  /** The texts that it would have. */
  texts: readonly string[]
  /** Puts it into the library. @returns its id @throws ApiError if it is none */
  upload: (author: Caller) => Promise<number>
}

type Sent = {
  /** Checked fields. */
  values: SubmissionValues
  /** The form by which it came; absent for programs. */
  ticket?: Ticket
  image?: SentImage | undefined
}

/** @throws ApiError for calendars that take nothing */
export function assertOpen({ settings }: Pick<RequestContext, 'settings'>): void {
  if (!settings.submissions.isOn) throw new ApiError('rest_no_route', 'This calendar takes no submissions.')
}

const digest = async (text: string): Promise<string> => hex(await sha256(text))

/** The digest by which the page of a submission is found. */
export const tokenDigest = (token: string): Promise<string> => digest(`token ${token}`)

/** Texts shorter than this say the same in many places, `Entry is free.` */
const SHORTEST_TEXT = 60

const wordsOf = (html: string): string =>
  fold(htmlToText(html))
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()

/** The digest of what makes two submissions the same event: its title, and the day of its start. */
async function eventKeyOf(
  { settings, now }: RequestContext,
  { title = '', start_date = '', timezone }: SubmissionValues,
) {
  const start = parseDate(start_date, timezone ?? settings.timezone, toEpoch(now))
  return digest(`${wordsOf(title)}|${start?.wall.slice(0, 10) ?? start_date}`)
}

async function textKeyOf({ description = '' }: SubmissionValues): Promise<string> {
  const words = wordsOf(description)
  return words.length < SHORTEST_TEXT ? '' : digest(words)
}

const idsOf = (choices: readonly { id?: number }[] = []): number[] =>
  choices.flatMap(({ id }) => (id === undefined ? [] : [id]))

const idsIn = ({ venue, organizer, categories }: SubmissionValues) => ({
  venues: idsOf(venue),
  organizers: idsOf(organizer),
  categories: idsOf(categories),
})

const tooMany = () =>
  new ApiError(
    'rest_too_many_requests',
    'A lot was sent in today. Please try again tomorrow, or write to the calendar.',
    // Seconds: the shortest of the limits is that of an hour.
    { retry_after: 3_600 },
  )

const isThere = () =>
  new ApiError('rest_submission_exists', 'This event has been sent in before. There is nothing more to do.')

const refused = () =>
  new ApiError(
    'rest_submission_refused',
    'This looks like advertising, and was not taken. Leave out links, telephone numbers and prices, say plainly what takes place where and when, and send it again; or write to the calendar.',
  )

/**
 * Takes what a visitor sends in: it becomes a pending event, in the transaction that keeps who sent it. One form makes one
 * submission: sent again, it has the same result.
 *
 * @returns the token of its page
 * @throws ApiError with all that is wrong with its fields; `rest_submission_refused` for spam, `rest_submission_exists`,
 * `rest_too_many_requests`
 */
export async function takeSubmission(
  context: RequestContext,
  { values, ticket, image }: Sent,
): Promise<string> {
  assertOpen(context)
  const keys = await keysOf(context)
  const { turnstile, name = '', email = '', ...given } = values
  const sender = context.network === undefined ? '' : await keyed(keys[0], `sender ${context.network}`)
  const formDigest = ticket && (await digest(`form ${ticket.nonce}`))
  const token = ticket ? await keyed(ticket.key, `token ${ticket.nonce}`) : randomHex(16)
  const [eventKey, textKey] = await Promise.all([eventKeyOf(context, values), textKeyOf(values)])
  const ids = idsIn(values)
  const asked: Asked = { sender, eventKey, textKey, formDigest, ids, hasImage: image !== undefined }
  const known = await context.db.get(selectKnown(context, asked))
  if (known.isSent > 0) return token
  const { author } = known
  if (!author)
    throw new ApiError(
      'rest_service_unavailable',
      'Submissions are on, but SUBMISSIONS_AUTHOR is no user of this calendar.',
    )
  if (known.isFull) throw tooMany()
  const errors = check(values, known.ids)
  const visitor = { ...context, caller: author, isVisitor: true } as const
  // Names of categories are an error, and not a wish to make new ones.
  const categories = given.categories?.filter(({ id }) => id !== undefined)
  const eventValues = { ...given, ...(categories && { categories }), status: 'pending' as const }
  // Everything that is wrong with the fields comes first: a person mends that.
  await prepared(visitor, eventValues, errors)
  if (known.same > 0) throw isThere()
  const { settings } = context
  if (
    settings.submissions.turnstile &&
    !(await isChecked(settings.submissions.turnstile.secret, turnstile ?? ''))
  )
    throw new ApiError('rest_invalid_param', 'Please tick the box that says that you are no robot.', {
      params: { turnstile: 'must be ticked' },
    })
  if (weigh(writtenIn(values, known.repeats, image?.texts)) >= REFUSED_FROM) throw refused()
  const row = {
    token_digest: await tokenDigest(token),
    form_digest: formDigest ?? null,
    sender,
    name,
    email,
    has_image: asked.hasImage,
    event_key: eventKey,
    text_key: textKey,
    created_utc: context.now,
  }
  const uploaded = image && { image: { id: await image.upload(author) } }
  await write(visitor, { values: { ...eventValues, ...uploaded }, row, asked })
  return token
}

/**
 * Makes sure that what a sender makes of a submission is still one that would be taken.
 *
 * @param values all fields as they are then
 * @throws ApiError `rest_invalid_param`, `rest_submission_refused`, `rest_too_many_requests`
 */
export async function assertStillFit(context: RequestContext, values: SubmissionValues): Promise<void> {
  const { known, full } = await context.db.get(
    together({
      known: knownIds(context, idsIn(values)),
      full: areDatesFull(context),
    }),
  )
  if (full) throw tooMany()
  check(values, known).throwIfAny()
  if (weigh(writtenIn(values, 0)) >= REFUSED_FROM) throw refused()
}

type Known = Readonly<Record<'venues' | 'organizers' | 'categories', ReadonlySet<number>>>

/** What is wrong with the fields beside what is wrong with those of any event: visitors know of what is public. */
function check(
  { email = '', description = '', venue, organizer, categories = [], start_date }: SubmissionValues,
  known: Known,
) {
  const errors = new ValidationErrors()
  if (email === '') errors.add('email', 'must not be empty')
  if (start_date === undefined) errors.add('start_date', 'must not be empty')
  if (description.length > MOST_TEXT) errors.add('description', `must have at most ${MOST_TEXT} characters`)
  const report = (name: string, ids: readonly number[], all: ReadonlySet<number>) => {
    const unknown = ids.find(id => !all.has(id))
    if (unknown !== undefined) errors.add(name, `there is no ${name} ${unknown}`)
  }
  report('venue', idsOf(venue), known.venues)
  report('organizer', idsOf(organizer), known.organizers)
  report('categories', idsOf(categories), known.categories)
  if (categories.some(({ id }) => id === undefined)) errors.add('categories', 'must be ids')
  return errors
}

const prepared = async (
  context: RequestContext,
  values: Parameters<typeof eventWrites.prepare>[1]['values'],
  errors: ValidationErrors,
) => {
  const found = await context.db.get(eventWrites.lookUp(context, [values]))
  const one = eventWrites.prepare(context, { values, found }, errors)
  errors.throwIfAny()
  return one
}

const plainName = (choices: SubmissionValues['venue'], name: 'venue' | 'organizer'): string =>
  (choices ?? [])
    .map(({ values }) =>
      values && name in values ? String((values as Readonly<Record<string, unknown>>)[name]) : '',
    )
    .join(' ')

/** What is said of venues or organizers beside their names. */
const saidOf = (choices: SubmissionValues['venue'], name: 'venue' | 'organizer'): string[] =>
  (choices ?? []).flatMap(({ values = {} }) =>
    Object.entries(values).flatMap(([field, value]) =>
      typeof value !== 'string' || field === name ? [] : [field === 'description' ? proseIn(value) : value],
    ),
  )

/** @param more texts that came beside the fields */
function writtenIn(values: SubmissionValues, repeats: number, more: readonly string[] = []): Written {
  const { title = '', description = '', website = '', venue, organizer, name = '', email = '' } = values
  const { cost = '', virtual_url = '' } = values
  return {
    title: htmlToText(title),
    description: proseIn(description),
    venue: plainName(venue, 'venue'),
    organizer: plainName(organizer, 'organizer'),
    website,
    others: [cost, virtual_url, ...saidOf(venue, 'venue'), ...saidOf(organizer, 'organizer'), ...more].join(
      ' \n ',
    ),
    name,
    email,
    isAtKnownVenue: idsOf(venue).length > 0,
    repeats,
  }
}

/** The id of the event that a transaction has just inserted: of a series, that of its first date. */
const newEvent = {
  series: { event_id: () => firstOfNew },
  event: { event_id: () => resolvedId(events, sql`-1`) },
}

type CheckedSubmission = {
  values: Parameters<typeof eventWrites.prepare>[1]['values']
  row: Readonly<Record<string, unknown>>
  asked: Asked
}

/** Writes the event, and who sent it, or nothing. @throws ApiError if others came meanwhile that leave no place for it */
async function write(context: RequestContext, { values, row, asked }: CheckedSubmission): Promise<void> {
  let isAgain = false
  await retryConflicts(async () => {
    if (isAgain) {
      const { isSent, isFull, same } = await context.db.get(selectKnown(context, asked))
      if (isSent > 0) return
      if (isFull) throw tooMany()
      if (same > 0) throw isThere()
    }
    isAgain = true
    const one = await prepared(context, values, new ValidationErrors())
    const db = context.db.joined()
    await db.run<unknown>([
      () => eventWrites.write({ ...context, db }, [one]),
      () =>
        db.change([
          ...insertRows(
            submissions,
            [{ ...row, event_id: 0 }],
            newEvent[one.type === 'new series' ? 'series' : 'event'],
          ),
          conflictIf(isTooMuch(context, asked)),
        ]),
    ])
  }).catch(error => {
    // The same form came twice at once: the other one was taken.
    if (!(error instanceof Error) || !error.message.includes('submissions.form_digest')) throw error
  })
}
