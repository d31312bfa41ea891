import { memoize } from './memo.ts'
import { fold } from './text.ts'

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/**
 * A text in lower case without accents, quotes or punctuation. Umlauts are spelled out as in German: Müller and Mueller
 * become the same, `schon` and `schön` don't. Characters that distinguish titles stay, as in C++ and C#, and so do
 * emoji.
 */
export const comparable = memoize((text: string): string =>
  fold(text.toLowerCase().replace(/[äöü]/g, umlaut => UMLAUTS[umlaut] ?? umlaut))
    .replace(/['`´]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}+#]+/gu, ' ')
    .trim(),
)

/** The sequences of three letters in a text, with blanks before and after each word. */
export const trigrams = memoize(
  (text: string): ReadonlySet<string> => {
    const padded = `  ${text.replaceAll(' ', '  ')} `
    return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)))
  },
  { most: 2_000 },
)

/** The share of trigrams that two texts have in common, from 0 to 1. */
export function trigramLikeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const one of a) if (b.has(one)) common++
  return common / (a.size + b.size - common)
}
