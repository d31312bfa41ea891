import { memoize } from '../lib/memo.ts'
import CATALOGUES from './catalogues.cjs'
import type en from './en.json'
import { languageOf } from './languages.ts'
import type { TextsWithValues } from './texts-with-values.ts'

/** The English catalogue: every text by its key, with the names of its values if it has any. */
type English = typeof en & TextsWithValues

/**
 * The catalogue for a tag of BCP 47 such as `de-AT`; English for unknown languages. Its texts have the types of the English
 * ones, which include the names of their values.
 */
// Other languages have the same keys and, as a test ensures, the same values in their texts.
// Memoized, since a page asks dozens of times, and a feed for each event: checking the tag took a tenth of a calendar's time.
const catalogueOf = memoize((tag: string): English => CATALOGUES[languageOf(tag) ?? 'en']() as English)

type Area = keyof English

const area =
  <A extends Area>(name: A) =>
  (tag: string): English[A] =>
    catalogueOf(tag)[name]

/** The texts of the public pages. */
export const wordsOf = area('pages')
export type Words = English['pages']

/** Letters that announce events, and the same for newsletters. */
export const digestWords = area('digest')

/** The labels of fields, their help and the names of their options. */
export const fieldTexts = area('fields')

/** The account page. */
export const accountWords = area('account')

/** The pages of venues, organizers, categories and tags. */
export const contentWords = area('content')

/** The pages of events: list, form, preview. */
export const eventWords = area('event')
export type EventWords = English['event']

/** The controls, groups, errors and conflicts of all forms. */
export const formWords = area('form')
export type FormWords = English['form']

/** The pages of letters. */
export const letterWords = area('letter')
export type LetterWords = English['letter']

/** E-mails: those that confirm an address, and notices. */
export const mailWords = area('mail')

/** The frame of the editor's pages. */
export const frameWords = area('frame')
export type FrameWords = English['frame']

/** The history, and undoing. */
export const historyWords = area('history')

/** The library of images. */
export const imageWords = area('image')

/** Merging duplicates. */
export const mergeWords = area('merge')

/** Publishing, and everything that becomes public. */
export const publishWords = area('publish')

/** Repetitions. */
export const repetitionWords = area('repetition')

/** The review of submitted events. */
export const reviewWords = area('review')

/** The question which dates of a series a change applies to. */
export const scopeWords = area('scope')

/** The settings of the calendar. */
export const settingsWords = area('settings')

/** The sign-in. */
export const signInWords = area('signIn')

/** Sources: other calendars whose events are imported automatically. */
export const sourceWords = area('source')
export type SourceWords = English['source']

/** The trash. */
export const trashWords = area('trash')

/** Possible duplicates from different calendars. */
export const twinWords = area('twin')
export type TwinWords = English['twin']

/** Users and their roles. */
export const usersWords = area('users')

/** Webhooks: other services that are notified of changes. */
export const webhookWords = area('webhook')
export type WebhookWords = English['webhook']

/** The pages for visitors' submissions. */
export const submitWords = area('submit')

/** The names of the values in a text: `name` of `Hello, {{name}}`. */
type NamesIn<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

type ValuesFor<T extends string> = string extends T
  ? Readonly<Record<string, string | number>>
  : Readonly<Record<NamesIn<T>, string | number>>

/** Replaces `{{name}}` with values. */
export const filled = <T extends string>(text: T, values: ValuesFor<T>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const given: Readonly<Record<string, string | number | undefined>> = values
    return String(given[name] ?? whole)
  })

/** The texts of an area. */
export type AreaTexts = Readonly<Record<string, unknown>>

/** The keys of an area with a text for each plural category, without the category. */
export type PluralIn<A> = { [K in keyof A]: K extends `${infer Key}_other` ? Key : never }[keyof A]

const rulesOf = memoize((tag: string) => new Intl.PluralRules(tag))

/** The text for a number, by the plural rules of the language: `count_one` or `count_other` for `count`. */
export function plural<A extends AreaTexts>(tag: string, texts: A, key: PluralIn<A>, n: number): string {
  return String(texts[`${key}_${rulesOf(tag).select(n)}`] ?? texts[`${key}_other`])
}
