import type { SourceRow } from '../../../calendar/imports/source.ts'
import type { PreviewedEvent, RunResponse } from '../../../calendar/imports/source-schema.ts'
import { type EditorContext, shortMomentOf } from '../../../editor/context.ts'
import { stateLabel } from '../../../editor/managed.ts'
import { isGuessCode, isReasonCode } from '../../../kit/lib/reasons.ts'
import { optionName } from '../../../site/forms/control.ts'
import { type Html, html } from '../../../site/html/html.ts'
import { plain } from '../../../site/html/text.ts'
import { type Catalogue, filled } from '../../../words/words.ts'
import { meaningOfCode } from '../queries.ts'
import type { ListedRun, ListedSource } from './queries.ts'

/** The reason why something was not read. A message without a code is shown as it is. */
type ReadFailure = {
  code?: string | undefined
  message: string
  values?: Readonly<Record<string, string | number>> | undefined
}

/** The reason why something was not read, in words for laypeople. */
export const reasonText = (texts: Catalogue, { code, message, values = {} }: ReadFailure): string =>
  isReasonCode(code) ? filled<string>(texts.reason[code], values) : message

/** What was guessed, and how often. */
export const guessLabel = (
  { texts, site }: EditorContext,
  { why, code, values }: RunResponse['skipped'][number],
): string => {
  const text = reasonText(texts, { code, message: why, values })
  const times = Number(values?.times ?? 1)
  return times > 1 ? `${text} (${filled(texts.source.times, { n: site.dates.number(times) })})` : text
}

/** The number of items that were skipped or guessed, and how many of them were guessed. */
export const skippedCounts = ({ skipped }: Pick<RunResponse, 'skipped'>) => ({
  skippedCount: skipped.length,
  guessedCount: skipped.filter(({ code }) => isGuessCode(code)).length,
})

/** Marks an event of a preview that will not be public. */
export const hiddenBadge = ({ language }: EditorContext, status: PreviewedEvent['status']): Html | false =>
  status !== 'publish' && html` <span class="badge">${optionName(language, 'event', 'status', status)}</span>`

export const sourceName = ({ name }: SourceRow): string => plain(name)

/** The key of the word for a source's state. */
function stateWordName(
  { context }: EditorContext,
  { source: { state, every, next_run_utc }, run }: ListedSource,
): keyof Catalogue['source'] {
  if (state !== 'new' && state !== 'ok') return state
  if (run?.state === 'running') return 'running'
  if (state === 'ok' && next_run_utc !== null && next_run_utc <= context.clock.now()) return 'due'
  return state === 'new' && every === '' && next_run_utc === null ? 'byHand' : state
}

export function stateBadge(editor: EditorContext, listedSource: ListedSource): Html {
  const { texts } = editor
  const { state, file } = listedSource.source
  if (file !== '' && state === 'paused') return stateLabel(texts.upload.waits, false)
  if (file !== '' && state === 'ok' && listedSource.run?.state !== 'running')
    return stateLabel(texts.upload.imported, false)
  const isBad = state === 'failing' || state === 'asking'
  return stateLabel(texts.source[stateWordName(editor, listedSource)], isBad)
}

const COUNT_NAMES = ['created', 'updated', 'trashed', 'joined', 'asked', 'unchanged'] as const

/** The results of a run, in words. */
export function resultsText(
  { texts, site: { dates } }: EditorContext,
  run: Pick<ListedRun, (typeof COUNT_NAMES)[number] | 'skippedCount' | 'guessedCount'>,
): string {
  const words = texts.source
  const counts = [
    ...COUNT_NAMES.map(name => [name, run[name]] as const),
    ['skipped', run.skippedCount - run.guessedCount] as const,
    ['guessed', run.guessedCount] as const,
  ]
  const countTexts = counts
    .filter(([, n]) => n > 0)
    .map(([name, n]) => filled(words[name], { n: dates.number(n) }))
  return countTexts.join(', ') || words.nothing
}

export function runText(editor: EditorContext, run: ListedRun): string {
  const words = editor.texts.source
  if (run.state === 'failed') return reasonText(editor.texts, run)
  if (run.code === 'undone')
    return filled(editor.texts.upload.undone, { n: editor.site.dates.number(run.trashed) })
  const { asks, isIncomplete } = meaningOfCode(run.code)
  if (asks) return words.halfGone
  return isIncomplete ? `${resultsText(editor, run)}. ${words.notWhole}` : resultsText(editor, run)
}

export function nextTimeOf(editor: EditorContext, { state, next_run_utc }: SourceRow): string {
  const words = editor.texts.source
  if (state === 'paused') return words.paused
  if (state === 'asking') return words.whileAsking
  if (next_run_utc === null) return words.onlyByHand
  return next_run_utc <= editor.context.clock.now() ? words.soon : shortMomentOf(editor, next_run_utc)
}

const INTERVAL_WORDS: Readonly<Record<SourceRow['every'], keyof Catalogue['source']>> = {
  hour: 'everyHour',
  '6 hours': 'every6Hours',
  day: 'everyDay',
  week: 'everyWeek',
  '': 'onDemand',
}

/** The host of a source, and the interval between its runs. */
export const originText = (editor: EditorContext, { url, ...source }: SourceRow): string =>
  url === ''
    ? editor.texts.upload.uploaded
    : `${new URL(url).host} · ${intervalText(editor.texts.source, source)}`

/** The interval between runs, in words. */
export const intervalText = (words: Catalogue['source'], { every }: Pick<SourceRow, 'every'>): string =>
  words[INTERVAL_WORDS[every]]
