import type { Status } from './statuses.ts'
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

/**
 * The letters that a language writes in its own way where it has no others, as in WordPress: Ü is UE in German, where it
 * would only be U elsewhere.
 */
const OWN_LETTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue' },
  da: { å: 'aa', ø: 'oe', æ: 'ae' },
}

/** Removes the accents of Latin letters only: й, が and ά are letters of their own. @param language a tag of BCP 47 */
const foldLatin = (text: string, language: string | undefined) => {
  const own = OWN_LETTERS[language?.toLowerCase().split('-')[0] ?? '']
  const spelled = own ? normalizeText(text, 'NFC').replace(/[ß-ÿ]/g, letter => own[letter] ?? letter) : text
  const bare = normalizeText(spelled, 'NFD').replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1')
  return plainLatin(normalizeText(bare, 'NFC'))
}

/**
 * The slug of a title: lower case, Latin accents folded, other scripts as they are and not percent-encoded, hyphens for
 * everything else, at most 200 characters. Apostrophes and quotes disappear.
 *
 * @param language of the calendar, for what is a name; slugs of clients and sources have their spelling already
 * @returns '' if nothing is left, as for a title of nothing but emoji
 */
export const slugify = (text: string, language?: string): string => {
  const plain = decodeEntities(withoutTags(dropControls(decodePercents(text))))
  const slug = foldLatin(plain.toLowerCase(), language)
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

/** What a slug is made from, with the language of the calendar. */
export type Naming = { slug?: string | undefined; name: string; language: string; fallback: string }
type SlugChoice = Naming & { status: Status }

/** The base of a slug: the one that the request names, else the name, else the kind. */
export const slugBase = ({ slug, name, language, fallback }: Naming): string =>
  slug || slugify(name, language) || fallback

/** The slug that new content gets if it is free. */
export const newSlug = (naming: SlugChoice): string =>
  naming.status === 'trash' ? trashedSlug(slugBase(naming)) : slugBase(naming)

/**
 * The slug that an update gives content if it is free; undefined if the slug stays, as it does when only the name
 * changes. Content in the trash leaves its slug to others, and gets it back when it is restored, if it is still free.
 */
export function changedSlug(
  naming: SlugChoice,
  stored: { slug: string; status: Status },
): string | undefined {
  const trashing = naming.status === 'trash'
  const moved = trashing !== (stored.status === 'trash')
  if (!moved && (naming.slug === undefined || naming.slug === stored.slug)) return undefined
  const base = naming.slug === undefined ? untrashedSlug(stored.slug) : slugBase(naming)
  return trashing ? trashedSlug(base) : base
}

/** Tells whether a slug equals another one, or is a numbered form of it. */
export const isSlugOf = (slug: string, base: string): boolean => {
  const [, n] = /-(\d+)$/.exec(slug) ?? []
  return slug === base || (n !== undefined && slug === numberedSlug(base, Number(n)))
}

/** The slugs of a name in the spelling of each language: the calendar may have had another one when it made a slug. */
export const spellingsOf = (name: string): string[] => [
  ...new Set([undefined, ...Object.keys(OWN_LETTERS)].map(language => slugify(name, language))),
]

/**
 * The slug that content gets with another name, if that is free; undefined if it was named, or is a form of the new name already.
 *
 * @param shortened what the slug of a name becomes
 */
export function renamedSlug(
  naming: Naming,
  stored: { slug: string; name: string },
  shortened = (slug: string): string => slug,
): string | undefined {
  const formsOf = (name: string) => [slugBase({ ...naming, name }), ...spellingsOf(name)].filter(Boolean)
  const isMadeOf = (name: string) => formsOf(name).some(form => isSlugOf(stored.slug, shortened(form)))
  return isMadeOf(stored.name) && !isMadeOf(naming.name) ? slugBase(naming) : undefined
}

/**
 * The slug that imported content gets if it is free: the slug of its source, or one made from its name; undefined if the
 * slug stays, because it is already a form of that one.
 */
export function importedSlug(naming: Naming, stored: { slug: string } | undefined): string | undefined {
  const base = slugBase(naming)
  if (!stored) return base
  const forms = naming.slug ? [] : spellingsOf(naming.name).filter(Boolean)
  return [base, ...forms].some(form => isSlugOf(stored.slug, form)) ? undefined : base
}

/** The length of the part of a slug that no number replaces. */
const UNCUT = MAX_SLUG - 10

/** A slug without its number. */
const unnumbered = (slug: string): string => slug.replace(/-\d+$/, '')

/** The most rows of a batch that want the same slug: finding a free one for each takes as many steps as there are rows before it. */
const MOST_ALIKE = 100

/**
 * Splits rows into batches that one statement each can write, in order. `rank` is the number of earlier rows of the
 * batch that want the same slug. No row of a batch wants a slug that another one may get by adding a number.
 */
export function slugBatches<R>(
  rows: readonly R[],
  slugOf: (row: R) => string | undefined,
): { row: R; rank: number }[][] {
  const batches: { row: R; rank: number }[][] = [[]]
  let wanted = new Map<string, number>()
  let bases = new Set<string>()
  const mayMeet = (slug: string): boolean =>
    !wanted.has(slug) &&
    (bases.has(slug) ||
      wanted.has(unnumbered(slug)) ||
      (slug.length > UNCUT && bases.has(slug.slice(0, UNCUT))))
  for (const row of rows) {
    const slug = slugOf(row)
    if (slug === undefined) {
      batches.at(-1)?.push({ row, rank: 0 })
      continue
    }
    if (mayMeet(slug) || wanted.get(slug) === MOST_ALIKE) {
      batches.push([])
      wanted = new Map()
      bases = new Set()
    }
    const rank = wanted.get(slug) ?? 0
    batches.at(-1)?.push({ row, rank })
    wanted.set(slug, rank + 1)
    if (unnumbered(slug) !== slug) bases.add(unnumbered(slug))
    if (slug.length > UNCUT) bases.add(slug.slice(0, UNCUT))
  }
  return batches.filter(batch => batch.length > 0)
}
