import { memoize } from '../lib/memo.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import { type Language, languageOf } from './languages.ts'

/** The English catalogue, whose texts are types of their own (en.d.json.ts). */
type English = typeof en

/** The shape of every catalogue: the keys of the English one, with any texts. */
type Catalogue<T> = T extends string ? string : { readonly [K in keyof T]: Catalogue<T[K]> }

const CATALOGUES: Readonly<Record<Language, Catalogue<English>>> = { en, de, es, fr }

/**
 * The catalogue for a tag of BCP 47 such as `de-AT`; English for languages that have none. Its texts have the types of the English
 * ones, and so name their values.
 */
// Another language has the same keys and, as a test makes sure, the same values in its texts.
const catalogueOf = (tag: string): English => CATALOGUES[languageOf(tag) ?? 'en'] as English

type Area = keyof English

const area =
  <A extends Area>(name: A) =>
  (tag: string): English[A] =>
    catalogueOf(tag)[name]

/** The texts of the public pages. */
export const wordsOf = area('pages')
export type Words = English['pages']

/** The labels of fields, their help and the names of their options. */
export const fieldTexts = area('fields')

/** One's own account. */
export const accountWords = area('account')

/** The pages of venues, organizers, categories and tags. */
export const contentWords = area('content')

/** The pages of events: list, form, preview. */
export const eventWords = area('event')
export type EventWords = English['event']

/** What forms of all resources have in common: their controls, groups, errors and conflicts. */
export const formWords = area('form')
export type FormWords = English['form']

/** What all pages of the editor have in common. */
export const frameWords = area('frame')
export type FrameWords = English['frame']

/** The words of the history, and of undoing. */
export const historyWords = area('history')

/** The library of images. */
export const imageWords = area('image')

/** The words of merging two of the same. */
export const mergeWords = area('merge')

/** The words of what becomes public with an event. */
export const publishWords = area('publish')

/** The words of repetition. */
export const repetitionWords = area('repetition')

/** The words of the review of what others have written. */
export const reviewWords = area('review')

/** The words of the question which dates of a series a change is for. */
export const scopeWords = area('scope')

/** The sign-in. */
export const signInWords = area('signIn')

/** Calendars elsewhere, whose events come in by themselves. */
export const sourceWords = area('source')
export type SourceWords = English['source']

/** The words of the trash. */
export const trashWords = area('trash')

/** Events of different calendars that may be the same. */
export const twinWords = area('twin')
export type TwinWords = English['twin']

/** Users and their roles. */
export const usersWords = area('users')

/** Webhooks: other services that are told of changes. */
export const webhookWords = area('webhook')
export type WebhookWords = English['webhook']

/** What the pages say on which visitors send events in. */
export const submitWords = area('submit')

/** The names of the values in a text: `name` of `Hello, {{name}}`. */
type NamesIn<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

type ValuesFor<T extends string> = string extends T
  ? Readonly<Record<string, string | number>>
  : Readonly<Record<NamesIn<T>, string | number>>

/** Puts values in place of `{{name}}`. */
export const filled = <T extends string>(text: T, values: ValuesFor<T>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const given: Readonly<Record<string, string | number | undefined>> = values
    return String(given[name] ?? whole)
  })

/** The texts of an area. */
export type AreaTexts = Readonly<Record<string, unknown>>

/** The keys of an area that have a text for each plural category, without the category. */
export type PluralIn<A> = { [K in keyof A]: K extends `${infer Key}_other` ? Key : never }[keyof A]

const rulesOf = memoize((tag: string) => new Intl.PluralRules(tag))

/** The text for a number, by the plural rules of the language: `count_one` or `count_other` for `count`. */
export function plural<A extends AreaTexts>(tag: string, texts: A, key: PluralIn<A>, n: number): string {
  return String(texts[`${key}_${rulesOf(tag).select(n)}`] ?? texts[`${key}_other`])
}
