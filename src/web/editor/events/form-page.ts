import type { EventRow } from '../../../resources/events/rows.ts'
import { eventWords, formWords, historyWords } from '../../../words/words.ts'
import { form } from '../../forms/element.ts'
import { EVENT_FORM } from '../../forms/forms.ts'
import { type FormState, renderForm } from '../../forms/render.ts'
import { backLink, type Html, html } from '../../html/html.ts'
import { linkTo } from '../../html/site.ts'
import type { Admin } from '../admin.ts'
import type { Shown } from '../forms/resource.ts'
import { fieldsForm, saveButton } from '../forms/routes.ts'
import { freshAddress } from '../fresh.ts'
import { historyPath } from '../history/page.ts'
import type { AdminPage } from '../layout.ts'
import { noteView, type ReviewNote } from '../review/notes.ts'
import { type JoinedTwin, originNote, twinNotes } from '../sources/origin.ts'
import { badgesOf, editPath } from './rows.ts'

/** An event whose form is shown, with what is said beside its fields: the note with which it was sent back, and what it is joined with. */
export type KnownEvent = {
  row: EventRow
  note: ReviewNote | undefined
  twins: readonly JoinedTwin[]
  /** The address of its page on the site. */
  url: string
}

/** The page with the form of an event. @param event undefined for a new one */
export function eventFormPage(
  admin: Admin,
  state: FormState,
  event: Shown<KnownEvent> | undefined,
): AdminPage {
  const words = eventWords(admin.language)
  const { row, note, twins, url } = event?.known ?? {}
  const heading = event ? event.title : words.newEvent
  const parts = renderForm(admin, EVENT_FORM, state)
  return {
    title: event ? `${words.editEvent}: ${event.title}` : words.newEvent,
    main: html`${backLink('/admin/events/', admin.site.words.events)}
<div class="page-head"><h1>${heading}</h1>${row && html`<p class="row-badges">${badgesOf(admin, row, words.repeats)}</p>`}</div>
${row && html`${originNote(admin, row)}${twinNotes(admin, row.id, twins ?? [])}`}${note && noteView(admin, note)}
${fieldsForm(admin, {
  action: editPath(event?.id),
  state,
  body: html`${parts.head}
<div class="editor-columns"><div class="editor-main">${parts.main}</div>
<section class="editor-side" aria-label="${formWords(admin.language).publication}">${parts.publication}
<div class="actions">${saveButton(admin.words.save)}
<button class="button button-quiet" type="submit" name="do" value="preview" formnovalidate>${admin.site.words.preview}</button></div>
${url && row?.status === 'publish' && html`<p><a href="${freshAddress(linkTo(admin.site, url))}">${words.view}</a></p>`}
</section></div>`,
})}
${event && copyAndTrash(admin, event.id)}`,
  }
}

/** What can be done with an event as it is stored. */
function copyAndTrash(admin: Admin, id: number): Html {
  const words = eventWords(admin.language)
  return html`<section class="editor-other" aria-label="${words.copyOf}"><h2 class="hidden">${words.copyOf}</h2>
${form(admin, {
  action: `${editPath(id)}duplicate/`,
  body: html`<input type="hidden" name="key" value="${crypto.randomUUID()}"><button class="link-button" type="submit">${words.duplicate}</button>`,
})}
<a href="${historyPath({ kind: 'event', id })}">${historyWords(admin.language).history}</a>
${form(admin, {
  action: `${editPath(id)}trash/`,
  look: 'trash-form',
  body: html`<button class="link-button is-danger" type="submit">${admin.words.toTrash}</button>`,
})}</section>`
}
