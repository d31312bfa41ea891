import { editsBetween } from '../../../kit/lib/likeness.ts'
import { memoize } from '../../../kit/lib/memo.ts'
import { BETWEEN_WORDS, lazyPattern } from '../../../kit/lib/pattern.ts'
import { fold } from '../../../kit/lib/text.ts'
import { isApostrophe } from '../what/sentences.ts'
import { significantWords } from '../words/phrases.ts'
import { areInLine, isOneOf, type Token } from '../words/tokens.ts'
import {
  isGeneralPlace,
  isKind,
  isPlaceWord,
  isWeekdayOrMonth,
  MONTHS,
  NUMBER_WORDS,
  WORDS,
} from '../words/words.ts'
import { BEFORE_OWNER } from './place-words.ts'

// Where a text names venues and organizers of the calendar, also when it misspells or shortens them. A name
// is told from other words by how much of it stands there, by what leads to it, and by the words that no
// other name has.

/** A venue or an organizer of the calendar. */
export type KnownName = { id: number; name: string }

/** A name of the calendar in a text. */
export type NameMention = {
  knownName: KnownName
  from: number
  to: number
  /** How much of the name stands there, from 0 to 1. */
  share: number
  /** True if only words after `of` stand there, which may be the name of a town or of another house. */
  isTail: boolean
}

/** Tokens that may stand between two words of a name. */
const GAP = 3

/** The fewest letters of a word that may be misspelt. */
const MIN_MISSPELT = 6

/** The fewest letters of a word that may be misspelt in one place and right in another. */
const MIN_MISSPELT_AGAIN = 9

/** Longer words are no names. */
const MAX_WORD = 60

/** The least share of a name that counts as whole. */
export const WHOLE_SHARE = 0.9

/** The least share of a name that is cut short. */
const MIN_SHARE = 0.5

/** The least share of one word that stands for the whole name. */
const MIN_SHARE_OF_ONE = 0.25

/**
 * A name, split into the words that count.
 *
 * @property wordsAfterOf the words after `of` or `de`
 * @property number the number at its end, as in “Hall 1”
 */
type SplitName = { words: readonly string[]; wordsAfterOf: ReadonlySet<string>; number?: string | undefined }

/**
 * The number at the end of a name. Years are left out, as they tell no places from each other: “Kulturfabrik
 * 1910”.
 */
const NUMBER_AT_END = /(?<=[^\d\s,.;:&/-] )\d{1,2}$/

const isNumber = (word: string): boolean => /^\d/.test(word)

const WORD = lazyPattern(String.raw`\p{L}[\p{L}\p{M}]*`, 'gu')

const isSignificant = (word: string): boolean =>
  word.length > 1 && word.length <= MAX_WORD && !WORDS.small.has(word)

/**
 * Memoized, because every text is compared with the same names: splitting 4,000 takes most of the time for a
 * short text.
 */
const splitName = memoize(
  (name: string): SplitName => {
    const allWords = fold(name).match(WORD()) ?? []
    // What follows “of” in a name is, alone, mostly a town: “Ayuntamiento de Villaserena”.
    const secondHalf = allWords.findIndex((word, i) => i > 0 && WORDS.belongingTo.has(word))
    const after = secondHalf < 0 ? [] : allWords.slice(secondHalf)
    const words = allWords.filter(isSignificant)
    // “Salón Sur”
    const isGeneral = words.every(word => isGeneralPlace(word))
    return {
      words: [...new Set(isGeneral ? allWords : words)],
      wordsAfterOf: new Set(after.filter(isSignificant)),
      number: NUMBER_AT_END.exec(name)?.[0],
    }
  },
  { most: 5_000 },
)

/**
 * The forms of a word that lack one of its letters. Two words that differ in one letter have such a form in
 * common.
 */
const withoutOneLetter = (word: string): string[] =>
  word.length < MIN_MISSPELT
    ? []
    : Array.from({ length: word.length }, (_, i) => word.slice(0, i) + word.slice(i + 1))

/** Endings that nouns and adjectives of a name may have in a text. */
const NOUN_ENDINGS = ['s', 'n', 'en', 'r', 'es', 'al']

/** Where a word of a name stands. @property isShort whether an abbreviation stands for it */
type Hit = { at: number; isShort: boolean }

/** Where the words of a text stand, also those that are misspelt, abbreviated, or the end of a compound. */
export class TextIndex {
  readonly #exact = new Map<string, number[]>()
  readonly #lacking = new Map<string, Set<string>>()
  /** Numbers in digits: “les 3 Chênes”, for the Trois Chênes. */
  readonly #numbers = new Map<number, number[]>()
  /** Abbreviations by their first letters. */
  readonly #abbreviations = new Map<string, Set<string>>()

  constructor(tokens: readonly Token[]) {
    for (const [i, { kind, folded }] of tokens.entries()) {
      if (kind === 'number' && folded.length < 3) this.#addNumber(Number(folded), i)
      if (kind !== 'word' || folded.length > MAX_WORD) continue
      const places = this.#exact.get(folded)
      if (places) places.push(i)
      else this.#add(folded, i)
      if (tokens[i + 1]?.folded === '.' || !/[aeiouy]/.test(folded) || WORDS.clippedNames.has(folded))
        if (folded.length <= 5 && !WORDS.small.has(folded)) {
          const [first = ''] = folded
          this.#abbreviations.set(first, (this.#abbreviations.get(first) ?? new Set()).add(folded))
        }
    }
  }

  #addNumber(number: number, at: number): void {
    const places = this.#numbers.get(number)
    if (places) places.push(at)
    else this.#numbers.set(number, [at])
  }

  #add(word: string, at: number): void {
    this.#exact.set(word, [at])
    for (const part of [word, ...withoutOneLetter(word)]) {
      const words = this.#lacking.get(part)
      if (words) words.add(word)
      else this.#lacking.set(part, new Set([word]))
    }
  }

  /** The places of a word. */
  hitsOf(word: string): Hit[] {
    if (isNumber(word)) return (this.#numbers.get(Number(word)) ?? []).map(at => ({ at, isShort: false }))
    const exact = this.#exact.get(word)
    const alike = new Set<string>(exact && [word])
    // “Stadtbücherrei”, above “Förderverein Stadtbücherei”
    if (word.length >= (exact ? MIN_MISSPELT_AGAIN : MIN_MISSPELT))
      for (const part of [word, ...withoutOneLetter(word)])
        for (const other of this.#lacking.get(part) ?? [])
          if (
            other.length >= MIN_MISSPELT &&
            editsBetween(word, other, word.length >= 9 ? 2 : 1) !== undefined
          )
            alike.add(other)
    const addIfThere = (other: string): void => {
      if (this.#exact.has(other)) alike.add(other)
    }
    if (!exact) {
      // The library of a Stadtbücherei, and the endings that grammar adds.
      for (let i = 1; i <= word.length - MIN_MISSPELT; i++) addIfThere(word.slice(i))
      if (word.length > 4) for (const end of NOUN_ENDINGS) addIfThere(`${word}${end}`)
      // “im Alten Rathaus”, “beim Grünen Baum”, and “Goldener Hirsch” for “Zum Goldenen Hirschen”
      if (/^.{3,}e[rs]$/.test(word)) addIfThere(`${word.slice(0, -1)}n`)
      if (/^.{4,}en$/.test(word)) for (const end of ['', 'e', 'er', 'es']) addIfThere(word.slice(0, -2) + end)
    }
    const number = exact ? undefined : NUMBER_WORDS.get(word)
    const inDigits = number === undefined ? [] : (this.#numbers.get(number) ?? [])
    const short = [...(this.#abbreviations.get(word[0] ?? '') ?? [])].filter(one =>
      isAbbreviationOf(one, word),
    )
    const hits = (words: Iterable<string>, isShort: boolean): Hit[] =>
      [...words].flatMap(other => (this.#exact.get(other) ?? []).map(at => ({ at, isShort })))
    return [...hits(alike, false), ...inDigits.map(at => ({ at, isShort: true })), ...hits(short, true)]
  }
}

/**
 * True if a word abbreviates another, as `ctr` does `center`, `sq` `square`, and `st` or `s` `saint`: by its
 * beginning, or by letters in their order from the first to the last one.
 */
function isAbbreviationOf(short: string, word: string): boolean {
  if (short === 's') return /^(?:san|santa|santo|saint|sankt)$/.test(word)
  if (WORDS.clippedNames.has(short) && short.endsWith('s')) return isAbbreviationOf(short.slice(0, -1), word)
  if (short.length < 2 || short.length >= word.length - 1) return false
  if (word.startsWith(short)) return true
  // “Ctr” ends as “Center” does, and is the Centre as well.
  if (short.at(-1) !== (word.endsWith('re') ? 'r' : word.at(-1))) return false
  let at = 0
  for (const letter of word) if (letter === short[at]) at++
  return at === short.length
}

/**
 * Finds names of the calendar in a text: whole, misspelt, or cut short to words that no other name has. Its
 * time grows with the words of the names and with those of the text, not with their product.
 *
 * @param index of the same tokens
 * @param isPlace whether they are names of places, which stand after a preposition when they are cut short
 * @param places the places that the calendar knows, whose names show which words are towns
 */
export function namesIn(
  tokens: readonly Token[],
  index: TextIndex,
  knownNames: readonly KnownName[],
  isPlace: boolean,
  places: readonly KnownName[] = [],
): NameMention[] {
  const names = knownNames.map(({ name }) => {
    const split = splitName(name)
    // Parish Hall and Hall 7 are not Hall 1.
    return isPlace && split.number ? { ...split, words: [...split.words, split.number] } : split
  })
  const ofPlaces = new Set(places.flatMap(({ name }) => splitName(name).words))
  const frequencies = new Map<string, number>()
  for (const { words } of names)
    for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  const hitsByWord = new Map<string, Hit[]>()
  const hitsOfWord = (word: string): Hit[] => {
    const places = hitsByWord.get(word) ?? index.hitsOf(word)
    hitsByWord.set(word, places)
    return places
  }
  const isUnique = (word: string): boolean => frequencies.get(word) === 1
  const found = knownNames.flatMap((knownName, i): NameMention[] => {
    const split = names[i] ?? { words: [], wordsAfterOf: new Set() }
    const hasUniqueWord = split.words.some(
      word => isUnique(word) && hitsOfWord(word).some(({ isShort }) => !isShort),
    )
    if (!hasUniqueWord && !split.words.every(word => hitsOfWord(word).length > 0)) return []
    const best = bestMentions(tokens, split, hitsOfWord, word => 1 / (frequencies.get(word) ?? 1), isPlace)
    // “in Marden Bridge” is not the Marden Bridge WI, if the calendar has a Marden Bridge Hall.
    const isTown = ({ from, to, share }: Omit<NameMention, 'knownName'>): boolean =>
      share < WHOLE_SHARE &&
      isOneOf(tokens[from - 1], WORDS.beforeTown) &&
      tokens.slice(from, to).every(({ folded }) => ofPlaces.has(folded) && !WORDS.bodies.has(folded))
    return best.filter(one => !isTown(one)).map(one => ({ knownName, ...one }))
  })
  const bestAt = new Map<number, NameMention>()
  for (const one of found)
    for (let at = one.from; at < one.to; at++) {
      const other = bestAt.get(at)
      if (!other || isBetter(one, other)) bestAt.set(at, one)
    }
  const isBest = (mention: NameMention): boolean => {
    for (let at = mention.from; at < mention.to; at++) {
      const other = bestAt.get(at)
      if (other && isBetter(other, mention)) return false
    }
    return true
  }
  return found.filter(isBest)
}

/** What stands before the house of a room: “Foyer des Kinos”, “salón de la biblioteca” */
const OF_HOUSE = /^.* (?:of(?: the)?|des|der|vom|de(?: la| l['’])?|del|du) /i

/** The words of a name, folded. Memoized, as every place that a text may mean is compared with it. */
const wordsOfName = memoize(
  (name: string): readonly string[] => fold(name).split(BETWEEN_WORDS()).filter(Boolean),
  { most: 500 },
)

/**
 * The names for which words are short: “the Rest”, “la biblioteca”, “Foyer des Kinos”, but not the church of
 * “Church Rooms”.
 */
export function namesShortenedTo(words: string, names: readonly KnownName[]): KnownName[] {
  if (names.length === 0) return []
  const short = significantWords(words.replace(OF_HOUSE, ''))
  return short.length === 0 ? [] : names.filter(({ name }) => isShortForm(short, wordsOfName(name)))
}

function isShortForm(short: readonly string[], long: readonly string[]): boolean {
  const places = short.map(word =>
    long.findIndex(
      one => one === word || `${one}s` === word || (word.length >= MIN_MISSPELT && one.endsWith(word)),
    ),
  )
  if (places.includes(-1)) return false
  const [first = -1] = places
  const isPlace = (word: string): boolean =>
    isPlaceWord(word) || isGeneralPlace(word) || WORDS.houses.has(word)
  return (
    short.length > 1 ||
    (isPlace(long[first] ?? '')
      ? !long.slice(first + 1).some(isPlace)
      : first === long.length - 1 && !long.slice(0, -1).some(isPlace))
  )
}

/** The most places of a name that are looked at: a text may repeat one ten thousand times. */
const MAX_HITS = 200

/** The most times that a name is found: once for each event of a list. */
const MAX_MENTIONS = 20

/** True for the number of “Hall 1 March” and “Hall 19:30”. */
const isOfMoment = (tokens: readonly Token[], at: number): boolean =>
  isOneOf(tokens[at + 1], MONTHS) ||
  (/^[.:/]$/.test(tokens[at + 1]?.folded ?? '') && tokens[at + 2]?.kind === 'number')

/** Where a name stands: as a whole, or where it is nowhere whole, each time that it is cut short. */
function bestMentions(
  tokens: readonly Token[],
  { words, wordsAfterOf }: SplitName,
  placesOf: (word: string) => readonly Hit[],
  weight: (word: string) => number,
  isPlace: boolean,
): Omit<NameMention, 'knownName'>[] {
  const hits = words
    .flatMap(word =>
      placesOf(word)
        .slice(0, MAX_HITS)
        .map(hit => ({ ...hit, word })),
    )
    .sort((a, b) => a.at - b.at)
  const total = words.reduce((sum, word) => sum + weight(word), 0)
  let best: Omit<NameMention, 'knownName'>[] = []
  for (let first = 0; first < hits.length; first++) {
    const seen = new Map<string, boolean>()
    const from = hits[first]?.at ?? 0
    let to = from
    for (let next = first; next < hits.length; next++) {
      const { at, word, isShort } = hits[next] ?? { at: 0, word: '', isShort: false }
      if (isNumber(word) && (at !== to + 1 || isOfMoment(tokens, at))) continue
      if (at - to > GAP || !areInLine(tokens, at, from) || seen.has(word)) break
      seen.set(word, isShort)
      to = at
    }
    const share = [...seen.keys()].reduce((sum, word) => sum + weight(word), 0) / total
    const last = best.at(-1)
    const isWithin = last !== undefined && from < last.to
    const isWhole = share >= WHOLE_SHARE
    const hasWhole = last !== undefined && last.share >= WHOLE_SHARE
    if ((hasWhole && !isWhole) || (isWithin && share <= last.share)) continue
    // “de la” alone is no name.
    const strong = [...seen]
      .filter(([word, isShort]) => !isShort && isSignificant(word))
      .map(([word]) => word)
    const isTail = strong.every(word => wordsAfterOf.has(word))
    const isExact = strong.some(word => tokens[from]?.folded === word)
    const isCutShort =
      strong.some(word => weight(word) === 1) &&
      (isPlace || isBody(words, strong)) &&
      share >= (strong.length > 1 && !isLedTo(tokens, from, isPlace) ? MIN_SHARE : MIN_SHARE_OF_ONE) &&
      // “salle 12, Vuarmoz” is not the Salle communale de Vuarmoz.
      !tokens.slice(from, to).some(({ kind, folded }) => kind === 'number' || folded === ':') &&
      !isOfOtherName(tokens, from, to, isPlace) &&
      (strong.length > 1 || (isExact && isLedTo(tokens, from, isPlace)))
    if (isWhole ? strong.length > 0 : isCutShort) {
      // “at the Fiddler's”
      const isOwner = isApostrophe(tokens[to + 1]) && tokens[to + 2]?.folded === 's'
      const end = isOwner ? to + 3 : to + 1
      const others = isWhole && !hasWhole ? [] : isWithin ? best.slice(0, -1) : best
      best = [...others, { from, to: end, share, isTail: isTail && !isWhole }].slice(0, MAX_MENTIONS)
    }
  }
  return best
}

const TITLE_CASE = lazyPattern(String.raw`^\p{Lu}\p{Ll}`, 'u')

/**
 * True if a few words of an organizer's name say that it is a body: “Hall Committee”, but not “Hall” alone.
 */
const isBody = ([first = '']: readonly string[], strong: readonly string[]): boolean =>
  WORDS.bodies.has(first) || strong.some(word => word === first || WORDS.bodies.has(word))

/**
 * A word for a room before the house that it is in: “in the upstairs room of the Anchor”, “im Nebenzimmer vom
 * Adler”, “im Saal der Krone”.
 */
const ROOM_WORD =
  /(?:^(?:back)?room|^bar|saal|zimmer|stube|keller|garten|hof|foyer|terrasse|parkplatz|^salle|^salon|^sala|^aula|^comedor|^patio|^terraza|^cafeteria|^cour|^jardin|^parking|^preau|^parvis|^lounge|^basement|^cellar|^yard)$/

/**
 * True if the text leads to one word that stands for a name: “at the Grange”, “au Rialto”, “5 pm, Pfarrsaal”.
 */
function isLedTo(tokens: readonly Token[], from: number, isPlace: boolean): boolean {
  const [before, token] = [tokens[from - 1], tokens[from]]
  if (!token || WORDS.tooGeneralPlaces.has(token.folded)) return false
  // “in the upstairs room of the Anchor”, “im Saal der Krone”
  const isOf = isOneOf(before, BEFORE_OWNER)
  const ofAt = isOf ? from - 1 : from - 2
  // “sala 2 de La Cascada”
  const room = tokens[ofAt - 1]?.kind === 'number' ? ofAt - 2 : ofAt - 1
  const isOfRoom =
    isPlace && isOneOf(tokens[ofAt], BEFORE_OWNER) && ROOM_WORD.test(tokens[room]?.folded ?? '')
  // “auf dem Festplatz am Sportheim”
  if (!isOfRoom && isPlaceWord(tokens[from - 2]?.folded ?? '')) return false
  // “Ciné-club · Le Rex · 20 h”
  const isBetweenMarks = [from - 2, from + 1].every(
    i => tokens[i]?.line !== token.line || tokens[i]?.kind === 'sign',
  )
  const hasLead = !isPlace || isOneOf(tokens[from - 2], WORDS.beforeArticleOfPlace) || isBetweenMarks
  // “au Rialto”, “at the Grange” and, of an organizer, “der Musikkapelle”
  const isLed =
    before &&
    (WORDS.atThe.has(before.folded) || (WORDS.definiteArticles.has(before.folded) && hasLead) || isOfRoom)
  // “Derbi, Pabellón. Entrada 2 €”, but “Musik, Theater, Tanz”
  const isAlone = [before, tokens[from + 1]].every(one => one?.line !== token.line || one.kind === 'sign')
  const isGeneral =
    isGeneralPlace(token.folded) && (!isPlace || !isAlone || WORDS.housesLikeGenres.has(token.folded))
  return (isLed && before.line === token.line) || (isPlaceWord(token.folded) && !isGeneral)
}

/**
 * True for the last token of a day or a time. A name may follow: “Sat 6 Feb, Corn Exchange” names the Old
 * Corn Exchange.
 */
const isMoment = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'number' || /^(?:uhr|[ap]m|h)$/.test(token.folded) || isWeekdayOrMonth(token.folded))

/**
 * True if words of a name belong to another one: “the choir of Marsh Baldon”, “Myrtle Creek Pass”, “Am Markt
 * 1”, “Café Seeblick”, “Vereinsheim »Frischauf«”.
 */
function isOfOtherName(tokens: readonly Token[], from: number, to: number, isPlace: boolean): boolean {
  // “St Anne's School”
  const next = tokens[to + 2]?.folded === 's' ? to + 3 : to + 1
  const [before, after] = [tokens[from - 1], tokens[next]].map(one =>
    one?.line === tokens[from]?.line ? one : undefined,
  )
  const isCapital = (one: Token | undefined) => one?.kind === 'word' && TITLE_CASE().test(one.text)
  // “MILL CREEK MAKERS MARKET” is not the Mill Creek Gardening Club's.
  const areCapitals = !isPlace && /^[A-ZÀ-Ý]{2,}$/.test(after?.text ?? '')
  // “Vereinsheim »Frischauf«”, but “im „Grünen Kranz“”
  const isQuote = (one: Token | undefined) => /[„“”"«»]/.test(one?.text ?? '')
  const isNamed = isCapital(after) || after?.text === '&' || (isQuote(after) && !isQuote(before))
  const isOther = [before, after].some(
    one =>
      one &&
      (WORDS.houses.has(one.folded) ||
        WORDS.streets.has(one.folded) ||
        (isCapital(one) && isPlaceWord(one.folded))),
  )
  const isNumbered = after?.kind === 'number' && after.text.length < 4
  // “Dear Friends of the Arboretum”, “29990 Port-Trévic”, “Cradle Bay Folk Festival”
  const isCalled =
    before !== undefined && (WORDS.greetings.has(before.folded) || /^\d{4,5}$/.test(before.folded))
  return (
    isOther ||
    isNumbered ||
    isCalled ||
    areCapitals ||
    (!isPlace && after !== undefined && isKind(after.folded)) ||
    isNamed ||
    // “Chor der Alten Molkerei”, but “en el patio del Club Unión”
    (to > from &&
      before !== undefined &&
      ((isPlace &&
        before.folded === ',' &&
        !isPlaceWord(tokens[from]?.folded ?? '') &&
        !isMoment(tokens[from - 2])) ||
        (WORDS.belongingTo.has(before.folded) && !ROOM_WORD.test(tokens[from - 2]?.folded ?? ''))))
  )
}

/**
 * True if a name is whole within a longer stretch that is only a part of another: “der Freiwilligen
 * Musikkapelle Oberkranz”.
 */
const isWholeWithin = (mention: NameMention, other: NameMention): boolean =>
  mention.share >= WHOLE_SHARE &&
  other.share < WHOLE_SHARE &&
  other.from <= mention.from &&
  mention.to <= other.to

const isBetter = (mention: NameMention, other: NameMention): boolean =>
  isWholeWithin(mention, other) ||
  (!isWholeWithin(other, mention) &&
    (mention.to - mention.from > other.to - other.from ||
      (mention.to - mention.from === other.to - other.from && mention.share > other.share)))
