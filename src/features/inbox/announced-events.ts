import type { MentionedNames } from '../../calendar/content/related/queries.ts'
import type { BaseContext } from '../../kit/context.ts'
import { isForwardSubject, withoutProgramLines, writtenText } from '../../kit/lib/mail-text.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { fold } from '../../kit/lib/text.ts'
import { escapeXml } from '../../kit/lib/xml.ts'
import { readInCalendar, rowsWithoutDay } from '../../readers/announcement.ts'
import { foldedWords, withoutFrame, withoutLetter } from '../../readers/mail-frame.ts'
import { remainingText } from '../../readers/remaining-text.ts'
import type { AnnouncedEvent } from '../../readers/texts/draft/event.ts'
import { tablesIn } from '../../readers/texts/tables.ts'
import { setOf, WORDS } from '../../readers/texts/words/words.ts'

/** The values of an event, as a form sends them. */
export type FormValues = Readonly<Record<string, unknown>>

/** The most characters that are searched for events, as in a text that somebody pastes. */
const MAX_SEARCHED_LENGTH = 20_000

/** The most characters of a line that becomes a title. */
const MAX_TITLE_LENGTH = 200

/**
 * The events that the text of an e-mail announces, without cancelled and postponed ones.
 *
 * @returns with `isCalledOff` if all events that it names are cancelled or postponed, with `hasMore` if only
 *   the first are read, and with the rows of tables that have no day
 */
export function announcedEvents(
  context: BaseContext,
  names: MentionedNames,
  { subject, text }: { subject: string; text: string },
): { events: FormValues[]; isCalledOff: boolean; hasMore: boolean; rows: string } {
  const ownText = withoutFrame(writtenText(text, isForwardSubject(subject)))
  const title = plainSubject(subject)
  // A day without any words is announced by the first line.
  const fallbackTitle = title || ownText.trim().split('\n', 1)[0]?.slice(0, MAX_TITLE_LENGTH) || ''
  // The subject is read as well: it may contain the day, or that everything is cancelled.
  const searchedText = `${title}\n\n${ownText}`.slice(0, MAX_SEARCHED_LENGTH)
  const read = readInCalendar(context, names, { text: searchedText })
  const rows = rowsWithoutDay(searchedText, read.ignored)
  const drafts = withoutRepeated(read.drafts)
  const events = drafts.filter(({ event_status }) => event_status === undefined)
  const hasTitleFromSubject = ({ evidence }: AnnouncedEvent) => (evidence.title?.[0] ?? 0) < title.length
  const draftsOfText =
    events.length > 0
      ? readInCalendar(context, names, { text: ownText.slice(0, MAX_SEARCHED_LENGTH) }).drafts
      : []
  const draftsBelowSubject = drafts.map(draft => withoutSubject(draft, title.length + 2))
  const tables = tablesIn(ownText)
  // If a text has several events, or rows that became no event, it does not describe one event alone.
  const descriptionOf = (draft: AnnouncedEvent): string =>
    drafts.length === 1 && rows === ''
      ? descriptionFrom(withoutLetter(ownText))
      : unlessTooMuch(
          remainingText(ownText, draftsBelowSubject, drafts.indexOf(draft), tables).replaceAll('**', ''),
        )
  const valuesOf = (draft: AnnouncedEvent): FormValues => {
    const isAtSameTime = ({ start_date }: AnnouncedEvent) => start_date === draft.start_date
    // Among several events at the same time, it is unclear which is which.
    const draftFromText =
      hasTitleFromSubject(draft) || events.filter(isAtSameTime).length === 1
        ? draftsOfText.find(isAtSameTime)
        : undefined
    const hasBetterTitle =
      hasTitleFromSubject(draft) &&
      draftFromText?.title !== undefined &&
      !isBetterTitle(title, draftFromText.title, ownText)
    const namedDraft = { ...draft, ...(hasBetterTitle && { title: draftFromText.title }) }
    const values = formValuesOf(
      draftFromText ? placedAs(namedDraft, draftFromText) : namedDraft,
      fallbackTitle,
    )
    return { ...values, description: descriptionOf(draft) }
  }
  return {
    events: events.map(valuesOf),
    isCalledOff: events.length === 0 && drafts.length > 0,
    hasMore: read.hasMore,
    rows,
  }
}

/**
 * A draft with only the evidence below the subject, as positions in the text there. The room is left out, so
 * that it stays in the description: visitors can't send one.
 */
const withoutSubject = (draft: AnnouncedEvent, textAt: number): AnnouncedEvent => ({
  ...draft,
  evidence: Object.fromEntries(
    Object.entries(draft.evidence).flatMap(([field, [from, to]]) =>
      from < textAt || field === 'room' ? [] : [[field, [from - textAt, to - textAt]]],
    ),
  ),
})

/** Drafts without those that another draft repeats, as happens if a text begins with its subject. */
const withoutRepeated = (drafts: readonly AnnouncedEvent[]): AnnouncedEvent[] =>
  drafts.filter(
    (draft, at) =>
      !drafts.some((other, n) => n !== at && saysAllOf(other, draft) && (n < at || !saysAllOf(draft, other))),
  )

/** True if a draft says all that another one of the same title and status says. */
function saysAllOf(draft: AnnouncedEvent, other: AnnouncedEvent): boolean {
  const { evidence: _, ...values } = draft
  const { evidence: __, ...otherValues } = other
  return (
    other.title !== undefined &&
    draft.event_status === other.event_status &&
    JSON.stringify({ ...values, ...otherValues }) === JSON.stringify(values)
  )
}

/**
 * A draft with the new venue that the text gives when it is read without its subject. After a subject, the
 * first line of the text could be taken for a place; without one, that line is the title.
 */
function placedAs(draft: AnnouncedEvent, { venue }: AnnouncedEvent): AnnouncedEvent {
  const { venue: draftVenue, ...unplacedDraft } = draft
  const chosenVenue = draftVenue?.id === undefined ? venue : draftVenue
  return chosenVenue ? { ...unplacedDraft, venue: chosenVenue } : unplacedDraft
}

/** Limits on a text that becomes a description, below those of visitors. */
const DESCRIPTION_LIMITS = { characters: 10_000, lines: 500, hosts: 5 } as const

/** The description that a text makes, as HTML. */
export const descriptionFrom = (text: string): string =>
  escapeXml(unlessTooMuch(withoutProgramLines(text).replaceAll('**', '').trim()))

/** A text, or '' for one that is too long, or full of links. Reviewers see all of the text. */
function unlessTooMuch(text: string): string {
  const links = text.match(/(?:https?:\/\/|\bwww\.)[^\s/"'<>]+/giu) ?? []
  const isTooMuch =
    text.length > DESCRIPTION_LIMITS.characters ||
    text.split('\n').length > DESCRIPTION_LIMITS.lines ||
    new Set(links).size > DESCRIPTION_LIMITS.hosts
  return isTooMuch ? '' : text
}

const isTimed = (date: string): boolean => date.length > 10

function formValuesOf(draft: AnnouncedEvent, fallbackTitle: string): FormValues {
  const {
    title,
    start_date,
    end_date = start_date,
    all_day,
    venue,
    organizer,
    cost,
    website,
    dates = [],
  } = draft
  const { address = '', city = '' } = draft
  // “Barn dance with fiddles” below the subject “Barn dance” is no place, for all its barn.
  const isPlace =
    venue && (venue.id !== undefined || !fold(venue.venue).includes(fold(title ?? fallbackTitle)))
  // If the text names a day alone, the time is unknown.
  const isAllDay = all_day || !isTimed(start_date)
  const time = start_date.slice(10)
  return {
    title: title ?? fallbackTitle,
    start_date,
    end_date: isTimed(end_date) || isAllDay ? end_date : lastMoment(start_date, end_date),
    all_day: isAllDay,
    ...(cost !== undefined && { cost }),
    ...(website !== undefined && { website }),
    ...(isPlace && {
      venue: venue.id === undefined ? { venue: venue.venue, address, city } : { id: venue.id },
    }),
    ...(organizer && { organizer: { id: organizer.id } }),
    ...(dates.length > 0 && {
      recurrence: { rdate: dates.map(date => (isTimed(date) || isAllDay ? date : date + time)) },
    }),
  }
}

/** The end of an event that begins at a time and ends on a day. */
const lastMoment = (start: string, day: string): string => (start.startsWith(day) ? start : `${day} 23:59:59`)

/** The prefixes with which programs and people begin subjects, and the names of lists in brackets. */
const SUBJECT_PREFIX = /^\s*(?:(?:re|aw|antw|sv|fwd?|wg|tr|rv|r)\s*:|\[[^\]]{1,40}\])\s*/i

/** A short passage before a colon, and one with a letter after it. */
const TEXT_AFTER_COLON = lazyPattern(String.raw`^([^:]{1,40}):\s(.*\p{L}.*)`, 'su')

/** A subject without what programs put before it. */
function plainSubject(subject: string): string {
  let text = subject
  // A subject rarely has more than three prefixes.
  for (let i = 0; i < 10 && SUBJECT_PREFIX.test(text); i++) text = text.replace(SUBJECT_PREFIX, '')
  const [, before = '', afterDate = ''] = TEXT_AFTER_COLON().exec(text) ?? []
  return (afterDate !== '' && isGeneral(before) ? afterDate : text).trim()
}

/** Words of subjects that say no more than that something takes place. */
const GENERAL = setOf(
  'event events date dates calendar announcement announcements programme program news invitation please publish publication press release upcoming new your our information info',
  'fur termin termine veranstaltung veranstaltungen kalender ankundigung programm einladung bitte veroffentlichen veroffentlichung pressemitteilung veranstaltungshinweis terminhinweis neu neue neuer neues ihren unsere',
  'evenement evenements date dates agenda annonce annonces programme invitation merci publier publication communique presse nouvelle nouveau votre notre nos vos',
  'evento eventos acto actos fecha fechas agenda anuncio anuncios programa invitacion publicar publicad publicacion nota prensa nueva nuevo vuestra nuestra',
)

export const paddedWords = (text: string): string => ` ${foldedWords(text).join(' ')} `

/** True for a subject that says no more than that something takes place. */
export const isGeneral = (text: string): boolean =>
  foldedWords(text).every(word => GENERAL.has(word) || WORDS.small.has(word))

/**
 * True if a subject is a better title than the one that the text gives: where the text has it as well, and
 * where it says more than the text does. Subjects are often general, and a single word is often part of a
 * title.
 */
function isBetterTitle(subject: string, ownTitle: string, text: string): boolean {
  if (isGeneral(subject)) return false
  const isWithin = !foldedWords(subject)[1] && paddedWords(ownTitle).includes(paddedWords(subject))
  return (
    !isWithin && (paddedWords(text).includes(paddedWords(subject)) || fold(subject).includes(fold(ownTitle)))
  )
}
