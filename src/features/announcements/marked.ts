import type { AnnouncedEvent, DraftField } from '../../intake/readers/text/drafts.ts'
import type { Span } from '../../intake/readers/text/plain.ts'
import { type Html, html } from '../../web/html/html.ts'

/** The fields that are marked in a text, in the order of their numbers, each with the name of its hue. */
const HUES = {
  title: 'amber',
  start_date: 'sky',
  end_date: 'blue',
  venue: 'green',
  address: 'teal',
  city: 'cyan',
  room: 'olive',
  organizer: 'violet',
  cost: 'orange',
  website: 'pink',
} as const satisfies Record<DraftField, string>

// These are the keys of HUES.
export const MARKED = Object.keys(HUES) as DraftField[]

/** The number of a field, from 1. */
export const numberOf = (field: DraftField): number => MARKED.indexOf(field) + 1

/** The classes of what is marked for a field. */
export const lookOf = (field: DraftField): string => `marked-value hue-${HUES[field]}`

/** A text in which the values of a draft are marked by the numbers of their fields. Where two values overlap, the first one is. */
export function markedText(text: string, { evidence }: AnnouncedEvent): Html {
  const spans = MARKED.flatMap(field => {
    const span = evidence[field]
    return span ? [{ field, span }] : []
  }).sort((a, b) => a.span[0] - b.span[0] || b.span[1] - a.span[1])
  const parts: Html[] = []
  let at = 0
  for (const { field, span } of spans) {
    const [from, to] = clipped(span, text.length)
    if (from < at || to <= from) continue
    parts.push(
      html`${text.slice(at, from)}<mark class="${lookOf(field)}">${text.slice(from, to)}<sup>${numberOf(field)}</sup></mark>`,
    )
    at = to
  }
  return html`${parts}${text.slice(at)}`
}

const clipped = ([from, to]: Span, length: number): Span => [Math.min(from, length), Math.min(to, length)]
