import { sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, first, type Query, selectCondition } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { idOfToken, personalLinks, selectSecret } from '../../kit/http/personal-links.ts'
import { usedUpSql } from '../../kit/work/counts.ts'
import { ownChanges } from './limits.ts'
import { type Occasion, selectOccasionById } from './occasion.ts'
import { registrants } from './tables.ts'

export type RegistrantRow = typeof registrants.$inferSelect

export const PEOPLE_LINKS = personalLinks('registrant', '/registrations')

export const registerPath = (event: number): string => `/register/${event}/`

/** A query for a person by id, including people who have not confirmed their address. */
export const selectPersonById = (id: number): Query<RegistrantRow | undefined> =>
  first(build.select().from(registrants).where(sql`${registrants.id} = ${id}`))

export const selectOccasionOfPerson = (context: BaseContext, id: number): Query<Occasion | undefined> =>
  selectOccasionById(
    context,
    sql`(SELECT registration_id FROM ${registrants} WHERE ${registrants.id} = ${id})`,
  )

/**
 * The person of a token, with the occasion, and whether today's changes are used up; undefined if there is
 * none, or no longer.
 */
export async function findPersonByToken(
  context: BaseContext,
  token: string,
): Promise<{ person: RegistrantRow; occasion: Occasion; isUsedUp: boolean } | undefined> {
  const id = idOfToken(token)
  const { secret, person, occasion, isUsedUp } = await context.db.read(
    combineQueries({
      secret: selectSecret(),
      person: selectPersonById(id),
      occasion: selectOccasionOfPerson(context, id),
      isUsedUp: selectCondition(usedUpSql(context.clock, ownChanges(id))),
    }),
  )
  const isOwnToken = person && (await PEOPLE_LINKS.isTokenOf(secret, token, person))
  return isOwnToken && occasion ? { person, occasion, isUsedUp } : undefined
}
