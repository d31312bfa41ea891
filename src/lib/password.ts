import { hex, sha256 } from './digest.ts'

/**
 * The SHA-256 digest of an application password, in hexadecimal, which is stored instead of it. Blanks are ignored,
 * because passwords are shown in groups. A plain hash suffices because passwords are random.
 */
export const digestOf = async (password: string): Promise<string> =>
  hex(await sha256(password.replace(/\s/g, '')))

/**
 * Compares two texts in a time that does not depend on their difference: all bytes of their digests are looked at. Importing
 * node:crypto for this took 2.2 ms of every start, and what Workers have instead is not there in Node.js.
 */
export async function isSameText(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(one), sha256(other)])
  return a.reduce((difference, byte, i) => difference | (byte ^ (b[i] ?? 0)), a.length ^ b.length) === 0
}

/**
 * A new application password: 200 random bits as eight groups of five characters, base 32 without look-alikes.
 *
 * @param groups of another secret, of 25 bits each
 */
export function randomPassword(groups = 8): string {
  const alphabet = 'abcdefghjkmnpqrstvwxyz0123456789'
  const symbols = [...crypto.getRandomValues(new Uint8Array(5 * groups))].map(byte => alphabet[byte % 32])
  return symbols.join('').replace(/.{5}(?=.)/g, '$& ')
}
