import { toUtf8 } from '../../kit/lib/streams.ts'
import type { IcsSlip } from './slips.ts'

// Values in quoted-printable (RFC 2045 §6.7), as vCalendar 1.0 and programs that follow it write them.

/** The most characters before the value of such a line. */
export const MAX_HEAD_LENGTH = 200

/** The beginning of such a line. Old programs leave out `ENCODING=`. */
const QUOTED = /^[\w-]+(?:;(?:[^":;]|"[^"]*")*)*?;(?:ENCODING=)?"?QUOTED-PRINTABLE"?(?=[;:])/i

/** True for a content line whose value is quoted-printable. */
export const isQuoted = (line: string): boolean => QUOTED.test(line.slice(0, MAX_HEAD_LENGTH))

const EQUALS = 61

/** The bytes of a value: those that are written as `=C3`, and all other characters as they are, in UTF-8. */
function bytesOf(value: string): Uint8Array {
  const written = toUtf8(value)
  const bytes = new Uint8Array(written.length)
  let length = 0
  for (let i = 0; i < written.length; i += 1) {
    const digits = written[i] === EQUALS ? String.fromCharCode(...written.subarray(i + 1, i + 3)) : ''
    const isByte = /^[\dA-F]{2}$/i.test(digits)
    bytes[length++] = isByte ? Number.parseInt(digits, 16) : (written[i] ?? 0)
    if (isByte) i += 2
  }
  return bytes.subarray(0, length)
}

/** The text of some bytes; undefined if they are not in the character set, or if that is unknown. */
function decode(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The characters of a line that stand before its first fold, by which it is found in the file. */
const MIN_FOLDED = 60

/**
 * A content line with its value decoded: in the character set that it names or, without one, in UTF-8. A value
 * in neither is read as Windows-1252, which is reported.
 */
export function unquoteLine(line: string, report: (slip: IcsSlip) => void): string {
  const [, name, parameters = '', value = ''] =
    (isQuoted(line) && /^([\w-]+)((?:;(?:[^":;]|"[^"]*")*)*):(.*)$/s.exec(line)) || []
  if (name === undefined) return line
  const charset = /;CHARSET="?([\w:-]+)/i.exec(parameters)?.[1]
  // A soft line break before the end of the event leads nowhere.
  const bytes = bytesOf(value.replace(/=$/, ''))
  const known = (charset === undefined ? undefined : decode(bytes, charset)) ?? decode(bytes, 'utf-8')
  const text = known ?? new TextDecoder('windows-1252').decode(bytes)
  if (known === undefined)
    report({ line: line.slice(0, MIN_FOLDED), field: name, text: value, correction: text })
  const otherParameters = parameters.replace(
    /;(?:(?:ENCODING=)?"?QUOTED-PRINTABLE"?|CHARSET=[^;]*)(?=;|$)/gi,
    '',
  )
  return `${name}${otherParameters}:${text.replace(/\r\n?|\n/g, '\\n')}`
}
