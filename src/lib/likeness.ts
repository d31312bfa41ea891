import { memoize } from './memo.ts'
import { fold, isNearly } from './text.ts'

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

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The one of some names that was probably meant by another: `SITE_NAME` by SITENAME, `production` by prod. */
export function closestTo(word: string, names: readonly string[]): string | undefined {
  const wanted = plain(word)
  const [nearest] = [0, 1, 2, 3, 4].flatMap(letters =>
    names.filter(name => letters <= plain(name).length / 4 && isNearly(wanted, plain(name), letters)),
  )
  return nearest ?? names.find(name => wanted.length > 2 && plain(name).startsWith(wanted))
}
