import type { SourceRow } from '../../../calendar/imports/source.ts'
import type { RunResponse } from '../../../calendar/imports/source-schema.ts'
import { type EditorContext, shortMomentOf } from '../../../editor/context.ts'
import { listAddress } from '../../../editor/events/list.ts'
import { historyPath } from '../../../editor/history/area.ts'
import type { EditorPage } from '../../../editor/layout.ts'
import { listItem } from '../../../editor/lists.ts'
import { logSection, settingsPath, stateLabel } from '../../../editor/managed.ts'
import { filePath, NEW_FILE_PATH, SOURCES_PATH, sourcePath } from '../../../editor/source-paths.ts'
import type { ListSlice, Rows } from '../../../kit/http/lists.ts'
import { isGuessCode } from '../../../kit/lib/reasons.ts'
import { capitalized } from '../../../kit/lib/text.ts'
import { storedJson } from '../../../kit/lib/values.ts'
import { optionName } from '../../../site/forms/control.ts'
import { buttonForm, form, optionsField } from '../../../site/forms/field-html.ts'
import { backLink, type Html, html } from '../../../site/html/html.ts'
import { filled, plural } from '../../../words/words.ts'
import { meaningOfCode, type RunRow } from '../queries.ts'
import {
  guessLabel,
  intervalText,
  nextTimeOf,
  reasonText,
  resultsText,
  runText,
  skippedCounts,
  sourceName,
  stateBadge,
} from './health.ts'

export const RUNS_PER_PAGE = 10

export type LoadedSource = {
  source: SourceRow
  newest: RunRow | undefined
  runs: Rows<RunRow>
  page: ListSlice
}

const skippedOf = ({ skipped }: RunRow): RunResponse['skipped'] => storedJson<RunResponse['skipped']>(skipped)

const withSkippedCounts = (run: RunRow) => ({ ...run, ...skippedCounts({ skipped: skippedOf(run) }) })

/** The page of one source: its health, its actions and its runs. */
export function sourcePage(editor: EditorContext, { source, newest, runs, page }: LoadedSource): EditorPage {
  const words = editor.texts.source
  const name = sourceName(source)
  const listedSource = { source, run: newest && withSkippedCounts(newest) }
  return {
    title: name,
    isNarrow: true,
    main: html`${backLink(SOURCES_PATH, words.title)}
<div class="page-head"><h1 dir="auto">${name}</h1><p class="row-badges">${stateBadge(editor, listedSource)}</p></div>
<div class="stack">
${source.state === 'asking' && questionCard(editor, source, newest)}
${source.state === 'failing' && failureCard(editor, source)}
<section class="card" aria-label="${editor.words.settings}"><dl class="columns source-facts">
${
  source.url === ''
    ? factRow(editor.texts.upload.uploaded, source.file)
    : factRow(
        words.page,
        html`<a href="${source.url}" rel="nofollow noopener">${new URL(source.url).host}</a>, ${intervalText(words, source)}`,
      )
}
${factRow(words.last, newest ? shortMomentOf(editor, newest.started_utc) : words.never)}
${source.file === '' && factRow(words.next, nextTimeOf(editor, source))}
${source.events > 0 && source.state !== 'asking' && factRow(source.file === '' ? words.events : editor.texts.upload.events, editor.site.dates.number(source.events))}
</dl>
${source.file === '' ? calendarActions(editor, source) : fileActions(editor, source, newest)}
<p><a href="${listAddress({ source: source.id, ...(source.file !== '' && source.status === 'draft' && { view: 'draft' }) })}">${words.seeEvents}</a></p></section>
${logSection(editor, {
  id: 'runs',
  title: words.runs,
  none: words.noRuns,
  address: sourcePath(source.id),
  page,
  log: runs,
  item: row => runItem(editor, row, source),
})}
</div>
<section class="editor-other" aria-label="${editor.words.more}">
<a href="${historyPath({ kind: 'source', id: source.id })}">${editor.texts.history.history}</a>
<a class="is-danger" href="${sourcePath(source.id)}delete/">${editor.words.delete}</a></section>`,
  }
}

const factRow = (name: string, value: string | Html): Html =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`

const calendarActions = (editor: EditorContext, source: SourceRow): Html =>
  html`<div class="actions">${actionButton(editor, source, 'sync', 'button')}${
    source.state !== 'asking' && actionButton(editor, source, source.state === 'paused' ? 'resume' : 'pause')
  }<a class="button button-quiet" href="${settingsPath('source', source.id)}">${editor.words.settings}</a></div>`

/** The actions for a file: looking at it, importing the rest, or undoing its last import. */
function fileActions(editor: EditorContext, source: SourceRow, newest: RunRow | undefined): Html {
  const words = editor.texts.upload
  const { number } = editor.site.dates
  const { id, state, undoing, events, next_run_utc } = source
  if (state === 'paused')
    return html`<div class="actions"><a class="button" href="${filePath(id)}">${words.goOn}</a></div>`
  if (undoing !== null) return html`<p>${words.undoing}</p>`
  if (next_run_utc !== null) {
    const { created = 0, updated = 0, unchanged = 0 } = newest?.state === 'running' ? newest : {}
    const n = number(created + updated + unchanged)
    const total = number(events)
    return html`<p role="status">${events > 0 ? filled(words.progress, { n, all: total }) : editor.texts.source.begun}</p>
${buttonForm(editor, { action: `${filePath(id)}continue/`, text: words.continue, id: 'goes-on' })}`
  }
  const mayUndo = newest && newest.created > 0 && newest.code !== 'undone'
  return html`<div class="actions"><a class="button button-quiet" href="${NEW_FILE_PATH}">${words.another}</a>${mayUndo && html`<a class="button button-quiet" href="${sourcePath(id)}undo/">${words.undo}</a>`}</div>`
}

/** The page that asks before the last import of a file is undone. */
export function undoPage(editor: EditorContext, source: SourceRow, newest: RunRow | undefined): EditorPage {
  const words = editor.texts.upload
  const path = sourcePath(source.id)
  const name = sourceName(source)
  const n = newest?.created ?? 0
  return {
    title: words.undo,
    isNarrow: true,
    main: html`${backLink(path, name)}<h1>${words.undo}</h1><p class="lead">${filled(plural(editor.language, words, 'undoText', n), { n: editor.site.dates.number(n), name })}</p>
${form(editor, {
  action: `${path}undo/`,
  body: html`<div class="actions"><button class="button" type="submit">${words.undo}</button> <a class="button button-quiet" href="${path}">${editor.words.keep}</a></div>`,
})}`,
  }
}

/** The outcome of undoing an import. */
export const undoneText = (editor: EditorContext, run: RunResponse): string =>
  run.code === 'undone'
    ? capitalized(filled(editor.texts.upload.undone, { n: editor.site.dates.number(run.trashed) }))
    : editor.texts.upload.undoing

const actionButton = (
  editor: EditorContext,
  { id }: SourceRow,
  part: 'sync' | 'pause' | 'resume' | 'agree' | 'refuse',
  className = 'button button-quiet',
): Html =>
  buttonForm(editor, {
    action: `${sourcePath(id)}${part === 'refuse' ? 'pause' : part === 'agree' ? 'resume' : part}/`,
    text: part === 'pause' ? editor.words.pause : editor.texts.source[part],
    className,
  })

/** The question that is asked when many events have vanished from a source. */
function questionCard(editor: EditorContext, source: SourceRow, newest: RunRow | undefined): Html {
  const words = editor.texts.source
  const { isIncomplete } = meaningOfCode(source.code)
  // Runs from before lost events were counted don't have this item.
  const lost = newest && skippedOf(newest).find(({ code }) => code === 'half_vanished')
  return html`<section class="card notice-card" aria-labelledby="question"><h2 id="question">${words.question}</h2>
${lost && html`<p dir="auto"><strong>${reasonText(editor.texts, { ...lost, message: lost.why })}</strong></p>`}
<p>${words.questionText} ${source.mirror && !isIncomplete ? words.agreeMirror : words.agreeKeep}</p>
${isIncomplete && html`<p>${words.notWhole}</p>`}
<div class="actions">${actionButton(editor, source, 'agree', 'button')}${actionButton(editor, source, 'refuse')}</div></section>`
}

function failureCard(editor: EditorContext, { message, code }: SourceRow): Html {
  const words = editor.texts.source
  return html`<section class="card notice-card" aria-labelledby="wrong"><h2 id="wrong">${words.wrong}</h2>
<p>${reasonText(editor.texts, { code, message })}</p>
<details><summary>${words.detail}</summary><p class="small" dir="auto">${message}</p></details></section>`
}

function runItem(editor: EditorContext, row: RunRow, { file }: SourceRow): Html {
  const words = editor.texts.source
  const skippedItems = skippedOf(row)
  const guesses = skippedItems.filter(({ code }) => isGuessCode(code))
  const { there = [], others = [] } = Object.groupBy(
    skippedItems.filter(({ code }) => !isGuessCode(code)),
    ({ code }) => (code === 'edited_there' ? 'there' : 'others'),
  )
  const itemOf = ({ what, why, code, values }: RunResponse['skipped'][number]) =>
    html`<li dir="auto">${titleOrLink(file === '' ? titleIn(what) : lineIn(editor, what), values?.event)} <span class="small">${reasonText(editor.texts, { code, message: why, values: { ...values, there: thereText(editor, values) } })}</span></li>\n`
  return listItem({
    name: shortMomentOf(editor, row.started_utc),
    facts: [runText(editor, withSkippedCounts(row))],
    end: html`${row.state === 'failed' && stateLabel(words.stopped, true)}${row.state === 'running' && stateLabel(words.running, false)}
${there.length > 0 && html`<ul class="card-list">${there.map(itemOf)}</ul>`}${guessList(editor, guesses)}${foldedList(words.skippedTitle, others.map(itemOf))}`,
    className: 'run',
  })
}

/** What its own calendar now says about an event that was edited here: whether and when it takes place. */
const thereText = (
  editor: EditorContext,
  { status, start }: NonNullable<RunResponse['skipped'][number]['values']> = {},
): string =>
  [
    status !== undefined && optionName(editor.language, 'event', 'event_status', String(status)),
    start !== undefined && shortMomentOf(editor, String(start)),
  ]
    .filter(Boolean)
    .join(', ')

/** A list of what was guessed, closed at first. */
export const guessList = (editor: EditorContext, guesses: RunResponse['skipped']): Html | false =>
  foldedList(
    editor.texts.source.guessedTitle,
    guesses.map(guess => guessItem(editor, guess)),
  )

/** A title, as a link if there is an event that somebody is asked about. */
const titleOrLink = (title: string, event: string | number | undefined): string | Html =>
  event === undefined ? title : html`<a href="/admin/events/${event}/">${title}</a>`

const foldedList = (title: string, items: readonly Html[]): Html | false =>
  items.length > 0 && html`<details><summary>${title}</summary><ul class="card-list">${items}</ul></details>`

/** A guess, with the number of the first line of the file where it was made. */
const guessItem = (editor: EditorContext, guess: RunResponse['skipped'][number]): Html => {
  const line = guess.values?.line
  const { dates } = editor.site
  return html`<li dir="auto">${line !== undefined && html`<strong>${filled(editor.texts.upload.line, { n: dates.number(Number(line)) })}</strong> `}<span class="small">${guessLabel(editor, guess)}</span></li>\n`
}

/** The title of a skipped event, without the id before it. */
const titleIn = (what: string): string =>
  what === 'the calendar' ? '' : (/^\S+ \((.+)\)$/s.exec(what)?.[1] ?? what)

/** The line of a file that was skipped, and the title in it. */
function lineIn(editor: EditorContext, place: string): string {
  const [, line, title = ''] = /:(\d+)(?: \((.*)\))?$/s.exec(place) ?? []
  return line === undefined
    ? titleIn(place)
    : `${filled(editor.texts.upload.line, { n: editor.site.dates.number(Number(line)) })} ${title}`
}

/** The outcome of a run that was started by hand. */
export function syncedText(editor: EditorContext, run: RunResponse): string {
  const words = editor.texts.source
  if (run.state === 'failed') return filled(words.failed, { why: reasonText(editor.texts, run) })
  if (run.state === 'running') return words.begun
  if (meaningOfCode(run.code).asks) return filled(words.done, { what: words.halfGone })
  return filled(words.done, { what: resultsText(editor, { ...run, ...skippedCounts(run) }) })
}

/** The page that asks whether to keep the events of a source that is deleted. */
export function deletePage(editor: EditorContext, source: SourceRow): EditorPage {
  const words = editor.texts.source
  const title = filled(editor.words.deleteTitle, { name: sourceName(source) })
  const path = sourcePath(source.id)
  return {
    title,
    isNarrow: true,
    main: html`${backLink(path, sourceName(source))}<h1>${title}</h1>
${form(editor, {
  action: `${path}delete/`,
  className: 'stack',
  body: html`${optionsField(
    { id: 'events', label: words.deleteText },
    {
      options: [
        ['keep', words.keepEvents],
        ['trash', words.trashEvents],
      ],
      chosen: ['keep'],
    },
  )}
<div class="actions"><button class="button button-danger" type="submit">${words.deleteNow}</button> <a class="button button-quiet" href="${path}">${editor.words.keep}</a></div>`,
})}`,
  }
}
