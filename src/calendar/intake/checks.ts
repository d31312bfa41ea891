import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, RequestContext } from '../../kit/context.ts'
import { newestId } from '../../kit/db/bulk.ts'
import { combineQueries, first, literal, mapQuery, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, organizers, submissions, terms, venues } from '../../kit/db/tables.ts'
import { selectSecret } from '../../kit/http/personal-links.ts'
import { SUBMISSION_LIMITS } from '../../kit/lib/budgets.ts'
import { ApiError, tooOften } from '../../kit/lib/errors.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { ANONYMOUS, type Caller } from '../../kit/lib/roles.ts'
import { addDays, formatInstant, HOUR_MS, toEpoch } from '../../kit/lib/time.ts'
import { type Count, countsOfNetwork, usedUpSql } from '../../kit/work/counts.ts'
import { selectKnownAmong } from '../content/known-references.ts'
import { readableSql } from '../content/visibility.ts'
import { termReadableSql } from '../terms/queries.ts'
import { selectAuthorId } from '../users/records.ts'
import { presentEvent } from './queries.ts'
import { LINK } from './spam.ts'

// Checks that everything from visitors has to pass, whatever its words.

/** @throws ApiError if the calendar accepts no submissions */
export function assertOpen({ settings }: BaseContext): void {
  if (!settings.submissions.isOn)
    throw new ApiError('rest_no_route', 'This calendar does not accept submissions.')
}

/** The error for all limits of senders, those of an hour and of a day. */
export const tooMany = () =>
  tooOften('We have received a lot. Please try again in an hour, or else tomorrow, or write to us.')

/** The counts of what a network sends to the editors, if that is known. @param name what is sent */
export async function readSenderCounts(context: RequestContext, name: string): Promise<Count[]> {
  if (context.network === undefined) return []
  const { hour, day } = SUBMISSION_LIMITS
  const secret = await context.db.read(selectSecret())
  return [
    ...(await countsOfNetwork(context, secret, { name: `${name} from`, limit: day, per: 'day' })),
    ...(await countsOfNetwork(context, secret, {
      name: `${name} in an hour from`,
      limit: hour,
      per: 'hour',
    })),
  ]
}

/** The most hosts to which the texts of a submission may link, such as ticket shops and participants. */
const MAX_HOSTS = 5

const PUNCTUATION_AT_END = lazyPattern(String.raw`(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$`, 'u')

/** The host of an address in a text, which may lack a scheme and end with punctuation of a sentence. */
function hostIn(address: string): string {
  const url = /^https?:/i.test(address) ? address : `https://${address}`
  const host = URL.canParse(url) ? new URL(url).hostname : url
  return host.replace(/^www\./, '').replace(PUNCTUATION_AT_END(), '')
}

/**
 * @throws ApiError `rest_submission_refused` for links in places where people don't write any, or to too many
 *   hosts: a programme may link to each of its parts. Words alone never refuse a submission.
 */
export function assertFewLinks(submission: { title: string; name: string; texts: readonly string[] }): void {
  const hosts = new Set(submission.texts.join(' ').match(LINK)?.map(hostIn))
  if (!`${submission.title} ${submission.name}`.match(LINK) && hosts.size <= MAX_HOSTS) return
  throw new ApiError(
    'rest_submission_refused',
    `This was not accepted: there is a link in the title or in the name, or there are links to more than ${MAX_HOSTS} sites. Remove them and send it again, or write to us.`,
  )
}

/** The facts about a submission before it is accepted. */
export type SubmissionToCheck = {
  /** The keyed digest of the network that it comes from; '' if unknown. */
  sender: string
  email: string
  via: (typeof submissions.$inferSelect)['via']
  eventKey: string
  /** The hour of its start: `20:00:00`. */
  hour: string
  formDigest: string | undefined
  hasImage: boolean
  /** The counts of what forms and programs send; none for e-mails, whose network is unknown. */
  counts: readonly Count[]
  ids: { venues: readonly number[]; organizers: readonly number[]; categories: readonly number[] }
}

/**
 * The user who becomes the author of submitted events, with the rights of a contributor: submissions wait for
 * approval, no matter who owns them.
 */
const selectAuthor = ({ settings }: BaseContext): Query<Caller | undefined> =>
  mapQuery(selectAuthorId(settings.submissions.author || undefined), id =>
    id === undefined ? undefined : { id, role: 'contributor' },
  )

/** A condition for submissions whose event waits or is in the calendar, and begins at an hour. */
const standingAtSql = (hour: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${presentEvent()} AND ${events.status} <> 'trash' AND substr(${events.start_date}, 12) = ${hour})`

/** The number of times that an event was written, or, for a series, all of its dates together. */
const timesWritten = sql`iif(event.series_id IS NULL, event.version,
  (SELECT sum(date.version) FROM ${events} AS date WHERE date.series_id = event.series_id))`

/**
 * A limit on the submissions for which a condition holds, or on the dates that were written for them. It
 * counts what exists. The transaction that inserts a submission fails if it is one too many, so that
 * simultaneous requests can't insert more than consecutive ones.
 */
type Limit = { rows: SQL | undefined; limit: number; isOfDates?: true }

// Counting submissions stops at the limit. Their dates are never many more than a limit.
const reachedSql = ({ rows, limit, isOfDates }: Limit): SQL =>
  isOfDates
    ? sql`(SELECT coalesce(sum(${timesWritten}), 0) FROM ${submissions} CROSS JOIN ${events} AS event
        ON event.id = ${submissions.event_id} WHERE ${rows}) >= ${literal(limit)}`
    : sql`(SELECT count(*) FROM (SELECT 1 FROM ${submissions} WHERE ${rows} LIMIT ${literal(limit)})) = ${literal(limit)}`

const anyReachedSql = (limits: readonly Limit[], usedUp: readonly SQL[] = []): SQL =>
  sql.join([...limits.map(reachedSql), ...usedUp], sql` OR `)

/** A query that checks whether any limit is reached. @param usedUp conditions of counts */
const selectReached = (limits: readonly Limit[], usedUp: readonly SQL[] = []): Query<boolean> =>
  mapQuery(
    first(sql`SELECT ${anyReachedSql(limits, usedUp)} AS n`, ({ n }) => n === 1),
    Boolean,
  )

const ofDaySql = ({ clock }: BaseContext): SQL => gt(submissions.created_utc, addDays(clock.now(), -1))

const limitOfAllDates = (context: BaseContext): Limit => ({
  rows: ofDaySql(context),
  limit: SUBMISSION_LIMITS.allDates,
  isOfDates: true,
})

const limitOfImages = (context: BaseContext): Limit => ({
  rows: and(ofDaySql(context), submissions.has_image),
  limit: SUBMISSION_LIMITS.images,
})

/** What limits a submission. Without a sender, only the limits for all senders apply. */
function limitsOf(context: BaseContext, { sender, via, hasImage }: SubmissionToCheck): Limit[] {
  const withinDaySql = ofDaySql(context)
  const hourAgo = formatInstant(toEpoch(context.clock.now()) - HOUR_MS)
  const ofSenderSql = (since: SQL) => and(since, eq(submissions.sender, sender))
  return [
    ...(sender
      ? [
          { rows: ofSenderSql(gt(submissions.created_utc, hourAgo)), limit: SUBMISSION_LIMITS.hour },
          { rows: ofSenderSql(withinDaySql), limit: SUBMISSION_LIMITS.day },
          { rows: ofSenderSql(withinDaySql), limit: SUBMISSION_LIMITS.senderDates, isOfDates: true } as const,
        ]
      : []),
    { rows: withinDaySql, limit: SUBMISSION_LIMITS.all },
    limitOfAllDates(context),
    // Anybody can have many addresses. Mails leave half of a day's submissions to forms and programs.
    ...(via === 'email'
      ? [{ rows: and(withinDaySql, eq(submissions.via, via)), limit: SUBMISSION_LIMITS.mails }]
      : []),
    ...(hasImage ? [limitOfImages(context)] : []),
  ]
}

/**
 * The submissions of the same event by the same sender. The address alone proves nothing: a person who enters
 * somebody else's address would keep that person's event out. The same event from another sender is a likely
 * repetition, which the review marks.
 */
const sameEventSql = ({ eventKey, hour, sender, email }: SubmissionToCheck): SQL =>
  sql`${submissions.event_key} = ${eventKey} AND ${submissions.sender} = ${sender} AND lower(${submissions.email}) = lower(${email})
    AND (${submissions.via} <> 'email' OR ${submissions.is_confirmed}) AND ${standingAtSql(hour)}`

/**
 * A condition that is true if the submission that was just inserted is one too many, or a duplicate, because
 * other requests have inserted theirs in the meantime.
 */
export const tooMuchSql = (context: BaseContext, submission: SubmissionToCheck): SQL =>
  anyReachedSql(
    [...limitsOf(context, submission), { rows: sameEventSql(submission), limit: 1 }].map(limit => ({
      ...limit,
      rows: and(sql`${submissions.id} < ${newestId(submissions)}`, limit.rows),
    })),
  )

const selectHasSubmission = (condition: SQL): Query<boolean> =>
  mapQuery(first(sql`SELECT 1 FROM ${submissions} WHERE ${condition} LIMIT 1`, Boolean), Boolean)

/** A query that checks whether the limit of dates written in a day has been reached. */
export const selectIsDateLimitReached = (context: BaseContext): Query<boolean> =>
  selectReached([limitOfAllDates(context)])

/** A query that checks whether visitors have sent as many images today as the limit allows. */
export const selectIsImageLimitReached = (context: BaseContext): Query<boolean> =>
  selectReached([limitOfImages(context)])

/** A query for everything that decides whether a submission is accepted, in one round trip. */
export function selectSubmissionFacts(context: BaseContext, submission: SubmissionToCheck) {
  return combineQueries({
    author: selectAuthor(context),
    isFull: selectReached(
      limitsOf(context, submission),
      submission.counts.map(count => usedUpSql(context.clock, count)),
    ),
    isSame: selectHasSubmission(sameEventSql(submission)),
    /** The submission that the same form or e-mail has made before. */
    sent:
      submission.formDigest === undefined
        ? resolvedQuery(undefined)
        : first(
            build
              .select({
                repeats: sql<number>`${submissions.event_key} = ${submission.eventKey} AND ${standingAtSql(submission.hour)}`,
              })
              .from(submissions)
              .where(eq(submissions.form_digest, submission.formDigest)),
          ),
    ids: selectKnownIds(context, submission.ids),
  })
}

/** A query for the ids of public rows among some ids. */
export function selectKnownIds(context: BaseContext, ids: SubmissionToCheck['ids']) {
  const visitor = { ...context, caller: ANONYMOUS }
  return combineQueries({
    venues: selectKnownAmong(venues, ids.venues, () => readableSql(venues, visitor)),
    organizers: selectKnownAmong(organizers, ids.organizers, () => readableSql(organizers, visitor)),
    categories: selectKnownAmong(terms, ids.categories, () => termReadableSql(visitor)),
  })
}
