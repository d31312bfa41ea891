import { lazyPattern } from '../../../kit/lib/pattern.ts'
import { isApostrophe, isMark, isVerb, leadOf, type Sentence, withArticle } from '../what/sentences.ts'
import { STARTS_LOWERCASE } from '../words/phrases.ts'
import type { Span } from '../words/plain.ts'
import { hasAny, isOneOf, QUOTES, type Token } from '../words/tokens.ts'
import { AND, anyOf, isKind, setOf, WORDS, weekdayOf } from '../words/words.ts'
import type { KnownName, NameMention } from './names.ts'
import {
  COMPANY,
  isOldPlace,
  LEADING,
  PLACE_PREPOSITIONS,
  STARTS_WITH_CAPITAL,
  wordTraits,
} from './place-words.ts'

// Passages that may be the venue: names of the calendar, or words between marks, prepositions and days.

/**
 * A passage that may be the venue.
 *
 * @property mention the name of the calendar that stands there
 * @property knownVenue the venue of the calendar that it is, or is short for
 * @property from its first token in the sentence
 * @property to the token after its last one
 * @property isAround whether it stands above or below a list
 */
export type VenueCandidate = {
  venue: string
  span: Span
  mention?: NameMention
  knownVenue?: KnownName
  sentence: Sentence
  from: number
  to: number
  isAround: boolean
}

const MAX_WORDS = 8
const MAX_LENGTH = 70
const MAX_CANDIDATES = 120

/**
 * The adjective of a place after “in”, and the gender of its noun: “in der Alten Schmiede” is in the Alte
 * Schmiede, “im großen Saal” in the großer Saal.
 */
const DECLINED = lazyPattern(
  String.raw`^((?:alt|neu|gro(?:ß|ss)|klein|ober|unter|blau|rot|grün|golden|weiß)e)n(?= \p{L}*?(?:(saal|raum|keller|hof|garten|turm|bau)|(haus|theater|schloss)|)(?:$| ))`,
  'iu',
)

/** Words before “zum” in the name of an inn: “Gasthof zum Löwen”. */
const INNS = /^haus$|(?:gasthof|gasthaus|wirt|wirtshaus|hotel|restaurant|cafe|kirche|stube)$/

/** What a place without a word for places must follow. */
const LEADS_TO_PLACE = anyOf(WORDS.inOrAt, WORDS.toPlaces, setOf(': 📍 📌 @'))

/** Words after a place, before the day: “the clubhouse this Sunday”. */
const THIS_OR_EVERY = anyOf(WORDS.coming, WORDS.every)

/** True if a room stands beside its house: “en mairie, salle du conseil”. */
export function areParts(a: VenueCandidate, b: VenueCandidate): boolean {
  const [first, second] = a.from < b.from ? [a, b] : [b, a]
  const { sentenceTokens } = first.sentence
  return (
    first.sentence === second.sentence &&
    sentenceTokens[first.to]?.folded === ',' &&
    withArticle(sentenceTokens, second.from) === first.to + 1
  )
}

/**
 * All passages of some sentences that may be the venue.
 *
 * @param tokens the tokens to whose indexes mentions refer
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
    const [first, last] = [sentence.sentenceTokens[from], sentence.sentenceTokens[to - 1]]
    if (!first || !last || found.size >= MAX_CANDIDATES) return
    const span: Span = [first.from, last.to]
    const written = text.slice(...span).replace(/\s+/g, ' ')
    const isFeminine = sentence.sentenceTokens[from - 1]?.folded === 'der'
    const ending = (isHe?: string, isIt?: string) => (isFeminine ? '' : isHe ? 'r' : isIt ? 's' : 'n')
    const isIn = WORDS.inOrAt.has(leadOf(sentence.sentenceTokens, from))
    const words = isIn ? written.replace(DECLINED(), (_, stem, he, it) => stem + ending(he, it)) : written
    if (!mention && words.length > MAX_LENGTH) return
    const named = mention?.knownName ?? nameOf(words)
    found.set(`${span} ${mention?.knownName.id ?? ''}`, {
      venue: named?.name ?? words,
      span,
      sentence,
      from,
      to,
      isAround,
      ...(mention && { mention }),
      ...(named && { knownVenue: named }),
    })
  }
  for (const sentence of sentences) {
    const { sentenceTokens } = sentence
    for (const mention of mentions) {
      const from = sentenceTokens.indexOf(tokens[mention.from] as Token)
      // “Riverside Comm. Centre”, whose point seems to end a sentence
      const to = sentenceTokens.indexOf(tokens[mention.to - 1] as Token, from) + 1 || sentenceTokens.length
      if (from >= 0) add(sentence, from, to, mention)
    }
    if (isAround) continue
    let isAfterDay = false
    for (const [i] of sentenceTokens.entries()) {
      isAfterDay ||= sentence.taken[i] === true
      if (!isStart(sentence, i)) continue
      const isLed =
        i === 0 ||
        LEADS_TO_PLACE.has(leadOf(sentenceTokens, i)) ||
        (isAfterDay && leadOf(sentenceTokens, i) === ',')
      for (const to of endsOf(sentence, i))
        if (isLed || sentenceTokens.slice(i, to).some(one => wordTraits(one).isSite)) add(sentence, i, to)
    }
  }
  return [...found.values()]
}

/** True if a place may begin with a token: after a mark, a day, a preposition, or with a word for a place. */
function isStart({ sentenceTokens, taken }: Sentence, i: number): boolean {
  const [token, before, next] = [sentenceTokens[i], sentenceTokens[i - 1], sentenceTokens[i + 1]]
  if (token?.kind !== 'word' || taken[i] || WORDS.instruments.has(token.folded)) return false
  // “Meeting Room”, but “Treffpunkt Rathaus”
  if (
    WORDS.meetingPoints.has(token.folded) &&
    !(token.folded === 'meeting' && next && wordTraits(next).isSite)
  )
    return false
  // “Repair-Café im Bürgerhaus”, “Café tricot”
  if (before?.folded === '-' && !before.isSpaced && !token.isSpaced && sentenceTokens[i - 2]?.kind === 'word')
    return false
  if (token.folded === 'cafe' && (isOneOf(next, WORDS.afterCafe) || before?.folded === 'repair')) return false
  // “auberge espagnole”, where everybody brings a dish
  if (token.folded === 'auberge' && next?.folded === 'espagnole') return false
  const { isFunctionWord, startsSmall, isSite } = wordTraits(token)
  if (isFunctionWord && startsSmall) return false
  // “L’école”, but “L’Escale”
  if (
    token.folded === 'l' &&
    isApostrophe(next) &&
    STARTS_LOWERCASE().test(sentenceTokens[i + 2]?.text ?? '')
  )
    return false
  if (WORDS.ourPlaces.has(token.folded) && startsSmall) return false
  // “bei Regen”
  if (WORDS.rain.has(token.folded)) return false
  // “obra de teatro”, “pièce de théâtre”
  if (
    WORDS.housesLikeKinds.has(token.folded) &&
    before?.folded === 'de' &&
    isKind(sentenceTokens[i - 2]?.folded ?? '')
  )
    return false
  // “in memory of Joan Park”, “place du Champ-de-Foire”, “Arco de la Villa”, “Parkplatz am Hallenbad”
  const houseBefore = sentenceTokens[withArticle(sentenceTokens, i) - 2]
  const isOfOuter =
    houseBefore && (wordTraits(houseBefore).isSite || WORDS.noPlacesAfterIn.has(houseBefore.folded))
  const isNew =
    WORDS.beforeNewPlace.has(leadOf(sentenceTokens, i)) &&
    isOldPlace(sentenceTokens, withArticle(sentenceTokens, i) - 2)
  if (isOfOuter && !isNew && PLACE_PREPOSITIONS.has(leadOf(sentenceTokens, i))) return false
  // “on ferme à 23 h”, but “on the Green”
  if (before?.folded === 'on' && startsSmall) return false
  // “auf'm Hof”
  if (isApostrophe(before) && (sentenceTokens[i - 2]?.folded.length ?? 0) > 1) return false
  const mayBegin =
    !before ||
    taken[i - 1] === true ||
    before.kind === 'number' ||
    (before.kind === 'sign' && (isMark(sentenceTokens, i - 1) || before.folded !== '-')) ||
    LEADING.has(before.folded) ||
    isSite
  return mayBegin && !(isSite && isWithinNamed(sentenceTokens, i))
}

/** Tokens of a name in quotation marks. */
const MAX_OF_QUOTED = 8

/** Words of “obra de teatro” before its name. */
const MAX_TO_QUOTED = 3

/** True within the name of what takes place: “Obra «La casa roja»”, but not “Konzert im „Haus am See“”. */
function isWithinNamed(tokens: readonly Token[], i: number): boolean {
  let quote = i - 1
  while (quote > i - MAX_OF_QUOTED && !QUOTES.includes(tokens[quote]?.folded ?? '.')) quote--
  if (quote === i - 1 || !QUOTES.includes(tokens[quote]?.folded ?? '.') || !tokens[quote]?.isSpaced)
    return false
  const named = tokens.slice(Math.max(0, quote - MAX_TO_QUOTED), quote)
  return named.some(one => isKind(one.folded)) && !hasAny(named, WORDS.inOrAt)
}

/** The indexes before which a place that begins at a token may end. */
function endsOf({ sentenceTokens, taken }: Sentence, from: number): number[] {
  const ends: number[] = []
  let [quotes, words] = [0, 0]
  for (let i = from; ; i++) {
    const [token, before] = [sentenceTokens[i], sentenceTokens[i - 1]]
    const isQuote = token !== undefined && QUOTES.includes(token.folded)
    const isEnd =
      !token ||
      taken[i] ||
      (isMark(sentenceTokens, i) && !isQuote) ||
      words > MAX_WORDS ||
      (COMPANY.has(token.folded) &&
        !(WORDS.for.has(token.folded) && STARTS_WITH_CAPITAL.test(sentenceTokens[i + 1]?.text ?? ''))) ||
      (token.kind === 'number' && token.text.length > 3) ||
      // “im Dorfsaal. 16 € für Gäste”, but “Saal Nr. 2”
      (token.folded === '.' &&
        sentenceTokens[i + 1]?.kind === 'number' &&
        (before?.folded.length ?? 0) > 2) ||
      // “at the Lantern, Mill Rd. Bring a friend”
      (token.folded === '.' &&
        isOneOf(before, WORDS.afterStreets) &&
        STARTS_WITH_CAPITAL.test(sentenceTokens[i + 1]?.text ?? '')) ||
      // “the kitchen’s having its deep clean”, “the museum’s toy fair”, but “the school’s main hall”
      (isApostrophe(token) &&
        sentenceTokens[i + 1]?.folded === 's' &&
        before !== undefined &&
        wordTraits(before).isSite &&
        !sentenceTokens.slice(i + 2, i + 4).some(one => wordTraits(one).isSite)) ||
      THIS_OR_EVERY.has(token.folded) ||
      WORDS.afterPlaceNoPart.has(token.folded) ||
      // “in the hall on Shrove Tuesday”, “im Saal am Faschingsdienstag”
      (wordTraits(token).isFunctionWord &&
        sentenceTokens
          .slice(i + 1, i + 3)
          .some(({ folded }) => folded.length > 3 && weekdayOf(folded) > 0)) ||
      // “au gymnase à partir du 20 janvier”
      (token.folded === 'a' && sentenceTokens[i + 1]?.folded === 'partir') ||
      // “stellen wir auf dem Dorfplatz den Maibaum auf”, “ins Pfarrheim zum Singen”, but “Gasthaus zum Löwen”
      (before !== undefined &&
        wordTraits(before).isSite &&
        (WORDS.beforeObjects.has(token.folded) ||
          (/^zu[mr]$/.test(token.text) && !INNS.test(before.folded)))) ||
      // “am Sieltor zum Boßeln”, “unsere Schule kennenzulernen”
      (token.text === 'zum' && /eln$/.test(sentenceTokens[i + 1]?.folded ?? '')) ||
      /^[a-zäöü]{2,9}zu[a-zäöü]{2,12}en$/.test(token.text) ||
      // “se celebrará en la plaza Mayor la Fiesta del Pan”
      (WORDS.beforeSubjects.has(token.text) && i > from && isVerbBefore(sentenceTokens, from)) ||
      // “im Pfarrsaal ABGESAGT”
      (i > from && (WORDS.cancelled.has(token.folded) || WORDS.full.has(token.folded))) ||
      isInsteadAt(sentenceTokens, i) ||
      // “for the orchard at half past four”
      (token.folded === 'at' && isOneOf(sentenceTokens[i + 1], WORDS.partsOfHoursAfterAt)) ||
      // “wird in die Bücherei verlegt”
      WORDS.movedAwayVerbs.has(token.text) ||
      (WORDS.beforeNewPlace.has(token.folded) && isOldPlace(sentenceTokens, from)) ||
      (i > from && isVerb(token, i, sentenceTokens) && wordTraits(token).startsSmall)
    if (i > from && before && quotes % 2 === 0 && isLast(sentenceTokens, i - 1, isEnd))
      if (isEnd || mayEnd(before, token)) ends.push(i)
    if (isEnd) return ends
    if (isQuote) quotes++
    if (token.kind === 'word') words++
  }
}

/** True if a verb stands right before a place with its preposition: “aura lieu à la mairie”. */
const isVerbBefore = (tokens: readonly Token[], from: number): boolean => {
  const at = withArticle(tokens, from) - 2
  return (
    at >= 0 &&
    (isVerb(tokens[at] as Token, at, tokens) ||
      tokens[at]?.folded === 'lieu' ||
      tokens[at]?.folded === 'lugar')
  )
}

/** True if a place may end with a token: “Hörsaal 3”, but not “50p”. */
function isLast(tokens: readonly Token[], i: number, isEnd: boolean): boolean {
  const [token, before] = [tokens[i], tokens[i - 1]]
  // “Centro Cívico Sur”
  if (token && wordTraits(token).isFunctionWord && !(isEnd && /^[A-Z][a-z]/.test(token.text))) return false
  if (token?.kind === 'number')
    return before !== undefined && wordTraits(before).isSite && !wordTraits(before).isStreetEnd
  return (
    token !== undefined &&
    (QUOTES.includes(token.folded) ||
      (token.kind === 'word' && !(before?.kind === 'number' && !token.isSpaced)))
  )
}

/**
 * True if a place may end between two tokens: after a word for a place, before a preposition or a lower-case
 * word.
 */
function mayEnd(before: Token, token: Token): boolean {
  const { isFunctionWord, startsSmall } = wordTraits(token)
  return (
    // Not within “Jules-Renard”
    (token.kind !== 'word' && !isApostrophe(token) && (token.folded !== '-' || token.isSpaced)) ||
    isFunctionWord ||
    AND.has(token.folded) ||
    wordTraits(before).isSite ||
    (startsSmall && !wordTraits(before).startsSmall)
  )
}

/** True if a preposition leads to a place: “in the Reading Room”, “à la mairie”. */
export const isLed = ({ sentence: { sentenceTokens }, from }: VenueCandidate): boolean =>
  WORDS.inOrAt.has(leadOf(sentenceTokens, from)) || WORDS.toPlaces.has(leadOf(sentenceTokens, from))

/**
 * True if the event takes place at a place within its title: “Carols at the Crown”, but not “Coach trip to
 * Kew Gardens” or “crossing in Mill Road”.
 */
export const isHeldAt = ({ sentence: { sentenceTokens }, from, to }: VenueCandidate): boolean =>
  (WORDS.inOrAt.has(leadOf(sentenceTokens, from)) ||
    WORDS.frenchAu.has(leadOf(sentenceTokens, from)) ||
    leadOf(sentenceTokens, from) === '@') &&
  !isStreetEnd(sentenceTokens[to - 1])

const isStreetEnd = (token: Token | undefined): boolean =>
  token !== undefined && wordTraits(token).isStreetEnd

/** True before a place that another one replaces: “in the library instead of the town hall”. */
function isInsteadAt(tokens: readonly Token[], i: number): boolean {
  const [folded, next = ''] = [tokens[i]?.folded ?? '', tokens[i + 1]?.folded ?? '']
  return (
    WORDS.beforeReplacedPlace.has(folded) ||
    (['au', 'en'].includes(folded) && WORDS.inSteadOfPlace.has(next)) ||
    (AND.has(folded) && WORDS.beforeDeniedPlace.has(next))
  )
}
