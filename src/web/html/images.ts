import type { ImageResponse } from '../../resources/content/resource.ts'
import { type Html, html } from './html.ts'

/**
 * The addresses of an image: where it is, and its sizes, of which browsers choose by how large it is shown. One that is cut
 * is another image, so only images that are cut themselves on the page take it.
 *
 * @param shown how wide it is on the page, as in the attribute `sizes` of HTML
 */
export function imageSources(
  image: ImageResponse,
  { shown, isCut }: { shown: string; isCut: boolean },
): Html {
  const { url, width } = image
  const { thumbnail, ...whole } = image.sizes
  const scaled = Object.values(thumbnail && isCut ? { thumbnail, ...whole } : whole)
  if (scaled.length === 0) return html`src="${url}"`
  const all = [...scaled, ...(width ? [{ url, width }] : [])]
  const set = all.map(each => `${each.url} ${each.width}w`).join(', ')
  return html`src="${url}" srcset="${set}" sizes="${shown}"`
}
