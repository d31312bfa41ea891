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

/** Built at the first look-up: until then, V8 only skims these functions. */
const languages = memoize((): readonly Words[] => [en(), de(), fr(), es()])

/**
 * Words that become a set at the first look-up, since few instances of the Worker read an announcement.
 */
export class WordSet {
  readonly wordLists: () => readonly string[]
  #words: ReadonlySet<string> | undefined

  /** @param lists words with a space between them */
  constructor(lists: () => readonly string[]) {
    this.wordLists = lists
  }

  has(word: string): boolean {
    this.#words ??= new Set(this.wordLists().flatMap(list => list.split(' ')))
    return this.#words.has(word)
  }

  /** True if it has a word or its singular. */
  hasWordOrPlural(word: string): boolean {
    return this.has(word) || (word.endsWith('s') && this.has(word.slice(0, -1)))
  }
}

/** A set of words. @param lists words with a space between them */
export const setOf = (...lists: readonly string[]): WordSet => new WordSet(() => lists)

/** The words of all languages under some keys of {@link Words}. */
export const wordsFor = (...keys: readonly (keyof Words)[]): WordSet =>
  new WordSet(() => keys.flatMap(key => languages().map(words => words[key])))

/** The words of several sets. */
export const anyOf = (...sets: readonly WordSet[]): WordSet =>
  new WordSet(() => sets.flatMap(set => set.wordLists()))

/** The phrases of all languages under a key of {@link Words}. */
export const phrasesFor = (key: keyof Words): readonly string[] =>
  languages()
    .flatMap(words => words[key].split('|'))
    .filter(Boolean)

/** Numbers by the words for them: a map that is built at the first look-up. */
class WordNumbers {
  readonly #numbers: () => ReadonlyMap<string, number>

  /** @param key of words with their numbers, such as `three=3` */
  constructor(key: keyof Words) {
    this.#numbers = memoize(
      () =>
        new Map(
          languages()
            .flatMap(words => words[key].split(' '))
            .map((entry): [string, number] => {
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

/** Weekdays that are other words as well, unless a date follows. */
export const SHORT_WEEKDAYS = setOf(
  'mo di mi do fr sa so lu ma me je ve mar sun sat mon wed jue sab dom mie ven',
)

/** Beside weekdays of other weeks: “Palm Sunday”, “dimanche de Pâques”. */
export const FEASTS = setOf(
  'good easter palm shrove ash holy maundy whit trinity remembrance mothering advent holiday weisser weissen paques rameaux ascension pentecote gras avent ramos santo santa resurreccion pascua ceniza carnaval adviento ostern pfingsten pentecostes',
)

/** Words for days relative to today, with the number of days from it. */
export const RELATIVE_DAYS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['tonight', 0],
  ['heute', 0],
  // Its second half is a word of its own after the apostrophe.
  ['aujourd', 0],
  ['hoy', 0],
  ['tomorrow', 1],
  ['tmrw', 1],
  ['demain', 1],
  ['ubermorgen', 2],
])

/** Words between days or times of a list. */
export const AND = setOf(', & + / und u and et y e sowie or oder ou o')

export const COMING = wordsFor('coming')
export const NEXT = wordsFor('next')
export const EVERY = wordsFor('every')
export const SMALL_WORDS = wordsFor('small')

/** Between a first and a last day or hour: “2 bis 27 mars”, “14h > 19h”. */
export const UNTIL = setOf(UNTIL_WORDS, '> → ➜ ➔ ›')

export const WEEKS = setOf('week woche semaine semana')

/** Before the last day or hour of something: “bis 26. Januar”, “jusqu’en mai”. */
export const UP_TO = setOf('bis until till hasta jusqu')

/** Before the first day of something: “ab 15. Februar”, “à partir du 5 mars”. */
export const FROM_ON = setOf('ab from starting desde partir des')

/** Before something that comes earlier than the event: “nach der Messe”. */
export const AFTER = setOf('after following nach apres tras despues')

/** Before a day that another one replaces: “reporté du 27 février”. */
export const BEFORE_OLD_DATE = setOf('from vom von du de del desde')

export const NOT_THE_BEGINNING = wordsFor('notTheBeginning')
export const BEGINNING = wordsFor('beginning')
export const NOT_THE_DAY = wordsFor('notTheDay')
export const OTHER_MATTERS = wordsFor('otherMatters')
export const CANCELLED = wordsFor('cancelled')
export const NEGATIONS = wordsFor('negations')

/** Words before an audience or a purpose: “for children”, “für den Urlaub”. */
export const FOR = setOf('for fur pour para')

/** Before what a text says there is none of: “sin sesión”. */
export const WITHOUT = setOf('without ohne sans sin')

export const THANKS = setOf('gracias thanks thank danke dank merci remercions remercient')

/** The day before another one: “am Vorabend des 1. Mai”, “la veille du 14 juillet”. */
export const EVES = setOf('vorabend eve veille vispera visperas')

/**
 * Before the hour or day at which something ends: “terminamos el domingo a las 16 h”, “ends Sunday 7 March”.
 */
export const ENDING = setOf(
  'ende enden endet end ends close closes finish finishes finishing winds wraps fin finit finissons termine terminons cloture clausura termina terminan terminamos acaba acabamos',
)

/** Before company, or what belongs to something: “with music”, “mit Kurkarte”. */
export const WITH = setOf('with mit avec con')

/** Before what something belongs to: “the choir of Marsh Baldon”, “vom Turnverein”. */
export const OF = setOf('of von vom de du des d del')

export const POSTPONED = wordsFor('postponed')
export const FULL = wordsFor('full')
export const FREE = wordsFor('free')
export const NOT_ADMISSION = wordsFor('notAdmission')
export const STREETS = wordsFor('streets')
export const LEADS = wordsFor('leads')
export const GREETINGS = wordsFor('greetings')

/** Before the names of those who write. */
export const FAREWELLS = setOf(
  'regards sincerely cheers love grusse gruss grussen cordialement amicalement bises salutations saludos saludo atentamente abrazo abrazos',
)

export const PRESENTING = wordsFor('presenting')
export const HOUSES = wordsFor('houses')

/** Words for sites and buildings, which by themselves name no venue. */
export const SITES = wordsFor('sites', 'houses')

export const ADMISSION = wordsFor('admission')
export const AUDIENCE = wordsFor('audience')
export const BUT = wordsFor('but')
export const VERBS = wordsFor('verbs', 'presenting')
export const SHEETS = wordsFor('sheets')
export const NO_TITLES = wordsFor('noTitles')

/** What a course is counted in: “8 Abende”. */
export const MEETINGS = wordsFor('meetings')

/** Numbers in words. */
export const NUMBER_WORDS = new WordNumbers('numbers')
export const ORDINALS = new WordNumbers('ordinals')

/** True for a word that says when: a weekday or a month. */
export const isWeekdayOrMonth = (word: string): boolean => weekdayOf(word) > 0 || MONTHS.has(word)

const PLACES = wordsFor('places')

/** Ends of German compounds that name places. */
const PLACE_ENDS =
  'halle saal haus kirche heim scheune theater bucherei museum schule platz garten park'.split(' ')

/** Companies rather than places, by who plays or how: “Kindertheater Flunker”. */
const THEATERS =
  /^(?:kinder|puppen|figuren|marionetten|impro|tanz|strassen|schatten|schul|laien|kasperl)theater$/

/** True if a word names a kind of place: `hall`, `Mehrzweckhalle`. */
export const isPlaceWord = (word: string): boolean =>
  PLACES.has(word) ||
  (PLACE_ENDS.some(end => word.length > end.length + 2 && word.endsWith(end)) && !THEATERS.test(word))

/** True if a word for a kind of place is no name by itself: `hall`, but not `Mehrzweckhalle`. */
export const isGeneralPlace = (word: string): boolean =>
  PLACES.hasWordOrPlural(word) || PLACE_ENDS.includes(word)

export const KINDS = wordsFor('kinds')
const NOT_KINDS = setOf('fetes heiligabend feierabend repairs')

/**
 * The ends of compounds that name kinds of events, by their lengths: a word is cut a few times instead of
 * compared with each of them.
 */
const kindEnds = memoize((): ReadonlyMap<number, ReadonlySet<string>> => {
  const ends = languages()
    .flatMap(words => words.kindEnds.split(' '))
    .filter(Boolean)
  return new Map(
    Map.groupBy(ends, ({ length }) => length)
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
  (KINDS.hasWordOrPlural(word) || hasKindEnd(word)) &&
  weekdayOf(word) === 0 &&
  // “salle des fêtes”, “comité des fêtes”, “roof repairs”
  !NOT_KINDS.has(word)

/** Words before or after whoever holds an event. */
export const HOLDING = setOf(
  'organised organized organises organizes hosted veranstaltet veranstalter organisiert organise organisee organises organisateur organiza organizan organizado organizada organizador organizadora organizer organiser organisation',
)

/** Vehicles that take people to an event. */
export const VEHICLES = setOf(
  'bus busse buses coach coaches shuttle minibus ferry autobus autobuses autocar navette',
)

export const BODIES = wordsFor('bodies')
export const OCCASIONS = wordsFor('occasions')
export const LINKS = wordsFor('links')
export const OTHER_HEADINGS = wordsFor('otherHeadings')
