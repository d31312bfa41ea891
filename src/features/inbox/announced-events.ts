import type { MentionedNames } from '../../calendar/content/related/queries.ts'
import type { RequestContext } from '../../kit/context.ts'
import { tooOften } from '../../kit/lib/errors.ts'
import { escapeXml } from '../../kit/lib/xml.ts'
import { countsOfMailedText, readInCalendar } from '../../readers/announcement.ts'
import { type AnnouncedEvent, isOnlyDoubted, isTimed } from '../../readers/announcements/drafts.ts'
import { callsOff } from '../../readers/announcements/says.ts'
import { filled, textsIn } from '../../words/words.ts'

/** The values of an event, as a form sends them. */
export type FormValues = Readonly<Record<string, unknown>>

/** An event of an e-mail. @property eventStatus set if the text says that it doesn't take place as planned */
export type MailedEvent = { values: FormValues; eventStatus?: AnnouncedEvent['event_status'] }

type AnnouncedEvents = {
  events: MailedEvent[]
  /** True if the text has no event that can be read, and calls something off. */
  isCalledOff: boolean
  hasMore: boolean
  /** What reviewers should know, in the calendar's language. */
  remarks: string[]
}

export type MailedText = {
  subject: string
  text: string
  /** The address of the sender, if it is certain. */
  confirmed: string | undefined
  /** True if events of this e-mail were taken before. */
  isKnown: boolean
}

/**
 * The events that the text of an e-mail announces: read by the language model if its sender is certain and
 * has sent few others today, otherwise without it.
 *
 * @throws ApiError if the model was not asked or failed, and nothing can be read without it: another delivery
 *   may succeed
 */
export async function announcedEvents(
  context: RequestContext,
  names: MentionedNames,
  { subject: sent, text, confirmed, isKnown }: MailedText,
): Promise<AnnouncedEvents> {
  const subject = plainSubject(sent)
  const counts =
    confirmed === undefined
      ? undefined
      : countsOfMailedText(context.settings, isKnown ? undefined : confirmed)
  const read = await readInCalendar(context, names, { text, subject, ...(counts && { counts }) })
  const { drafts, ignored, hasMore } =
    read.readBy === 'model' ? read : await readInCalendar(context, names, { text: ownText(text), subject })
  // A submission needs a day.
  const events = drafts.flatMap(draft =>
    draft.start_date ? [eventOf({ ...draft, start_date: draft.start_date }, subject)] : [],
  )
  if (events.length === 0 && read.missing !== undefined)
    throw read.missing === 'texts_used_up' ? tooOften('No more texts are read today.') : read.missing
  const { inbox: words } = textsIn(context.settings.website.language)
  const values = (areKept: boolean) =>
    ignored.filter(({ reason }) => isOnlyDoubted(reason) === areKept).map(({ value }) => value)
  const remark = (sentence: string, texts: readonly string[]) =>
    texts.length > 0 ? [filled<string>(sentence, { texts: texts.join(' · ').slice(0, 500) })] : []
  const titlesWhere = (isMeant: (draft: AnnouncedEvent) => boolean) =>
    drafts.filter(isMeant).map(({ title }) => title ?? subject)
  return {
    events,
    isCalledOff: events.length === 0 && callsOff(read.text),
    hasMore,
    remarks: [
      ...remark(
        words.callsOff,
        titlesWhere(draft => draft.event_status !== undefined),
      ),
      ...(events.length > 0
        ? remark(
            words.noDay,
            titlesWhere(draft => !draft.start_date),
          )
        : []),
      ...remark(words.doubted, values(true)),
      ...remark(words.leftOut, values(false)),
    ],
  }
}

/**
 * What the sender of an e-mail wrote: the text above the mark of a signature (RFC 3676), without quotations
 * and the lines that introduce them.
 */
export function ownText(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex(line => line.trimEnd() === '--')
  const own = lines.slice(0, end === -1 ? lines.length : end)
  const isQuoted = (line = ''): boolean => line.startsWith('>')
  const introduces = (line: string, at: number): boolean =>
    line.trimEnd().endsWith(':') && (isQuoted(own[at + 1]) || (own[at + 1] === '' && isQuoted(own[at + 2])))
  return own
    .filter((line, at) => !isQuoted(line) && !introduces(line, at))
    .join('\n')
    .trim()
}

/** Limits on a text that becomes a description, below those of visitors. */
const DESCRIPTION_LIMITS = { characters: 10_000, lines: 500, hosts: 5 } as const

/** True for a web address with a query: newsletters have them for one reader alone. */
const isPersonal = (word: string): boolean => /https?:\/\//i.test(word) && word.includes('?')

/**
 * The description that a text makes, as HTML: '' for one that is too long, or full of links. Reviewers see all
 * of the text.
 */
export function descriptionFrom(given: string): string {
  const text = given.replace(/\S+/g, word => (isPersonal(word) ? '' : word.replaceAll('**', ''))).trim()
  const links = text.match(/(?:https?:\/\/|\bwww\.)[^\s/"'<>]+/giu) ?? []
  const isTooMuch =
    text.length > DESCRIPTION_LIMITS.characters ||
    text.split('\n').length > DESCRIPTION_LIMITS.lines ||
    new Set(links).size > DESCRIPTION_LIMITS.hosts
  return isTooMuch ? '' : escapeXml(text)
}

/** The end of an event that begins at a time and ends on a day. */
const lastMoment = (start: string, day: string): string => (start.startsWith(day) ? start : `${day} 23:59:59`)

function eventOf(draft: AnnouncedEvent & { start_date: string }, subject: string): MailedEvent {
  const { title, start_date, end_date = start_date, all_day, venue, organizer, cost, website } = draft
  const { address = '', city = '', dates = [], recurrence, description = '', event_status } = draft
  // If the text names a day alone, the time is unknown.
  const isAllDay = all_day || !isTimed(start_date)
  const rdate = dates.map(date => (isTimed(date) || isAllDay ? date : date + start_date.slice(10)))
  const isPlaced = venue?.id === undefined && `${venue?.venue ?? ''}${address}${city}` !== ''
  return {
    ...(event_status && { eventStatus: event_status }),
    values: {
      title: title ?? subject,
      start_date,
      end_date: isTimed(end_date) || isAllDay ? end_date : lastMoment(start_date, end_date),
      all_day: isAllDay,
      description: descriptionFrom(description),
      ...(cost !== undefined && { cost }),
      ...(website !== undefined && { website }),
      ...(venue?.id !== undefined && { venue: { id: venue.id } }),
      ...(isPlaced && { venue: { venue: venue?.venue ?? address, address, city } }),
      ...(organizer && { organizer: organizer.id === undefined ? organizer : { id: organizer.id } }),
      ...((rdate.length > 0 || recurrence) && { recurrence: { ...recurrence, rdate } }),
    },
  }
}

/** What programs and people put before subjects: prefixes, and the names of lists in brackets. */
const SUBJECT_PREFIXES = /^(?:(?:re|aw|antw|sv|fwd?|wg|tr|rv|r)\s*:\s*|\[[^\]]{1,40}\]\s*)+/i

const plainSubject = (subject: string): string => subject.trim().replace(SUBJECT_PREFIXES, '').trim()
