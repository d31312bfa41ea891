import { memoize } from '../../lib/memo.ts'
import { fold } from '../../lib/text.ts'
import shipped from './spam-counts.json' with { type: 'json' }

// A naive Bayes classifier of words and of sequences of four letters: https://en.wikipedia.org/wiki/Naive_Bayes_spam_filtering
// The lists of words that it replaced let 67 of 120 pieces of unseen spam through, and refused 4 of 120 true events.

/** The number of hashes of features. Counts stay bounded, and no name or address can be read from them. */
const FEATURES = 1 << 14

/** The count for one text. Counts are integers, and the shipped ones are weighted. */
export const UNIT = 10

/**
 * The number of texts of both kinds, and the number of those with each feature, in units of `UNIT`: two numbers for
 * each feature, genuine events first. `totals` are the sums over all features.
 */
export type SpamCounts = {
  events: number
  spam: number
  of: Uint16Array
  totals: readonly [events: number, spam: number]
}

const totalsOf = (of: Uint16Array): SpamCounts['totals'] => {
  const totals: [number, number] = [0, 0]
  for (let at = 0; at < of.length; at += 2) {
    totals[0] += of[at] ?? 0
    totals[1] += of[at + 1] ?? 0
  }
  return totals
}

export const countsOf = (events: number, spam: number, of: Uint16Array): SpamCounts => ({
  events,
  spam,
  of,
  totals: totalsOf(of),
})

/** The public texts of an event, without its sender. */
export type SubmittedText = {
  title: string
  /** All other texts: description, price, addresses, and those of venues, organizers and the image. */
  rest: string
}

/** Characters read at the beginning and the end of a text: ten thousand would take more CPU than a request has. */
const READ = { first: 3_000, last: 1_000 } as const

const ends = (text: string): string =>
  text.length > READ.first + READ.last ? `${text.slice(0, READ.first)} ${text.slice(-READ.last)}` : text

/** Addresses in a text, with a scheme or with www. */
export const LINK = /(?:https?:\/\/|\bwww\.)[^\s"'<>]+/giu
const PHONE = /(?:\+|\b0|\()\d[\d\s().–-]{6,}\d|\b\d{10,}\b/u

/** FNV-1a of a part of a text: http://www.isthe.com/chongo/tech/comp/fnv/ */
function numberOf(text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % FEATURES
}

/** The words of a text, folded, with every digit as 0. Invisible characters don't hide a word. */
const wordsIn = (text: string): string[] =>
  fold(text.replace(/[\p{Cf}\p{Mn}]/gu, ''))
    .replace(/\d/g, '0')
    .match(/[\p{L}\p{M}0€$%@]+/gu) ?? []

/** The features of a text, by their numbers. */
export function featuresOf({ title, rest }: SubmittedText): Set<number> {
  const [heading, all] = [ends(title), ends(`${title} \n ${rest}`)]
  const words = wordsIn(all)
  const found = new Set([
    numberOf(`links ${Math.min(all.match(LINK)?.length ?? 0, 4)}`),
    numberOf(`phone ${PHONE.test(all)}`),
  ])
  for (const word of wordsIn(heading)) found.add(numberOf(`title ${word}`))
  for (const word of words) found.add(numberOf(` ${word}`))
  const line = ` ${words.join(' ')} `
  for (let i = 0; i + 4 <= line.length; i++) found.add(numberOf(line, i, i + 4))
  return found
}

/** Added to each count, so that a feature which one kind never had does not decide alone. */
const SMOOTHING = UNIT / 2

/**
 * The mean weight of features above which a text is likely spam. Among 360 texts from another author, it flags 3 of 180
 * genuine events, and misses 16 of 180 pieces of spam.
 */
const LIKELY_FROM = 0.05
/** How steeply the likelihood rises around that weight. */
const STEEPNESS = 10

/**
 * The likelihood that a text is spam, from 0 to 1.
 *
 * @param learned the counts that this calendar has learned
 * @param base the counts that every calendar begins with: by default, the shipped ones
 */
export function likenessToSpam(text: SubmittedText, learned: SpamCounts, base = shippedCounts()): number {
  const total = (kind: 0 | 1) => base.totals[kind] + learned.totals[kind] + 1
  const ratio = total(0) / total(1)
  const features = featuresOf(text)
  let sum = 0
  for (const feature of features) {
    const have = (at: number) => (base.of[at] ?? 0) + (learned.of[at] ?? 0) + SMOOTHING
    sum += Math.log((have(2 * feature + 1) / have(2 * feature)) * ratio)
  }
  const mean = sum / Math.max(1, features.size)
  return 1 / (1 + Math.exp(STEEPNESS * (LIKELY_FROM - mean)))
}

/** The likelihood above which the review shows a submission as probable spam. */
export const SPAM_ABOVE = 0.5

/** The most texts that a calendar learns from, so that counts fit into a character. */
const MOST_LEARNED = 5_000

/** Adds a text to the counts. */
export function learn(counts: SpamCounts, text: SubmittedText, isSpam: boolean): SpamCounts {
  if (counts.events + counts.spam >= MOST_LEARNED) return counts
  const of = counts.of.slice()
  for (const feature of featuresOf(text)) {
    const at = 2 * feature + Number(isSpam)
    of[at] = (of[at] ?? 0) + UNIT
  }
  return countsOf(counts.events + Number(!isSpam), counts.spam + Number(isSpam), of)
}

export const noCounts = (): SpamCounts => countsOf(0, 0, new Uint16Array(2 * FEATURES))

// JSON writes characters from here on unescaped, and more than MOST_LEARNED come before the surrogates.
const FIRST_CHARACTER = 0x100

/** Counts in their stored form: a text with one character for each count. */
export const encodeCounts = ({ of }: SpamCounts): string =>
  Array.from(of, count => String.fromCharCode(FIRST_CHARACTER + count)).join('')

/** Reads the result of {@link encodeCounts}. */
export const decodeCounts = (events: number, spam: number, text: string): SpamCounts =>
  countsOf(
    events,
    spam,
    Uint16Array.from({ length: 2 * FEATURES }, (_, i) =>
      Math.max(0, (text.charCodeAt(i) || 0) - FIRST_CHARACTER),
    ),
  )

/**
 * Counts in the form in which they are shipped: numbers in base 36, and nothing for 0. In the Worker's script, the characters of
 * {@link encodeCounts} would be escaped, and take two and a half times as much.
 */
export const digitsOf = ({ of }: SpamCounts): string =>
  Array.from(of, count => (count === 0 ? '' : count.toString(36))).join()

const shippedCounts = memoize(() => {
  const { events, spam, counts } = shipped
  return countsOf(
    events,
    spam,
    Uint16Array.from(counts.split(','), digits => Number.parseInt(digits || '0', 36)),
  )
})
