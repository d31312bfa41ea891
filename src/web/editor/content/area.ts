import { mapped } from '../../../db/query.ts'
import { filled } from '../../../words/words.ts'
import { form, textOf } from '../../forms/element.ts'
import { type FormState, renderForm } from '../../forms/render.ts'
import { ifVersion, valueIn } from '../../forms/requests.ts'
import { backLink, type Html, html } from '../../html/html.ts'
import { linkTo } from '../../html/site.ts'
import { plain } from '../../html/text.ts'
import type { Admin } from '../admin.ts'
import { defineRequest } from '../buttons.ts'
import type { ShownResource } from '../forms/resource.ts'
import { fieldsForm, formRoutes, saveButton, statusButton } from '../forms/routes.ts'
import { historyPath } from '../history/page.ts'
import type { AdminPage } from '../layout.ts'
import { notePage } from '../respond.ts'
import { type AdminRoute, type Area, defineAdminPage } from '../route.ts'
import { inTrashPage } from '../trash/area.ts'
import { TRASHED_KINDS } from '../trash/queries.ts'
import { freshAddress } from '../visit.ts'
import { eventsLabel, listRoute, newLabel } from './list.ts'
import {
  assertEditable,
  EDITED_RESOURCES,
  type EditedResource,
  type LoadedContent,
  nameFieldOf,
  pathOf,
} from './resources.ts'

/** The pages and actions of the form of a venue, organizer, category or tag. */
const contentForm = (resource: EditedResource): AdminRoute[] =>
  formRoutes<LoadedContent>({
    ...resource,
    collection: `/${resource.name}`,
    nameField: nameFieldOf(resource),
    address: id => pathOf(resource, id),
    onward: () => pathOf(resource),
    stored: ({ context }, id) =>
      mapped(resource.find(context, id), row => () => {
        const found = assertEditable(resource, row)
        return { body: found.body, version: found.version, title: found.name, known: found }
      }),
    page: (admin, state, shown) => formPage(admin, resource, state, shown),
    inTrash: (admin, found) => {
      const kind = TRASHED_KINDS.find(name => name === resource.singular)
      const { inTrash } = admin.texts.content
      return kind && found.status === 'trash' ? inTrashPage(admin, { ...found, kind }, inTrash) : undefined
    },
  })

/** A page with a form. @param shown undefined for a new one */
function formPage(
  admin: Admin,
  resource: EditedResource,
  state: FormState,
  shown: ShownResource<LoadedContent> | undefined,
): AdminPage {
  const words = admin.texts.content
  const heading = shown?.title || newLabel(admin, resource)
  const found = shown?.known
  const parts = renderForm(admin, resource.form, state)
  return {
    title: heading,
    isNarrow: true,
    main: html`${backLink(pathOf(resource), words[resource.name])}
<div class="page-head"><h1>${heading}</h1>${found && html`<p class="small">${eventsLabel(admin, found.events)}</p>`}</div>
${fieldsForm(admin, {
  action: pathOf(resource, shown?.id ?? 'new'),
  state,
  hasDrafts: true,
  body: html`${parts.head}${parts.main}${parts.publication}
<div class="actions">${resource.hasTrash ? statusButton(admin, state, found?.status) : saveButton(admin.words.save)}</div>`,
})}
${found && others(admin, resource, found)}`,
  }
}

/** The links and buttons below the form. */
function others(admin: Admin, resource: EditedResource, { id, url, status }: LoadedContent): Html {
  const words = admin.texts.content
  const path = pathOf(resource, id)
  return html`<section class="editor-other" aria-label="${admin.words.more}">
${status === 'publish' && html`<a href="${freshAddress(linkTo(admin.site, url))}">${admin.texts.event.view}</a>`}
<a href="${path}merge/">${words.merge}</a>
<a href="${historyPath({ kind: resource.singular, id })}">${admin.texts.history.history}</a>
${
  resource.hasTrash
    ? form(admin, {
        action: `${path}trash/`,
        look: 'trash-form',
        body: html`<button class="link-button is-danger" type="submit" aria-describedby="trash-note">${admin.words.toTrash}</button> <span class="small" id="trash-note">${words.trashNote}</span>`,
      })
    : html`<a class="is-danger" href="${path}delete/">${words.delete}</a>`
}</section>`
}

/** The page that asks whether to delete a term, which cannot be undone. */
const deletionPage = (resource: EditedResource): AdminRoute =>
  defineAdminPage({
    path: `${pathOf(resource)}:id{[0-9]+}/delete/`,
    requires: 'manage_terms',
    load: ({ context }, { id }) => resource.find(context, id),
    respond: (admin, { loaded }) => {
      const { id, name, events, version } = assertEditable(resource, loaded)
      const words = admin.texts.content
      const text = filled(words.deleteText, { events: eventsLabel(admin, events) })
      return notePage({
        title: filled(admin.words.deleteTitle, { name }),
        text: resource.name === 'categories' ? `${text} ${words.deleteChildren}` : text,
        body: form(admin, {
          action: `${pathOf(resource, id)}delete/`,
          body: html`<input type="hidden" name="version" value="${version}"><div class="actions"><button class="button" type="submit">${admin.words.delete}</button> <a class="button button-quiet" href="${pathOf(resource, id)}">${admin.words.keep}</a></div>`,
        }),
      })
    },
  })

/** Moves a venue or organizer to the trash, or deletes a category or tag for good. */
const removal = (resource: EditedResource): AdminRoute =>
  defineRequest({
    path: `${pathOf(resource)}:id{[0-9]+}/${resource.hasTrash ? 'trash' : 'delete'}/`,
    requires: resource.hasTrash ? resource.requires : 'manage_terms',
    request: (_, { id, form: posted }) => {
      const version = textOf(posted, 'version')
      return {
        method: 'DELETE',
        path: `/${resource.name}/${id}`,
        ...(version && { headers: ifVersion(version) }),
      }
    },
    done: (admin, reply) => {
      const name = plain(String(valueIn(reply, nameFieldOf(resource))))
      const text = resource.hasTrash ? admin.texts.content.trashed : admin.words.deleted
      return { to: pathOf(resource), notice: { text: filled(text, { name }) } }
    },
    back: id => pathOf(resource, id),
  })

/** Venues, organizers, categories and tags. */
export const contentArea: Area = {
  routes: EDITED_RESOURCES.flatMap(resource => [
    listRoute(resource),
    ...contentForm(resource),
    removal(resource),
    ...(resource.hasTrash ? [] : [deletionPage(resource)]),
  ]),
  menu: EDITED_RESOURCES.map(resource => ({
    path: pathOf(resource),
    label: texts => texts.content[resource.name],
    requires: resource.requires,
    group: 'places',
  })),
}
