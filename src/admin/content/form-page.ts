import { may } from '../../lib/roles.ts'
import { backLink } from '../../site/back-link.ts'
import { type Html, html } from '../../site/html.ts'
import { linkTo } from '../../site/site.ts'
import type { Admin } from '../admin.ts'
import { form } from '../form.ts'
import { type FormState, renderForm } from '../forms/render.ts'
import type { Shown } from '../forms/resource.ts'
import { historyPath } from '../history/page.ts'
import type { AdminPage } from '../layout.ts'
import { contentWords } from '../words/content.ts'
import { historyWords } from '../words/history.ts'
import { eventsLabel, newLabel } from './list.ts'
import { type Found, pathOf, type Resource } from './resource.ts'

/** Fields that are offered to some roles only. */
const hiddenFields = ({ context: { caller } }: Admin): string[] => [
  ...(may(caller, 'edit_others_content') ? [] : ['author']),
  ...(may(caller, 'publish_content') ? [] : ['date']),
]

/** The page with the form of something that events refer to. @param shown undefined for a new one */
export function formPage(
  admin: Admin,
  resource: Resource,
  state: FormState,
  shown?: Shown<Found>,
): AdminPage {
  const words = contentWords(admin.language)
  const heading = shown?.title || newLabel(admin.language, resource)
  const found = shown?.known
  const parts = renderForm(admin, resource.form, state, { without: hiddenFields(admin) })
  return {
    title: heading,
    isNarrow: true,
    ...(state.errors.size > 0 && { status: 422 as const }),
    main: html`${backLink(pathOf(resource), words[resource.name])}
<div class="page-head"><h1>${heading}</h1>${found && html`<p class="small">${eventsLabel(admin, found.events)}</p>`}</div>
${form(admin, {
  action: pathOf(resource, shown?.id ?? 'new'),
  look: 'editor-form',
  id: 'editor-form',
  hasFiles: true,
  // Enter sends the first button of a form.
  body: html`<button class="hidden" type="submit" name="do" value="save" tabindex="-1" aria-hidden="true">${admin.words.save}</button>
${parts.head}${parts.main}${parts.publication}
<div class="actions"><button class="button" type="submit" name="do" value="save">${admin.words.save}</button></div>`,
})}
${found && others(admin, resource, found)}`,
  }
}

/** What can be done with it beside its form. */
function others(admin: Admin, resource: Resource, { id, url, status }: Found): Html {
  const words = contentWords(admin.language)
  const path = pathOf(resource, id)
  return html`<section class="editor-other" aria-label="${admin.words.more}">
${status === 'publish' && html`<a href="${linkTo(admin.site, url)}">${words.view}</a>`}
<a href="${path}merge/">${words.merge}</a>
<a href="${historyPath({ kind: resource.singular, id })}">${historyWords(admin.language).history}</a>
${
  resource.hasTrash
    ? form(admin, {
        action: `${path}trash/`,
        look: 'trash-form',
        body: html`<button class="link-button is-danger" type="submit" aria-describedby="trash-note">${words.toTrash}</button> <span class="small" id="trash-note">${words.trashNote}</span>`,
      })
    : html`<a class="is-danger" href="${path}delete/">${words.delete}</a>`
}</section>`
}
