import { memoize } from './memo.ts'
import { lazyPattern } from './pattern.ts'
import { fold } from './text.ts'

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

const PUNCTUATION = lazyPattern(String.raw`[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}+#]+`, 'gu')

/**
 * A text in lower case without accents, quotes or punctuation. Umlauts are spelled out as in German: Müller
 * and Mueller become equal, `schon` and `schön` don't. Characters that distinguish titles, as in C++ and C#,
 * stay, and so do emoji.
 */
export const comparable = memoize((text: string): string =>
  fold(text.toLowerCase().replace(/[äöü]/g, umlaut => UMLAUTS[umlaut] ?? umlaut))
    .replace(/['`´]/g, '')
    .replace(PUNCTUATION(), ' ')
    .trim(),
)

/** The sequences of three letters in a text, with spaces before and after each word. */
export const trigrams = memoize(
  (text: string): ReadonlySet<string> => {
    const padded = `  ${text.replaceAll(' ', '  ')} `
    return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)))
  },
  { most: 2_000 },
)

/** The share of trigrams that are in both texts, from 0 to 1. */
export function trigramLikeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const trigram of a) if (b.has(trigram)) common++
  return common / (a.size + b.size - common)
}

/**
 * The number of edits that turn one word into the other; undefined if they are more than `maxEdits`. An
 * edit adds, removes or replaces a letter, or swaps two neighbours.
 */
export function editsBetween(a: string, b: string, maxEdits: number): number | undefined {
  if (Math.abs(a.length - b.length) > maxEdits) return undefined
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let before: number[] = []
  let last = Array.from({ length: b.length - start + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length - start; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length - start; j++) {
      const x = a[start + i - 1]
      const y = b[start + j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (x === y ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && x === b[start + j - 2] && a[start + i - 2] === y
      if (isSwapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > maxEdits) return undefined
    before = last
    last = row
  }
  const edits = last.at(-1) ?? 0
  return edits <= maxEdits ? edits : undefined
}

const bareWord = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The name that somebody probably meant to type: `SITE_NAME` by SITENAME, `production` by prod. */
export function closestTo(word: string, names: readonly string[]): string | undefined {
  const wantedWord = bareWord(word)
  const [nearest] = [0, 1, 2, 3, 4].flatMap(letters =>
    names.filter(
      name =>
        letters <= bareWord(name).length / 4 &&
        editsBetween(wantedWord, bareWord(name), letters) !== undefined,
    ),
  )
  return nearest ?? names.find(name => wantedWord.length > 2 && bareWord(name).startsWith(wantedWord))
}
