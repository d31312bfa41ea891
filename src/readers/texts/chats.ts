import type { Span } from './words/plain.ts'

// What messengers export has the day and the hour of each message at its beginning, and who wrote it.

/** `[14.01., 08:47] Anna: `, `[1/14/27, 8:47:05 PM] Anna: ` */
const IN_BRACKETS =
  /^\[\d{1,2}[./]\d{1,2}\.?(?:[./]?\d{2,4})?,? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?\] ?(?:[^:\n]{1,40}: ?)?/
/** `14/01/2027, 08:47 - Anna: ` */
const WITH_DASH =
  /^\d{1,2}[./]\d{1,2}[./](?:\d{2}|\d{4}),? \d{1,2}:\d{2}(?: ?[AaPp]\.?[Mm]\.?)? - [^:\n]{1,40}: /
/** A list of dates may look like a message with a dash, but no chat has only one. */
const MIN_WITH_DASH = 2

/** What stands before the messages of a chat. Its days and times are not those of events. */
export function chatHeadersIn(text: string): Span[] {
  const [bracketed, dashed]: [Span[], Span[]] = [[], []]
  let at = 0
  for (const line of text.split('\n')) {
    const start = line.slice(0, MAX_HEADER)
    const header = IN_BRACKETS.exec(start) ?? WITH_DASH.exec(start)
    if (header) (start.startsWith('[') ? bracketed : dashed).push([at, at + header[0].length])
    at += line.length + 1
  }
  return dashed.length < MIN_WITH_DASH ? bracketed : [...bracketed, ...dashed]
}
const MAX_HEADER = 100
