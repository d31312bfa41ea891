import { readRule } from '../../kit/lib/recurrence/rule.ts'
import { fold } from '../../kit/lib/text.ts'
import { addMonths, type DateTime, dayOf, daysLater, isDay } from '../../kit/lib/time.ts'
import { parseHttpUrl } from '../../kit/lib/values.ts'
import {
  type AnnouncedEvent,
  type AnnouncementContext,
  type IgnoredReason,
  isTimed,
  type KnownName,
  MAX_EVENTS,
  type QuotedField,
  type TextReading,
  type UnbelievedValue,
} from './drafts.ts'
import type { ModelAnswer, ModelEvent } from './question.ts'
import {
  hasAddress,
  isSameWord,
  type SearchedText,
  type Span,
  searchedText,
  shareIn,
  spanOf,
  withoutEnd,
  wordsOf,
} from './quotes.ts'
import { callsOff, doubtOfDay, monthsIn, saysAmount, saysEvening, saysTime, weekdaysIn } from './says.ts'

// What is believed of the answer of a language model: what the text says, as far as that can be checked.

/** The months before and after the moment of writing within which days are. */
const MAX_MONTHS = 24
/** Until when an event whose end has no day of its own may last into the next day. */
const NIGHT_ENDS = '06:00'
const MAX_TITLE_LENGTH = 200
/** The share of the words of a title that the text must have. */
const TITLE_SHARE = 0.75
/** The most characters from the words of a day to those of its time, to be marked as one passage. */
const MAX_PASSAGE = 160

/** The drafts that are left of an answer about a text. */
export function believed(
  { events, more }: ModelAnswer,
  text: string,
  known: AnnouncementContext,
): TextReading {
  const source = { text: searchedText(text), words: new Set(wordsOf(text)) }
  const days: string[] = []
  const drafts: AnnouncedEvent[] = []
  const ignored: UnbelievedValue[] = []
  for (const event of events.slice(0, MAX_EVENTS)) {
    const checks = new Checks(source, known, days)
    const draft = checks.draftOf(event)
    if (draft.start_date) days.push(dayOf(draft.start_date))
    const isDraft = draft.start_date !== undefined || draft.title !== undefined
    const same = drafts.findIndex(other => isSame(draft, other))
    if (isDraft && same === -1) drafts.push(draft)
    const at = same === -1 ? drafts.length - 1 : same
    ignored.push(...checks.ignored.map(value => (isDraft ? { draft: at, ...value } : value)))
  }
  // A model may overlook that what it found does not take place.
  const isSeen = events.some(({ further, status }) => further.except.length > 0 || status.quote !== '')
  if (drafts.length > 0 && !isSeen && callsOff(text))
    ignored.push({ field: 'event_status', value: 'scheduled', reason: 'called_off' })
  return { drafts, ignored, hasMore: more || events.length > MAX_EVENTS }
}

/** True for what a text says twice, as below a subject that is its first line. */
const isSame = (one: AnnouncedEvent, other: AnnouncedEvent): boolean =>
  one.start_date === other.start_date &&
  fold(one.title ?? '') === fold(other.title ?? '') &&
  one.venue?.venue === other.venue?.venue

/** A day and a time such as `19:30`, if there is one. */
const joined = (day: string, time: string): DateTime => (day && time ? `${day} ${time}:00` : day)

/** The signs of currencies, by the words that texts have for them. */
const CURRENCIES: readonly (readonly [sign: string, pattern: RegExp])[] = [
  ['€', /€|\beuros?\b|\beur\b/i],
  ['£', /£|\bgbp\b|\bquid\b|\btenner\b|\bfiver\b/i],
  ['$', /\$|\busd\b/i],
  ['CHF', /\bchf\b|\bfr\.|\bfranken\b|\bsfr/i],
]

/** The lowest and the highest amount, with the sign of their currency if it is not the calendar's own. */
function costText(amounts: readonly number[], quote: string, own: string): string {
  const range = [...new Set([Math.min(...amounts), Math.max(...amounts)])]
  const texts = range.map(amount => (Number.isInteger(amount) ? String(amount) : amount.toFixed(2)))
  const [sign] = CURRENCIES.find(([, pattern]) => pattern.test(quote)) ?? []
  if (sign === undefined || own.startsWith(sign) || range.at(-1) === 0) return texts.join(' - ')
  if (sign === '€') return `${texts.join(' - ')} €`
  return texts.map(amount => (sign.length > 1 ? `${sign} ${amount}` : sign + amount)).join(' - ')
}

type Source = { text: SearchedText; words: ReadonlySet<string> }
type DayField = 'start_date' | 'end_date' | 'dates' | 'recurrence'
type Said = { date_quote: string; date: string; time_quote: string; time: string }

/** The checks of one event. Each returns '' for what it doesn't believe, and names it. */
class Checks {
  readonly ignored: Omit<UnbelievedValue, 'draft'>[] = []
  readonly #quotes: AnnouncedEvent['quotes'] = {}
  readonly #source: Source
  readonly #known: AnnouncementContext
  /** The days of the events before. */
  readonly #otherDays: readonly string[]

  constructor(source: Source, known: AnnouncementContext, otherDays: readonly string[]) {
    this.#source = source
    this.#known = known
    this.#otherDays = otherDays
  }

  draftOf(event: ModelEvent): AnnouncedEvent {
    const { status, cost } = event
    const start_date = this.#moment('start_date', event.start)
    const end_date = start_date && this.#end(event, start_date)
    const further = start_date ? this.#further(event, start_date) : {}
    const venue = this.#name('venue', event.venue, this.#known.venues)
    const organizer = this.#name('organizer', event.organizer, this.#known.organizers)
    const values = {
      title: this.#title(event.title),
      start_date,
      end_date,
      room: this.#passage('room', event.room),
      address: this.#passage('address', event.address),
      city: this.#passage('city', event.city),
      cost: this.#cost(cost),
      website: this.#website(event.website),
      description: this.#description(event.description),
    }
    const event_status = this.#status(status)
    return {
      ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
      all_day: event.all_day && start_date !== '' && !isTimed(start_date),
      ...further,
      ...(venue && { venue: { ...(venue.id && { id: venue.id }), venue: venue.name } }),
      ...(organizer && {
        organizer: { ...(organizer.id && { id: organizer.id }), organizer: organizer.name },
      }),
      ...(event_status && { event_status }),
      quotes: this.#quotes,
    }
  }

  #drop(field: UnbelievedValue['field'], reason: IgnoredReason, value: string): '' {
    this.ignored.push({ field, value: value.slice(0, 1_000), reason })
    return ''
  }

  #spanOf = (quote: string, options: { areWords?: boolean; from?: number } = {}): Span | undefined =>
    spanOf(this.#source.text, quote, options)

  /** Keeps the passage that says a value: the words of a day and those of its time, if they are close. */
  #keep(field: QuotedField, span: Span | undefined, other?: Span): void {
    if (!span) return
    const [from, to] = [Math.min(span[0], other?.[0] ?? span[0]), Math.max(span[1], other?.[1] ?? span[1])]
    const [first, last] = to - from > MAX_PASSAGE ? span : [from, to]
    this.#quotes[field] = this.#source.text.original.slice(first, last)
  }

  /** The day and the time that their quotes say: the day alone if it does not say the time. */
  #moment(field: 'start_date' | 'end_date', said: Said): DateTime {
    const day = this.#day(field, said.date, said.date_quote, { with: said.time })
    const time = day && this.#time(field, said, day)
    const span = this.#spanOf(said.date_quote)
    if (day)
      this.#keep(field, span, time ? this.#spanOf(said.time_quote, { from: span?.[0] ?? 0 }) : undefined)
    return joined(day, time)
  }

  /** @param given.with the time of the day, which is named with it if the day is dropped */
  #day(
    field: DayField,
    day: string,
    quote: string,
    given: { with?: string; isListed?: boolean } = {},
  ): string {
    if (day === '') return ''
    const { with: time = '', isListed = false } = given
    const value = `${day} ${time}`.trim()
    const today = dayOf(this.#known.writtenAt)
    const isPossible =
      isDay(day) && day >= dayOf(addMonths(today, -MAX_MONTHS)) && day <= dayOf(addMonths(today, MAX_MONTHS))
    if (!isPossible) return this.#drop(field, 'no_such_date', value)
    if (!isListed && !this.#spanOf(quote)) return this.#drop(field, 'not_in_text', value)
    const doubt = doubtOfDay(day, quote, { today, otherDays: this.#otherDays, isListed })
    if (doubt === undefined) return day
    this.#drop(field, doubt, value)
    // The day is what people check; a slip is more often in the weekday.
    return doubt === 'weekday' ? day : ''
  }

  #time(field: DayField, { time: given, time_quote, date_quote }: Said, day: string): string {
    const time = given === '24:00' ? '00:00' : given
    if (time === '') return ''
    if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return this.#drop(field, 'no_such_date', `${day} ${given}`)
    if (!this.#spanOf(time_quote)) return this.#drop(field, 'not_in_text', `${day} ${time}`)
    const { isSaid, isOpen } = saysTime(time, time_quote)
    if (!isSaid) return this.#drop(field, 'not_in_quote', `${day} ${time}`)
    if (isOpen && field === 'start_date' && !saysEvening(date_quote))
      this.#drop(field, 'half_of_day', `${day} ${time}`)
    return time
  }

  #end({ start, end }: ModelEvent, start_date: DateTime): DateTime | '' {
    if (end.date === '' && end.time === '') return ''
    const startDay = dayOf(start_date)
    const isNight = end.date === daysLater(startDay, 1) && end.time !== '' && end.time <= NIGHT_ENDS
    const isOnStart = end.date === '' || end.date === startDay || (end.date_quote === '' && isNight)
    if (!isOnStart) {
      const found = this.#moment('end_date', { ...end, date_quote: end.date_quote || start.date_quote })
      return found === '' ? '' : this.#unlessEarly(start_date, found)
    }
    const time = this.#time('end_date', end, end.date || startDay)
    if (time === '') return ''
    this.#keep('end_date', this.#spanOf(end.time_quote))
    const isAfterMidnight = isNight || (time < start_date.slice(11, 16) && time <= NIGHT_ENDS)
    return this.#unlessEarly(start_date, joined(isAfterMidnight ? daysLater(startDay, 1) : startDay, time))
  }

  #unlessEarly(start: DateTime, end: DateTime): DateTime | '' {
    const length = Math.min(start.length, end.length)
    return end.slice(0, length) >= start.slice(0, length) ? end : this.#drop('end_date', 'ends_early', end)
  }

  /** Further dates, or the rule by which the event repeats. */
  #further(
    { start, further }: ModelEvent,
    start_date: DateTime,
  ): Pick<AnnouncedEvent, 'dates' | 'recurrence'> {
    const { quote, rule: rrule } = further
    const field = rrule === '' ? 'dates' : 'recurrence'
    const value = rrule || further.dates.join(', ')
    if (value === '') return {}
    const span = this.#spanOf(quote)
    if (!span) this.#drop(field, 'not_in_text', value)
    if (!span) return {}
    this.#keep(field, span)
    const listQuote = `${quote} ${start.date_quote}`
    const startTime = start_date.slice(11, 16)
    const moments = (given: readonly string[], isLeftOut: boolean) =>
      given.flatMap(date => {
        const [day = '', time = ''] = date.split(/[ T]/)
        if (isLeftOut) return isDay(day) ? [joined(day, startTime)] : []
        const isSaid = time === '' || saysTime(time.slice(0, 5), quote).isSaid || time.startsWith(startTime)
        const found = this.#day('dates', day, listQuote, { isListed: true })
        return found ? [joined(found, isSaid ? time.slice(0, 5) || startTime : startTime)] : []
      })
    const dates = [...new Set(moments(further.dates, false))].filter(date => date !== start_date).sort()
    const recurrence = rrule !== '' &&
      this.#saysRule(rrule, listQuote) && { rrule, exdate: moments(further.except, true) }
    return { ...(dates.length > 0 && { dates }), ...(recurrence && { recurrence }) }
  }

  #saysRule(text: string, quote: string): boolean {
    const rule = readRule(text)
    const last = rule?.until === undefined ? undefined : dayOf(rule.until)
    const isMonthEnd =
      last !== undefined &&
      daysLater(last, 1).endsWith('-01') &&
      monthsIn(quote).possible.includes(Number(last.slice(5, 7)))
    const isSaid =
      rule !== undefined &&
      (rule.byDay ?? []).every(({ weekday }) => weekdaysIn(quote).includes(weekday + 1)) &&
      (rule.count === undefined || saysAmount(rule.count, quote)) &&
      (last === undefined || isMonthEnd || this.#day('recurrence', last, quote, { isListed: true }) !== '')
    if (!isSaid) this.#drop('recurrence', 'not_in_quote', text)
    return isSaid
  }

  /** A name of the calendar that the text has a word of, or one that stands in the text. */
  #name(
    field: 'venue' | 'organizer',
    { name, quote }: { name: string; quote: string },
    names: readonly KnownName[],
  ): { id?: number; name: string } | undefined {
    if (name === '') return undefined
    const known = names.find(one => fold(one.name) === fold(name))
    const quoted = wordsOf(quote).filter(word => word.length > 2)
    const shared = (other: string) =>
      wordsOf(other).filter(word => quoted.some(one => isSameWord(one, word))).length
    const quoteSpan = this.#spanOf(quote)
    const nameSpan = this.#spanOf(name, { areWords: true })
    // Of several known names that have words of the quote, it is one with the most of them.
    const isNamed =
      quoteSpan !== undefined && shared(name) > 0 && !names.some(other => shared(other.name) > shared(name))
    const isInflected = isNamed && shared(name) === wordsOf(name).length
    if (known ? !isNamed && !nameSpan : !nameSpan && !isInflected) {
      this.#drop(field, 'not_in_text', name)
      return undefined
    }
    this.#keep(field, nameSpan ?? quoteSpan)
    return known ?? { name }
  }

  #passage(field: 'room' | 'address' | 'city', value: string): string {
    if (value === '') return ''
    const span = this.#spanOf(value, { areWords: true })
    this.#keep(field, span)
    return span ? value : this.#drop(field, 'not_in_text', value)
  }

  #title(given: string): string {
    const title = given.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH)
    if (title === '') return ''
    const { text, words } = this.#source
    if (shareIn(words, text.original, title) < TITLE_SHARE) return this.#drop('title', 'not_in_text', title)
    this.#keep('title', this.#spanOf(title))
    return title
  }

  #cost({ quote, amounts }: ModelEvent['cost']): string {
    if (amounts.length === 0) return ''
    const span = this.#spanOf(quote)
    if (!span) return this.#drop('cost', 'not_in_text', amounts.join(', '))
    const said = amounts.filter(amount => amount >= 0 && saysAmount(amount, quote))
    const unsaid = amounts.filter(amount => !said.includes(amount))
    if (unsaid.length > 0) this.#drop('cost', 'not_in_quote', unsaid.join(', '))
    if (said.length === 0) return ''
    this.#keep('cost', span)
    return costText(said, quote, this.#known.currency)
  }

  #website(given: string): string {
    if (given === '') return ''
    const url = given.includes('@') ? undefined : parseHttpUrl(given)
    if (!url || !hasAddress(this.#source.text.original, given))
      return this.#drop('website', 'not_in_text', given)
    this.#keep('website', this.#spanOf(given))
    return url
  }

  /** The sentences that stand in the text. */
  #description(given: string): string {
    const sentences = given.split(/\n+|(?<=[.!?…]) +/).filter(sentence => sentence.trim() !== '')
    const isInText = (sentence: string) => this.#spanOf(withoutEnd(sentence, '.!?…')) !== undefined
    const others = sentences.filter(sentence => !isInText(sentence))
    if (others.length > 0) this.#drop('description', 'not_in_text', others.join(' '))
    return sentences.filter(isInText).join(' ')
  }

  /** What is not scheduled needs words that call something off. */
  #status({ quote, value }: ModelEvent['status']): AnnouncedEvent['event_status'] {
    if (value === 'scheduled') return undefined
    const span = this.#spanOf(quote)
    if (!span || !callsOff(quote)) {
      this.#drop('event_status', span ? 'not_in_quote' : 'not_in_text', value)
      return undefined
    }
    this.#keep('event_status', span)
    return value
  }
}
