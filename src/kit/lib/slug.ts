import { lazyPattern } from './pattern.ts'
import type { Status } from './statuses.ts'
import { decodeEntities, dropControls, normalizeText, plainLatin, withoutTags } from './text.ts'

/** The longest slug, in characters. */
export const MAX_SLUG_LENGTH = 200
const TRASHED_SUFFIX = '__trashed'

/** Decodes percent-encoding: WordPress encodes slugs in other scripts, and clients send these slugs back. */
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
  slug.length <= length ? slug : dropControls(slug.slice(0, length)).replace(/(?<!-)-+$/, '')

/** The letters that a language spells out, as in WordPress: Ü is UE in German, and U in other languages. */
const LETTERS_SPELLED_OUT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue' },
  da: { å: 'aa', ø: 'oe', æ: 'ae' },
}

const LATIN_MARKS = lazyPattern(String.raw`(\p{Script=Latin})[\u0300-\u036f]+`, 'gu')

/**
 * Removes the accents of Latin letters only: й, が and ά are letters of their own.
 * @param language a tag of BCP 47
 */
const foldLatin = (text: string, language: string | undefined) => {
  const ownLetters = LETTERS_SPELLED_OUT[language?.toLowerCase().split('-')[0] ?? '']
  const spelled = ownLetters
    ? normalizeText(text, 'NFC').replace(/[ß-ÿ]/g, letter => ownLetters[letter] ?? letter)
    : text
  const withoutMarks = normalizeText(spelled, 'NFD').replace(LATIN_MARKS(), '$1')
  return plainLatin(normalizeText(withoutMarks, 'NFC'))
}

/** Invisible characters, and quotation marks: \u0060 is the backtick, which would end this template. */
const DROPPED_FROM_SLUGS = lazyPattern(
  String.raw`[\p{Default_Ignorable_Code_Point}\p{Me}'"\u0060´‘’‚“”„«»‹›ʹʻʼʽ′]`,
  'gu',
)
const LONE_MARKS = lazyPattern(String.raw`(?<![\p{L}\p{M}\p{N}])\p{M}+`, 'gu')

/** @param otherCharacters matches the characters that become hyphens */
const slugOf = (text: string, otherCharacters: RegExp, language?: string): string => {
  const plain = decodeEntities(withoutTags(dropControls(decodePercents(text))))
  const slug = foldLatin(plain.toLowerCase(), language)
    .replace(DROPPED_FROM_SLUGS(), '')
    .replace(otherCharacters, '-')
    .replace(LONE_MARKS(), '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
  return shorten(slug, MAX_SLUG_LENGTH)
}

const NOT_IN_SLUGS = lazyPattern(String.raw`[^\p{L}\p{M}\p{N}_]+`, 'gu')
const NOT_IN_NAMED_SLUGS = lazyPattern(String.raw`[^\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}_]|[©®°™]`, 'gu')

/**
 * The slug of a title: lower case, Latin accents folded, other scripts unchanged and not percent-encoded,
 * hyphens for everything else, at most 200 characters. Apostrophes and quotes disappear.
 *
 * @param language of the calendar, for names
 * @returns '' if nothing is left, such as for a title of emoji only
 */
export const slugify = (text: string, language?: string): string => slugOf(text, NOT_IN_SLUGS(), language)

/**
 * The slug that a client or a source names, as {@link slugify} writes slugs, but with its emoji and other
 * symbols: WordPress keeps them, and an address that was imported leads to the same content here.
 */
export const namedSlug = (text: string): string => slugOf(text, NOT_IN_NAMED_SLUGS())

/** `x-2` for `x` and 2. The base is shortened so that the result has at most 200 characters. */
export const numberedSlug = (base: string, n: number): string =>
  `${shorten(base, MAX_SLUG_LENGTH - `-${n}`.length)}-${n}`

/** The slug of trashed content, which frees its own slug for other content. */
export const trashedSlug = (slug: string): string =>
  shorten(slug, MAX_SLUG_LENGTH - TRASHED_SUFFIX.length) + TRASHED_SUFFIX

/** The slug without `__trashed`, or `__trashed-2` if it was numbered. */
export const untrashedSlug = (slug: string): string => slug.replace(/__trashed(?:-\d+)?$/, '')

/** The sources of a slug, with the language of the calendar. */
type SlugSource = { slug?: string | undefined; name: string; language: string; fallback: string }
type SlugChoice = SlugSource & { status: Status }

/** The base of a slug: the requested slug, else the name, else the resource. */
export const slugBase = ({ slug, name, language, fallback }: SlugSource): string =>
  slug || slugify(name, language) || fallback

/** The slug that new content gets if it is free. */
export const newSlug = (naming: SlugChoice): string =>
  naming.status === 'trash' ? trashedSlug(slugBase(naming)) : slugBase(naming)

/**
 * The slug that an update gives content if it is free; undefined if the slug stays, as it does when only the
 * name changes. Restored content gets back the slug that it had before it was trashed, if that is still free.
 */
export function changedSlug(
  choice: SlugChoice,
  before: { slug: string; status: Status },
): string | undefined {
  const isTrash = choice.status === 'trash'
  const changesTrash = isTrash !== (before.status === 'trash')
  if (!changesTrash && (choice.slug === undefined || choice.slug === before.slug)) return undefined
  const base = choice.slug === undefined ? untrashedSlug(before.slug) : slugBase(choice)
  return isTrash ? trashedSlug(base) : base
}

/** True if a slug equals another, or is a numbered form of it. */
export const isSlugOf = (slug: string, base: string): boolean => {
  const [, n] = /-(\d+)$/.exec(slug) ?? []
  return slug === base || (n !== undefined && slug === numberedSlug(base, Number(n)))
}

/**
 * The slugs of a name in the spelling of each language: the calendar may have had another language when it
 * made a slug.
 */
export const spellingsOf = (name: string): string[] => [
  ...new Set([undefined, ...Object.keys(LETTERS_SPELLED_OUT)].map(language => slugify(name, language))),
]

/**
 * The slug that content gets with another name, if it is free; undefined if a user chose the present slug, or
 * if it is a form of the new name already.
 *
 * @param shortened converts the slug of a name
 */
export function renamedSlug(
  naming: SlugSource,
  stored: { slug: string; name: string },
  shortened = (slug: string): string => slug,
): string | undefined {
  const formsOf = (name: string) => [slugBase({ ...naming, name }), ...spellingsOf(name)].filter(Boolean)
  const isMadeOf = (name: string) => formsOf(name).some(form => isSlugOf(stored.slug, shortened(form)))
  return isMadeOf(stored.name) && !isMadeOf(naming.name) ? slugBase(naming) : undefined
}

/**
 * The slug that imported content gets if it is free: the slug in its source, or a slug made from its name;
 * undefined if the stored slug is already a form of that slug.
 */
export function importedSlug(naming: SlugSource, stored: { slug: string } | undefined): string | undefined {
  const base = slugBase(naming)
  if (!stored) return base
  const forms = naming.slug ? [] : spellingsOf(naming.name).filter(Boolean)
  return [base, ...forms].some(form => isSlugOf(stored.slug, form)) ? undefined : base
}

/** The length up to which numbering never cuts a slug. */
const UNCUT_LENGTH = MAX_SLUG_LENGTH - 10

const unnumberedSlug = (slug: string): string => slug.replace(/-\d+$/, '')

/**
 * The most rows of a batch that want the same slug: to find a free slug, each takes as many steps as there
 * are such rows before it.
 */
const MAX_ALIKE = 100

/**
 * Splits rows into batches that one statement each can write, in order. `rank` is the number of earlier rows
 * of the batch that want the same slug. No row of a batch wants a slug that another row may get by adding a
 * number.
 */
export function slugBatches<R>(
  rows: readonly R[],
  wantedSlugOf: (row: R) => string | undefined,
): { row: R; rank: number }[][] {
  const batches: { row: R; rank: number }[][] = [[]]
  let counts = new Map<string, number>()
  let bases = new Set<string>()
  const mayMeet = (slug: string): boolean =>
    !counts.has(slug) &&
    (bases.has(slug) ||
      counts.has(unnumberedSlug(slug)) ||
      (slug.length > UNCUT_LENGTH && bases.has(slug.slice(0, UNCUT_LENGTH))))
  for (const row of rows) {
    const slug = wantedSlugOf(row)
    if (slug === undefined) {
      batches.at(-1)?.push({ row, rank: 0 })
      continue
    }
    if (mayMeet(slug) || counts.get(slug) === MAX_ALIKE) {
      batches.push([])
      counts = new Map()
      bases = new Set()
    }
    const rank = counts.get(slug) ?? 0
    batches.at(-1)?.push({ row, rank })
    counts.set(slug, rank + 1)
    if (unnumberedSlug(slug) !== slug) bases.add(unnumberedSlug(slug))
    if (slug.length > UNCUT_LENGTH) bases.add(slug.slice(0, UNCUT_LENGTH))
  }
  return batches.filter(batch => batch.length > 0)
}
