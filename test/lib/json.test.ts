import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toScriptSafeJson } from '../../src/lib/json.ts'
import { jsonLd, node } from '../../src/lib/json-ld.ts'

describe('toScriptSafeJson', () => {
  it('writes no tag, no comment and no line separator', () => {
    const json = toScriptSafeJson({ '</script>': 'a</SCRIPT ><!-- \u2028\u2029 &' })
    expect(json).toBe('{"\\u003c/script>":"a\\u003c/SCRIPT >\\u003c!-- \\u2028\\u2029 &"}')
  })

  it('is the same to a parser', () => {
    const json = fc.json({ stringUnit: 'binary' }).map(text => JSON.parse(text) as string | null)
    fc.assert(
      fc.property(json, value => {
        const text = toScriptSafeJson(value)
        expect(text).not.toMatch(/[<\u2028\u2029]/)
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value))
      }),
      { seed: 20_261_120, numRuns: 300 },
    )
  })
})

describe('JSON-LD', () => {
  it('holds no tag in any of its texts', () => {
    const place = node('Place', { name: 'Barn </script><b>', telephone: '', url: undefined })
    const event = jsonLd(
      node('Event', {
        description: '</script><script>alert(1)</script>',
        image: ['<', 'x'],
        location: [place],
      }),
    )
    expect(JSON.stringify(event)).not.toContain('<')
    expect(event).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Event',
      description: '&lt;/script>&lt;script>alert(1)&lt;/script>',
      image: ['&lt;', 'x'],
      location: [{ '@type': 'Place', name: 'Barn &lt;/script>&lt;b>' }],
    })
  })
})
