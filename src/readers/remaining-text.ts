import { toHtml } from '../kit/lib/html.ts'
import { repeatedIn } from '../kit/lib/mail-text.ts'
import { lazyPattern } from '../kit/lib/pattern.ts'
import { fold, linesIn } from '../kit/lib/text.ts'
import { escapeXml } from '../kit/lib/xml.ts'
import { letterLines } from './mail-frame.ts'
import type { AnnouncedEvent } from './texts/draft/event.ts'
import { tablesIn } from './texts/tables.ts'
import { blanked } from './texts/where/addresses.ts'
import { spanOf, textOf } from './texts/words/cells.ts'
import type { Span } from './texts/words/plain.ts'
import { WORDS, weekdayOf } from './texts/words/words.ts'

/**
 * The place between two sentences of a line: a space after the mark that ends the first one, before a capital
 * or a number, but neither between an abbreviation and a number nor between a number and a month: “Tel. 0170
 * 1234567”, “13. Dezember”.
 */
const SENTENCE_END = lazyPattern(
  String.raw`(?<=[.!?…][)"»”“]?)(?<!(?<!\p{L})(?:[Tt][eé]l|[Tt]f|[Tt]fno|[Mm]ob|[Ff]on|[Nn]r|[Nn]o|[Nn]úm|[Ee]xt)\.)(?<!\d\.(?= +(?:Jan|Feb|Mär|Apr|Mai|Ju[nl]|Aug|Sep|Okt|Nov|Dez))) +(?=[\p{Lu}\p{N}"„“«¡¿])`,
  'u',
)
/** What separates the clauses of a sentence: `Free entry, donations welcome (doors at 7)`. */
const CLAUSE_END = lazyPattern(String.raw`[,;|·] |\s[-–—] |\s(?=\()|(?<=\)) ?`, 'u')
const WORD = lazyPattern(String.raw`\p{L}{2}`, 'u')
/** A telephone number. */
const LONG_NUMBER = lazyPattern(String.raw`\d(?:[ /()-]{0,2}\d){5}`, 'u')
/** A postcode before its town. */
const POSTCODE_AND_TOWN = lazyPattern(String.raw`(?<![\p{L}\p{N}])\d{4,5} +\p{Lu}`, 'u')

/**
 * The offset at which the first line of a draft begins: the line of the first value that it shares with no
 * other draft, because a heading has values of several. Infinity for a draft without a value in the text.
 */
function beginningOf(draft: AnnouncedEvent, text: string, drafts: readonly AnnouncedEvent[]): number {
  const startsOf = ({ evidence }: AnnouncedEvent) => Object.values(evidence).map(([from]) => from)
  const ownStarts = startsOf(draft).filter(
    start => !drafts.some(other => other !== draft && startsOf(other).includes(start)),
  )
  const first = Math.min(...(ownStarts.length > 0 ? ownStarts : startsOf(draft)))
  return first === Number.POSITIVE_INFINITY ? first : text.lastIndexOf('\n', first) + 1
}

/**
 * The stretch of a text that is about one of its drafts: from its first line to the first line of the next.
 */
function partOf(text: string, drafts: readonly AnnouncedEvent[], current: number): Span {
  if (drafts.length < 2) return [0, text.length]
  const starts = drafts.map(draft => beginningOf(draft, text, drafts))
  const from = starts[current] ?? 0
  return [from, Math.min(text.length, ...starts.filter(start => start > from))]
}

const saysSomething = (text: string): boolean => WORD().test(text) || LONG_NUMBER().test(text)

/**
 * What is left of a sentence that has a value: the clauses without a value, and those that have a postcode or
 * a telephone number next to one. A clause that begins with a small word is left out, because it needs the
 * one before.
 *
 * @param at where the sentence begins in the text
 * @param input.unused the text, in which spaces replace the values
 */
function remainingClauses(
  sentence: string,
  at: number,
  { unused, values }: { unused: string; values: ReadonlySet<string> },
): string {
  let position = 0
  const clauses = sentence.split(CLAUSE_END()).filter(clause => {
    const start = sentence.indexOf(clause, position)
    position = start + clause.length
    const beside = unused.slice(at + start, at + position)
    if (beside !== clause)
      return LONG_NUMBER().test(beside) || (POSTCODE_AND_TOWN().test(clause) && /\d{4}/.test(beside))
    const [first = ''] = fold(clause).match(/[a-z]+/) ?? []
    // A title may be in the subject, too.
    return (
      saysSomething(clause) && !values.has(clause.trim()) && (!WORDS.small.has(first) || /\d/.test(clause))
    )
  })
  const text = clauses
    .map(clause =>
      clause
        .replace(/^\((.*)\)$/, '$1')
        .replace(/[.,;]$/, '')
        .trim(),
    )
    .join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * What a text says of an event besides the values of its form, as the HTML of a description: the sentences
 * and clauses without a value, except for quotations of other e-mails, a salutation and a signature.
 *
 * @param tables the tables of the text
 */
export function remainingText(
  text: string,
  drafts: readonly AnnouncedEvent[],
  current: number,
  tables = tablesIn(text),
): string {
  const draft = drafts[current]
  // In markup, the place of a value is known, but not the place of its sentence.
  if (!draft || /<\w/.test(text)) return ''
  const { quotes, headers, signatures } = repeatedIn(text)
  const usedSpans: Span[] = Object.values(draft.evidence)
  const unusedText = blanked(text, usedSpans)
  const values = new Set(usedSpans.map(([start, end]) => text.slice(start, end)))
  const droppedSpans: Span[] = [...quotes, ...headers, ...signatures]
  const isLetter = letterLines(text.split('\n'))
  for (const [i, line] of linesIn(text).entries()) if (isLetter[i]) droppedSpans.push([line.from, line.to])
  const [from, to] = partOf(text, drafts, current)
  const restOf = (sentence: string, start: number): string => {
    const isUsed = usedSpans.some(([a, b]) => a < start + sentence.length && start < b)
    return isUsed ? remainingClauses(sentence, start, { unused: unusedText, values }) : sentence
  }
  const [firstValue = 0] = draft.evidence.title ?? draft.evidence.start_date ?? []
  const row = tables.flatMap(({ rows }) => rows).find(({ span: [a, b] }) => a <= firstValue && firstValue < b)
  const details = (row?.details ?? []).flatMap(({ heading, cell }) => {
    const rest = restOf(textOf(cell), spanOf(cell)[0])
    if (!saysSomething(rest) || weekdayOf(fold(rest)) > 0) return []
    return [heading === '' ? rest : `${heading}: ${rest}`]
  })
  const lines = linesIn(text)
    .filter(line => line.from >= from && line.from < to)
    .map(line => {
      // A row says nothing of the event of another row.
      if (tables.some(({ span: [a, b] }) => a < line.to && line.from < b))
        return line.from <= firstValue && firstValue < line.to ? details.join('\n') : ''
      let position = line.from
      const sentences = line.text.split(SENTENCE_END()).flatMap(sentence => {
        const start = text.indexOf(sentence, position)
        position = start + sentence.length
        const isIn = ([a, b]: Span): boolean => a < position && start < b
        if (!saysSomething(sentence) || droppedSpans.some(isIn)) return []
        const rest = restOf(sentence, start)
        return rest === '' ? [] : [rest]
      })
      // A clause that is left of its sentence may have no mark at its end.
      return sentences
        .map((sentence, i) =>
          i + 1 < sentences.length ? sentence.replace(/[^.!?…:)"»”“]$/, '$&.') : sentence,
        )
        .join(' ')
        .replace(/^> ?/, '')
        .trim()
    })
  const remainder = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return remainder === '' ? '' : toHtml(escapeXml(remainder)).trim()
}

/**
 * A text without the rows of tables up to the row of its last draft, for a text with more rows than may
 * become drafts. The rest keeps the headings of its tables. Undefined if the last draft is not from a row.
 */
export function withoutReadRows(text: string, drafts: readonly AnnouncedEvent[]): string | undefined {
  const { title, start_date: start } = drafts.at(-1)?.evidence ?? {}
  const [firstValue = -1] = title ?? start ?? []
  const rows = /<\w/.test(text) ? [] : tablesIn(text).flatMap(table => table.rows)
  const last = rows.findIndex(({ span: [from, to] }) => from <= firstValue && firstValue < to)
  if (last < 0) return undefined
  const starts = new Set(rows.slice(0, last + 1).map(({ span }) => text.lastIndexOf('\n', span[0]) + 1))
  return linesIn(text)
    .filter(({ from }) => !starts.has(from))
    .map(line => line.text)
    .join('\n')
}
