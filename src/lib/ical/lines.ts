// Content lines of iCalendar, RFC 5545 §3.1 to 3.3.

/** Parameters of a property by name. */
export type Parameters = Readonly<Record<string, string>>

/** The most bytes of a line, without its end. */
const LINE_BYTES = 75
/** UTF-8 takes three bytes for a UTF-16 unit at the most. */
const SURELY_SHORT = LINE_BYTES / 3

const ASCII = /^[\x20-\x7e]*$/

/** Breaks a line into several of at most 75 bytes, between characters. */
function folded(line: string): string {
  if (line.length <= SURELY_SHORT) return line
  if (ASCII.test(line)) return line.length <= LINE_BYTES ? line : foldedAscii(line)
  return foldedUnicode(line)
}

function foldedUnicode(line: string): string {
  let text = ''
  let from = 0
  let bytes = 0
  for (let i = 0; i < line.length; i++) {
    const size = bytesOf(line.charCodeAt(i))
    if (bytes + size > LINE_BYTES) {
      text += `${line.slice(from, i)}\r\n `
      from = i
      // The blank at the beginning counts as well.
      bytes = 1
    }
    bytes += size
    // The other half of the character.
    if (size === 4) i++
  }
  return text + line.slice(from)
}

/** Bytes in UTF-8 of the character that begins with a UTF-16 unit. */
const bytesOf = (unit: number): number =>
  unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit < 0xdc00 ? 4 : 3

function foldedAscii(line: string): string {
  let text = line.slice(0, LINE_BYTES)
  for (let from = LINE_BYTES; from < line.length; from += LINE_BYTES - 1)
    text += `\r\n ${line.slice(from, from + LINE_BYTES - 1)}`
  return text
}

/** Control characters, which no value may have, and halves of characters. */
const FORBIDDEN = /(?![\t\n])\p{Cc}|\p{Cs}/gu

// Most texts have nothing to drop. A regular expression over all of Unicode takes longer than one that may find too much.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that values must not have
const MAYBE_FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff]/
const ESCAPED = /[\\;,\n]/

/** A value of type TEXT. */
export function escaped(text: string): string {
  const clean = MAYBE_FORBIDDEN.test(text) ? text.replace(/\r\n?/g, '\n').replace(FORBIDDEN, '') : text
  return ESCAPED.test(clean) ? clean.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n') : clean
}

/** The value of a parameter. It cannot hold quotes, which become apostrophes. */
function parameterValue(text: string): string {
  if (/^[\w/+ .-]*$/.test(text)) return text
  const clean = text.replace(/\s+/g, ' ').replace(FORBIDDEN, '').replaceAll('"', "'")
  return /[:;,]/.test(clean) ? `"${clean}"` : clean
}

/** A property with a value in its own form, such as a date or an address, with the end of the line. */
export function property(name: string, value: string, parameters?: Parameters): string {
  let line = name
  for (const key in parameters) line += `;${key}=${parameterValue(parameters[key] ?? '')}`
  return `${folded(`${line}:${value}`)}\r\n`
}

/** A property with a text, or nothing for an empty one. */
export const textProperty = (name: string, text: string, parameters?: Parameters): string =>
  text === '' ? '' : property(name, escaped(text), parameters)

/** A property with an address, or nothing for an empty one. An address has no line ends. */
export const uriProperty = (name: string, uri: string, parameters?: Parameters): string =>
  uri === '' ? '' : property(name, uri.replace(/[\s\p{Cc}]/gu, ''), parameters)
