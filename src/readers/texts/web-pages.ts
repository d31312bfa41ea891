import { BETWEEN_WORDS } from '../../kit/lib/pattern.ts'
import { fold, type Line, linesIn } from '../../kit/lib/text.ts'
import type { Span } from './words/plain.ts'
import { anyOf, MONTHS, setOf, setOfPhrases, WORDS } from './words/words.ts'

// What is copied with the text of a web page: menus, buttons, when the house is open today, and other events
// that the visitor might like. None of it announces the event.

const BUTTONS = setOfPhrases('buttons')
const MENUS = setOfPhrases('menus')
const RELATED = setOfPhrases('related')

/** The most words of a phrase of a button or a menu. */
const MAX_WORDS = 7

/** The number of first lines among which the name of the website may be. */
const MAX_HEAD_LINES = 5

/** The most characters of a line that is looked at: longer lines are sentences. */
const MAX_LINE = 200

/** The number of buttons and menus that makes a text that of a web page. */
const MIN_PAGE_MARKS = 2

const OPENING_HOUR_WORDS = anyOf(
  WORDS.opening,
  WORDS.todayOnPages,
  WORDS.small,
  WORDS.hoursOnPages,
  setOf('h'),
)

const HOUR = /^\d{1,4}(?:am|pm|h|h\d\d|hrs|uhr)?$/

/** The sign between the parts of a menu, or of the path to a page: “Home > What's on > Talks”. */
const MENU_SEPARATOR = /\s[|>›»•·→/]\s/

/**
 * @property phrases the number of phrases of menus and buttons that it consists of, 0 if it has anything else
 */
type PageLine = Line & { words: string[]; phrases: number }

/** How many words from a place on are a phrase; the longest counts. */
function phraseAt(words: readonly string[], at: number): number {
  for (let to = Math.min(words.length, at + MAX_WORDS); to > at; to--) {
    const phrase = words.slice(at, to).join(' ')
    if (BUTTONS.has(phrase) || MENUS.has(phrase)) return to - at
  }
  return 0
}

/** How many phrases of menus and buttons a line consists of, 0 if there is anything else in it. */
function phrasesOf(words: readonly string[]): number {
  let phrases = 0
  for (let at = 0; at < words.length; phrases++) {
    const length = phraseAt(words, at)
    if (length === 0) return 0
    at += length
  }
  return phrases
}

const wordsOf = (text: string): string[] =>
  fold(text.replace(/\(\d+\)/g, ' '))
    .replace(/['’]/g, '')
    .split(BETWEEN_WORDS())
    .filter(Boolean)

/** True for the line that says when a house is open today: “Open today 10am – 5pm”. */
const areHoursOfToday = ({ words }: PageLine): boolean =>
  words.some(word => WORDS.opening.has(word)) &&
  words.some(word => WORDS.todayOnPages.has(word)) &&
  words.some(word => HOUR.test(word)) &&
  words.every(word => OPENING_HOUR_WORDS.has(word) || HOUR.test(word))

/** True for a button, a banner about cookies, the line of the copyright, or a menu in one line. */
function isButtonOrMenu({ words, text, phrases }: PageLine): boolean {
  if (phrases > 1 || /^\s*©/.test(text) || BUTTONS.has(words.join(' '))) return true
  if (words.some(word => WORDS.cookies.has(word)) && words.some(word => WORDS.consent.has(word))) return true
  const [first = '', ...rest] = text.split(MENU_SEPARATOR)
  return rest.length > 1 && phrasesOf(wordsOf(first)) > 0
}

/** True for a line with a date: “11 February”, “11.2.2027”. */
const hasDate = ({ words, text }: PageLine): boolean =>
  (words.some(word => MONTHS.has(word)) && /\d/.test(text)) || /\d{1,2}[./]\d{1,2}[./]/.test(text)

/** The most lines between a tile and the date that it repeats: a kind, the title, whom it is for. */
const MAX_TO_DATE = 5

const isDay = (word: string): boolean => /^\d{1,2}$/.test(word)

/**
 * The day and month of a tile above a title, in one line or two, which the date below repeats: “30 / JAN”,
 * “FEB 7”.
 */
function tilesIn(lines: readonly PageLine[]): PageLine[] {
  return lines.flatMap((line, i) => {
    const next = lines[i + 1]
    const tile = line.words.length === 1 && next?.words.length === 1 ? [line, next] : [line]
    const words = tile.flatMap(part => part.words)
    const day = words.find(isDay)
    const month = words.find(word => MONTHS.has(word))
    if (words.length !== 2 || day === undefined || month === undefined) return []
    const below = lines.slice(i + tile.length, i + MAX_TO_DATE + 2)
    const repeats = (other: PageLine): boolean =>
      other.words.length > 2 &&
      other.words.some(word => word === day || word === day.replace(/^0/, '')) &&
      other.words.some(word => MONTHS.get(word) === MONTHS.get(month))
    return below.some(repeats) ? tile : []
  })
}

/** @property around what announces nothing @property siteNames lines that may be the name of the website */
type WebPage = { around: Span[]; siteNames: Span[] }

/**
 * What a web page has around what it announces. Apart from today's opening hours, it is only looked for where
 * a text has the marks of a web page: a “Menu” may be that of a dinner. A single line of a menu may be a
 * heading.
 */
export function webPageIn(text: string): WebPage {
  const lines = readLines(text)
  const areHours = lines.map(areHoursOfToday)
  // “Open day! Open today from 10 to 5”: without another number, today’s hours may be those of the event.
  const hasMore = lines.some(({ text: line }, i) => !areHours[i] && /\d/.test(line))
  const tiles = new Set(tilesIn(lines))
  const hours = [...(hasMore ? lines.filter((_line, i) => areHours[i]) : []), ...tiles]
  const isButton = lines.map(isButtonOrMenu)
  if (isButton.filter(Boolean).length < MIN_PAGE_MARKS) return { around: hours.map(spanOf), siteNames: [] }
  const isMenu = lines.map(({ phrases }, i) => isButton[i] || phrases > 0)
  const isAround = lines.map(
    (_line, i) => areHours[i] || isButton[i] || (isMenu[i] && (isMenu[i - 1] || isMenu[i + 1])),
  )
  // “Upcoming events”, above those of a list
  const firstDay = lines.findIndex((line, i) => !isAround[i] && hasDate(line))
  const related = lines.find(({ words }, i) => firstDay >= 0 && i > firstDay && RELATED.has(words.join(' ')))
  const around = lines.filter((line, i) => isAround[i] || tiles.has(line)).map(spanOf)
  // The name of the site is between a link to the content and the menu.
  const site = lines.filter(
    (_line, i) => i < MAX_HEAD_LINES && !isAround[i] && isAround[i - 1] && isAround[i + 1],
  )
  return { around: related ? [...around, [related.from, text.length]] : around, siteNames: site.map(spanOf) }
}

const spanOf = ({ from, to }: PageLine): Span => [from, to]

/** The lines that aren't empty, with their words. */
function readLines(text: string): PageLine[] {
  return linesIn(text).flatMap(({ text: line, from, to }) => {
    if (line.trim() === '') return []
    const shortLine = line.length <= MAX_LINE ? line : ''
    const words = wordsOf(shortLine)
    return { from, to, text: shortLine, words, phrases: phrasesOf(words) }
  })
}
