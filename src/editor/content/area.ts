import * as z from 'zod/mini'
import { mapQuery } from '../../kit/db/query.ts'
import { oneOf, search } from '../../kit/http/params.ts'
import { STATUSES } from '../../kit/lib/statuses.ts'
import { optionName } from '../../site/forms/control.ts'
import { blank } from '../../site/forms/entries.ts'
import { form, formText } from '../../site/forms/field-html.ts'
import { type FormState, renderForm } from '../../site/forms/render.ts'
import { ifVersion, replyValue } from '../../site/forms/requests.ts'
import { backLink, type Html, html } from '../../site/html/html.ts'
import { countedText, linkTo } from '../../site/html/page-context.ts'
import { plain } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { historyPath } from '../history/area.ts'
import type { EditorPage } from '../layout.ts'
import { addressWith, findChoice, findInput, listFinder, pageLinks, pageNumber } from '../lists.ts'
import { type Area, defineEditorPage, defineRequest, type MountEditorPage } from '../pages-and-actions.ts'
import type { ShownResource } from '../resource-forms/resource.ts'
import { fieldsForm, formRoutes, saveButton, statusButton } from '../resource-forms/routes.ts'
import { notePage } from '../respond.ts'
import { inTrashPage } from '../trash/area.ts'
import { TRASHED_KINDS } from '../trash/queries.ts'
import { freshAddress } from '../visit.ts'
import {
  type ContentListItem,
  type ContentListQuery,
  EDITED_RESOURCES,
  type EditedResource,
  type LoadedContent,
  MAX_IN_TREE,
  nameFieldOf,
  PER_PAGE,
  requireEditable,
  resourcePath,
} from './resources.ts'

const listQuery = z.object({
  page: pageNumber,
  search: blank(search({ description: 'Words in the name.' })),
  status: blank(oneOf(STATUSES, { description: 'Only those of this status.' })),
})

const listRoute = (resource: EditedResource): MountEditorPage =>
  defineEditorPage({
    path: resourcePath(resource),
    requires: resource.requires,
    query: listQuery,
    load: ({ context }, { query }) => resource.selectList(context, query),
    respond: (editor, { query, loaded: items }) => {
      const words = editor.texts.content
      const { search = '', status, page = 1 } = query
      const noneShown = search === '' ? words.none : editor.texts.form.noneFound
      const isTree = resource.name === 'categories' && search === '' && page === 1
      const shownItems = isTree && items.length <= MAX_IN_TREE ? items : items.slice(0, PER_PAGE)
      const addressOfPage = (n: number) => contentListAddress(resource, { ...query, page: n })
      return {
        title: words[resource.name],
        main: html`<div class="page-head"><h1>${words[resource.name]}</h1><a class="button" href="${resourcePath(resource, 'new')}">${newLabel(editor, resource)}</a></div>
${findForm(editor, resource, query)}
${
  shownItems.length === 0
    ? html`<p class="empty">${status === undefined ? noneShown : words.noneMatch}</p>`
    : html`<ul class="rows content-rows">${shownItems.map(item => contentRow(editor, resource, item))}</ul>`
}
${pageLinks(editor, { previous: page > 1 && addressOfPage(page - 1), next: items.length > shownItems.length && addressOfPage(page + 1) })}`,
      }
    },
  })

const newLabel = ({ texts: { content: words } }: EditorContext, { singular }: EditedResource): string =>
  ({
    venue: words.newVenue,
    organizer: words.newOrganizer,
    category: words.newCategory,
    tag: words.newTag,
  })[singular]

const listedLabel = (editor: EditorContext, n: number): string =>
  countedText(editor, editor.site.words, 'count', n)

/** The number of events of an item, in words, for lists, which count listed events only. */
export const eventsLabel = (editor: EditorContext, n: number): string =>
  n === 0 ? editor.texts.content.noPublicEvents : listedLabel(editor, n)

/** The numbers of events of one item, in words: the listed ones, and those that lists don't show. */
function allEventsLabel(editor: EditorContext, { eventCount, unlisted }: LoadedContent): string {
  const words = editor.texts.content
  if (unlisted === 0) return eventCount === 0 ? words.noEvents : listedLabel(editor, eventCount)
  return `${listedLabel(editor, eventCount)} + ${filled(words.unlisted, { n: editor.site.dates.number(unlisted) })}`
}

const contentListAddress = (resource: EditedResource, { page = 1, ...query }: ContentListQuery): string =>
  addressWith(resourcePath(resource), { ...query, ...(page > 1 && { page }) })

function findForm(
  editor: EditorContext,
  resource: EditedResource,
  { search = '', status }: ContentListQuery,
): Html {
  const { language, texts } = editor
  const words = texts.content
  const statuses = STATUSES.map(name => [name, optionName(language, 'venue', 'status', name)] as const)
  return html`<search class="find">${listFinder(editor, {
    action: resourcePath(resource),
    fields: html`${findInput('search', editor.words.byName, search)}${resource.hasTrash && findChoice('status', words.status, [['', words.anyStatus], ...statuses], status)}`,
    clear: (search !== '' || status !== undefined) && resourcePath(resource),
  })}</search>`
}

function contentRow(
  editor: EditorContext,
  resource: EditedResource,
  { id, name, detail, eventCount, status, depth, isEditable }: ContentListItem,
): Html {
  const title = name || `#${id}`
  return html`<li class="row depth-${Math.min(depth, 5)}">
<p class="row-title">${isEditable ? html`<a href="${resourcePath(resource, id)}">${title}</a>` : title}</p>
<p class="row-where">${detail}</p>
<p class="row-when">${eventsLabel(editor, eventCount)}</p>
<p class="row-badges">${status !== 'publish' && html`<span class="badge">${optionName(editor.language, 'venue', 'status', status)}</span>`}</p></li>\n`
}

/** The pages and actions of the form of a venue, organizer, category or tag. */
const contentForm = (resource: EditedResource): MountEditorPage[] =>
  formRoutes<LoadedContent>({
    ...resource,
    collection: `/${resource.name}`,
    nameField: nameFieldOf(resource),
    address: id => resourcePath(resource, id),
    onward: () => resourcePath(resource),
    selectStored: ({ context }, id) =>
      mapQuery(resource.selectOne(context, id), row => () => {
        const editableRow = requireEditable(resource, row)
        return {
          body: editableRow.body,
          version: editableRow.version,
          title: editableRow.name,
          known: editableRow,
        }
      }),
    page: (editor, state, shown) => formPage(editor, resource, state, shown),
    inTrash: (editor, content) => {
      const kind = TRASHED_KINDS.find(name => name === resource.singular)
      const { inTrash } = editor.texts.content
      return kind && content.status === 'trash'
        ? inTrashPage(editor, { ...content, kind }, inTrash)
        : undefined
    },
  })

/** A page with a form. @param shownResource undefined for a new one */
function formPage(
  editor: EditorContext,
  resource: EditedResource,
  state: FormState,
  shownResource: ShownResource<LoadedContent> | undefined,
): EditorPage {
  const heading = shownResource ? shownResource.title || `#${shownResource.id}` : newLabel(editor, resource)
  const knownContent = shownResource?.known
  const parts = renderForm(editor, resource.form, state)
  return {
    title: heading,
    isNarrow: true,
    main: html`${backLink(resourcePath(resource), editor.texts.content[resource.name])}
<div class="page-head"><h1>${heading}</h1>${knownContent && html`<p class="small">${allEventsLabel(editor, knownContent)}</p>`}</div>
${fieldsForm(editor, {
  action: resourcePath(resource, shownResource?.id ?? 'new'),
  state,
  hasDrafts: true,
  body: html`${parts.head}${parts.main}${parts.publication}
<div class="actions">${resource.hasTrash ? statusButton(editor, state, knownContent?.status) : saveButton(editor.words.save)}</div>`,
})}
${knownContent && otherActions(editor, resource, knownContent)}`,
  }
}

/** The links and buttons below the form. */
function otherActions(
  editor: EditorContext,
  resource: EditedResource,
  { id, url, status }: LoadedContent,
): Html {
  const words = editor.texts.content
  const path = resourcePath(resource, id)
  return html`<section class="editor-other" aria-label="${editor.words.more}">
${status === 'publish' && html`<a href="${freshAddress(linkTo(editor.site, url))}">${editor.texts.event.view}</a>`}
<a href="${path}merge/">${words.merge}</a>
<a href="${historyPath({ kind: resource.singular, id })}">${editor.texts.history.history}</a>
${
  resource.hasTrash
    ? form(editor, {
        action: `${path}trash/`,
        className: 'trash-form',
        body: html`<button class="link-button is-danger" type="submit" aria-describedby="trash-note">${editor.words.toTrash}</button> <span class="small" id="trash-note">${words.trashNote}</span>`,
      })
    : html`<a class="is-danger" href="${path}delete/">${words.delete}</a>`
}</section>`
}

/** The page that asks whether to delete a term, which cannot be undone. */
const deletionPage = (resource: EditedResource): MountEditorPage =>
  defineEditorPage({
    path: `${resourcePath(resource)}:id{[0-9]+}/delete/`,
    requires: 'manage_terms',
    load: ({ context }, { id }) => resource.selectOne(context, id),
    respond: (editor, { loaded }) => {
      const content = requireEditable(resource, loaded)
      const { id, name, version } = content
      const words = editor.texts.content
      const text = filled(words.deleteText, { events: allEventsLabel(editor, content) })
      return notePage({
        title: filled(editor.words.deleteTitle, { name }),
        text: resource.name === 'categories' ? `${text} ${words.deleteChildren}` : text,
        body: form(editor, {
          action: `${resourcePath(resource, id)}delete/`,
          body: html`<input type="hidden" name="version" value="${version}">
<div class="actions"><button class="button" type="submit">${editor.words.delete}</button>
<a class="button button-quiet" href="${resourcePath(resource, id)}">${editor.words.keep}</a></div>`,
        }),
      })
    },
  })

/** Moves a venue or organizer to the trash, or deletes a category or tag for good. */
const removal = (resource: EditedResource): MountEditorPage =>
  defineRequest({
    path: `${resourcePath(resource)}:id{[0-9]+}/${resource.hasTrash ? 'trash' : 'delete'}/`,
    requires: resource.hasTrash ? resource.requires : 'manage_terms',
    request: (_, { id, form: formData }) => {
      const version = formText(formData, 'version')
      return {
        method: 'DELETE',
        path: `/${resource.name}/${id}`,
        ...(version && { headers: ifVersion(version) }),
      }
    },
    onDone: (editor, reply) => {
      const name = plain(String(replyValue(reply, nameFieldOf(resource))))
      const text = resource.hasTrash ? editor.texts.content.trashed : editor.words.deleted
      return { to: resourcePath(resource), notice: { text: filled(text, { name }) } }
    },
    backPath: id => resourcePath(resource, id),
  })

export const contentArea: Area = {
  routes: EDITED_RESOURCES.flatMap(resource => [
    listRoute(resource),
    ...contentForm(resource),
    removal(resource),
    ...(resource.hasTrash ? [] : [deletionPage(resource)]),
  ]),
  menu: EDITED_RESOURCES.map(resource => ({
    path: resourcePath(resource),
    label: texts => texts.content[resource.name],
    requires: resource.requires,
    group: 'places',
  })),
}
