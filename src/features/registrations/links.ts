import { getTableColumns, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { revision } from '../../db/derived.ts'
import { first, mapped, type Query, together } from '../../db/query.ts'
import { build } from '../../db/statements.ts'
import { hex, hmac, isSameText } from '../../lib/digest.ts'
import { type Occasion, occasionById } from './occasion.ts'
import { registrants } from './tables.ts'

// Nothing is stored to make links: they are keyed digests of the row's id and version, so whoever is no longer on the list has no valid one.

export type RegistrantRow = typeof registrants.$inferSelect

/** A query of the secret of the database. */
export const selectSecret = (): Query<string> =>
  mapped(first(build.select({ epoch: revision.epoch }).from(revision)), row => {
    if (!row) throw new Error('The database has no secret.')
    return row.epoch
  })

/** The part of an address that only the person knows: the id, and 128 bits in hexadecimal. */
export async function tokenOf(
  secret: string,
  { id, version }: Pick<RegistrantRow, 'id' | 'version'>,
): Promise<string> {
  const digest = await hmac(secret, `registrant ${id} ${version}`)
  return `${id}-${hex(digest.slice(0, 16))}`
}

/** Matches a token, in Hono's notation. */
export const TOKEN_PATTERN = '[0-9]{1,15}-[0-9a-f]{32}'

/** The path of a person's own page. */
export const ownPath = (token: string): string => `/registrations/${token}/`

/** The path of the page on which people register for an event. */
export const registerPath = (event: number): string => `/register/${event}/`

export type Registered = { person: RegistrantRow; occasion: Occasion }

/** The person of a token, and what it is about; undefined if there is none, or no longer. */
export async function registeredBy(context: RequestContext, token: string): Promise<Registered | undefined> {
  const id = Number.parseInt(token, 10)
  const { secret, person, occasion } = await context.db.get(
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
  if (!person || !occasion || !(await isSameText(token, await tokenOf(secret, person)))) return undefined
  return { person, occasion }
}
