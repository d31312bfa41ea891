import type { RequestContext } from '../../context.ts'
import type { EVENT_FIELDS } from '../../resources/events/schema.ts'
import type { mediaTexts } from '../../resources/media/schema.ts'
import type { ORGANIZER_FIELDS } from '../../resources/organizers/schema.ts'
import type { SOURCE_FIELDS } from '../../resources/sources/schema.ts'
import type { TermRow } from '../../resources/terms/resource.ts'
import type { categoryFields, tagFields } from '../../resources/terms/schema.ts'
import type { VENUE_FIELDS } from '../../resources/venues/schema.ts'
import { type FormWords, fieldTexts } from '../../words/words.ts'
import { type Html, html } from '../html/html.ts'
import type { Site } from '../html/site.ts'
import type { Entries } from './entries.ts'

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

/** Something that can be chosen: a venue, an organizer, a tag, a user. */
export type Choice = { id: number; name: string; detail?: string }

/** An image that can be chosen. `name` says which it is: its title, what it shows, or the name of its file. */
export type OfferedImage = { id: number; url: string; thumbnail: string; name: string; alt: string }

/** What fields offer beside what is typed into them, by the names of the fields. */
export type Choices = {
  /** What is chosen already, so that it can be shown by its name. */
  chosen?: Readonly<Record<string, readonly Choice[]>>
  /** What a search has found. */
  found?: Readonly<Record<string, readonly Choice[]>>
  categories?: readonly TermRow[]
  users?: readonly Choice[]
  images?: { chosen: OfferedImage | undefined; library: readonly OfferedImage[] }
  /** What the caller may do beside choosing. */
  mayCreateTerms?: boolean
  mayUpload?: boolean
  mayPublish?: boolean
}

type FieldParts = Pick<FieldView, 'id' | 'label' | 'help' | 'error' | 'isRequired' | 'words'>

/** The error of a field, which its inputs refer to. */
export const errorOf = ({ id, error }: FieldParts): Html | '' =>
  error ? html`<p class="field-error" id="${id}-error">${error}</p>` : ''

/** The help of a field, which its inputs refer to. */
export const helpOf = ({ id, help }: FieldParts): Html | '' =>
  help ? html`<p class="field-help" id="${id}-help">${help}</p>` : ''

/** The note beside the label of a field that must not be empty. */
const required = ({ isRequired, words }: FieldParts): Html | '' =>
  isRequired ? html` <span class="required">${words.required}</span>` : ''

/** A field with one input: label, help, input and error. */
export const labelled = (view: FieldParts, input: Html): Html =>
  html`<div class="form-field${view.error && ' has-error'}"><label for="${view.id}">${view.label}${required(view)}</label>
${helpOf(view)}${errorOf(view)}${input}</div>`

/** A field with several inputs. */
export const group = (view: FieldParts, inputs: Html, kind = ''): Html =>
  html`<fieldset class="form-field form-group${kind && ` ${kind}`}${view.error && ' has-error'}" id="${view.id}-group"${described(view)}><legend>${view.label}${required(view)}</legend>
${helpOf(view)}${errorOf(view)}${inputs}</fieldset>`

/** The attributes by which an input says what describes it, and if what it holds is wrong. */
export function described(view: Pick<FieldView, 'id' | 'help' | 'error'>): Html {
  const ids = describedBy(view)
  return html`${ids && html` aria-describedby="${ids}"`}`
}

/** The attributes of an input that a field may have one of. */
export const stateOf = (view: FieldView): Html =>
  html`${described(view)}${view.error && html` aria-invalid="true"`}${view.isRequired && html` required`}${view.isFocused && html` autofocus`}`

/** A resource as the API's responses show it. */
export type Body = Readonly<Record<string, unknown>>

/** The parts of a context that a value may depend on. */
export type ValueContext = Pick<RequestContext, 'now' | 'settings'>

/** A field that is to be rendered, with all that is to be said of it. */
export type FieldView = {
  site: Site
  words: FormWords
  name: string
  /** The id of its first input, or of the group of its inputs. */
  id: string
  label: string
  help: string | undefined
  error: string | undefined
  isRequired: boolean
  /** True for the field that the page begins at: the first with an error. */
  isFocused: boolean
  entries: Entries
  choices: Choices
  /** The words of its options, for those that have some. */
  options: Readonly<Record<string, string>> | undefined
}

/** What the inputs of a field are called, what they show of a response, and what they mean for a request. */
export type Control = {
  /** True if the order of its entries means nothing: browsers send boxes in the order of the page. */
  isSet?: boolean
  /** What has to be said first, if its inputs hold something that is no value yet. */
  unclear?: (entries: Entries, name: string) => 'chooseFound' | 'missingTime' | undefined
  /** The names of all inputs on which its value depends. */
  inputs: (name: string) => readonly string[]
  /** What its inputs hold for a response; for an empty one, what they hold in a new form. */
  show: (body: Body, name: string, context: ValueContext) => Iterable<readonly [string, readonly string[]]>
  /** The value for a request; undefined to leave it out. */
  value: (entries: Entries, name: string, context: ValueContext) => unknown
  /** The value in words, for those who compare two versions. */
  read: (
    entries: Entries,
    name: string,
    view: Pick<FieldView, 'site' | 'words' | 'choices' | 'options'>,
  ) => string
  render: (view: FieldView) => Html
}

/** The ids of what describes an input: its help and its error, for `aria-describedby`. */
const describedBy = ({ id, help, error }: Pick<FieldView, 'id' | 'help' | 'error'>): string =>
  [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
