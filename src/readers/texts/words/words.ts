import { memoize } from '../../../kit/lib/memo.ts'
import { MONTHS, UNTIL_WORDS, weekdayOf } from '../../moment-words.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { Words } from './language.ts'

// The words by which announcements say when something takes place and what is something else.
// All languages are read at once: a French text of a Swiss club has German weekdays.

export { MONTHS, weekdayOf } from '../../moment-words.ts'

/**
 * The words of all languages, built at the first look-up: until then, V8 only skims the functions that have
 * them.
 */
const languages = memoize((): readonly Words[] => [en(), de(), fr(), es()])

/** What all languages have under a key of {@link Words}: spaces stand between words, bars between phrases. */
const entriesOf = (key: keyof Words, separator: ' ' | '|' = ' '): readonly string[] =>
  languages()
    .flatMap(words => words[key].split(separator))
    .filter(Boolean)

/**
 * Words that become a set at the first look-up, since few instances of the Worker read an announcement.
 */
export class WordSet {
  readonly words: () => readonly string[]
  #set: ReadonlySet<string> | undefined

  constructor(words: () => readonly string[]) {
    this.words = words
  }

  has(word: string): boolean {
    this.#set ??= new Set(this.words())
    return this.#set.has(word)
  }

  /** True if the set has a word or its singular. */
  hasWordOrPlural(word: string): boolean {
    return this.has(word) || (word.endsWith('s') && this.has(word.slice(0, -1)))
  }
}

/** A set of words. @param lists words with a space between them */
export const setOf = (...lists: readonly string[]): WordSet =>
  new WordSet(() => lists.flatMap(list => list.split(' ')))

/**
 * The words of all languages by what they say. A set is made when it is first asked for, and is a plain
 * property from then on: reading 20,000 characters takes half a million of them, and a proxy would be slower.
 */
export const WORDS: { readonly [Key in keyof Words]: WordSet } = Object.create(
  new Proxy(
    {},
    {
      get(_, key: keyof Words, words) {
        const value = new WordSet(() => entriesOf(key))
        Object.defineProperty(words, key, { value })
        return value
      },
    },
  ),
)

/** The words of several sets. */
export const anyOf = (...sets: readonly WordSet[]): WordSet =>
  new WordSet(() => sets.flatMap(set => set.words()))

/** The phrases of all languages under a key, to compare with whole texts. */
export const setOfPhrases = (key: keyof Words): WordSet => new WordSet(() => entriesOf(key, '|'))

/** Phrases by their first words, with a value for each: a map that is built at the first look-up. */
export class Phrases<Value> {
  readonly #byFirstWord: () => ReadonlyMap<string, readonly (readonly [words: string[], value: Value])[]>

  constructor(phrases: () => readonly (readonly [phrase: string, value: Value])[]) {
    this.#byFirstWord = memoize(() =>
      Map.groupBy(
        phrases().map(([phrase, value]) => [phrase.split(' '), value] as const),
        ([[first = '']]) => first,
      ),
    )
  }

  /** The value of the phrase that begins at an index, if it is meant, and where the phrase ends. */
  at(
    tokens: readonly { folded: string }[],
    i: number,
    isMeant: (value: Value) => boolean = () => true,
  ): { value: Value; to: number } | undefined {
    const found = this.#byFirstWord()
      .get(tokens[i]?.folded ?? '')
      ?.find(([words, value]) => words.every((word, n) => tokens[i + n]?.folded === word) && isMeant(value))
    return found && { value: found[1], to: i + found[0].length }
  }

  /** True if a phrase begins at one of the tokens from an index to another. */
  isIn(tokens: readonly { folded: string }[], from = 0, to = tokens.length): boolean {
    for (let i = Math.max(0, from); i < Math.min(to, tokens.length); i++) if (this.at(tokens, i)) return true
    return false
  }
}

/** The phrases of all languages under a key, with their numbers, such as `next week=1`, or else 1. */
export const phrasesOf = (key: keyof Words): Phrases<number> =>
  new Phrases(() =>
    entriesOf(key, '|').map(entry => {
      const [phrase = '', number = 1] = entry.split('=')
      return [phrase, Number(number)]
    }),
  )

/** Numbers by the words for them: a map that is built at the first look-up. */
export class WordNumbers {
  readonly #numbers: () => ReadonlyMap<string, number>

  /** @param key of words with their numbers, such as `three=3` */
  constructor(key: keyof Words) {
    this.#numbers = memoize(
      () =>
        new Map(
          entriesOf(key).map((entry): [string, number] => {
            const [word = '', number] = entry.split('=')
            return [word, Number(number)]
          }),
        ),
    )
  }

  get(word: string): number | undefined {
    return this.#numbers().get(word)
  }

  has(word: string): boolean {
    return this.#numbers().has(word)
  }
}

export const RELATIVE_DAYS = new WordNumbers('relativeDays')

/** Words between days or times of a list. */
export const AND = anyOf(WORDS.and, setOf(', & + /'))

/** Words and marks between a first and a last day or hour: “2 bis 27 mars”, “14h > 19h”. */
export const UNTIL = setOf(UNTIL_WORDS, '> → ➜ ➔ ›')

/** Words for sites and buildings, which name no venue on their own. */
export const SITES = anyOf(WORDS.sites, WORDS.houses)

export const VERBS = anyOf(WORDS.verbs, WORDS.presenting)
/** Numbers in words. */
export const NUMBER_WORDS = new WordNumbers('numbers')
export const ORDINALS = new WordNumbers('ordinals')

/** True for a word that says when: a weekday or a month. */
export const isWeekdayOrMonth = (word: string): boolean => weekdayOf(word) > 0 || MONTHS.has(word)

/** Ends of German compounds that name places. */
const PLACE_ENDS =
  'halle saal haus kirche heim scheune theater bucherei museum schule platz garten park'.split(' ')

/** Companies rather than places, by who plays or how: “Kindertheater Flunker”. */
const THEATERS =
  /^(?:kinder|puppen|figuren|marionetten|impro|tanz|strassen|schatten|schul|laien|kasperl)theater$/

/** True if a word names a kind of place: `hall`, `Mehrzweckhalle`. */
export const isPlaceWord = (word: string): boolean =>
  WORDS.places.has(word) ||
  (PLACE_ENDS.some(end => word.length > end.length + 2 && word.endsWith(end)) && !THEATERS.test(word))

/** True if a word for a kind of place is no name on its own: `hall`, but not `Mehrzweckhalle`. */
export const isGeneralPlace = (word: string): boolean =>
  WORDS.places.hasWordOrPlural(word) || PLACE_ENDS.includes(word)

/**
 * The ends of compounds that name kinds of events, by their lengths: a word is cut a few times instead of
 * compared with each of them.
 */
const kindEnds = memoize((): ReadonlyMap<number, ReadonlySet<string>> => {
  return new Map(
    Map.groupBy(entriesOf('kindEnds'), ({ length }) => length)
      .entries()
      .map(([length, endsOfLength]) => [length, new Set(endsOfLength)]),
  )
})

const hasKindEnd = (word: string): boolean => {
  if (word.length < 5) return false
  for (const [length, ends] of kindEnds())
    if (word.length > length + 2 && ends.has(word.slice(-length))) return true
  return false
}

/** True if a word names a kind of event: `concert`, `Adventskonzert`. */
export const isKind = (word: string): boolean =>
  (WORDS.kinds.hasWordOrPlural(word) || hasKindEnd(word)) &&
  weekdayOf(word) === 0 &&
  // “salle des fêtes”, “comité des fêtes”, “roof repairs”
  !WORDS.noKinds.has(word)
