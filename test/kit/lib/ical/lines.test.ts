import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldLines, property } from '../../../../src/kit/lib/ical/lines.ts'

const encoder = new TextEncoder()

/** Characters of one to four bytes. */
const value = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '€', '😀'), maxLength: 400, size: 'max' })

it('lines are folded at 75 bytes, between characters', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), values => {
      const lines = values.map(text => property('X', text)).join('')
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(foldLines(lines))
      expect(text.replaceAll('\r\n ', '')).toBe(lines.replaceAll('\r\n ', ''))
      for (const line of text.split('\r\n')) expect(encoder.encode(line).length).toBeLessThanOrEqual(75)
      // As few lines as the characters allow.
      for (const [, line = '', next = ''] of text.matchAll(/([^\r\n]+)\r\n(?= (.))/gu))
        expect(encoder.encode(line + next).length).toBeGreaterThan(75)
    }),
    { seed: 20_261_123 },
  )
})
