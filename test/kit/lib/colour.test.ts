import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BLACK,
  COLOUR_NAMES,
  colourNameOf,
  contrast,
  formatColour,
  parseColour,
  readableOn,
  WHITE,
} from '../../../src/kit/lib/colour.ts'

const part = fc.integer({ min: 0, max: 255 })

describe('colours', () => {
  it('are read and written', () => {
    expect(parseColour('#1a6b54')).toEqual([26, 107, 84])
    expect(parseColour(' #FFF ')).toEqual([255, 255, 255])
    expect(formatColour([26, 107, 84])).toBe('#1a6b54')
    for (const text of ['red', '#12', '#12345', '#1234567', '123456', '#ggg', ''])
      expect(parseColour(text), text).toBeUndefined()
  })

  it('contrast by the formula of WCAG', () => {
    expect(contrast(WHITE, BLACK)).toBe(21)
    expect(contrast(WHITE, WHITE)).toBe(1)
    // https://webaim.org/resources/contrastchecker/ has 4.54 for this grey.
    expect(contrast([118, 118, 118], WHITE)).toBeCloseTo(4.54, 2)
  })

  it('are made readable on light and dark backgrounds, and stay unchanged if they already are', () => {
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

describe('colours of categories', () => {
  it.each([
    ['#ff0000', 'red'],
    ['#ff6600', 'orange'],
    ['#c8a000', 'amber'],
    ['#808000', 'olive'],
    ['#00aa00', 'green'],
    ['#008070', 'teal'],
    ['#00a0b0', 'cyan'],
    ['#0088dd', 'sky'],
    ['#0000ff', 'blue'],
    ['#7030c0', 'violet'],
    ['#c000c0', 'magenta'],
    ['#e0006a', 'pink'],
    ['#000', 'gray'],
    ['#fff', 'gray'],
    ['#808080', 'gray'],
    ['#010101', 'gray'],
  ])('%s is %s', (hex, name) => {
    expect(colourNameOf(hex)).toBe(name)
  })

  it('are read from names and from any colour', () => {
    for (const name of COLOUR_NAMES) expect(colourNameOf(name)).toBe(name)
    for (const text of ['', 'crimson', '#12345', 'hue', 'constructor'])
      expect(colourNameOf(text), text).toBeUndefined()
    fc.assert(
      fc.property(part, part, part, (...rgb) => {
        expect(COLOUR_NAMES).toContain(colourNameOf(formatColour(rgb)))
      }),
    )
  })
})
