import * as z from 'zod/mini'
import type { WriteReply, WriteRequest } from '../../kit/context.ts'
import { EDITOR_WORK } from '../../kit/lib/budgets.ts'
import { may } from '../../kit/lib/roles.ts'
import { form } from '../../site/forms/field-html.ts'
import { ifVersion, isDone, reasonsOf, submit } from '../../site/forms/requests.ts'
import { filledHtml, type Html, html } from '../../site/html/html.ts'
import { countedText } from '../../site/html/page-context.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { kindName, timeHtml } from '../history/area.ts'
import type { EditorPage } from '../layout.ts'
import { addressWith, cursor, cursorText, pageLinks } from '../lists.ts'
import { type ActionInput, type Area, defineEditorPage } from '../pages-and-actions.ts'
import { type EditorResponse, notePage, refusedItemsPage } from '../respond.ts'
import {
  type ChosenTrash,
  selectChosenTrashed,
  selectTrash,
  selectTrashRecords,
  TRASHED_KINDS,
  TRASHED_PER_PAGE,
  type TrashCursor,
  type TrashedItem,
  type TrashedKind,
  type TrashKey,
  type TrashRecord,
} from './queries.ts'

const TRASH = '/admin/trash/'

const keyTextOf = ({ kind, id, version }: TrashKey): string =>
  [kind, id, ...(version === undefined ? [] : [version])].join('-')

/** The items named in a form or an address. */
const trashKeysIn = (text: unknown): TrashKey[] => {
  const [, kind, id, version] = /^([a-z]+)-(\d{1,15})(?:-(\d{1,15}))?$/.exec(String(text)) ?? []
  const knownKind = TRASHED_KINDS.find(name => name === kind)
  return knownKind ? [{ kind: knownKind, id: Number(id), ...(version && { version: Number(version) }) }] : []
}

const trashQuery = z.object({ after: cursor })

function cursorIn({ after }: Partial<z.output<typeof trashQuery>>): TrashCursor | undefined {
  const [key] = trashKeysIn(after?.name)
  return key && after && { ...key, at: after.at }
}

const trashRoute = defineEditorPage({
  path: TRASH,
  requires: 'edit_content',
  query: trashQuery,
  load: ({ context }, { query }) => selectTrash(context, cursorIn(query)),
  respond: async (editor, { query, loaded }) => {
    const words = editor.texts.trash
    const shownItems = loaded.slice(0, TRASHED_PER_PAGE)
    const recordOf = await editor.context.db.read(selectTrashRecords(editor.context, shownItems))
    const last = loaded.length > TRASHED_PER_PAGE ? shownItems.at(-1) : undefined
    const next = last && addressWith(TRASH, { after: cursorText({ at: last.at, name: keyTextOf(last) }) })
    return {
      title: words.trash,
      main: html`<h1>${words.trash}</h1><p class="lead">${words.lead}</p>
${
  shownItems.length === 0
    ? html`<p class="empty">${words.empty}</p>`
    : form(editor, {
        action: TRASH,
        body: html`<ul class="rows">${shownItems.map(thing => trashRow(editor, thing, recordOf(thing)))}</ul>
<fieldset class="bulk"><legend>${editor.texts.review.several}</legend><div class="actions">
<button class="button button-quiet" type="submit" name="do" value="restore">${editor.words.restore}</button>
<button class="button button-quiet is-danger" type="submit" name="do" value="ask">${words.delete}</button></div></fieldset>`,
      })
}
${pageLinks(editor, { first: query.after !== undefined && TRASH, next })}`,
    }
  },
  handle: changeTrash,
})

function trashRow(editor: EditorContext, item: TrashedItem, record: TrashRecord | undefined): Html {
  const words = editor.texts.trash
  const { kind, name, at, start } = item
  const label = kind === 'series' ? filled(words.seriesOf, { name }) : name
  const when = timeHtml(editor, at)
  const trashedText = record?.who
    ? filledHtml(words.by, { login: record.who, when })
    : filledHtml(words.at, { when })
  return html`<li class="row"><label class="row-box"><input type="checkbox" name="thing" value="${keyTextOf(item)}" aria-label="${filled(words.choose, { name: label })}"></label>
<p class="row-title">${label}</p><p class="row-when">${trashedText}</p>
${start && html`<p class="row-where">${editor.site.dates.format('date', start)}</p>`}
<p class="row-badges"><span class="badge">${kindName(editor, kind)}</span></p></li>\n`
}

const PATHS_OF_KINDS = {
  event: 'events',
  series: 'events',
  venue: 'venues',
  organizer: 'organizers',
} as const satisfies Record<TrashedKind, string>

const scopeOf = (kind: TrashedKind) => (kind === 'series' ? { scope: 'all' } : {})

/** The request that restores an item with its former status, if that is known and the caller may give it. */
const restoration = (
  { context }: EditorContext,
  item: ChosenTrash,
  record: TrashRecord | undefined,
): WriteRequest => {
  const mayGive = record?.status === 'pending' || may(context.caller, 'publish_content')
  return {
    method: 'PATCH',
    path: `/${PATHS_OF_KINDS[item.kind]}/${item.id}`,
    // Restores only the version that is in the trash.
    headers: ifVersion(item.version),
    body: { status: (mayGive && record?.status) || 'draft', ...scopeOf(item.kind) },
  }
}

const deletion = ({ kind, id, version }: ChosenTrash): WriteRequest => ({
  method: 'DELETE',
  path: `/${PATHS_OF_KINDS[kind]}/${id}?force=true`,
  // Somebody may have restored the item in the meantime.
  headers: ifVersion(version),
  body: scopeOf(kind),
})

const hiddenInputs = (items: readonly TrashKey[]) =>
  items.map(thing => html`<input type="hidden" name="thing" value="${keyTextOf(thing)}">`)

async function changeTrash(editor: EditorContext, { form: formData }: ActionInput): Promise<EditorResponse> {
  const words = editor.texts.trash
  const namedItems = new Map(
    formData
      .getAll('thing')
      .flatMap(trashKeysIn)
      .map(thing => [`${thing.kind} ${thing.id}`, thing]),
  )
  const wantedItems = [...namedItems.values()].slice(0, TRASHED_PER_PAGE)
  const items = await editor.context.db.read(selectChosenTrashed(editor.context, wantedItems))
  if (items.length === 0) return { to: TRASH, notice: { text: words.none, isWarning: true } }
  if (formData.get('do') === 'restore') {
    const recordOf = await editor.context.db.read(selectTrashRecords(editor.context, items))
    const replies = await submit(
      editor,
      items.map(thing => restoration(editor, thing, recordOf(thing))),
    )
    const doneCount = replies.filter(isDone).length
    const text = countedText(editor, words, 'restored', doneCount)
    if (doneCount < replies.length)
      return refusedTrashPage(editor, items, replies, doneCount > 0 ? text : undefined)
    const isRestoredAsDraft = items.some(thing => {
      const record = recordOf(thing)
      return record?.status === undefined || record.isRestoredAsDraft
    })
    const [first, ...otherItems] = items
    const to = first && otherItems.length === 0 ? `/admin/${PATHS_OF_KINDS[first.kind]}/${first.id}/` : TRASH
    return { to, notice: { text: isRestoredAsDraft ? `${text} ${words.restoredAsDrafts}` : text } }
  }
  if (formData.get('do') !== 'delete') return askToDelete(editor, items)
  const replies = await submit(editor, items.slice(0, EDITOR_WORK.deleted).map(deletion))
  const doneCount = replies.filter(isDone).length
  const text = countedText(editor, words, 'deleted', doneCount)
  if (doneCount < replies.length)
    return refusedTrashPage(editor, items, replies, doneCount > 0 ? text : undefined)
  const remainingItems = items.slice(EDITOR_WORK.deleted)
  return remainingItems.length === 0
    ? { to: TRASH, notice: { text } }
    : askToDelete(editor, remainingItems, text)
}

/**
 * The page of one item in the trash, which can only be restored or deleted for good.
 * @param text says where it is
 */
export const inTrashPage = (
  editor: EditorContext,
  item: TrashKey & { name: string },
  text: string,
): EditorPage =>
  notePage({
    title: item.name,
    text,
    body: form(editor, {
      action: TRASH,
      className: 'trash-form',
      id: 'in-trash',
      body: html`${hiddenInputs([item])}<p><button class="button" type="submit" name="do" value="restore">${editor.words.restore}</button></p>
<button class="link-button is-danger" type="submit" name="do" value="ask">${editor.texts.trash.delete}</button>`,
    }),
  })

/** The page that asks whether to delete items for good. @param doneText a note about those already deleted */
async function askToDelete(
  editor: EditorContext,
  items: readonly ChosenTrash[],
  doneText?: string,
): Promise<EditorPage> {
  const words = editor.texts.trash
  const notes = await Promise.all(editor.shell.deletionNotes.map(noteOf => noteOf(editor, items)))
  const button = doneText
    ? filled(words.goOn, { n: editor.site.dates.number(items.length) })
    : editor.words.forGood
  return {
    title: words.confirmTitle,
    isNarrow: true,
    main: html`<h1>${words.confirmTitle}</h1>${doneText && html`<p role="status">${doneText}</p>`}<p class="lead">${words.confirmText}</p>
${notes.map(note => note && html`<p class="notice notice-alert">${note}</p>`)}
<ul>${items.map(({ kind, name }) => html`<li>${kindName(editor, kind)}${editor.site.words.colon}${name}</li>`)}</ul>
${form(editor, {
  action: TRASH,
  body: html`${hiddenInputs(items)}<div class="actions"><button class="button" type="submit" name="do" value="delete">${button}</button> <a class="button button-quiet" href="${TRASH}">${words.keep}</a></div>`,
})}`,
  }
}

function refusedTrashPage(
  editor: EditorContext,
  triedItems: readonly ChosenTrash[],
  replies: readonly WriteReply[],
  done: string | undefined,
): EditorPage {
  const words = editor.texts.trash
  const items = replies.flatMap((reply, i) => {
    const thing = triedItems[i]
    return thing && !isDone(reply)
      ? [
          html`${kindName(editor, thing.kind)} ${thing.name}${editor.site.words.colon}${reasonsOf(editor, reply)}`,
        ]
      : []
  })
  return refusedItemsPage(editor, { doneText: done, items, back: { href: TRASH, text: words.back } })
}

export const trashArea: Area = {
  routes: [trashRoute],
  menu: [{ path: TRASH, label: texts => texts.trash.trash, requires: 'edit_content', group: 'more' }],
}
