import { repeatedIn } from '../../kit/lib/mail-text.ts'
import { LETTER } from '../../kit/lib/pattern.ts'
import { decodeEntities } from '../../kit/lib/text.ts'
import { changesAnEvent, completedReply, correctedEvent, correctionIn, spansOutside } from './answers.ts'
import { asidesIn } from './asides.ts'
import { supersededIn } from './conversations.ts'
import {
  type AnnotatedText,
  annotateText,
  contradictionsIn,
  isIn24Hours,
  sentencesOfPart,
  type TableTraits,
} from './draft/annotated-text.ts'
import { draftOf, type SharedByParts } from './draft/draft.ts'
import {
  type AnnouncedEvent,
  type AnnouncementContext,
  type IgnoredPassage,
  setField,
} from './draft/event.ts'
import { sharedOrganizer } from './draft/organizer.ts'
import { venuesIn } from './draft/place.ts'
import { type Table, type TableRow, tablesIn } from './tables.ts'
import { webPageIn } from './web-pages.ts'
import { MIN_LIST_ITEMS } from './when/parts.ts'
import type { TimeMention } from './when/times.ts'
import { blanked } from './where/addresses.ts'
import { type Cell, spanOf, textOf } from './words/cells.ts'
import { sentenceOf } from './words/clauses.ts'
import { isUndecided, significantWords, tidyTitle } from './words/phrases.ts'
import { plainText, type Span } from './words/plain.ts'
import { areInLine, hasAny, startsLine } from './words/tokens.ts'
import { isKind, WORDS } from './words/words.ts'

// The whole way from a text to drafts of events: what is not read, which days and times it names, which parts
// announce an event each, and for each of them the fields. What the text does not say for sure stays empty.

/** The most events of a text, and of an e-mail. */
export const MAX_EVENTS = 20

/** The most rows of tables that are read. */
const MAX_ROWS = 150

/** Emphasis in Markdown, and what follows something that is struck out: “~~Laser cutter~~ CANCELLED”. */
const CELL_MARKS = /(?<=^~~[^~]{1,200}~~).*$|~~|\*{1,2}|(?<!\w)_|_(?!\w)/g

/** What a choir or a company does for itself: “Generalprobe”, but not “Weinprobe”. */
const REHEARSALS =
  /^(?:rehearsals?|repetitions?|ensayos?|(?:general|haupt|chor|orchester|band|tanz|gesamt|stell|register)?proben?)$/

/** The most tokens of an ordinary row of a list. */
const MAX_ROW_TOKENS = 12

/** @property hasMore true if the text announces more events than {@link MAX_EVENTS} */
type TextReading = { drafts: AnnouncedEvent[]; ignored: IgnoredPassage[]; hasMore: boolean }

/**
 * Reads what clubs, theatres and towns send: the events that a text announces, in English, German, French and
 * Spanish. It takes time by the length of the text.
 *
 * @param sent a text or the HTML of a mail
 */
export function readAnnouncement(sent: string, known: AnnouncementContext): TextReading {
  const tables = tablesIn(sent)
  return tables.length > 0 ? readTables(sent, tables, known) : readText(sent, known)
}

/** Reads the rows of tables with headings, and the text around the tables. */
function readTables(sent: string, tables: readonly Table[], known: AnnouncementContext): TextReading {
  const rows = tables.flatMap(({ rows, isEnglish }) => rows.map(row => ({ ...row, isEnglish })))
  const isOf24 = rows.some(({ plain: { text } }) => isIn24Hours(text) || /\b0\d[:.h]\d\d/.test(text))
  const readings: TextReading[] = []
  const undatedRows: IgnoredPassage[] = []
  // Limited, since each row is searched for every name of the calendar.
  for (const row of rows.slice(0, MAX_ROWS)) {
    if (readings.length > MAX_EVENTS) break
    const { drafts, contradictions, hasDay } = readRow(row, {
      ...known,
      isEnglish: row.isEnglish,
      has24HourClock: isOf24,
    })
    if (drafts.length > 0) readings.push({ drafts, ignored: contradictions, hasMore: false })
    else if (!hasDay && row.title && LETTER().test(textOf(row.title)))
      undatedRows.push({ field: 'start_date', evidence: row.span, reason: 'no_day' })
  }
  const around = blanked(
    sent,
    tables.map(({ span }) => span),
  )
  if (LETTER().test(around)) readings.push(readText(around, known))
  const drafts = readings.flatMap(one => one.drafts)
  return {
    drafts: drafts.slice(0, MAX_EVENTS),
    ignored: [...readings.flatMap(({ ignored }) => ignored), ...undatedRows],
    hasMore: drafts.length > MAX_EVENTS || rows.length > MAX_ROWS || readings.some(({ hasMore }) => hasMore),
  }
}

/** The event of a row. Its title and its venue are those of their columns. */
function readRow({ plain, title, venue, room, status }: TableRow, known: AnnouncementContext & TableTraits) {
  const text = annotateText(plain, known)
  const drafts = draftsIn(text).slice(0, 1)
  for (const draft of drafts) {
    if (status) draft.event_status ??= status
    const name = title ? titleOfCell(title) : ''
    setField(
      draft,
      'title',
      title && name !== '' && !isUndecided(name) ? { value: name, span: spanOf(title) } : undefined,
    )
    if (room && draft.room === undefined)
      setField(draft, 'room', { value: decodeEntities(textOf(room)), span: spanOf(room) })
    if (draft.venue?.id !== undefined) continue
    const place = venue ? tidyTitle(decodeEntities(textOf(venue))) : ''
    const isNamed = venue && LETTER().test(place) && !isUndecided(textOf(venue))
    setField(draft, 'venue', isNamed ? { value: { venue: place }, span: spanOf(venue) } : undefined)
  }
  return { drafts, contradictions: contradictionsIn(text), hasDay: text.days.length > 0 }
}

const titleOfCell = (cell: Cell): string =>
  decodeEntities(textOf(cell).replace(CELL_MARKS, '')).replace(/\s+/g, ' ').trim()

/** Reads a text without tables, which may be a reply to an e-mail that announces an event. */
function readText(sent: string, known: AnnouncementContext): TextReading {
  const plain = plainText(sent)
  const { quotes, headers } = repeatedIn(plain.text)
  const superseded = supersededIn(plain.text, { today: known.today, monthFirst: false, isEnglish: false })
  const page = webPageIn(plain.text)
  const ignoredSpans = [headers, asidesIn(plain.text), page.around, superseded].flat()
  const readWithout = (blank: readonly Span[]) => {
    const text = annotateText(plain, known, { blank, site: page.siteNames })
    const announced = draftsIn(text).map(draft => (superseded.length > 0 ? withoutChatTitle(draft) : draft))
    const drafts = announced.slice(0, MAX_EVENTS)
    // “I can’t come on Saturday”: the day of the e-mail that this answers
    const isReply = text.hasWeekdayAlone && drafts.every(({ start_date: date }) => date.length === 10)
    const hasMore = announced.length > MAX_EVENTS
    return { text, drafts, hasMore, isAnswer: isReply, ignored: contradictionsIn(text) }
  }
  const ownReading = readWithout([...quotes, ...ignoredSpans])
  const saysNothing = ownReading.isAnswer || ownReading.drafts.length + ownReading.ignored.length === 0
  // A text that adds nothing to the e-mail that it quotes forwards this e-mail, but not what the e-mail
  // itself quotes.
  const nestedQuotes = quotes.filter(([from]) => /^> ?>/.test(plain.text.slice(from, from + 3)))
  const readQuotes = () =>
    readWithout([...spansOutside(quotes, plain.text.length), ...nestedQuotes, ...ignoredSpans])
  const readingWithQuotes =
    saysNothing && quotes.length > 0 ? readWithout([...nestedQuotes, ...ignoredSpans]) : ownReading
  // “The car park is closed till Easter, so we’ll meet at the back of the shop.”
  const fullestReading =
    readingWithQuotes.drafts.length > 0 || readingWithQuotes === ownReading ? readingWithQuotes : readQuotes()
  const { drafts, ignored, hasMore } = fullestReading.drafts.length > 0 ? fullestReading : ownReading
  const [only, ...further] = drafts
  if (only === undefined || further.length > 0 || quotes.length === 0) return { drafts, ignored, hasMore }
  if (saysNothing) return { drafts: [correctedEvent(only, correctionIn(ownReading.text))], ignored, hasMore }
  // “The talk is on Thursday 11 February, not Wednesday. Everything else stands.”
  const isChange = changesAnEvent(only, plain.text, quotes)
  const [repeated, ...more] = isChange ? readQuotes().drafts : []
  return {
    drafts: repeated && more.length === 0 ? [completedReply(only, repeated)] : drafts,
    ignored,
    hasMore,
  }
}

/** A draft without a title that is a piece of a chat: “Morgen kann ich”. */
function withoutChatTitle(draft: AnnouncedEvent): AnnouncedEvent {
  const { title = '', evidence, ...rest } = draft
  const { title: _said, ...others } = evidence
  return significantWords(title).some(isKind) ? draft : { ...rest, evidence: others }
}

/** The drafts of a text, and one more than {@link MAX_EVENTS} if it has more. */
function draftsIn(text: AnnotatedText): AnnouncedEvent[] {
  const { tokens, parts, around } = text
  const [first = 0] = parts[0] ?? []
  const [, below] = around
  const isList = parts.length >= MIN_LIST_ITEMS
  const common: SharedByParts = {
    times: sharedTimes(text),
    venues: text.outside.flatMap(part => venuesIn(text, sentencesOfPart(text, part), true)),
    organizer: sharedOrganizer(text),
    isTour: isList && hasAny(tokens.slice(0, first), WORDS.tours),
    namesKind: tokens.some(({ folded }) => isKind(folded)),
    areRows: isList && parts.slice(0, -1).every(([from, to]) => areInLine(tokens, to - 1, from)),
  }
  const partDrafts: DraftOfPart[] = []
  for (const [from, to] of parts) {
    if (partDrafts.length > MAX_EVENTS) break
    const draft = draftOf(text, [from, below ? Math.min(to, below[0]) : to], common)
    if (draft && !repeatsOther(text, draft, partDrafts)) partDrafts.push({ from, to, draft })
  }
  const withoutRehearsals =
    partDrafts.length < MIN_LIST_ITEMS ? partDrafts.filter(one => !isRehearsal(text, one)) : partDrafts
  return (withoutRehearsals.length > 0 ? withoutRehearsals : partDrafts).map(({ draft }) => draft)
}

type DraftOfPart = { from: number; to: number; draft: AnnouncedEvent }

/** The one time of several events, above them or in a sentence about all: “All films at 7.45pm”. */
function sharedTimes({ tokens, parts, moments }: AnnotatedText): TimeMention[] {
  if (parts.length < 2) return []
  const starts = moments.times.filter(({ start }) => start !== undefined)
  const above = starts.filter(({ to }) => to <= (parts[0]?.[0] ?? 0))
  const ofAll = starts.filter(({ from }) => hasAny(sentenceOf(tokens, from), WORDS.timesOfAll))
  return [above, ofAll].find(({ length }) => length === 1) ?? []
}

/**
 * True if a draft without a time repeats an earlier one that has its time, such as “Diary dates: Thurs 28 Jan
 * Open Morning”.
 */
const repeatsOther = (
  { tokens }: AnnotatedText,
  { start_date: date, title = '' }: AnnouncedEvent,
  drafts: readonly DraftOfPart[],
): boolean =>
  date.length === 10 &&
  drafts.some(({ from, to, draft: { start_date: other } }) => {
    if (other.slice(0, 10) !== date || other === date) return false
    const words = new Set(tokens.slice(from, to).map(({ folded }) => folded))
    return significantWords(title).every(word => words.has(word))
  })

/**
 * True for the rehearsals in “Concert on 20 March … Rehearsals restart on 21 January”, but not in short
 * lines.
 */
const isRehearsal = (
  { tokens }: AnnotatedText,
  { from, to, draft: { title = '', dates } }: DraftOfPart,
): boolean =>
  !dates &&
  (!startsLine(tokens, from) || to - from > MAX_ROW_TOKENS) &&
  significantWords(title).some(word => REHEARSALS.test(word)) &&
  !hasAny(tokens.slice(from, to), WORDS.openRehearsals)
