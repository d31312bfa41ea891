import type { Page, Rows } from '../../../http/lists.ts'
import { isGuessCode } from '../../../lib/reasons.ts'
import { capitalized } from '../../../lib/text.ts'
import type { SourceRow } from '../../../resources/sources/queries.ts'
import type { RunResponse } from '../../../resources/sources/schema.ts'
import { type Admin, shortMomentOf } from '../../../web/editor/admin.ts'
import { listAddress } from '../../../web/editor/events/list.ts'
import { historyPath } from '../../../web/editor/history/page.ts'
import type { AdminPage } from '../../../web/editor/layout.ts'
import { listItem } from '../../../web/editor/lists.ts'
import { filePath, NEW_FILE, SOURCES, sourcePath } from '../../../web/editor/origins.ts'
import { doneSection, settingsPath, stateLabel } from '../../../web/editor/services.ts'
import { buttonForm, form, optionsField } from '../../../web/forms/element.ts'
import { backLink, type Html, html } from '../../../web/html/html.ts'
import { filled, plural } from '../../../words/words.ts'
import { type RunRow, saidIn } from '../queries.ts'
import {
  doneIn,
  everyOf,
  guessLabel,
  nextTimeOf,
  reasonText,
  runText,
  skippedCounts,
  sourceName,
  stateBadge,
} from './health.ts'

export const RUNS_PER_PAGE = 10

export type LoadedSource = { source: SourceRow; newest: RunRow | undefined; runs: Rows<RunRow>; page: Page }

const skippedOf = ({ skipped }: RunRow): RunResponse['skipped'] =>
  // JSON that the run has stored.
  JSON.parse(skipped) as RunResponse['skipped']

const counted = (run: RunRow) => ({ ...run, ...skippedCounts({ skipped: skippedOf(run) }) })

/** The page of one source: its health, its actions and its runs. */
export function sourcePage(admin: Admin, { source, newest, runs, page }: LoadedSource): AdminPage {
  const words = admin.texts.source
  const name = sourceName(source)
  const listed = { source, run: newest && counted(newest) }
  return {
    title: name,
    isNarrow: true,
    main: html`${backLink(SOURCES, words.title)}
<div class="page-head"><h1 dir="auto">${name}</h1><p class="row-badges">${stateBadge(admin, listed)}</p></div>
<div class="stack">
${source.state === 'asking' && question(admin, source)}
${source.state === 'failing' && failure(admin, source)}
<section class="card" aria-label="${admin.words.settings}"><dl class="columns source-facts">
${
  source.url === ''
    ? fact(admin.texts.upload.uploaded, source.file)
    : fact(
        words.page,
        html`<a href="${source.url}" rel="nofollow noopener">${new URL(source.url).host}</a>, ${everyOf(words, source)}`,
      )
}
${fact(words.last, newest ? shortMomentOf(admin, newest.started_utc) : words.never)}
${source.file === '' && fact(words.next, nextTimeOf(admin, source))}
${source.events > 0 && fact(source.file === '' ? words.events : admin.texts.upload.events, admin.site.dates.number(source.events))}
</dl>
${source.file === '' ? calendarActions(admin, source) : fileActions(admin, source, newest)}
<p><a href="${listAddress({ source: source.id, ...(source.file !== '' && source.status === 'draft' && { view: 'draft' }) })}">${words.seeEvents}</a></p></section>
${doneSection(admin, {
  id: 'runs',
  title: words.runs,
  none: words.noRuns,
  address: sourcePath(source.id),
  page,
  done: runs,
  item: row => run(admin, row, source),
})}
</div>
<section class="editor-other" aria-label="${admin.words.more}">
<a href="${historyPath({ kind: 'source', id: source.id })}">${admin.texts.history.history}</a>
<a class="is-danger" href="${sourcePath(source.id)}delete/">${admin.words.delete}</a></section>`,
  }
}

const fact = (name: string, value: string | Html): Html =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`

const calendarActions = (admin: Admin, source: SourceRow): Html =>
  html`<div class="actions">${button(admin, source, 'sync', 'button')}${
    source.state !== 'asking' && button(admin, source, source.state === 'paused' ? 'resume' : 'pause')
  }<a class="button button-quiet" href="${settingsPath('source', source.id)}">${admin.words.settings}</a></div>`

/** The actions for a file: looking at it, importing the rest, or undoing its last import. */
function fileActions(admin: Admin, source: SourceRow, newest: RunRow | undefined): Html {
  const words = admin.texts.upload
  const { number } = admin.site.dates
  const { id, state, undoing, events, next_run_utc } = source
  if (state === 'paused')
    return html`<div class="actions"><a class="button" href="${filePath(id)}">${words.goOn}</a></div>`
  if (undoing !== null) return html`<p>${words.undoing}</p>`
  if (next_run_utc !== null) {
    const { created = 0, updated = 0, unchanged = 0 } = newest?.state === 'running' ? newest : {}
    const [n, all] = [number(created + updated + unchanged), number(events)]
    return html`<p role="status">${events > 0 ? filled(words.progress, { n, all }) : admin.texts.source.begun}</p>
${buttonForm(admin, { action: `${filePath(id)}continue/`, text: words.continue, id: 'goes-on' })}`
  }
  const mayUndo = newest && newest.created > 0 && newest.code !== 'undone'
  return html`<div class="actions"><a class="button button-quiet" href="${NEW_FILE}">${words.another}</a>${mayUndo && html`<a class="button button-quiet" href="${sourcePath(id)}undo/">${words.undo}</a>`}</div>`
}

/** The page that asks before the last import of a file is undone. */
export function undoPage(admin: Admin, source: SourceRow, newest: RunRow | undefined): AdminPage {
  const words = admin.texts.upload
  const path = sourcePath(source.id)
  const name = sourceName(source)
  const n = newest?.created ?? 0
  return {
    title: words.undo,
    isNarrow: true,
    main: html`${backLink(path, name)}<h1>${words.undo}</h1><p class="lead">${filled(plural(admin.language, words, 'undoText', n), { n: admin.site.dates.number(n), name })}</p>
${form(admin, {
  action: `${path}undo/`,
  body: html`<div class="actions"><button class="button" type="submit">${words.undo}</button> <a class="button button-quiet" href="${path}">${admin.words.keep}</a></div>`,
})}`,
  }
}

/** The outcome of undoing an import. */
export const undoneText = (admin: Admin, run: RunResponse): string =>
  run.code === 'undone'
    ? capitalized(filled(admin.texts.upload.undone, { n: admin.site.dates.number(run.trashed) }))
    : admin.texts.upload.undoing

type Part = 'sync' | 'pause' | 'resume' | 'agree' | 'refuse'

const button = (admin: Admin, { id }: SourceRow, part: Part, look = 'button button-quiet'): Html =>
  buttonForm(admin, {
    action: `${sourcePath(id)}${part === 'refuse' ? 'pause' : part === 'agree' ? 'resume' : part}/`,
    text: part === 'pause' ? admin.words.pause : admin.texts.source[part],
    look,
  })

/** The question that is asked when many events have vanished from a source. */
function question(admin: Admin, source: SourceRow): Html {
  const words = admin.texts.source
  return html`<section class="card notice-card" aria-labelledby="question"><h2 id="question">${words.question}</h2>
<p>${words.questionText} ${source.mirror ? words.agreeMirror : words.agreeKeep}</p>
${saidIn(source.code).isIncomplete && html`<p>${words.notWhole}</p>`}
<div class="actions">${button(admin, source, 'agree', 'button')}${button(admin, source, 'refuse')}</div></section>`
}

function failure(admin: Admin, { message, code }: SourceRow): Html {
  const words = admin.texts.source
  return html`<section class="card notice-card" aria-labelledby="wrong"><h2 id="wrong">${words.wrong}</h2>
<p>${reasonText(admin.texts, { code, message })}</p>
<details><summary>${words.detail}</summary><p class="small" dir="auto">${message}</p></details></section>`
}

function run(admin: Admin, row: RunRow, { file }: SourceRow): Html {
  const words = admin.texts.source
  const all = skippedOf(row)
  const guesses = all.filter(({ code }) => isGuessCode(code))
  const reasons = all
    .filter(({ code }) => !isGuessCode(code))
    .map(
      ({ what, why, code, values }) =>
        html`<li dir="auto">${titleOf(file === '' ? titleIn(what) : lineIn(admin, what), values?.event)} <span class="small">${reasonText(admin.texts, { code, message: why })}</span></li>\n`,
    )
  return listItem({
    name: shortMomentOf(admin, row.started_utc),
    facts: [runText(admin, counted(row))],
    end: html`${row.state === 'failed' && stateLabel(words.stopped, true)}${row.state === 'running' && stateLabel(words.running, false)}
${guessList(admin, guesses)}${details(words.skippedTitle, reasons)}`,
    look: 'run',
  })
}

/** A list of what was guessed, closed at first. */
export const guessList = (admin: Admin, guesses: RunResponse['skipped']): Html | false =>
  details(
    admin.texts.source.guessedTitle,
    guesses.map(guess => guessItem(admin, guess)),
  )

/** A title, which leads to the event that somebody is asked about. */
const titleOf = (title: string, event: string | number | undefined): string | Html =>
  event === undefined ? title : html`<a href="/admin/events/${event}/">${title}</a>`

const details = (title: string, items: readonly Html[]): Html | false =>
  items.length > 0 && html`<details><summary>${title}</summary><ul class="card-list">${items}</ul></details>`

/** What was guessed, with the first line of the file that has it. */
const guessItem = (admin: Admin, guess: RunResponse['skipped'][number]): Html => {
  const line = guess.values?.line
  const { dates } = admin.site
  return html`<li dir="auto">${line !== undefined && html`<strong>${filled(admin.texts.upload.line, { n: dates.number(Number(line)) })}</strong> `}<span class="small">${guessLabel(admin, guess)}</span></li>\n`
}

/** The title of a skipped event, without the id before it. */
const titleIn = (what: string): string =>
  what === 'the calendar' ? '' : (/^\S+ \((.+)\)$/s.exec(what)?.[1] ?? what)

/** The line of a file that was skipped, and the title in it. */
function lineIn(admin: Admin, what: string): string {
  const [, line, title = ''] = /:(\d+)(?: \((.*)\))?$/s.exec(what) ?? []
  return line === undefined
    ? titleIn(what)
    : `${filled(admin.texts.upload.line, { n: admin.site.dates.number(Number(line)) })} ${title}`
}

/** The outcome of a run that was started by hand. */
export function syncedText(admin: Admin, run: RunResponse): string {
  const words = admin.texts.source
  if (run.state === 'failed') return filled(words.failed, { why: reasonText(admin.texts, run) })
  if (run.state === 'running') return words.begun
  return filled(words.done, { what: doneIn(admin, { ...run, ...skippedCounts(run) }) })
}

/** The page that asks whether to keep the events of a source that is deleted. */
export function deletePage(admin: Admin, source: SourceRow): AdminPage {
  const words = admin.texts.source
  const title = filled(admin.words.deleteTitle, { name: sourceName(source) })
  const path = sourcePath(source.id)
  return {
    title,
    isNarrow: true,
    main: html`${backLink(path, sourceName(source))}<h1>${title}</h1>
${form(admin, {
  action: `${path}delete/`,
  look: 'stack',
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
<div class="actions"><button class="button button-danger" type="submit">${words.deleteNow}</button> <a class="button button-quiet" href="${path}">${admin.words.keep}</a></div>`,
})}`,
  }
}
