import { memoizeByObject } from '../../../kit/lib/memo.ts'
import { lazyPattern } from '../../../kit/lib/pattern.ts'
import { clearlyBest, pointsBy, type Scorecard } from '../what/scorecard.ts'
import {
  ARTICLES,
  AU,
  IN,
  isApostrophe,
  isMark,
  isVerb,
  leadOf,
  type Sentence,
  SUBORDINATES,
  withArticle,
} from '../what/sentences.ts'
import { significantWords } from '../words/phrases.ts'
import type { Span } from '../words/plain.ts'
import { hasAny, isOneOf, QUOTES, type Token } from '../words/tokens.ts'
import {
  ADMISSION,
  AND,
  AUDIENCE,
  anyOf,
  BUT,
  CANCELLED,
  FOR,
  FREE,
  FULL,
  HOLDING,
  HOUSES,
  isGeneralPlace,
  isKind,
  isPlaceWord,
  MONTHS,
  NOT_ADMISSION,
  NOT_THE_BEGINNING,
  NOT_THE_DAY,
  PRESENTING,
  SMALL,
  STREETS,
  setOf,
  VERBS,
  WEEKS,
  weekdayOf,
  wordsFor,
} from '../words/words.ts'
import { type KnownName, type NameMention, WHOLE } from './names.ts'

// The venue is the passage that looks most like one: a name of the calendar, or words between marks,
// prepositions and days. The scorecard says how much each looks like one.

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

/**
 * The text of an event.
 *
 * @property dated the index of the sentence with the day, or -1
 * @property timed that of the sentence with the time, which may stand below it
 * @property farewell the index of the sentence before who signs
 * @property streets where streets with numbers stand
 * @property towns where the towns of these stand
 * @property organizers where organizers are named
 */
type VenueContext = {
  dated: number
  timed: number
  farewell: number
  streets: readonly Span[]
  towns: readonly Span[]
  organizers: readonly Span[]
  isOnline: boolean
}

/** Fewer points are too few for a venue. */
const MIN_POINTS = 18
/** How many points more than any other place the venue has. */
const MARGIN = 3
const MAX_WORDS = 8
const MAX_LENGTH = 70
const MAX_CANDIDATES = 120
const SMALL_AT_FIRST = /^[a-zà-ÿ]/
const CAPITAL_AT_FIRST = /^[A-ZÀ-Ý]/
/** “in der Alten Schmiede” is in the Alte Schmiede, “im großen Saal” in the großer Saal. */
const DECLINED = lazyPattern(
  String.raw`^((?:alt|neu|gro(?:ß|ss)|klein|ober|unter|blau|rot|grün|golden|weiß)e)n(?= \p{L}*?(?:(saal|raum|keller|hof|garten|turm|bau)|(haus|theater|schloss)|)(?:$| ))`,
  'iu',
)
/** Characters between a place and its street. */
const BESIDE = 8

const SITES = anyOf(wordsFor('sites'), HOUSES, STREETS)
/** Kinds of events that are houses as well. */
const HALLS = setOf('teatro theatre opera gym forum atelier')
const SITE_END =
  /^(?!.{0,12}(?:stadt|musik|blas|trachten|jugend|dorf|berg|feuerwehr)kapelle).{3,}(?:platz|hof|bad|stube|keller|garten|zentrum|kapelle|raum|stadion|burg|strasse|bahnhof|treff|anlage|turm|hutte|gelande|schloss|kino|stadl|wiese|teich|weiher|lokal|hafen|fabrik|zimmer)$/
const STREET_END = /(?:strasse|str|gasse|weg)$/
/** Last in the names of those who play, sing or act. */
const PEOPLE = setOf(
  'players singers choir band company troupe compagnie chor kapelle quartett quartet ensemble coro',
)
/** Behind the names of streets. */
const AFTER_STREETS = setOf('street road rd lane ln avenue ave terrace')
const TO = setOf('to zum zur nach a au aux al bis hasta into towards vers')
const BEFORE_OWNER = setOf('of des der de du del d von vom')
const PREPOSITIONS = anyOf(
  IN,
  TO,
  BEFORE_OWNER,
  setOf(
    'an on por unter under sous hinter vor neben from ab desde depuis devant outside off with mit avec con by par for fur pour para',
  ),
)
/** “Am Klavier: Mia Lang” */
const PLAYED = setOf('klavier flugel orgel gitarre schlagzeug piano guitar guitare guitarra')
/** “Charla sobre el molino” */
const ABOUT = setOf('about uber sobre')
/** Before a place where one meets or starts. */
const OUTSIDE = setOf('vor devant desde sous on unter outside')
/** Behind a place, and no part of it: “in St Aidan’s again”, “au dojo également” */
const AGAIN = setOf('again too wieder ebenfalls nouveau egalement nuevo tambien online zoom')
const INNS = /^haus$|(?:gasthof|gasthaus|wirt|wirtshaus|hotel|restaurant|cafe|kirche|stube)$/
/** Before what is done at a place. */
const OBJECTS = setOf('den das die einen ein')
/** Behind a place, before what takes place there. */
const SUBJECTS = setOf('el la los las le les l un una une die')
/** Before where people meet. */
const MEETINGS = setOf(
  'treffpunkt treff meet meets meeting rdv rendez vous salida encuentro quedamos depart start abfahrt departure',
)
/** “Dorfkirche mit Pfrn. Keller”, but “Haus für Kinder” */
const COMPANY = anyOf(FOR, setOf('with mit avec con'))
/** “und nicht im Pfarrheim”, “instead of the Town Hall”, “au lieu de la Salle Molière” */
const NOT = setOf('not nicht pas non no instead statt anstatt')
const STEAD = setOf('lieu lugar')
/** “opposite the Town Hall”, “derrière la Salle Molière” */
const NEAR = setOf(
  'opposite behind beside near gegenuber hinter neben derriere face cote pres frente detras junto lado cerca enfrente',
)
/**
 * The most tokens between a negation and a place that it denies: “n’aura pas lieu à la Salle Molière mais …”.
 */
const MAX_TO_DENIED = 12
const LEADING = anyOf(PREPOSITIONS, ARTICLES, MEETINGS)
/** “Riot in a market town” */
const INDEFINITE = setOf('a an ein eine einen einem einer un une una')
const PARISHES = setOf(
  'e pfarre pfarrei pfarreien gemeinde kirchgemeinde paroisse parroquia parish commune club verein asociacion association union',
)
const PINS = new Set(['📍', '📌', '@'])
/** Before a place that no word says to be one. */
const LED = anyOf(IN, TO, setOf(': 📍 📌 @'))
const REFUNDS = setOf('refund refunds refunded rembourse rembourses remboursement reembolso devolucion')
/** True if words speak of money that is paid back: “Wer sein Geld zurück möchte”. */
const isOfRefund = (tokens: readonly Token[]): boolean => {
  const has = (...words: readonly string[]): boolean =>
    words.every(word => tokens.some(({ low }) => low === word))
  return hasAny(tokens, REFUNDS) || has('geld', 'zuruck') || has('money', 'back')
}
/** Tokens before a place that may speak of money which is paid back there. */
const MAX_TO_REFUND = 16
const AFTERWARDS = setOf('issue anschliessend anschluss afterwards terminar acabar finalizar')
const MAX_TO_AFTERWARDS = 4
const OWN = setOf(
  'own your votre vos euer eure eigenen eigene eigener propia propio propre propres meme same selben gleichen misma mismo her his their ihrer ihrem seiner seinem',
)
/** “Dans notre salle”, but “Nuestra Señora de la Paz” */
const OURS = setOf('notre nos nuestra nuestro')
const UP_TO = setOf('hasta bis jusqu towards vers')
const STOPS = setOf('haltestelle arret parada')
/** “the clubhouse this Sunday” */
const COMING = wordsFor('coming', 'every')
/** “Places limitées” */
const SEATS = setOf('places plazas platze')
/** “Uhrzeit und Ort bleiben” */
const TIMES = anyOf(
  WEEKS,
  wordsFor('ofMonth', 'meetings'),
  setOf('time uhrzeit zeit heure hora date datum fecha termin'),
)
const OF_PRICES = anyOf(ADMISSION, AUDIENCE, NOT_ADMISSION, FREE, SEATS)
/**
 * Before where it is if it rains, after “if” or the like: “Bei Regen: Turnhalle”, but “Singin' in the Rain at
 * …”
 */
const RAIN = setOf(
  'regen schlechtwetter witterung wetter rain rains wet weather pluie pleut mauvais intemperies lluvia lloviera llueve schlechtwetter',
)
/** Tokens from the rain to the place: “In case of rain the concert will be moved into the church hall”. */
const MAX_TO_RAIN = 12
const BEFORE_RAIN = setOf('if bei falls si should case event cas caso wenn bad wet')
/** Before a place where one buys tickets or asks, or goes to afterwards. */
const ELSEWHERE = setOf(
  'statt instead danach anschliessend afterwards ensuite despues suivi suivie followed seguido tickets karten kartenverkauf vorverkauf billets entradas venta info infos reservation reservations reservas booked buchung anmeldung',
)
/** Before where one parks, signs up, buys tickets in advance or fetches what one has ordered. */
const SIGNING_UP = setOf(
  'covoiturage carpool carpooling fahrgemeinschaft fahrgemeinschaften parken parking parkplatze aparcar aparcamiento stationnement stationner garer',
  'abholung retiran retirar retrait retirer recogida recoger recogen',
  'pickup presale vorverkauf kartenvorverkauf vvk prevente preventes preventa register enrol enroll anmelden anmeldungen inscrire inscrivez inscriptions inscribirse inscribete inscribios inscripciones apuntarse apuntaos apuntate apuntense',
)
/** “Sign up by 1 February at the library”, “meldet euch … an” */
const isSigningUp = (low: string, next: string | undefined): boolean =>
  SIGNING_UP.has(low) ||
  (['sign', 'pick'].includes(low) && ['up', '-'].includes(next ?? '')) ||
  (low === 'meldet' && next === 'euch')
/** Words of what is no place behind “in” or “en”: “in memory of”, “en plein air” */
const NO_PLACES = setOf(
  'memory aid raison denier honour honor honneur faveur favor profit beneficio benefit gedenken rahmen direct directo live plein aire famille familia compagnie compania company english irish welsh german french spanish englisch deutsch anglais ingles originalsprache kostum costume horario bus car train zug tren autobus',
)
/** Behind “café” for what takes place, wherever that is. */
const CAFES = setOf('tricot philo jeux parents langues couture memoire debat rencontre tertulia')
/** Rooms that are known by those whose they are: “in the bar”. */
const PREMISES = setOf('premises raumlichkeiten raumen locaux local locales sede bar patio salones cour hof')
const LABELS = setOf(
  'ort veranstaltungsort wo lieu ou lugar sede donde ubicacion where venue location place treffpunkt treff salle local point sitio spielort saal',
)

/** What can be seen of a word. */
const traitsOf = memoizeByObject(({ low, text }: Token) => {
  const isSmall = SMALL.has(low)
  const isPreposition = PREPOSITIONS.has(low)
  const isStreet = STREETS.has(low)
  const isSite =
    !SEATS.has(low) &&
    (isPlaceWord(low) ||
      SITES.has(low) ||
      (low.endsWith('s') && SITES.has(low.slice(0, -1))) ||
      SITE_END.test(low))
  const startsSmall = SMALL_AT_FIRST.test(text)
  return {
    low,
    isSmall,
    isPreposition,
    isStreet,
    isSite,
    startsSmall,
    isCut: isSmall || isPreposition,
    isStreetEnd: isStreet || STREET_END.test(low),
    isGeneral: isGeneralPlace(low) || SITES.has(low),
    isPeople: PEOPLE.has(low),
    isKind: isKind(low),
    isHall: HALLS.has(low),
    isTime: MONTHS.has(low) || TIMES.has(low) || weekdayOf(low) > 0,
    isDeadline: NOT_THE_DAY.has(low) || NOT_THE_BEGINNING.has(low),
    isPrice: OF_PRICES.has(low),
    isStop: STOPS.has(low),
    isName: low.length < 3 || isSmall || CAPITAL_AT_FIRST.test(text),
    isOther: low.length > 1 && startsSmall && !isSmall && !isPreposition && !isSite,
  }
})

/** The venue of an event, unless another place looks nearly as much like it. */
export function venueIn(
  candidates: readonly VenueCandidate[],
  context: VenueContext,
): VenueCandidate | undefined {
  const looks = candidates.map(candidate => ({ candidate, look: lookAt(candidate, context) }))
  // “Not in the library but in the church hall … Ashbury Library”
  const denied = new Set(looks.flatMap(({ look }) => (look.isNotThere && look.named?.id) || []))
  // “Talk on Zoom at 7pm”, above the address of a society
  const isFar = (one: Look): boolean => !one.isOnDay && !(one.isDirectlyBelow && one.isFirstOfSentence)
  const all = looks
    .filter(({ look }) => look.isNotThere || !denied.has(look.named?.id ?? 0))
    .filter(({ look }) => !context.isOnline || !isFar(look))
    .map(one => ({ ...one, points: pointsOfLook(one.look) }))
  const bestOf = (some: typeof all) =>
    clearlyBest(some, {
      pointsOf: ({ points }) => points,
      least: MIN_POINTS,
      margin: MARGIN,
      isOther: (a, b) => isOther(a.candidate, b.candidate),
    })
  // “in the upstairs room of the Anchor” or “Committee Room, the Anchor”, where the calendar knows the Anchor Inn
  const houseOf = (one: VenueCandidate | undefined): VenueCandidate | undefined =>
    one && !one.mention
      ? (candidates.find(
          other =>
            other.mention &&
            ((other.span[0] > one.span[0] && other.span[1] === one.span[1]) ||
              (other.span[0] <= one.span[0] && other.span[1] >= one.span[1]) ||
              areParts(one, other)),
        ) ?? one)
      : one
  // The house that writes is the venue where no other place is named, and what stands above or below a list that
  // of the items without one.
  const own = bestOf(all.filter(({ look, candidate }) => !isLetterhead(look) && !candidate.isAround))
  const place = houseOf(own?.candidate)
  // “im Restaurant Sternen”, although the list is the Turnhalle's
  const isSaid = own?.look.isOnDay && own.look.isSite && (own.look.isIn || own.look.isTo)
  return place?.named || isSaid || context.isOnline ? place : houseOf(bestOf(all)?.candidate)
}

/** True for an organizer at the head of a text or below it: its house is the venue if no other place is named. */
const isLetterhead = ({ isOrganizer, isFirstOfSentence, isInClause, below }: Look): boolean =>
  isOrganizer && isFirstOfSentence && !isInClause && below !== 1

/** True if a room stands beside its house: “en mairie, salle du conseil”. */
function areParts(a: VenueCandidate, b: VenueCandidate): boolean {
  const [first, second] = a.from < b.from ? [a, b] : [b, a]
  const { own } = first.sentence
  return (
    first.sentence === second.sentence &&
    own[first.to]?.low === ',' &&
    withArticle(own, second.from) === first.to + 1
  )
}

/** True if two candidates stand apart, and neither has all words of the other. */
function isOther(a: VenueCandidate, b: VenueCandidate): boolean {
  if ((a.span[0] < b.span[1] && b.span[0] < a.span[1]) || areParts(a, b)) return false
  const [some, others] = [a, b].map(({ venue }) => new Set(significantWords(venue)))
  return !(some?.isSubsetOf(others ?? some) || others?.isSubsetOf(some ?? others))
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
  if (MEETINGS.has(token.low) && !(token.low === 'meeting' && next && traitsOf(next).isSite)) return false
  // “Repair-Café im Bürgerhaus”, “Café tricot”
  if (before?.low === '-' && !before.isSpaced && !token.isSpaced && own[i - 2]?.kind === 'word') return false
  if (token.low === 'cafe' && (isOneOf(next, CAFES) || before?.low === 'repair')) return false
  // Where everybody brings a dish
  if (token.low === 'auberge' && next?.low === 'espagnole') return false
  const { isCut, startsSmall, isSite } = traitsOf(token)
  if (isCut && startsSmall) return false
  // “L’école”, but “L’Escale”
  if (token.low === 'l' && isApostrophe(next) && SMALL_AT_FIRST.test(own[i + 2]?.text ?? '')) return false
  if (OURS.has(token.low) && startsSmall) return false
  // “bei Regen”
  if (RAIN.has(token.low)) return false
  // “obra de teatro”, “pièce de théâtre”
  if (HALLS.has(token.low) && before?.low === 'de' && isKind(own[i - 2]?.low ?? '')) return false
  // “in memory of Joan Park”, “place du Champ-de-Foire”, “Arco de la Villa”, “Parkplatz am Hallenbad”
  const outer = own[withArticle(own, i) - 2]
  const isOfOuter = outer && (traitsOf(outer).isSite || NO_PLACES.has(outer.low))
  const isNew = TOWARDS.has(leadOf(own, i)) && isOldPlace(own, withArticle(own, i) - 2)
  if (isOfOuter && !isNew && PREPOSITIONS.has(leadOf(own, i))) return false
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

/** True within the name of what takes place: “Obra «La casa roja»”, but not “Konzert im „Haus am See“”. */
function isWithinNamed(own: readonly Token[], i: number): boolean {
  let quote = i - 1
  while (quote > i - MAX_OF_QUOTED && !QUOTES.includes(own[quote]?.low ?? '.')) quote--
  if (quote === i - 1 || !QUOTES.includes(own[quote]?.low ?? '.') || !own[quote]?.isSpaced) return false
  const named = own.slice(Math.max(0, quote - MAX_TO_QUOTED), quote)
  return named.some(one => isKind(one.low)) && !hasAny(named, IN)
}
/** Tokens of a name in quotation marks. */
const MAX_OF_QUOTED = 8

/** Words of “obra de teatro” before its name. */
const MAX_TO_QUOTED = 3

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

/** The first token after the last mark before a token. */
function afterMark(own: readonly Token[], i: number): number {
  let from = i
  while (from > 0 && !isMark(own, from - 1)) from--
  return from
}

/** True before the place in whose stead another one is named: “in the library instead of the town hall”. */
function isInsteadAt(own: readonly Token[], i: number): boolean {
  const [low, next = ''] = [own[i]?.low ?? '', own[i + 1]?.low ?? '']
  return (
    INSTEAD.has(low) || (['au', 'en'].includes(low) && STEAD_OF.has(next)) || (AND.has(low) && NOT.has(next))
  )
}
const INSTEAD = setOf('statt instead anstatt anstelle rather')
const STEAD_OF = setOf('lieu lugar vez')

/** True if an event is moved away from a place: “moved from the town hall to …”, “vom Rathaus in …”. */
function isOldPlace(own: readonly Token[], from: number): boolean {
  const lead = own.slice(Math.max(0, from - MAX_TO_FROM), from).findLast(({ low }) => PREPOSITIONS.has(low))
  return isOneOf(lead, FROM_OLD) && hasAny(own, MOVED)
}
/** Tokens of “from the old town” before “hall”. */
const MAX_TO_FROM = 4
const HALVES = setOf('half quarter')
/** Behind the place to which an event is moved. */
const AWAY = setOf('verlegt umgezogen verschoben')
const FROM_OLD = setOf('from vom von du de del')
const TOWARDS = setOf('to into in ins a au al')
const MOVED = setOf(
  'moved changed change switched relocated verlegt umgezogen deplace deplacee transfere transferee change traslada trasladado trasladada pasa cambia',
)

/**
 * True if the event is said not to be at a place: “nicht im Pfarrheim, sondern in der Stadthalle”, “et non à
 * la mairie”.
 */
function isDenied(own: readonly Token[], from: number, to: number): boolean {
  let at = from - 1
  while (isOneOf(own[at], LEADING)) at--
  const low = own[at]?.low ?? ''
  if (isOneOf(own[to], TOWARDS) && isOldPlace(own, from)) return true
  // “a lieu au cinéma”
  if (STEAD.has(low) && ['au', 'en'].includes(own[at - 1]?.low ?? '')) return true
  // “findet statt im Pfarrheim”
  if (NOT.has(low)) return low !== 'statt' || !own.slice(0, at).some(one => one.low.startsWith('find'))
  const isBut = hasAny(own.slice(to, to + 3), BUT)
  return isBut && hasAny(own.slice(Math.max(0, from - MAX_TO_DENIED), from), NOT)
}

/** What the rows of the scorecard ask for. */
function lookAt(
  { venue, span, sentence, from, to, mention, named, isAround }: VenueCandidate,
  { dated, timed, farewell, streets, towns, organizers, isOnline }: VenueContext,
) {
  const { own, index, taken } = sentence
  const low = (i: number) => own[i]?.low ?? ''
  const isWord = (i: number) => own[i]?.kind === 'word'
  const all = own
    .slice(from, to)
    .filter(({ kind }) => kind === 'word')
    .map(traitsOf)
  const words = all.filter(({ isSmall }) => !isSmall)
  // “Weißwurstessen im Pfarrheim”, but “Meeting House”, “salle des fêtes”, and a Corn Exchange of the calendar
  const isOfEvent =
    !mention &&
    all.some(
      (one, i) =>
        one.isKind &&
        !one.isHall &&
        !all[i + 1]?.isSite &&
        !(all[i - 1]?.isPreposition && all[i - 2]?.isSite),
    )
  const near = own.slice(Math.max(0, from - 7), from)
  const at = withArticle(own, from)
  const lead = leadOf(own, from)
  const led = low(at - 1)
  const beginning = afterMark(own, from)
  const next = own[to]
  const isSite = words.some(one => one.isSite)
  const isSmall = all[0]?.startsSmall
  const isOnDay = !isAround && (index === dated || index === timed)
  const below = index > timed ? index - timed : index - dated
  return {
    venue,
    mention,
    named,
    all,
    words,
    isIn: IN.has(lead),
    isTo: TO.has(lead),
    lead,
    // “à la mairie”, but “il y a le marché”
    isAu: AU.has(lead) || (lead === 'a' && ['la', "'", '’'].includes(low(from - 1))),
    prev: low(from - 1),
    next: low(to),
    label: low(beginning - 1) === ':' ? own.slice(afterMark(own, beginning - 1), beginning - 1) : [],
    before: near,
    isIfRain: own
      .slice(0, from)
      .some(
        ({ low }, i) =>
          i >= from - MAX_TO_RAIN &&
          RAIN.has(low) &&
          (low === 'schlechtwetter' || hasAny(own.slice(Math.max(0, i - 4), i + 1), BEFORE_RAIN)) &&
          !taken.slice(i, from).includes(true),
      ),
    isAround,
    isOfRefund: isOfRefund(own.slice(Math.max(0, from - MAX_TO_REFUND), from)),
    isAfterwards: [0, beginning].some(i =>
      hasAny(own.slice(i, Math.min(from, i + MAX_TO_AFTERWARDS)), AFTERWARDS),
    ),
    isOfEvent,
    // “at the Grange”, “en El Molino”
    isDefinite: [own[from], own[from - 1]].some(
      (one, i) =>
        isOneOf(one, ARTICLES) &&
        !isOneOf(one, INDEFINITE) &&
        SMALL_AT_FIRST.test(one?.text ?? '') === (i === 1),
    ),
    // “Basar der Kita Lindach e. V.”
    isParish: !mention && hasAny(own.slice(from, to + 1), PARISHES),
    isNotThere: isDenied(own, at, to),
    isNear: NEAR.has(led) || (BEFORE_OWNER.has(led) && NEAR.has(low(at - 2))),
    clause: own.slice(beginning, from),
    isAfterMention: taken[at - 1] || (taken[at - 2] && !isWord(at - 1)),
    // “über die Kleingärten”, but “auf der Wiese”
    isAfterWord: isWord(at - 1) && !taken[at - 1] && !LEADING.has(low(at - 1)),
    isAfterName: CAPITAL_AT_FIRST.test(own[at - 2]?.text ?? ''),
    isInClause: sentence.isClause,
    isFirstOfSentence: !own.some((_, i) => i < at && isWord(i)),
    isAfterDay: isOnDay && taken.slice(0, from).includes(true),
    isOnDay,
    isFirst: index === 0,
    isDirectlyBelow: !isAround && below === 1,
    isBelow: index > dated,
    below: isAround ? 0 : below,
    isEnd: !next || (next.low === '.' && to === own.length - 1),
    isMarkAfter: next !== undefined && isMark(own, to),
    isStreetNext: own.slice(to, to + 4).some(one => traitsOf(one).isStreetEnd),
    toStreet: Math.min(...streets.map(([a]) => (a < span[1] ? Number.POSITIVE_INFINITY : a - span[1]))),
    isInStreet: streets.some(([a, b]) => a < span[1] && span[0] < b),
    isSigned: !mention && index > farewell,
    isInTown: towns.some(([a, b]) => a <= span[0] && span[1] <= b),
    isWithinOrganizer: organizers.some(([a, b]) => a <= span[0] && span[1] <= b && b - a > span[1] - span[0]),
    isOrganizer: organizers.some(([a, b]) => a < span[1] && span[0] < b),
    isSite,
    isSmall,
    isName: all.every(one => one.isName),
    hasNumber: own.slice(from, to).some(({ kind }) => kind === 'number'),
    isOnline,
    isOtherIn:
      !mention &&
      !words[0]?.isSite &&
      all.some(
        (word, i) =>
          (IN.has(word.low) || AU.has(word.low) || (i > 0 && word.startsSmall && ARTICLES.has(word.low))) &&
          !isOneOf(all[i - 1], BEFORE_OWNER) &&
          all.slice(i).some(one => one.isSite),
      ),
  }
}
type Look = ReturnType<typeof lookAt>

const pointsOfLook = pointsBy(venueRows)

function venueRows(): Scorecard<Look> {
  return {
    // Names of the calendar
    'known name': [19, one => (one.mention?.share ?? 0) >= WHOLE],
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
    'after “au”, word for a place, after the day': [8, one => one.isAu && one.isSite && one.isAfterDay],
    // “um 17 Uhr vor der Schule”, “a las 17 h desde la plaza”
    'after “before” or “from”, word for a place, after the day': [
      12,
      one => OUTSIDE.has(one.lead) && one.isSite && one.isAfterDay,
    ],
    'after “meet”': [8, one => hasAny(one.before, MEETINGS)],
    // “half past seven, the Copper Kettle”
    'after a comma, after the day': [7, one => one.lead === ',' && one.isAfterDay],
    // “14 h, boulodrome.”
    'word for a place, all that stands after the day and a comma': [
      5,
      one => one.prev === ',' && one.isAfterDay && one.isEnd && one.words[0]?.isSite,
    ],
    'word for a place, after another word': [-5, one => one.isAfterWord && one.words[0]?.isSite],
    // “Die Stadtbücherei lädt zum Vortrag ein”
    'word for a place, first in its sentence, before a verb of who invites': [
      4,
      one => one.isFirstOfSentence && one.isSite && PRESENTING.has(one.next),
    ],
    'word for a place, first in its sentence': [5, one => one.isFirstOfSentence && one.isSite],
    'after “from”': [-8, one => one.lead === 'from'],
    'after a label for places': [15, one => PINS.has(one.prev) || hasAny(one.label, LABELS)],
    // “Veranstalter: Elternverein der Volksschule”
    'after a label for who holds it': [-30, one => hasAny(one.label, HOLDING)],
    'where one goes if it rains': [-60, one => one.isIfRain],
    'not there': [-60, one => one.isNotThere],
    'near the place': [-20, one => one.isNear],
    // “Jumble sale for St Michael’s roof”, “mit der Stadtkapelle”, “charla sobre el molino”
    'for or with whom it is, or about what': [-30, one => COMPANY.has(one.lead) || ABOUT.has(one.lead)],
    'where one buys tickets': [-8, one => hasAny(one.clause, ELSEWHERE)],
    // “Apuntaos antes del 1 de febrero en la Casa de la Mujer”
    'where one parks, signs up or buys tickets in advance': [
      -60,
      one => [...one.clause, ...one.label].some(({ low }, i) => isSigningUp(low, one.clause[i + 1]?.low)),
    ],
    // “Wer sein Geld zurück möchte, bekommt es in der Buchhandlung”
    'where one gets the money back': [-30, one => one.isOfRefund],
    // “À l’issue de la cérémonie, verre de l’amitié à la salle des fêtes”
    'where people go afterwards': [-40, one => one.isAfterwards],
    // “in der eigenen Werkstatt”, “en la misma aula”
    'own place': [-30, one => !one.mention && isOneOf(one.all[0], OWN)],
    // “hasta la carpa del recinto ferial”
    'up to where something goes': [-30, one => UP_TO.has(one.lead)],
    'where a bus stops': [-20, one => one.all.some(({ isStop }) => isStop)],
    // What stands after it
    'before a mark': [6, one => one.isMarkAfter],
    'before a comma': [4, one => one.next === ','],
    // “The hall is heated”, “la piste est gelée”, but “Die Stadthalle lädt ein”
    'subject of a verb': [
      -12,
      one => !one.mention && !one.isIn && !one.isTo && VERBS.has(one.next) && !PRESENTING.has(one.next),
    ],
    'before “of”': [-6, one => BEFORE_OWNER.has(one.next)],
    'before a word for a street': [8, one => one.isStreetNext],
    'first in its sentence, before a street with its number': [
      5,
      one => one.isFirstOfSentence && one.isName && one.toStreet < BESIDE && !one.isOnline,
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
    'first words of a street': [-30, one => AFTER_STREETS.has(one.next)],
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
    'no place': [-20, one => !one.mention && isOneOf(one.words[0], NO_PLACES)],
    // “Da der Saal belegt ist, …”, but “Da-Vinci-Saal”
    'clause that says why': [-30, one => isOneOf(one.all[0], SUBORDINATES) && isOneOf(one.all[1], ARTICLES)],
    // “en nuestra sede”, where no name tells whose
    'premises without a name': [
      -20,
      one => !one.named && one.words.length === 1 && isOneOf(one.words[0], PREMISES),
    ],
    // “Umtrunk in der Turnhalle”, “Walk round the castle”, but “Festwiese am Kanal”
    'another word before “in” or an article and a place': [-12, one => one.isOtherIn],
    'word for a time, first': [-20, one => !one.mention && isOneOf(one.all[0], TIMES)],
    'day or month': [-7, one => one.all.some(({ isTime }) => isTime)],
    deadline: [-8, one => one.all.some(({ isDeadline }) => isDeadline)],
    'word for a price': [-3, one => one.all.some(({ isPrice }) => isPrice)],
    'text about something online': [-20, one => one.isOnline],
    // “The Market House Players return”
    'name of people': [-25, one => PEOPLE.has(one.next) || one.words.at(-1)?.isPeople],
    'parish or club': [-8, one => one.isParish],
    'parish or club before a colon': [-12, one => one.isParish && one.next === ':'],
    'after “at the”': [2, one => one.isDefinite && one.isIn],
    'part of a known name': [6, one => one.mention && one.mention.share < WHOLE],
    'one word for a place': [-3, one => one.words.length === 1 && one.isSite],
    'word for a place, first in its sentence, below the day': [
      2,
      one => one.isSite && one.isFirstOfSentence && one.isBelow,
    ],
    // How it is written
    'one word': [-7, one => !one.mention && one.words.length === 1],
    'one short word': [-3, one => one.words.length === 1 && one.venue.length < 5],
    'capitals at first': [5, one => one.isName],
    'other word with a small letter, first': [-3, one => one.all[0]?.isOther],
    'other word with a small letter, last': [-2, one => one.all.at(-1)?.isOther],
    'other word with a small letter': [-4, one => one.all.some(({ isOther }) => isOther)],
  }
}
