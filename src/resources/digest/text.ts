import { filled, textsIn } from '../../words/words.ts'
import type { DigestEntry, DigestFrame } from './entries.ts'

/** The length of lines, in characters, by the custom of mail. Addresses are not broken. */
const WIDTH = 72

/** A text in lines that are not too long. */
function wrapped(text: string): string {
  const rows: string[] = []
  let row = ''
  for (const word of text.split(/[ \t]+/).filter(Boolean)) {
    if (row !== '' && row.length + 1 + word.length > WIDTH) {
      rows.push(row)
      row = word
    } else row = row === '' ? word : `${row} ${word}`
  }
  return [...rows, row].join('\n')
}

/** A heading, underlined. */
const heading = (text: string, mark: string): string =>
  `${wrapped(text)}\n${mark.repeat(Math.min([...text].length, WIDTH))}`

/** An event, below a heading if that differs from the one of the event before. */
function entryText(entry: DigestEntry, before: DigestEntry | undefined, language: string): string {
  const { time, title, status, place, notes, teaser, address } = entry
  const rows = [
    time,
    status
      ? filled(textsIn(language).digest.withStatus, { status: status.toLocaleUpperCase(language), title })
      : title,
    place,
    notes,
    teaser,
  ]
  const block = [...rows.filter(Boolean).map(row => wrapped(row)), address].join('\n')
  return entry.heading === before?.heading ? block : `${heading(entry.heading, '-')}\n\n${block}`
}

/** A digest as plain text. */
export function digestText(frame: DigestFrame, entries: readonly DigestEntry[]): string {
  const { language, title, days, intro, more, empty, footer, links } = frame
  const linkText = (link: { text: string; address: string }): string =>
    `${wrapped(link.text)}\n${link.address}`
  const blocks = [
    [heading(title, '='), days].filter(Boolean).join('\n'),
    ...intro.map(paragraph =>
      paragraph
        .split('\n')
        .map(line => wrapped(line))
        .join('\n'),
    ),
    empty,
    ...entries.map((entry, i) => entryText(entry, entries[i - 1], language)),
    more ? linkText(more) : '',
    '--------',
    footer && wrapped(footer),
    ...links.map(linkText),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}
