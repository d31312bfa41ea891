import { base64url, fromBase64url, shortDigest } from '../../kit/lib/hash.ts'
import { dayNumber } from '../../kit/lib/time.ts'

// Tokens of changes: a position in a list of changes, which only this database can issue. Clients can read
// the numbers in a token, which count only changes that its audience, the public or editors, may see.

/** The position that a copy has reached. */
export type ChangesPosition = {
  /**
   * The number of the last change in the copy, and the id of the changed row, because one write gives many
   * changes the same number.
   */
  changeNumber: number
  id: number
  /**
   * For editors, who see hidden content: the number of the last public change when the copy began to catch
   * up.
   */
  publicChangeNumber: number
  /**
   * The position in the first copy: the values of the columns that order the copy; null once it is complete.
   */
  cursor: readonly (string | number)[] | null
}

type SentToken = {
  position: ChangesPosition
  /** The number of the day on which it was issued. */
  issued: number
  /** Its payload and digest, which have not been checked yet. */
  signed: { payload: string; digest: string }
}

const DAYS_VALID = 90

/** The list to which a token belongs, with filters and audience as a text, and a secret of the database. */
type TokenBinding = { databaseSecret: string; list: string }

/** A binding with today's date, the same date on which cached responses depend. */
type DatedBinding = TokenBinding & { today: string }

export async function makeToken(
  { changeNumber, id, publicChangeNumber, cursor }: ChangesPosition,
  { today, ...binding }: DatedBinding,
): Promise<string> {
  const payload = base64url(
    JSON.stringify([dayNumber(today), changeNumber, id, publicChangeNumber, ...(cursor ?? [])]),
  )
  return `${payload}.${await payloadDigest(payload, binding)}`
}

const payloadDigest = (payload: string, { databaseSecret, list }: TokenBinding) =>
  shortDigest(`${databaseSecret} ${payload} ${list}`)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isValue = (value: unknown): value is string | number => typeof value === 'string' || isCount(value)

/**
 * Reads a token; undefined if the text is not a token. Its digest can only be checked once the secret has
 * been loaded.
 */
export function readToken(token: string): SentToken | undefined {
  const [payload = '', digest = '', ...furtherParts] = token.split('.')
  const parts = furtherParts.length > 0 ? undefined : jsonIn(payload)
  if (!Array.isArray(parts)) return undefined
  const [issued, changeNumber, id, publicChangeNumber, ...cursor]: unknown[] = parts
  if (!isCount(issued) || !isCount(changeNumber) || !isCount(id) || !isCount(publicChangeNumber))
    return undefined
  if (!cursor.every(isValue)) return undefined
  return {
    position: { changeNumber, id, publicChangeNumber, cursor: cursor.length > 0 ? cursor : null },
    issued,
    signed: { payload, digest },
  }
}

function jsonIn(payload: string): unknown {
  try {
    return JSON.parse(fromBase64url(payload))
  } catch {
    return undefined
  }
}

/** True if a token belongs to this list and database, and is not too old. */
export async function isValidToken(
  { issued, signed }: SentToken,
  { today, ...binding }: DatedBinding,
): Promise<boolean> {
  const isOurs = signed.digest === (await payloadDigest(signed.payload, binding))
  return isOurs && dayNumber(today) - issued <= DAYS_VALID
}
