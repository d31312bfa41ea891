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
  let text = ''
  let bytes = 0
  for (const character of line) {
    const size = bytesOf(character.codePointAt(0) ?? 0)
    if (bytes + size > LINE_BYTES) {
      text += '\r\n '
      bytes = 1
    }
    text += character
    bytes += size
  }
  return text
}

const bytesOf = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4

function foldedAscii(line: string): string {
  let text = line.slice(0, LINE_BYTES)
  // The blank at the beginning counts as well.
  for (let from = LINE_BYTES; from < line.length; from += LINE_BYTES - 1)
    text += `\r\n ${line.slice(from, from + LINE_BYTES - 1)}`
  return text
}

/** Control characters, which no value may have, and halves of characters. */
const FORBIDDEN = /(?![\t\n])\p{Cc}|\p{Cs}/gu
const ESCAPED = /[\\;,\n]/g

/** A value of type TEXT. */
export const escaped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(FORBIDDEN, '')
    .replace(ESCAPED, character => (character === '\n' ? '\\n' : `\\${character}`))

/** The value of a parameter. It cannot hold quotes, which become apostrophes. */
function parameterValue(text: string): string {
  const clean = text.replace(/\s+/g, ' ').replace(FORBIDDEN, '').replaceAll('"', "'")
  return /[:;,]/.test(clean) ? `"${clean}"` : clean
}

/** A property with a value in its own form, such as a date or an address, with the end of the line. */
export function property(name: string, value: string, parameters: Parameters = {}): string {
  let line = name
  for (const [key, text] of Object.entries(parameters)) line += `;${key}=${parameterValue(text)}`
  return `${folded(`${line}:${value}`)}\r\n`
}

/** A property with a text, or nothing for an empty one. */
export const textProperty = (name: string, text: string, parameters?: Parameters): string =>
  text === '' ? '' : property(name, escaped(text), parameters)

/** A property with an address, or nothing for an empty one. An address has no line ends. */
export const uriProperty = (name: string, uri: string, parameters?: Parameters): string =>
  uri === '' ? '' : property(name, uri.replace(/[\s\p{Cc}]/gu, ''), parameters)
