import { eq, getTableColumns } from 'drizzle-orm'
import { combineQueries, first, type Query } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { idOfToken, personalLinks, selectSecret } from '../../../kit/http/personal-links.ts'
import { newsChoices, subscribers } from '../tables.ts'

export type SubscriberRow = typeof subscribers.$inferSelect

export const NEWS_LINKS = personalLinks('subscriber', '/news')

export type Subscriber = SubscriberRow & { filters: string; language: string }

/** The subscriber of a token; undefined if there is none any more. */
export async function subscriberOf(
  { db }: { db: { read: <T>(query: Query<T>) => Promise<T> } },
  token: string,
): Promise<Subscriber | undefined> {
  const { secret, subscriber } = await db.read(
    combineQueries({
      secret: selectSecret(),
      subscriber: first(
        build
          .select({
            ...getTableColumns(subscribers),
            filters: newsChoices.filters,
            language: newsChoices.language,
          })
          .from(subscribers)
          .innerJoin(newsChoices, eq(newsChoices.id, subscribers.choice_id))
          .where(eq(subscribers.id, idOfToken(token))),
      ),
    }),
  )
  return subscriber && (await NEWS_LINKS.isTokenOf(secret, token, subscriber)) ? subscriber : undefined
}
