import { pointsBy, type Scorecard } from '../what/scorecard.ts'
import { isMark, leadOf, withArticle } from '../what/sentences.ts'
import { STARTS_LOWERCASE } from '../words/phrases.ts'
import type { Span } from '../words/plain.ts'
import { hasAny, isOneOf, type Token } from '../words/tokens.ts'
import { VERBS, WORDS } from '../words/words.ts'
import { WHOLE_SHARE } from './names.ts'
import {
  BEFORE_OWNER,
  COMPANY,
  isOldPlace,
  LEADING,
  STARTS_WITH_CAPITAL,
  TIME_WORDS,
  wordTraits,
} from './place-words.ts'
import type { VenueCandidate } from './venue-candidates.ts'

// How much a passage looks like the venue of an event: points for what can be seen of it, none of which
// decides alone.

/**
 * What is known about the text of an event.
 *
 * @property daySentence the index of the sentence with the day, or -1
 * @property timeSentence the index of the sentence with the time, which may stand below the day
 * @property farewellSentence the index of the farewell, before who signs
 * @property streets where streets with numbers stand
 * @property towns where the towns of these streets stand
 * @property organizers where organizers are named
 */
export type VenueContext = {
  daySentence: number
  timeSentence: number
  farewellSentence: number
  streets: readonly Span[]
  towns: readonly Span[]
  organizers: readonly Span[]
  isOnline: boolean
}

/** Characters between a place and its street. */
const MAX_TO_STREET = 8

/**
 * The most tokens between a negation and a place that it denies: “n’aura pas lieu à la Salle Molière mais …”.
 */
const MAX_TO_DENIED = 12

const PINS = new Set(['📍', '📌', '@'])

/** True if words speak of money that is paid back: “Wer sein Geld zurück möchte”. */
const isOfRefund = (tokens: readonly Token[]): boolean => {
  const has = (...words: readonly string[]): boolean =>
    words.every(word => tokens.some(({ folded }) => folded === word))
  return hasAny(tokens, WORDS.refunds) || has('geld', 'zuruck') || has('money', 'back')
}

/** Tokens before a place that may speak of money which is paid back there. */
const MAX_TO_REFUND = 16

const MAX_TO_AFTERWARDS = 4

/** Tokens from the rain to the place: “In case of rain the concert will be moved into the church hall”. */
const MAX_TO_RAIN = 12

/** True if a word says that people sign up: “Sign up by 1 February at the library”, “meldet euch … an”. */
const saysToSignUp = (word: string, next: string | undefined): boolean =>
  WORDS.signingUp.has(word) ||
  (['sign', 'pick'].includes(word) && ['up', '-'].includes(next ?? '')) ||
  (word === 'meldet' && next === 'euch')

/** The first token after the last mark before a token. */
function afterMark(tokens: readonly Token[], i: number): number {
  let from = i
  while (from > 0 && !isMark(tokens, from - 1)) from--
  return from
}

/**
 * True if the event is said not to be at a place: “nicht im Pfarrheim, sondern in der Stadthalle”, “et non à
 * la mairie”.
 */
function isDeniedPlace(tokens: readonly Token[], from: number, to: number): boolean {
  let at = from - 1
  while (isOneOf(tokens[at], LEADING)) at--
  const word = tokens[at]?.folded ?? ''
  if (isOneOf(tokens[to], WORDS.beforeNewPlace) && isOldPlace(tokens, from)) return true
  // “a lieu au cinéma”
  if (WORDS.inSteadOfPlace.has(word) && ['au', 'en'].includes(tokens[at - 1]?.folded ?? '')) return true
  // “findet statt im Pfarrheim”
  if (WORDS.beforeDeniedPlace.has(word))
    return word !== 'statt' || !tokens.slice(0, at).some(one => one.folded.startsWith('find'))
  const isBut = hasAny(tokens.slice(to, to + 3), WORDS.but)
  return isBut && hasAny(tokens.slice(Math.max(0, from - MAX_TO_DENIED), from), WORDS.beforeDeniedPlace)
}

/** The traits of a candidate that the rows of the scorecard ask for. */
export function venueTraits(
  { venue, span, sentence, from, to, mention, knownVenue, isAround }: VenueCandidate,
  { daySentence, timeSentence, farewellSentence, streets, towns, organizers, isOnline }: VenueContext,
) {
  const { sentenceTokens, index, taken } = sentence
  const wordAt = (i: number) => sentenceTokens[i]?.folded ?? ''
  const isWord = (i: number) => sentenceTokens[i]?.kind === 'word'
  const allWords = sentenceTokens
    .slice(from, to)
    .filter(({ kind }) => kind === 'word')
    .map(wordTraits)
  const words = allWords.filter(({ isSmall }) => !isSmall)
  // “Weißwurstessen im Pfarrheim”, but “Meeting House”, “salle des fêtes”, and a Corn Exchange of the
  // calendar
  const isOfEvent =
    !mention &&
    allWords.some(
      (one, i) =>
        one.isKind &&
        !one.isHall &&
        !allWords[i + 1]?.isSite &&
        !(allWords[i - 1]?.isPreposition && allWords[i - 2]?.isSite),
    )
  const wordsBefore = sentenceTokens.slice(Math.max(0, from - 7), from)
  const at = withArticle(sentenceTokens, from)
  const lead = leadOf(sentenceTokens, from)
  const leadingWord = wordAt(at - 1)
  const beginning = afterMark(sentenceTokens, from)
  const next = sentenceTokens[to]
  const isSite = words.some(one => one.isSite)
  const isSmall = allWords[0]?.startsSmall
  const isOnDay = !isAround && (index === daySentence || index === timeSentence)
  const below = index > timeSentence ? index - timeSentence : index - daySentence
  return {
    venue,
    mention,
    named: knownVenue,
    all: allWords,
    words,
    isIn: WORDS.inOrAt.has(lead),
    isTo: WORDS.toPlaces.has(lead),
    lead,
    // “à la mairie”, but “il y a le marché”
    isAfterAu: WORDS.frenchAu.has(lead) || (lead === 'a' && ['la', "'", '’'].includes(wordAt(from - 1))),
    previous: wordAt(from - 1),
    next: wordAt(to),
    label:
      wordAt(beginning - 1) === ':'
        ? sentenceTokens.slice(afterMark(sentenceTokens, beginning - 1), beginning - 1)
        : [],
    before: wordsBefore,
    isIfRain: sentenceTokens
      .slice(0, from)
      .some(
        ({ folded }, i) =>
          i >= from - MAX_TO_RAIN &&
          WORDS.rain.has(folded) &&
          (folded === 'schlechtwetter' ||
            hasAny(sentenceTokens.slice(Math.max(0, i - 4), i + 1), WORDS.beforeRain)) &&
          !taken.slice(i, from).includes(true),
      ),
    isAround,
    isOfRefund: isOfRefund(sentenceTokens.slice(Math.max(0, from - MAX_TO_REFUND), from)),
    isAfterwards: [0, beginning].some(i =>
      hasAny(sentenceTokens.slice(i, Math.min(from, i + MAX_TO_AFTERWARDS)), WORDS.afterTheEvent),
    ),
    isOfEvent,
    // “at the Grange”, “en El Molino”
    isDefinite: [sentenceTokens[from], sentenceTokens[from - 1]].some(
      (one, i) =>
        isOneOf(one, WORDS.articlesAndOwners) &&
        !isOneOf(one, WORDS.indefiniteArticles) &&
        STARTS_LOWERCASE().test(one?.text ?? '') === (i === 1),
    ),
    // “Basar der Kita Lindach e. V.”
    isParish: !mention && hasAny(sentenceTokens.slice(from, to + 1), WORDS.clubsAndParishes),
    isDenied: isDeniedPlace(sentenceTokens, at, to),
    isNear: WORDS.near.has(leadingWord) || (BEFORE_OWNER.has(leadingWord) && WORDS.near.has(wordAt(at - 2))),
    clause: sentenceTokens.slice(beginning, from),
    isAfterMention: taken[at - 1] || (taken[at - 2] && !isWord(at - 1)),
    // “über die Kleingärten”, but “auf der Wiese”
    isAfterWord: isWord(at - 1) && !taken[at - 1] && !LEADING.has(wordAt(at - 1)),
    isAfterName: STARTS_WITH_CAPITAL.test(sentenceTokens[at - 2]?.text ?? ''),
    isInClause: sentence.isClause,
    isFirstOfSentence: !sentenceTokens.some((_, i) => i < at && isWord(i)),
    isAfterDay: isOnDay && taken.slice(0, from).includes(true),
    isOnDay,
    isFirst: index === 0,
    isDirectlyBelow: !isAround && below === 1,
    isBelow: index > daySentence,
    below: isAround ? 0 : below,
    isEnd: !next || (next.folded === '.' && to === sentenceTokens.length - 1),
    isMarkAfter: next !== undefined && isMark(sentenceTokens, to),
    isStreetNext: sentenceTokens.slice(to, to + 4).some(one => wordTraits(one).isStreetEnd),
    toStreet: Math.min(...streets.map(([a]) => (a < span[1] ? Number.POSITIVE_INFINITY : a - span[1]))),
    isInStreet: streets.some(([a, b]) => a < span[1] && span[0] < b),
    isSigned: !mention && index > farewellSentence,
    isInTown: towns.some(([a, b]) => a <= span[0] && span[1] <= b),
    isWithinOrganizer: organizers.some(([a, b]) => a <= span[0] && span[1] <= b && b - a > span[1] - span[0]),
    isOrganizer: organizers.some(([a, b]) => a < span[1] && span[0] < b),
    isSite,
    isSmall,
    isName: allWords.every(one => one.fitsName),
    hasNumber: sentenceTokens.slice(from, to).some(({ kind }) => kind === 'number'),
    isOnline,
    hasInnerPreposition:
      !mention &&
      !words[0]?.isSite &&
      allWords.some(
        (word, i) =>
          (WORDS.inOrAt.has(word.folded) ||
            WORDS.frenchAu.has(word.folded) ||
            (i > 0 && word.startsSmall && WORDS.articlesAndOwners.has(word.folded))) &&
          !isOneOf(allWords[i - 1], BEFORE_OWNER) &&
          allWords.slice(i).some(one => one.isSite),
      ),
  }
}

export type VenueTraits = ReturnType<typeof venueTraits>

export const pointsOfVenue = pointsBy(venueRows)

function venueRows(): Scorecard<VenueTraits> {
  return {
    // Names of the calendar
    'known name': [19, one => (one.mention?.share ?? 0) >= WHOLE_SHARE],
    'known name in the first sentence': [8, one => one.mention && one.isFirst],
    'known name in the sentence of the day': [2, one => one.mention && one.isOnDay],
    'known name above or below a list': [2, one => one.mention && one.isAround],
    // “Angelsportverein Seerose Kaltenweiher”, above a list
    'part of the name of an organizer, above or below a list': [
      -30,
      one => one.isWithinOrganizer && one.isAround,
    ],
    'name of an organizer': [-5, one => one.isOrganizer],
    // What stands before it
    'after “in” or “at”': [2, one => one.isIn],
    'after “at”': [7, one => one.lead === 'at'],
    'after “en”': [4, one => one.lead === 'en'],
    'after “in” or “at”, capitals at first': [6, one => one.isIn && one.isName],
    'after “in” or “at”, in the sentence of the day': [7, one => one.isIn && one.isOnDay],
    'after “in” or “to”, small letter at first': [4, one => one.isSmall && (one.isIn || one.isTo)],
    'after “to”': [5, one => one.isTo],
    // “à 18h45 au gymnase”, “20 h, à la mairie”
    'after “au”, word for a place, after the day': [8, one => one.isAfterAu && one.isSite && one.isAfterDay],
    // “um 17 Uhr vor der Schule”, “a las 17 h desde la plaza”
    'after “before” or “from”, word for a place, after the day': [
      12,
      one => WORDS.beforeOpenPlaces.has(one.lead) && one.isSite && one.isAfterDay,
    ],
    'after “meet”': [8, one => hasAny(one.before, WORDS.meetingPoints)],
    // “half past seven, the Copper Kettle”
    'after a comma, after the day': [7, one => one.lead === ',' && one.isAfterDay],
    // “14 h, boulodrome.”
    'word for a place, all that stands after the day and a comma': [
      5,
      one => one.previous === ',' && one.isAfterDay && one.isEnd && one.words[0]?.isSite,
    ],
    'word for a place, after another word': [-5, one => one.isAfterWord && one.words[0]?.isSite],
    // “Die Stadtbücherei lädt zum Vortrag ein”
    'word for a place, first in its sentence, before a verb of who invites': [
      4,
      one => one.isFirstOfSentence && one.isSite && WORDS.presenting.has(one.next),
    ],
    'word for a place, first in its sentence': [5, one => one.isFirstOfSentence && one.isSite],
    'after “from”': [-8, one => one.lead === 'from'],
    'after a label for places': [
      15,
      one => PINS.has(one.previous) || hasAny(one.label, WORDS.labelsOfPlaces),
    ],
    // “Veranstalter: Elternverein der Volksschule”
    'after a label for who holds it': [-30, one => hasAny(one.label, WORDS.holding)],
    'where one goes if it rains': [-60, one => one.isIfRain],
    'not there': [-60, one => one.isDenied],
    'near the place': [-20, one => one.isNear],
    // “Jumble sale for St Michael’s roof”, “mit der Stadtkapelle”, “charla sobre el molino”
    'for or with whom it is, or about what': [
      -30,
      one => COMPANY.has(one.lead) || WORDS.aboutTopics.has(one.lead),
    ],
    'where one buys tickets': [-8, one => hasAny(one.clause, WORDS.elsewhere)],
    // “Apuntaos antes del 1 de febrero en la Casa de la Mujer”
    'where one parks, signs up or buys tickets in advance': [
      -60,
      one =>
        [...one.clause, ...one.label].some(({ folded }, i) =>
          saysToSignUp(folded, one.clause[i + 1]?.folded),
        ),
    ],
    // “Wer sein Geld zurück möchte, bekommt es in der Buchhandlung”
    'where one gets the money back': [-30, one => one.isOfRefund],
    // “À l’issue de la cérémonie, verre de l’amitié à la salle des fêtes”
    'where people go afterwards': [-40, one => one.isAfterwards],
    // “in der eigenen Werkstatt”, “en la misma aula”
    'own place': [-30, one => !one.mention && isOneOf(one.all[0], WORDS.ownPlaces)],
    // “hasta la carpa del recinto ferial”
    'up to where something goes': [-30, one => WORDS.upToPlace.has(one.lead)],
    'where a bus stops': [-20, one => one.all.some(({ isStop }) => isStop)],
    // What stands after it
    'before a mark': [6, one => one.isMarkAfter],
    'before a comma': [4, one => one.next === ','],
    // “The hall is heated”, “la piste est gelée”, but “Die Stadthalle lädt ein”
    'subject of a verb': [
      -12,
      one => !one.mention && !one.isIn && !one.isTo && VERBS.has(one.next) && !WORDS.presenting.has(one.next),
    ],
    'before “of”': [-6, one => BEFORE_OWNER.has(one.next)],
    'before a word for a street': [8, one => one.isStreetNext],
    'first in its sentence, before a street with its number': [
      5,
      one => one.isFirstOfSentence && one.isName && one.toStreet < MAX_TO_STREET && !one.isOnline,
    ],
    'last in its sentence': [5, one => one.isEnd],
    // Where it stands
    'after the day': [7, one => one.isAfterDay],
    'directly below the day': [4, one => one.isDirectlyBelow],
    'far below the day': [-11, one => one.below > 4],
    // What it says
    'neither a known name nor a word for a place': [-8, one => !one.mention && !one.isSite],
    'word for a place': [7, one => one.isSite],
    'word for a place at first': [6, one => one.words[0]?.isSite],
    'word for a place in the sentence of the day': [5, one => one.isOnDay && one.isSite],
    'word for a place directly below the day': [3, one => one.isDirectlyBelow && one.isSite],
    'only words for places': [-5, one => one.words.every(({ isGeneral }) => isGeneral)],
    'word for a street': [-5, one => one.all.some(({ isStreet }) => isStreet)],
    'word for a street at the end': [-12, one => one.words.at(-1)?.isStreetEnd],
    // “the Lantern on Station Road”
    'first words of a street': [-30, one => WORDS.afterStreets.has(one.next)],
    'street of the place before it': [
      -20,
      one => one.lead === 'on' && one.words.at(-1)?.isStreetEnd && one.isAfterName,
    ],
    // “Kind regards, Mary, Garden Club, 41 Bridge Street”
    'who signs': [-20, one => one.isSigned],
    // “Mill Lane 4, Castle Green”
    'town of a street': [-20, one => !one.mention && one.isInTown],
    'street with its number': [-15, one => one.isInStreet],
    'street with its number, first': [-20, one => one.isInStreet && one.words[0]?.isStreet],
    'kind of event': [-18, one => one.isOfEvent],
    // “in memory of Joan Park”
    'no place': [-20, one => !one.mention && isOneOf(one.words[0], WORDS.noPlacesAfterIn)],
    // “Da der Saal belegt ist, …”, but “Da-Vinci-Saal”
    'clause that says why': [
      -30,
      one => isOneOf(one.all[0], WORDS.subordinates) && isOneOf(one.all[1], WORDS.articlesAndOwners),
    ],
    // “en nuestra sede”, where no name says whose it is
    'premises without a name': [
      -20,
      one => !one.named && one.words.length === 1 && isOneOf(one.words[0], WORDS.premises),
    ],
    // “Umtrunk in der Turnhalle”, “Walk round the castle”, but “Festwiese am Kanal”
    'another word before “in” or an article and a place': [-12, one => one.hasInnerPreposition],
    'word for a time, first': [-20, one => !one.mention && isOneOf(one.all[0], TIME_WORDS)],
    'day or month': [-7, one => one.all.some(({ isTime }) => isTime)],
    deadline: [-8, one => one.all.some(({ isDeadline }) => isDeadline)],
    'word for a price': [-3, one => one.all.some(({ isPrice }) => isPrice)],
    'text about something online': [-20, one => one.isOnline],
    // “The Market House Players return”
    'name of people': [-25, one => WORDS.endsOfEnsembles.has(one.next) || one.words.at(-1)?.isPeople],
    'parish or club': [-8, one => one.isParish],
    'parish or club before a colon': [-12, one => one.isParish && one.next === ':'],
    'after “at the”': [2, one => one.isDefinite && one.isIn],
    'part of a known name': [6, one => one.mention && one.mention.share < WHOLE_SHARE],
    'one word for a place': [-3, one => one.words.length === 1 && one.isSite],
    'word for a place, first in its sentence, below the day': [
      2,
      one => one.isSite && one.isFirstOfSentence && one.isBelow,
    ],
    // How it is written
    'one word': [-7, one => !one.mention && one.words.length === 1],
    'one short word': [-3, one => one.words.length === 1 && one.venue.length < 5],
    'capitals at first': [5, one => one.isName],
    'other word with a small letter, first': [-3, one => one.all[0]?.isOrdinaryWord],
    'other word with a small letter, last': [-2, one => one.all.at(-1)?.isOrdinaryWord],
    'other word with a small letter': [-4, one => one.all.some(({ isOrdinaryWord }) => isOrdinaryWord)],
  }
}
