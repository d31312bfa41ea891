import { isNearly } from '../../lib/text.ts'

/** A word, and how much it says. */
export type Weighed = { word: string; weight: number }

/** Likeness of words from which on one is taken for the other. */
const TYPO = 0.85
const PART = 0.6

/** How alike two words are, from 0 to 1. */
function likeWord(a: string, b: string): number {
  if (a === b) return 1
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < 4) return 0
  if (long.startsWith(short)) return short.length * 2 > long.length ? TYPO : PART
  if (short.length >= 5 && long.includes(short)) return PART
  // Most pairs of words have nothing in common: few are worth the comparison.
  if (short[0] !== long[0] && short[1] !== long[1] && short.at(-1) !== long.at(-1)) return 0
  return short.length >= 5 && isNearly(short, long, short.length >= 9 ? 2 : 1) ? TYPO : 0
}

/** How alike two lists of words are, from 0 to 1, whatever their order. Where all of one are in the other, rather more. */
export function likeWords(a: readonly Weighed[], b: readonly Weighed[]): number {
  const left = new Set(b)
  let common = 0
  let distinctive = 0
  let missing = 0
  for (const own of a) {
    let best: Weighed | undefined
    let like = 0
    for (const other of left) {
      const now = likeWord(own.word, other.word)
      if (now > like) [best, like] = [other, now]
      if (now === 1) break
    }
    if (!best) {
      missing = Math.max(missing, own.weight)
      continue
    }
    left.delete(best)
    const weight = Math.min(own.weight, best.weight)
    common += like * weight
    if (weight === 1) distinctive += like
  }
  const sum = (words: readonly Weighed[]): number => words.reduce((all, { weight }) => all + weight, 0)
  const [ours, theirs] = [sum(a), sum(b)]
  const whole = (2 * common) / (ours + theirs)
  const part = distinctive > 0 ? common / Math.min(ours, theirs) : 0
  // Each has a word of its own, as `Storytime: Bears` and `Storytime: Ducks` have.
  const isReplaced = missing > 0 && Math.max(0, ...[...left].map(({ weight }) => weight)) === missing
  return Math.max(0, Math.max(whole, 0.35 * whole + 0.6 * part) - (isReplaced ? 0.12 : 0))
}
