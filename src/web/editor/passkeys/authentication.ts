import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { and, eq, sql } from 'drizzle-orm'
import { together } from '../../../db/query.ts'
import { passkeys } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'
import { isObject } from '../../../lib/values.ts'
import type { Visit } from '../admin.ts'
import type { Beginning } from '../sessions/session.ts'
import { challengeKey, isOwnChallenge, isUnusedChallenge, newChallenge, noteUsed } from './challenges.ts'
import { parseResponse, textIn, webauthn } from './response.ts'
import { passkeyByCredential } from './stored.ts'

/** The options with which a browser asks for a passkey of this host, whosever it is. */
export async function authenticationOptions({ context, token }: Visit, url: URL) {
  const { generateAuthenticationOptions } = await webauthn()
  const key = await context.db.get(challengeKey)
  return generateAuthenticationOptions({
    rpID: url.hostname,
    challenge: await newChallenge(key, token),
    userVerification: 'required',
  })
}

/**
 * The user whose passkey responded, as a SELECT, and the statements that note it; undefined if the response does not hold.
 * The SELECT has no row if somebody was quicker with the same response, or with one of a copy of the passkey.
 *
 * @param text JSON, as @simplewebauthn/browser makes it
 */
export async function passkeyUser(
  { context, token }: Visit,
  { url, text }: { url: URL; text: string },
): Promise<Pick<Beginning, 'user' | 'after'> | undefined> {
  const sent = parseResponse(text)
  const { id } = sent
  const userHandle = isObject(sent.response) ? sent.response.userHandle : undefined
  if (typeof id !== 'string' || typeof userHandle !== 'string') return undefined
  const { key, passkey } = await context.db.get(
    together({ key: challengeKey, passkey: passkeyByCredential(id) }),
  )
  if (!passkey) return undefined
  // Passkeys that need no login say whose they are. One that another user's row has is not that user's.
  if (textIn(userHandle) !== String(passkey.userId)) return undefined
  let challenge = ''
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, newCounter } = await verifyAuthenticationResponse({
    // The library looks at all of it, and throws for whatever does not hold.
    response: sent as unknown as AuthenticationResponseJSON,
    expectedChallenge: encoded => {
      challenge = textIn(encoded)
      return isOwnChallenge(challenge, key, token)
    },
    expectedOrigin: url.origin,
    expectedRPID: url.hostname,
    credential: passkey.credential,
    requireUserVerification: true,
  }).then(
    ({ verified, authenticationInfo }) => ({ verified, newCounter: authenticationInfo.newCounter }),
    () => ({ verified: false, newCounter: 0 }),
  )
  if (!verified) return undefined
  // As the library has found, and still: another response may have come meanwhile, with the same counter or a later one.
  const isNext = and(
    eq(passkeys.id, passkey.id),
    isUnusedChallenge(challenge),
    sql`(${passkeys.counter} < ${newCounter} OR ${passkeys.counter} + ${newCounter} = 0)`,
  )
  return {
    user: build.select({ id: passkeys.user_id }).from(passkeys).where(isNext),
    after: [
      build.update(passkeys).set({ counter: newCounter, last_used_utc: context.now }).where(isNext),
      ...noteUsed(challenge),
    ],
  }
}
