import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import type { Images } from '../lib/images/make-image.ts'

/** Starts a reader of images on this computer, also for a calendar at Cloudflare: it costs nothing, and needs no account. */
export async function openImages(): Promise<{ images: Images; close: () => Promise<void> }> {
  const options = convertV4MiniflareOptions({ modules: true, script: '', images: { binding: 'IMAGES' } })
  const miniflare = new Miniflare(options)
  // The binding is the same, but its streams are declared differently.
  const images = (await miniflare.getImagesBinding('IMAGES')) as unknown as Images
  return { images, close: () => miniflare.dispose() }
}
