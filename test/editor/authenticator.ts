import { SITE } from '../factories.ts'

// An authenticator in software, for tests that change what a browser would not. Chromium's is in
// node/sign-in.test.ts.

const bytesOf = (text: string): Buffer => Buffer.from(text)

const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes))

/** The head of a value of CBOR (RFC 8949 §3): major type and a length below 65,536. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

const int = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value))
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), bytesOf(value)])
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value])
const map = (...pairs: [Buffer, Buffer][]): Buffer => Buffer.concat([head(5, pairs.length), ...pairs.flat()])

/** A signature of Web Crypto, two numbers of 32 bytes, in the form of ASN.1 that authenticators send. */
function asn1(signature: Buffer): Buffer {
  const integer = (number: Buffer): Buffer => {
    const at = number.findIndex(byte => byte !== 0)
    const digits = number.subarray(at)
    const body = (digits[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), digits]) : digits
    return Buffer.concat([Buffer.from([2, body.length]), body])
  }
  const body = Buffer.concat([integer(signature.subarray(0, 32)), integer(signature.subarray(32))])
  return Buffer.concat([Buffer.from([0x30, body.length]), body])
}

const USER_PRESENT = 1
const USER_VERIFIED = 4
const HAS_CREDENTIAL = 64

/** What a response says that a browser would not. */
export type Lies = {
  origin?: string
  rpId?: string
  type?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string
  challenge?: string
}

/** One passkey. */
export class Authenticator {
  readonly id: string
  readonly #keys: CryptoKeyPair
  #counter = 0
  #user = ''

  private constructor(id: string, keys: CryptoKeyPair) {
    this.id = id
    this.#keys = keys
  }

  static async make(id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url')) {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    // Of an algorithm with two keys.
    const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
    return new Authenticator(id, keys)
  }

  /** The response to the options of a registration. */
  async register(options: string, lies: Lies = {}): Promise<string> {
    const { challenge, user } = JSON.parse(options)
    this.#user = user.id
    const exported = await crypto.subtle.exportKey('jwk', this.#keys.publicKey)
    // Web Crypto exports one key of this format.
    const { x = '', y = '' } = exported as JsonWebKey
    const publicKey = map(
      [int(1), int(2)],
      [int(3), int(-7)],
      [int(-1), int(1)],
      [int(-2), bytes(Buffer.from(x, 'base64url'))],
      [int(-3), bytes(Buffer.from(y, 'base64url'))],
    )
    const id = Buffer.from(this.id, 'base64url')
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, publicKey])
    const data = Buffer.concat([await this.#data(lies, HAS_CREDENTIAL), credential])
    const attestation = map(
      [text('fmt'), text('none')],
      [text('attStmt'), map()],
      [text('authData'), bytes(data)],
    )
    return this.#response({
      clientDataJSON: this.#clientData('webauthn.create', challenge, lies).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The response to the options of a sign-in. */
  async sign(options: string, lies: Lies = {}): Promise<string> {
    const clientData = this.#clientData('webauthn.get', JSON.parse(options).challenge, lies)
    const data = await this.#data(lies, 0)
    const signed = Buffer.concat([data, await digest(new Uint8Array(clientData))])
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const signature = Buffer.from(await crypto.subtle.sign(algorithm, this.#keys.privateKey, signed))
    return this.#response({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: asn1(signature).toString('base64url'),
      userHandle: lies.userHandle ?? this.#user,
    })
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const { origin = SITE } = lies
    return bytesOf(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    )
  }

  async #data({ rpId = new URL(SITE).hostname, isVerified = true, counter }: Lies, more: number) {
    const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | more
    this.#counter = counter ?? this.#counter + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#counter)
    return Buffer.concat([await digest(new Uint8Array(bytesOf(rpId))), Buffer.from([flags]), count])
  }

  #response(response: object): string {
    const { id } = this
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }
}
