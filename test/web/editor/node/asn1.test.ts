import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
// There are no types of a file that only stands in for packages.
// @ts-expect-error
import asn1 from '../../../../src/web/editor/passkeys/asn1.cjs'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { AsnParser, ECDSASigValue } = asn1

/** A number without the zeros before it, in hexadecimal. */
const digits = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(?:00)+/, '')

it('reads the two numbers of signatures, of whatever length', () => {
  const lengths = new Set<number>()
  for (let i = 0; i < 600; i++) {
    const der = new Uint8Array(sign('sha256', Buffer.from(`${i}`), privateKey))
    lengths.add(der.length)
    const { r, s } = AsnParser.parse(der, ECDSASigValue)
    expect(digits(r).length).toBeLessThanOrEqual(64)
    const lead = (number: Uint8Array) => ((number[0] ?? 0) > 127 ? [0, ...number] : [...number])
    const body = [2, lead(r).length, ...lead(r), 2, lead(s).length, ...lead(s)]
    expect([48, body.length, ...body]).toEqual([...der])
  }
  expect(lengths.size).toBeGreaterThan(1)
})

it('reads nothing else', () => {
  const der = new Uint8Array(sign('sha256', Buffer.from('x'), privateKey))
  expect(() => AsnParser.parse(der, class {})).toThrow('Certificates')
  for (let end = 0; end < der.length; end++)
    expect(() => AsnParser.parse(der.slice(0, end), ECDSASigValue)).toThrow()
  expect(() => AsnParser.parse(new Uint8Array([...der, 0]), ECDSASigValue)).toThrow()
})
