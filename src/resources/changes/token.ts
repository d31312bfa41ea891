import { base64url, sha256, shortDigest } from '../../lib/digest.ts'
import { dayNumber } from '../../lib/time.ts'

// Tokens of changes: a position in a list of changes, which only this database can issue. Tokens of the public and of
// editors are readable, because their numbers count only changes that these may see. Numbers for authors and
// contributors count the changes of others as well, so their tokens are encrypted, differently each time: neither
// reading one nor comparing two reveals how much others change.

/** The position that a copy has reached. */
export type ChangesPosition = {
  /**
   * The number of the last change that it has, and the id of the changed row, because one write gives many changes the
   * same number.
   */
  n: number
  id: number
  /**
   * For callers who see some hidden content: the numbers of the last public change, and of the last change at all, when
   * the copy began to catch up.
   */
  publicN: number
  from: number
  /** The position in the first copy: the values by which it is ordered; null once it is complete. */
  cursor: readonly (string | number)[] | null
}

/** A token in a request. */
type SentToken = {
  place: ChangesPosition
  /** The number of the day on which it was issued. */
  issued: number
  /** For a readable token: its payload and digest, which have not been checked yet. */
  signed?: { payload: string; digest: string }
}

const DAYS_VALID = 90

/** The things that a token is bound to: list, filters and audience as a text, and a secret of the database. */
type Binding = { epoch: string; list: string }

/** `today` is the same date on which cached responses depend. */
type Making = Binding & { today: string; isSealed: boolean }

/** Makes a token. @param isSealed true to encrypt it */
export async function makeToken(
  place: ChangesPosition,
  { isSealed, today, ...binding }: Making,
): Promise<string> {
  const { n, id, publicN, from, cursor } = place
  const parts = [dayNumber(today), n, id, publicN, ...(isSealed ? [from] : []), ...(cursor ?? [])]
  if (isSealed) return sealed(JSON.stringify(parts), binding)
  const payload = base64url(JSON.stringify(parts))
  return `${payload}.${await digestOf(payload, binding)}`
}

const digestOf = (payload: string, { epoch, list }: Binding) => shortDigest(`${epoch} ${payload} ${list}`)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isValue = (value: unknown): value is string | number => typeof value === 'string' || isCount(value)

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), byte => byte.charCodeAt(0))

/** Reads the JSON of a token; undefined if it is not a token. @throws SyntaxError if it is not JSON */
function tokenIn(json: ArrayBuffer | Uint8Array, isSealed: boolean): SentToken | undefined {
  const parts: unknown = JSON.parse(new TextDecoder().decode(json))
  if (!Array.isArray(parts)) return undefined
  const counts = parts.slice(0, isSealed ? 5 : 4)
  const cursor = parts.slice(counts.length)
  const [issued, n, id, publicN, from = n] = counts
  if (![issued, n, id, publicN, from].every(isCount) || !cursor.every(isValue)) return undefined
  return { place: { n, id, publicN, from, cursor: cursor.length > 0 ? cursor : null }, issued }
}

/** Reads an unencrypted token; undefined if it is not one. Its digest can only be checked once the secret has been loaded. */
export function readToken(token: string): SentToken | undefined {
  const [payload = '', digest = '', ...more] = token.split('.')
  try {
    const sent = more.length > 0 ? undefined : tokenIn(bytesOf(payload), false)
    return sent && { ...sent, signed: { payload, digest } }
  } catch {
    return undefined
  }
}

/** Decrypts a token; undefined if it is not one, or belongs to another list, caller or database. */
export async function openToken(token: string, { epoch, list }: Binding): Promise<SentToken | undefined> {
  try {
    const bytes = bytesOf(token)
    const cipher = cipherOf(bytes.subarray(0, IV_BYTES), list)
    const json = await crypto.subtle.decrypt(cipher, await keyOf(epoch), bytes.subarray(IV_BYTES))
    return tokenIn(json, true)
  } catch {
    return undefined
  }
}

const IV_BYTES = 12

/** Encrypted texts are padded to multiples of this length, because numbers grow longer. */
const STEP = 96

const cipherOf = (iv: Uint8Array<ArrayBuffer>, list: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(list),
})

const keyOf = async (epoch: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', await sha256(`${epoch} tokens of changes`), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])

async function sealed(text: string, { epoch, list }: Binding): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const padded = text.padEnd(Math.ceil(text.length / STEP) * STEP)
  const bytes = await crypto.subtle.encrypt(
    cipherOf(iv, list),
    await keyOf(epoch),
    new TextEncoder().encode(padded),
  )
  return base64url(String.fromCharCode(...iv, ...new Uint8Array(bytes)))
}

/** Tells whether a token belongs to this list and database, and is not too old. */
export async function isValid(
  { issued, signed }: SentToken,
  { today, ...binding }: Binding & { today: string },
): Promise<boolean> {
  const isOurs = !signed || signed.digest === (await digestOf(signed.payload, binding))
  return isOurs && dayNumber(today) - issued <= DAYS_VALID
}
