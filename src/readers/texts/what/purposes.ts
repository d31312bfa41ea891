import { BETWEEN_WORDS } from '../../../kit/lib/pattern.ts'
import { fold } from '../../../kit/lib/text.ts'
import { sentenceOf } from '../words/clauses.ts'
import { startsLine, type Token } from '../words/tokens.ts'
import { EVERY, isKind, OTHER_HEADINGS, setOf, type WordSet, wordsFor } from '../words/words.ts'
import { pointsBy } from './scorecard.ts'

// Not everything with a day announces an event: minutes, vacancies, rules and opening hours have days and
// times as well. No single word tells them apart, so there are points for what can be seen of a draft and of
// its text.

/**
 * A draft, as far as it shows whether something is announced.
 *
 * @property all the tokens of the text
 * @property part its own tokens
 * @property start the token at which its day begins
 * @property namesKind true if the text names a kind of event
 * @property isFirst true if nothing is announced above it
 * @property isDayAlone true if it has neither a time nor an end
 * @property isStay true if it has days from the first to the last
 * @property spans how many times with an end its part has
 * @property hasDay true if a day stands in it, and not only weekdays
 * @property hasVenue true if it says where
 * @property hasWebsite true if a link stands in it or beside it
 */
type SeenDraft = {
  all: readonly Token[]
  part: readonly Token[]
  start: number
  title: string
  hasCost: boolean
  namesKind: boolean
  isFirst: boolean
  isDayAlone: boolean
  isStay: boolean
  spans: number
  hasDay: boolean
  hasVenue: boolean
  hasWebsite: boolean
}

const RULES = wordsFor('rules')
const MINUTES = wordsFor('minutes')
const PURPOSES: readonly WordSet[] = [wordsFor('vacancies'), MINUTES, RULES]
const INVITING = wordsFor('inviting')
/** Of headings */
const RULES_ABOVE = setOf(
  'menus speiseplan rules regulations bylaws bases teilnahmebedingungen satzung hausregeln reglement reglamento normas ordenanza',
)
/** “Platzordnung” and “Winteröffnungszeiten”, but neither “Tagesordnung” nor “Gottesdienstordnung” */
const OTHER_COMPOUNDS = /(?<!tages|neu|dienst|mess)ordnung$|.offnungszeiten$/
const CLOSED = setOf(
  'inventur stocktaking inventaire inventario schliessen ferme fermes fermee fermees fermeture fermetures closed closes closing closure geschlossen schliesst schliessung shut betriebsurlaub conges cerrado cerrada cerrados cerrara permanecera cierra cierre',
)
/** True if words say that something is closed: “wegen Inventur geschlossen”, “bleibt die Bücherei zu”. */
const isClosed = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ low, line }, i) =>
      // “gates open at noon, closing at 5”
      (CLOSED.has(low) && tokens[i + 1]?.low !== 'at') ||
      (low === 'zu' &&
        tokens[i - 1]?.low !== 'und' &&
        (tokens[i + 1]?.line !== line || ['.', ',', '!'].includes(tokens[i + 1]?.low ?? ''))),
  )
const NOTICES = wordsFor('notices')
const FOR_SALE = /zu (?:verkaufen|vermieten|verschenken)$/
const LOST_AND_FOUND = /^(?:lost (?:& |and )?(?:found|property)|fundsachen|objets trouves|objetos perdidos)/
/** “No dogs on the beach”, but “hot dogs” */
const BEFORE_FORBIDDEN = setOf('no keine de sin')
const DOGS = setOf('dogs hunde chiens perros')
/** “Your water will be off”, but “kick-off” */
const SUPPLIES = setOf('water power electricity gas wasser strom eau electricite agua luz')
const NOT = setOf('not except excluding (')
const isNotice = (sentence: readonly Token[]): boolean =>
  // “every Tuesday (not half term)”
  sentence.some(
    ({ low }, i) =>
      NOTICES.has(low) && !(sentence[i - 1]?.low === 'half' && NOT.has(sentence[i - 2]?.low ?? '')),
  ) ||
  (has(sentence, SUPPLIES) && sentence.some(({ low }) => low === 'off')) ||
  sentence.some(({ low }, i) => DOGS.has(low) && BEFORE_FORBIDDEN.has(sentence[i - 1]?.low ?? ''))
/** Right before the days on which a pool or a garden is open: “Temporada: 15 de diciembre al 7 de marzo”. */
const SEASONS = setOf('temporada season saison')
/** Tokens of “Temporada: del”. */
const MAX_OF_SEASON = 3
/** Before a day from which on something is so. */
const FROM_THEN_ON = setOf('ab from des desde vom du del depuis seit since')
/** Tokens of a heading that are looked at. */
const MAX_OF_HEADING = 12
/** “À vendre”: further on, such a word may belong to the title of an event. */
const FIRST_OF_HEADING = 4

const has = (tokens: readonly Token[], words: WordSet): boolean => tokens.some(({ low }) => words.has(low))

/** How many different words of a set stand there. */
const countOf = (tokens: readonly Token[], words: WordSet): number =>
  new Set(tokens.filter(({ low }) => words.has(low)).map(({ low }) => low)).size

/** The most words that are those of one other purpose: minutes, vacancies or rules. */
function wordsOfPurpose(tokens: readonly Token[], isPoster: boolean): number {
  // “Dogs must be on leads. Smoking prohibited.”, below what takes place and when
  // and “Minutes, treasurer’s report”, below “The annual general meeting will be held on …”
  const purposes = PURPOSES.filter(some => !isPoster || (some !== RULES && some !== MINUTES))
  return Math.max(...purposes.map(some => countOf(tokens, some)))
}

/** True if the first sentence with a day says what takes place, and when, and no word of rules. */
const isPoster = (draft: SeenDraft): boolean =>
  draft.isFirst && !draft.isDayAlone && isOfKind(draft) && !has(sentenceOf(draft.all, draft.start), RULES)

function isUnderOtherHeading(tokens: readonly Token[], start: number): boolean {
  const heading = tokens.slice(0, MAX_OF_HEADING).filter(({ line }) => line === tokens[0]?.line)
  return (
    [LOST_AND_FOUND, FOR_SALE].some(words => words.test(heading.map(({ low }) => low).join(' '))) ||
    heading.some(({ low }) => RULES_ABOVE.has(low) || OTHER_COMPOUNDS.test(low)) ||
    has(heading.slice(0, FIRST_OF_HEADING), OTHER_HEADINGS) ||
    // “RÈGLEMENT”, in a line of its own below the name of a competition
    tokens.slice(0, start).some(({ low, line }, i) => RULES_ABOVE.has(low) && isAlone(tokens, i, line))
  )
}
const isAlone = (tokens: readonly Token[], i: number, line: number): boolean =>
  tokens[i - 1]?.line !== line && tokens[i + 1]?.line !== line

/** Of those who look for people: “Drivers wanted!” */
const SEEKING = setOf('wanted suchen cherche cherchons recherchons busca buscan buscamos necesitamos')
/**
 * True if a text looks for people who help on some weekdays. With a date, “Ostereier suchen am Sonntag, 28. März”
 * and “Most Wanted” announce something.
 */
function isSeekingPeople(tokens: readonly Token[], start: number): boolean {
  const heading = tokens.slice(0, FIRST_OF_HEADING)
  // “Bürgerbus sucht Fahrer”, but “Sucht und Familie”
  const isSeeking = heading.some(({ low, text }) => SEEKING.has(low) || text === 'sucht')
  const day = tokens.slice(start, start + 3).filter(({ low }) => low !== ',')
  return isSeeking && !day.slice(0, 2).some(({ kind }) => kind === 'number')
}

const isOfKind = ({ all, start, title }: SeenDraft): boolean =>
  fold(title).split(BETWEEN_WORDS()).some(isKind) || sentenceOf(all, start).some(({ low }) => isKind(low))

/** How much a draft looks like something else. Fitted to labelled texts, as the points of titles are. */
const pointsAgainst = pointsBy<SeenDraft & { ofPurpose: number }>({
  'two words of another purpose': [4, ({ ofPurpose }) => ofPurpose > 1],
  'three words of another purpose': [3, ({ ofPurpose }) => ofPurpose > 2],
  'heading of another kind of text': [
    6,
    ({ all, start }) => isUnderOtherHeading(all, start) || isSeekingPeople(all, start),
  ],
  'word of rules': [2, ({ part }) => has(part, RULES)],
  'something closed': [3, ({ part }) => isClosed(part)],
  'something closed on its day': [2, ({ all, start }) => isClosed(sentenceOf(all, start))],
  'notice, and no event': [
    4,
    draft => isNotice(sentenceOf(draft.all, draft.start)) && !isOfKind(draft) && !draft.hasCost,
  ],
  'word of notices': [2, ({ part }) => has(part, NOTICES)],
  'two words of notices': [2, ({ part }) => countOf(part, NOTICES) > 1],
  'time, and no kind of event in the text': [1, ({ isDayAlone, namesKind }) => !isDayAlone && !namesKind],
  // “Das Büro ist mittwochs von 14 bis 17 Uhr besetzt”, but “Wir treffen uns jeden Mittwoch”
  'hours on weekdays alone, no title, and no kind of event': [
    6,
    draft =>
      !draft.hasDay && draft.spans > 0 && draft.title === '' && !isOfKind(draft) && !has(draft.part, EVERY),
  ],
  venue: [-2, ({ hasVenue }) => hasVenue],
  website: [-1, ({ hasWebsite }) => hasWebsite],
  'day without a time': [3, ({ isDayAlone }) => isDayAlone],
  // “Du 2 au 27 février”, below a name, says when an exhibition is
  '“from” before the day': [
    2,
    ({ all, part, start, title, isStay }) =>
      FROM_THEN_ON.has(all[start - 1]?.low ?? '') && !(isStay && title !== '' && !isClosed(part)),
  ],
  'season before the day, and something closed': [
    4,
    ({ all, part, start }) =>
      isClosed(part) && has(all.slice(Math.max(0, start - MAX_OF_SEASON), start), SEASONS),
  ],
  'several spans of hours': [2, ({ spans }) => spans > 1],
  'day at the beginning of a line': [-2, ({ all, start }) => startsLine(all, start)],
  'kind of event': [-2, isOfKind],
  'title, and words that invite': [-2, ({ title, part }) => title !== '' && has(part, INVITING)],
  admission: [-2, ({ hasCost }) => hasCost],
  'first draft': [-2, ({ isFirst }) => isFirst],
})
/** The least points with which nothing is announced. */
const MIN_POINTS = 2

/** True if a draft is of a text or a sentence that announces no event. */
export const announcesNothing = (draft: SeenDraft): boolean =>
  pointsAgainst({ ...draft, ofPurpose: wordsOfPurpose(draft.part, isPoster(draft)) }) >= MIN_POINTS
