import { may } from '../../lib/roles.ts'
import { STATUSES } from '../../lib/statuses.ts'
import { dropControls } from '../../lib/text.ts'
import { filled } from '../../lib/words.ts'
import { type Html, html } from '../../site/html.ts'
import { icon } from '../../site/icons.ts'
import { pager } from '../../site/pager.ts'
import type { Admin } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { type AdminRoute, defineAdminPage } from '../route.ts'
import { contentWords } from '../words/content.ts'
import { wordsOfField } from '../words/fields.ts'
import { type Item, type ListQuery, PER_PAGE, pathOf, type Resource } from './resource.ts'

/** The parameters of a list. What makes no sense is left out. */
function queryIn({ searchParams }: URL): ListQuery {
  const page = Number(searchParams.get('page') ?? 1)
  return {
    search: dropControls(searchParams.get('search') ?? '')
      .trim()
      .slice(0, 200),
    status: STATUSES.find(name => name === searchParams.get('status')),
    page: Number.isInteger(page) && page > 0 && page <= 10_000 ? page : 1,
  }
}

/** The page with the list of a resource. */
export const listRoute = (resource: Resource): AdminRoute =>
  defineAdminPage({
    path: pathOf(resource),
    requires: resource.requires,
    load: ({ context }, { url }) => resource.list(context, queryIn(url)),
    respond: (admin, { url, loaded }) => listPage(admin, resource, { query: queryIn(url), items: loaded }),
  })

/** The words for making a new one. */
export const newLabel = (language: string, { singular }: Resource): string => {
  const words = contentWords(language)
  return {
    venue: words.newVenue,
    organizer: words.newOrganizer,
    category: words.newCategory,
    tag: words.newTag,
  }[singular]
}

/** A number of events in words. */
export function eventsLabel({ language, site: { dates } }: Admin, n: number): string {
  const words = contentWords(language)
  if (n === 0) return words.noEvents
  return filled(dates.plural(n) === 'one' ? words.eventsOne : words.eventsOther, { n: dates.number(n) })
}

type Listed = { query: ListQuery; items: readonly Item[] }

function listPage(admin: Admin, resource: Resource, { query, items }: Listed): AdminPage {
  const words = contentWords(admin.language)
  const { search, page } = query
  const isTree = resource.name === 'categories' && search === ''
  const shown = isTree ? items : items.slice(0, PER_PAGE)
  const step = (number: number, text: string) => ({
    address: addressOf(resource, { ...query, page: number }),
    text,
  })
  const hasMore = items.length > shown.length
  return {
    title: words[resource.name],
    main: html`<div class="page-head"><h1>${words[resource.name]}</h1>${
      may(admin.context.caller, resource.createdBy) &&
      html`<a class="button" href="${pathOf(resource, 'new')}">${newLabel(admin.language, resource)}</a>`
    }</div>
${finder(admin, resource, query)}
${
  shown.length === 0
    ? html`<p class="empty">${search === '' ? words.none : words.noneFound}</p>`
    : html`<ul class="rows content-rows">${shown.map(item => row(admin, resource, item))}</ul>`
}
${(page > 1 || hasMore) && pager(admin.site.words.pages, { before: page > 1 ? step(page - 1, words.earlier) : undefined, after: hasMore ? step(page + 1, words.later) : undefined })}`,
  }
}

function addressOf(resource: Resource, { search, status, page }: ListQuery): string {
  const params = new URLSearchParams({
    ...(search !== '' && { search }),
    ...(status && { status }),
    ...(page > 1 && { page: String(page) }),
  })
  return `${pathOf(resource)}${params.size > 0 ? `?${params}` : ''}`
}

/** The words of a status. */
const statusLabel = (language: string, status: string): string =>
  wordsOfField(language, 'venue', 'status')[2]?.[status] ?? status

function finder({ language }: Admin, resource: Resource, { search, status }: ListQuery): Html {
  const words = contentWords(language)
  const isFiltered = search !== '' || status !== undefined
  return html`<search class="find"><form class="finder content-finder" action="${pathOf(resource)}" method="get">
<div class="field"><label for="find-search">${words.search}</label><input id="find-search" type="search" name="search" value="${search}" maxlength="200" autocomplete="off"></div>
${
  resource.hasTrash &&
  html`<div class="field"><label for="find-status">${words.status}</label><select id="find-status" name="status"><option value="">${words.anyStatus}</option>
${STATUSES.map(name => html`<option value="${name}"${name === status && html` selected`}>${statusLabel(language, name)}</option>`)}</select></div>`
}
<button class="button button-quiet" type="submit">${icon('search')}<span>${words.find}</span></button>
${isFiltered && html`<a class="clear" href="${pathOf(resource)}">${words.clear}</a>`}
</form></search>`
}

function row(
  admin: Admin,
  resource: Resource,
  { id, name, detail, events, status, depth, isEditable }: Item,
): Html {
  const title = name || `#${id}`
  return html`<li class="row depth-${Math.min(depth, 5)}">
<p class="row-title">${isEditable ? html`<a href="${pathOf(resource, id)}">${title}</a>` : title}</p>
<p class="row-where">${detail}</p>
<p class="row-when">${eventsLabel(admin, events)}</p>
<p class="row-badges">${status !== 'publish' && html`<span class="badge">${statusLabel(admin.language, status)}</span>`}</p></li>\n`
}
