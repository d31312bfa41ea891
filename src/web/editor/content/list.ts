import * as z from 'zod/mini'
import { oneOf, search } from '../../../http/params.ts'
import { STATUSES } from '../../../lib/statuses.ts'
import { wordsOfField } from '../../forms/control.ts'
import { blank } from '../../forms/entries.ts'
import { type Html, html } from '../../html/html.ts'
import { counted } from '../../html/site.ts'
import type { Admin } from '../admin.ts'
import { addressWith, findChoice, findInput, listFinder, pageNumber, pages } from '../lists.ts'
import { type AdminRoute, defineAdminPage } from '../route.ts'
import {
  type ContentListItem,
  type ContentListQuery,
  type EditedResource,
  PER_PAGE,
  pathOf,
} from './resources.ts'

const listQuery = z.object({
  page: pageNumber,
  search: blank(search({ description: 'Words in the name.' })),
  status: blank(oneOf(STATUSES, { description: 'Only those of this status.' })),
})

/** The page that lists a resource. */
export const listRoute = (resource: EditedResource): AdminRoute =>
  defineAdminPage({
    path: pathOf(resource),
    requires: resource.requires,
    query: listQuery,
    load: ({ context }, { query }) => resource.list(context, query),
    respond: (admin, { query, loaded: items }) => {
      const words = admin.texts.content
      const { search = '', page = 1 } = query
      const isTree = resource.name === 'categories' && search === ''
      const shown = isTree ? items : items.slice(0, PER_PAGE)
      const at = (page: number) => addressOf(resource, { ...query, page })
      return {
        title: words[resource.name],
        main: html`<div class="page-head"><h1>${words[resource.name]}</h1><a class="button" href="${pathOf(resource, 'new')}">${newLabel(admin, resource)}</a></div>
${find(admin, resource, query)}
${
  shown.length === 0
    ? html`<p class="empty">${search === '' ? words.none : admin.texts.form.noneFound}</p>`
    : html`<ul class="rows content-rows">${shown.map(item => row(admin, resource, item))}</ul>`
}
${pages(admin, { previous: page > 1 && at(page - 1), next: items.length > shown.length && at(page + 1) })}`,
      }
    },
  })

/** The label of the link that makes a new one. */
export const newLabel = ({ texts: { content: words } }: Admin, { singular }: EditedResource): string => {
  return {
    venue: words.newVenue,
    organizer: words.newOrganizer,
    category: words.newCategory,
    tag: words.newTag,
  }[singular]
}

/** A number of events in words. */
export function eventsLabel(admin: Admin, n: number): string {
  return n === 0 ? admin.texts.content.noEvents : counted(admin, admin.site.words, 'count', n)
}

const addressOf = (resource: EditedResource, { page = 1, ...query }: ContentListQuery): string =>
  addressWith(pathOf(resource), { ...query, ...(page > 1 && { page }) })

/** The name of a status. */
const statusLabel = (language: string, status: string): string =>
  wordsOfField(language, 'venue', 'status').options?.[status] ?? status

function find(admin: Admin, resource: EditedResource, { search = '', status }: ContentListQuery): Html {
  const { language, texts } = admin
  const words = texts.content
  const statuses = STATUSES.map(name => [name, statusLabel(language, name)] as const)
  return html`<search class="find">${listFinder(admin, {
    action: pathOf(resource),
    fields: html`${findInput('search', admin.words.byName, search)}${resource.hasTrash && findChoice('status', words.status, [['', words.anyStatus], ...statuses], status)}`,
    clear: (search !== '' || status !== undefined) && pathOf(resource),
  })}</search>`
}

function row(
  admin: Admin,
  resource: EditedResource,
  { id, name, detail, events, status, depth, isEditable }: ContentListItem,
): Html {
  const title = name || `#${id}`
  return html`<li class="row depth-${Math.min(depth, 5)}">
<p class="row-title">${isEditable ? html`<a href="${pathOf(resource, id)}">${title}</a>` : title}</p>
<p class="row-where">${detail}</p>
<p class="row-when">${eventsLabel(admin, events)}</p>
<p class="row-badges">${status !== 'publish' && html`<span class="badge">${statusLabel(admin.language, status)}</span>`}</p></li>\n`
}
