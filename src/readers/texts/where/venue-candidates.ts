import { lazyPattern } from '../../../kit/lib/pattern.ts'
import {
  AU,
  IN,
  isApostrophe,
  isMark,
  isVerb,
  leadOf,
  type Sentence,
  TO,
  withArticle,
} from '../what/sentences.ts'
import { SMALL_AT_FIRST } from '../words/phrases.ts'
import type { Span } from '../words/plain.ts'
import { hasAny, isOneOf, QUOTES, type Token } from '../words/tokens.ts'
import { AND, anyOf, CANCELLED, FOR, FULL, isKind, setOf, weekdayOf, wordsFor } from '../words/words.ts'
import type { KnownName, NameMention } from './names.ts'
import {
  AFTER_STREETS,
  CAPITAL_AT_FIRST,
  COMPANY,
  HALLS,
  isOldPlace,
  LEADING,
  MEETING_POINTS,
  NO_PLACES,
  NOT,
  PLACE_PREPOSITIONS,
  RAIN,
  STEAD,
  TOWARDS,
  traitsOf,
} from './place-words.ts'

// Passages that may be the venue: names of the calendar, or words between marks, prepositions and days.

/**
 * A passage that may be the venue.
 *
 * @property mention the name of the calendar that stands there
 * @property named the venue of the calendar that it is, or is short for
 * @property from its first token in the sentence
 * @property to the token after its last one
 * @property isAround whether it stands above or below a list
 */
export type VenueCandidate = {
  venue: string
  span: Span
  mention?: NameMention
  named?: KnownName
  sentence: Sentence
  from: number
  to: number
  isAround: boolean
}

const MAX_WORDS = 8
const MAX_LENGTH = 70
const MAX_CANDIDATES = 120

/**
 * The adjective of a place after “in”: “in der Alten Schmiede” is in the Alte Schmiede, “im großen Saal” in the großer
 * Saal.
 */
const DECLINED = lazyPattern(
  String.raw`^((?:alt|neu|gro(?:ß|ss)|klein|ober|unter|blau|rot|grün|golden|weiß)e)n(?= \p{L}*?(?:(saal|raum|keller|hof|garten|turm|bau)|(haus|theater|schloss)|)(?:$| ))`,
  'iu',
)

/** Instruments, at which nothing takes place: “Am Klavier: Mia Lang”. */
const PLAYED = setOf('klavier flugel orgel gitarre schlagzeug piano guitar guitare guitarra')

/** After a place, and no part of it: “in St Aidan’s again”, “au dojo également” */
const AGAIN = setOf('again too wieder ebenfalls nouveau egalement nuevo tambien online zoom')

/** Words before “zum” in the name of an inn: “Gasthof zum Löwen”. */
const INNS = /^haus$|(?:gasthof|gasthaus|wirt|wirtshaus|hotel|restaurant|cafe|kirche|stube)$/

/** Before what is done at a place. */
const OBJECTS = setOf('den das die einen ein')

/** After a place, before what takes place there. */
const SUBJECTS = setOf('el la los las le les l un una une die')

/** Before a place that no word says to be one. */
const LED = anyOf(IN, TO, setOf(': 📍 📌 @'))

/**
 * Before a place of those who write, unless it has a capital: “dans notre salle”, but “Nuestra Señora de la
 * Paz”.
 */
const OURS = setOf('notre nos nuestra nuestro')

/** After a place, before the day: “the clubhouse this Sunday”. */
const COMING = wordsFor('coming', 'every')

/** After “café” for what takes place, wherever that is. */
const CAFES = setOf('tricot philo jeux parents langues couture memoire debat rencontre tertulia')

/** True if a room stands beside its house: “en mairie, salle du conseil”. */
export function areParts(a: VenueCandidate, b: VenueCandidate): boolean {
  const [first, second] = a.from < b.from ? [a, b] : [b, a]
  const { own } = first.sentence
  return (
    first.sentence === second.sentence &&
    own[first.to]?.low === ',' &&
    withArticle(own, second.from) === first.to + 1
  )
}

/**
 * All passages of some sentences that may be the venue.
 *
 * @param tokens those that the mentions count
 * @param nameOf the venue for which words are short
 */
export function venueCandidates(
  text: string,
  sentences: readonly Sentence[],
  mentions: readonly NameMention[],
  tokens: readonly Token[],
  { isAround, nameOf }: { isAround: boolean; nameOf: (words: string) => KnownName | undefined },
): VenueCandidate[] {
  const found = new Map<string, VenueCandidate>()
  const add = (sentence: Sentence, from: number, to: number, mention?: NameMention) => {
    const [first, last] = [sentence.own[from], sentence.own[to - 1]]
    if (!first || !last || found.size >= MAX_CANDIDATES) return
    const span: Span = [first.from, last.to]
    const said = text.slice(...span).replace(/\s+/g, ' ')
    const isFeminine = sentence.own[from - 1]?.low === 'der'
    const end = (isHe?: string, isIt?: string) => (isFeminine ? '' : isHe ? 'r' : isIt ? 's' : 'n')
    const isIn = IN.has(leadOf(sentence.own, from))
    const words = isIn ? said.replace(DECLINED(), (_, stem, he, it) => stem + end(he, it)) : said
    if (!mention && words.length > MAX_LENGTH) return
    const named = mention?.named ?? nameOf(words)
    found.set(`${span} ${mention?.named.id ?? ''}`, {
      venue: named?.name ?? words,
      span,
      sentence,
      from,
      to,
      isAround,
      ...(mention && { mention }),
      ...(named && { named }),
    })
  }
  for (const sentence of sentences) {
    const { own } = sentence
    for (const mention of mentions) {
      const from = own.indexOf(tokens[mention.from] as Token)
      // “Riverside Comm. Centre”, whose point seems to end a sentence
      const to = own.indexOf(tokens[mention.to - 1] as Token, from) + 1 || own.length
      if (from >= 0) add(sentence, from, to, mention)
    }
    if (isAround) continue
    let isAfterDay = false
    for (const [i] of own.entries()) {
      isAfterDay ||= sentence.taken[i] === true
      if (!isStart(sentence, i)) continue
      const isLed = i === 0 || LED.has(leadOf(own, i)) || (isAfterDay && leadOf(own, i) === ',')
      for (const to of endsOf(sentence, i))
        if (isLed || own.slice(i, to).some(one => traitsOf(one).isSite)) add(sentence, i, to)
    }
  }
  return [...found.values()]
}

/** True if a place may begin with a token: after a mark, a day, a preposition, or with a word for a place. */
function isStart({ own, taken }: Sentence, i: number): boolean {
  const [token, before, next] = [own[i], own[i - 1], own[i + 1]]
  if (token?.kind !== 'word' || taken[i] || PLAYED.has(token.low)) return false
  // “Meeting Room”, but “Treffpunkt Rathaus”
  if (MEETING_POINTS.has(token.low) && !(token.low === 'meeting' && next && traitsOf(next).isSite))
    return false
  // “Repair-Café im Bürgerhaus”, “Café tricot”
  if (before?.low === '-' && !before.isSpaced && !token.isSpaced && own[i - 2]?.kind === 'word') return false
  if (token.low === 'cafe' && (isOneOf(next, CAFES) || before?.low === 'repair')) return false
  // Where everybody brings a dish
  if (token.low === 'auberge' && next?.low === 'espagnole') return false
  const { isCut, startsSmall, isSite } = traitsOf(token)
  if (isCut && startsSmall) return false
  // “L’école”, but “L’Escale”
  if (token.low === 'l' && isApostrophe(next) && SMALL_AT_FIRST().test(own[i + 2]?.text ?? '')) return false
  if (OURS.has(token.low) && startsSmall) return false
  // “bei Regen”
  if (RAIN.has(token.low)) return false
  // “obra de teatro”, “pièce de théâtre”
  if (HALLS.has(token.low) && before?.low === 'de' && isKind(own[i - 2]?.low ?? '')) return false
  // “in memory of Joan Park”, “place du Champ-de-Foire”, “Arco de la Villa”, “Parkplatz am Hallenbad”
  const outer = own[withArticle(own, i) - 2]
  const isOfOuter = outer && (traitsOf(outer).isSite || NO_PLACES.has(outer.low))
  const isNew = TOWARDS.has(leadOf(own, i)) && isOldPlace(own, withArticle(own, i) - 2)
  if (isOfOuter && !isNew && PLACE_PREPOSITIONS.has(leadOf(own, i))) return false
  // “on ferme à 23 h”, but “on the Green”
  if (before?.low === 'on' && startsSmall) return false
  // “auf'm Hof”
  if (isApostrophe(before) && (own[i - 2]?.low.length ?? 0) > 1) return false
  const isFree =
    !before ||
    taken[i - 1] === true ||
    before.kind === 'number' ||
    (before.kind === 'sign' && (isMark(own, i - 1) || before.low !== '-')) ||
    LEADING.has(before.low) ||
    isSite
  return isFree && !(isSite && isWithinNamed(own, i))
}

/** Tokens of a name in quotation marks. */
const MAX_OF_QUOTED = 8

/** Words of “obra de teatro” before its name. */
const MAX_TO_QUOTED = 3

/** True within the name of what takes place: “Obra «La casa roja»”, but not “Konzert im „Haus am See“”. */
function isWithinNamed(own: readonly Token[], i: number): boolean {
  let quote = i - 1
  while (quote > i - MAX_OF_QUOTED && !QUOTES.includes(own[quote]?.low ?? '.')) quote--
  if (quote === i - 1 || !QUOTES.includes(own[quote]?.low ?? '.') || !own[quote]?.isSpaced) return false
  const named = own.slice(Math.max(0, quote - MAX_TO_QUOTED), quote)
  return named.some(one => isKind(one.low)) && !hasAny(named, IN)
}

/** After “at”, in an hour. */
const HALVES = setOf('half quarter')

/** After the place to which an event is moved. */
const AWAY = setOf('verlegt umgezogen verschoben')

/** The tokens before which a place may end that begins with another. */
function endsOf({ own, taken }: Sentence, from: number): number[] {
  const ends: number[] = []
  let [quotes, words] = [0, 0]
  for (let i = from; ; i++) {
    const [token, before] = [own[i], own[i - 1]]
    const isQuote = token !== undefined && QUOTES.includes(token.low)
    const isEnd =
      !token ||
      taken[i] ||
      (isMark(own, i) && !isQuote) ||
      words > MAX_WORDS ||
      (COMPANY.has(token.low) && !(FOR.has(token.low) && CAPITAL_AT_FIRST.test(own[i + 1]?.text ?? ''))) ||
      (token.kind === 'number' && token.text.length > 3) ||
      // “im Dorfsaal. 16 € für Gäste”, but “Saal Nr. 2”
      (token.low === '.' && own[i + 1]?.kind === 'number' && (before?.low.length ?? 0) > 2) ||
      // “at the Lantern, Mill Rd. Bring a friend”
      (token.low === '.' &&
        isOneOf(before, AFTER_STREETS) &&
        CAPITAL_AT_FIRST.test(own[i + 1]?.text ?? '')) ||
      // “the kitchen’s having its deep clean”, “the museum’s toy fair”, but “the school’s main hall”
      (isApostrophe(token) &&
        own[i + 1]?.low === 's' &&
        before !== undefined &&
        traitsOf(before).isSite &&
        !own.slice(i + 2, i + 4).some(one => traitsOf(one).isSite)) ||
      COMING.has(token.low) ||
      AGAIN.has(token.low) ||
      // “in the hall on Shrove Tuesday”, “im Saal am Faschingsdienstag”
      (traitsOf(token).isCut &&
        own.slice(i + 1, i + 3).some(({ low }) => low.length > 3 && weekdayOf(low) > 0)) ||
      // “au gymnase à partir du 20 janvier”
      (token.low === 'a' && own[i + 1]?.low === 'partir') ||
      // “stellen wir auf dem Dorfplatz den Maibaum auf”, “ins Pfarrheim zum Singen”, but “Gasthaus zum Löwen”
      (before !== undefined &&
        traitsOf(before).isSite &&
        (OBJECTS.has(token.low) || (/^zu[mr]$/.test(token.text) && !INNS.test(before.low)))) ||
      // “am Sieltor zum Boßeln”, “unsere Schule kennenzulernen”
      (token.text === 'zum' && /eln$/.test(own[i + 1]?.low ?? '')) ||
      /^[a-zäöü]{2,9}zu[a-zäöü]{2,12}en$/.test(token.text) ||
      // “se celebrará en la plaza Mayor la Fiesta del Pan”
      (SUBJECTS.has(token.text) && i > from && isVerbBefore(own, from)) ||
      // “im Pfarrsaal ABGESAGT”
      (i > from && (CANCELLED.has(token.low) || FULL.has(token.low))) ||
      isInsteadAt(own, i) ||
      // “for the orchard at half past four”
      (token.low === 'at' && isOneOf(own[i + 1], HALVES)) ||
      // “wird in die Bücherei verlegt”
      AWAY.has(token.text) ||
      (TOWARDS.has(token.low) && isOldPlace(own, from)) ||
      (i > from && isVerb(token, i, own) && traitsOf(token).startsSmall)
    if (i > from && before && quotes % 2 === 0 && isLast(own, i - 1, isEnd))
      if (isEnd || mayEnd(before, token)) ends.push(i)
    if (isEnd) return ends
    if (isQuote) quotes++
    if (token.kind === 'word') words++
  }
}

/** True if a verb stands right before a place with its preposition: “aura lieu à la mairie”. */
const isVerbBefore = (own: readonly Token[], from: number): boolean => {
  const at = withArticle(own, from) - 2
  return at >= 0 && (isVerb(own[at] as Token, at, own) || own[at]?.low === 'lieu' || own[at]?.low === 'lugar')
}

/** True if a place may end with a token: “Hörsaal 3”, but not “50p”. */
function isLast(own: readonly Token[], i: number, isEnd: boolean): boolean {
  const [token, before] = [own[i], own[i - 1]]
  // “Centro Cívico Sur”
  if (token && traitsOf(token).isCut && !(isEnd && /^[A-Z][a-z]/.test(token.text))) return false
  if (token?.kind === 'number')
    return before !== undefined && traitsOf(before).isSite && !traitsOf(before).isStreetEnd
  return (
    token !== undefined &&
    (QUOTES.includes(token.low) || (token.kind === 'word' && !(before?.kind === 'number' && !token.isSpaced)))
  )
}

/**
 * True if a place may end between two tokens: after a word for a place, before a preposition or a small
 * letter.
 */
function mayEnd(before: Token, token: Token): boolean {
  const { isCut, startsSmall } = traitsOf(token)
  return (
    // Not within “Jules-Renard”
    (token.kind !== 'word' && !isApostrophe(token) && (token.low !== '-' || token.isSpaced)) ||
    isCut ||
    AND.has(token.low) ||
    traitsOf(before).isSite ||
    (startsSmall && !traitsOf(before).startsSmall)
  )
}

/** True if a preposition leads to a place: “in the Reading Room”, “à la mairie”. */
export const isLed = ({ sentence: { own }, from }: VenueCandidate): boolean =>
  IN.has(leadOf(own, from)) || TO.has(leadOf(own, from))

/**
 * True if it takes place at a place within its title: “Carols at the Crown”, but not “Coach trip to Kew
 * Gardens” or “crossing in Mill Road”.
 */
export const isHeldAt = ({ sentence: { own }, from, to }: VenueCandidate): boolean =>
  (IN.has(leadOf(own, from)) || AU.has(leadOf(own, from)) || leadOf(own, from) === '@') &&
  !isStreetEnd(own[to - 1])

const isStreetEnd = (token: Token | undefined): boolean => token !== undefined && traitsOf(token).isStreetEnd

/** Before the place in whose stead another one is named. */
const INSTEAD = setOf('statt instead anstatt anstelle rather')

/** True before the place in whose stead another one is named: “in the library instead of the town hall”. */
function isInsteadAt(own: readonly Token[], i: number): boolean {
  const [low, next = ''] = [own[i]?.low ?? '', own[i + 1]?.low ?? '']
  return (
    INSTEAD.has(low) || (['au', 'en'].includes(low) && STEAD.has(next)) || (AND.has(low) && NOT.has(next))
  )
}
