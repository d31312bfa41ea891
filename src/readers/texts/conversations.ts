import { BETWEEN_WORDS, lazyPattern } from '../../kit/lib/pattern.ts'
import { fold, type Line, linesIn } from '../../kit/lib/text.ts'
import type { DayContext } from './when/dates.ts'
import { weekdayOn } from './when/day-mentions.ts'
import { daysIn } from './when/days.ts'
import { timesIn } from './when/times.ts'
import { blanked } from './where/addresses.ts'
import type { Span } from './words/plain.ts'
import { spanOfTokens, tokensOf } from './words/tokens.ts'
import { GREETINGS, NEGATIONS, weekdayOf } from './words/words.ts'

// People who agree on a day in a chat or in e-mails: what somebody says later holds, not what was proposed
// before.

/** Who says something in a chat: `Mia: `, `[14.01., 08:47] Mia: `, `Sandrine n°12 : `. */
const SPEAKER = lazyPattern(
  String.raw`^(?:\[[^\]\n]{5,30}\] ?|\d{1,2}[./][^-\n]{5,20} - )?(\p{Lu}[\p{L}\d°º.()' -]{0,24}) ?: `,
  'u',
)

/** A line of a dialogue: `– Dimanche, il fera beau.` */
const SPOKEN = /^[–—-]\s?\S/

/** The first line of an e-mail: `Hi Sue, `, `Hola, Luis: `. */
const LETTER = lazyPattern(String.raw`^(\p{L}+),? (\p{Lu}\p{L}+) ?[,:!]`, 'u')

/** The most lines of a conversation. */
const MAX_LINES = 200

/** Where each turn of a conversation begins; none if a text is no conversation. */
function turnsIn(text: string): number[] {
  const lines = linesIn(text, MAX_LINES).filter(line => line.text.trim() !== '')
  return [speakersOf, dialogueOf, lettersOf].map(of => of(lines)).find(turns => turns.length > 1) ?? []
}

/** A chat, in which somebody speaks again after somebody else. */
function speakersOf(lines: readonly Line[]): number[] {
  const turns = lines.flatMap(({ text, from }) => {
    const name = SPEAKER().exec(text)?.[1]
    return name === undefined ? [] : [{ name, from }]
  })
  const isBack = turns.some(({ name }, i) => {
    const before = turns.findLastIndex((one, at) => at < i && one.name === name)
    return before >= 0 && turns.slice(before, i).some(one => one.name !== name)
  })
  return isBack && turns[0]?.from === lines[0]?.from ? turns.map(({ from }) => from) : []
}

/** Lines that all begin with a dash, of which one asks. */
const dialogueOf = (lines: readonly Line[]): number[] =>
  lines.every(({ text }) => SPOKEN.test(text)) && lines.slice(0, -1).some(({ text }) => text.includes('?'))
    ? lines.map(({ from }) => from)
    : []

/** E-mails, one below the other, each to somebody who signed the one before. */
function lettersOf(lines: readonly Line[]): number[] {
  const turns = lines.slice(0, 1).map(({ from }) => from)
  for (const [i, { text, from }] of lines.entries()) {
    const [, greeting = '', name = ''] = LETTER().exec(text) ?? []
    const signature = fold(lines[i - 1]?.text ?? '')
      .split(BETWEEN_WORDS())
      .filter(Boolean)
    const isReply = GREETINGS.has(fold(greeting)) && signature.at(-1) === fold(name)
    if (i > 0 && isReply) turns.push(from)
  }
  return turns
}

/** Characters before what somebody says. */
const MAX_HEADER = 60

/** The days and times of a conversation that others replaced, and the names before what is said. */
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
  const last = turnOf(tokens.length - 1)
  if (!tokens.some(({ low }, i) => turnOf(i) < last && (low === '?' || NEGATIONS.has(low)))) return []
  const written = daysIn(tokens, context)
  const isWritten = (i: number): boolean => written.some(({ from, to }) => from <= i && i < to)
  const named = tokens.flatMap(({ low }, i) => {
    const isDay = low.length > 3 && weekdayOf(low) > 0
    return isDay && !isWritten(i) ? [{ from: i, to: i + 1, weekday: weekdayOf(low) }] : []
  })
  const days = [
    ...written.map(day => ({ from: day.from, to: day.to, weekday: weekdayOn(day.date) })),
    ...named,
  ].sort((one, other) => one.from - other.from)
  const settled = Math.max(...days.map(({ from }) => turnOf(from)))
  const own = days.filter(({ from }) => turnOf(from) === settled)
  const dated = own.filter(({ from }) => isWritten(from))
  const day = own.at(-1)
  // “Mittwoch, 27. Januar?”, “Gern, dann Mittwoch.”
  const isProposed = (one: { from: number; weekday: number }) =>
    one.weekday === day?.weekday && isWritten(one.from)
  const kept = dated.length > 0 ? dated : [days.findLast(isProposed) ?? day]
  const times = timesIn(tokens, isWritten, context.isEnglish)
  // “Kino am Freitag um 20 Uhr?”, “Ja!”, “Super, ich bringe Samstag Kuchen mit.”
  const isSettled =
    kept.some(one => one && isWritten(one.from)) ||
    days.some(one => turnOf(one.from) < settled && one.weekday === day?.weekday) ||
    tokens.some(({ low }, i) => turnOf(i) < settled && NEGATIONS.has(low)) ||
    times.some(({ from }) => turnOf(from) === settled)
  if (!isSettled) return speakers
  const told = Math.max(...times.map(({ from }) => turnOf(from)))
  // “18h30 ?”, “Allez, 18h30”
  const isAgreed = times.some(
    ({ from, start }) =>
      turnOf(from) === told && times.some(one => one.start === start && turnOf(one.from) < told),
  )
  const replaced = [
    ...days.filter(one => !kept.includes(one)),
    // Later hours may be those of the way back.
    ...times.filter(({ from }) => turnOf(from) < told && (told - settled < 2 || isAgreed)),
  ]
  return [...speakers, ...replaced.map(({ from, to }) => spanOfTokens(tokens, from, to))]
}
