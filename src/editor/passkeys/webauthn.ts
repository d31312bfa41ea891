import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, eq, lt, notExists, type SQL, sql } from 'drizzle-orm'
import { combineQueries, first, many, mapQuery, type RowOfQuery, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { keys, passkeys, usedChallenges } from '../../kit/db/tables.ts'
import { hex, hmac, isSameText } from '../../kit/lib/hash.ts'
import { toUtf8 } from '../../kit/lib/streams.ts'
import { formatInstant, MINUTE_MS } from '../../kit/lib/time.ts'
import { asObject, parseJson } from '../../kit/lib/values.ts'
import { asError, logError } from '../../kit/work/error-log.ts'
import type { EditorContext, VisitorContext } from '../context.ts'
import { type NewSession, newSecret } from '../sessions.ts'

/**
 * The library for passkeys, evaluated at its first use: evaluating it takes some 20 ms of CPU, which would
 * delay every start.
 */
const importLibrary = () => import('@simplewebauthn/server')

/** The longest response, in characters: authenticators send some 10,000 at most, including certificates. */
const MAX_RESPONSE_LENGTH = 20_000

/**
 * The JSON of a browser's response; `{}` if it is invalid or too long. Any part may be missing or of another
 * type: the library checks everything that it reads, and throws.
 */
const parseResponse = (text: string): object =>
  asObject(text.length > MAX_RESPONSE_LENGTH ? undefined : parseJson(text))

/** A query for a passkey by the id that a browser sent: in the form of the library, with its owner. */
const selectPasskeyByCredential = (credentialId: string) =>
  mapQuery(
    first(build.select().from(passkeys).where(eq(passkeys.credential_id, credentialId))),
    row =>
      row && {
        id: row.id,
        userId: row.user_id,
        credential: {
          id: row.credential_id,
          publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
          counter: row.counter,
        },
      },
  )

/** A query for the passkeys of a user, oldest first. */
export const selectPasskeys = (userId: number) =>
  many(
    build
      .select({
        id: passkeys.id,
        credentialId: passkeys.credential_id,
        name: passkeys.name,
        created: passkeys.created_utc,
        lastUsed: passkeys.last_used_utc,
      })
      .from(passkeys)
      .where(eq(passkeys.user_id, userId))
      .orderBy(passkeys.id),
  )

const decodeBase64Url = (encoded: string): string => Buffer.from(encoded, 'base64url').toString()

// Anybody may ask for a challenge, so a challenge is stored only once it has been answered: nobody can fill
// the database by asking. It is signed with a key of the database, is valid for one browser and five minutes,
// and is accepted once.

const CHALLENGE_LIFE_MS = 5 * MINUTE_MS

/** A query for the key that signs challenges. */
export const selectChallengeKey = mapQuery(
  first(build.select({ value: keys.value }).from(keys).where(eq(keys.name, 'challenges'))),
  key => {
    if (!key) throw new Error('The database has no key: are migrations missing?')
    return key.value
  },
)

const codeOf = async (key: string, text: string): Promise<string> => hex(await hmac(key, text))

/**
 * Makes a challenge.
 *
 * @param key of the database
 * @param binding the token of the session or visit that it is for
 */
async function newChallenge(key: string, binding: string): Promise<string> {
  const text = `${Date.now() + CHALLENGE_LIFE_MS}.${newSecret()}`
  return `${text}.${await codeOf(key, `${text}.${binding}`)}`
}

/** True if a challenge was issued for this binding and has not expired. */
async function isOwnChallenge(challenge: string, key: string, binding: string): Promise<boolean> {
  const [text = '', expires, code = ''] =
    /^((\d{1,16})\.[\da-f]{64})\.([\da-f]{64})$/.exec(challenge)?.slice(1) ?? []
  return Number(expires) > Date.now() && isSameText(code, await codeOf(key, `${text}.${binding}`))
}

/**
 * A check of the challenge in a response, which the library decodes. It stores the challenge and the result.
 */
function challengeCheck(key: string, binding: string) {
  const challenge = {
    text: '',
    isOwn: false,
    check: async (encoded: string): Promise<boolean> => {
      challenge.text = decodeBase64Url(encoded)
      challenge.isOwn = await isOwnChallenge(challenge.text, key, binding)
      return challenge.isOwn
    },
  }
  return challenge
}

/** A condition: nobody has answered the challenge yet. */
const unusedChallengeSql = (challenge: string): SQL =>
  notExists(build.select().from(usedChallenges).where(eq(usedChallenges.challenge, challenge)))

/** The statements that record a used challenge and delete expired ones. */
const challengeStatements = (challenge: string): Statement[] => [
  build
    .insert(usedChallenges)
    .values({ challenge, expires_utc: formatInstant(Date.now() + CHALLENGE_LIFE_MS) })
    .onConflictDoNothing(),
  build.delete(usedChallenges).where(lt(usedChallenges.expires_utc, formatInstant(Date.now()))),
]

/**
 * ECDSA with P-256, Ed25519 and RSA with SHA-256: all algorithms that authenticators use and workerd
 * verifies.
 */
const ALGORITHMS = [-7, -8, -257]

/**
 * The options for making a passkey that works without a login and asks for a finger, a face or a PIN.
 *
 * @param url of the page: the passkey is valid for its host
 */
export async function registrationOptions(
  { context, session, token }: EditorContext,
  { url, key, known }: { url: URL; key: string; known: readonly RowOfQuery<typeof selectPasskeys>[] },
) {
  const { generateRegistrationOptions } = await importLibrary()
  const { id, login } = session.user
  return generateRegistrationOptions({
    rpName: context.settings.siteName,
    rpID: url.hostname,
    userName: login,
    userID: toUtf8(String(id)),
    challenge: await newChallenge(key, token),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

type NewPasskey = {
  url: URL
  key: string
  /** JSON, as @simplewebauthn/browser makes it. */
  response: string
  name: string
  limit: number
}

/**
 * The statements that store a passkey; undefined if the browser's response is invalid. `insertion` returns
 * the id, unless the passkey is already stored, the challenge is already used, or the user has the maximum
 * number.
 */
export async function newPasskey(
  { context, session, token }: EditorContext,
  { url, key, response, name, limit }: NewPasskey,
): Promise<{ insertion: SQL; after: Statement[] } | undefined> {
  const challenge = challengeCheck(key, token)
  const { verifyRegistrationResponse } = await importLibrary()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    // The library checks the whole response, and throws if it is invalid.
    response: parseResponse(response) as RegistrationResponseJSON,
    expectedChallenge: challenge.check,
    expectedOrigin: url.origin,
    expectedRPID: url.hostname,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    // A signed-in user who answers a challenge of ours is hardly an attacker, so the fault may be here.
    if (challenge.isOwn) logError(context.requestId, asError(error))
    return { verified: false, registrationInfo: undefined }
  })
  if (!verified || !registrationInfo) return undefined
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const storedKey = Buffer.from(publicKey).toString('base64url')
  const userId = session.user.id
  return {
    insertion: sql`INSERT INTO ${passkeys}
        (user_id, credential_id, public_key, counter, transports, name, created_utc)
      SELECT ${userId}, ${id}, ${storedKey}, ${counter}, ${JSON.stringify(transports)}, ${name}, ${context.clock.now()}
      WHERE ${unusedChallengeSql(challenge.text)} AND NOT EXISTS (SELECT 1 FROM ${passkeys} WHERE credential_id = ${id})
        AND (SELECT count(*) FROM ${passkeys} WHERE user_id = ${userId}) < ${limit}
      RETURNING id`,
    after: challengeStatements(challenge.text),
  }
}

/** The options for asking for any passkey of this host. */
export async function authenticationOptions({ context, token }: VisitorContext, url: URL) {
  const { generateAuthenticationOptions } = await importLibrary()
  const key = await context.db.read(selectChallengeKey)
  return generateAuthenticationOptions({
    rpID: url.hostname,
    challenge: await newChallenge(key, token),
    userVerification: 'required',
  })
}

/**
 * The user of the passkey that responded, as a SELECT, and the statements that record its use; undefined if
 * the response is invalid. The SELECT returns no row if another request was faster with the same response, or
 * with the response of a copied passkey.
 *
 * @param text JSON, as @simplewebauthn/browser makes it
 */
export async function findPasskeyUser(
  { context, token }: VisitorContext,
  { url, text }: { url: URL; text: string },
): Promise<Pick<NewSession, 'passkeyId' | 'user' | 'after'> | undefined> {
  const credential = parseResponse(text)
  const { id, response } = asObject(credential)
  const { userHandle } = asObject(response)
  if (typeof id !== 'string' || typeof userHandle !== 'string') return undefined
  const { key, passkey } = await context.db.read(
    combineQueries({ key: selectChallengeKey, passkey: selectPasskeyByCredential(id) }),
  )
  if (!passkey) return undefined
  // A passkey without a login names its user, which must be the owner of the stored one.
  if (decodeBase64Url(userHandle) !== String(passkey.userId)) return undefined
  const challenge = challengeCheck(key, token)
  const { verifyAuthenticationResponse } = await importLibrary()
  const { verified, newCounter } = await verifyAuthenticationResponse({
    // The library checks the whole response, and throws if it is invalid.
    response: credential as AuthenticationResponseJSON,
    expectedChallenge: challenge.check,
    expectedOrigin: url.origin,
    expectedRPID: url.hostname,
    credential: passkey.credential,
    requireUserVerification: true,
  }).then(
    ({ verified, authenticationInfo }) => ({ verified, newCounter: authenticationInfo.newCounter }),
    error => {
      // Strangers know the id of no passkey, so the fault may be here. A wrong signature is no exception.
      if (challenge.isOwn) logError(context.requestId, asError(error))
      return { verified: false, newCounter: 0 }
    },
  )
  if (!verified) return undefined
  // The same checks again within the statement: another response with the same or a later counter may have
  // arrived in the meantime.
  const nextUseSql = and(
    eq(passkeys.id, passkey.id),
    unusedChallengeSql(challenge.text),
    sql`(${passkeys.counter} < ${newCounter} OR ${passkeys.counter} + ${newCounter} = 0)`,
  )
  return {
    passkeyId: passkey.id,
    user: build.select({ id: passkeys.user_id }).from(passkeys).where(nextUseSql),
    after: [
      build
        .update(passkeys)
        .set({ counter: newCounter, last_used_utc: context.clock.now() })
        .where(nextUseSql),
      ...challengeStatements(challenge.text),
    ],
  }
}
