import { lazyPattern } from '../../../kit/lib/pattern.ts'
import { fold } from '../../../kit/lib/text.ts'
import type { Span } from '../words/plain.ts'
import { anyOf, isPlaceWord, isWeekdayOrMonth, SITES, VERBS, WORDS } from '../words/words.ts'

// Streets, towns, and whether there is a place to go to at all. These are read from the parts of a line
// between commas: a street by its number and a word for one, a town by where it stands after a street or a
// venue.

const STREET_PATTERNS: readonly RegExp[] = [
  /^\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|av\.|boulevard|bd|place|quai|chemin|allée|impasse|route|cours|square) /i,
  /^(?:calle|c\/|avda\.?|av\.|avenida|jr\.|jirón|pasaje|plaza|paseo|ctra\.?|carr\.|carretera|camino|ronda(?! \d))(?![a-z]) ?\S/i,
  // “Cra. 7 # 12-40” in Colombia
  /^(?:cra|kra|carrera|cll|calle|diagonal|transversal)\.? \d{1,3}[a-z]? ?# ?\d/i,
  /^\d{1,5}[a-z]? (?:[nsew]\. \S{3,40}|\S.{0,40} (?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|square|sq|way|place|row|quay|terrace|blvd|court)\.?)$/i,
  /(?:straße|strasse|str\.|weg|platz|gasse|allee|ring|damm|ufer|markt|rue) \d{1,4} ?[a-z]?$/i,
  // “rue du Moulin 12” in Belgium and Switzerland
  /^(?:rue|avenue|av\.|boulevard|chemin|quai|place) \S.{0,40} \d{1,4} ?[a-z]?$/i,
  /^(?:am|an der|auf der|im|zum|zur) \S.{0,30} \d{1,4} ?[a-z]?$/i,
]

const NO_STREET =
  /[€$£]|^(?:bolet[ií]n|revista|bulletin|newsletter|gemeindebrief|ausgabe|heft|num[ée]ro|issue|lettre)\b|\beur\b|\d: |kasse \d|^\S+ (?:im|in|au|en) \d+$|^(?:[a-zà-ÿß]*(?:raum|zimmer|saal|halle)|studio|aula|room|hall|stage|level|floor|salle|sala|planta) \d/i

const MAX_PLACE = 60

/** A street without a word for a street: `San Martín 1450`. */
const NAME_AND_NUMBER = lazyPattern(String.raw`^\p{Lu}[\p{L} .'-]{2,40} \d{1,4}$`, 'u')

const TOWN_AFTER_POSTCODE = lazyPattern(String.raw`^(?:[A-Z]{1,2}-)?\d{4,5} (\p{Lu}\S.{0,40})$`, 'u')
const LABEL = lazyPattern(String.raw`^[\p{L}? ]{2,24}: `, 'u')

/** What leads to a street in German: “wie immer im Laden in der” before “Ahornstraße 27”. */
const GERMAN_LEAD = lazyPattern(
  String.raw`^.* (?:in der|in|im|an der|am|auf der|bei der) (?=\S+ \d{1,4} ?[a-z]?$)`,
  'u',
)

/**
 * What leads to a street in other languages: “Galpón de la” before “calle Ombú 71”, “at” before “41 Bridge
 * Street”.
 */
const OTHER_LEAD =
  /^.* (?:(?:de|en)(?: la| el)? (?=(?:calle|c\/|av|jr\.|jirón|pasaje|paseo|carr|ctra|camino)\S* \S)|(?:at|au) (?=\d{1,4},? \S))/i

/**
 * A place and its town: “place du Marché à Pressoles”, “an der Schleuse in Brakenfurt”, but not “in der
 * Krone”.
 */
const IN_TOWN = lazyPattern(String.raw`^(.*\S) (?:à|in|en) (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)$`, 'u')

/**
 * The end of a German verb after a town: “im Sternen, Dorfstrasse 11, Wiesen statt”, “lädt nach Wiesen ein”.
 */
const AFTER_TOWN = / (?:statt|ein)$/

const BETWEEN_LETTERS = lazyPattern(String.raw`[^\p{L}]+`, 'gu')
const NAME = lazyPattern(String.raw`^\p{Lu}[\p{L}'’ .-]{1,40}$`, 'u')

/** Words beside something that is online although the event is not: “tickets online”, “venta online”. */
const SOLD_ONLINE = anyOf(WORDS.admission, WORDS.soldOnline)

/** True if the event has no place to go to. */
export const isOnline = (words: readonly string[]): boolean =>
  !words.some(word => WORDS.doorsOfHouses.has(word)) &&
  words.some(
    (word, i) =>
      (WORDS.onlineEvents.has(word) || (word === 'en' && ['ligne', 'linea'].includes(words[i + 1] ?? ''))) &&
      !words
        .slice(Math.max(0, i - 3), i)
        .some((one, n, before) => WORDS.asWellAsOnline.has(one) && before[n + 1] !== ',') &&
      !words.slice(Math.max(0, i - 2), i + 3).some(one => SOLD_ONLINE.has(one)),
  )

/** @property isFirst whether it is the first of its line, or of a sentence */
type Part = { text: string; span: Span; isFirst: boolean }

/** The parts of a text between lines, commas, brackets and dashes. */
function partsOf(text: string, from: number, to: number): Part[] {
  const parts: Part[] = []
  let start = from
  let isFirst = true
  const add = (end: number) => {
    const raw = text.slice(start, end)
    const lead = raw.length - raw.trimStart().length
    const part = raw.trim().replace(/[.:]$/, '')
    if (part !== '') {
      parts.push({ text: part, span: [start + lead, start + lead + part.length], isFirst })
      isFirst = false
    }
  }
  for (const { 0: mark, index } of text.slice(from, to).matchAll(/[,;()•·|\n\t]|\s[-–—]\s|[.!?] /g)) {
    const isAbbreviation =
      mark === '. ' &&
      /(?:(?:^|[\s(])(?:avda|ctra|carr|cra|av|col|no|nro|núm|[b-df-hj-np-tv-z]{1,4})|str)$/i.test(
        text.slice(Math.max(start, from + index - 6), from + index),
      )
    if (isAbbreviation) continue
    add(from + index)
    start = from + index + mark.length
    isFirst ||= mark === '\n' || /^[.!?]/.test(mark)
  }
  add(to)
  return parts
}

/**
 * A street with its number, and the town after it.
 *
 * @property isSentence whether it begins a sentence within a line, and so is not the address of who signs
 */
export type StreetMention = {
  address: string
  span: Span
  isSentence: boolean
  city?: string
  citySpan?: Span
}

/** The streets with numbers in a text. */
export function streetsIn(text: string): StreetMention[] {
  const parts = partsOf(text, 0, text.length)
  return parts.flatMap((part, i): StreetMention[] => {
    if (NO_STREET.test(part.text)) return []
    const line = part.text.replace(LABEL(), '').replace(GERMAN_LEAD(), '').replace(OTHER_LEAD, '')
    // “rue du Moulin 12 à Orvemont”
    const [, street, town = ''] = IN_TOWN().exec(line) ?? []
    const afterLabel = street !== undefined && /\d ?[a-z]?$/.test(street) ? street : line
    const isAfterPlace =
      i > 0 && !part.isFirst && NAME_AND_NUMBER().test(afterLabel) && endsInPlace(parts[i - 1]?.text ?? '')
    const isYear = /\b(?:19|20)\d\d$/.test(afterLabel)
    if (isYear || !(isAfterPlace || STREET_PATTERNS.some(pattern => pattern.test(afterLabel)))) return []
    const next = parts[i + 1]
    const number =
      next && !next.isFirst && !/\d/.test(afterLabel) && /^(?:\d{1,4} ?[a-z]?|s\/n)$/i.test(next.text)
        ? next
        : undefined
    if (!/\d|s\/n$/i.test(afterLabel) && !number) return []
    const [start, end] = [part.span[1] - line.length, part.span[1]]
    const city: Pick<Part, 'text' | 'span'> | undefined =
      afterLabel === line
        ? cityIn(parts.slice(i + (number ? 2 : 1), i + (number ? 4 : 3)))
        : { text: town, span: [end - town.length, end] }
    return [
      {
        address: number ? `${afterLabel}, ${number.text}` : afterLabel,
        span: [start, number?.span[1] ?? start + afterLabel.length],
        isSentence: /[.!?] $/.test(text.slice(start - 2, start)),
        ...(city && { city: city.text, citySpan: city.span }),
      },
    ]
  })
}

/** The most characters between a day without a venue and its street. */
export const NEAR_DAY = 200

/** The most characters between a venue and its street, unless the street is a sentence of its own. */
const NEAR_VENUE = 100

/** The street nearest to the venue of an event, or to its day. */
export function streetBeside(
  streets: readonly StreetMention[],
  [from, to]: Span,
  isVenue: boolean,
): StreetMention | undefined {
  const distance = ({ span }: StreetMention): number => Math.max(span[0] - to, from - span[1])
  const [nearest] = streets.toSorted((a, b) => distance(a) - distance(b))
  const most = isVenue && nearest?.isSentence === false ? NEAR_VENUE : NEAR_DAY
  return nearest && distance(nearest) <= most ? nearest : undefined
}

/**
 * The town in which a place without a street is: “Salle Ravel, salle 2, Vernay”, “place du Marché à Vernay”.
 */
export function townAfter(
  text: string,
  [from, to]: Span,
): Pick<StreetMention, 'city' | 'citySpan'> | undefined {
  const town = IN_TOWN().exec(text.slice(from, to))?.[2]
  if (town !== undefined) return { city: town, citySpan: [to - town.length, to] }
  const [, next, further] = text[to] === ',' ? partsOf(text, from, Math.min(text.length, to + MAX_PLACE)) : []
  const after = next && further && NO_STREET.test(next.text) ? further : next
  const city = after && cityIn([after])
  // “Scout Den, Canal Walk, Kilkenny”, “Village Hall, Little Snoring, Norfolk”: the first may be a street.
  const isUnclear = after === next && further && !further.isFirst && cityIn([further]) !== undefined
  return city && !isUnclear ? { city: city.text, citySpan: city.span } : undefined
}

/** The longest lower-case word in the name of a town. */
const MAX_SMALL_OF_TOWN = 5

function cityIn(parts: readonly Part[]): Pick<Part, 'text' | 'span'> | undefined {
  for (const { text, span, isFirst } of parts) {
    const part = text.replace(AFTER_TOWN, '')
    const end = span[0] + part.length
    const postalTown = TOWN_AFTER_POSTCODE().exec(part)?.[1]
    if (postalTown !== undefined) return { text: postalTown, span: [end - postalTown.length, end] }
    if (/^(?:col|colonia|barrio)\b/i.test(part)) continue
    const words = fold(part).split(/[ -]/)
    if (!isFirst && words.length < 4 && words.some(word => WORDS.withinHouses.has(word))) continue
    const isTown =
      !isFirst &&
      NAME().test(part) &&
      words.length <= 5 &&
      // “common room, Alder House”
      !(words.length > 1 && [words[0], words.at(-1)].some(word => WORDS.houses.has(word ?? ''))) &&
      // “Einlass ab sieben”, but “Newcastle under Lyme”
      !part.split(/[ -]/).some(word => word.length > MAX_SMALL_OF_TOWN && /^[a-zà-ÿ]/.test(word)) &&
      !words.some(
        word =>
          [WORDS.free, WORDS.admission, VERBS, WORDS.notAdmission, WORDS.streets].some(some =>
            some.has(word),
          ) ||
          isPlaceWord(word) ||
          WORDS.notOfTowns.has(word) ||
          isWeekdayOrMonth(word),
      )
    return isTown ? { text: part, span: [span[0], end] } : undefined
  }
  return undefined
}

/** True if a short passage begins or ends with a word for a place. */
function endsInPlace(text: string): boolean {
  if (text.length > MAX_PLACE) return false
  const words = fold(text).split(BETWEEN_LETTERS()).filter(Boolean)
  return (
    words.length > 1 &&
    words.length <= 6 &&
    [words[0], words.at(-1)].some(word => word !== undefined && (isPlaceWord(word) || SITES.has(word)))
  )
}
