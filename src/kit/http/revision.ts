import type { BaseContext, DocsContext } from '../context.ts'
import type { Database } from '../db/database.ts'
import { revision } from '../db/derived.ts'
import { combineQueries, first, mapQuery, type Query } from '../db/query.ts'
import { assertNotRestoring } from '../db/readiness.ts'
import { build } from '../db/statements.ts'
import { ApiError } from '../lib/errors.ts'
import { shortDigest } from '../lib/hash.ts'
import { LruCache, memoize } from '../lib/memo.ts'
import { may } from '../lib/roles.ts'
import { type DateTime, type Day, dayOf, daysLater, startOfDay, toEpoch, toUtc, toWall } from '../lib/time.ts'
import type { Settings } from '../settings.ts'
import { assertSettings } from './stored-settings.ts'

/** The revision of the database for one audience. Equal requests at the same revision get equal responses. */
export type Revision = {
  /** A secret of the database. */
  databaseSecret: string
  changeNumber: number
  /** The time of the last change, UTC. */
  modified: DateTime
  /** The earliest date of scheduled content, UTC. */
  nextDue: DateTime | undefined
  /** True if scheduled content has become due, and the cron has not published it yet. */
  isDue: boolean
  /**
   * True if shared caches have confirmed the last purge, so that they will be purged of this response, too.
   */
  isPurged: boolean
  /** True while nothing that everybody sees has been saved yet. */
  isNew: boolean
}

/**
 * The audience of a caller: editors, each single author and contributor, or the public. Callers of one
 * audience get equal responses.
 */
export function audienceOf(caller: BaseContext['caller']): string {
  if (may(caller, 'edit_others_content')) return EDITORS
  return may(caller, 'edit_content') ? String(caller.id) : PUBLIC
}

export const PUBLIC = 'public'
export const EDITORS = 'editors'

const selectStoredRevision = memoize(() => first(build.select().from(revision)))

/** A query for the revision of the caller's audience, which reads one row. */
function selectRevision({ caller, settings, clock }: BaseContext): Query<Revision | undefined> {
  const now = clock.untrackedTime
  const isPublic = audienceOf(caller) === PUBLIC
  return mapQuery(selectStoredRevision(), row => {
    if (!row) return undefined
    assertNotRestoring(row)
    assertSettings(settings, row.settings)
    const nextDue = row.next_due_utc ?? undefined
    return {
      databaseSecret: row.secret,
      changeNumber: isPublic ? row.public_change_number : row.change_number,
      modified: isPublic ? row.public_modified_utc : row.modified_utc,
      nextDue,
      isDue: nextDue !== undefined && nextDue <= now,
      isPurged: row.purges_left === 0,
      isNew: row.public_change_number === 1,
    }
  })
}

/**
 * Reads the revision of the caller's audience and the result of a query in one round trip. The row of the
 * revision has the settings, too, so that no other statement needs to confirm them.
 *
 * @throws ApiError `rest_being_restored` while a backup is being restored
 */
export async function readWithRevision<T>(
  context: BaseContext,
  query: Query<T>,
): Promise<{ revision: Revision | undefined; result: T }> {
  context.db.dropAssumption('settings')
  return context.db.read(combineQueries({ revision: selectRevision(context), result: query }))
}

/**
 * The strong entity tag of a response at a revision; undefined while scheduled content is due, because the
 * response may then change at any moment. Tags are made with a secret, so that they are valid for one address
 * only, reveal nothing, and cannot be forged.
 *
 * @param address the cache key: everything that the response depends on apart from the revision
 */
export async function entityTag(
  { databaseSecret, changeNumber, isDue }: Revision,
  address: string,
): Promise<string | undefined> {
  return isDue ? undefined : shortDigest(`${databaseSecret} ${changeNumber} ${address}`)
}

/** The header that identifies a calendar, whichever host name the request used. */
export const CALENDAR_HEADER = 'X-Calendar-Id'

/**
 * The id of this calendar, made from its database and, if set, its address: a copy of the database at another
 * address is another calendar. It reveals nothing of the secret that it is made with.
 */
export async function calendarId(
  { databaseSecret }: Pick<Revision, 'databaseSecret'>,
  siteUrl: string | undefined,
): Promise<string> {
  const text = `calendar ${databaseSecret} ${siteUrl ?? ''}`
  // Promises are not memoized: a request must not wait for work that another request has started.
  const id = calendarIds.get(text) ?? (await shortDigest(text))
  calendarIds.set(text, id)
  return id
}

const calendarIds = new LruCache<string>({ maxSize: 10 })

/**
 * The id that this calendar sends with its responses. A calendar that read itself would double all events
 * with each run.
 */
export async function readOwnCalendarId(db: Database, { siteUrl }: Settings): Promise<string | undefined> {
  const revisionRow = await db.read(first(build.select({ databaseSecret: revision.secret }).from(revision)))
  return revisionRow && calendarId(revisionRow, siteUrl)
}

/**
 * A strong entity tag made from the response itself, for authors and contributors: a tag made from the
 * revision would reveal to them that others have changed hidden content.
 */
export const contentTag = (body: unknown, address: string): Promise<string> =>
  shortDigest(`${address} ${JSON.stringify(body)}`)

/**
 * The first characters of a database's secret, which distinguish its tags from the tags of other databases.
 * The rest of the secret is long enough.
 */
const eraOf = (databaseSecret: string): string => databaseSecret.slice(0, 4)

/**
 * The `ETag` header of a tag.
 *
 * @param version the version of a single resource, for comparison with `If-Match`
 * @param databaseSecret distinguishes versions of one database from versions of another: in a restored calendar,
 *   another change may have made the version that somebody read before
 */
export const quotedTag = (tag: string, version?: number, databaseSecret = ''): string =>
  `"${tag}${version === undefined ? '' : `-${eraOf(databaseSecret)}v${version}`}"`

/** The tags of an `If-None-Match` header, without quotes, versions and `W/`. */
export const tagsIn = (header: string): string[] =>
  header.split(',').map(tag =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"|"$/g, '')
      // The version follows the digest, which may itself end in “-v7”.
      .replace(/^(.{20})-[0-9a-f]*v\d+$/, '$1'),
  )

/**
 * The seconds that shared caches which are purged after a change may keep a response: until the day ends,
 * when default windows move, or until scheduled content is due.
 */
export function secondsUnchanged({ nextDue }: Revision, context: DocsContext): number {
  const midnight = midnightAfter(context)
  return context.clock.secondsUntil(nextDue !== undefined && nextDue < midnight ? nextDue : midnight)
}

/** The next midnight in the site's zone, UTC. */
export const midnightAfter = (context: DocsContext): DateTime =>
  toUtc(startOfDay(daysLater(siteToday(context), 1)), context.settings.timezone)

/** Today's date in the site's zone, on which the default window of lists depends. */
export const siteToday = (context: DocsContext): Day =>
  dayOf(toWall(context.clock.untrackedTime, context.settings.timezone))

/**
 * The time of the last change or, if later, of the last midnight, when the default window moved. In
 * milliseconds, to the second.
 */
function changedAt({ modified }: Revision, context: DocsContext): number {
  const midnight = toUtc(startOfDay(siteToday(context)), context.settings.timezone)
  return toEpoch(modified > midnight ? modified : midnight)
}

/**
 * The `Last-Modified` header: the second after the last change, or the current one if that is earlier,
 * because there may be another change within the same second.
 */
export const lastModified = (revision: Revision, context: DocsContext): string =>
  new Date(Math.min(changedAt(revision, context) + 1000, toEpoch(context.clock.untrackedTime))).toUTCString()

/** HTTP's format for dates (RFC 9110 §5.6.7). Its older formats are no longer in use. */
const HTTP_DATE = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * True if a response that was sent with a `Last-Modified` is still the same, because the last change was
 * before that second. Future and invalid dates are ignored.
 *
 * @param since an `If-Modified-Since` header
 */
export function isUnchangedSince(since: string, revision: Revision, context: DocsContext): boolean {
  const moment = HTTP_DATE.test(since) ? Date.parse(since) : Number.NaN
  return (
    !revision.isDue && moment <= toEpoch(context.clock.untrackedTime) && changedAt(revision, context) < moment
  )
}

// Conditions of writes on the version of the row that they change.

type Preconditions = {
  ifMatch?: string | undefined
  ifNoneMatch?: string | undefined
  /** The secret of the database, if it is known. */
  databaseSecret?: string | undefined
}

/**
 * The versions in a list of tags; undefined for tags of another database. Tags that programs build themselves
 * may leave the database out.
 */
const versionsIn = (tags: string, databaseSecret = ''): (string | undefined)[] =>
  tags.split(',').map(tag => {
    const [, era = '', version] = /-([0-9a-f]{4})?v(\d+)"\s*$/.exec(tag) ?? []
    return era === '' || databaseSecret === '' || era === eraOf(databaseSecret) ? version : undefined
  })

/**
 * Returns the stored resource, unless a header excludes its version: `If-Match` (RFC 9110 §13.1.1) if it does
 * not name the version, `If-None-Match` (§13.1.2) if it does. `*` names every version. Only the version at
 * the end of a tag is compared, because the rest changes with everything else in the calendar.
 *
 * @throws ApiError `rest_precondition_failed`
 */
export function requireVersion<R extends { version: number }>(
  { ifMatch, ifNoneMatch, databaseSecret }: Preconditions,
  storedResource: R,
): R {
  const namesVersion = (tags: string): boolean =>
    tags.trim() === '*' || versionsIn(tags, databaseSecret).includes(String(storedResource.version))
  if (ifMatch !== undefined && !namesVersion(ifMatch))
    throw preconditionFailed('This has changed since you read it: read it again, then repeat the change.')
  if (ifNoneMatch !== undefined && namesVersion(ifNoneMatch))
    throw preconditionFailed('This already exists, which If-None-Match excludes.')
  return storedResource
}

const preconditionFailed = (message: string): ApiError => new ApiError('rest_precondition_failed', message)

/**
 * Refuses to create a resource that `If-Match` requires to exist.
 *
 * @throws ApiError `rest_precondition_failed`
 */
export function assertMayBeNew({ ifMatch }: Preconditions): void {
  if (ifMatch === undefined) return
  throw preconditionFailed('This does not exist, but If-Match requires it to.')
}
