import { and, eq, gt, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { first, mapQuery, type Query } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { eventPreviews, users } from '../../kit/db/tables.ts'
import { hexDigest, randomHex } from '../../kit/lib/hash.ts'
import { addDays, type DateTime } from '../../kit/lib/time.ts'

/** The days for which a link is valid. */
const DAYS_VALID = 7

// A link works as long as the user who made it may edit the event. The token ends with this user's id, which
// the digest covers.

/** The digest of a token. The database stores no more of the token. */
const previewDigest = (token: string): Promise<string> => hexDigest(`preview ${token}`)

export const PREVIEW_TOKEN = '[0-9a-f]{32}-[0-9]{1,15}'

/** The path of a link's page. @param token a token, or the pattern of all tokens */
export const previewPath = (token: string): string => `/preview/${token}/`

/** A query for the time (UTC) until which the link of an event is valid; undefined without a link. */
export const selectPreviewLink = ({ clock }: BaseContext, event: number): Query<DateTime | undefined> =>
  mapQuery(
    first(
      build
        .select({ until: eventPreviews.expires_utc })
        .from(eventPreviews)
        .where(and(eq(eventPreviews.event_id, event), gt(eventPreviews.expires_utc, clock.now()))),
    ),
    link => link?.until,
  )

/**
 * Makes a link, which replaces the former link.
 * @returns its token with 128 random bits, which nobody can read again, and the time (UTC) until which it is
 *   valid
 */
export async function makePreviewLink({ db, clock, caller }: BaseContext, event: number) {
  const token = `${randomHex(16)}-${caller.id}`
  const link = { digest: await previewDigest(token), expires_utc: addDays(clock.now(), DAYS_VALID) }
  await db.write([
    build
      .insert(eventPreviews)
      .values({ event_id: event, ...link })
      .onConflictDoUpdate({ target: eventPreviews.event_id, set: link }),
  ])
  return { token, until: link.expires_utc }
}

export const revokePreviewLink = ({ db }: BaseContext, event: number) =>
  db.write([build.delete(eventPreviews).where(eq(eventPreviews.event_id, event))])

/**
 * A SELECT of the id of the event that a token shows, and a query for the user who made the token; undefined
 * if that user is gone.
 */
export async function previewQueries({ clock }: BaseContext, token: string) {
  const digest = await previewDigest(token)
  const [, maker] = token.split('-')
  return {
    id: sql`SELECT event_id FROM ${eventPreviews} WHERE digest = ${digest} AND expires_utc > ${clock.now()}`,
    maker: first(
      build
        .select({ id: users.id, role: users.role })
        .from(users)
        .where(eq(users.id, Number(maker))),
    ),
  }
}
