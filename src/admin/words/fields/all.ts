import type { EVENT_FIELDS } from '../../../events/schema.ts'
import type { mediaTexts } from '../../../media/schema.ts'
import type { ORGANIZER_FIELDS } from '../../../organizers/schema.ts'
import type { SOURCE_FIELDS } from '../../../sources/resource/schema.ts'
import type { categoryFields, tagFields } from '../../../terms/schema.ts'
import type { VENUE_FIELDS } from '../../../venues/schema.ts'

/** What is said of a field: its label, what helps to fill it in, and the words of its options by their values. */
export type FieldWords = readonly [
  label: string,
  help?: string | undefined,
  options?: Readonly<Record<string, string>>,
]

type Of<T> = Readonly<Record<keyof T & string, FieldWords>>
/** Fields of no form: other fields say the same. */
type Unsaid = 'date_utc' | 'cost_details' | 'is_virtual' | 'scope'
type UnsaidOfSource = 'kind' | 'state'

/** The words of all fields of all resources: a new field does not compile without them. */
export type AllFieldWords = {
  event: Of<Omit<typeof EVENT_FIELDS, Unsaid>>
  venue: Of<Omit<typeof VENUE_FIELDS, Unsaid>>
  organizer: Of<Omit<typeof ORGANIZER_FIELDS, Unsaid>>
  category: Of<typeof categoryFields.shape>
  tag: Of<typeof tagFields.shape>
  image: Of<typeof mediaTexts.shape>
  source: Of<Omit<typeof SOURCE_FIELDS, UnsaidOfSource>>
}
