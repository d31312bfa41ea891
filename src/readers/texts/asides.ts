import { fold, type Line, linesIn } from '../../kit/lib/text.ts'
import type { Span } from './words/plain.ts'
import { QUOTES } from './words/tokens.ts'
import { anyOf, setOf, WORDS } from './words/words.ts'

// What is next to an announcement but must not be read: the items of a meeting's agenda, what messengers
// write before each message, that something takes place in any weather, and what the church calls a day.

/** The stretches of a text that say nothing of its events. */
export const asidesIn = (text: string): Span[] =>
  [agendasIn, chatHeadersIn, anyWeatherIn, churchDaysIn].flatMap(spansIn => spansIn(text))

const AGENDA_HEADING = /^\W{0,4}(?:agenda|tagesordnung|ordre du jour|orden del d[ií]a)\W{0,4}$/i
const AGENDA_IN_LINE = /^\W{0,4}(?:tagesordnung|ordre du jour|orden del d[ií]a) ?:/i
const AGENDA_ITEM = /^\s{0,8}(?:[-–•*·]\s|(?:\d{1,2}|[a-z])\s?[.):-])/i

/** The number of an item that looks like a day: `27/03 Public participation`. */
const ITEM_NUMBER = /^\s{0,8}(\d{1,4})\/(\d{1,4})(?![\d/])/

/** Nothing takes place on the same day of three months in a row, but items have numbers like that. */
const MIN_ITEM_NUMBERS = 3

/**
 * The items of agendas, whose days and amounts are not those of the meeting. An agenda comes below the day of
 * its meeting: an “Agenda” at the top may be a calendar.
 */
function agendasIn(text: string): Span[] {
  const spans: Span[] = []
  let isInAgenda = false
  let hasNumberAbove = false
  const lines = linesIn(text)
  const isItemNumber = itemNumberTest(lines)
  for (const { text: line, from, to } of lines) {
    const [number] = ITEM_NUMBER.exec(line) ?? []
    const isNumbered = number !== undefined && isItemNumber(number)
    if (AGENDA_HEADING.test(line)) isInAgenda = hasNumberAbove
    else if (hasNumberAbove && AGENDA_IN_LINE.test(line)) spans.push([from, to])
    else if (isInAgenda && (isNumbered || AGENDA_ITEM.test(line))) spans.push([from, to])
    else {
      if (isNumbered) spans.push([from, from + number.length])
      if (line.trim() !== '') isInAgenda = false
    }
    hasNumberAbove ||= /\d/.test(line)
  }
  return spans
}

/**
 * Makes a test for numbers of items, whose first part stays while the second one counts up: 27/01, 27/02,
 * 27/03.
 */
function itemNumberTest(lines: readonly Line[]): (number: string) => boolean {
  const partsOf = (line: string): number[] => (ITEM_NUMBER.exec(line) ?? []).slice(1).map(Number)
  const numberPairs = new Set(lines.map(({ text }) => partsOf(text).join('/')))
  const steps = Array.from({ length: MIN_ITEM_NUMBERS }, (_, i) => i)
  return number => {
    const [first, second = 0] = partsOf(number)
    return steps.some(back => steps.every(step => numberPairs.has(`${first}/${second - back + step}`)))
  }
}

/** The head of a message with brackets: `[14.01., 08:47] Anna: `, `[1/14/27, 8:47:05 PM] Anna: `. */
const HEADER_IN_BRACKETS =
  /^\[\d{1,2}[./]\d{1,2}\.?(?:[./]?\d{2,4})?,? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?\] ?(?:[^:\n]{1,40}: ?)?/

/** The head of a message with a dash: `14/01/2027, 08:47 - Anna: `. */
const HEADER_WITH_DASH =
  /^\d{1,2}[./]\d{1,2}[./](?:\d{2}|\d{4}),? \d{1,2}:\d{2}(?: ?[AaPp]\.?[Mm]\.?)? - [^:\n]{1,40}: /

/** A list of dates may look like a message with a dash, but no chat has only one. */
const MIN_HEADERS_WITH_DASH = 2

const MAX_HEADER = 100

/**
 * What messengers export before each message: its day, its time and its sender, which are not those of
 * events.
 */
function chatHeadersIn(text: string): Span[] {
  const [bracketed, dashed]: [Span[], Span[]] = [[], []]
  for (const { text: line, from } of linesIn(text)) {
    const start = line.slice(0, MAX_HEADER)
    const header = HEADER_IN_BRACKETS.exec(start) ?? HEADER_WITH_DASH.exec(start)
    if (header) (start.startsWith('[') ? bracketed : dashed).push([from, from + header[0].length])
  }
  return dashed.length < MIN_HEADERS_WITH_DASH ? bracketed : [...bracketed, ...dashed]
}

/**
 * “Whatever the weather”, and “if it is fine”, as people hope. Neither says anything about an event, unlike
 * “if it rains”, after which another day or place follows.
 */
const IN_ANY_WEATHER = [
  /\b(?:[Cc]ome )?[Rr]ain or shine\b/g,
  /\b[Ii]n (?:any weather|all weathers)\b/g,
  /\b(?:[Ww]hatever|[Rr]egardless of) the weather\b/g,
  /\b[Ww]eather permitting\b/g,
  /\b[Ii]f (?:the weather is |it is |it['’]s )?(?:fine|dry)(?=[,;:)])/g,
  /\b(?:[Aa]uch )?[Bb]ei (?:jedem|gutem|schönem|trockenem) Wetter\b/g,
  /\b[Bb]ei (?:jeder Witterung|Wind und Wetter|Regen (?:oder|und) Sonnenschein)\b/g,
  /\b[Aa]uch bei Regen\b/g,
  /\b[Pp]ar (?:tous les temps|tout temps|beau temps)\b/g,
  /\b[Qq]uel(?:le)? que soit (?:le temps|la météo)\b/g,
  /\b[Ss]i (?:le temps|la météo) le permet\b/g,
  /\b[Mm]ême (?:en cas de pluie|s['’]il pleut)\b/g,
  /\b[Hh]aga el tiempo que haga\b/g,
  /\b[Ll]lueva o (?:truene|haga sol)\b/g,
  /\b[Ss]i el (?:tiempo|clima) lo permite\b/g,
  /\b[Aa]unque llueva\b/g,
]

/**
 * Where a text says that the weather makes no difference, but not in a title in quotation marks: “Rain or
 * shine”
 */
const anyWeatherIn = (text: string): Span[] =>
  IN_ANY_WEATHER.flatMap(pattern =>
    [...text.matchAll(pattern)].flatMap(({ 0: phrase, index }): Span[] =>
      QUOTES.includes(text[index - 1] ?? ' ') ? [] : [[index, index + phrase.length]],
    ),
  )

const BEGINS_WITH_HOUR = /^\s*\d{1,2}(?:[.:h]\d{2}|\s?(?:Uhr|h|am|pm)\b)/i
const BEFORE_NAME = /\s[-–—|]\s|[,:]\s|\s\(/g

const CHURCH_YEAR_WORDS = anyOf(WORDS.small, WORDS.daysOfChurchYear, setOf('i ii iii iv v vi'))

/**
 * What a parish calls a day above the hours of its services, which is not their title: “Sunday 6 December –
 * Second Sunday of Advent”.
 */
function churchDaysIn(text: string): Span[] {
  const lines = linesIn(text).filter(line => line.text.trim() !== '')
  return lines.flatMap(({ text: line, from, to }, i): Span[] => {
    if (!BEGINS_WITH_HOUR.test(lines[i + 1]?.text ?? '')) return []
    const name = [...line.matchAll(BEFORE_NAME)].find(({ index }) => {
      const words = fold(line.slice(index)).match(/[a-z]+/g) ?? []
      return (
        /\d/.test(line.slice(0, index)) &&
        words.length > 0 &&
        words.every(word => CHURCH_YEAR_WORDS.has(word))
      )
    })
    return name ? [[from + name.index, to]] : []
  })
}
