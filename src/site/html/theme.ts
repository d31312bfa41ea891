import {
  BLACK,
  formatColour,
  parseColour,
  type Rgb,
  readableOn,
  textOn,
  WHITE,
} from '../../kit/lib/colour.ts'

// The stylesheet for the colour and the header image that the owner has chosen: the policy of pages allows no
// styles in them.

/** The lightest and the darkest surface below the accent colour, as in styles/base.css. */
const LIGHT_SURFACE = parseColour('#f4f2ee') ?? WHITE
const DARK_SURFACE = parseColour('#26292e') ?? BLACK

/**
 * The address of the stylesheet for an accent colour and the focus of the header image; undefined if there is
 * neither. It contains both, so it can be cached for ever.
 */
export function themePath({ accent, headerFocus = '' }: Theme): string | undefined {
  const parts = [accent.replace('#', '').toLowerCase(), ...headerFocus.split(' ')].filter(Boolean)
  return parts.length === 0 ? undefined : `/_site/theme-${parts.join('-')}.css`
}

/** The colour and the focus of the header image that owners choose; '' for what they left as it is. */
type Theme = { accent: string; headerFocus?: string }

/**
 * The part of the path of a theme's stylesheet between `theme-` and its extension: colour, focus, or both.
 */
const THEME = /^(?:([\da-f]{3}|[\da-f]{6}))?(?:(?:^|-)(\d{1,3})-(\d{1,3}))?$/

/** The stylesheet with a name as {@link themePath} gives it; undefined for any other name. */
export function themeStyle(name: string): string | undefined {
  const [, accent, x, y] = THEME.exec(name) ?? []
  if (accent === undefined && x === undefined) return undefined
  const focus = x === undefined ? '' : `:root{--focus:${Number(x)}% ${Number(y)}%}`
  return focus + (accent === undefined ? '' : (colourStyle(accent) ?? ''))
}

/** An accent colour darkened or lightened until it is readable, and the colour of text on it. */
type Accent = { accentColour: string; textColour: string }

/** An accent colour on light and on dark pages. */
function accentsOf(colour: Rgb): { light: Accent; dark: Accent } {
  const onSurface = (surface: Rgb): Accent => {
    const readable = readableOn(colour, surface)
    return { accentColour: formatColour(readable), textColour: formatColour(textOn(readable)) }
  }
  return { light: onSurface(LIGHT_SURFACE), dark: onSurface(DARK_SURFACE) }
}

const onBothSurfaces = ({
  light,
  dark,
}: ReturnType<typeof accentsOf>): [accent: string, onAccent: string] => [
  `light-dark(${light.accentColour}, ${dark.accentColour})`,
  `light-dark(${light.textColour}, ${dark.textColour})`,
]

/**
 * An accent colour and the text colour on it, both as `light-dark()` in CSS; undefined for an invalid colour.
 *
 * @param accent `#rgb` or `#rrggbb`, with or without the sign
 */
export function accentColours(accent: string): [accent: string, onAccent: string] | undefined {
  const colour = parseColour(`#${accent.replace('#', '')}`)
  return colour && onBothSurfaces(accentsOf(colour))
}

/**
 * The rules for an accent colour, for browsers without `light-dark()`, too; undefined for an invalid colour.
 */
function colourStyle(accent: string): string | undefined {
  const colour = parseColour(`#${accent}`)
  if (!colour) return undefined
  const accents = accentsOf(colour)
  const { light } = accents
  const [accentColour, textColour] = onBothSurfaces(accents)
  // The header has the colour as it is; on dark pages, a darker one that doesn't dazzle.
  const brand = { own: formatColour(colour), on: formatColour(textOn(colour)) }
  const dark = formatColour(readableOn(colour, WHITE))
  return (
    `:root{--accent:${light.accentColour};--on-accent:${light.textColour};--brand:${brand.own};--on-brand:${brand.on}}` +
    `@supports (color:light-dark(#000,#fff)){:root{--accent:${accentColour};--on-accent:${textColour};--brand:light-dark(${brand.own},${dark});--on-brand:light-dark(${brand.on},#fff)}}`
  )
}
