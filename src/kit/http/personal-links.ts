import { revision } from '../db/derived.ts'
import { first, mapQuery, type Query } from '../db/query.ts'
import { build } from '../db/statements.ts'
import { isSameText } from '../lib/hash.ts'
import { keyedHash } from '../work/day-keys.ts'

// Links to the personal pages of people who have no account. Nothing is stored to make them: they are keyed
// digests of a row's id and version, so people who are no longer on a list have no valid one. The key is the
// secret of the database, which a restored calendar doesn't have.

/** What a link is made of. A change of the row's version ends its links. */
type LinkedRow = { id: number; version: number }

export const selectSecret = (): Query<string> =>
  mapQuery(first(build.select({ databaseSecret: revision.secret }).from(revision)), row => {
    if (!row) throw new Error('The database has no secret.')
    return row.databaseSecret
  })

/**
 * The links to the personal pages of the rows of one table.
 *
 * @param kind names the table, so that no link fits a row of another
 * @param base the path below which the pages are
 */
export function personalLinks(kind: string, base: string) {
  /** The part of an address that only the person knows: the id, and 128 bits in hexadecimal. */
  const tokenOf = async (secret: string, { id, version }: LinkedRow): Promise<string> =>
    `${id}-${await keyedHash({ key: secret }, `${kind} ${id} ${version}`)}`
  return {
    tokenOf,
    /** True if a token belongs to a row. The comparison takes the same time for all tokens. */
    isTokenOf: async (secret: string, token: string, row: LinkedRow): Promise<boolean> =>
      isSameText(token, await tokenOf(secret, row)),
    pathOf: (token: string): string => `${base}/${token}/`,
    /** The path of all of these pages, in Hono's notation. */
    path: `${base}/:token{[0-9]{1,15}-[0-9a-f]{32}}/`,
  }
}

/** The id in a token, of a row that may not exist. */
export const idOfToken = (token: string): number => Number.parseInt(token, 10)
