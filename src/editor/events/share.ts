import {
  makePreviewLink,
  previewPath,
  revokePreviewLink,
  selectPreviewLink,
} from '../../calendar/events/preview-links.ts'
import { combineQueries } from '../../kit/db/query.ts'
import { buttonForm, formText } from '../../site/forms/field-html.ts'
import { backLink, html } from '../../site/html/html.ts'
import { nameOf } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import { dayOfMoment, type EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { defineEditorPage } from '../pages-and-actions.ts'
import { editPath, requireEditableEvent, selectEventById } from './rows.ts'

/** The path of the page on which an event is shown to others before it is public. */
export const sharePath = (id: number | string): string => `${editPath(id)}share/`

/** @param until the end of the stored link, UTC @param address the address of a link just made */
function sharedPage(
  editor: EditorContext,
  { id, title, until, address }: { id: number; title: string; until: string | undefined; address?: string },
): EditorPage {
  const words = editor.texts.event
  const send = (action: string, text: string, className = 'button button-quiet') =>
    buttonForm(editor, {
      action: sharePath(id),
      text,
      className,
      hidden: html`<input type="hidden" name="do" value="${action}">`,
    })
  return {
    title: `${words.share}${editor.site.words.colon}${title}`,
    isNarrow: true,
    main: html`${backLink(editPath(id), title)}<h1>${words.share}</h1><p class="lead">${words.shareText}</p>
<div class="stack">${
      address &&
      html`<div class="card" role="status"><p class="secrets"><code>${address}</code></p>
<p class="actions"><button class="button" type="button" hidden data-copy="${address}" data-done="${editor.site.words.copied}">${editor.site.words.copyAddress}</button></p></div>`
    }
${until && html`<p>${filled(words.shareUntil, { date: dayOfMoment(editor, until) })}${!address && html` ${words.shareAgain}`}</p>`}
<div class="actions">${send('make', until ? words.shareNew : words.shareMake, until ? undefined : 'button')}${until && send('revoke', words.shareRevoke, 'button button-danger')}</div></div>`,
  }
}

const selectShared = ({ context }: EditorContext, id: number) =>
  combineQueries(
    { row: selectEventById(context, id), until: selectPreviewLink(context, id) },
    ({ row, until }) => ({
      row: requireEditableEvent(context, row),
      until,
    }),
  )

/** The page on which links are made and revoked. */
export const sharePage = defineEditorPage({
  path: sharePath(':id{[0-9]+}'),
  requires: 'edit_content',
  load: (editor, { id }) => selectShared(editor, id),
  respond: (editor, { id, loaded: { row, until } }) =>
    sharedPage(editor, { id, title: nameOf(row.title, row.slug), until }),
  handle: async (editor, { id, form }) => {
    const { context, texts } = editor
    const { row } = await context.db.read(selectShared(editor, id))
    const action = formText(form, 'do')
    if (action !== 'make' && action !== 'revoke') return { to: sharePath(id) }
    await context.countWrites(1)
    if (action === 'revoke') {
      await revokePreviewLink(context, id)
      return { to: sharePath(id), notice: { text: texts.event.shareRevoked } }
    }
    const { token, until } = await makePreviewLink(context, id)
    const address = context.site + previewPath(token)
    return sharedPage(editor, { id, title: nameOf(row.title, row.slug), until, address })
  },
})
