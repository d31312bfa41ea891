import type { EVENT_FIELDS } from '../../calendar/events/schema.ts'
import type { mediaTexts } from '../../calendar/media/schema.ts'
import type { ORGANIZER_FIELDS } from '../../calendar/organizers/resource.ts'
import type { settingsFields } from '../../calendar/settings/schema.ts'
import type { TermRow } from '../../calendar/terms/resource.ts'
import type { categoryFields, tagFields } from '../../calendar/terms/schema.ts'
import type { PlaceCandidate } from '../../calendar/venues/locate.ts'
import type { VENUE_FIELDS } from '../../calendar/venues/schema.ts'
import type { CalendarContext, RequestContext } from '../../kit/context.ts'
import type { Query } from '../../kit/db/query.ts'
import type { OfFeatures, UnionToIntersection } from '../../kit/lib/started-features.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { type Catalogue, textsIn } from '../../words/words.ts'
import type { Html } from '../html/html.ts'
import type { PageContext } from '../html/page-context.ts'
import type { Entries } from './entries.ts'
import type { LabelledField } from './field-html.ts'

/** The texts of a field: its label, its help, and the names of its options by their values. */
export type FieldWords = {
  label: string
  help?: string
  options?: Readonly<Record<string, string>>
}

type WordsFor<T> = Readonly<Record<keyof T & string, FieldWords>>
type WordsOfEach<T> = { [K in keyof T]: WordsFor<T[K]> }

/** Fields without a label, because other fields cover them. */
type WithoutLabel = 'date_utc' | 'cost_details' | 'is_virtual' | 'scope'

/** The texts of the fields of all forms. The compiler reports fields without texts in the catalogue. */
interface AllFieldWords extends WordsOfEach<UnionToIntersection<OfFeatures<'fields'>>> {
  event: WordsFor<Omit<typeof EVENT_FIELDS, WithoutLabel>>
  venue: WordsFor<Omit<typeof VENUE_FIELDS, WithoutLabel>>
  organizer: WordsFor<Omit<typeof ORGANIZER_FIELDS, WithoutLabel>>
  category: WordsFor<typeof categoryFields.shape>
  tag: WordsFor<typeof tagFields.shape>
  image: WordsFor<typeof mediaTexts.shape>
  settings: WordsFor<typeof settingsFields.shape>
  /** Resources without a form here, whose fields the history names. */
  user: Readonly<Record<string, FieldWords>>
}

export type FieldResource = keyof AllFieldWords

/** The texts of fields in a language. @param language a tag of BCP 47 */
export const fieldWords = (language: string): AllFieldWords => textsIn(language).fields

export function wordsOfField(language: string, resource: FieldResource, name: string): FieldWords {
  // The history also shows resources of features that this calendar no longer has.
  const words: Readonly<Record<string, FieldWords>> | undefined = fieldWords(language)[resource]
  return words?.[name] ?? { label: name }
}

/** The name of a field's option; its value if it has none. */
export const optionName = (language: string, resource: FieldResource, name: string, value: string): string =>
  wordsOfField(language, resource, name).options?.[value] ?? value

/** An option to choose: a venue, an organizer, a tag, a user. */
export type Choice = { id: number; name: string; detail?: string }

/** An option of a group of boxes, with its colour and its slug if it has them. */
export type Offer = { id: number; name: string; className?: string; slug?: string }

/**
 * An image to choose. `name` identifies it: its title, its alternative text, or the name of its file. `full`
 * is its size for texts.
 */
export type OfferedImage = { id: number; thumbnail: string; full: string; name: string; alt: string }

export type SeriesDate = {
  /** The start according to the rule, which names the date where it is left out. */
  date: DateTime
  href: string
  /** True for the date that the form is for. */
  isOwn: boolean
  /** Its differences from the others, in words. */
  notes: readonly string[]
}

/** The options and permissions of a form, by the names of its fields. */
export type Choices = {
  chosen?: Readonly<Record<string, readonly Choice[]>>
  matches?: Readonly<Record<string, readonly Choice[]>>
  /** What the boxes of a control offer, by the names of its inputs. */
  offered?: Readonly<Record<string, readonly Offer[]>>
  categories?: readonly TermRow[]
  users?: readonly Choice[]
  /** The chosen image and those of the library or of a search, by the names of fields. */
  images?: Readonly<Record<string, { chosen: OfferedImage | undefined; library: readonly OfferedImage[] }>>
  /** The result of looking up the address on the map: candidates, or why there are none. */
  located?: { candidates: readonly PlaceCandidate[]; problem?: string }
  /** The dates of the event's series, and whether there are more. */
  dates?: { dates: readonly SeriesDate[]; hasMore: boolean }
  mayCreateTerms?: boolean
  mayUpload?: boolean
  mayPublish?: boolean
}

/** A resource as a response of the API. */
export type Body = Readonly<Record<string, unknown>>

/** A field of a form with everything that its markup needs. */
export type FieldView = LabelledField & {
  site: PageContext
  words: Catalogue['form']
  name: string
  entries: Entries
  choices: Choices
  /** The names of its options, if it has any. */
  options: Readonly<Record<string, string>> | undefined
}

/** A control: the names of its inputs, what they hold for a response, and the value for a request. */
export type Control = {
  /** True if the order of its entries has no meaning: browsers send checkboxes in the order of the page. */
  isSet?: boolean
  /** The key of the text that asks for a correction, if the inputs hold something incomplete. */
  unclear?: (
    entries: Entries,
    name: string,
  ) => 'chooseFound' | 'oneNew' | 'missingTime' | 'longEvent' | 'missingEnd' | 'unclearBreak' | undefined
  /** The names of all inputs on which its value depends; by default, only one, named like the field. */
  inputs?: (name: string) => readonly string[]
  /** The entries of its inputs for a response; for an empty response, the entries of a new form. */
  show: (body: Body, name: string, context: CalendarContext) => Iterable<readonly [string, readonly string[]]>
  /**
   * A query for the choices in its boxes, by the names of its inputs.
   *
   * @param form the sent form, and the id of the stored resource
   */
  selectOffers?: (
    context: RequestContext,
    form: { name: string; entries: Entries; id: number | undefined },
  ) => Query<Readonly<Record<string, readonly Offer[]>>>
  /** The value for a request; undefined to leave it out. */
  value: (entries: Entries, name: string, context: CalendarContext) => unknown
  /** The value in words, for comparing two versions. */
  read: (entries: Entries, name: string, view: FieldView) => string
  render: (view: FieldView) => Html
}

/** The names of all inputs on which the value of a field depends. */
export const inputsOf = ({ name, control }: { name: string; control: Control }): readonly string[] =>
  control.inputs?.(name) ?? [name]
