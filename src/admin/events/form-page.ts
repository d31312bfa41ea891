import { may } from '../../lib/roles.ts'
import { backLink } from '../../site/back-link.ts'
import { type Html, html } from '../../site/html.ts'
import type { Admin } from '../admin.ts'
import { form } from '../form.ts'
import { EVENT_FORM } from '../forms/forms.ts'
import { type FormState, renderForm } from '../forms/render.ts'
import { historyPath } from '../history/page.ts'
import type { AdminPage } from '../layout.ts'
import { eventWords } from '../words/events.ts'
import { formWords } from '../words/forms.ts'
import { historyWords } from '../words/history.ts'
import { editPath } from './rows.ts'

/** What is known of an event whose form is shown, beside its fields. */
export type KnownEvent = {
  id: number
  title: string
  url?: string
  badges?: Html
  note?: Html
  /** Where it comes from, and what it is joined with. */
  origin?: Html | ''
}

export const NEW_PATH = '/admin/events/new/'

/** The address that the form of an event is sent to. */
export const formPath = (id: number | undefined): string => (id === undefined ? NEW_PATH : editPath(id))

/** Fields that are offered to some roles only. */
const fieldsFor = ({ context: { caller } }: Admin): string[] => [
  ...(may(caller, 'edit_others_content') ? [] : ['author']),
  ...(may(caller, 'publish_content') ? [] : ['date']),
]

/** The page with the form of an event. @param event undefined for a new one @param isUnsaved true if something was typed into it already */
export function eventFormPage(
  admin: Admin,
  state: FormState,
  event?: KnownEvent,
  isUnsaved = false,
): AdminPage {
  const words = eventWords(admin.language)
  const heading = event ? event.title : words.newEvent
  const parts = renderForm(admin, EVENT_FORM, state, { without: fieldsFor(admin) })
  return {
    title: event ? `${words.editEvent}: ${event.title}` : words.newEvent,
    ...(state.errors.size > 0 && { status: 422 as const }),
    main: html`${backLink('/admin/events/', words.events)}
<div class="page-head"><h1>${heading}</h1>${event?.badges && html`<p class="row-badges">${event.badges}</p>`}</div>
${event?.origin}${event?.note}
${form(admin, {
  action: formPath(event?.id),
  look: `editor-form${isUnsaved ? ' is-unsaved' : ''}`,
  id: 'editor-form',
  hasFiles: true,
  // Enter sends the first button of a form.
  body: html`<button class="hidden" type="submit" name="do" value="save" tabindex="-1" aria-hidden="true">${words.save}</button>
${parts.head}
<div class="editor-columns"><div class="editor-main">${parts.main}</div>
<section class="editor-side" aria-label="${formWords(admin.language).publication}">${parts.publication}
<div class="actions"><button class="button" type="submit" name="do" value="save">${words.save}</button>
<button class="button button-quiet" type="submit" name="do" value="preview" formnovalidate>${words.preview}</button></div>
${event?.url && html`<p><a href="${event.url}">${words.view}</a></p>`}
</section></div>`,
})}
${event && copyAndTrash(admin, event)}`,
  }
}

/** What can be done with an event as it is stored. */
function copyAndTrash(admin: Admin, { id }: KnownEvent): Html {
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
  body: html`<button class="link-button is-danger" type="submit">${words.toTrash}</button>`,
})}</section>`
}
