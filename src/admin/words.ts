import { type Language, languageOf } from '../lib/languages.ts'

/** The words of an area in the language of pages. */
type WordsIn<T> = (language: string) => T

/**
 * Declares the words of an area, in words/. All languages have those of English, or it does not compile. `{name}` stands for
 * a value: see `filled` of lib/words.ts.
 *
 * @returns a function that gives them in the language of a tag of BCP 47, `admin.language`
 */
export function defineWords<T extends Record<string, string>>(
  words: { en: T } & Record<Exclude<Language, 'en'>, Readonly<Record<keyof NoInfer<T>, string>>>,
): WordsIn<Readonly<Record<keyof T, string>>> {
  return tag => words[languageOf(tag) ?? 'en']
}
