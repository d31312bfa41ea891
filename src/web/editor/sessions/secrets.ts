import { hex, randomHex, sha256 } from '../../../lib/digest.ts'

/** A new secret of 256 bits, in hexadecimal: of a session, a visit or a link. */
export const newSecret = (): string => randomHex(32)

/** A digest of a secret for one purpose: none can be told from another. */
export const digestFor = async (purpose: 'session' | 'form' | 'link', secret: string): Promise<string> =>
  hex(await sha256(`${purpose} ${secret}`))

/** The token of the forms of a session or a visit. */
export const formToken = (secret: string): Promise<string> => digestFor('form', secret)
