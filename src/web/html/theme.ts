import { contrast, formatColour, parseColour, readableOn } from '../../lib/colour.ts'

const WHITE = [255, 255, 255] as const
const BLACK = [0, 0, 0] as const
/** The lightest and the darkest surface on which the accent stands, as styles/base.css has them. */
const LIGHT_SURFACE = parseColour('#f4f2ee') ?? WHITE
const DARK_SURFACE = parseColour('#26292e') ?? BLACK

/** The contrast that WCAG 2.2 asks of text, 4.5, and a little more for surfaces that are tinted with the accent. */
const READABLE = 5

/** The address of the stylesheet for an accent colour, which names the colour and so never changes. */
export const themePath = (accent: string): string =>
  `/_site/theme-${accent.replace('#', '').toLowerCase()}.css`

/**
 * An accent colour made darker, and lighter, until it can be read on light and on dark pages, and the colour of text on
 * it, both as CSS has colours that depend on the scheme.
 *
 * @param accent `#rgb` or `#rrggbb`, with or without the sign
 */
export function accentColours(accent: string): [accent: string, onAccent: string] | undefined {
  const colour = parseColour(`#${accent.replace('#', '')}`)
  if (!colour) return undefined
  const light = readableOn(colour, LIGHT_SURFACE, BLACK, READABLE)
  const dark = readableOn(colour, DARK_SURFACE, WHITE, READABLE)
  const textOn = (surface: typeof light): string =>
    formatColour(contrast(surface, WHITE) >= contrast(surface, BLACK) ? WHITE : BLACK)
  return [
    `light-dark(${formatColour(light)}, ${formatColour(dark)})`,
    `light-dark(${textOn(light)}, ${textOn(dark)})`,
  ]
}

/** A stylesheet for an accent colour; undefined if it is none. */
export function themeStyle(accent: string): string | undefined {
  const [own, on] = accentColours(accent) ?? []
  return own && `:root{--accent:${own};--on-accent:${on}}`
}
