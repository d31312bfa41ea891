import type { AnnouncedEvent, DraftField } from '../../intake/readers/text/drafts.ts'
import type { Span } from '../../intake/readers/text/plain.ts'
import { type Html, html } from '../../web/html/html.ts'

/** The fields that are marked in a text, in the order of their numbers. */
export const MARKED = [
  'title',
  'start_date',
  'end_date',
  'venue',
  'address',
  'city',
  'organizer',
  'cost',
  'website',
] as const satisfies readonly DraftField[]

/** The number of a field in the text, from 1. */
export const numberOf = (field: (typeof MARKED)[number]): number => MARKED.indexOf(field) + 1

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
    const n = numberOf(field)
    parts.push(
      html`${text.slice(at, from)}<mark class="found-${n}">${text.slice(from, to)}<sup>${n}</sup></mark>`,
    )
    at = to
  }
  return html`${parts}${text.slice(at)}`
}

const clipped = ([from, to]: Span, length: number): Span => [Math.min(from, length), Math.min(to, length)]
