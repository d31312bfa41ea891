/** A word, and how much it says. */
export type Weighed = { word: string; weight: number }

/** Likeness of words from which on one is taken for the other. */
const TYPO = 0.85
const PART = 0.6

/** True if one word becomes the other by so few letters added, left out, replaced, or swapped with the next. */
export function isNearly(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let before: number[] = []
  let last = Array.from({ length: b.length - start + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length - start; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length - start; j++) {
      const [x, y] = [a[start + i - 1], b[start + j - 1]]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (x === y ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && x === b[start + j - 2] && a[start + i - 2] === y
      if (isSwapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return false
    before = last
    last = row
  }
  return (last.at(-1) ?? 0) <= most
}

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
