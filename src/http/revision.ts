import { sql } from 'drizzle-orm'
import type { DocsContext, RequestContext } from '../context.ts'
import { revision } from '../db/derived.ts'
import { first, type Query } from '../db/query.ts'
import { may } from '../lib/roles.ts'
import { type DateTime, startOfDay, toEpoch, toUtc, toWall } from '../lib/time.ts'

/** The state of the database as one audience sees it: all that a response depends on beside its request. */
export type Revision = {
  /** A secret of the database. */
  epoch: string
  n: number
  /** UTC. */
  modified: DateTime
  /** Something scheduled has become due, and has not been published in the tables yet. */
  isDue: boolean
}

/** Callers of one audience see the same: editors everything, authors and contributors theirs, all others what is public. */
export function audienceOf(caller: RequestContext['caller']): string {
  if (may(caller, 'edit_others_content')) return EDITORS
  return may(caller, 'edit_content') ? String(caller.id) : PUBLIC
}

export const PUBLIC = 'public'
export const EDITORS = 'editors'

/** The revision for the caller's audience: one row. */
export function revisionQuery({ caller, now }: RequestContext): Query<Revision | undefined> {
  const isPublic = audienceOf(caller) === PUBLIC
  return first(
    sql`SELECT epoch, n, modified_utc, public_n, public_modified_utc, next_due_utc FROM ${revision}`,
    row => ({
      epoch: String(row.epoch),
      n: Number(isPublic ? row.public_n : row.n),
      modified: String(isPublic ? row.public_modified_utc : row.modified_utc),
      isDue: row.next_due_utc !== null && String(row.next_due_utc) <= now,
    }),
  )
}

/**
 * A strong entity tag for what an address shows at a revision; undefined while something is due, for then it may change
 * at any moment. Tags are made with a secret, so that they belong to one address, tell nothing, and cannot be made
 * up: whoever sends one has got it with that address's response.
 *
 * @param address all that the response depends on beside the revision
 */
export async function entityTag({ epoch, n, isDue }: Revision, address: string): Promise<string | undefined> {
  return isDue ? undefined : digestOf(`${epoch} ${n} ${address}`)
}

/**
 * A strong entity tag made from a response itself. The revision counts every change of what is hidden; to those who see
 * only their own part of that, a tag made from it would tell when others write.
 */
export const contentTag = (body: unknown, address: string): Promise<string> =>
  digestOf(`${address} ${JSON.stringify(body)}`)

async function digestOf(content: string): Promise<string> {
  const text = new TextEncoder().encode(content)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 15)
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** The tag as a header. @param version of the one resource that is shown, which `If-Match` compares */
export const quoted = (tag: string, version: number | undefined): string =>
  `"${tag}${version === undefined ? '' : `-v${version}`}"`

/** The tags of an `If-None-Match` header, without quotes, versions and the mark of weak ones. */
export const tagsIn = (header: string): string[] =>
  header.split(',').map(tag =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"|"$/g, '')
      .replace(/-v\d+$/, ''),
  )

/** The day in the site's zone, with which the default window of lists moves. */
export const today = ({ now, settings }: DocsContext): string => toWall(now, settings.timezone).slice(0, 10)

/** When the shown state began, as an HTTP date: with the last change, or this midnight, when the default window moved. */
export function lastModified({ modified }: Revision, { now, settings }: DocsContext): string {
  const midnight = toUtc(startOfDay(toWall(now, settings.timezone)), settings.timezone)
  return new Date(toEpoch(modified > midnight ? modified : midnight)).toUTCString()
}
