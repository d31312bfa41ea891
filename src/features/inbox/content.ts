import type { Attachment, Email } from 'postal-mime'
import { imageFileOf } from '../../kit/lib/images/formats.ts'
import { cleanPlain } from '../../kit/lib/text.ts'
import { textOfHtml } from '../../readers/mail-html.ts'
import { MAX_CALENDARS, MAX_RECEIVED_LENGTH, Refused } from './limits.ts'

/** The fewest bytes of an inline image that may be a poster: smaller ones are logos and icons. */
const MIN_POSTER_BYTES = 30_000

/** An iCalendar file, and its purpose by the headers of its part. */
export type CalendarFile = { bytes: Uint8Array; method: string }

/** The parts of an e-mail that can become events. */
export type MailContent = {
  text: string
  calendars: CalendarFile[]
  poster: File | undefined
  /** True if another e-mail is attached, which is not read. */
  hasAttachedMail: boolean
  /** True if all content is in a file of Outlook's own format, `winmail.dat`, which is not read. */
  hasOutlookFile: boolean
}

/** @throws Refused for a text that is too long, or too many calendar files */
export function contentOf({ text = '', html = '', attachments }: Email): MailContent {
  const calendars = attachments.filter(isCalendar)
  if (calendars.length > MAX_CALENDARS)
    throw new Refused(
      'calendar_file',
      `This e-mail has more than ${MAX_CALENDARS} calendar files. Please send several.`,
    )
  return {
    text: textOf(text, html),
    calendars: calendars.map(file => ({ bytes: attachmentBytes(file), method: file.method ?? '' })),
    poster: posterIn(attachments),
    hasAttachedMail: attachments.some(
      ({ mimeType, filename }) => mimeType === 'message/rfc822' || /\.(?:eml|msg)$/i.test(filename ?? ''),
    ),
    hasOutlookFile: attachments.some(
      ({ mimeType, filename }) =>
        /^application\/(?:vnd\.)?ms-tnef$/.test(mimeType) || /^winmail\.dat$/i.test(filename ?? ''),
    ),
  }
}

/** The most characters of a plain text that may only say that the e-mail is in HTML. */
const MAX_NOTE_LENGTH = 300

/** The plain text of an e-mail, or that of its HTML if the plain text is no more than a note beside it. */
function textOf(text: string, html: string): string {
  const plain = cleanMailText(text)
  if (html.trim() === '' || plain.length > MAX_NOTE_LENGTH) return plain
  const shown = cleanMailText(textOfHtml(html, MAX_RECEIVED_LENGTH))
  return shown.length > 2 * plain.length ? shown : plain
}

/** A text as it is kept. @throws Refused for one that is too long */
function cleanMailText(text: string): string {
  if (text.length > MAX_RECEIVED_LENGTH)
    throw new Refused(
      'too_large',
      `The text of this e-mail has more than ${MAX_RECEIVED_LENGTH} characters. Please send the announcement alone.`,
    )
  return cleanPlain(text.replace(/\r\n?/g, '\n')).trim()
}

const isCalendar = ({ mimeType, filename }: Attachment): boolean =>
  mimeType === 'text/calendar' || mimeType === 'application/ics' || /\.ics$/i.test(filename ?? '')

/** The bytes of an attachment. The parser was not asked for texts. */
const attachmentBytes = ({ content }: Attachment): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? new Uint8Array() : Uint8Array.from(new Uint8Array(content))

/** The largest image that is attached or, without one, that is in the text. */
function posterIn(attachments: readonly Attachment[]): File | undefined {
  const images = attachments
    .filter(({ mimeType }) => /^image\/|\/octet-stream$/.test(mimeType))
    .map(image => ({ ...image, bytes: attachmentBytes(image) }))
    .filter(
      ({ bytes, disposition }) =>
        isImage(bytes) && (disposition === 'attachment' || bytes.byteLength >= MIN_POSTER_BYTES),
    )
    .sort((one, other) => other.bytes.byteLength - one.bytes.byteLength)
  const posterImage = images.find(({ disposition }) => disposition === 'attachment') ?? images[0]
  return posterImage && new File([posterImage.bytes], fileName(posterImage), { type: posterImage.mimeType })
}

function isImage(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    imageFileOf(bytes)
    return true
  } catch {
    return false
  }
}

const fileName = ({ filename }: Attachment): string =>
  cleanPlain(filename ?? '')
    .replace(/[\n/\\]/g, ' ')
    .trim()
    .slice(-100) || 'image'
