import { type Language, languageOf } from '../kit/lib/languages.ts'
import { memoize } from '../kit/lib/memo.ts'
import { fromFeatures, type OfFeatures, type UnionToIntersection } from '../kit/lib/started-features.ts'
import { isObject } from '../kit/lib/values.ts'
import de from './de.ts'
import en from './en.ts'
import es from './es.ts'
import fr from './fr.ts'

/** All texts, by area and key, with the names of their values. The English texts determine both. */
export type Catalogue = ReturnType<typeof en> & UnionToIntersection<TextsOf<OfFeatures<'words'>>>

/** The same keys with any texts. */
type Like<T> = { readonly [K in keyof T]: T[K] extends string ? string : Like<T[K]> }

/** Functions that make a catalogue. Each language has every text of the English one. */
export type Catalogues<T extends object = object> = { readonly en: () => T } & {
  readonly [L in Exclude<Language, 'en'>]: () => Like<NoInfer<T>>
}

/** The English texts of catalogues. */
type TextsOf<C> = C extends { readonly en: () => infer T } ? T : never

const CORE: Catalogues<ReturnType<typeof en>> = { en, de, es, fr }

/** The texts of features have the places of the core's: `fields.letter` stands beside `fields.event`. */
const allCatalogues = fromFeatures((features): readonly Catalogues[] => [
  CORE,
  ...features.flatMap(({ declares }) => declares?.words ?? []),
])

const mergedAreas = (texts: AreaTexts, otherTexts: object): AreaTexts => ({
  ...texts,
  ...Object.fromEntries(
    Object.entries(otherTexts).map(([key, value]) => {
      const present = texts[key]
      return [key, isObject(present) && isObject(value) ? mergedAreas(present, value) : value]
    }),
  ),
})

const allIn = memoize((language: Language): Catalogue => {
  const allTexts = allCatalogues().map(catalogues => catalogues[language]())
  // A test ensures that the texts of other languages have the same values.
  return allTexts.reduce<AreaTexts>(mergedAreas, {}) as Catalogue
})

/**
 * The texts in a language: `textsIn(tag).pages` are the texts of the public pages, `textsIn(tag).event` the
 * texts of the editor's pages for events. Memoized, because a page asks dozens of times, and a feed asks for
 * each event: checking the tag took a tenth of a feed's time.
 *
 * @param tag of BCP 47, such as `de-AT`; unknown languages get English
 */
export const textsIn = memoize((tag: string): Catalogue => {
  const texts = allIn(languageOf(tag) ?? 'en')
  return WITHOUT_SHARP_S.test(tag)
    ? (JSON.parse(JSON.stringify(texts).replaceAll('ß', 'ss')) as Catalogue)
    : texts
})

/** Switzerland and Liechtenstein spell German without the letter ß. A catalogue has nothing but texts. */
const WITHOUT_SHARP_S = /^de\b.*-(?:CH|LI)\b/i

/** The names of the values in a text: `name` of `Hello, {{name}}`. */
type NamesIn<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

export type ValuesFor<T extends string, V = string | number> = string extends T
  ? Readonly<Record<string, V>>
  : Readonly<Record<NamesIn<T>, V>>

/** The marks of a quotation within a quotation, by the mark that begins the outer one. */
const INNER_QUOTES: Readonly<Record<string, readonly [quoted: RegExp, inner: string]>> = {
  '„': [/„([^„“]*)“/g, '‚$1‘'],
  '“': [/“([^“”]*)”/g, '‘$1’'],
  '«': [/«\s?([^«»]*?)\s?»/g, '“$1”'],
}

/** Replaces `{{name}}` with values. */
export const filled = <T extends string>(text: T, values: ValuesFor<T>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string, at: number) => {
    const given: Readonly<Record<string, string | number | undefined>> = values
    const value = String(given[name] ?? whole)
    // French has a blank behind the mark.
    const [quoted, inner = ''] = INNER_QUOTES[text.slice(0, at).trimEnd().slice(-1)] ?? []
    return quoted ? value.replace(quoted, inner) : value
  })

export type AreaTexts = Readonly<Record<string, unknown>>

/** The keys of an area that have a text for each plural category, without the category. */
export type PluralIn<A> = { [K in keyof A]: K extends `${infer Key}_other` ? Key : never }[keyof A]

const rulesOf = memoize((tag: string) => new Intl.PluralRules(tag))

/** The text for a number, by the plural rules of the language: `count_one` or `count_other` for `count`. */
export function plural<A extends AreaTexts>(tag: string, texts: A, key: PluralIn<A>, n: number): string {
  return String(texts[`${key}_${rulesOf(tag).select(n)}`] ?? texts[`${key}_other`])
}
