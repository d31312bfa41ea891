import { lazyPattern } from '../../kit/lib/pattern.ts'
import { fold } from '../../kit/lib/text.ts'
import type { Span } from './plain.ts'
import { anyOf, FREE, isPlaceWord, STREETS as STREET_WORDS, setOf, wordsFor } from './words.ts'

/** A street and a town, and the place at it. */
export type PlaceMention = {
  venue?: string
  address?: string
  city?: string
  span: Span
  venueSpan?: Span
  citySpan?: Span
}

const ONLINE = setOf('online webinar webinaire zoom livestream videokonferenz')
const ORGANISATIONS = setOf('verein ev e.v. ggmbh gmbh society association asociacion conseil amt gemeinde')

const STREETS: readonly RegExp[] = [
  /^\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|av\.|boulevard|bd|place|quai|chemin|allée|impasse|route|cours|square) /i,
  /^(?:calle|c\/|avda\.?|avenida|plaza|paseo|ctra\.?|carretera|camino|ronda)(?![a-z]) ?\S/i,
  /^\d{1,5}[a-z]? \S.{0,40} (?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|square|sq|way|place|row|quay|terrace|blvd|court)\.?$/i,
  /(?:straße|strasse|str\.|weg|platz|gasse|allee|ring|damm|ufer|markt|rue) \d{1,4} ?[a-z]?$/i,
  /^(?:am|an der|auf der|im|zum|zur) \S.{0,30} \d{1,4} ?[a-z]?$/i,
]
/** Before where it is if it rains. */
export const RAIN = setOf(
  'regen schlechtwetter witterung wetter rain wet weather pluie mauvais intemperies lluvia lloviera',
)
const NO_PLACES = anyOf(
  wordsFor('verbs', 'otherMatters'),
  RAIN,
  // Signatures and stops of buses
  setOf(
    'haltestelle arret parada bus station',
    'vorsitzender vorsitzende kassier schriftfuhrer prasident prasidentin leitung kontakt president secretary chair chairman treasurer contact secretaire tresorier presidente secretario secretaria bei si en if',
  ),
)
/** Characters between a known venue and its street. */
const NEAR = 100
const NO_STREET = /€|\beur\b|^(?:raum|zimmer|room|salle|sala) \d/i
const MAX_PLACE = 60
/** A street without a word for one: `San Martín 1450`. */
const NUMBERED = lazyPattern(String.raw`^\p{Lu}[\p{L} .'-]{2,40} \d{1,4}$`, 'u')
const POSTCODE = lazyPattern(String.raw`^(?:[A-Z]{1,2}-)?\d{4,5} (\p{Lu}\S.{0,40})$`, 'u')
const CAPITAL = lazyPattern(String.raw`^\p{Lu}`, 'u')
const LABEL = lazyPattern(String.raw`^[\p{L}? ]{2,24}: `, 'u')
const BETWEEN_LETTERS = lazyPattern(String.raw`[^\p{L}]+`, 'gu')
const NAME = lazyPattern(String.raw`^\p{Lu}[\p{L}'’ .-]{1,40}$`, 'u')

/** True if the event has no place to go to. */
export const isOnline = (words: readonly string[]): boolean =>
  words.some(
    (word, i) => ONLINE.has(word) || (word === 'en' && ['ligne', 'linea'].includes(words[i + 1] ?? '')),
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
  for (const { 0: mark, index } of text.slice(from, to).matchAll(/[,;()•·|\n\t]|\s[-–—]\s|\. /g)) {
    const isAbbreviation =
      mark === '. ' &&
      /(?:(?:^|[\s(])(?:avda|ctra|av|st|c|col|no|nro|núm)|str)$/i.test(
        text.slice(Math.max(start, from + index - 6), from + index),
      )
    if (isAbbreviation) continue
    add(from + index)
    start = from + index + mark.length
    isFirst ||= mark === '\n' || mark === '. '
  }
  add(to)
  return parts
}

/**
 * The place in a part of a text that the calendar does not know. What is far from the day is mostly an office in a
 * signature, unless it has a label.
 *
 * @param beside the lines around the day, or the name of a known venue, beside which a street is its own
 */
export function placeIn(
  text: string,
  [from, to]: Span,
  beside: Span,
  isKnown: boolean,
): PlaceMention | undefined {
  const parts = partsOf(text, from, to)
  const margin = isKnown ? NEAR : 0
  const isFar = ({ span }: Part): boolean => span[0] - beside[1] > margin || beside[0] - span[1] > margin
  for (const [i, part] of parts.entries()) {
    const isLabelled = !isKnown && PLACE_LABEL.test(part.text)
    if ((isFar(part) && !isLabelled) || NO_STREET.test(part.text)) continue
    const afterLabel = part.text.replace(LABEL(), '')
    const isAfterPlace =
      i > 0 && !part.isFirst && NUMBERED().test(afterLabel) && endsInPlace(parts[i - 1]?.text ?? '')
    const isYear = /\b(?:19|20)\d\d$/.test(afterLabel)
    if (isYear || !(isAfterPlace || STREETS.some(pattern => pattern.test(afterLabel)))) continue
    const next = parts[i + 1]
    const number =
      next && !/\d/.test(afterLabel) && /^(?:\d{1,4} ?[a-z]?|s\/n)$/i.test(next.text) ? next : undefined
    if (!/\d|s\/n$/i.test(afterLabel) && !number) continue
    const address = number ? `${afterLabel}, ${number.text}` : afterLabel
    const after = parts.slice(i + (number ? 2 : 1), i + (number ? 4 : 3))
    const city = cityIn(after)
    const end = (number ?? part).span[1]
    const before = parts[i - 1]
    const venue = !isKnown && before && isPlaceName(before.text) ? before : undefined
    return {
      address,
      span: [part.span[1] - afterLabel.length, end],
      ...(city && { city: city.text, citySpan: city.span }),
      ...(venue && { venue: withoutPreposition(venue.text), venueSpan: venue.span }),
    }
  }
  return isKnown ? undefined : bareIn(parts, isFar)
}

/** A place without a street: what a label says, or a part of a line that is named as places are, and the town after it. */
function bareIn(parts: readonly Part[], isFar: (part: Part) => boolean): PlaceMention | undefined {
  for (const [i, part] of parts.entries()) {
    const label = PLACE_LABEL.exec(part.text)?.[0] ?? ''
    if (label === '' && isFar(part)) continue
    const name = label === '' ? part.text : withoutPreposition(part.text.slice(label.length))
    const words = fold(name).split(BETWEEN_LETTERS())
    const before = part.isFirst ? [] : fold(parts[i - 1]?.text ?? '').split(BETWEEN_LETTERS())
    const isOther =
      before.some(word => RAIN.has(word)) ||
      /[\d:@]/.test(name) ||
      UNDECIDED.test(name) ||
      words.some(word => NO_PLACES.has(word))
    const isNamed = label === '' ? i > 0 && endsInPlace(name) : name.length <= MAX_PLACE && words.length <= 6
    if (!CAPITAL().test(name) || !isNamed || isOther) continue
    const next = parts[i + 1]
    const city = next && cityIn([next])
    const span: Span = [part.span[1] - name.length, part.span[1]]
    return {
      venue: name,
      venueSpan: span,
      span,
      ...(city && { city: city.text, citySpan: city.span }),
    }
  }
  return undefined
}

function cityIn(parts: readonly Part[]): Pick<Part, 'text' | 'span'> | undefined {
  for (const { text: part, span, isFirst } of parts) {
    const posted = POSTCODE().exec(part)?.[1]
    if (posted !== undefined) return { text: posted, span: [span[1] - posted.length, span[1]] }
    if (/^(?:col|colonia|barrio)\b/i.test(part)) continue
    const words = fold(part).split(' ')
    const isTown =
      !isFirst &&
      NAME().test(part) &&
      words.length <= 5 &&
      !words.some(word => FREE.has(word) || STREET_WORDS.has(word)) &&
      !/\d/.test(part)
    return isTown ? { text: part, span } : undefined
  }
  return undefined
}

const PREPOSITION = lazyPattern(
  String.raw`^.{0,40}?(?:\b(?:im|in der|in the|at the|at|en el|en la|au|à la|en)) (?=\p{L})`,
  'u',
)
/** A place without «Ort:» and «at the». */
const withoutPreposition = (text: string): string => text.replace(LABEL(), '').replace(PREPOSITION(), '')

const isPlaceName = (text: string): boolean => {
  const words = fold(withoutPreposition(text)).split(BETWEEN_LETTERS()).filter(Boolean)
  if (words.length > 6 || words.some(word => NO_PLACES.has(word) || ORGANISATIONS.has(word))) return false
  return (
    words.some(word => isPlaceWord(word)) || (CAPITAL().test(text) && !/\d/.test(text) && words.length <= 4)
  )
}

/** «Ort: …», «Lieu.....: …», «📍 …» */
const PLACE_LABEL =
  /^(?:📍\s?|(?:(?:veranstaltungs)?ort|wo|lieu|où|lugar|sede|dónde|ubicación|where|venue|location|place|treffpunkt|meeting point|salle|local)\s?[?.…]{0,12}\s?:\s?)/i

const UNDECIDED = /^(?:tb[acd]|siehe|see|voir|ver|online|various|offen)\b/i

/** True if a short passage begins or ends with a word for a place. */
function endsInPlace(text: string): boolean {
  if (text.length > MAX_PLACE) return false
  const words = fold(text).split(BETWEEN_LETTERS()).filter(Boolean)
  return (
    words.length > 1 && words.length <= 6 && (isPlaceWord(words[0] ?? '') || isPlaceWord(words.at(-1) ?? ''))
  )
}
