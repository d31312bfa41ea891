import { serializeImage } from '../../calendar/content/images.ts'
import type { ListedEvent } from '../../calendar/events/listed-events.ts'
import { colourNameOf, HUE_NAMES } from '../../kit/lib/colour.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { type Html, html, imageAttributes } from './html.ts'
import type { PageContext } from './page-context.ts'

/** The patterns of tiles, as classes `weave-0` to `weave-4`. */
const WEAVES = 5

/** The parts of a category that its colour follows from. */
type Coloured = { id: number; color?: string | undefined }

/**
 * The class with the colour of a category. Categories that were made one after the other get hues far apart.
 */
export const hueClass = (category: Coloured | null): string =>
  category === null
    ? ''
    : `hue-${colourNameOf(category.color ?? '') ?? HUE_NAMES[(category.id * 5) % HUE_NAMES.length]}`

type TileSubject = { id: number; category: Coloured | null }

/**
 * A background in the colour of a category, in place of a missing image. Screen readers get its text
 * elsewhere.
 */
const tileGround = ({ id, category }: TileSubject, words: Html | '' = ''): Html =>
  html`<div class="tile ${hueClass(category)} weave-${id % WEAVES}" aria-hidden="true">${words}</div>`

export const dayTile = ({ dates }: PageContext, tiled: TileSubject, day: string): Html =>
  tileGround(
    tiled,
    html`<span class="tile-day">${Number(day.slice(8, 10))}</span><span>${dates.format('shortMonth', day)}</span>`,
  )

const LETTER_OR_DIGIT = lazyPattern(String.raw`[\p{L}\p{N}]`, 'u')

/** A tile with the first letter of a name, where a date would only repeat the text beside it. */
export const initialTile = (tiled: TileSubject, name: string): Html =>
  tileGround(
    tiled,
    html`<span class="tile-day">${LETTER_OR_DIGIT().exec(name)?.[0].toLocaleUpperCase()}</span>`,
  )

type Shape = {
  /** The width on the page, as in the attribute `sizes`. */
  sizes: string
  width: number
  height: number
}

type Size = { width?: number | null | undefined; height?: number | null | undefined }

/** True if an image is higher than wide. Nothing is cut off a poster: its texts are at its edges. */
export const isPoster = ({ width, height }: Size): boolean => Boolean(width && height && height > width)

/** The ratio from which an image is a banner: its page would show less than five sixths of it. */
const BANNER_RATIO = 2.4

/** True if an image is so wide that its page would cut off much of it. */
export const isBanner = ({ width, height }: Size): boolean =>
  Boolean(width && height && width >= height * BANNER_RATIO)

/** The image of an event in a list; '' without one. */
export function eventImage(
  { context }: PageContext,
  { image }: ListedEvent,
  { sizes, width, height }: Shape,
): Html | '' {
  if (!image) return ''
  const isWhole = isPoster(image)
  return html`<img class="event-image${isWhole && ' is-poster'}" ${imageAttributes(serializeImage(image, context), { sizes, isCut: !isWhole })} loading="lazy" decoding="async" width="${width}" height="${height}">`
}

/** The image of an event on a card, or a tile in its place: by default, only its ground. */
export const eventPicture = (
  site: PageContext,
  event: ListedEvent,
  shape: Shape,
  inPlace = tileGround(event),
): Html => eventImage(site, event, shape) || html`<div class="event-image">${inPlace}</div>`
