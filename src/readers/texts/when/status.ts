import { hasWord, STARTS_UPPERCASE } from '../words/clauses.ts'
import { foldedAt, hasAny, skip, type Token, tokensBefore } from '../words/tokens.ts'
import { anyOf, isKind, MONTHS, phrasesOf, WORDS, weekdayOf } from '../words/words.ts'
import { type DayMention, isAfterBracket } from './day-mentions.ts'

// An event that is called off must not be announced as taking place, nor one that takes place as called off:
// “fällt nicht aus”, “if it rains, it will be cancelled”.

/** True if a word of a sentence says that something is put off. */
export const putsOff = ({ folded }: Token, i: number, sentence: readonly Token[]): boolean =>
  WORDS.postponed.has(folded) ||
  (sentence[i - 1]?.folded === 'put' && ['off', 'back'].includes(folded)) ||
  (sentence[i - 1]?.folded === 'brought' && folded === 'forward') ||
  (WORDS.movesToDays.has(folded) && isBeforeNewDay(sentence, i) && !isConditional(sentence)) ||
  (folded === 'changed' && sentence[i + 1]?.folded === 'from') ||
  isPutBack(sentence, i) ||
  // “contraints de reporter”, but “la reporter Anna”
  (folded === 'reporter' && ['de', 'a', 'devons'].includes(sentence[i - 1]?.folded ?? ''))

/** What may follow the number of a new day: “al 10.”, “al 10 a las 20 h” */
const AFTER_DAY = /^[.,;!(a]$/

const isBeforeNewDay = (tokens: readonly Token[], moves: number): boolean =>
  tokens.some(
    ({ folded }, i) =>
      i > moves &&
      WORDS.beforeNewDates.has(folded) &&
      // “to 27 February”, “al 27 de febrero”, “auf den 27. Februar”, “al 10.”
      (weekdayOf(foldedAt(tokens, i + 1)) > 0 ||
        (tokens[i + 1]?.kind === 'number' && AFTER_DAY.test(tokens[i + 2]?.folded ?? '.')) ||
        tokens.slice(i + 2, i + 5).some(({ folded }) => MONTHS.has(folded))),
  )

/**
 * True for what is put off in French: “La partie est remise.”, “remis au samedi 6”, but not “Le prix est
 * remis au gagnant”.
 */
const isPutBack = (sentence: readonly Token[], i: number): boolean => {
  const [next = '.', target = ''] = sentence.slice(i + 1, i + 3).map(({ folded }) => folded)
  return (
    /^remise?s?$/.test(sentence[i]?.folded ?? '') &&
    WORDS.beOfStatus.has(sentence[i - 1]?.folded ?? '') &&
    (next === '.' ||
      (['a', 'au'].includes(next) && (WORDS.laterAfterPutBack.has(target) || weekdayOf(target) > 0)))
  )
}

const CONDITIONS = phrasesOf('conditional')

/**
 * True if a sentence says what happens in a case that may not come: “if it rains …”, “Bei Lawinengefahr wird
 * die Tour abgesagt”.
 */
export function isConditional(sentence: readonly Token[]): boolean {
  const words = sentence.filter(({ kind }) => kind === 'word')
  const [first, second] = words
  const isCase = first?.folded === 'bei' && STARTS_UPPERCASE().test(second?.text ?? '')
  // “podrá suspenderse”, but “no podrá celebrarse”
  const isDenied = (at: number): boolean =>
    foldedAt(words, foldedAt(words, at - 1) === 'se' ? at - 2 : at - 1) === 'no'
  // “Se suspende por lluvia” alone, but “Se suspende por lluvia la carrera”
  const lastLine = words.filter(({ line }) => line === words.at(-1)?.line).map(({ folded }) => folded)
  const isIfWeather = /^se suspende (?:por|en caso de) (?:lluvia|mal tiempo|mal clima)$/.test(
    lastLine.join(' '),
  )
  return isCase || isIfWeather || words.some((_, i) => CONDITIONS.at(words, i) && !isDenied(i))
}

const CALLED_OFF = phrasesOf('calledOff')

/** How many words before “cancelled” a negation may stand. */
const MAX_TO_NEGATED = 4

/** True if a sentence says that something does not take place. */
export function isCalledOff(sentence: readonly Token[], isOfDay = true): boolean {
  const wordTokens = sentence.filter(({ kind }) => kind === 'word')
  const words = wordTokens.map(({ folded }) => folded)
  if (isConditional(sentence)) return false
  // “wird nicht abgesagt”, “entfällt nicht”
  const isNegated = (i: number): boolean =>
    words.slice(Math.max(0, i - MAX_TO_NEGATED), i).some(word => WORDS.negations.has(word)) ||
    (words[i + 1] === 'nicht' && i + 2 === words.length)
  const isOther = (i: number): boolean =>
    isOfOtherAlone(sentence, words[i]) || isBesideOther(sentence, words[i]) || isHeldAgain(words, i)
  const isSaid = (i: number): boolean =>
    !isNegated(i) && !isOther(i) && !isBeforeNext(words, i) && !isOfEarlier(words, i)
  // “Spielabsage”
  const isCancelled = (word: string): boolean => WORDS.cancelled.has(word) || word.endsWith('absage')
  if (words.some((word, i) => isCancelled(word) && isSaid(i))) return true
  if (isTakenOff(words)) return true
  // “nicht am 5., sondern am 6.”
  if (words.some(word => WORDS.but.has(word))) return false
  // “A press night will not be held.”
  if (!isOfDay) return false
  if (words.some((_, i) => CALLED_OFF.at(wordTokens, i) && !isNegated(i) && !isOther(i))) return true
  return (
    isNotDone(wordTokens) ||
    isScrapped(words) ||
    hasNone(words) ||
    hasFallen(words) ||
    ['aus', 'flach'].some(end => isSplitVerb(withoutOrigins(sentence), ['fallt', 'fallen'], end, false)) ||
    isSplitVerb(words, ['findet', 'finden'], 'statt', true) ||
    / finde[nt] (?:\w+ ){0,4}keine? \w+ statt /.test(` ${words.join(' ')} `)
  )
}

const TAKING_PLACE = phrasesOf('takingPlace')

/** Words between a negation and what is not done: “will sadly not be able to go ahead”. */
const MAX_TO_NOT_DONE = 5

/**
 * Negations of words for what is done, not of words for “cancelled”: “ne peut être maintenu”, “unable to go
 * ahead”.
 */
const NOT_DONE = anyOf(WORDS.negations, WORDS.notDone)

/**
 * True if a negation stands before words for what takes place: “won't be going ahead”, “no podrá celebrarse”,
 * but not before an event that does (“n’oubliez pas : le concert a lieu …”).
 */
function isNotDone(words: readonly Token[]): boolean {
  return words.some((_, i) => {
    const phrase = TAKING_PLACE.at(words, i)
    if (!phrase) return false
    const before = tokensBefore(words, i, MAX_TO_NOT_DONE).map(({ folded }) => folded)
    const denied = before.slice(before.findLastIndex(word => NOT_DONE.has(word)))
    return (
      NOT_DONE.has(denied[0] ?? '') &&
      !denied.some(word => isKind(word) || WORDS.leads.has(word)) &&
      !before.some(word => WORDS.onlyAfterNegations.has(word)) &&
      !WORDS.notBefore.has(foldedAt(words, phrase.to))
    )
  })
}

/**
 * True if an event is taken off where it is announced: “off the website”, “aus dem Kalender”, “du site”.
 */
const isTakenOff = (words: readonly string[]): boolean =>
  words.some(
    (word, i) =>
      WORDS.listingsOfEvents.has(word) &&
      words.slice(Math.max(0, i - 2), i).some(one => WORDS.offListings.has(one)),
  ) && words.some(word => WORDS.takingOffListings.has(word))

const isScrapped = (words: readonly string[]): boolean =>
  words.some(
    (word, i) =>
      WORDS.scrapped.has(word) && words.slice(Math.max(0, i - 2), i).some(one => WORDS.beOfStatus.has(one)),
  )

/**
 * True for “Das Konzert fällt leider ins Wasser”, “tombe à l’eau”, “se cayó el concierto”, but neither for
 * “die Boote kommen ins Wasser” nor for “se cayó un árbol”.
 */
const hasFallen = (words: readonly string[]): boolean =>
  (/ (?:ins wasser|a l eau) /.test(` ${words.join(' ')} `) &&
    words.some(word => WORDS.fallsIntoWater.has(word))) ||
  words.some(
    (word, i) =>
      word === 'cayo' &&
      words[i - 1] === 'se' &&
      (isKind(words[i + 2] ?? '') || (i === words.length - 1 && words.some(isKind))),
  )

const NONE_WORDS = anyOf(WORDS.negations, WORDS.noneOfKind)
/**
 * True if a sentence says that there is none of the first kind of event that it names: “there will be no
 * concert”, “findet kein Konzert statt”, “Wednesday: no choir practice”.
 */
function hasNone(words: readonly string[]): boolean {
  const kind = words.findIndex(isKind)
  if (kind < 0) return false
  const [before = '', first = ''] = [words[kind - 1], words[kind - 2]]
  const isNoKind = NONE_WORDS.has(before) || (NONE_WORDS.has(first) && !WORDS.ordinaryKinds.has(before))
  // “Am Mittwoch kein Training”, but “donnerstags 19 Uhr, in den Ferien kein Training”
  const others = words
    .slice(0, kind - 1)
    .filter(word => !isDayWord(word) && !WORDS.small.has(word) && !WORDS.todayBeforeNone.has(word))
  if (kind === words.length - 1 && isNoKind && others.length < 2) return true
  // “Don't miss bingo, it is on Saturday”
  const isDenied =
    WORDS.negations.has(before) ||
    (WORDS.negations.has(first) && (WORDS.small.has(before) || WORDS.existsNone.has(before)))
  return isDenied && words.some(word => WORDS.existsNone.has(word))
}

/**
 * True if only something else is called off, and what takes place follows with its day: “Only the disco is
 * off; the quiz takes place on Friday”, but not “Only the concert on 6 March is off, all else takes place”.
 */
function isOfOtherAlone(sentence: readonly Token[], cancelled: string | undefined): boolean {
  if (!WORDS.aloneCalledOff.has(sentence[0]?.folded ?? '')) return false
  const at = sentence.findIndex(({ folded }) => folded === cancelled)
  const end = sentence.findIndex(({ folded }, i) => i > at && [',', ';'].includes(folded))
  if (at < 0 || end < 0) return false
  const [before, after] = [sentence.slice(0, end), sentence.slice(end)]
  const namesDay = (part: readonly Token[]) =>
    part.some(({ folded, kind }) => kind === 'number' || isDayWord(folded))
  const takesPlace = hasAny(after, WORDS.isHeld) || TAKING_PLACE.isIn(after)
  return takesPlace && namesDay(after) && !namesDay(before)
}

const GOES_AHEAD =
  / (?:goes ahead|(?:will|is) (?:still )?go(?:ing)? ahead|findet (?:\w+ ){0,8}statt|aura? lieu|a lieu|est maintenue?|se mantiene|sigue en pie|tendra lugar) /

/**
 * True if a clause says that something takes place: “goes ahead”, but not “was to go ahead”, “findet nicht
 * statt”.
 */
export const goesAhead = (clause: readonly Token[]): boolean => {
  const words = clause.filter(({ kind }) => kind !== 'sign').map(({ folded }) => folded)
  return GOES_AHEAD.test(` ${words.join(' ')} `) && !words.some(word => WORDS.negations.has(word))
}

/**
 * True if a clause without a day calls something off, and another one says on which day something takes
 * place: “After the November concert was cancelled, the one on 20 March goes ahead.”
 */
function isBesideOther(sentence: readonly Token[], cancelled: string | undefined): boolean {
  const off = sentence.find(({ folded }) => folded === cancelled)?.clause
  const isDayIn = (clause: number | undefined): boolean =>
    sentence.some((one, i) => one.clause === clause && isDayAt(sentence, i))
  const clauses = new Set(sentence.map(({ clause }) => clause))
  return (
    !isDayIn(off) &&
    [...clauses].some(
      clause => clause !== off && isDayIn(clause) && goesAhead(sentence.filter(one => one.clause === clause)),
    )
  )
}

/** A weekday, or a month beside a number. */
const isDayAt = (sentence: readonly Token[], i: number): boolean => {
  const { folded = '' } = sentence[i] ?? {}
  const isNumbered = [i - 2, i - 1, i + 1].some(at => sentence[at]?.kind === 'number')
  return weekdayOf(folded) > 0 || (MONTHS.has(folded) && isNumbered)
}

/** True if what was called off has a new day: “El partido suspendido se jugará el sábado 6 de marzo”. */
function isHeldAgain(words: readonly string[], cancelled: number): boolean {
  const held = words.findIndex((word, i) => i > cancelled && WORDS.heldAgain.has(word))
  return (
    held > 0 &&
    isKind(words[cancelled - 1] ?? '') &&
    !words.slice(cancelled, held).some(word => isDayWord(word) || WORDS.negations.has(word)) &&
    words.slice(held).some(isDayWord)
  )
}

/** Words of “from November, when it was cancelled”. */
const MAX_TO_EARLIER = 5

const BEFORE_LAST_YEAR = / last year s $/

const LAST_YEAR =
  /^ (?:(?:in|im|vom|del|de|l|el|en) ){0,2}(?:last year|(?:letzten|vergangenen) jahr|vorjahr|ano pasado|an dernier|annee derniere) /

/**
 * True if last year, or a month without a day, says when something was cancelled: “after last year’s
 * cancellation”, “in place of the concert cancelled in November”.
 */
const isOfEarlier = (words: readonly string[], cancelled: number): boolean =>
  BEFORE_LAST_YEAR.test(` ${words.slice(0, cancelled).join(' ')} `) ||
  LAST_YEAR.test(` ${words.slice(cancelled + 1).join(' ')} `) ||
  words.some(
    (word, i) =>
      Math.abs(i - cancelled) <= MAX_TO_EARLIER &&
      WORDS.beforeEarlierMonths.has(word) &&
      MONTHS.has(words[i + 1] ?? '') &&
      // “… ist abgesagt, das Konzert im April findet statt”
      !words.slice(cancelled, i).some(isKind),
  )

const isDayWord = (word: string): boolean => MONTHS.has(word) || weekdayOf(word) > 0

const HOWEVER = anyOf(WORDS.but, WORDS.however)

/**
 * True if a “but” after the word for “cancelled” says that something else takes place: “Last year it was
 * cancelled, but on 6 March …”, “Saturday is cancelled, but Sunday goes ahead”.
 */
function isBeforeNext(words: readonly string[], cancelled: number): boolean {
  const however = words.findIndex((word, i) => i > cancelled && HOWEVER.has(word))
  if (however < 0) return false
  const [isDayCancelled, isDayNext] = [words.slice(0, cancelled), words.slice(however)].map(some =>
    some.some(isDayWord),
  )
  const isBut = WORDS.but.has(words[however] ?? '')
  return isDayCancelled ? isBut && isDayNext === true : isBut || isDayNext === true
}

/** The words of a sentence without “aus” before a name: “Musik aus Irland”, “aus technischen Gründen aus”. */
const withoutOrigins = (sentence: readonly Token[]): string[] =>
  sentence
    .filter(({ kind, folded }, i) => {
      const next = sentence[i + 1]
      return (
        kind === 'word' &&
        (folded !== 'aus' || next?.kind !== 'word' || WORDS.afterSplitVerbs.has(next.folded))
      )
    })
    .map(({ folded }) => folded)

/** Words between `fällt` and `aus`. */
const MAX_TO_HALF = 14

/**
 * True if a verb and its second half stand apart, with “nicht” between them or without: “fällt am Samstag
 * aus”.
 */
function isSplitVerb(
  words: readonly string[],
  verbs: readonly string[],
  half: string,
  isNegative: boolean,
): boolean {
  const from = words.findIndex(word => verbs.includes(word))
  if (from < 0) return false
  const to = words.indexOf(half, from)
  if (to < 0 || to - from > MAX_TO_HALF) return false
  const before = words[to - 1] ?? ''
  const hasNegation = isNegative ? before === 'nicht' : words.slice(from, to).includes('nicht')
  return hasNegation === isNegative
}

/** The tokens of “postponed back to”. */
const MAX_TO_TARGET = 4

/** True if something begins at another time of its day: “auf 20 Uhr verschoben”, “pushed back to 2.15”. */
const isMovedByHours = (sentence: readonly Token[], at: number): boolean =>
  sentence
    .slice(at, at + MAX_TO_TARGET)
    .some(({ folded }, i) => WORDS.beforeNewDates.has(folded) && sentence[at + i + 1]?.kind === 'number') ||
  sentence.some((_, i) => isNewHour(sentence, { from: i, to: i + 1 }) && isHour(sentence[i])) ||
  (WORDS.beforeSpanOfHours.has(sentence[at + 1]?.folded ?? '') && isNumberAt(sentence, at + 2))

const isHour = (token: Token | undefined): boolean => token?.kind === 'number' && Number(token.text) <= 24

/** Words that say that an hour is moved, before it, or in German after it. */
const MOVES_HOUR = anyOf(WORDS.postponed, WORDS.movesOfHours)

/** True if something is moved to an hour of its day: “at 7pm has been moved to 8pm”. */
export function isNewHour(tokens: readonly Token[], { from, to }: { from: number; to: number }): boolean {
  const lead = ['la', 'las'].includes(foldedAt(tokens, from - 1)) ? from - 2 : from - 1
  const target = tokens[lead]
  if (!target || !WORDS.beforeNewHours.has(target.folded)) return false
  const wordsAfter = target.folded === 'auf' ? [to, to + 1, to + 2, to + 3] : []
  return [lead - 2, lead - 1, ...wordsAfter].some(
    at => tokens[at]?.sentence === target.sentence && MOVES_HOUR.has(foldedAt(tokens, at)),
  )
}

const isNumberAt = (tokens: readonly Token[], i: number): boolean =>
  tokens[['la', 'las'].includes(foldedAt(tokens, i)) ? i + 1 : i]?.kind === 'number'

/** True if two hours are those from which and to which something is moved: “décalé de 19h à 20h”. */
export function isFromHour(
  tokens: readonly Token[],
  { from, end }: { from: number; end: string | undefined },
): boolean {
  const at = ['la', 'las'].includes(foldedAt(tokens, from - 1)) ? from - 2 : from - 1
  const before = tokens[at - 1]
  return (
    end !== undefined &&
    before !== undefined &&
    WORDS.beforeSpanOfHours.has(foldedAt(tokens, at)) &&
    (putsOff(before, at - 1, tokens) || WORDS.movedFromHours.has(before.folded))
  )
}

/** Tokens of “prévu pour le 23 et le” before the number of a day. */
const MAX_TO_PLANNED = 5

/** True if a day is that for which something was planned. */
export const isPlanned = (tokens: readonly Token[], { from, to }: DayMention): boolean =>
  hasWord(tokens, from - MAX_TO_PLANNED, from, WORDS.plannedDays) ||
  WORDS.plannedDays.has(foldedAt(tokens, tokens[to]?.folded === ',' ? to + 1 : to))

/** The most tokens of “al martes” or “auf den” before a day. */
const MAX_TO_DAY = 2

/** True if a day is that to which something was put off: “se aplaza al 20 de febrero”. */
export const isTarget = (tokens: readonly Token[], { from }: DayMention): boolean =>
  hasWord(tokens, from - MAX_TO_DAY, from, WORDS.beforeNewDates)

/**
 * Whether the event of a part of a text is called off or put off; undefined if it is neither.
 *
 * @param textDays the days of the text
 * @param moments the moments of the part, whose `days` lack those that a series leaves out and those that
 * others replace
 * @param date when the event begins: what is said of other days is not said of it
 */
export function statusIn(
  tokens: readonly Token[],
  [from, to]: readonly [number, number],
  textDays: readonly DayMention[],
  {
    days,
    except,
    gone,
    unclear,
  }: Readonly<Record<'days' | 'except' | 'gone', readonly DayMention[]>> & { unclear: readonly number[] },
  date: string,
): 'canceled' | 'postponed' | undefined {
  const isOneDate = new Set(days.map(({ date }) => date)).size < 2
  for (let start = from; start < to; ) {
    const { sentence: sentenceNumber } = tokens[start] ?? {}
    const end = skip(start, i => i < to && tokens[i]?.sentence === sentenceNumber)
    const sentence = tokens.slice(start, end)
    const isIn = (day: DayMention): boolean => day.from >= start && day.to <= end
    const [allDays, ownDays] = [textDays.filter(isIn), days.filter(isIn)]
    const isException =
      except.some(isIn) || unclear.some(at => at >= start && at < end && isAfterBracket(tokens, at))
    const isOfDay = ownDays.some(day => day.date === date || date <= (day.last ?? ''))
    const isOfEvent = !isException && (allDays.length > 0 ? isOfDay : isOneDate || start === from)
    // “Der Kurs am 20. fällt aus und wird am 27. nachgeholt.”
    const fromToken = ownDays[0]?.from ?? start
    const isOfOther = gone.some(day => isIn(day) && day.from < fromToken)
    const tokensOfEvent = isOfOther ? tokens.slice(fromToken, end) : sentence
    // “Abgesagt!”, of the day that another one replaces
    const isOfGone = allDays.length === 0 && gone.some(day => day.from >= from && day.to <= to)
    if (isOfEvent && !isOfGone && isCalledOff(tokensOfEvent, ownDays.length > 0 || start === from))
      return 'canceled'
    const at = sentence.findIndex(
      (one, i) =>
        putsOff(one, i, sentence) &&
        !WORDS.movedAway.has(one.folded) &&
        !WORDS.definiteArticles.has(sentence[i - 1]?.folded ?? '') &&
        // “rearranged from November”
        !WORDS.beforeOldDate.has(sentence[i + 1]?.folded ?? ''),
    )
    if (isOneDate && isOfEvent && at >= 0) {
      const open = sentence.findLastIndex(({ folded }) => WORDS.noDateYet.has(folded))
      const isNamedBefore =
        ownDays.length > 0 && ownDays.every(day => day.from < start + at || isPlanned(tokens, day))
      const isOpen = open >= 0 && !allDays.some(day => day.from > start + open)
      // “Das auf den 3. Mai angesetzte Konzert wird verschoben”
      const hasTarget = ownDays.some(day => isTarget(tokens, day) && !isPlanned(tokens, day))
      const isOpenNext =
        tokens.slice(end, end + 30).some(({ folded }) => WORDS.noDateYet.has(folded)) &&
        !days.some(day => day.from >= end)
      if (!hasTarget && !isMovedByHours(sentence, at) && (isNamedBefore || isOpen || isOpenNext))
        return 'postponed'
    }
    start = end
  }
  return undefined
}
