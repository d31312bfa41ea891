import { base64url, sha256, shortDigest } from '../../lib/digest.ts'
import { dayNumber } from '../../lib/time.ts'

// Tokens of changes: a place in a list of changes, which only this database can make. The numbers of the public and of editors
// count what these may see, and can be read. Those of authors and contributors count the changes of others as well: their
// tokens are sealed, each time in another way, so that neither what is in them nor comparing two tells how much others do.

/** The place that a copy has come to. */
export type ChangesPosition = {
  /** The number of the last change that it has, and the id of what changed: one write gives many changes one number. */
  n: number
  id: number
  /** For callers who see some of what is hidden: the numbers of the last public change, and of all, when it began to catch up. */
  publicN: number
  from: number
  /** The place in the first copy: the values by which it is ordered; null once it is complete. */
  cursor: readonly (string | number)[] | null
}

/** A token that was sent. */
export type SentToken = {
  place: ChangesPosition
  /** The number of the day on which it was made. */
  issued: number
  /** Of one that can be read: what its digest, which is not checked yet, must be that of. */
  signed?: { payload: string; digest: string }
}

const DAYS_VALID = 90

/** Everything that a token belongs to: list, filters and audience as a text, and a secret of the database. */
type Binding = { epoch: string; list: string }

/** The date of today is that on which responses that are cached depend as well. */
type Making = Binding & { today: string; isSealed: boolean }

/** Makes a token. @param isSealed true if nobody may read it */
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

/** Reads the JSON of a token; undefined for what is none. @throws SyntaxError for what is no JSON */
function tokenIn(json: ArrayBuffer | Uint8Array, isSealed: boolean): SentToken | undefined {
  const parts: unknown = JSON.parse(new TextDecoder().decode(json))
  if (!Array.isArray(parts)) return undefined
  const counts = parts.slice(0, isSealed ? 5 : 4)
  const cursor = parts.slice(counts.length)
  const [issued, n, id, publicN, from = n] = counts
  if (![issued, n, id, publicN, from].every(isCount) || !cursor.every(isValue)) return undefined
  return { place: { n, id, publicN, from, cursor: cursor.length > 0 ? cursor : null }, issued }
}

/** Takes a token apart that can be read; undefined for what is none. Its digest can only be checked once the secret is read. */
export function readToken(token: string): SentToken | undefined {
  const [payload = '', digest = '', ...more] = token.split('.')
  try {
    const sent = more.length > 0 ? undefined : tokenIn(bytesOf(payload), false)
    return sent && { ...sent, signed: { payload, digest } }
  } catch {
    return undefined
  }
}

/** Opens a sealed token; undefined for what is none, or of another list, caller or database. */
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

/** Sealed texts have lengths of these steps, for numbers grow longer. */
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

/** Tells if a token is of this list and database, and not too old. */
export async function isValid(
  { issued, signed }: SentToken,
  { today, ...binding }: Binding & { today: string },
): Promise<boolean> {
  const isOurs = !signed || signed.digest === (await digestOf(signed.payload, binding))
  return isOurs && dayNumber(today) - issued <= DAYS_VALID
}
