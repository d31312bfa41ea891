import { getTableColumns, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { first, together } from '../../db/query.ts'
import { build } from '../../db/statements.ts'
import { idOfToken, personalLinks, selectSecret } from '../../http/personal-links.ts'
import { type Occasion, occasionById } from './occasion.ts'
import { registrants } from './tables.ts'

export type RegistrantRow = typeof registrants.$inferSelect

/** The links to the pages of people. */
export const PEOPLE_LINKS = personalLinks('registrant', '/registrations')

/** The path of the page on which people register for an event. */
export const registerPath = (event: number): string => `/register/${event}/`

export type FoundRegistrant = { person: RegistrantRow; occasion: Occasion }

/** The person of a token, and what it is about; undefined if there is none, or no longer. */
export async function registeredBy(
  context: RequestContext,
  token: string,
): Promise<FoundRegistrant | undefined> {
  const id = idOfToken(token)
  const { secret, person, occasion } = await context.db.read(
    together({
      secret: selectSecret(),
      person: first(
        build.select(getTableColumns(registrants)).from(registrants).where(sql`${registrants.id} = ${id}`),
      ),
      occasion: occasionById(
        context,
        sql`(SELECT registration_id FROM ${registrants} WHERE ${registrants.id} = ${id})`,
      ),
    }),
  )
  const isOwn = person && (await PEOPLE_LINKS.isTokenOf(secret, token, person))
  return isOwn && occasion ? { person, occasion } : undefined
}
