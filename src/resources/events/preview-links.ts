import { and, eq, gt, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { first, mapped, type Query } from '../../db/query.ts'
import { eventPreviews } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { hex, randomHex, sha256 } from '../../lib/digest.ts'
import { addDays, type DateTime } from '../../lib/time.ts'

/** The days for which a link holds. */
const DAYS = 7

/** A digest, which is all that is stored of a token. */
const digestOf = async (token: string): Promise<string> => hex(await sha256(`preview ${token}`))

/** The path of the page that a link leads to. @param token also the pattern for any token */
export const previewPath = (token: string): string => `/preview/${token}/`

/** A query of the time until which the link of an event holds, UTC; undefined without one. */
export const selectPreviewLink = ({ now }: RequestContext, event: number): Query<DateTime | undefined> =>
  mapped(
    first(
      build
        .select({ until: eventPreviews.expires_utc })
        .from(eventPreviews)
        .where(and(eq(eventPreviews.event_id, event), gt(eventPreviews.expires_utc, now))),
    ),
    link => link?.until,
  )

/** Makes a link, which ends the former one. @returns its token of 128 bits, which nobody can read again */
export async function makePreviewLink({ db, now }: RequestContext, event: number): Promise<string> {
  const token = randomHex(16)
  const link = { digest: await digestOf(token), expires_utc: addDays(now, DAYS) }
  await db.change([
    build
      .insert(eventPreviews)
      .values({ event_id: event, ...link })
      .onConflictDoUpdate({ target: eventPreviews.event_id, set: link }),
  ])
  return token
}

export const revokePreviewLink = ({ db }: RequestContext, event: number) =>
  db.change([build.delete(eventPreviews).where(eq(eventPreviews.event_id, event))])

/** A SELECT of the id of the event that a token shows. */
export const previewedId = async ({ now }: RequestContext, token: string) =>
  sql`SELECT event_id FROM ${eventPreviews} WHERE digest = ${await digestOf(token)} AND expires_utc > ${now}`
