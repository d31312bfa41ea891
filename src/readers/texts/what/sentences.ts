import type { Span } from '../words/plain.ts'
import { hasAny, isOneOf, QUOTES, type Token } from '../words/tokens.ts'
import { anyOf, FOR, LEADS, OF, SHEETS, SMALL, setOf, VERBS, WITH } from '../words/words.ts'

// Sentences of one line, and what tells passages in them apart: marks, verbs, labels, and what leads to a
// passage.

/**
 * @property own its tokens
 * @property isClause whether it has a verb, or a word that stands beside one
 * @property taken which of them belong to a day, a time, a price or the venue
 * @property known which of them belong to the name of a venue or an organizer
 */
export type Sentence = {
  own: readonly Token[]
  index: number
  isClause: boolean
  taken: readonly boolean[]
  known: readonly boolean[]
}

/** Words for days, after which they follow: “Die nächsten Daten: 3. Februar”. */
export const DATES = setOf('daten termin termine datum date dates fecha fechas pases seances spieltage')

/** Words that say what is changed about an event: “Neuer Ort: …”. */
const WHEN_OR_WHERE = anyOf(DATES, setOf('ort uhrzeit horaire lugar hora venue'))

/** Words that stand beside verbs. */
const CLAUSES = setOf(
  'wir we nous nos ich they wie como comme after nach apres tras once es it llega arrive venez os einladung invitation invitacion bietet bieten sings singt singen chante chantent cantan',
)

/** The ends of Spanish verbs: “arrancamos”, “tenemos”, “vinieron”. */
const SPANISH_VERBS = /.{3}(?:[ae]mos|ieron)$/

/** Articles, and words for whose something is. */
export const ARTICLES = setOf(
  'the our your a an der die das den dem ein eine einen einem einer unser unsere unserem unserer unseren le la les l un une notre nos el los las una nuestro nuestra nuestros nuestras ihr sein son sa su',
)

/** Before a colon and a title: “Was: Sommerfest”. */
export const LABELS = setOf(
  'titel was veranstaltung thema title what event quoi titre que titulo evento acto',
)

/** Before a colon and a title, as what kind of notice it is: “Rappel : loto”. */
const NOTICES = setOf(
  'subject betreff objet asunto change changement cambio ortsanderung raumanderung zeitanderung programmanderung terminanderung correction korrektur reminder save einladung erinnerung recordatorio rappel hinweis invitation avis aviso neu new nouveau nuevo achtung attention atencion wichtig important urgent urgente dringend update',
)

/** Before a colon and a person: “Leitung: Brigitte Söllner”. */
export const OF_PERSONS = setOf(
  'direction direccion dirigent dirigentin conductor regie mise musikalische leitung kursleitung kursnummer dozent dozentin referent referentin moderation who tutor leader speaker instructor intervenant intervenante animateur animatrice imparte ponente dirige salida caller trainer coach ubungsleiter leiter leiterin',
)

/** Before the date of something else: “Another date for your diary: the gala” */
const FURTHER = setOf(
  'another further autre autres weiterer weitere weiteres otra otro otras otros neuer neue neues nueva nuevo',
)

/** Verbs of those who inform: “Die Gemeinde informiert: …”. */
export const INFORMING = setOf(
  'informs informiert informieren informe informent informa informan comunica comunican avisa',
)

/** Before a place. */
export const IN = setOf('in im ins dans en at bei beim chez am auf sur')

/** Before a place in French. */
export const AU = setOf('au aux')

/** Before any place. */
export const AT = anyOf(IN, AU, setOf('a an'))

/** Before where something goes. */
export const TO = setOf('to zum zur zu nach a au aux al bis hasta into towards vers')

/** Before a place, an owner, company or a purpose. */
export const PREPOSITIONS = anyOf(IN, OF, FOR, WITH, setOf('by par por on an'))

/** True if words before a colon belong to no title. */
export const isLabel = (own: readonly Token[]): boolean =>
  (own.filter(({ kind, low }) => kind === 'word' && !SMALL.has(low)).length < 4 &&
    (isOneOf(own.at(-1), SHEETS) ||
      [LABELS, NOTICES, SHEETS, OF_PERSONS].some(words => words.has(own[0]?.low ?? '')))) ||
  // “Autre date à bloquer : le loto”, but “Date night: Titanic”
  (own.length < 7 && isOneOf(own[0], FURTHER) && hasAny(own, WHEN_OR_WHERE)) ||
  // “La alcaldía informa: …”
  isOneOf(own.at(-1), INFORMING) ||
  // “N’oubliez pas : loto”
  (own.length < 5 && hasAny(own, LEADS))

/** True if a word is a verb, or stands beside one. */
export const isVerb = ({ low }: Token, i: number, own: readonly Token[]): boolean =>
  VERBS.has(low) ||
  // “après le concert”, but “après-midi”
  (CLAUSES.has(low) && own[i + 1]?.low !== '-') ||
  isContracted(own, i) ||
  SPANISH_VERBS.test(low)

/** What follows the apostrophe in a verb. */
const CONTRACTIONS = setOf('ll ve re t')

/** True for what follows the apostrophe of “we'll”, “they're” and “won't”. */
export const isContracted = (own: readonly Token[], i: number): boolean =>
  isOneOf(own[i], CONTRACTIONS) && own[i]?.isSpaced === false && isApostrophe(own[i - 1])

export const isApostrophe = (token: Token | undefined): boolean =>
  token !== undefined && /^['’]$/.test(token.low)

/** Where a passage begins with its article: “à l'école”, “in der „Krone“”. */
export function withArticle(own: readonly Token[], from: number): number {
  const at = QUOTES.includes(own[from - 1]?.low ?? '.') ? from - 1 : from
  return isApostrophe(own[at - 1]) ? at - 2 : isOneOf(own[at - 1], ARTICLES) ? at - 1 : at
}

/** What stands before a passage and its article. */
export const leadOf = (own: readonly Token[], from: number): string => {
  const at = withArticle(own, from)
  return own[isApostrophe(own[at - 1]) ? at - 2 : at - 1]?.low ?? ''
}

/** Before a clause that says why or when: “As Tuesday is a holiday, …” */
export const SUBORDINATES = setOf('as since while da weil nachdem wahrend comme puisque como')

/**
 * What is known about a text.
 *
 * @property mentions the days, times, prices and places, at which a title ends
 * @property names where venues and organizers are named
 */
export type Mentioned = { mentions: readonly Span[]; names: readonly Span[] }

const MAX_SENTENCES = 40

/** Tokens of a sentence that are looked at. */
const MAX_TOKENS = 120

/** True if a token stands between two parts of a sentence. */
export function isMark(own: readonly Token[], i: number): boolean {
  const [token, next] = [own[i], own[i + 1]]
  if (token?.kind !== 'sign') return false
  const { low, isSpaced } = token
  const isBeforeBlank = next?.isSpaced ?? true
  if (low === '-') return isSpaced && isBeforeBlank
  // “Jazz w/ friends”
  if (low === ':' || low === '/') return isBeforeBlank && own[i - 1]?.low !== 'w'
  return ',;()[]|•·!?*_~="«»„“”'.includes(low) || isPicture(token)
}

/** True for pictures and arrows: “🎉”, “★”, “▸” */
export const isPicture = ({ text }: Token): boolean => text.length > 1 || /[\u2190-\u2bff]|\ufe0f/.test(text)

/** The sentences of a text, each at most a line. */
export function sentencesOf(tokens: readonly Token[], { mentions, names }: Mentioned): Sentence[] {
  const found: Token[][] = []
  let before: Token | undefined
  for (const token of tokens) {
    const last = found.at(-1)
    const isSame = before?.sentence === token.sentence && before.line === token.line
    before = token
    if (last && isSame && last.length < MAX_TOKENS) last.push(token)
    else if (!isSame && found.push([token]) > MAX_SENTENCES) break
  }
  return found.slice(0, MAX_SENTENCES).map((own, index) => {
    const [from, to] = [own[0]?.from ?? 0, own.at(-1)?.to ?? 0]
    const covered = (spans: readonly Span[]): boolean[] => {
      const near = spans.filter(([a, b]) => a < to && b > from)
      return own.map(token => near.some(([a, b]) => a < token.to && token.from < b))
    }
    return { own, index, isClause: own.some(isVerb), taken: covered(mentions), known: covered(names) }
  })
}
