import { fieldTexts } from '../../words/words.ts'

/** The words of a field: its label, what helps to fill it in, and the names of its options by their values. */
export type FieldWords = {
  label: string
  help?: string
  options?: Readonly<Record<string, string>>
}

type Kind = keyof ReturnType<typeof fieldTexts>

/** The words of the fields of all forms. */
export type AllFieldWords = Readonly<Record<Kind, Readonly<Record<string, FieldWords>>>>

/** The words of fields in a language. @param tag of BCP 47 */
export const fieldWords: (tag: string) => AllFieldWords = fieldTexts

/** The words of a field of a form. */
export const wordsOfField = (tag: string, kind: Kind, name: string): FieldWords =>
  fieldWords(tag)[kind][name] ?? { label: name }
