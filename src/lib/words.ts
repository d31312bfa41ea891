import { de } from './languages/de.ts'
import { en, type Words } from './languages/en.ts'
import { es } from './languages/es.ts'
import { fr } from './languages/fr.ts'
import { type Language, languageOf } from './languages.ts'

export type { Words }

const ALL: Readonly<Record<Language, Words>> = { en, de, es, fr }

/** The words for a tag such as `de-AT`; English for languages that have none. */
export const wordsOf = (tag: string): Words => ALL[languageOf(tag) ?? 'en']

/** Puts values in place of `{name}`. */
export const filled = (words: string, values: Readonly<Record<string, string | number>>): string =>
  words.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
