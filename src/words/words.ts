import { memoize } from '../lib/memo.ts'
import CATALOGUES from './catalogues.cjs'
import type en from './en.json'
import { type Language, languageOf } from './languages.ts'
import type { TextsWithValues } from './texts-with-values.ts'

/** All texts, by area and key, with the names of their values. The English texts determine both. */
export type Catalogue = typeof en & TextsWithValues

/** The catalogues of all languages. Each has every text of the English one. */
const ALL: Readonly<Record<Language, () => typeof en>> = CATALOGUES

/**
 * The texts in a language: `textsIn(tag).pages` are the texts of the public pages, `textsIn(tag).event` the texts of the editor's pages for
 * events.
 *
 * @param tag of BCP 47, such as `de-AT`; unknown languages get English
 */
// Memoized, because a page asks dozens of times, and a feed asks for each event: checking the tag took a tenth of a
// feed's time.
export const textsIn = memoize(
  // A test ensures that the texts of other languages have the same values.
  (tag: string): Catalogue => ALL[languageOf(tag) ?? 'en']() as Catalogue,
)

/** The names of the values in a text: `name` of `Hello, {{name}}`. */
type NamesIn<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

type ValuesFor<T extends string> = string extends T
  ? Readonly<Record<string, string | number>>
  : Readonly<Record<NamesIn<T>, string | number>>

/** Replaces `{{name}}` with values. */
export const filled = <T extends string>(text: T, values: ValuesFor<T>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const given: Readonly<Record<string, string | number | undefined>> = values
    return String(given[name] ?? whole)
  })

/** The texts of an area. */
export type AreaTexts = Readonly<Record<string, unknown>>

/** The keys of an area that have a text for each plural category, without the category. */
export type PluralIn<A> = { [K in keyof A]: K extends `${infer Key}_other` ? Key : never }[keyof A]

const rulesOf = memoize((tag: string) => new Intl.PluralRules(tag))

/** The text for a number, by the plural rules of the language: `count_one` or `count_other` for `count`. */
export function plural<A extends AreaTexts>(tag: string, texts: A, key: PluralIn<A>, n: number): string {
  return String(texts[`${key}_${rulesOf(tag).select(n)}`] ?? texts[`${key}_other`])
}
