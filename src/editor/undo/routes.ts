import { restoreRows } from '../../calendar/events/restore.ts'
import { combineQueries } from '../../kit/db/query.ts'
import { replyToError } from '../../kit/http/error-replies.ts'
import { statusOf } from '../../kit/lib/error-codes.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { form } from '../../site/forms/field-html.ts'
import { isDone, reasonsOf, submit, type WriteReply } from '../../site/forms/requests.ts'
import { html } from '../../site/html/html.ts'
import { type EditorContext, UNDO_PATH } from '../context.ts'
import { entryList, formOf } from '../history/page.ts'
import { selectHistory } from '../history/queries.ts'
import { selectNameLookup } from '../history/values.ts'
import type { EditorPage } from '../layout.ts'
import { type Area, defineEditorPage } from '../pages-and-actions.ts'
import { notePage, type Outcome } from '../respond.ts'
import { removalOfUndo, selectKept, type UndoableChange, type UndoKey } from './queries.ts'

function undoableIn(url: URL): UndoKey {
  const entry = url.searchParams.get('entry') ?? ''
  return /^\d{1,15}$/.test(entry)
    ? { entry: Number(entry) }
    : { request: (url.searchParams.get('request') ?? '').slice(0, 200) }
}

const page = defineEditorPage({
  path: UNDO_PATH,
  requires: 'edit_content',
  load: ({ context }, { url }) => selectKept(context, undoableIn(url)),
  respond: (editor, { url, loaded }) => (loaded.length === 0 ? tooLate(editor) : ask(editor, url, loaded)),
  handle: (editor, { url }) => undoKept(editor, undoableIn(url)),
})

function tooLate({ texts }: EditorContext): EditorPage {
  const words = texts.history
  return notePage({
    title: words.tooLate,
    status: 410,
    text: words.tooLateText,
    link: { href: '/admin/history/', text: words.history },
  })
}

const plainEntries = (kept: readonly UndoableChange[]) => kept.map(entry => ({ ...entry, canUndo: false }))

/** True if a change concerns the dates of a series. */
const hasDates = ({ kind, rows }: UndoableChange): boolean =>
  kind === 'series' || (rows !== undefined && rows.rows.series.length + rows.of.length > 0)

async function ask(
  editor: EditorContext,
  { search }: URL,
  kept: readonly UndoableChange[],
): Promise<EditorPage> {
  const words = editor.texts.history
  const old = kept.filter(({ isOld }) => isOld)
  if (old.length > 0) return conflict(editor, old)
  const names = await editor.context.db.read(selectNameLookup(editor.context, kept))
  return {
    title: words.undoTitle,
    main: html`<h1>${words.undoTitle}</h1><p class="lead">${words.undoLead} ${kept.some(hasDates) && words.undoDates}</p>
${entryList(editor, plainEntries(kept), names)}
${form(editor, { action: UNDO_PATH + search, body: html`<div class="actions"><button class="button" type="submit">${words.undoNow}</button></div>` })}`,
  }
}

/** The most later changes that are shown of each resource. */
const MAX_SINCE = 5

async function conflict(editor: EditorContext, failed: readonly UndoableChange[]): Promise<EditorPage> {
  const { context, texts } = editor
  const words = texts.history
  const since = await context.db.read(
    combineQueries(
      failed
        .slice(0, MAX_SINCE)
        .map(({ kind, object_id }) => selectHistory(context, { kind, id: object_id })),
    ),
  )
  const entries = since.flatMap(({ entries }, i) =>
    entries.filter(({ id }) => id > (failed[i]?.id ?? 0)).slice(0, MAX_SINCE),
  )
  const names = await context.db.read(selectNameLookup(context, [...entries, ...failed]))
  return {
    title: words.conflict,
    status: 409,
    main: html`<h1>${words.conflict}</h1><p class="lead">${words.conflictText}</p>
<h2>${words.since}</h2>${entryList(editor, entries, names)}
<h2>${words.undoTitle}</h2>${entryList(editor, plainEntries(failed), names)}`,
  }
}

/** The result of undoing a change, with the first refused reply if there is one. */
type UndoResult = { entry: UndoableChange; refused: WriteReply | undefined }

/** Undoes changes, latest first. */
async function undoAll(editor: EditorContext, kept: readonly UndoableChange[]): Promise<UndoResult[]> {
  const restored = await restoreAll(editor, kept)
  const others = kept.flatMap(entry => (entry.request ? [{ entry, request: entry.request }] : []))
  const replies = await submit(
    editor,
    others.map(({ request }) => request),
  )
  // There is a reply for each request.
  const undone = replies.flatMap((reply, i): UndoResult[] => {
    const entry = others[i]?.entry
    return entry ? [{ entry, refused: isDone(reply) ? undefined : reply }] : []
  })
  return [...restored, ...undone]
}

async function restoreAll(
  { context }: EditorContext,
  kept: readonly UndoableChange[],
): Promise<UndoResult[]> {
  const changes = kept.flatMap(({ rows }) => rows ?? [])
  if (changes.length === 0) return []
  await context.countWrites(changes.length)
  const refused = await restoreRows(context, changes).then(
    () => undefined,
    error => {
      if (error instanceof ApiError && [403, 412].includes(statusOf(error.code)))
        return replyToError(error, context.requestId)
      throw error
    },
  )
  return kept.flatMap(entry => (entry.rows ? [{ entry, refused }] : []))
}

/** Undoes what is kept of a change or a request. */
export async function undoKept(editor: EditorContext, which: UndoKey): Promise<Outcome> {
  const { context, texts } = editor
  const words = texts.history
  const kept = await context.db.read(selectKept(context, which))
  if (kept.length === 0) return tooLate(editor)
  const old = kept.filter(({ isOld }) => isOld)
  if (old.length > 0) return conflict(editor, old)
  const undone = await undoAll(editor, kept)
  const done = undone.flatMap(({ entry, refused }) => (refused ? [] : [entry.id]))
  if (done.length > 0) await context.db.write([removalOfUndo(done)])
  const refused = undone.filter(({ refused }) => refused !== undefined)
  if (refused.length === 0) {
    const [change, ...more] = kept
    const to =
      (change && more.length === 0 && formOf(context.settings, change.kind, change.object_id)) ||
      '/admin/history/'
    return { to, notice: { text: words.undone }, undoText: words.redo }
  }
  if (refused.every(({ refused }) => refused?.status === 412))
    return conflict(
      editor,
      refused.map(({ entry }) => entry),
    )
  const names = await context.db.read(selectNameLookup(context, kept))
  return {
    title: words.refused,
    status: 409,
    main: html`<h1>${words.refused}</h1>${done.length > 0 && html`<p class="lead">${words.partlyUndone}</p>`}
<ul>${refused.map(({ refused }) => refused && html`<li>${reasonsOf(editor, refused)}</li>`)}</ul>
${entryList(editor, plainEntries(refused.map(({ entry }) => entry)), names)}`,
  }
}

export const undoArea: Area = { routes: [page] }
