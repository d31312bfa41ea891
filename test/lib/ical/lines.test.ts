import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MOST_FOLDED, property, writeFolded } from '../../../src/lib/ical/lines.ts'

const encoder = new TextEncoder()

/** Characters of one to four bytes. */
const value = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '€', '😀'), maxLength: 400, size: 'max' })

it('lines are folded at 75 bytes, between characters, and keep what is before them', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), fc.nat(200), (values, at) => {
      const lines = values.map(text => property('X', text)).join('')
      const bytes = new Uint8Array(at + MOST_FOLDED * lines.length).fill(0x2e)
      const end = writeFolded(lines, bytes, at)
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(at, end))
      expect(bytes.subarray(0, at).every(byte => byte === 0x2e)).toBe(true)
      expect(text.replaceAll('\r\n ', '')).toBe(lines.replaceAll('\r\n ', ''))
      for (const line of text.split('\r\n')) expect(encoder.encode(line).length).toBeLessThanOrEqual(75)
      // As few lines as the characters allow.
      for (const [, line = '', next = ''] of text.matchAll(/([^\r\n]+)\r\n(?= (.))/gu))
        expect(encoder.encode(line + next).length).toBeGreaterThan(75)
    }),
    { seed: 20_261_123 },
  )
})
