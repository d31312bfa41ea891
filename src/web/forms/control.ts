import type { RequestContext } from '../../context.ts'
import type { FormWords } from '../../words/words.ts'
import type { Html } from '../html/html.ts'
import type { Site } from '../html/site.ts'
import type { Choices } from './choices.ts'
import type { Entries } from './entries.ts'

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
export const describedBy = ({ id, help, error }: Pick<FieldView, 'id' | 'help' | 'error'>): string =>
  [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
