import { saidIn } from '../../../resources/sources/messages.ts'
import type { SourceRow } from '../../../resources/sources/queries.ts'
import { filled, type SourceWords, sourceWords } from '../../../words/words.ts'
import { type Html, html } from '../../html/html.ts'
import { plain } from '../../html/text.ts'
import type { Admin } from '../admin.ts'
import { shortMomentOf } from '../moments.ts'
import type { Listed, Run } from './queries.ts'
import { failureIn } from './reasons.ts'

export const sourceName = ({ name }: Pick<SourceRow, 'name'>): string => plain(name)

/** The word for the state of a calendar. */
function stateOf({ source: { state, every, next_run_utc }, run }: Listed): keyof SourceWords {
  if (state !== 'new' && state !== 'ok') return state
  if (run?.state === 'running') return 'running'
  return state === 'new' && every === '' && next_run_utc === null ? 'byHand' : state
}

/** The state of a calendar as a label. */
export function stateBadge({ language }: Admin, listed: Listed): Html {
  const { state } = listed.source
  const isBad = state === 'failing' || state === 'asking'
  return html`<span class="badge${isBad ? ' badge-alert' : ' badge-quiet'}">${sourceWords(language)[stateOf(listed)]}</span>`
}

const COUNTS = ['created', 'updated', 'trashed', 'joined', 'asked', 'unchanged'] as const

/** What a run has done, in words. */
export function doneIn(
  { language, site: { dates } }: Admin,
  run: Pick<Run, (typeof COUNTS)[number] | 'skippedCount'>,
): string {
  const words = sourceWords(language)
  const counts = [...COUNTS.map(name => [name, run[name]] as const), ['skipped', run.skippedCount] as const]
  const said = counts.filter(([, n]) => n > 0).map(([name, n]) => filled(words[name], { n: dates.number(n) }))
  return said.join(', ') || words.nothing
}

/** What has come of a run. */
export function runText(admin: Admin, run: Run): string {
  const words = sourceWords(admin.language)
  if (run.state === 'failed') return failureIn(words, run.message)
  const { asks, isIncomplete } = saidIn(run.message)
  if (asks) return words.halfGone
  return isIncomplete ? `${doneIn(admin, run)}. ${words.notWhole}` : doneIn(admin, run)
}

/** When a calendar is read again. */
export function nextTimeOf(admin: Admin, { state, next_run_utc }: SourceRow): string {
  const words = sourceWords(admin.language)
  if (state === 'paused') return words.paused
  if (state === 'asking') return words.whileAsking
  if (next_run_utc === null) return words.onlyByHand
  return next_run_utc <= admin.context.now ? words.soon : shortMomentOf(admin, next_run_utc)
}

const EVERY: Readonly<Record<SourceRow['every'], keyof SourceWords>> = {
  hour: 'everyHour',
  '6 hours': 'every6Hours',
  day: 'everyDay',
  week: 'everyWeek',
  '': 'onDemand',
}

/** How often a calendar is read. */
export const everyOf = (words: SourceWords, { every }: SourceRow): string => words[EVERY[every]]
