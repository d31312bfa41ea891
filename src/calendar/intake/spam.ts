import { fnv1a } from '../../kit/lib/hash.ts'
import { proseIn } from '../../kit/lib/html.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { fold, htmlToText } from '../../kit/lib/text.ts'
import shipped from './spam-counts.json' with { type: 'json' }

// A naive Bayes classifier of words and of sequences of four letters:
// https://en.wikipedia.org/wiki/Naive_Bayes_spam_filtering The lists of words that it replaced let 67 of 120
// pieces of unseen spam through, and refused 4 of 120 true events.

/** The number of hashes of features, which bounds the counts. */
export const HASHES = 1 << 14

/** The count for one text. Counts are integers, and texts have weights. */
export const COUNT_UNIT = 10

/**
 * The number of texts with each feature, in units of `COUNT_UNIT`: two numbers for each feature, genuine
 * events first. `totals` are the sums over all features.
 */
export type SpamCounts = {
  counts: Uint16Array
  totals: readonly [events: number, spam: number]
}

const totalsOf = (counts: Uint16Array): SpamCounts['totals'] => {
  const totals: [number, number] = [0, 0]
  for (let i = 0; i < counts.length; i += 2) {
    totals[0] += counts[i] ?? 0
    totals[1] += counts[i + 1] ?? 0
  }
  return totals
}

export const spamCountsOf = (counts: Uint16Array): SpamCounts => ({ counts, totals: totalsOf(counts) })

/** The public texts of an event, without its sender. */
export type SubmittedText = {
  title: string
  /** All other texts: description, price, addresses, and the texts of venues, organizers and the image. */
  otherText: string
}

/**
 * Characters read at the beginning and the end of a text: ten thousand would take more CPU than a request
 * has.
 */
const CHARACTERS_READ = { first: 3_000, last: 1_000 } as const

/**
 * The text of an event as the classifier reads it. The name of a place or a person that the description has
 * as well is left out, so that it doesn't count twice, unless the description is too long to be read whole:
 * the name may be in the part that is not read.
 *
 * @param otherTexts everything else that would be public, as plain text
 */
export function readableText({
  title,
  description,
  otherTexts,
}: {
  title: string
  description: string
  otherTexts: readonly string[]
}): SubmittedText {
  const heading = htmlToText(title)
  const prose = proseIn(description)
  const isReadWhole = heading.length + prose.length < CHARACTERS_READ.first
  const furtherTexts = isReadWhole ? otherTexts.filter(text => !prose.includes(text)) : otherTexts
  return { title: heading, otherText: [prose, ...furtherTexts].join(' \n ') }
}

const beginningAndEnd = (text: string): string =>
  text.length > CHARACTERS_READ.first + CHARACTERS_READ.last
    ? `${text.slice(0, CHARACTERS_READ.first)} ${text.slice(-CHARACTERS_READ.last)}`
    : text

/** Addresses in a text, with a scheme or with www. */
export const LINK = /(?:https?:\/\/|\bwww\.)[^\s"'<>]+/giu
const PHONE = /(?:\+|\b0|\()\d[\d\s().–-]{6,}\d/u
const LONG_NUMBER = /\b\d{10,}\b/u

const hashOf = (text: string, from = 0, to = text.length): number => fnv1a(text, from, to) % HASHES

const INVISIBLE = lazyPattern(String.raw`[\p{Cf}\p{Mn}]`, 'gu')
const WORDS = lazyPattern(String.raw`[\p{L}\p{M}0€$%@]+`, 'gu')

/** The words of a text, folded, with every digit as 0. Invisible characters don't hide a word. */
const wordsIn = (text: string): string[] =>
  fold(text.replace(INVISIBLE(), '')).replace(/\d/g, '0').match(WORDS()) ?? []

export function hashesOf({ title, otherText }: SubmittedText): Set<number> {
  const heading = beginningAndEnd(title)
  const wholeText = beginningAndEnd(`${title} \n ${otherText}`)
  const words = wordsIn(wholeText)
  const features = new Set([
    hashOf(`links ${Math.min(wholeText.match(LINK)?.length ?? 0, 4)}`),
    hashOf(`phone ${PHONE.test(wholeText) || LONG_NUMBER.test(wholeText)}`),
  ])
  for (const word of wordsIn(heading)) features.add(hashOf(`title ${word}`))
  for (const word of words) features.add(hashOf(` ${word}`))
  const line = ` ${words.join(' ')} `
  for (let i = 0; i + 4 <= line.length; i++) features.add(hashOf(line, i, i + 4))
  return features
}

/**
 * The number that is added to each count, so that a feature which one kind never had does not decide alone.
 */
const SMOOTHING = COUNT_UNIT / 2

/**
 * The mean weight of features above which a text is likely spam. Among 360 texts from another author, it
 * flags 3 of 180 genuine events, and misses 16 of 180 pieces of spam.
 */
const LIKELY_FROM = 0.05
/** How steeply the likelihood rises around that weight. */
const STEEPNESS = 10

/** The likelihood that a text is spam, from 0 to 1. @param counts by default, the shipped counts */
export function likenessToSpam(text: SubmittedText, counts = shippedCounts()): number {
  const ratio = (counts.totals[0] + 1) / (counts.totals[1] + 1)
  const features = hashesOf(text)
  const smoothedCount = (at: number) => (counts.counts[at] ?? 0) + SMOOTHING
  let sum = 0
  for (const feature of features)
    sum += Math.log((smoothedCount(2 * feature + 1) / smoothedCount(2 * feature)) * ratio)
  const mean = sum / Math.max(1, features.size)
  return 1 / (1 + Math.exp(STEEPNESS * (LIKELY_FROM - mean)))
}

/** The likelihood above which the review shows a submission as probable spam. */
export const SPAM_ABOVE = 0.5

/** Counts in the shipped form: numbers in base 36, and nothing for 0. */
export const digitsOf = ({ counts }: SpamCounts): string =>
  Array.from(counts, count => (count === 0 ? '' : count.toString(36))).join()

const shippedCounts = memoize(() =>
  spamCountsOf(Uint16Array.from(shipped.counts.split(','), digits => Number.parseInt(digits || '0', 36))),
)
