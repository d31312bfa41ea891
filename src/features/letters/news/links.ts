import { eq, getTableColumns } from 'drizzle-orm'
import { revision } from '../../../db/derived.ts'
import { first, mapped, type Query, together } from '../../../db/query.ts'
import { build } from '../../../db/statements.ts'
import { hex, hmac, isSameText } from '../../../lib/digest.ts'
import { newsChoices, subscribers } from '../tables.ts'

// Nothing is stored to make links: they are keyed digests of the row's id and version, so whoever has left has no valid one. The key is the
// secret of the database, which a restored calendar doesn't have; nor has it subscribers.

export type SubscriberRow = typeof subscribers.$inferSelect

/** A query of the secret of the database. */
export const selectSecret = (): Query<string> =>
  mapped(first(build.select({ epoch: revision.epoch }).from(revision)), row => {
    if (!row) throw new Error('The database has no secret.')
    return row.epoch
  })

/** The part of an address that only the subscriber knows: the id, and 128 bits in hexadecimal. */
export async function tokenOf(
  secret: string,
  { id, version }: Pick<SubscriberRow, 'id' | 'version'>,
): Promise<string> {
  const digest = await hmac(secret, `subscriber ${id} ${version}`)
  return `${id}-${hex(digest.slice(0, 16))}`
}

/** Matches a token, in Hono's notation. */
export const TOKEN_PATTERN = '[0-9]{1,15}-[0-9a-f]{32}'

/** The path of a subscriber's own page. */
export const ownPath = (token: string): string => `/news/${token}/`

/** A subscriber with what was chosen. */
export type Subscriber = SubscriberRow & { filters: string; language: string }

/** The subscriber of a token; undefined if there is none, or no longer. */
export async function subscriberOf(
  { db }: { db: { get: <T>(query: Query<T>) => Promise<T> } },
  token: string,
): Promise<Subscriber | undefined> {
  const { secret, found } = await db.get(
    together({
      secret: selectSecret(),
      found: first(
        build
          .select({
            ...getTableColumns(subscribers),
            filters: newsChoices.filters,
            language: newsChoices.language,
          })
          .from(subscribers)
          .innerJoin(newsChoices, eq(newsChoices.id, subscribers.choice_id))
          .where(eq(subscribers.id, Number.parseInt(token, 10))),
      ),
    }),
  )
  return found && (await isSameText(token, await tokenOf(secret, found))) ? found : undefined
}
