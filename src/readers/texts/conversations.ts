import { BETWEEN_WORDS, lazyPattern } from '../../kit/lib/pattern.ts'
import { fold, type Line, linesIn } from '../../kit/lib/text.ts'
import type { DayContext } from './when/dates.ts'
import { weekdayOn } from './when/day-mentions.ts'
import { daysIn } from './when/days.ts'
import { timesIn } from './when/times.ts'
import { blanked } from './where/addresses.ts'
import type { Span } from './words/plain.ts'
import { spanOfTokens, tokensOf } from './words/tokens.ts'
import { WORDS, weekdayOf } from './words/words.ts'

// People who agree on a day in a chat or in e-mails: what somebody says later holds, not what was proposed
// before.

/** Who says something in a chat: `Mia: `, `[14.01., 08:47] Mia: `, `Sandrine n°12 : `. */
const SPEAKER = lazyPattern(
  String.raw`^(?:\[[^\]\n]{5,30}\] ?|\d{1,2}[./][^-\n]{5,20} - )?(\p{Lu}[\p{L}\d°º.()' -]{0,24}) ?: `,
  'u',
)

/** A line of a dialogue: `– Dimanche, il fera beau.` */
const DIALOGUE_LINE = /^[–—-]\s?\S/

/** The first line of an e-mail: `Hi Sue, `, `Hola, Luis: `. */
const SALUTATION = lazyPattern(String.raw`^(\p{L}+),? (\p{Lu}\p{L}+) ?[,:!]`, 'u')

/** The most lines of a conversation. */
const MAX_LINES = 200

/** The offsets at which the turns of a conversation begin; none if a text is no conversation. */
function turnsIn(text: string): number[] {
  const lines = linesIn(text, MAX_LINES).filter(line => line.text.trim() !== '')
  return (
    [chatTurnsIn, dialogueTurnsIn, emailTurnsIn]
      .map(turnsOf => turnsOf(lines))
      .find(turns => turns.length > 1) ?? []
  )
}

/** The turns of a chat, in which somebody speaks again after somebody else. */
function chatTurnsIn(lines: readonly Line[]): number[] {
  const turns = lines.flatMap(({ text, from }) => {
    const name = SPEAKER().exec(text)?.[1]
    return name === undefined ? [] : [{ name, from }]
  })
  const hasReturningSpeaker = turns.some(({ name }, i) => {
    const previous = turns.findLastIndex((one, at) => at < i && one.name === name)
    return previous >= 0 && turns.slice(previous, i).some(one => one.name !== name)
  })
  return hasReturningSpeaker && turns[0]?.from === lines[0]?.from ? turns.map(({ from }) => from) : []
}

/** The turns of a dialogue: lines that all begin with a dash, at least one of them a question. */
const dialogueTurnsIn = (lines: readonly Line[]): number[] =>
  lines.every(({ text }) => DIALOGUE_LINE.test(text)) &&
  lines.slice(0, -1).some(({ text }) => text.includes('?'))
    ? lines.map(({ from }) => from)
    : []

/** The turns of e-mails, one below the other, each addressed to whoever signed the one before. */
function emailTurnsIn(lines: readonly Line[]): number[] {
  const turns = lines.slice(0, 1).map(({ from }) => from)
  for (const [i, { text, from }] of lines.entries()) {
    const [, greeting = '', name = ''] = SALUTATION().exec(text) ?? []
    const signature = fold(lines[i - 1]?.text ?? '')
      .split(BETWEEN_WORDS())
      .filter(Boolean)
    const isReply = WORDS.greetings.has(fold(greeting)) && signature.at(-1) === fold(name)
    if (i > 0 && isReply) turns.push(from)
  }
  return turns
}

/** The most characters of the date and the name before what somebody says. */
const MAX_HEADER = 60

/** The days and times of a conversation that later ones replace, and the names before what is said. */
export function supersededIn(text: string, context: DayContext): Span[] {
  const starts = turnsIn(text)
  if (starts.length < 2) return []
  const speakers = starts.map((start): Span => {
    const [line = ''] = text.slice(start, start + MAX_HEADER).split('\n', 1)
    return [start, start + (SPEAKER().exec(line)?.[0].length ?? 0)]
  })
  const tokens = tokensOf(blanked(text, speakers))
  const turnOf = (i: number): number => starts.findLastIndex(start => start <= (tokens[i]?.from ?? 0))
  // Messages that neither ask nor deny may announce something each.
  const lastTurn = turnOf(tokens.length - 1)
  if (
    !tokens.some(({ folded }, i) => turnOf(i) < lastTurn && (folded === '?' || WORDS.negations.has(folded)))
  )
    return []
  const datedDays = daysIn(tokens, context)
  const isOfDatedDay = (i: number): boolean => datedDays.some(({ from, to }) => from <= i && i < to)
  const bareWeekdays = tokens.flatMap(({ folded }, i) => {
    const isDay = folded.length > 3 && weekdayOf(folded) > 0
    return isDay && !isOfDatedDay(i) ? [{ from: i, to: i + 1, weekday: weekdayOf(folded) }] : []
  })
  const days = [
    ...datedDays.map(day => ({ from: day.from, to: day.to, weekday: weekdayOn(day.date) })),
    ...bareWeekdays,
  ].sort((one, other) => one.from - other.from)
  const dayTurn = Math.max(...days.map(({ from }) => turnOf(from)))
  const lastDays = days.filter(({ from }) => turnOf(from) === dayTurn)
  const dated = lastDays.filter(({ from }) => isOfDatedDay(from))
  const day = lastDays.at(-1)
  // “Mittwoch, 27. Januar?”, “Gern, dann Mittwoch.”
  const isProposed = (mention: { from: number; weekday: number }) =>
    mention.weekday === day?.weekday && isOfDatedDay(mention.from)
  const kept = dated.length > 0 ? dated : [days.findLast(isProposed) ?? day]
  const times = timesIn({ tokens, isTaken: isOfDatedDay }, context.isEnglish)
  // “Kino am Freitag um 20 Uhr?”, “Ja!”, “Super, ich bringe Samstag Kuchen mit.”
  const isDaySettled =
    kept.some(one => one && isOfDatedDay(one.from)) ||
    days.some(one => turnOf(one.from) < dayTurn && one.weekday === day?.weekday) ||
    tokens.some(({ folded }, i) => turnOf(i) < dayTurn && WORDS.negations.has(folded)) ||
    times.some(({ from }) => turnOf(from) === dayTurn)
  if (!isDaySettled) return speakers
  const timeTurn = Math.max(...times.map(({ from }) => turnOf(from)))
  // “18h30 ?”, “Allez, 18h30”
  const isTimeAgreed = times.some(
    ({ from, start }) =>
      turnOf(from) === timeTurn && times.some(one => one.start === start && turnOf(one.from) < timeTurn),
  )
  const replaced = [
    ...days.filter(one => !kept.includes(one)),
    // Later hours may be those of the way back.
    ...times.filter(({ from }) => turnOf(from) < timeTurn && (timeTurn - dayTurn < 2 || isTimeAgreed)),
  ]
  return [...speakers, ...replaced.map(({ from, to }) => spanOfTokens(tokens, from, to))]
}
