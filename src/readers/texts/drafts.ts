import { repeatedIn } from '../../kit/lib/mail-text.ts'
import { LETTER } from '../../kit/lib/pattern.ts'
import { decodeEntities } from '../../kit/lib/text.ts'
import { changesAnEvent, completed, corrected, correctionIn, outside } from './answers.ts'
import { asidesIn } from './asides.ts'
import { supersededIn } from './conversations.ts'
import {
  type AnnotatedText,
  annotated,
  contradictionsIn,
  isIn24Hours,
  sentencesOfPart,
  type TableTraits,
} from './draft/annotated-text.ts'
import { type Common, draftOf } from './draft/draft.ts'
import { type AnnouncedEvent, type Contradiction, type KnownNames, setField } from './draft/event.ts'
import { organizerOfAll } from './draft/organizer.ts'
import { venuesIn } from './draft/place.ts'
import { type Table, type TableRow, tablesIn } from './tables.ts'
import { webPageIn } from './web-pages.ts'
import { MIN_OF_LIST } from './when/parts.ts'
import type { TimeMention } from './when/times.ts'
import { blanked } from './where/addresses.ts'
import { type Cell, spanOf, textOf } from './words/cells.ts'
import { sentenceOf } from './words/clauses.ts'
import { isUndecided, significantWords, tidy } from './words/phrases.ts'
import { plainText, type Span } from './words/plain.ts'
import { areInLine, hasAny, startsLine } from './words/tokens.ts'
import { isKind, setOf } from './words/words.ts'

// The whole way from a text to drafts of events: what is not read, which days and times it names, which parts
// announce an event each, and for each of them the fields. What the text does not say for sure stays empty.

/** The most events of a text, and of an e-mail. */
export const MAX_EVENTS = 20

/** The most rows of tables that are read. */
const MAX_ROWS = 150

/** Emphasis in Markdown, and what follows something that is struck out: “~~Laser cutter~~ CANCELLED”. */
const MARKS_OF_CELLS = /(?<=^~~[^~]{1,200}~~).*$|~~|\*{1,2}|(?<!\w)_|_(?!\w)/g

/** Words of times that all have: “Beginn immer 20 Uhr”. */
const OF_ALL = setOf(
  'immer jeweils alle all always each tous toutes toujours chaque todos todas siempre cada unless sofern sauf salvo',
)

const TOURS = setOf('tour tournee gira tourdaten tourdates')

/** What a choir or a company does for itself: “Generalprobe”, but not “Weinprobe”. */
const REHEARSALS =
  /^(?:rehearsals?|repetitions?|ensayos?|(?:general|haupt|chor|orchester|band|tanz|gesamt|stell|register)?proben?)$/

/** Beside rehearsals to which everybody may come: “Open rehearsal”, «répétition publique». */
const FOR_ALL = setOf('open offene offenen offentliche publique publiques ouverte abierto publico')

/** Tokens that hardly any row of a list has. */
const LONG_ROW = 12

/** @property hasMore true if the text announces more events than {@link MAX_EVENTS} */
type ReadText = { drafts: AnnouncedEvent[]; ignored: Contradiction[]; hasMore: boolean }

/**
 * Reads what clubs, theatres and towns send: the events that a text announces, in English, German, French and
 * Spanish. It takes time by the length of the text.
 *
 * @param sent a text or the HTML of a mail
 */
export function readAnnouncement(sent: string, known: KnownNames): ReadText {
  const tables = tablesIn(sent)
  return tables.length > 0 ? readTables(sent, tables, known) : readText(sent, known)
}

/** Reads the rows of tables with headings, and what stands around these. */
function readTables(sent: string, tables: readonly Table[], known: KnownNames): ReadText {
  const rows = tables.flatMap(({ rows, isEnglish }) => rows.map(row => ({ ...row, isEnglish })))
  const isOf24 = rows.some(({ plain: { text } }) => isIn24Hours(text) || /\b0\d[:.h]\d\d/.test(text))
  const read: ReadText[] = []
  const unread: Contradiction[] = []
  // Each row is looked through for all names of the calendar.
  for (const row of rows.slice(0, MAX_ROWS)) {
    if (read.length > MAX_EVENTS) break
    const { drafts, contradictions, hasDay } = readRow(row, { ...known, isEnglish: row.isEnglish, isOf24 })
    if (drafts.length > 0) read.push({ drafts, ignored: contradictions, hasMore: false })
    else if (!hasDay && row.title && LETTER().test(textOf(row.title)))
      unread.push({ field: 'start_date', evidence: row.span, reason: 'no_day' })
  }
  const around = blanked(
    sent,
    tables.map(({ span }) => span),
  )
  if (LETTER().test(around)) read.push(readText(around, known))
  const drafts = read.flatMap(one => one.drafts)
  return {
    drafts: drafts.slice(0, MAX_EVENTS),
    ignored: [...read.flatMap(({ ignored }) => ignored), ...unread],
    hasMore: drafts.length > MAX_EVENTS || rows.length > MAX_ROWS || read.some(({ hasMore }) => hasMore),
  }
}

/** The event of a row. Its title and its venue are those of their columns. */
function readRow({ plain, title, venue, room, status }: TableRow, known: KnownNames & TableTraits) {
  const text = annotated(plain, known)
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
    const place = venue ? tidy(decodeEntities(textOf(venue))) : ''
    const isNamed = venue && LETTER().test(place) && !isUndecided(textOf(venue))
    setField(draft, 'venue', isNamed ? { value: { venue: place }, span: spanOf(venue) } : undefined)
  }
  return { drafts, contradictions: contradictionsIn(text), hasDay: text.days.length > 0 }
}

const titleOfCell = (cell: Cell): string =>
  decodeEntities(textOf(cell).replace(MARKS_OF_CELLS, '')).replace(/\s+/g, ' ').trim()

/** Reads a text without tables, which may be an answer to an e-mail that announces an event. */
function readText(sent: string, known: KnownNames): ReadText {
  const plain = plainText(sent)
  const { quotes, headers } = repeatedIn(plain.text)
  const superseded = supersededIn(plain.text, { today: known.today, monthFirst: false, isEnglish: false })
  const page = webPageIn(plain.text)
  const others = [headers, asidesIn(plain.text), page.around, superseded].flat()
  const read = (blank: readonly Span[]) => {
    const text = annotated(plain, known, { blank, site: page.site })
    const found = draftsIn(text).map(draft => (superseded.length > 0 ? withoutChat(draft) : draft))
    const drafts = found.slice(0, MAX_EVENTS)
    // “I can’t come on Saturday”: the day of the e-mail that this answers
    const isAnswer = text.hasWeekdayAlone && drafts.every(({ start_date: date }) => date.length === 10)
    const hasMore = found.length > MAX_EVENTS
    return { text, drafts, hasMore, isAnswer, ignored: contradictionsIn(text) }
  }
  const written = read([...quotes, ...others])
  const saysNothing = written.isAnswer || written.drafts.length + written.ignored.length === 0
  // Somebody who adds nothing to another e-mail passes it on, without what that one repeats in its turn.
  const inner = quotes.filter(([from]) => /^> ?>/.test(plain.text.slice(from, from + 3)))
  const readRepeated = () => read([...outside(quotes, plain.text.length), ...inner, ...others])
  const both = saysNothing && quotes.length > 0 ? read([...inner, ...others]) : written
  // “The car park is closed till Easter, so we’ll meet at the back of the shop.”
  const repeatedToo = both.drafts.length > 0 || both === written ? both : readRepeated()
  const { drafts, ignored, hasMore } = repeatedToo.drafts.length > 0 ? repeatedToo : written
  const [only, ...further] = drafts
  if (only === undefined || further.length > 0 || quotes.length === 0) return { drafts, ignored, hasMore }
  if (saysNothing) return { drafts: [corrected(only, correctionIn(written.text))], ignored, hasMore }
  // “The talk is on Thursday 11 February, not Wednesday. Everything else stands.”
  const isChange = changesAnEvent(only, plain.text, quotes)
  const [repeated, ...more] = isChange ? readRepeated().drafts : []
  return { drafts: repeated && more.length === 0 ? [completed(only, repeated)] : drafts, ignored, hasMore }
}

/** A draft without the part of a question or an answer that looks like its title: “Morgen kann ich”. */
function withoutChat(draft: AnnouncedEvent): AnnouncedEvent {
  const { title = '', evidence, ...rest } = draft
  const { title: _said, ...others } = evidence
  return significantWords(title).some(isKind) ? draft : { ...rest, evidence: others }
}

/** The drafts of a text, and one more than {@link MAX_EVENTS} if it has more. */
function draftsIn(text: AnnotatedText): AnnouncedEvent[] {
  const { tokens, parts, around } = text
  const [first = 0] = parts[0] ?? []
  const [, tail] = around
  const isList = parts.length >= MIN_OF_LIST
  const common: Common = {
    times: timesOfAll(text),
    venues: text.outer.flatMap(part => venuesIn(text, sentencesOfPart(text, part), true)),
    organizer: organizerOfAll(text),
    isOfTour: isList && hasAny(tokens.slice(0, first), TOURS),
    namesKind: tokens.some(({ low }) => isKind(low)),
    isRow: isList && parts.slice(0, -1).every(([from, to]) => areInLine(tokens, to - 1, from)),
  }
  const read: DraftOfPart[] = []
  for (const [from, to] of parts) {
    if (read.length > MAX_EVENTS) break
    const draft = draftOf(text, [from, tail ? Math.min(to, tail[0]) : to], common)
    if (draft && !isRepeated(text, draft, read)) read.push({ from, to, draft })
  }
  const others = read.length < MIN_OF_LIST ? read.filter(one => !isRehearsal(text, one)) : read
  return (others.length > 0 ? others : read).map(({ draft }) => draft)
}

type DraftOfPart = { from: number; to: number; draft: AnnouncedEvent }

/** The one time of several events, above them or in a sentence about all: “All films at 7.45pm”. */
function timesOfAll({ tokens, parts, moments }: AnnotatedText): TimeMention[] {
  if (parts.length < 2) return []
  const starts = moments.times.filter(({ start }) => start !== undefined)
  const above = starts.filter(({ to }) => to <= (parts[0]?.[0] ?? 0))
  const ofAll = starts.filter(({ from }) => hasAny(sentenceOf(tokens, from), OF_ALL))
  return [above, ofAll].find(({ length }) => length === 1) ?? []
}

/** True for “Diary dates: Thurs 28 Jan Open Morning”, below what is said of that with its hour. */
const isRepeated = (
  { tokens }: AnnotatedText,
  { start_date: date, title = '' }: AnnouncedEvent,
  drafts: readonly DraftOfPart[],
): boolean =>
  date.length === 10 &&
  drafts.some(({ from, to, draft: { start_date: other } }) => {
    if (other.slice(0, 10) !== date || other === date) return false
    const words = new Set(tokens.slice(from, to).map(({ low }) => low))
    return significantWords(title).every(word => words.has(word))
  })

/** True for “Concert on 20 March … Rehearsals restart on 21 January”, but not for a short line. */
const isRehearsal = (
  { tokens }: AnnotatedText,
  { from, to, draft: { title = '', dates } }: DraftOfPart,
): boolean =>
  !dates &&
  (!startsLine(tokens, from) || to - from > LONG_ROW) &&
  significantWords(title).some(word => REHEARSALS.test(word)) &&
  !hasAny(tokens.slice(from, to), FOR_ALL)
