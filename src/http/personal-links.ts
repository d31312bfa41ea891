import { revision } from '../db/derived.ts'
import { first, mapped, type Query } from '../db/query.ts'
import { build } from '../db/statements.ts'
import { hex, hmac, isSameText } from '../lib/digest.ts'

// Links to the own pages of people who have no account. Nothing is stored to make them: they are keyed digests of a row's id and version, so
// whoever is no longer on a list has no valid one. The key is the secret of the database, which a restored calendar doesn't have.

/** What a link is made of: `kind` names the table, so that no link fits the row of another one. */
type LinkedRow = { kind: string; id: number; version: number }

/** A query of the secret of the database. */
export const selectSecret = (): Query<string> =>
  mapped(first(build.select({ epoch: revision.epoch }).from(revision)), row => {
    if (!row) throw new Error('The database has no secret.')
    return row.epoch
  })

/** The part of an address that only the person knows: the id, and 128 bits in hexadecimal. */
export async function tokenOf(secret: string, { kind, id, version }: LinkedRow): Promise<string> {
  const digest = await hmac(secret, `${kind} ${id} ${version}`)
  return `${id}-${hex(digest.slice(0, 16))}`
}

/** Matches a token, in Hono's notation. */
export const TOKEN_PATTERN = '[0-9]{1,15}-[0-9a-f]{32}'

/** The id in a token, of a row that may not exist. */
export const idOfToken = (token: string): number => Number.parseInt(token, 10)

/** Tells if a token is that of a row, in a time that says nothing about it. */
export const isTokenOf = async (secret: string, token: string, row: LinkedRow): Promise<boolean> =>
  isSameText(token, await tokenOf(secret, row))
