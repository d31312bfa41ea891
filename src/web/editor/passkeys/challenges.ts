import { eq, lt, notExists, type SQL } from 'drizzle-orm'
import { first, mapped, type Statement } from '../../../db/query.ts'
import { keys, usedChallenges } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'
import { hex, hmac, isSameText } from '../../../lib/digest.ts'
import { formatInstant } from '../../../lib/time.ts'
import { newSecret } from '../sessions/cookies.ts'

// Anyone may ask for a challenge, so none is stored before somebody has responded to it: nobody fills the database by asking.
// It is known again by a code of the database's own key, holds for one browser and five minutes, and is taken once.

const LIFE_MS = 300_000

/** The key by which challenges are known again. */
export const challengeKey = mapped(
  first(build.select({ value: keys.value }).from(keys).where(eq(keys.name, 'challenges'))),
  key => {
    if (!key) throw new Error('The database has no key: are migrations missing?')
    return key.value
  },
)

const codeOf = async (key: string, text: string): Promise<string> => hex(await hmac(key, text))

/**
 * A new challenge.
 *
 * @param key of the database
 * @param binding what it is for: the token of a session or of a visit
 */
export async function newChallenge(key: string, binding: string): Promise<string> {
  const text = `${Date.now() + LIFE_MS}.${newSecret()}`
  return `${text}.${await codeOf(key, `${text}.${binding}`)}`
}

/** Tells if a challenge was given out for this binding, and not too long ago. */
export async function isOwnChallenge(challenge: string, key: string, binding: string): Promise<boolean> {
  const [text = '', expires, code = ''] =
    /^((\d{1,16})\.[\da-f]{64})\.([\da-f]{64})$/.exec(challenge)?.slice(1) ?? []
  return Number(expires) > Date.now() && isSameText(code, await codeOf(key, `${text}.${binding}`))
}

/** True in SQL if nobody has responded to a challenge yet. */
export const isUnusedChallenge = (challenge: string): SQL =>
  notExists(build.select().from(usedChallenges).where(eq(usedChallenges.digest, challenge)))

/** Notes that somebody has responded to a challenge, and forgets those that have expired. */
export const noteUsed = (challenge: string): Statement[] => [
  build
    .insert(usedChallenges)
    .values({ digest: challenge, expires_utc: formatInstant(Date.now() + LIFE_MS) })
    .onConflictDoNothing(),
  build.delete(usedChallenges).where(lt(usedChallenges.expires_utc, formatInstant(Date.now()))),
]
