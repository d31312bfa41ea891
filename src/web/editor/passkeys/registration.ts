import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { type SQL, sql } from 'drizzle-orm'
import type { Statement } from '../../../db/query.ts'
import { passkeys } from '../../../db/schema.ts'
import type { Admin } from '../admin.ts'
import { isOwnChallenge, isUnusedChallenge, newChallenge, noteUsed } from './challenges.ts'
import { parseResponse, textIn, webauthn } from './response.ts'
import type { ListedPasskey } from './stored.ts'

/** ECDSA with P-256, Ed25519 and RSA with SHA-256: all that authenticators have, and workerd verifies. */
const ALGORITHMS = [-7, -8, -257]

/**
 * The options with which a browser makes a passkey, which is found without a login and asks for a finger, a face or a PIN.
 *
 * @param url of the page: the passkey holds for its host
 */
export async function registrationOptions(
  { context, session, token }: Admin,
  { url, key, known }: { url: URL; key: string; known: readonly ListedPasskey[] },
) {
  const { generateRegistrationOptions } = await webauthn()
  const { id, login } = session.user
  return generateRegistrationOptions({
    rpName: context.settings.siteName,
    rpID: url.hostname,
    userName: login,
    userID: new Uint8Array(new TextEncoder().encode(String(id))),
    challenge: await newChallenge(key, token),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

type New = {
  url: URL
  key: string
  /** JSON, as @simplewebauthn/browser makes it. */
  response: string
  name: string
  /** The number of passkeys that one user may have. */
  most: number
}

/**
 * The statements that store a passkey; undefined if the browser's response does not hold. `insertion` returns the id, unless
 * there is such a passkey already, somebody has responded to the same challenge, or the user has as many as there may be.
 */
export async function newPasskey(
  { context, session, token }: Admin,
  { url, key, response, name, most }: New,
): Promise<{ insertion: SQL; after: Statement[] } | undefined> {
  let challenge = ''
  const { verifyRegistrationResponse } = await webauthn()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    // The library looks at all of it, and throws for whatever does not hold.
    response: parseResponse(response) as unknown as RegistrationResponseJSON,
    expectedChallenge: encoded => {
      challenge = textIn(encoded)
      return isOwnChallenge(challenge, key, token)
    },
    expectedOrigin: url.origin,
    expectedRPID: url.hostname,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ verified: false, registrationInfo: undefined }))
  if (!verified || !registrationInfo) return undefined
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const stored = Buffer.from(publicKey).toString('base64url')
  const user = session.user.id
  return {
    insertion: sql`INSERT INTO ${passkeys}
        (user_id, credential_id, public_key, counter, transports, name, created_utc)
      SELECT ${user}, ${id}, ${stored}, ${counter}, ${JSON.stringify(transports)}, ${name}, ${context.now}
      WHERE ${isUnusedChallenge(challenge)} AND NOT EXISTS (SELECT 1 FROM ${passkeys} WHERE credential_id = ${id})
        AND (SELECT count(*) FROM ${passkeys} WHERE user_id = ${user}) < ${most}
      RETURNING id`,
    after: noteUsed(challenge),
  }
}
