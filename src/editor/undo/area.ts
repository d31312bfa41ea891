import { restoreRows } from '../../calendar/events/restore.ts'
import type { WriteReply } from '../../kit/context.ts'
import { combineQueries } from '../../kit/db/query.ts'
import { replyToError } from '../../kit/http/error-replies.ts'
import { statusOf } from '../../kit/lib/error-codes.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { form } from '../../site/forms/field-html.ts'
import { isDone, reasonsOf, submit } from '../../site/forms/requests.ts'
import { html } from '../../site/html/html.ts'
import { type EditorContext, UNDO_PATH } from '../context.ts'
import { entryList, formAddress } from '../history/area.ts'
import { selectHistory } from '../history/queries.ts'
import { selectNameLookup } from '../history/values.ts'
import type { EditorPage } from '../layout.ts'
import { type Area, defineEditorPage } from '../pages-and-actions.ts'
import { type EditorResponse, notePage } from '../respond.ts'
import { withNextLanguage } from '../visit.ts'
import { selectUndoable, type UndoableChange, type UndoKey, undoRemovalStatement } from './queries.ts'

function undoableIn(url: URL): UndoKey {
  const entry = url.searchParams.get('entry') ?? ''
  return /^\d{1,15}$/.test(entry)
    ? { entry: Number(entry) }
    : { request: (url.searchParams.get('request') ?? '').slice(0, 200) }
}

const page = defineEditorPage({
  path: UNDO_PATH,
  requires: 'edit_content',
  load: ({ context }, { url }) => selectUndoable(context, undoableIn(url)),
  respond: (editor, { url, loaded }) =>
    loaded.length === 0 ? tooLatePage(editor) : undoQuestion(editor, url, loaded),
  handle: (editor, { url }) => undoKept(editor, undoableIn(url)),
})

function tooLatePage({ texts }: EditorContext): EditorPage {
  const words = texts.history
  return notePage({
    title: words.tooLate,
    status: 410,
    text: words.tooLateText,
    link: { href: '/admin/history/', text: words.history },
  })
}

const withoutUndo = (entries: readonly UndoableChange[]) =>
  entries.map(entry => ({ ...entry, canUndo: false }))

const hasDates = ({ kind, rows }: UndoableChange): boolean =>
  kind === 'series' || (rows !== undefined && rows.rows.series.length + rows.of.length > 0)

async function undoQuestion(
  editor: EditorContext,
  { search }: URL,
  changes: readonly UndoableChange[],
): Promise<EditorPage> {
  const words = editor.texts.history
  const oldChanges = changes.filter(({ isOld }) => isOld)
  if (oldChanges.length > 0) return conflictPage(editor, oldChanges)
  const names = await editor.context.db.read(selectNameLookup(editor.context, changes))
  return {
    title: words.undoTitle,
    main: html`<h1>${words.undoTitle}</h1><p class="lead">${words.undoLead} ${changes.some(hasDates) && words.undoDates}</p>
${entryList(editor, withoutUndo(changes), names)}
${form(editor, { action: UNDO_PATH + search, body: html`<div class="actions"><button class="button" type="submit">${words.undoNow}</button></div>` })}`,
  }
}

/**
 * The most resources of which later changes are shown, by two statements each, and the most changes of each.
 */
const MAX_CONFLICTS = 10
const MAX_LATER = 5

async function conflictPage(
  editor: EditorContext,
  failedChanges: readonly UndoableChange[],
): Promise<EditorPage> {
  const { context, texts } = editor
  const words = texts.history
  const laterChanges = await context.db.read(
    combineQueries(
      failedChanges
        .slice(0, MAX_CONFLICTS)
        .map(({ kind, object_id }) => selectHistory(context, { kind, id: object_id })),
    ),
  )
  const entries = laterChanges.flatMap(({ entries }, i) =>
    entries.filter(({ id }) => id > (failedChanges[i]?.id ?? 0)).slice(0, MAX_LATER),
  )
  const names = await context.db.read(selectNameLookup(context, [...entries, ...failedChanges]))
  return {
    title: words.conflict,
    status: 409,
    main: html`<h1>${words.conflict}</h1><p class="lead">${words.conflictText}</p>
${entries.length > 0 && html`<h2>${words.since}</h2>${entryList(editor, entries, names)}`}
<h2>${words.undoTitle}</h2>${entryList(editor, withoutUndo(failedChanges), names)}`,
  }
}

/** The result of undoing a change, with the first refused reply if there is one. */
type UndoResult = { entry: UndoableChange; refused: WriteReply | undefined }

/** Undoes changes: first all that restore rows, then all that are requests, each latest first. */
async function undoAll(editor: EditorContext, changes: readonly UndoableChange[]): Promise<UndoResult[]> {
  const restoredResults = await restoreAll(editor, changes)
  const requestedChanges = changes.flatMap(entry =>
    entry.request ? [{ entry, request: entry.request }] : [],
  )
  const replies = await submit(
    editor,
    requestedChanges.map(({ request }) => request),
  )
  // There is a reply for each request.
  const undone = replies.flatMap((reply, i): UndoResult[] => {
    const entry = requestedChanges[i]?.entry
    return entry ? [{ entry, refused: isDone(reply) ? undefined : reply }] : []
  })
  return [...restoredResults, ...undone]
}

async function restoreAll(
  { context }: EditorContext,
  keptChanges: readonly UndoableChange[],
): Promise<UndoResult[]> {
  const changes = keptChanges.flatMap(({ rows }) => rows ?? [])
  if (changes.length === 0) return []
  await context.countWrites(changes.length)
  const refusal = await restoreRows(context, changes).then(
    () => undefined,
    error => {
      if (error instanceof ApiError && [403, 412].includes(statusOf(error.code)))
        return replyToError(error, context.requestId)
      throw error
    },
  )
  return keptChanges.flatMap(entry => (entry.rows ? [{ entry, refused: refusal }] : []))
}

/** Undoes what is kept of a change or a request. */
export async function undoKept(editor: EditorContext, key: UndoKey): Promise<EditorResponse> {
  const { context, texts } = editor
  const words = texts.history
  const changes = await context.db.read(selectUndoable(context, key))
  if (changes.length === 0) return tooLatePage(editor)
  const oldChanges = changes.filter(({ isOld }) => isOld)
  if (oldChanges.length > 0) return conflictPage(editor, oldChanges)
  const results = await undoAll(editor, changes)
  const undoneIds = results.flatMap(({ entry, refused }) => (refused ? [] : [entry.id]))
  if (undoneIds.length > 0) await context.db.write([undoRemovalStatement(undoneIds)])
  const refusedEntries = results.filter(({ refused }) => refused !== undefined)
  if (refusedEntries.length === 0) {
    const [change, ...otherChanges] = changes
    const to =
      (change && otherChanges.length === 0 && formAddress(context.settings, change.kind, change.object_id)) ||
      '/admin/history/'
    const isOfSettings = changes.some(({ kind }) => kind === 'settings')
    const { history } = isOfSettings ? (await withNextLanguage(editor)).texts : texts
    return { to, notice: { text: history.undone }, undoText: history.redo }
  }
  if (refusedEntries.every(({ refused }) => refused?.status === 412))
    return conflictPage(
      editor,
      refusedEntries.map(({ entry }) => entry),
    )
  const names = await context.db.read(selectNameLookup(context, changes))
  return {
    title: words.refused,
    status: 409,
    main: html`<h1>${words.refused}</h1>${undoneIds.length > 0 && html`<p class="lead">${words.partlyUndone}</p>`}
<ul>${refusedEntries.map(({ refused }) => refused && html`<li>${reasonsOf(editor, refused)}</li>`)}</ul>
${entryList(editor, withoutUndo(refusedEntries.map(({ entry }) => entry)), names)}`,
  }
}

export const undoArea: Area = { routes: [page] }
