import { lazyPattern } from './pattern.ts'
import { linesIn } from './text.ts'

/**
 * A part of the text of an e-mail: what its sender wrote, what it repeats of other e-mails, or the signature.
 */
export type MailPart = { kind: 'text' | 'quote' | 'signature'; text: string }

// \b does not treat letters with accents as letters.
const WROTE = lazyPattern(String.raw`(?<!\p{L})(?:wrote|schrieb|a écrit|escribió)(?!\p{L})`, 'iu')
/**
 * True if a line introduces a quotation. A name may come between the verb and the colon at the end of the
 * line.
 */
const isIntroduction = (line: string): boolean => line.endsWith(':') && WROTE().test(line.slice(-100))

/** Lines after which an e-mail repeats another to its end. */
const ORIGINAL_MARK =
  /^-{2,}\s*(?:Original Message|Original-Nachricht|Ursprüngliche Nachricht|Message d['’]origine|Message original|Mensaje original)(?:, [^-\n]{1,40})?\s*-{2,}$/iu
/** The first two headers of an e-mail that another repeats, in the languages of mail programs. */
const FROM = /^[*_]*(?:From|Von|De|FROM|VON|DE)\s?:[*_]*\s/u
const HEADER_AFTER_FROM =
  /^[*_]*(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el)?|Fecha|To|An|À|Para|Subject|Betreff|Objet|Asunto)\s?:/iu

/** A header of an e-mail that another repeats. */
const HEADER =
  /^(?:>\s?)*[*_]*(?:From|Von|De|Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el)?|Fecha|To|An|À|Para|Cc|Kopie|Copie|CC|Subject|Betreff|Objet|Asunto|Reply-To|Antwort an)\s?:/iu

/** Lines that programs put above a forwarded e-mail. What follows is what the sender wants to say. */
const FORWARD_MARK = lazyPattern(
  String.raw`^(?:-{2,}\s*)?(?:Forwarded message|Begin forwarded message|Weitergeleitete Nachricht|Anfang der weitergeleiteten (?:Nachricht|E-Mail)|Message transféré|Début du message (?:réexpédié|transféré)|Mensaje reenviado|Inicio del mensaje reenviado)(?!\p{L})`,
  'iu',
)
/** A line of the text with the subject of a forwarded e-mail. */
const FORWARD_SUBJECT_LINE = /^[*_]*(?:Subject|Betreff|Objet|Asunto)\s?:[*_]*\s*(?:fwd?|wg|tr|rv)\s*:/im
const FORWARD_SUBJECT = /^\s*(?:fwd?|wg|tr|rv)\s*:/i

/** The lines that telephones and programs add. */
const PROGRAM_LINE =
  /^(?:Sent from my |Sent from Outlook|Get Outlook for |Von meinem .{1,40} gesendet|Gesendet von |Diese Nachricht wurde von meinem |Envoyé de(?:puis)? mon |Envoyé depuis |Enviado desde (?:mi )?|Obtener Outlook para |Télécharger Outlook )/iu

/** A line across a text. */
const HORIZONTAL_LINE = /^[_=*-]{5,}$/

/** A text without the lines that programs add where one e-mail passes on another. */
export const withoutProgramLines = (text: string): string =>
  text
    .split('\n')
    .filter(line => !PROGRAM_LINE.test(line.trim()) && !HORIZONTAL_LINE.test(line.trim()))
    .join('\n')

/** Lines longer than this are prose. They match none of the patterns above. */
const MAX_MARK_LENGTH = 200

/** True if the subject marks an e-mail as forwarded. */
export const isForwardSubject = (subject: string): boolean => FORWARD_SUBJECT.test(subject)

/**
 * True if lines begin with `>` because they are a list: if all lines do, or if several do, each with numbers
 * such as days and times, and the other lines have neither numbers nor the frame of an e-mail. `>>` without
 * `>` is a mark of headings.
 */
function hasBullets(lines: readonly string[]): boolean {
  const end = lines.findIndex(line => isSignatureMark(line.trim()))
  const ownLines = lines.slice(0, end === -1 ? lines.length : end).filter(line => line.trim() !== '')
  const bullets = ownLines.filter(line => line.startsWith('>'))
  if (bullets.length === 0) return false
  const hasFrame = () => ownLines.some((line, i) => !line.startsWith('>') && isFrame(ownLines, i))
  const isHeading = (line: string, i: number) => /^>>[^>]/.test(line) && !ownLines[i + 1]?.startsWith('>')
  if (ownLines.every((line, i) => !line.startsWith('>') || isHeading(line, i))) return !hasFrame()
  if (bullets.some(line => /^> ?>/.test(line))) return false
  if (bullets.length === ownLines.length) return true
  return (
    bullets.length > 1 &&
    bullets.every(line => /\d/.test(line)) &&
    !ownLines.some(line => !line.startsWith('>') && /\d/.test(line)) &&
    !hasFrame()
  )
}

/** True if a line belongs to what programs write around an e-mail that another one repeats. */
function isFrame(lines: readonly string[], index: number): boolean {
  const mark = lines[index]?.slice(0, MAX_MARK_LENGTH).trim() ?? ''
  return (
    [FORWARD_MARK(), ORIGINAL_MARK, HEADER].some(pattern => pattern.test(mark)) || introduces(lines, index)
  )
}

const isSignatureMark = (mark: string): boolean =>
  mark.length <= MAX_MARK_LENGTH && (mark === '--' || PROGRAM_LINE.test(mark))

/**
 * Divides the text of an e-mail, in linear time. All of it is in one of the parts. What is passed on counts
 * as text.
 *
 * @param isForward true if the subject says that the e-mail passes on another
 */
export function mailParts(received: string, isForward = false): MailPart[] {
  const lines = received.split('\n')
  const isBulleted = hasBullets(lines)
  let kind: MailPart['kind'] = 'text'
  let restKind: MailPart['kind'] = 'text'
  let isForwarding = isForward
  let hasText = false
  const parts: { kind: MailPart['kind']; lines: string[] }[] = []
  for (const [index, line] of lines.entries()) {
    const mark = line.length > MAX_MARK_LENGTH ? '' : line.trim()
    if (FORWARD_MARK().test(mark)) isForwarding = true
    // Headers at the top are those of the e-mail itself.
    const isOriginal = ORIGINAL_MARK.test(mark) || (hasText && hasHeadersAt(mark, lines[index + 1] ?? ''))
    hasText ||= mark !== ''
    if (restKind !== 'quote' && isOriginal) restKind = isForwarding ? 'text' : 'quote'
    else if (restKind !== 'quote' && isSignatureMark(mark)) restKind = isForwarding ? restKind : 'signature'
    const isQuoted = !isBulleted && (line.startsWith('>') || introduces(lines, index))
    kind = restKind === 'text' && isQuoted && !isForwarding ? 'quote' : restKind
    // Empty lines belong to the lines around them.
    if (line.trim() === '' && restKind === 'text') kind = parts.at(-1)?.kind ?? 'text'
    const part = parts.at(-1)
    if (part?.kind === kind) part.lines.push(line)
    else parts.push({ kind, lines: [line] })
  }
  return parts.map(part => ({ kind: part.kind, text: part.lines.join('\n') }))
}

const hasHeadersAt = (mark: string, next: string): boolean =>
  FROM.test(mark) && HEADER_AFTER_FROM.test(next.slice(0, MAX_MARK_LENGTH).trim())

/** True if a line introduces a quotation, alone or together with the next line. */
function introduces(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (line.trim() === '' || line.length > MAX_MARK_LENGTH) return false
  const [second = '', third = '', fourth = ''] = lines.slice(index + 1, index + 4)
  const isFollowedByQuote = (...between: string[]) => {
    const next = between.find(text => text.trim() !== '')
    return next?.startsWith('>') ?? false
  }
  if (isIntroduction(line.trim())) return isFollowedByQuote(second, third)
  return (
    second.length <= MAX_MARK_LENGTH &&
    isIntroduction(`${line.trim()} ${second.trim()}`) &&
    !isIntroduction(second.trim()) &&
    isFollowedByQuote(third, fourth)
  )
}

/**
 * What the sender wrote: the text without quotations and signature, or all of it if there is nothing else.
 */
export function writtenText(received: string, isForward = false): string {
  const writtenParts = mailParts(received, isForward)
    .flatMap(({ kind, text }) => (kind === 'text' ? [text] : []))
    .join('\n')
  // What is passed on is often quoted.
  const unquoted = (text: string) => text.replace(/^(?:> ?)+/gm, '')
  return withoutHeaders(writtenParts.trim() === '' ? unquoted(received) : unquoted(writtenParts))
}

/**
 * A text without the headers of e-mails that it passes on: they hold addresses of others, and days on which
 * nothing takes place.
 */
function withoutHeaders(text: string): string {
  const lines = text.split('\n')
  const isHeader = headersIn(lines)
  return lines.filter((_, i) => !isHeader[i]).join('\n')
}

/**
 * For each line, true if it is a header of an e-mail that is quoted or forwarded, or the mark before such
 * headers.
 */
function headersIn(lines: readonly string[]): boolean[] {
  const marks = lines.map(line => (line.length > MAX_MARK_LENGTH ? '' : line.trim()))
  const isHeader = lines.map(() => false)
  for (let index = 0; index < lines.length; ) {
    const mark = marks[index] ?? ''
    const isMark = FORWARD_MARK().test(mark) || ORIGINAL_MARK.test(mark)
    let from = isMark ? index + 1 : index
    while (isMark && marks[from] === '' && lines[from]?.trim() === '') from++
    let to = from
    while (HEADER.test(marks[to] ?? '')) to++
    const hasHeaders = isMark
      ? marks.slice(from, to).some(header => FROM.test(header))
      : hasHeadersAt(mark, marks[index + 1] ?? '')
    const end = hasHeaders ? to : index + 1
    if (isMark || hasHeaders) isHeader.fill(true, index, end)
    index = end
  }
  return isHeader
}

/** Stretches of a text, each from its first character to the one after its last. */
type Stretches = [from: number, to: number][]

/**
 * The lines of a text that repeat other e-mails: quotations, and headers, those of forwarded e-mails
 * included; and the signature below its mark.
 */
export function repeatedIn(text: string): { quotes: Stretches; headers: Stretches; signatures: Stretches } {
  const lines = text.split('\n')
  const kinds = mailParts(text, FORWARD_SUBJECT_LINE.test(text)).flatMap(part =>
    part.text.split('\n').map(() => part.kind),
  )
  const isBulleted = hasBullets(lines)
  const isHeader = headersIn(lines)
  const stretches = linesIn(text).map(({ from, to }): [number, number] => [from, to])
  return {
    // Lines with `>` are quotations even within a forwarded e-mail, which counts as text.
    quotes: stretches.filter((_, i) => kinds[i] === 'quote' || (!isBulleted && lines[i]?.startsWith('>'))),
    headers: stretches.filter((_, i) => isHeader[i]),
    signatures: stretches.filter((_, i) => kinds[i] === 'signature'),
  }
}
