import { type ListSlice, withQuery } from '../kit/http/lists.ts'
import { field } from '../kit/http/params.ts'
import { asText, refuse, toInteger } from '../kit/lib/values.ts'
import { blank } from '../site/forms/entries.ts'
import { buttonForm } from '../site/forms/field-html.ts'
import { type Html, html, icon, type Options, optionsOf, pager } from '../site/html/html.ts'
import { filled } from '../words/words.ts'
import type { VisitorContext } from './context.ts'

/** An address with parameters, without those that are empty. */
export const addressWith = (base: string, query: Readonly<Record<string, unknown>>): string =>
  withQuery(
    base,
    Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== '')),
  )

/** The number of a page, which is read by counting the rows before it. */
export const pageNumber = blank(
  field(raw => Math.min(toInteger(raw, 1), 10_000), {
    type: 'integer',
    description: 'Page of the list, from 1.',
  }),
)

/** A page of a list. Its size is the editor's, whatever `MAX_PER_PAGE` is for the API. */
export const pageAt = (page: number, perPage: number): ListSlice => ({
  page,
  perPage,
  offset: (page - 1) * perPage,
})

/** The cursor of a list ordered by time: the time of the last row before the page, in UTC, and its name. */
export const cursor = blank(
  field(
    raw => {
      const [, time = '', name] =
        /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)~([a-z\d-]{1,40})$/.exec(asText(raw)) ?? []
      return name === undefined ? refuse('must be from a link to a page of this list') : { at: time, name }
    },
    { type: 'string', description: 'The row after which the page begins.' },
  ),
)

export const cursorText = ({ at: time, name }: { at: string; name: string | number }): string =>
  `${time}~${name}`

/** The addresses of other pages of a list; absent if there is no such page. */
type PageAddresses = {
  first?: string | false | undefined
  previous?: string | false
  next: string | false | undefined
}

/** The links to other pages of a list: back, or to the beginning, and forward. */
export function pageLinks(
  { words, site }: VisitorContext,
  { first, previous, next }: PageAddresses,
): Html | '' {
  const previousLink = previous ? { address: previous, text: words.previous } : undefined
  const before = first ? { address: first, text: words.first } : previousLink
  const after = next ? { address: next, text: words.next } : undefined
  return pager(site.words.pages, { before, after })
}

type ListItem = {
  name: Html | string
  /** Further facts; empty ones are left out. */
  facts: readonly (string | number | false | null | undefined)[]
  /** The state of the item, or its button. */
  end: Html | '' | false | undefined
  className?: string
}

/** An item of a list with facts in small print, for `<ul class="items">`. */
export function listItem({ name, facts, end, className }: ListItem): Html {
  const small = facts.filter(Boolean).join(' · ')
  return html`<li${className && html` class="${className}"`}><div><strong dir="auto">${name}</strong>${small && html` <span class="small">${small}</span>`}</div>
${end}</li>\n`
}

type EndableItem = Omit<ListItem, 'name' | 'end'> & {
  name: string
  /** The button that ends the item; absent for one that cannot be ended. */
  end?: { action: string; text: string; label: string }
}

/** A list of a user's sessions, passkeys or passwords, each with a button that ends it. */
export const itemList = (visit: VisitorContext, items: readonly EndableItem[]): Html =>
  html`<ul class="items">${items.map(({ end, ...item }) =>
    listItem({
      ...item,
      end: end && buttonForm(visit, { ...end, label: filled(end.label, { name: item.name }) }),
    }),
  )}</ul>`

type Tab = { href: string; text: string; isCurrent: boolean; count?: string | undefined }

/** Tabs between views of a list, with the numbers of what is in them. */
export const tabLinks = (label: string, tabs: readonly Tab[]): Html =>
  html`<nav class="tabs" aria-label="${label}"><ul>${tabs.map(
    ({ href, text, isCurrent, count }) =>
      html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${text}${count && html` <span class="tab-count">${count}</span>`}</a></li>\n`,
  )}</ul></nav>`

const labelledField = (name: string, label: string, input: Html): Html =>
  html`<div class="field"><label for="find-${name}">${label}</label>${input}</div>\n`

/** A text or date input of a search form. */
export const findInput = (
  name: string,
  label: string,
  value = '',
  type: 'search' | 'date' = 'search',
): Html =>
  labelledField(
    name,
    label,
    html`<input id="find-${name}" type="${type}" name="${name}" value="${value}"${type === 'search' && html` maxlength="200" autocomplete="off" autocapitalize="none"`}>`,
  )

/** A select of a search form, whose first option means any. */
export const findChoice = (name: string, label: string, options: Options, chosen = ''): Html =>
  labelledField(
    name,
    label,
    html`<select id="find-${name}" name="${name}">${optionsOf(options, chosen)}</select>`,
  )

/** The search form of a list. @param clear the address of the unfiltered list, if a filter is set */
export const listFinder = (
  { words }: VisitorContext,
  { action, fields, clear }: { action: string; fields: Html; clear?: string | false },
): Html =>
  html`<form class="finder admin-finder" action="${action}" method="get">
${fields}<button class="button button-quiet" type="submit">${icon('search')}<span>${words.find}</span></button>
${clear && html`<a class="clear" href="${clear}">${words.clear}</a>`}
</form>`
