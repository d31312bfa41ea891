import * as z from 'zod/mini'
import { type SourceRow, selectSourceById } from '../../../calendar/imports/source.ts'
import {
  type FilePreviewResponse,
  type FileReading,
  MAX_SOURCE_FILE_BYTES,
  type RunResponse,
} from '../../../calendar/imports/source-schema.ts'
import type { EditorContext } from '../../../editor/context.ts'
import type { EditorPage } from '../../../editor/layout.ts'
import { listItem, pageLinks, pageNumber } from '../../../editor/lists.ts'
import { defineAction, defineEditorPage, type MountEditorPage } from '../../../editor/pages-and-actions.ts'
import type { EditorResponse } from '../../../editor/respond.ts'
import { filePath, NEW_FILE_PATH, SOURCES_PATH, sourcePath } from '../../../editor/source-paths.ts'
import { resolvedQuery } from '../../../kit/db/query.ts'
import { CURRENCY_COLUMNS, READ_COLUMNS, type ReadColumn, VISIBILITY_COLUMNS } from '../../../kit/lib/csv.ts'
import { capitalized } from '../../../kit/lib/text.ts'
import { dayOf } from '../../../kit/lib/time.ts'
import { asObject } from '../../../kit/lib/values.ts'
import { type FieldResource, wordsOfField } from '../../../site/forms/control.ts'
import {
  form,
  formText,
  inputField,
  optionsField,
  problem,
  selectField,
} from '../../../site/forms/field-html.ts'
import { isDone, reasonsOf, sendFile, submitOne } from '../../../site/forms/requests.ts'
import { backLink, type Html, html, type Options } from '../../../site/html/html.ts'
import { countedText } from '../../../site/html/page-context.ts'
import { plain } from '../../../site/html/text.ts'
import { storedCostWords } from '../../../words/cost.ts'
import { styleBeside } from '../../../words/dates.ts'
import { filled } from '../../../words/words.ts'
import { requireSource } from '../queries.ts'
import { fileReadingOf } from '../serialize.ts'
import { hiddenBadge, reasonText, resultsText, skippedCounts, sourceName } from './health.ts'
import { guessList } from './page.ts'

// A file is chosen, looked at, and imported: the pages of a source that has no address.

const requires = 'manage_sources'

function choosePage(editor: EditorContext, error?: string): EditorPage {
  const words = editor.texts.upload
  return {
    title: words.title,
    ...(error !== undefined && { status: 422 as const }),
    isNarrow: true,
    main: html`${backLink(SOURCES_PATH, editor.texts.source.title)}<h1>${words.title}</h1><p class="lead">${words.lead}</p>
${form(editor, {
  action: NEW_FILE_PATH,
  className: 'stack card',
  hasFiles: true,
  body: html`${inputField(
    { id: 'file', label: words.file, help: words.fileHelp, error },
    html` type="file" accept=".csv,.tsv,.txt,.ics,.html,.htm,text/csv,text/calendar,text/html" required class="file-drop"`,
  )}
<div class="actions"><button class="button" type="submit">${editor.texts.source.look}</button></div><p class="small">${editor.texts.source.lookNote}</p>`,
})}`,
  }
}

const chooseFilePage = defineEditorPage({
  path: NEW_FILE_PATH,
  requires,
  fileBytes: MAX_SOURCE_FILE_BYTES,
  load: () => resolvedQuery(undefined),
  respond: editor => choosePage(editor),
  handle: async (editor, { form: data }) => {
    const file = data.get('file')
    if (!(file instanceof File) || file.size === 0) return choosePage(editor, editor.texts.upload.noFile)
    const reply = await sendFile(editor, '/sources/files', file)
    if (!isDone(reply)) return choosePage(editor, reasonsOf(editor, reply))
    return { to: filePath(Number(asObject(reply.body).id)) }
  },
})

/** The columns that are offered first; the others follow in the order of our own files. */
const FIRST_OFFERED = ['title', 'start_date', 'start_time', 'end_date', 'end_time', 'venue'] as const
const OFFERED: readonly ReadColumn[] = [...new Set<ReadColumn>([...FIRST_OFFERED, ...READ_COLUMNS])]

/** Columns that have another name in forms, or belong to a venue or an organizer there. */
const FIELD_OF_COLUMN: Partial<Record<ReadColumn, [FieldResource, string]>> = {
  organizers: ['event', 'organizer'],
  uid: ['event', 'external_id'],
  email: ['organizer', 'email'],
  address: ['venue', 'address'],
  city: ['venue', 'city'],
  province: ['venue', 'province'],
  zip: ['venue', 'zip'],
  country: ['venue', 'country'],
  latitude: ['venue', 'geo_lat'],
  longitude: ['venue', 'geo_lng'],
}

/** Columns without a field in a form. */
const COLUMNS_WITHOUT_FIELD = [
  'start_date',
  'start_time',
  'end_date',
  'end_time',
  ...CURRENCY_COLUMNS,
  ...VISIBILITY_COLUMNS,
  'id',
] as const

const isWithoutField = (column: ReadColumn): column is (typeof COLUMNS_WITHOUT_FIELD)[number] =>
  COLUMNS_WITHOUT_FIELD.some(own => own === column)

function columnLabel({ language, texts }: EditorContext, column: ReadColumn): string {
  if (isWithoutField(column)) return texts.upload[column]
  const [resource, name] = FIELD_OF_COLUMN[column] ?? ['event', column]
  return wordsOfField(language, resource, name).label
}

/** Columns that can be reassigned here. A file with more is of another kind. */
const MAX_SHOWN_COLUMNS = 100

function columnFields(editor: EditorContext, columns: FilePreviewResponse['columns'], isOpen: boolean): Html {
  const words = editor.texts.upload
  const options: Options = [
    ['', words.notRead],
    ...OFFERED.map((column): [string, string] => [column, columnLabel(editor, column)]),
  ]
  return html`<details class="card"${isOpen && html` open`}><summary>${words.columns}</summary><p>${words.columnsText}</p>
<div class="columns file-columns">${columns.slice(0, MAX_SHOWN_COLUMNS).map(
    ({ name, example, column }, i) =>
      html`${selectField(
        {
          id: `column-${i}`,
          label: name.trim() || filled(words.nameless, { n: i + 1 }),
          help: example && filled(words.example, { text: example.slice(0, 60).toWellFormed() }),
        },
        { options, chosen: column },
      )}
<input type="hidden" name="name-${i}" value="${name}"><input type="hidden" name="was-${i}" value="${column}">`,
  )}</div>
${lookAgainButton(editor)}</details>`
}

/** The button that shows the file as it is read with the choices made. */
const lookAgainButton = ({ texts }: EditorContext): Html =>
  html`<div class="actions"><button class="button button-quiet" type="submit" name="do" value="look">${texts.upload.apply}</button></div>`

/** The most lines with the same problem that are named one by one. */
const MAX_ALONE = 3

/** The most lines that are named for a problem with more lines than {@link MAX_ALONE}. */
const MAX_LINES = 20

function linesOf({ site }: EditorContext, problems: FilePreviewResponse['problems']): string {
  const numbers = problems.slice(0, MAX_LINES).map(({ line }) => site.dates.number(line))
  return `${numbers.join(', ')}${problems.length > MAX_LINES ? ' …' : ''}`
}

function problemList(editor: EditorContext, { problems, problem_count, total }: FilePreviewResponse): Html {
  const words = editor.texts.upload
  const { dates } = editor.site
  const reasonOf = ({ code, message }: (typeof problems)[number]) =>
    html`<span class="small">${reasonText(editor.texts, { code, message })}</span>`
  const groups = Map.groupBy(
    problems,
    fileProblem => fileProblem.line > 0 && reasonText(editor.texts, fileProblem),
  )
  return html`<section class="card notice-card" aria-labelledby="problems"><h2 id="problems">${words.problems}</h2>
<ul class="card-list">${[...groups].flatMap(([sharedReason, group]) =>
    sharedReason !== false && group.length > MAX_ALONE
      ? html`<li><strong>${filled(words.lines, { n: dates.number(group.length), all: linesOf(editor, group) })}</strong> ${group.slice(0, 1).map(reasonOf)}</li>\n`
      : group.map(
          fileProblem =>
            html`<li>${fileProblem.line > 0 && html`<strong>${filled(words.line, { n: dates.number(fileProblem.line) })}</strong> `}<span dir="auto">${plain(fileProblem.title)}</span> ${reasonOf(fileProblem)}</li>\n`,
        ),
  )}</ul>
${problem_count > problems.length && html`<p>${filled(words.moreProblems, { n: dates.number(problem_count - problems.length) })}</p>`}
${
  total > 0 &&
  html`<p class="small">${words.correct}</p>
<div class="form-check"><input id="leave-out" type="checkbox" name="leave_out" value="1"><label for="leave-out">${words.leaveOut}</label></div>`
}</section>`
}

type ShownFile = { source: SourceRow; preview: FilePreviewResponse; page: number; error?: string | undefined }

/** True if leaving out lines doesn't help: the columns are unknown, or the file can't be read. */
const isUnreadable = ({ problems, total }: FilePreviewResponse): boolean =>
  total === 0 ||
  problems.some(({ line, title, code }) => line === 0 && title === '' && !code.startsWith('record_'))

/** The page that shows what importing a file would bring. */
function filePage(editor: EditorContext, { source, preview, page, error }: ShownFile): EditorPage {
  const words = editor.texts.upload
  const { columns, events, total, problems, guesses, asks_dates } = preview
  const { dates: order = '' } = fileReadingOf(source)
  const addressOfPage = (n: number) => `${filePath(source.id)}${n > 1 ? `?page=${n}` : ''}#events`
  const status = wordsOfField(editor.language, 'source', 'status')
  return {
    title: sourceName(source),
    ...(error !== undefined && { status: 422 as const }),
    isNarrow: true,
    main: html`${backLink(NEW_FILE_PATH, words.another)}<h1 dir="auto">${sourceName(source)}</h1>${problem('error', error)}
${source.last_run_utc && html`<p>${words.replaced}</p>`}
${form(editor, {
  action: filePath(source.id),
  className: 'stack',
  body: html`<section class="card" aria-labelledby="events"><h2 id="events">${words.events}</h2>
<p>${total === 0 ? words.none : countedText(editor, words, 'found', total)}${preview.private_count > 0 && html` ${countedText(editor, words, 'stayPrivate', preview.private_count)}`}</p>
<ol class="items file-events" start="${(page - 1) * PER_PAGE + 1}">${events.map(event =>
    listItem({
      name: plain(event.title) || words.noTitle,
      facts: factsOf(editor, event),
      end: hiddenBadge(editor, event.status),
    }),
  )}</ol>
${pageLinks(editor, { previous: page > 1 && addressOfPage(page - 1), next: page * PER_PAGE < total && addressOfPage(page + 1) })}</section>
${
  (asks_dates || order !== '') &&
  html`<div class="card">${optionsField(
    { id: 'dates', label: words.dates },
    {
      options: [
        ['dmy', words.dmy],
        ['mdy', words.mdy],
      ],
      chosen: [order],
    },
  )}
${lookAgainButton(editor)}</div>`
}
${problems.length > 0 && problemList(editor, preview)}
${guesses.length > 0 && html`<section class="card">${guessList(editor, guesses)}</section>`}
${columns.length > 0 && columnFields(editor, columns, isUnreadable(preview))}
${
  total > 0 &&
  html`<div class="card">${optionsField(
    { id: 'status', label: status.label },
    {
      options: [
        ['draft', words.asDraft],
        ['publish', words.asPublic],
      ],
      chosen: [source.status],
    },
  )}
<div class="actions"><button class="button" type="submit" name="do" value="import">${words.importNow}</button></div></div>`
}`,
})}`,
  }
}

type PreviewedEvent = FilePreviewResponse['events'][number]

/** What the list shows of an event in addition to its title. */
function factsOf(editor: EditorContext, event: PreviewedEvent): string[] {
  const { venue, new_venue, category, cost } = event
  const { context, language } = editor.site
  return [
    whenText(editor, event),
    new_venue ? filled(editor.texts.upload.newVenue, { name: plain(venue) }) : plain(venue),
    plain(category),
    storedCostWords(language, cost, context.settings.currency),
  ]
}

/** The day and the time of an event, as it is written in the file. */
function whenText({ site: { dates, words } }: EditorContext, event: PreviewedEvent): string {
  const { start_date, end_date, all_day } = event
  const isOneDay = dayOf(start_date) === dayOf(end_date)
  if (!isOneDay && all_day) return dates.range(start_date, end_date)
  const day = capitalized(dates.format('day', start_date))
  if (all_day) return `${day}, ${words.allDay}`
  if (!isOneDay)
    return `${day}, ${dates.clock(start_date)} – ${dates.moment(styleBeside('shortDay', end_date, start_date), end_date)}`
  return `${day}, ${end_date > start_date ? dates.times(start_date, end_date) : dates.clock(start_date)}`
}

/** Events on a page, as the preview has them. */
const PER_PAGE = 10

/** The API's preview of a file; undefined if it has been imported. */
async function requestPreview(
  editor: EditorContext,
  { id }: SourceRow,
  page: number,
): Promise<FilePreviewResponse | undefined> {
  const reply = await submitOne(editor, { method: 'POST', path: `/sources/${id}/preview`, body: { page } })
  // The route of that path returns it.
  return isDone(reply) ? (reply.body as FilePreviewResponse) : undefined
}

const FILE_PATTERN = `${SOURCES_PATH}:id{[0-9]+}/file/`

const afterImport = (editor: EditorContext, { id, file }: SourceRow): EditorResponse => ({
  to: sourcePath(id),
  ...(file !== '' && { notice: { text: editor.texts.upload.noFileLeft } }),
})

/**
 * The columns and the order of dates that the form chooses.
 * @param isWhole true if unchanged columns count as chosen
 */
function readingIn(data: FormData, storedReading: FileReading, isWhole: boolean): FileReading {
  const columns = new Map<string, string>(Object.entries(storedReading.columns ?? {}))
  for (let i = 0; i < MAX_SHOWN_COLUMNS && data.has(`column-${i}`); i++) {
    const name = String(data.get(`name-${i}`) ?? '')
    const column = formText(data, `column-${i}`)
    if (isWhole || column !== formText(data, `was-${i}`)) columns.set(name, column)
  }
  const dates = formText(data, 'dates') || storedReading.dates
  return {
    // The API checks the names.
    columns: Object.fromEntries(columns) as FileReading['columns'] & object,
    ...(dates && { dates: dates as 'dmy' | 'mdy' }),
  }
}

/** The page of a file. Its form imports the file, unless something has to be decided first. */
const fileDetailPage = defineEditorPage({
  path: FILE_PATTERN,
  requires,
  query: z.object({ page: pageNumber }),
  load: (_, { id }) => selectSourceById(id),
  respond: async (editor, { loaded, query: { page = 1 } }) => {
    const source = requireSource(loaded)
    const filePreview = await requestPreview(editor, source, page)
    return filePreview
      ? filePage(editor, { source, preview: filePreview, page })
      : afterImport(editor, source)
  },
  handle: async (editor, { form: data, id }): Promise<EditorResponse> => {
    const words = editor.texts.upload
    const source = requireSource(await editor.context.db.read(selectSourceById(id)))
    const path = `/sources/${id}`
    const isLookOnly = formText(data, 'do') !== 'import'
    const formerReading = fileReadingOf(source)
    const reading = readingIn(data, formerReading, isLookOnly)
    const hasNewReading =
      JSON.stringify(reading) !== JSON.stringify(readingIn(new FormData(), formerReading, false))
    const write = (body: object) => submitOne(editor, { method: 'PATCH', path, body })
    if (hasNewReading) {
      const reply = await write({ reading })
      if (!isDone(reply)) return repeatFilePage(editor, source, reasonsOf(editor, reply))
    }
    if (isLookOnly) return { to: filePath(id) }
    // The preview without its events, so that statements are left for the import.
    const filePreview = await requestPreview(editor, source, 0)
    if (!filePreview) return afterImport(editor, source)
    const mustChoose =
      isUnreadable(filePreview) || (filePreview.problem_count > 0 && formText(data, 'leave_out') === '')
    if (mustChoose)
      return repeatFilePage(editor, { ...source, reading: JSON.stringify(reading) }, words.correct)
    const begun = await write({
      state: 'ok',
      status: formText(data, 'status') === 'publish' ? 'publish' : 'draft',
    })
    if (!isDone(begun)) return repeatFilePage(editor, source, reasonsOf(editor, begun))
    return continueImport(editor, id)
  },
})

async function repeatFilePage(
  editor: EditorContext,
  source: SourceRow,
  error: string,
): Promise<EditorResponse> {
  const filePreview = await requestPreview(editor, source, 1)
  return filePreview
    ? filePage(editor, { source, preview: filePreview, page: 1, error })
    : afterImport(editor, source)
}

/** Imports as much of a file as one request may. */
async function continueImport(editor: EditorContext, id: number): Promise<EditorResponse> {
  const reply = await submitOne(editor, { method: 'POST', path: `/sources/${id}/sync` })
  // The route of that path returns it. The rest is left to the next request.
  const run = isDone(reply) ? (reply.body as RunResponse) : undefined
  const texts = editor.texts
  // An undo that is under way, or has just ended, is the newest run: the file waits its turn after it.
  const source = await editor.context.db.read(selectSourceById(id))
  const waitsForUndo = (source && source.undoing !== null) || run?.code === 'undone'
  const text = waitsForUndo
    ? texts.upload.afterUndo
    : run?.state === 'failed'
      ? reasonText(texts, run)
      : run?.state === 'done'
        ? filled(texts.upload.done, { what: resultsText(editor, { ...run, ...skippedCounts(run) }) })
        : texts.source.begun
  return { to: sourcePath(id), notice: { text } }
}

/** Continues an import. */
const continueAction = defineAction({
  path: `${FILE_PATTERN}continue/`,
  requires,
  handle: async (editor, { id }) =>
    continueImport(editor, requireSource(await editor.context.db.read(selectSourceById(id))).id),
})

export const filePages: readonly MountEditorPage[] = [chooseFilePage, fileDetailPage, continueAction]
