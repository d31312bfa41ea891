import { type Language, languageOf } from '../../lib/languages.ts'
import type { AllFieldWords, FieldWords } from './fields/all.ts'
import { de } from './fields/de.ts'
import { en } from './fields/en.ts'
import { es } from './fields/es.ts'
import { fr } from './fields/fr.ts'

export type { AllFieldWords, FieldWords }

const ALL: Readonly<Record<Language, AllFieldWords>> = { en, de, es, fr }

/** The words of fields in a language. @param tag of BCP 47 */
export const fieldWords = (tag: string): AllFieldWords => ALL[languageOf(tag) ?? 'en']

/** The words of a field of a form. */
export function wordsOfField(tag: string, kind: keyof AllFieldWords, name: string): FieldWords {
  const words: Readonly<Record<string, FieldWords>> = fieldWords(tag)[kind]
  return words[name] ?? [name]
}
