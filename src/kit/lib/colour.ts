import { typedKeys } from './values.ts'

// Colours of sRGB, and the contrast that WCAG 2.2 measures between them.

export type Rgb = readonly [red: number, green: number, blue: number]

/** The red, green and blue of `#rgb` or `#rrggbb`, 0 to 255; undefined for any other text. */
export function parseColour(text: string): Rgb | undefined {
  const hex = text.trim().match(/^#([\da-f]{3}|[\da-f]{6})$/i)?.[1]
  if (!hex) return undefined
  const long = hex.length === 3 ? [...hex].map(digit => digit + digit).join('') : hex
  const part = (at: number): number => Number.parseInt(long.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

export const formatColour = (rgb: Rgb): string =>
  `#${rgb.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Converts a share of red, green or blue to linear light. */
const toLinear = (share: number): number =>
  share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4

/** Relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map(part => toLinear(part / 255))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

const mixColours = (a: Rgb, b: Rgb, share: number): Rgb => {
  const [red, green, blue] = [0, 1, 2].map(i => (a[i] ?? 0) + ((b[i] ?? 0) - (a[i] ?? 0)) * share)
  return [red ?? 0, green ?? 0, blue ?? 0]
}

export const WHITE: Rgb = [255, 255, 255]
export const BLACK: Rgb = [0, 0, 0]

/** White or black, whichever has the greater contrast with a surface. */
export const textOn = (surface: Rgb): Rgb =>
  contrast(surface, WHITE) >= contrast(surface, BLACK) ? WHITE : BLACK

/**
 * The minimum contrast: the 4.5 of WCAG 2.2 for text, and a little more for surfaces tinted with the colour.
 */
const READABLE_CONTRAST = 5
const MIXING_STEPS = 20

/** The first readable colour between a colour and the colour of text. */
export function readableOn(colour: Rgb, background: Rgb): Rgb {
  const towards = textOn(background)
  for (let step = 0; step < MIXING_STEPS; step++) {
    const candidate = mixColours(colour, towards, step / MIXING_STEPS)
    if (contrast(candidate, background) >= READABLE_CONTRAST) return candidate
  }
  return towards
}

/**
 * The colours of categories: a hue of OKLCH in degrees for each name. Pages fix lightness and chroma, so that
 * all are readable.
 */
const HUES = {
  red: 28,
  orange: 50,
  amber: 75,
  olive: 110,
  green: 145,
  teal: 170,
  cyan: 200,
  sky: 235,
  blue: 265,
  violet: 290,
  magenta: 320,
  pink: 350,
} as const

export const HUE_NAMES = typedKeys(HUES)

/** The rules of CSS that give each class of a hue its `--hue`. */
export const HUE_RULES = HUE_NAMES.map(name => `.hue-${name} {\n--hue: ${HUES[name]};\n}\n`).join('')

/** Accent colours with a name, which are readable on light and dark pages as they are. */
export const ACCENT_COLOURS = {
  green: '#1c5f5a',
  blue: '#1f5592',
  plum: '#6b3a78',
  brick: '#9a3b22',
  ochre: '#76520c',
  ink: '#2b2f36',
} as const

/** The rules of CSS that give the input of each accent colour its `--swatch`. */
export const SWATCH_RULES = Object.values(ACCENT_COLOURS)
  .map(colour => `.swatches > [value="${colour}"] {\n--swatch: ${colour};\n}\n`)
  .join('')

/** The names of colours that a category may have: a hue, or none. */
export const COLOUR_NAMES = [...HUE_NAMES, 'gray'] as const
type ColourName = (typeof COLOUR_NAMES)[number]

/** The least chroma of OKLCH with which a colour is not a gray. */
const MIN_CHROMA = 0.03

/**
 * The name of a colour: the text itself if it is a name, or the name of the hue nearest to `#rrggbb`;
 * undefined for any other text.
 */
export function colourNameOf(text: string): ColourName | undefined {
  const colourName = COLOUR_NAMES.find(name => name === text)
  const rgb = colourName ? undefined : parseColour(text)
  if (!rgb) return colourName
  const { hue, chroma } = polarOf(rgb)
  if (chroma < MIN_CHROMA) return 'gray'
  const distanceTo = (name: keyof typeof HUES): number => Math.abs(((hue - HUES[name] + 540) % 360) - 180)
  return HUE_NAMES.reduce((nearest, name) => (distanceTo(name) < distanceTo(nearest) ? name : nearest))
}

/** Hue (degrees) and chroma of a colour in OKLCH. */
function polarOf(rgb: Rgb): { hue: number; chroma: number } {
  const [r = 0, g = 0, b = 0] = rgb.map(part => toLinear(part / 255))
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const greenToRed = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const blueToYellow = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const hue = (Math.atan2(blueToYellow, greenToRed) * 180) / Math.PI
  return { hue: (hue + 360) % 360, chroma: Math.hypot(greenToRed, blueToYellow) }
}
