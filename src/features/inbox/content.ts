import type { Attachment, Email } from 'postal-mime'
import { imageFileOf } from '../../kit/lib/images/formats.ts'
import { cleanPlain } from '../../kit/lib/text.ts'
import { textOfHtml } from './html.ts'
import { MAX_CALENDARS, MAX_RECEIVED, Refused, tooLong } from './limits.ts'

/** The least bytes of an image within the text that may be a poster: less are logos and icons. */
const MIN_POSTER = 30_000

/** An iCalendar file, and its purpose by the headers of its part. */
export type CalendarFile = { bytes: Uint8Array; method: string }

/** What of an e-mail can become events. */
export type MailContent = {
  /** Its texts, of which the first that announces events is read: the plain one, then that of the HTML. */
  texts: (() => string)[]
  calendars: CalendarFile[]
  poster: File | undefined
  /** True if another e-mail is attached, which is not read. */
  hasMail: boolean
  /** True if all of it is in a file of Outlook's own format, `winmail.dat`, which is not read. */
  hasOutlookFile: boolean
}

/** @throws Refused for too many calendar files */
export function contentOf({
  text = '',
  html = '',
  attachments,
}: Pick<Email, 'text' | 'html' | 'attachments'>): MailContent {
  const calendars = attachments.filter(isCalendar)
  if (calendars.length > MAX_CALENDARS)
    throw new Refused(
      'calendar_file',
      `This e-mail has more than ${MAX_CALENDARS} calendar files. Please send several.`,
    )
  return {
    texts: [
      ...(text.trim() === '' ? [] : [() => cleanText(text)]),
      ...(html.trim() === '' ? [] : [() => cleanText(textOfHtml(html))]),
    ],
    calendars: calendars.map(file => ({ bytes: attachmentBytes(file), method: file.method ?? '' })),
    poster: posterIn(attachments),
    hasMail: attachments.some(
      ({ mimeType, filename }) => mimeType === 'message/rfc822' || /\.(?:eml|msg)$/i.test(filename ?? ''),
    ),
    hasOutlookFile: attachments.some(
      ({ mimeType, filename }) =>
        /^application\/(?:vnd\.)?ms-tnef$/.test(mimeType) || /^winmail\.dat$/i.test(filename ?? ''),
    ),
  }
}

/** A text as it is kept. @throws Refused for one that is too long */
function cleanText(text: string): string {
  if (text.length > MAX_RECEIVED) throw tooLong()
  return cleanPlain(text.replace(/\r\n?/g, '\n')).trim()
}

const isCalendar = ({ mimeType, filename }: Attachment): boolean =>
  mimeType === 'text/calendar' || mimeType === 'application/ics' || /\.ics$/i.test(filename ?? '')

/** The bytes of an attachment. The parser was not asked for texts. */
const attachmentBytes = ({ content }: Attachment): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content))

/** The largest image that is attached or, without one, that is in the text. */
function posterIn(attachments: readonly Attachment[]): File | undefined {
  const images = attachments
    .filter(
      ({ mimeType, content }) => /^image\/|\/octet-stream$/.test(mimeType) && typeof content !== 'string',
    )
    .map(image => ({ ...image, bytes: attachmentBytes(image) }))
    .filter(
      ({ bytes, disposition }) =>
        isImage(bytes) && (disposition === 'attachment' || bytes.byteLength >= MIN_POSTER),
    )
    .sort((one, other) => other.bytes.byteLength - one.bytes.byteLength)
  const found = images.find(({ disposition }) => disposition === 'attachment') ?? images[0]
  return found && new File([found.bytes], fileName(found), { type: found.mimeType })
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
