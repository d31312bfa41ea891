import { decodeEntities, dropControls, normalizeText, plainLatin, withoutTags } from './text.ts'

/** The longest slug, in characters. */
export const MAX_SLUG = 200
const TRASHED = '__trashed'

/** Decodes percent-encoding: WordPress encodes slugs in other scripts, and clients send them back. */
const decodePercents = (text: string) =>
  text.replace(/(?:%[\da-f]{2})+/gi, run => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })

/** Cuts to `length` UTF-16 units, without half a surrogate pair or a hyphen at the cut. */
const shorten = (slug: string, length: number) =>
  slug.length <= length ? slug : dropControls(slug.slice(0, length)).replace(/-+$/, '')

/** Removes the accents of Latin letters only: й, が and ά are letters of their own. */
const foldLatin = (text: string) => {
  const bare = normalizeText(text, 'NFD').replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1')
  return plainLatin(normalizeText(bare, 'NFC'))
}

/**
 * The slug of a title: lower case, Latin accents folded, other scripts as they are and not percent-encoded, hyphens for
 * everything else, at most 200 characters. Apostrophes and quotes disappear.
 *
 * @returns '' if nothing is left, as for a title of nothing but emoji
 */
export const slugify = (text: string): string => {
  const slug = foldLatin(decodeEntities(withoutTags(dropControls(decodePercents(text)))).toLowerCase())
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Me}'"`´‘’‚“”„«»‹›ʹʻʼʽ′]/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .replace(/(?<![\p{L}\p{M}\p{N}])\p{M}+/gu, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
  return shorten(slug, MAX_SLUG)
}

/** `x-2` for `x` and 2, with the base shortened so that the whole stays within 200 characters. */
export const numberedSlug = (base: string, n: number): string =>
  `${shorten(base, MAX_SLUG - `-${n}`.length)}-${n}`

/** The slug of trashed content, which leaves its own slug free for others. */
export const trashedSlug = (slug: string): string => shorten(slug, MAX_SLUG - TRASHED.length) + TRASHED

/** The slug without `__trashed`, or `__trashed-2` if it was numbered. */
export const untrashedSlug = (slug: string): string => slug.replace(/__trashed(?:-\d+)?$/, '')
