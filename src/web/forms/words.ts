import type { EVENT_FIELDS } from '../../resources/events/schema.ts'
import type { mediaTexts } from '../../resources/media/schema.ts'
import type { ORGANIZER_FIELDS } from '../../resources/organizers/schema.ts'
import type { SOURCE_FIELDS } from '../../resources/sources/schema.ts'
import type { categoryFields, tagFields } from '../../resources/terms/schema.ts'
import type { VENUE_FIELDS } from '../../resources/venues/schema.ts'
import { fieldTexts } from '../../words/words.ts'

/** The words of a field: its label, what helps to fill it in, and the names of its options by their values. */
export type FieldWords = {
  label: string
  help?: string
  options?: Readonly<Record<string, string>>
}

type WordsFor<T> = Readonly<Record<keyof T & string, FieldWords>>
/** Fields that no form has, because others say the same. */
type WithoutLabel = 'date_utc' | 'cost_details' | 'is_virtual' | 'scope'

/** The words of the fields of all forms. A field that the catalogue lacks does not compile. */
export type AllFieldWords = {
  event: WordsFor<Omit<typeof EVENT_FIELDS, WithoutLabel>>
  venue: WordsFor<Omit<typeof VENUE_FIELDS, WithoutLabel>>
  organizer: WordsFor<Omit<typeof ORGANIZER_FIELDS, WithoutLabel>>
  category: WordsFor<typeof categoryFields.shape>
  tag: WordsFor<typeof tagFields.shape>
  image: WordsFor<typeof mediaTexts.shape>
  source: WordsFor<Omit<typeof SOURCE_FIELDS, 'kind' | 'state'>>
}

/** The words of fields in a language. @param tag of BCP 47 */
export const fieldWords: (tag: string) => AllFieldWords = fieldTexts

/** The words of a field of a form. */
export function wordsOfField(tag: string, kind: keyof AllFieldWords, name: string): FieldWords {
  const words: Readonly<Record<string, FieldWords>> = fieldWords(tag)[kind]
  return words[name] ?? { label: name }
}
