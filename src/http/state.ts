import { type SQL, sql } from 'drizzle-orm'
import { first, type Query } from '../db/client.ts'
import { revision } from '../db/derived.ts'
import { may } from '../lib/roles.ts'
import { type DateTime, startOfDay, toEpoch, toUtc, toWall } from '../lib/time.ts'
import type { View } from '../view.ts'
import { parseBrackets } from './body.ts'

/**
 * What every answer depends on: which database it is, how often and when anything in it was changed, and when
 * the next scheduled post is due. UTC.
 */
export type Revision = { epoch: string; n: number; modified: DateTime; nextDue: DateTime | undefined }

/** What a request itself decides of the state that its answer shows. */
type Standing = { moment: string; audience: string; build: string }

/** Callers who see the same share a tag: editors all, authors and contributors theirs, everyone else what is public. */
function audienceOf({ caller }: View): string {
  if (may(caller, 'edit_others_posts')) return 'e'
  return may(caller, 'edit_posts') ? String(caller.id) : PUBLIC
}

export const PUBLIC = 'p'

const DATES = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after']

/** Whether an answer may change from one second to the next, without any change in the data. */
function dependsOnClock(url: string): boolean {
  const { search } = new URL(url)
  if (search === '') return false
  const query = parseBrackets(search.slice(1))
  if (query.only_with_upcoming !== undefined) return true
  return DATES.some(name => query[name] !== undefined && !/^\s*\d{4}-\d\d-\d\d/.test(String(query[name])))
}

/** The default window of lists moves with the day, and code and settings decide what answers look like. */
export const standingOf = (view: View, build: string, url: string): Standing => ({
  moment: dependsOnClock(url) ? view.now : toWall(view.now, view.settings.timezone).slice(0, 10),
  audience: audienceOf(view),
  build: `${view.settings.fingerprint}${build.slice(0, 8)}`,
})

const digits = (text: string): string => text.replace(/\D/g, '')

/** What is due shows before the cron trigger has published it, and more may become due before it does. */
const isDue = ({ nextDue }: Revision, now: DateTime): boolean => nextDue !== undefined && nextDue <= now

/** The state of an answer as text: the same as long as the answer is, at one address. */
export function stateOf(known: Revision, { moment, audience, build }: Standing, now: DateTime): string {
  const { epoch, n, modified } = known
  return [epoch, n, digits(modified), digits(isDue(known, now) ? now : moment), audience, build].join('.')
}

/** The state that an entity tag names, whatever version comes after it. */
export const stateInTag = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"|"$/g, '')
    .replace(/-v\d+$/, '')

/** A strong entity tag. @param version of the one resource that is answered, which `If-Match` compares */
export const entityTag = (state: string, version: string | undefined): string =>
  `"${state}${version === undefined ? '' : `-v${version}`}"`

export const revisionQuery: Query<Revision | undefined> = first(
  sql`SELECT epoch, n, modified_utc, next_due_utc FROM ${revision}`,
  row => ({
    epoch: String(row.epoch),
    n: Number(row.n),
    modified: String(row.modified_utc),
    nextDue: row.next_due_utc === null ? undefined : String(row.next_due_utc),
  }),
)

/**
 * Whether the database is still in a state that was answered before, for SQL; undefined if the request by
 * itself makes it another state.
 */
export function stillIn(
  state: string,
  { moment, audience, build }: Standing,
  now: DateTime,
): SQL | undefined {
  const [epoch, n, modified, ...standing] = state.split('.')
  if (standing.join('.') !== [digits(moment), audience, build].join('.')) return undefined
  return sql`(SELECT epoch = ${epoch} AND n = CAST(${n} AS INTEGER)
    AND strftime('%Y%m%d%H%M%S', modified_utc) = ${modified}
    AND (next_due_utc IS NULL OR next_due_utc > ${now}) FROM ${revision})`
}

/** When what is shown was last changed, as an HTTP date: at the earliest this midnight, when the default window moved. */
export function lastModified({ modified }: Revision, { now, settings }: View): string {
  const midnight = toUtc(startOfDay(toWall(now, settings.timezone)), settings.timezone)
  return new Date(toEpoch(modified > midnight ? modified : midnight)).toUTCString()
}
