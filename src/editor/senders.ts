import type { WriteReply } from '../kit/context.ts'
import { combineQueries, type Query } from '../kit/db/query.ts'
import type { ListSlice, Rows } from '../kit/http/lists.ts'
import type { ManagedRow } from '../kit/http/managed-resource.ts'
import { buttonForm } from '../site/forms/field-html.ts'
import { backLink, type Html, html } from '../site/html/html.ts'
import { filled } from '../words/words.ts'
import type { EditorContext } from './context.ts'
import { section } from './layout.ts'
import { listItem, pageAt } from './lists.ts'
import {
  type AreaWith,
  listPath,
  logQuery,
  logSection,
  type Managed,
  type ManagedSettings,
  managedButtons,
  managedForm,
  settingsPath,
} from './managed.ts'
import { defineEditorPage, type MountEditorPage } from './pages-and-actions.ts'
import { formRoutes } from './resource-forms/routes.ts'
import type { EditorResponse } from './respond.ts'

// Managed resources that send messages, such as letters: each has a list, a form, and a page with its
// deliveries and buttons.

type SenderButton = { title: string; text: string; button?: string; className?: string }

/**
 * A section with one button.
 * @param address of the resource's page
 * @param part the last part of the action's path
 */
export const buttonSection = (
  editor: EditorContext,
  address: string,
  part: string,
  { title, text, button = title, className = 'button-quiet' }: SenderButton,
): Html =>
  section(
    part,
    title,
    html`<p>${text}</p>${buttonForm(editor, { action: `${address}${part}/`, text: button, className: `button ${className}` })}`,
  )

/** The button that repeats a try. @param texts those of the resource */
export const retryButton = (
  editor: EditorContext,
  action: string,
  texts: { retry: string; retryNamed: string; name: string },
): Html =>
  buttonForm(editor, {
    action,
    text: texts.retry,
    label: filled<string>(texts.retryNamed, { name: texts.name }),
  })

type SenderRow = ManagedRow & { active: boolean }

type SenderTexts = Record<
  | ('title' | 'lead' | 'none' | 'add' | 'resume' | 'pauseText' | 'removeText')
  | ('deliveries' | 'noDeliveries' | 'wasPaused' | 'resumed' | 'removed'),
  string
>
type SenderName = AreaWith<SenderTexts>

type Sender<R extends SenderRow> = Managed<R> & { singular: SenderName }

type SenderPages<R extends SenderRow, D> = ManagedSettings<R> & {
  selectDeliveries: (id: number, page: ListSlice) => Query<Rows<D>>
  badge: (editor: EditorContext, row: R) => Html
  /** The text beside a name in the list. */
  about?: (row: R) => string
  /** The reason why the calendar can't send anything, if there is one. */
  missing?: (editor: EditorContext) => string | undefined
  /** The first sections of a row's page. @param address the address of the page */
  sections: (editor: EditorContext, row: R, address: string) => Html | Promise<Html>
  item: (editor: EditorContext, delivery: D) => Html
  /** The notice after a test, or after another try. */
  sentText: (editor: EditorContext, reply: WriteReply, done: 'tested' | 'retried') => string
}

const DELIVERIES_PER_PAGE = 25

/** The pages and actions of a sender: a test, another try, pausing, resuming and deleting. */
export function senderPages<R extends SenderRow, D>(
  sender: Sender<R>,
  { selectDeliveries, badge, about, missing, sections, item, sentText, ...settings }: SenderPages<R, D>,
): MountEditorPage[] {
  const { singular, requires } = sender
  const { nameOf } = settings
  const path = listPath(singular)
  const list = defineEditorPage({
    path,
    requires,
    load: ({ context }) => sender.selectPage(pageAt(1, sender.limit), context),
    respond: (editor, { loaded: { rows } }) => {
      const { title, lead, none, add } = editor.texts[singular]
      const reason = missing?.(editor)
      const items = rows.map(row =>
        listItem({
          name: html`<a href="${path}${row.id}/">${nameOf(row)}</a>`,
          facts: [about?.(row)],
          end: badge(editor, row),
        }),
      )
      return {
        title,
        isNarrow: true,
        main: html`<div class="page-head"><h1>${title}</h1>${!reason && html`<a class="button" href="${settingsPath(singular, 'new')}">${add}</a>`}</div>
<p class="lead">${lead}</p>${reason && html`<p class="card" role="note">${reason}</p>`}
${items.length > 0 ? html`<ul class="items card">${items}</ul>` : html`<p class="empty">${none}</p>`}`,
      }
    },
  })
  const detailPage = defineEditorPage({
    path: `${path}:id{[0-9]+}/`,
    requires,
    query: logQuery,
    load: ({ context }, { id, query }) => {
      const page = pageAt(query.page ?? 1, DELIVERIES_PER_PAGE)
      const deliveries = selectDeliveries(id, page)
      return combineQueries({ row: sender.selectById(id, context), deliveries }, rowAndDeliveries => ({
        page,
        deliveries: rowAndDeliveries.deliveries,
        row: sender.requireRow(rowAndDeliveries.row),
      }))
    },
    respond: async (editor, { loaded: { row, deliveries, page } }) => {
      const texts = editor.texts[singular]
      const address = `${path}${row.id}/`
      const toggle = row.active
        ? { part: 'pause', title: editor.words.pause }
        : { part: 'resume', title: texts.resume }
      return {
        title: nameOf(row),
        isNarrow: true,
        main: html`${backLink(path, texts.title)}
<div class="page-head"><h1 dir="auto">${nameOf(row)}</h1><p class="row-badges">${badge(editor, row)}</p></div>
<div class="stack">
<p><a class="button button-quiet" href="${settingsPath(singular, row.id)}">${editor.words.settings}</a></p>
${await sections(editor, row, address)}
${logSection(editor, {
  id: 'deliveries',
  title: texts.deliveries,
  none: texts.noDeliveries,
  address,
  page,
  log: deliveries,
  item: delivery => item(editor, delivery),
})}
${buttonSection(editor, address, toggle.part, { title: toggle.title, text: texts.pauseText })}
${buttonSection(editor, address, 'delete', { title: editor.words.delete, text: texts.removeText, className: 'button-danger' })}
</div>`,
      }
    },
  })
  return [list, ...formRoutes(managedForm(sender, settings)), detailPage, ...senderButtons(sender, sentText)]
}

function senderButtons(
  sender: Pick<Sender<never>, 'singular' | 'requires'>,
  sentText: SenderPages<never, never>['sentText'],
): MountEditorPage[] {
  const { singular } = sender
  const path = listPath(singular)
  const button = managedButtons(sender)
  const sentOutcome =
    (notice: 'tested' | 'retried') =>
    (editor: EditorContext, reply: WriteReply, id: number): EditorResponse => ({
      to: `${path}${id}/#deliveries`,
      notice: { text: sentText(editor, reply, notice) },
    })
  const words = ({ texts }: EditorContext) => texts[singular]
  return [
    button('test', { method: 'POST', path: () => '/test' }, sentOutcome('tested')),
    button(
      'deliveries/:delivery{[0-9]+}/retry',
      { method: 'POST', path: ({ delivery }) => `/deliveries/${delivery}/retry` },
      sentOutcome('retried'),
    ),
    button('pause', { method: 'PATCH', body: { active: false } }, editor => words(editor).wasPaused),
    button('resume', { method: 'PATCH', body: { active: true } }, editor => words(editor).resumed),
    button('delete', { method: 'DELETE' }, editor => ({ to: path, notice: { text: words(editor).removed } })),
  ]
}
