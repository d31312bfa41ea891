import { HUE_NAMES, hueOf } from '../../lib/colour.ts'
import { serializeImage } from '../../resources/content/images.ts'
import type { ListedEvent } from '../../resources/events/listed.ts'
import { type Html, html, imageAttributes } from './html.ts'
import type { Site } from './site.ts'

/** The patterns of tiles, as classes `weave-0` to `weave-4`. */
const WEAVES = 5

/** The parts of a category that its colour follows from. */
export type Coloured = { id: number; color?: string | undefined }

/** The class with the colour of a category. Categories that were made one after the other get hues far apart. */
export const hueClass = (category: Coloured | null): string =>
  category === null
    ? ''
    : `hue-${hueOf(category.color ?? '') ?? HUE_NAMES[(category.id * 5) % HUE_NAMES.length]}`

type Tiled = { id: number; category: Coloured | null }

/** A tile in place of a missing image: a day in the colour of the category. Screen readers get the day elsewhere. */
export function tile({ dates }: Site, { id, category }: Tiled, day: string): Html {
  const wall = `${day} 00:00:00`
  return html`<div class="tile ${hueClass(category)} weave-${id % WEAVES}" aria-hidden="true"><span class="tile-day">${Number(day.slice(8, 10))}</span><span>${dates.format('shortMonth', wall)}</span></div>`
}

type Shape = {
  /** The width on the page, as in the attribute `sizes`. */
  shown: string
  width: number
  height: number
}

/** Tells if an image is higher than wide. Nothing is cut off a poster: its texts are at its edges. */
export const isPoster = ({
  width,
  height,
}: {
  width?: number | null | undefined
  height?: number | null | undefined
}): boolean => Boolean(width && height && height > width)

/** The image of an event in a list, or a tile. @param day the day that a tile shows */
export function eventPicture(site: Site, event: ListedEvent, day: string, shape: Shape): Html {
  const { image } = event
  if (!image) return html`<div class="event-image">${tile(site, event, day)}</div>`
  const isWhole = isPoster(image)
  const { shown, width, height } = shape
  return html`<img class="event-image${isWhole && ' is-poster'}" ${imageAttributes(serializeImage(image, site.context), { shown, isCut: !isWhole })} loading="lazy" decoding="async" width="${width}" height="${height}">`
}
