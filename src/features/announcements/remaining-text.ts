import { escapeXml } from '../../kit/lib/escape.ts'
import { toHtml } from '../../kit/lib/html.ts'
import { repeatedIn } from '../../kit/lib/mail-text.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import type { AnnouncedEvent } from '../../readers/texts/drafts.ts'
import type { Span } from '../../readers/texts/words/plain.ts'

/** The sentences of a line: a blank after a sign at the end of one, before a capital or a number. */
const SENTENCE_END = lazyPattern(String.raw`(?<=[.!?…][)"»”“]?) +(?=[\p{Lu}\p{N}"„“«¡¿])`, 'u')
const WORD = lazyPattern(String.raw`\p{L}{2}`, 'u')

/** Where the first value of a draft stands. */
const beginningOf = ({ evidence }: AnnouncedEvent): number =>
  Math.min(...Object.values(evidence).map(([from]) => from))

/** The stretch of a text that is about one of its drafts: from the line where its first value stands. */
function partOf(text: string, drafts: readonly AnnouncedEvent[], current: number): Span {
  if (drafts.length < 2) return [0, text.length]
  const starts = drafts.map(draft => text.lastIndexOf('\n', beginningOf(draft)) + 1)
  const from = starts[current] ?? 0
  return [from, Math.min(text.length, ...starts.filter(start => start > from))]
}

/**
 * What a text says of an event besides the values of its form, as the HTML of a description: the sentences in
 * which no value stands, without what it repeats of other e-mails.
 */
export function remainingText(text: string, drafts: readonly AnnouncedEvent[], current: number): string {
  const draft = drafts[current]
  // Where a value stands in markup, its sentence does not.
  if (!draft || /<\w/.test(text)) return ''
  const { quotes, headers } = repeatedIn(text)
  const usedSpans: Span[] = [...Object.values(draft.evidence), ...quotes, ...headers]
  const [from, to] = partOf(text, drafts, current)
  let position = from
  const lines = text
    .slice(from, to)
    .split('\n')
    .map(line => {
      const sentences = line.split(SENTENCE_END()).filter(sentence => {
        const start = text.indexOf(sentence, position)
        position = start + sentence.length
        return WORD().test(sentence) && !usedSpans.some(([a, b]) => a < position && start < b)
      })
      return sentences.join(' ').replace(/^> ?/, '').trim()
    })
  const remainingLines = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return remainingLines === '' ? '' : toHtml(escapeXml(remainingLines)).trim()
}
