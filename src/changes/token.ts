import { base64url, shortDigest } from '../lib/digest.ts'
import { dayNumber } from '../lib/time.ts'

// Tokens of changes: a place in a list of changes, with a digest that only this database can make.

/** The place that a copy has come to. */
export type ChangesPosition = {
  /** The number of the last change that it has, and the id of what changed: one write gives many changes one number. */
  n: number
  id: number
  /** For callers who see some of what is hidden: the number of the last public change, when it began to catch up. */
  publicN: number
  /** The place in the first copy: the values by which it is ordered; null once it is complete. */
  cursor: readonly (string | number)[] | null
}

/** A token that was sent, before its digest is checked. */
type TokenContent = {
  place: ChangesPosition
  /** The number of the day on which it was made. */
  issued: number
  payload: string
  digest: string
}

const DAYS_VALID = 90

/**
 * Everything that a token belongs to: list, filters and audience as a text, a secret of the database, and the date of today,
 * on which responses that are cached depend as well.
 */
type Binding = { epoch: string; list: string; today: string }

/** Makes a token. */
export async function makeToken(place: ChangesPosition, { epoch, list, today }: Binding): Promise<string> {
  const { n, id, publicN, cursor } = place
  const payload = base64url(JSON.stringify([dayNumber(today), n, id, publicN, ...(cursor ?? [])]))
  return `${payload}.${await shortDigest(`${epoch} ${payload} ${list}`)}`
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isValue = (value: unknown): value is string | number => typeof value === 'string' || isCount(value)

/** Takes a token apart; undefined for what is none. Its digest can only be checked once the secret is read. */
export function readToken(token: string): TokenContent | undefined {
  const [payload = '', digest = '', ...more] = token.split('.')
  try {
    const parts: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    if (!Array.isArray(parts) || more.length > 0) return undefined
    const [issued, n, id, publicN, ...cursor] = parts
    if (![issued, n, id, publicN].every(isCount) || !cursor.every(isValue)) return undefined
    return { place: { n, id, publicN, cursor: cursor.length > 0 ? cursor : null }, issued, payload, digest }
  } catch {
    return undefined
  }
}

/** Tells if a token is of this list and database, and not too old. */
export async function isValid(sent: TokenContent, { epoch, list, today }: Binding): Promise<boolean> {
  const age = dayNumber(today) - sent.issued
  return age <= DAYS_VALID && sent.digest === (await shortDigest(`${epoch} ${sent.payload} ${list}`))
}
