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

/** Relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map(part => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

const mixed = (a: Rgb, b: Rgb, share: number): Rgb => {
  const [red, green, blue] = [0, 1, 2].map(i => (a[i] ?? 0) + ((b[i] ?? 0) - (a[i] ?? 0)) * share)
  return [red ?? 0, green ?? 0, blue ?? 0]
}

export const WHITE: Rgb = [255, 255, 255]
export const BLACK: Rgb = [0, 0, 0]

/** White or black, whichever has the greater contrast with a surface. */
export const textOn = (surface: Rgb): Rgb =>
  contrast(surface, WHITE) >= contrast(surface, BLACK) ? WHITE : BLACK

/** The minimum contrast: the 4.5 of WCAG 2.2 for text, and a little more for surfaces tinted with the colour. */
const READABLE = 5
const STEPS = 20

/** The first readable colour on the way from a colour to the colour of text. */
export function readableOn(colour: Rgb, background: Rgb): Rgb {
  const towards = textOn(background)
  for (let step = 0; step < STEPS; step++) {
    const candidate = mixed(colour, towards, step / STEPS)
    if (contrast(candidate, background) >= READABLE) return candidate
  }
  return towards
}
