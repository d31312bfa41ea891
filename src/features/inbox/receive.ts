import type { Email, Header } from 'postal-mime'
import { type MentionedNames, selectNames } from '../../calendar/content/related/queries.ts'
import {
  findKnownMails,
  makeSubmissionCheck,
  type SentImage,
  takeSubmission,
} from '../../calendar/intake/receive.ts'
import { submissionFields } from '../../calendar/intake/schema.ts'
import { LINK } from '../../calendar/intake/spam.ts'
import { type IncomingMail, type IncomingOutcome, NO_MAILS } from '../../feature.ts'
import type { BaseContext, ContentContext, RequestContext } from '../../kit/context.ts'
import { checkInput } from '../../kit/http/input.ts'
import { statusOf } from '../../kit/lib/error-codes.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { passwordDigest } from '../../kit/lib/hash.ts'
import { cleanText } from '../../kit/lib/text.ts'
import { isMailAddress, requirePresent } from '../../kit/lib/values.ts'
import { isOwnMailbox, mailboxOf } from '../../kit/work/mail.ts'
import { MAX_EVENTS } from '../../readers/announcements/drafts.ts'
import { isDone, replyValue, upload } from '../../site/forms/requests.ts'
import {
  announcedEvents,
  descriptionFrom,
  type FormValues,
  type MailedEvent,
  type MailedText,
  ownText,
} from './announced-events.ts'
import { domainOf, isAuthentic } from './authentication.ts'
import { calendarEvents, cancellation, editorsWithAddress } from './calendar.ts'
import { contentOf, type MailContent } from './content.ts'
import { remarksOnCorrected } from './corrections.ts'
import { MAX_MAIL_BYTES, Refused } from './limits.ts'
import { headerValues, mailboxesOf, parseMail } from './mime.ts'
import { countReply, replyToMail } from './reply.ts'

/** Senders that are programs of mail servers. */
const SERVER_MAILBOX = /^(?:mailer-daemon|postmaster|double-bounce)@/i

/** Headers of programs that reply automatically, apart from those that RFC 3834 names. */
const AUTOREPLY_HEADERS = ['x-autoreply', 'x-autorespond', 'x-auto-response', 'x-loop', 'x-failed-recipients']

/**
 * @param envelope the address that bounces go to; empty for what must not be replied to
 * @throws Refused for what programs send automatically, and for mailing lists: RFC 3834 and RFC 2919
 */
function assertFromPerson(
  headers: readonly Header[],
  { sender, envelope }: { sender: string; envelope: string },
): void {
  const valuesOf = (key: string) => headerValues(headers, key).map(value => value.trim().toLowerCase())
  const isMarked =
    valuesOf('auto-submitted').some(value => !/^no(?:[\s;(]|$)/.test(value)) ||
    valuesOf('precedence').some(value => /\b(?:bulk|list|junk|auto_reply)\b/.test(value)) ||
    AUTOREPLY_HEADERS.some(key => valuesOf(key).length > 0)
  const isBounce =
    /^(?:<>)?$/.test(envelope.trim()) ||
    valuesOf('return-path').some(value => value === '<>') ||
    SERVER_MAILBOX.test(sender) ||
    SERVER_MAILBOX.test(envelope) ||
    valuesOf('content-type').some(value => value.startsWith('multipart/report'))
  if (valuesOf('list-id').length > 0)
    throw new Refused(
      'mailing_list',
      'This calendar does not accept e-mails from mailing lists. Please send it yourself.',
    )
  if (isMarked || isBounce) throw new Refused('automatic', 'This calendar does not accept automated e-mails.')
  if (domainOf(sender) === '') throw new Refused('no_sender', 'This e-mail has no sender.')
}

/** Who sent an e-mail, as far as it is known. */
type MailSender = {
  name: string
  email: string
  /** True if the e-mail is certainly from this address. Anybody can write any address into `From`. */
  isConfirmed: boolean
}

/**
 * Takes an e-mail as submissions, one for each event that it announces. All of them are read and checked
 * before any is written: an e-mail is refused for good as a whole, with a reason that the server of its
 * sender gets. Only limits, and failures of the database, let one delivery take some events and leave the
 * rest to the next.
 *
 * @throws ApiError for limits and failures of the database, after which the other side tries again
 */
export async function submitMail(context: RequestContext, mail: IncomingMail): Promise<IncomingOutcome> {
  try {
    return { events: await submitEventsIn(context, mail) }
  } catch (error) {
    const message = messageToRefuse(error)
    if (message === undefined) throw error
    mail.setReject(message)
    return { refused: error instanceof Refused ? error.reason : error instanceof ApiError ? error.code : '' }
  }
}

/** Errors after which the same e-mail may be accepted later. */
const TEMPORARY = new Set([409, 412, 429])

/**
 * The message that refuses an e-mail for good, in one line of ASCII; undefined for an error that may pass.
 */
function messageToRefuse(error: unknown): string | undefined {
  const isForGood =
    error instanceof Refused ||
    (error instanceof ApiError &&
      (error.code === 'rest_submission_exists' ||
        (statusOf(error.code) < 500 && !TEMPORARY.has(statusOf(error.code)))))
  return isForGood ? error.message.replace(/[^ -~]+/g, ' ').slice(0, 400) : undefined
}

/** @returns the number of events in the e-mail */
async function submitEventsIn(context: RequestContext, mail: IncomingMail): Promise<number> {
  if (!context.settings.inbox.isOn) throw new Refused('switched_off', NO_MAILS)
  if (mail.rawSize > MAX_MAIL_BYTES)
    throw new Refused(
      'too_large',
      `This e-mail is larger than ${MAX_MAIL_BYTES / 1_000_000} MB. Please send it without attachments.`,
    )
  const email = await parseMail(await new Response(mail.raw).arrayBuffer())
  const { headers } = email
  const sender = await senderOf(headers, mail)
  assertFromPerson(headers, { sender: sender.email, envelope: mail.from })
  // The address that the e-mail came to is the inbox, whatever it is.
  if (isOwnMailbox(context.settings, sender.email) || sender.email.toLowerCase() === mail.to.toLowerCase())
    throw new Refused('own_address', 'This e-mail is from the calendar itself.')
  const subject = cleanText(email.subject ?? '').slice(0, 1_000)
  const content = contentOf(email)
  const { text } = content
  const id = await mailId(email, { sender, subject, text })
  const names = await context.db.read(selectNames(context))
  const confirmed = sender.isConfirmed ? sender.email : undefined
  // A delivery after one that took some of the events is no further text of its sender.
  const isKnown = confirmed !== undefined && (await findKnownMails(context, [eventId(id, 0)])).size > 0
  const found = await eventsIn(context, { names, subject, text, content, confirmed, isKnown })
  const { events, isCalledOff, remarks } = found
  if (events.length === 0) throw isCalledOff ? cancellation(context) : noEvents(context, content)
  const isAnswer = email.inReplyTo !== undefined || email.references !== undefined
  const corrected = await remarksOnCorrected(context, confirmed, { subject, text, events, isAnswer })
  // The review finds the remarks by the line that each has, up to the first empty line.
  const head = [subject, ...corrected, ...remarks].map(line => line.replace(/\s+/g, ' ').trim())
  await submitAll(withSender(context, sender), {
    sender,
    events,
    received: `${head.join('\n')}\n\n${text}`,
    id,
    poster: content.poster,
  })
  return events.length
}

/** @throws Refused without one sender */
async function senderOf(headers: readonly Header[], mail: IncomingMail): Promise<MailSender> {
  const [from, ...otherSenders] = await mailboxesOf(headerValues(headers, 'from'))
  const email = from?.address.trim() ?? ''
  if (otherSenders.length > 0 || !isMailAddress(email))
    throw new Refused(
      'no_sender',
      'This e-mail must have exactly one sender, with an address in plain letters.',
    )
  const name = cleanText(from?.name ?? '').slice(0, 200)
  return {
    // A name that is an address, or a link, would be read as who sent this.
    name: name.match(LINK) || /[@＠﹫]/.test(name) ? '' : name,
    email,
    isConfirmed: isAuthentic(headers, { sender: email, envelope: mail.from }),
  }
}

/**
 * The context in which limits count the sender as they count networks. All senders whose address is not
 * confirmed count together, since anybody could write any number of addresses.
 */
const withSender = (context: RequestContext, { email, isConfirmed }: MailSender): RequestContext => ({
  ...context,
  network: isConfirmed ? `mail ${mailboxOf(email)}` : 'mail',
})

type EventsOfMail = {
  events: readonly MailedEvent[]
  /** True if the text calls something off, and nothing more can be read. */
  isCalledOff: boolean
  /** What reviewers should know, in the calendar's language. */
  remarks: readonly string[]
}

/** The events of an e-mail: those of its calendar files, which say exactly what a text may leave open, or else of its text. */
async function eventsIn(
  context: RequestContext,
  { names, content, ...mail }: MailedText & { names: MentionedNames; content: MailContent },
): Promise<EventsOfMail> {
  // Invitations have the same file twice, for programs that look for it in only one of the two places.
  const fileEvents = new Map<string, FormValues>()
  const fileRemarks = new Set<string>()
  for (const file of content.calendars) {
    const { events, remarks } = await calendarEvents(context, names, file)
    for (const values of events) fileEvents.set(JSON.stringify(values), values)
    for (const remark of remarks) fileRemarks.add(remark)
  }
  if (fileEvents.size === 0) {
    const { events, isCalledOff, hasMore, remarks } = await announcedEvents(context, names, mail)
    if (hasMore) throw tooManyEvents()
    return { events, isCalledOff, remarks: [...remarks, ...fileRemarks] }
  }
  if (fileEvents.size > MAX_EVENTS) throw tooManyEvents()
  const [only = {}, ...others] = fileEvents.values()
  const isBare = others.length === 0 && only.description === ''
  const first = isBare ? { ...only, description: descriptionFrom(ownText(mail.text)) } : only
  return {
    events: [first, ...others].map(values => ({ values })),
    isCalledOff: false,
    remarks: [...fileRemarks],
  }
}

const tooManyEvents = (): Refused =>
  new Refused('too_many_events', `This e-mail has more than ${MAX_EVENTS} events. Please send several.`)

function noEvents(
  { settings: { siteUrl } }: BaseContext,
  { hasAttachedMail, hasOutlookFile }: MailContent,
): Refused {
  const formNote = siteUrl === undefined ? '' : ` There is a form at ${siteUrl}/submit/`
  if (hasOutlookFile)
    return new Refused(
      'outlook_file',
      `Outlook sent this e-mail as an attachment winmail.dat, which this calendar cannot read. Please send it as HTML or plain text instead of rich text.${formNote}`,
    )
  return hasAttachedMail
    ? new Refused(
        'attached_mail',
        `Attached e-mails are not read. Please forward it within the text, not as an attachment.${formNote}`,
      )
    : new Refused(
        'no_event',
        `No event was found in this e-mail. Please give at least a day, and ideally a time and a place, in its text.${formNote}`,
      )
}

/**
 * An id that is the same for each delivery of an e-mail, and different for other senders: nobody must keep a
 * genuine e-mail out by sending another one with its id.
 */
function mailId(
  { messageId = '', date = '' }: Email,
  { sender: { email, isConfirmed }, subject, text }: { sender: MailSender; subject: string; text: string },
): Promise<string> {
  const identity = messageId.trim() || `${date}\n${subject}\n${text}`
  return passwordDigest(`${isConfirmed} ${email.toLowerCase()} ${identity}`)
}

/** The id of an event of an e-mail. */
const eventId = (mail: string, at: number): string => `${mail} ${at}`

type MailSubmission = {
  sender: MailSender
  events: readonly MailedEvent[]
  /** What reviewers see: the subject, and below it the text. */
  received: string
  id: string
  poster: File | undefined
}

/** Submits the events, if all are acceptable. An event that was submitted before doesn't stop the others. */
async function submitAll(
  context: RequestContext,
  { sender, events, received, id, poster }: MailSubmission,
): Promise<void> {
  const tokens: string[] = []
  let isTaken = false
  let mayReply: boolean | undefined
  let existsError: ApiError | undefined
  // Nobody knows which of several events an image is of.
  const image =
    events.length === 1 && poster && context.media && context.images ? imageOf(context, poster) : undefined
  const mailIds = events.map((_, at) => eventId(id, at))
  // One query for all: on the free plan, the first delivery leaves some of many events to the next.
  const knownIds = await findKnownMails(context, mailIds)
  const checked = await checkEvents(context, { sender, events })
  try {
    for (const [index, values] of checked.entries()) {
      try {
        const mail = {
          id: requirePresent(mailIds[index], 'the id of an event'),
          isConfirmed: sender.isConfirmed,
          text: received,
          eventStatus: events[index]?.eventStatus,
        }
        if (knownIds.has(mail.id)) {
          isTaken = true
          continue
        }
        const submission = await takeSubmission(context, { values, mail, image })
        isTaken = true
        if (!sender.isConfirmed || !submission.isNew || submission.isLikelySpam) continue
        tokens.push(submission.token)
        mayReply ??= await countReply(context, sender.email)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'rest_submission_exists') throw error
        // It may be a correction, of the place for example.
        existsError = new ApiError(
          error.code,
          `This event has already been submitted, and e-mails cannot change it. If something has changed, please tell ${editorsWithAddress(context)}, or change it at the address in our reply to what you sent.`,
        )
      }
    }
  } finally {
    // If the rest has to wait, the next delivery makes links for the rest alone.
    if (mayReply) await replyToMail(context, { email: sender.email, tokens })
  }
  if (!isTaken && existsError) throw existsError
}

/**
 * The checked fields of the events.
 * @throws ApiError with the number and all errors of the first event that is not acceptable
 */
async function checkEvents(
  context: ContentContext,
  { sender: { name, email }, events }: Pick<MailSubmission, 'sender' | 'events'>,
) {
  const checkedInputs = mapEvents(events, event => {
    const { values, errors } = checkInput(submissionFields, { ...event.values, name, email })
    errors.throwIfAny()
    return values
  })
  // A single event is checked right before it is written.
  if (checkedInputs.length > 1) mapEvents(checkedInputs, await makeSubmissionCheck(context, checkedInputs))
  return checkedInputs
}

/** Does something with each event, whose number is in an error. Its title isn't: it may be what spam says. */
function mapEvents<E, T>(events: readonly E[], work: (event: E) => T): T[] {
  return events.map((event, index) => {
    try {
      return work(event)
    } catch (error) {
      if (!(error instanceof ApiError) || events.length === 1) throw error
      const label = `Event ${index + 1} of ${events.length} was rejected, so nothing was submitted`
      throw new ApiError(error.code, `${label}: ${error.message}`)
    }
  })
}

/** An image, uploaded like one in a form. A file that turns out to be no image is left out. */
const imageOf = (context: RequestContext, file: File): SentImage => ({
  texts: [file.name],
  upload: async author => {
    const caller = { id: author.id, role: 'author' as const }
    const uploaded = await upload({ context: { ...context, caller } }, file, '')
    return isDone(uploaded) ? Number(replyValue(uploaded, 'id')) : undefined
  },
})
