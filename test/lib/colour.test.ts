import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLACK, contrast, formatColour, parseColour, readableOn, WHITE } from '../../src/lib/colour.ts'

const part = fc.integer({ min: 0, max: 255 })

describe('colours', () => {
  it('are read and written', () => {
    expect(parseColour('#1a6b54')).toEqual([26, 107, 84])
    expect(parseColour(' #FFF ')).toEqual([255, 255, 255])
    expect(formatColour([26, 107, 84])).toBe('#1a6b54')
    for (const text of ['red', '#12', '#12345', '#1234567', '123456', '#ggg', ''])
      expect(parseColour(text)).toBeUndefined()
  })

  it('contrast by the formula of WCAG', () => {
    expect(contrast(WHITE, BLACK)).toBe(21)
    expect(contrast(WHITE, WHITE)).toBe(1)
    // https://webaim.org/resources/contrastchecker/ has 4.54 for this grey.
    expect(contrast([118, 118, 118], WHITE)).toBeCloseTo(4.54, 2)
  })

  it('are made readable on light and dark, and left alone if they already are', () => {
    fc.assert(
      fc.property(part, part, part, (red, green, blue) => {
        const colour = [red, green, blue] as const
        const light = readableOn(colour, WHITE)
        expect(contrast(light, WHITE)).toBeGreaterThanOrEqual(5)
        expect(contrast(readableOn(colour, BLACK), BLACK)).toBeGreaterThanOrEqual(5)
        if (contrast(colour, WHITE) >= 5) expect(light).toEqual([red, green, blue])
      }),
      { seed: 1 },
    )
  })
})
