import { repeatedIn } from '../../kit/lib/mail-text.ts'
import { LETTER } from '../../kit/lib/pattern.ts'
import { decodeEntities } from '../../kit/lib/text.ts'
import { asidesIn } from './asides.ts'
import { supersededIn } from './conversations.ts'
import { type Table, type TableRow, tablesIn } from './tables.ts'
import { webPageIn } from './web-pages.ts'
import { Costs } from './what/costs.ts'
import { announcesNothing } from './what/purposes.ts'
import { IN, leadOf, type Sentence, withArticle } from './what/scorecard.ts'
import { labelledTitleIn, sentencesOf, titleIn } from './what/titles.ts'
import { type Correction, correctedDates, correctedDay } from './when/corrections.ts'
import { type DayMention, daysLater, weekdayOn } from './when/day-mentions.ts'
import { daysIn, englishDaysIn } from './when/days.ts'
import { feastsBesideWeekday, feastsIn } from './when/feasts.ts'
import { type EventMoments, eventMoments } from './when/moments.ts'
import { MAX_DAYS, MIN_OF_LIST, PartsReader, type TextPart } from './when/parts.ts'
import { movedToEves } from './when/relative-days.ts'
import { isDenied, isInPlace, isOfVehicle } from './when/roles.ts'
import { type EventDates, whenOf } from './when/schedules.ts'
import { seasonsIn } from './when/seasons.ts'
import { statusIn } from './when/status.ts'
import { type TimeMention, timesIn } from './when/times.ts'
import { bareDayOfMonth, bareWeekday } from './when/weekdays.ts'
import { withWeekdaysOfWeek } from './when/weeks.ts'
import { addressesIn, blanked, isToUnsubscribe, type WebAddress } from './where/addresses.ts'
import { type KnownName, type NameMention, namesIn, shortFor, TextIndex, WHOLE } from './where/names.ts'
import { isOnline, NEAR_DAY, type StreetMention, streetBeside, streetsIn, townAfter } from './where/places.ts'
import { roomIn } from './where/rooms.ts'
import { isHeldAt, isLed, type VenueCandidate, venueCandidates, venueIn } from './where/venues.ts'
import { type Cell, spanOf, textOf } from './words/cells.ts'
import { sentenceOf, splitClauses, wordsBefore } from './words/clauses.ts'
import { significantWords, tidy } from './words/phrases.ts'
import { type PlainText, plainText, type Span } from './words/plain.ts'
import { areInLine, QUOTES, readable, startsLine, type Token, tokensOf, withLetters } from './words/tokens.ts'
import { anyOf, HOLDING, isKind, SMALL, setOf, type WordSet, wordsFor } from './words/words.ts'

// The whole way from a text to drafts of events: what is not read, which days and times it names, which parts
// announce an event each, and for each of them the fields. What the text does not say for sure stays empty.

/** Fields of a draft for which a place in the text is known. */
export type DraftField =
  | 'title'
  | 'start_date'
  | 'end_date'
  | 'venue'
  | 'organizer'
  | 'address'
  | 'city'
  | 'room'
  | 'cost'
  | 'website'

/** An event that a text announces. What the text does not say for sure is absent. */
export type AnnouncedEvent = {
  title?: string
  /** `2027-02-26 19:30:00`, or the day alone where the text says no time. */
  start_date: string
  end_date?: string
  all_day: boolean
  /** Further dates of the same event. */
  dates?: string[]
  venue?: { id?: number; venue: string }
  organizer?: { id: number; organizer: string }
  address?: string
  city?: string
  /** The room of a venue that the calendar knows, or that of its column. */
  room?: string
  /** `12 - 15`, `£5` in another currency than the calendar's, or `0` where it is free. */
  cost?: string
  website?: string
  event_status?: 'canceled' | 'postponed'
  /**
   * What the text leaves open: a start in the evening, which is so as a rule, or the first date alone of what
   * recurs without an end.
   */
  assumed?: ('evening' | 'first_date')[]
  /**
   * Where each value stands in the text that was sent: the offsets of its first character, and after its
   * last.
   */
  evidence: Partial<Record<DraftField, Span>>
}

/**
 * A field about which two places of a text contradict each other (`weekday`), or a row of a table that is in no draft,
 * as it has no day that can be read (`no_day`).
 */
export type Contradiction = { field: DraftField; evidence: Span; reason: 'weekday' | 'no_day' }

/** What a calendar knows. @property today as `2027-01-14`, where the text is read */
export type KnownNames = {
  venues: readonly KnownName[]
  organizers: readonly KnownName[]
  today: string
  timezone: string
  /** The sign of the calendar's currency, with which costs are bare numbers. */
  currency: string
}

/** What the other rows of a table say of one: its language, and whether its hours are those of a clock of 24. */
type Reading = { isEnglish: boolean; isOf24: boolean }

/** The most events of a text, and of an e-mail. */
export const MAX_EVENTS = 20

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

/** The most rows of tables that are read. */
const MAX_ROWS = 150

/** Reads the rows of tables with headings, and what stands around these. */
function readTables(sent: string, tables: readonly Table[], known: KnownNames): ReadText {
  const rows = tables.flatMap(({ rows, isEnglish }) => rows.map(row => ({ ...row, isEnglish })))
  const isOf24 = rows.some(({ plain }) => IN_24_HOURS.test(plain.text) || /\b0\d[:.h]\d\d/.test(plain.text))
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
function readRow({ plain, title, venue, room, status }: TableRow, known: KnownNames & Reading) {
  const reader = new AnnouncementReader(plain, known, [], [])
  const drafts = reader.drafts().slice(0, 1)
  for (const draft of drafts) {
    if (status) draft.event_status ??= status
    const name = title ? titleOf(title) : ''
    delete draft.title
    delete draft.evidence.title
    if (title && name !== '') {
      draft.title = name
      draft.evidence.title = spanOf(title)
    }
    if (room && draft.room === undefined) {
      draft.room = decodeEntities(textOf(room))
      draft.evidence.room = spanOf(room)
    }
    if (draft.venue?.id !== undefined) continue
    delete draft.venue
    delete draft.evidence.venue
    const place = venue ? tidy(decodeEntities(textOf(venue))) : ''
    if (venue && LETTER().test(place)) {
      draft.venue = { venue: place }
      draft.evidence.venue = spanOf(venue)
    }
  }
  return { drafts, contradictions: reader.contradictions(), hasDay: reader.hasDay() }
}

/** Tokens that hardly any row of a list has. */
const LONG_ROW = 12
/** “Generalprobe”, but “Weinprobe” */
const REHEARSALS =
  /^(?:rehearsals?|repetitions?|ensayos?|(?:general|haupt|chor|orchester|band|tanz|gesamt|stell|register)?proben?)$/
/** “Open rehearsal”, «répétition publique» */
const FOR_ALL = setOf('open offene offenen offentliche publique publiques ouverte abierto publico')

const titleOf = (cell: Cell): string =>
  decodeEntities(textOf(cell).replace(MARKS_OF_CELLS, '')).replace(/\s+/g, ' ').trim()

/** Emphasis in Markdown, and what follows something that is struck out: “~~Laser cutter~~ CANCELLED”. */
const MARKS_OF_CELLS = /(?<=^~~[^~]{1,200}~~).*$|~~|\*{1,2}|(?<!\w)_|_(?!\w)/g

function readText(sent: string, known: KnownNames): ReadText {
  const plain = plainText(sent)
  const { quotes, headers } = repeatedIn(plain.text)
  const read = (blank: readonly Span[]) => {
    const reading = new AnnouncementReader(plain, known, blank, page.site)
    const found = reading.drafts().map(draft => (superseded.length > 0 ? withoutChat(draft) : draft))
    const drafts = found.slice(0, MAX_EVENTS)
    const hasMore = found.length > MAX_EVENTS
    // “I can’t come on Saturday”: the day of the e-mail that this answers
    const isAnswer = reading.isOfWeekdayAlone() && drafts.every(({ start_date: date }) => date.length === 10)
    return {
      drafts,
      hasMore,
      isAnswer,
      ignored: reading.contradictions(),
      correction: () => reading.correction(),
    }
  }
  const superseded = supersededIn(plain.text, { today: known.today, monthFirst: false, isEnglish: false })
  const page = webPageIn(plain.text)
  const others = [headers, asidesIn(plain.text), page.around, superseded].flat()
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
  if (saysNothing) return { drafts: [corrected(only, written.correction())], ignored, hasMore }
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

/** What stands between some stretches of a text, without the ends of lines between two of them. */
const outside = (spans: readonly Span[], end: number): Span[] =>
  [0, ...spans.map(([, to]) => to)]
    .map((from, i): Span => [from, spans[i]?.[0] ?? end])
    .filter(([from, to]) => to - from > 1)

const CHANGES = anyOf(
  wordsFor('negations', 'but', 'postponed', 'newDate'),
  setOf(
    'wrong change changed statt instead rather aber pero vez lieber mejor plutot erreur error corrige falsch andern geandert cambio cambiar equivocado',
  ),
)
/** “Everything else stands”, “Der Rest stimmt” */
const REST = setOf(
  'else rest same unchanged ubrige gleiche gleichen gleich unverandert meme memes reste inchange inchangee inchanges inchangees mismo misma mismos mismas igual demas',
)
/**
 * True if an answer says that something is not as in the e-mail that it repeats, and speaks of the same
 * event.
 */
function changesAnEvent({ title = '' }: AnnouncedEvent, text: string, quotes: readonly Span[]): boolean {
  const [own, repeated] = [quotes, outside(quotes, text.length)].map(
    spans => new Set(tokensOf(blanked(text, [...spans])).map(({ low }) => low)),
  )
  const words = significantWords(title)
  const has = (some: WordSet): boolean => [...(own ?? [])].some(word => some.has(word))
  return has(CHANGES) && (has(REST) || words.length === 0 || words.some(word => repeated?.has(word)))
}

/** What an answer announces on another day, with what only the e-mail says that it repeats. */
function completed(answer: AnnouncedEvent, repeated: AnnouncedEvent): AnnouncedEvent {
  const {
    start_date: planned,
    end_date: end,
    dates: _dates,
    event_status: _status,
    assumed,
    ...kept
  } = repeated
  const day = answer.start_date.slice(0, 10)
  const isTimed = answer.start_date.length > 10
  const hasEnd = !isTimed && end?.slice(0, 10) === planned.slice(0, 10)
  const title = repeated.title ?? answer.title
  return {
    ...kept,
    ...answer,
    ...(title !== undefined && { title }),
    start_date: isTimed ? answer.start_date : `${day}${planned.slice(10)}`,
    ...(!isTimed && assumed && { assumed }),
    ...(hasEnd && { end_date: `${day}${end?.slice(10)}` }),
    evidence: {
      ...repeated.evidence,
      ...answer.evidence,
      ...(repeated.evidence.title && { title: repeated.evidence.title }),
    },
  }
}

function corrected(draft: AnnouncedEvent, correction: Correction): AnnouncedEvent {
  const dates = correctedDates(draft, correction)
  if (!dates) return draft
  const { end_date: _end, assumed, evidence, ...rest } = draft
  const { end_date: _said, ...others } = evidence
  const isSameHour = dates.start_date.slice(10) === draft.start_date.slice(10)
  return {
    ...rest,
    ...dates,
    ...(isSameHour && assumed && { assumed }),
    evidence: { ...others, ...dates.evidence },
  }
}

const ENGLISH = setOf(
  'the and at with for in on of from to will is are doors every pm mondays tuesdays wednesdays thursdays fridays saturdays sundays monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat january february march june july august october december',
)
const OTHERS = setOf(
  'der die das und im mit den von uhr montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz mai juni juli oktober dezember le la les et au des du heures lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre el los las con del para una horas lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
)

class AnnouncementReader {
  readonly #plain: PlainText
  readonly #tokens: Token[]
  readonly #web: WebAddress[]
  readonly #days: DayMention[]
  readonly #times: TimeMention[]
  #moments: EventMoments
  readonly #venues: NameMention[]
  readonly #organizers: NameMention[]
  readonly #streets: StreetMention[]
  readonly #taken: Set<number>
  readonly #costs: Costs
  readonly #today: string
  readonly #site: readonly Span[]
  readonly #isOfWeekdayAlone: boolean

  /**
   * @param blank stretches that are not read
   * @param site the name of the website, which is no title
   */
  constructor(
    plain: PlainText,
    known: KnownNames & Partial<Reading>,
    blank: readonly Span[],
    site: readonly Span[],
  ) {
    this.#site = site
    const { web, others } = addressesIn(plain.text)
    const text = withLetters(blanked(plain.text, [...blank, ...web.map(({ span }) => span), ...others]))
    this.#plain = { ...plain, text }
    // Those that were repeated are of something else.
    const own = web.filter(({ span: [from] }) => !blank.some(([a, b]) => a <= from && from < b))
    // A link may be the button of a web page, of which the words are not read.
    this.#web = [...own, ...plain.links].filter(({ url }) => !isToUnsubscribe(url))
    this.#tokens = tokensOf(readable(text))
    const words = this.#tokens.map(({ low }) => low)
    const english = words.filter(word => ENGLISH.has(word)).length
    const foreign = words.filter(word => OTHERS.has(word)).length
    const isEnglish = known.isEnglish ?? english > foreign
    const context = {
      today: known.today,
      monthFirst: (known.isEnglish ?? english >= foreign) && known.timezone.startsWith('America/'),
      isEnglish,
    }
    this.#today = known.today
    const numbered = isEnglish ? englishDaysIn(this.#tokens, context) : daysIn(this.#tokens, context)
    const written = withWeekdaysOfWeek(this.#tokens, numbered)
    const feasts = this.#feastsBeside(written, feastsIn(this.#tokens, known), isEnglish)
    const dated = movedToEves(this.#tokens, [...written, ...feasts]).sort((a, b) => a.from - b.from)
    const weekday = dated.length > 0 ? dated : bareWeekday(this.#tokens, known.today)
    const days = weekday.length > 0 ? weekday : bareDayOfMonth(this.#tokens, known.today)
    this.#isOfWeekdayAlone = dated.length === 0 && days.length > 0
    this.#taken = this.#takenBy(days)
    const seasons = seasonsIn(this.#tokens, token => this.#taken.has(token), known.today)
    this.#days = [...days, ...seasons].sort((a, b) => a.from - b.from)
    // A text that has 20:30 means the morning by 10:30.
    const isOf24 = known.isOf24 ?? IN_24_HOURS.test(text)
    this.#times = timesIn(this.#tokens, token => this.#taken.has(token), isEnglish && !isOf24)
    for (const { from, to } of this.#times) for (let i = from; i < to; i++) this.#taken.add(i)
    const isTaken = (token: number): boolean => this.#taken.has(token)
    splitClauses(this.#tokens, isTaken)
    this.#costs = new Costs(this.#tokens, isTaken, known.currency)
    this.#moments = eventMoments({
      tokens: this.#tokens,
      days: this.#days,
      times: this.#times,
      isTaken,
      today: known.today,
    })
    const index = new TextIndex(this.#tokens)
    this.#venues = namesIn(this.#tokens, index, known.venues, true)
    this.#organizers = namesIn(this.#tokens, index, known.organizers, false, known.venues)
    // “10 Mar Beetle Drive”
    const spans = [...this.#days, ...this.#times].map(({ from, to }) => this.#offsets([from, to]))
    this.#streets = streetsIn(blanked(text, spans))
  }

  /**
   * The feasts of a text; beside dates only those with an hour in their line: “Happy Easter Sunday! Our
   * concert on 10 April …”
   */
  #feastsBeside(written: readonly DayMention[], feasts: DayMention[], isEnglish: boolean): DayMention[] {
    if (feasts.length === 0) return feasts
    if (written.length === 0) return feastsBesideWeekday(this.#tokens, feasts, this.#today)
    const lineOf = ({ from }: { from: number }): number => this.#tokens[from]?.line ?? 0
    const timed = new Set(timesIn(this.#tokens, () => false, isEnglish).map(lineOf))
    // “Karfreitag, 26. März”, and “Shrove Tuesday races on Saturday 6 February”
    return feasts.filter(
      feast => timed.has(lineOf(feast)) && !written.some(day => Math.abs(lineOf(day) - lineOf(feast)) < 2),
    )
  }

  /** The tokens of days, without those between the first and the last of a stretch. */
  #takenBy(days: readonly DayMention[]): Set<number> {
    const taken = new Set<number>()
    for (const { from, to, gap } of days)
      for (let i = from; i < to; i++) if (!gap || i < gap[0] || i >= gap[1]) taken.add(i)
    return taken
  }

  contradictions(): Contradiction[] {
    return this.#moments.days
      .filter(({ isContradicted }) => isContradicted)
      .map(({ from, to }) => ({ field: 'start_date', evidence: this.#sent(from, to), reason: 'weekday' }))
  }

  correction(): Correction {
    const beginning = this.#moments.times.filter(({ isBeginning }) => isBeginning)
    // “a las 19 h hay misa, así que el concierto empieza a las 20:15”
    const times = beginning.length > 0 ? beginning : this.#moments.times
    const said = times.flatMap(({ from, to, start, end }) =>
      start === undefined ? [] : [{ start, end, evidence: this.#sent(from, to) }],
    )
    const isGone = (mention: { from: number; to: number }): boolean =>
      [isDenied, isInPlace].some(is => is(this.#tokens, mention, token => this.#taken.has(token)))
    // “2pm rather than 1”, “nicht 19, sondern 20 Uhr”
    const bare = this.#tokens.flatMap(({ kind, text }, from) => {
      const isHour = kind === 'number' && Number(text) < 24 && this.#tokens[from - 1]?.kind === 'word'
      if (!isHour || this.#taken.has(from) || !isGone({ from, to: from + 1 })) return []
      const [point, next] = this.#tokens.slice(from + 1, from + 3)
      const minutes = point && '.:'.includes(point.low) && next?.isSpaced === false ? next.text : '00'
      return [0, 12].map(later => `${String(Number(text) + later).padStart(2, '0')}:${minutes}`)
    })
    return {
      said: said.filter(({ start }, i) => said.findIndex(one => one.start === start) === i),
      denied: [...bare, ...this.#times.filter(isGone).flatMap(({ start }) => start ?? [])],
      isBeginning: beginning.length > 0,
      day: correctedDay(this.#tokens, (from, to) => this.#sent(from, to)),
    }
  }

  /** True if the only day of the text is the coming weekday. */
  isOfWeekdayAlone(): boolean {
    return this.#isOfWeekdayAlone
  }

  hasDay(): boolean {
    return this.#days.length > 0
  }

  /** The drafts of a text, and one more than {@link MAX_EVENTS} if it has more. */
  drafts(): AnnouncedEvent[] {
    const isTaken = (token: number): boolean => this.#taken.has(token)
    const reader = new PartsReader(this.#tokens, this.#days, this.#moments, isTaken)
    const parts = reader.parts()
    this.#moments = reader.moments
    // “All films at 7.45pm”, above those that have no time of their own
    const before = this.#moments.times.filter(
      ({ to, start }) => start !== undefined && to <= (parts[0]?.[0] ?? 0),
    )
    const each = this.#moments.times.filter(
      ({ from, start }) =>
        start !== undefined && sentenceOf(this.#tokens, from).some(({ low }) => OF_ALL.has(low)),
    )
    const times = parts.length < 2 ? [] : ([before, each].find(({ length }) => length === 1) ?? [])
    const around = reader.around(parts)
    const [, tail] = around
    // An address below a calendar is that of whoever publishes it: “Oficina de turismo, plaza de España 1”.
    const above: TextPart[] = reader.isCalendar ? [[0, parts[0]?.[0] ?? 0]] : []
    const outer = [above, around, reader.outside(parts)].find(({ length }) => length > 0) ?? []
    const beside = outer.flatMap(part => this.#placesIn(this.#sentencesOf(part), true))
    const organizer = this.#organizerOfAll(parts, around)
    // Lines of a tour name towns.
    const isOfTour =
      parts.length >= MIN_OF_LIST && this.#tokens.slice(0, parts[0]?.[0]).some(({ low }) => TOURS.has(low))
    const namesKind = this.#tokens.some(({ low }) => isKind(low))
    const isRow =
      parts.length >= MIN_OF_LIST &&
      parts.slice(0, -1).every(([from, to]) => areInLine(this.#tokens, to - 1, from))
    const common = { times, around, outer, beside, organizer, isOfTour, namesKind, isRow }
    const starts = parts.map(([start]) => start)
    const read: { from: number; to: number; draft: AnnouncedEvent }[] = []
    // “Diary dates: Thurs 28 Jan Open Morning”, below what is said of it
    const isRepeated = ({ start_date: date, title = '' }: AnnouncedEvent): boolean =>
      date.length === 10 &&
      read.some(({ from, to, draft: other }) => {
        if (other.start_date.slice(0, 10) !== date || other.start_date === date) return false
        const words = new Set(this.#tokens.slice(from, to).map(({ low }) => low))
        return significantWords(title).every(word => words.has(word))
      })
    for (const [i, [from, to]] of parts.entries()) {
      if (read.length > MAX_EVENTS) break
      const part = [from, tail ? Math.min(to, tail[0]) : to] as const
      const draft = this.#draft(part, { ...common, starts, isFirst: i === 0 })
      if (draft && !isRepeated(draft)) read.push({ from, to, draft })
    }
    // “Concert on 20 March … Rehearsals restart on 21 January”, but not the lines of a list
    const isRehearsal = ({ from, to, draft: { title = '', dates } }: (typeof read)[number]): boolean =>
      read.length < MIN_OF_LIST &&
      !dates &&
      (!startsLine(this.#tokens, from) || to - from > LONG_ROW) &&
      significantWords(title).some(word => REHEARSALS.test(word)) &&
      !this.#tokens.slice(from, to).some(({ low }) => FOR_ALL.has(low))
    const others = read.filter(one => !isRehearsal(one))
    return (others.length > 0 ? others : read).map(({ draft }) => draft)
  }

  #sent(from: number, to: number): Span {
    return this.#plain.sent([this.#tokens[from]?.from ?? 0, this.#tokens[to - 1]?.to ?? 0])
  }

  /** @param common the time of all parts that have none, and what is said of all */
  #draft(
    [from, to]: TextPart,
    common: {
      times: readonly TimeMention[]
      around: readonly TextPart[]
      outer: readonly TextPart[]
      beside: readonly VenueCandidate[]
      organizer: NameMention | undefined
      isOfTour: boolean
      namesKind: boolean
      starts: readonly number[]
      isFirst: boolean
      isRow: boolean
    },
  ): AnnouncedEvent | undefined {
    const isIn = (mention: { from: number; to: number }) => mention.from >= from && mention.to <= to
    const tokens = this.#tokens
    // “Coach from Market Square at 8.30”, for a walk that begins when all do
    const isOfWay = (time: TimeMention): boolean => isOfVehicle(tokens, time, token => this.#taken.has(token))
    const isOfAll = common.times.length > 0 && this.#times.filter(isIn).every(isOfWay)
    const moments = {
      ...this.#moments,
      days: this.#moments.days.filter(isIn),
      times: isOfAll ? [...common.times] : this.#moments.times.filter(isIn),
    }
    const when = whenOf(tokens, [from, to], moments, this.#today)
    if (!when) return undefined
    const status = statusIn(tokens, [from, to], this.#days, moments, when.start.slice(0, 10))
    const draft = this.#dated(when, status)
    const venue = this.#addPlace(draft, [from, to], when.startTokens, common)
    const cost = this.#addCost(draft, [from, to], common.around, moments.days)
    for (const part of [[from, to] as const, ...common.around])
      if (draft.website === undefined) this.#addWebsite(draft, part, common.starts)
    const [first] = when.startTokens
    // Its time may be one that is said of all.
    const start = first >= from && first < to ? first : (moments.days[0]?.from ?? from)
    this.#addTitle(draft, [from, to], start, { cost, venue })
    if (common.isOfTour && !significantWords(draft.title ?? '').some(isKind)) {
      delete draft.title
      delete draft.evidence.title
    }
    this.#addOrganizer(draft, [from, to], common.organizer)
    const isNothing = announcesNothing({
      draft,
      all: tokens,
      part: tokens.slice(from, to),
      start,
      namesKind: common.namesKind,
      isFirst: common.isFirst,
      isRow: common.isRow,
      moments,
      spans: this.#times.filter(time => isIn(time) && time.start !== undefined && time.end !== undefined)
        .length,
    })
    return isNothing ? undefined : draft
  }

  /** A draft that has its dates and its status alone. */
  #dated(
    { start, end, dates, isAllDay, startTokens, endTokens }: EventDates,
    status: AnnouncedEvent['event_status'],
  ): AnnouncedEvent {
    // What begins at a time ends within days.
    const isFar = start.length > 10 && (end ?? '') > daysLater(start.slice(0, 10), MAX_DAYS)
    const [from, to] = startTokens
    const isIn = (mention: { from: number; to: number }) => mention.from >= from && mention.to <= to
    const weekday = weekdayOn(start.slice(0, 10))
    // “On the first Saturday of the month, starting 6 February”
    const recurs = this.#moments.recurrences.some(
      one =>
        isIn(one) ||
        (this.#tokens[one.from]?.sentence === this.#tokens[from]?.sentence && one.weekdays.includes(weekday)),
    )
    const assumed = [
      ...(this.#times.some(time => time.isAssumed && isIn(time)) ? (['evening'] as const) : []),
      ...(dates.length === 0 && recurs ? (['first_date'] as const) : []),
    ]
    return {
      start_date: withSeconds(start),
      all_day: isAllDay,
      ...(end !== undefined && !isFar && { end_date: withSeconds(end) }),
      ...(dates.length > 0 && { dates: dates.map(withSeconds) }),
      ...(status && { event_status: status }),
      ...(assumed.length > 0 && { assumed }),
      evidence: {
        start_date: this.#sent(...startTokens),
        ...(endTokens && !isFar && { end_date: this.#sent(...endTokens) }),
      },
    }
  }

  /** Adds the admission of a part, or that which is said of all. */
  #addCost(
    draft: AnnouncedEvent,
    part: TextPart,
    around: readonly TextPart[],
    days: readonly DayMention[],
  ): { from: number; to: number } | undefined {
    const weekday = weekdayOn(draft.start_date.slice(0, 10))
    // “Quiz every Wednesday, £2”, above a concert on a Saturday
    const isOfOther = ([from, to]: TextPart): boolean =>
      this.#moments.recurrences.some(
        one => one.from >= from && one.to <= to && !one.weekdays.includes(weekday),
      )
    for (const one of [part, ...around.filter(other => !isOfOther(other))]) {
      const isOwn = (token: number): boolean => !this.#isOfOtherDay(token, draft, days)
      const { cost, isSaid } = this.#costs.in(one, isOwn, one !== part)
      if (cost) {
        draft.cost = cost.cost
        draft.evidence.cost = this.#sent(cost.from, cost.to)
      }
      if (isSaid) return cost
    }
    return undefined
  }

  /**
   * True if an amount stands in a paragraph below days of which none is the event's: “Exhibition until 20 March,
   * admission free”, above “Talk on 25 February, 5 €”.
   */
  #isOfOtherDay(
    token: number,
    { start_date: start, dates = [] }: AnnouncedEvent,
    days: readonly DayMention[],
  ): boolean {
    const { paragraph } = this.#tokens[token] ?? {}
    const near = days.filter(({ from }) => from < token && this.#tokens[from]?.paragraph === paragraph)
    const own = [start, ...dates].map(date => date.slice(0, 10))
    const isStay = days.some(({ date, last }) => last !== undefined && date === own[0])
    return (
      near.length > 0 && !near.some(({ date, last }) => own.includes(date) && (!isStay || last !== undefined))
    )
  }

  #offsets([from, to]: TextPart): Span {
    return [this.#tokens[from]?.from ?? 0, this.#tokens[to - 1]?.to ?? 0]
  }

  /** Adds the venue of a part, and the street and town beside it. Gives the venue. */
  #addPlace(
    draft: AnnouncedEvent,
    part: TextPart,
    [start, startEnd]: EventDates['startTokens'],
    { beside, outer }: { beside: readonly VenueCandidate[]; outer: readonly TextPart[] },
  ): VenueCandidate | undefined {
    const { text } = this.#plain
    const { evidence } = draft
    const sentences = this.#sentencesOf(part)
    const [a, b] = this.#offsets(part)
    const isNear = (span: Span): boolean => span[0] < b + NEAR_DAY && span[1] > a
    // The street of another event is not that of this one.
    const own = [part, ...outer].filter(([from, to]) => to > from).map(one => this.#offsets(one))
    const isOwn = ({ span }: { span: Span }): boolean =>
      outer.length === 0 || own.some(([from, to]) => span[0] >= from && span[1] <= to)
    const streets = this.#streets.filter(isOwn)
    const candidates = [...this.#placesIn(sentences, false), ...beside]
    const sentenceAt = (token: number): number => {
      const at = this.#tokens[token]?.from ?? 0
      return sentences.findIndex(({ own }) => (own[0]?.from ?? 0) <= at && at <= (own.at(-1)?.to ?? 0))
    }
    const dated = sentenceAt(start)
    const farewell = sentences.findIndex(({ own, index }) => index > dated && isFarewell(own))
    const context = {
      dated,
      farewell: farewell < 0 ? sentences.length : farewell,
      timed: Math.max(dated, sentenceAt(startEnd - 1)),
      streets: streets.map(({ span }) => span).filter(isNear),
      towns: streets.flatMap(({ citySpan }) => (citySpan ? [citySpan] : [])),
      organizers: this.#organizers.map(one => this.#offsets([one.from, one.to])).filter(isNear),
      isOnline: isOnline(this.#tokens.slice(...part).map(({ low }) => low)),
    }
    const venue = venueIn(candidates, context)
    if (venue) {
      const { mention, named, span } = venue
      draft.venue = { ...(named && { id: named.id }), venue: venue.venue }
      evidence.venue = this.#plain.sent(span)
      const room = mention && roomIn(text, this.#offsets(part), span)
      if (room) {
        draft.room = room.room
        evidence.room = this.#plain.sent(room.span)
      }
    }
    if (context.isOnline) return venue
    const at = venue?.span ?? this.#offsets([start, start + 1])
    const signed = sentences[farewell]?.own[0]?.from ?? text.length
    const ofEvent = streets.filter(({ span }) => span[0] < signed || at[0] > signed)
    const street = streetBeside(ofEvent, at, venue !== undefined)
    // “auf dem Festplatz in Lindach (Am Anger 9)”
    const town =
      street?.city !== undefined ? street : venue && !venue.mention ? townAfter(text, venue.span) : undefined
    if (street) {
      draft.address = street.address
      evidence.address = this.#plain.sent(street.span)
    }
    // “Kulturhaus, Bergstraße 20, Seminarraum”
    if (town?.city !== undefined && town.citySpan && !/(?:raum|zimmer|saal)$/.test(town.city)) {
      draft.city = town.city
      evidence.city = this.#plain.sent(town.citySpan)
      // “gymnase Jean-Petit à Vernay”, but “Kirche in Lindach”
      const [from, end] = venue?.span ?? at
      const [townFrom] = town.citySpan
      const name = text.slice(from, Math.max(from, townFrom)).replace(/ \S+ $/, '')
      if (draft.venue && !venue?.named && townFrom < end && significantWords(name).length > 1) {
        draft.venue.venue = name
        evidence.venue = this.#plain.sent([from, from + name.length])
      }
    }
    return venue
  }

  /** The passages of some sentences that may be the venue. @param isAround whether they are above or below a list */
  #placesIn(sentences: readonly Sentence[], isAround: boolean): VenueCandidate[] {
    const whole = [...new Set(this.#venues.filter(({ share }) => share >= WHOLE).map(({ named }) => named))]
    // The one venue that the text names in full elsewhere
    const nameOf = (words: string): KnownName | undefined => {
      const [long, ...others] = shortFor(words, whole)
      return others.length > 0 ? undefined : long
    }
    const { text } = this.#plain
    return venueCandidates(text, sentences, this.#venues, this.#tokens, { isAround, nameOf })
  }

  #sentencesOf(part: TextPart): Sentence[] {
    const spanOf = ({ from, to }: { from: number; to: number }): Span => this.#offsets([from, to])
    return sentencesOf(this.#tokens.slice(...part), {
      mentions: [...this.#days, ...this.#times, ...this.#moments.recurrences].map(spanOf),
      names: [...this.#organizers, ...this.#venues].map(spanOf),
    })
  }

  /** True if a word of a set leads to a name in its clause. @param limit of the words right before the name */
  #follows({ from }: { from: number }, words: WordSet, limit?: number): boolean {
    return wordsBefore(this.#tokens, from, i => this.#taken.has(i))
      .slice(0, limit)
      .some(word => words.has(word))
  }

  /**
   * True if a place is named as such: the title ends before “in the Grange”, and not before the Castle
   * Festival.
   */
  #isApart({ from, to }: { from: number; to: number }): boolean {
    const [before, after] = [this.#tokens[from - 1], this.#tokens[to]]
    if (before?.line !== this.#tokens[from]?.line || (after?.isSpaced === false && after.low === '-'))
      return false
    return before !== undefined && (APART.has(before.low) || SMALL.has(before.low))
  }

  /** Adds the organizer of a part, or the one that is named above or below a list. */
  #addOrganizer(draft: AnnouncedEvent, part: TextPart, ofAll: NameMention | undefined): void {
    const found =
      this.#organizersIn(part, draft.title).find(({ named }) => draft.venue?.venue !== named.name) ?? ofAll
    if (!found || found.named.name === draft.venue?.venue) return
    draft.organizer = { id: found.named.id, organizer: found.named.name }
    draft.evidence.organizer = this.#sent(found.from, found.to)
  }

  /** True if “Veranstalter” or the like stands right before a name, be it in the line above. */
  #isLabelled({ from }: { from: number }): boolean {
    const at = this.#tokens[from - 1]?.low === ':' ? from - 2 : from - 1
    return HOLDING.has(this.#tokens[at]?.low ?? '')
  }

  /**
   * True if a university is only where a speaker teaches: “Professor Ada Ridge of Ridding University”, but not
   * “concert de l’université”.
   */
  #isOfSpeaker({ from, to, named }: NameMention): boolean {
    const isUniversity = this.#tokens.slice(from, to).some(({ low }) => UNIVERSITY.test(low))
    if (!isUniversity || /popul/i.test(named.name)) return false
    const lead = leadOf(this.#tokens, from)
    const at = withArticle(this.#tokens, from) - 1
    const isAt = IN.has(lead) || lead === 'a' || lead === 'an'
    const isOf = ['of', 'de', 'der', 'von'].includes(lead)
    return isAt || (isOf && !this.#tokens.slice(Math.max(0, at - 2), at).some(({ low }) => isKind(low)))
  }

  /** True if a verb follows a name: “Le comité des fêtes organise un loto”, but “…, organised by”. */
  #holds({ from, to }: NameMention): boolean {
    const isBy = ['by', 'par', 'por', 'von'].includes(this.#tokens[to + 1]?.low ?? '')
    return areInLine(this.#tokens, to, from) && HOLDING.has(this.#tokens[to]?.low ?? '') && !isBy
  }

  /** The organizers that a part names, the surest first. */
  #organizersIn([from, to]: TextPart, title = ''): NameMention[] {
    const titled = significantWords(title)
    // “Garden Club Plant Sale … Proceeds benefit the Maple Falls Garden Club”
    const isHelper = (mention: NameMention): boolean =>
      (this.#follows(mention, NOT_HOLDING) ||
        (this.#follows(mention, PLAYING, MAX_TO_PLAYERS) && !this.#follows(mention, HOLDING))) &&
      significantWords(mention.named.name).filter(word => titled.includes(word)).length < 2
    // “The run is organised by Saltmere Harriers”, “Le comité des fêtes organise un loto”
    const isNamedAs = (mention: NameMention): boolean =>
      this.#follows(mention, HOLDING) || this.#isLabelled(mention) || this.#holds(mention)
    const isOfVenue = (mention: NameMention): boolean => {
      const venue = this.#venues.find(one => one.from <= mention.from && mention.to <= one.to)
      return venue !== undefined && mention.share <= venue.share
    }
    // “in the Scout Den, Canal Walk, Kilkenny”, and not the Canal Walk Neighbours
    const isWhere = ({ from: at, to: end, share }: NameMention): boolean =>
      share < WHOLE &&
      (IN.has(leadOf(this.#tokens, at)) ||
        (this.#tokens[at - 1]?.low === ',' && this.#tokens[end]?.low === ','))
    // “Organisé par les Amis de l’Orgue”: others play, or help.
    const isSaid = this.#tokens.slice(from, to).some(({ low }) => HOLDING.has(low))
    return this.#organizers
      .filter(
        mention =>
          (!isSaid || isNamedAs(mention)) &&
          mention.from >= from &&
          mention.to <= to &&
          mention.share >= (mention.to - mention.from > 1 ? MIN_OF_ORGANIZER : MIN_OF_ONE_WORD) &&
          !mention.isTail &&
          !isHelper(mention) &&
          (!isWhere(mention) || isNamedAs(mention)) &&
          !this.#isOfSpeaker(mention) &&
          !isOfVenue(mention),
      )
      .sort((a, b) => b.share - a.share || a.from - b.from)
  }

  /** The organizer above or below a list whose items name no other one. */
  #organizerOfAll(parts: readonly TextPart[], around: readonly TextPart[]): NameMention | undefined {
    const [found] = around.flatMap(part => this.#organizersIn(part))
    const others = parts.flatMap(part => this.#organizersIn(part).slice(0, 1))
    return others.every(({ named, share }) => named.id === found?.named.id || share < WHOLE)
      ? found
      : undefined
  }

  /** A stretch without the blanks and bullets at its ends. */
  #withoutBlanks([from, to]: Span): Span {
    const text = this.#plain.text.slice(from, to)
    const lead = /^[\s•·*-]*/.exec(text)?.[0].length ?? 0
    return [from + lead, from + lead + text.slice(lead).trimEnd().length]
  }

  /** Adds the address in a part or right below it, unless that is in another one, each of which has its start. */
  #addWebsite(draft: AnnouncedEvent, part: TextPart, starts: readonly number[]): void {
    if (part[0] >= part[1]) return
    const [from, to] = this.#offsets(part)
    const next = this.#tokens[starts.find(start => start > part[0]) ?? this.#tokens.length]
    const end = Math.min(to + 200, next?.from ?? this.#plain.text.length)
    const web = this.#web.find(({ span }) => span[0] >= from && span[0] <= end)
    if (!web) return
    draft.website = /^https?:/i.test(web.url) ? web.url : `https://${web.url}`
    if (web.span[0] < web.span[1]) draft.evidence.website = this.#plain.sent(web.span)
  }

  #addTitle(
    draft: AnnouncedEvent,
    part: TextPart,
    startToken: number,
    { cost, venue }: { cost: { from: number; to: number } | undefined; venue: VenueCandidate | undefined },
  ): void {
    const spanOf = ({ from, to }: { from: number; to: number }): Span => this.#offsets([from, to])
    const mentions = [
      ...this.#days,
      ...this.#times,
      ...this.#moments.recurrences,
      ...this.#venues.filter(venue => venue.named.name === draft.venue?.venue && this.#isApart(venue)),
      ...(cost ? [cost] : []),
    ].map(spanOf)
    const labelled = labelledTitleIn(this.#plain.text, this.#offsets(part))
    const at = this.#tokens[startToken]?.from ?? 0
    if (labelled && !(labelled.span[0] <= at && at < labelled.span[1])) {
      draft.title = labelled.title
      draft.evidence.title = this.#plain.sent(this.#withoutBlanks(labelled.span))
      return
    }
    const title = titleIn(this.#plain, this.#offsets(part), this.#tokens.slice(...part), {
      mentions,
      names: [...[...this.#organizers, ...this.#venues].map(spanOf), ...this.#site],
      start: this.#tokens[startToken]?.to ?? 0,
    })
    if (!title) return
    const place = venue?.span
    // “Plenos de la Casa Consistorial”, of the hall of which the venue is one
    const isOfPlace =
      place && / (?:de|del|du|des|der|von|of) $/.test(this.#plain.text.slice(place[0], title.span[0]))
    if (isOfPlace && title.span[1] <= place[1]) return
    const isPlaceIn =
      draft.venue?.id === undefined && place && title.span[0] <= place[0] && place[1] <= title.span[1]
    const before = isPlaceIn ? tidy(this.#plain.text.slice(title.span[0], place[0])) : ''
    // “The next meeting takes place in the Reading Room”
    if (isPlaceIn && before === '' && isLed(venue)) return
    // “Tanztee im Seniorenzentrum”, but “Jazz in the Park” and “Coach trip to Kew Gardens”
    const last = significantWords(before).at(-1) ?? ''
    const isKindBefore = isKind(last) && !TRIPS.has(last)
    if (isKindBefore && place) title.span = [title.span[0], place[0]]
    draft.title = isKindBefore ? before : title.title
    // What looks like a place may be what takes place: “Club de lectura”, “Night at the Museum”.
    const isQuoted = QUOTES.includes(this.#plain.text[title.span[0] - 1] ?? ' ')
    const isGuided = significantWords(before).some(word => GUIDED.test(word))
    const isOfFilm = FILMS.has(significantWords(before)[0] ?? '')
    if (
      isPlaceIn &&
      !isKindBefore &&
      ((!isHeldAt(venue) && !isGuided) || isQuoted || isOfFilm || /[„“"«]/.test(before))
    ) {
      delete draft.venue
      delete draft.evidence.venue
    }
    draft.evidence.title = this.#plain.sent(this.#withoutBlanks(title.span))
  }
}

/** Before the names of those who write. */
export const FAREWELLS = setOf(
  'regards sincerely cheers love grusse gruss grussen cordialement amicalement bises salutations saludos saludo atentamente abrazo abrazos',
)
/** True for a short line before who signs: “Kind regards, Mary” */
const isFarewell = (own: readonly Token[]): boolean =>
  own.length < 8 && own.slice(0, 3).some(({ low }) => FAREWELLS.has(low))

/** Words of events whose title says where they go. */
const TRIPS = setOf(
  'trip outing excursion visit visite sortie voyage ausflug fahrt busfahrt tagesfahrt reise besuch besichtigung visita viaje',
)

/** Of events whose title says where people are shown around: “Führung durch die Alte Ziegelei”. */
const GUIDED = /^(?:guided|guiad[ao]s?|guidees?|rundgang)$|fuhrung(?:en)?$/

/** Words of titles in which a place is that of a story: “Film: Murder at the Vicarage”. */
const FILMS = setOf('film movie kino cine play theater theatre teatro roman lesung lectura novela')

/** `20:30`, and `20.30` that is no price. */
const IN_24_HOURS = /(?<![£€$\d.])\b(?:1[3-9]|2[0-3])(?:[:h][0-5]\d\b|\.(?:00|15|30|45)\b(?! ?[£€$.]))/

const TOURS = setOf('tour tournee gira tourdaten tourdates')
/** Words of times that all have: “Beginn immer 20 Uhr”. */
const OF_ALL = setOf(
  'immer jeweils alle all always each tous toutes toujours chaque todos todas siempre cada unless sofern sauf salvo',
)
const APART = new Set([',', '(', '-', '@', ':', '/', '|', '·', '.', ';'])
/** Before who supports an event, gets its proceeds, serves the guests, is one of them, or sells tickets. */
const NOT_HOLDING = setOf(
  'proceeds profits benefit benefits benefiting erlos reinerlos gewinn profit benefices recette recaudacion spenden donations dons donativos teas coffee cakes refreshments kaffee kuchen bewirtung verpflegung buvette bar barra merienda speis trank sorgt sorgen buchertisch bookstall catering restauration guest guests gast gaste invitado invitada invitados suivi suivie followed seguido seguida v vs versus gegen contra contre favor faveur beneficio zugunsten aid supported sponsored sponsors funded founded thanks unterstutzt unterstutzung gefordert gegrundet soutien soutenu fonde apoyo patrocina patrocinado colabora colaboran colaboracion give donate donated fundado tickets karten billets entradas info infos booked anmeldung reservation reservas instead statt afterwards danach anschliessend ensuite despues courtesy',
)

/** Before who plays at an event, unless a word of {@link HOLDING} stands there as well: “music by the Town Band”. */
const PLAYING = setOf('music musik musique musica amenizado amenizada')
const UNIVERSITY = /^(?:universi|hochschul|fakult|facult)/
/** Words of “música de la” before a name. */
const MAX_TO_PLAYERS = 3

const withSeconds = (moment: string): string => (moment.length > 10 ? `${moment}:00` : moment)

/** How much of an organizer's name must stand there: “la Ligue Nature”. */
const MIN_OF_ORGANIZER = 0.5
/** The same of one word: “der Musikkapelle” may be that of another village. */
const MIN_OF_ONE_WORD = 0.6
