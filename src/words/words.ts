import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import { type Language, languageOf } from './languages.ts'

/** The English catalogue, whose texts are types of their own (en.d.json.ts). */
type English = typeof en

/** What a catalogue has: every key of the English one, and any text. */
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
export type Words = English['pages']
export const wordsOf: (tag: string) => Words = area('pages')

/** The labels of fields, their help and the names of their options. */
export const fieldTexts: (tag: string) => English['fields'] = area('fields')

/** One's own account. */
export type AccountWords = English['account']
export const accountWords: (tag: string) => AccountWords = area('account')

/** The pages of venues, organizers, categories and tags. */
export type ContentWords = English['content']
export const contentWords: (tag: string) => ContentWords = area('content')

/** The pages of events: list, form, preview. */
export type EventWords = English['event']
export const eventWords: (tag: string) => EventWords = area('event')

/** What forms of all resources have in common: their controls, groups, errors and conflicts. */
export type FormWords = English['form']
export const formWords: (tag: string) => FormWords = area('form')

/** What all pages of the editor have in common. */
export type FrameWords = English['frame']
export const frameWords: (tag: string) => FrameWords = area('frame')

/** The words of the history, and of undoing. */
export type HistoryWords = English['history']
export const historyWords: (tag: string) => HistoryWords = area('history')

/** The library of images. */
export type ImageWords = English['image']
export const imageWords: (tag: string) => ImageWords = area('image')

/** The words of merging two of the same. */
export type MergeWords = English['merge']
export const mergeWords: (tag: string) => MergeWords = area('merge')

/** The words of what becomes public with an event. */
export type PublishWords = English['publish']
export const publishWords: (tag: string) => PublishWords = area('publish')

/** The words of repetition. */
export type RepetitionWords = English['repetition']
export const repetitionWords: (tag: string) => RepetitionWords = area('repetition')

/** The words of the review of what others have written. */
export type ReviewWords = English['review']
export const reviewWords: (tag: string) => ReviewWords = area('review')

/** The words of the question which dates of a series a change is for. */
export type ScopeWords = English['scope']
export const scopeWords: (tag: string) => ScopeWords = area('scope')

/** The sign-in. */
export type SignInWords = English['signIn']
export const signInWords: (tag: string) => SignInWords = area('signIn')

/** Calendars elsewhere, whose events come in by themselves. */
export type SourceWords = English['source']
export const sourceWords: (tag: string) => SourceWords = area('source')

/** The words of the trash. */
export type TrashWords = English['trash']
export const trashWords: (tag: string) => TrashWords = area('trash')

/** Events of different calendars that may be the same. */
export type TwinWords = English['twin']
export const twinWords: (tag: string) => TwinWords = area('twin')

/** Users and their roles. */
export type UsersWords = English['users']
export const usersWords: (tag: string) => UsersWords = area('users')

/** Webhooks: other services that are told of changes. */
export type WebhookWords = English['webhook']
export const webhookWords: (tag: string) => WebhookWords = area('webhook')

/** What the pages say on which visitors send events in. */
export type SubmitWords = English['submit']
export const submitWords: (tag: string) => SubmitWords = area('submit')

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

const rules = new Map<string, Intl.PluralRules>()

/** The text for a number, by the plural rules of the language: `count_one` or `count_other` for `count`. */
export function plural<A extends AreaTexts>(tag: string, texts: A, key: PluralIn<A>, n: number): string {
  const rule = rules.get(tag) ?? new Intl.PluralRules(tag)
  rules.set(tag, rule)
  return String(texts[`${key}_${rule.select(n)}`] ?? texts[`${key}_other`])
}
