import { filled } from '../../words/words.ts'
import { pathAndQuery, type Selection, selectionAddress, TODAY_PATHS } from './addresses.ts'
import { type FilterNames, type Filters, parameterKey, surroundingsOf } from './filters.ts'
import { type Html, html, icon, type Options, optionsOf } from './html.ts'
import type { PageContext } from './page-context.ts'
import type { Category } from './queries.ts'
import { plain } from './text.ts'

/**
 * Hidden fields that keep the parts of a selection for which a form has no controls.
 * @param controls their parameters
 */
export function keptInputs(site: PageContext, selection: Selection, controls: readonly string[]): Html {
  const { furtherValues } = pathAndQuery(site, selection)
  const entries = Object.entries<unknown>({ ...selection.filters, ...furtherValues })
  const keptEntries = entries.filter(([name, value]) => value !== undefined && !controls.includes(name))
  return html`${keptEntries.map(([name, value]) => html`<input type="hidden" name="${name}" value="${[value].flat().join(',')}">`)}`
}

/** The form for searching and filtering, which keeps the rest of the selection. */
export function finder(site: PageContext, selection: Selection, categories: readonly Category[]): Html {
  const { words } = site
  const { display, filters, date, until } = selection
  const hasEnd = display === 'list' && date !== undefined && until !== undefined
  const controls = ['search', 'exact', 'categories', 'date', 'until', 'wheelchair']
  return html`<form class="finder" action="${TODAY_PATHS[display]}" method="get">
<div class="field field-wide"><label for="find-search">${words.search}</label>
<input id="find-search" type="search" name="search" value="${filters.search ?? ''}" placeholder="${words.searchHint}" maxlength="200" autocomplete="off"></div>
${categories.length > 0 && categoryField(site, categories, filters)}
<div class="field"><label for="find-date">${words.from}</label>
<input id="find-date" type="date" name="date" value="${date ?? ''}"></div>
${
  hasEnd &&
  html`<div class="field"><label for="find-until">${words.lastDay}</label>
<input id="find-until" type="date" name="until" value="${until}"></div>`
}
${accessField(site, filters)}
${keptInputs(site, selection, controls)}
<button class="button" type="submit">${icon('search')}<span>${words.find}</span></button>
</form>`
}

function categoryField({ words }: PageContext, categories: readonly Category[], filters: Filters): Html {
  const chosenCategory = filters.categories?.join(',') ?? ''
  const options: Options = [['', words.allCategories], ...categoryOptionsWith(chosenCategory, categories)]
  return html`<div class="field"><label for="find-category">${words.category}</label>
<select id="find-category" name="categories">${optionsOf(options, chosenCategory)}</select></div>`
}

/** The box for events that are accessible by wheelchair. It keeps another value of this filter. */
function accessField({ words }: PageContext, { wheelchair }: Filters): Html {
  const value = wheelchair?.join(',') ?? 'yes'
  const text = value === 'yes' ? words.access_yes : words.access
  return html`<div class="field field-check"><input id="find-access" type="checkbox" name="wheelchair" value="${value}"${wheelchair && html` checked`}>
<label for="find-access">${text}</label></div>`
}

/** Categories for a select: slugs, and names that are indented below those of their parents. */
export const categoryOptions = (categories: readonly Category[]): (readonly [slug: string, text: string])[] =>
  inTreeOrder(categories).map(({ term, depth }) => [term.slug, `${'– '.repeat(depth)}${plain(term.name)}`])

/**
 * {@link categoryOptions} with the chosen value, if they lack it, such as several slugs: the form keeps it.
 */
export function categoryOptionsWith(chosenValue: string, categories: readonly Category[]): Options {
  const knownOptions = categoryOptions(categories)
  const isKnown = chosenValue === '' || knownOptions.some(([slug]) => slug === chosenValue)
  return isKnown ? knownOptions : [[chosenValue, chosenValue], ...knownOptions]
}

/** Categories in the order of a tree: each is followed by its descendants. */
export function inTreeOrder<T extends Pick<Category, 'id' | 'parent'>>(
  categories: readonly T[],
): { term: T; depth: number }[] {
  const ids = new Set(categories.map(({ id }) => id))
  const children = Map.groupBy(categories, ({ parent }) => (ids.has(parent) ? parent : 0))
  const descendants = (id: number, depth: number): { term: T; depth: number }[] =>
    (children.get(id) ?? []).flatMap(term => [{ term, depth }, ...descendants(term.id, depth + 1)])
  return descendants(0, 0)
}

/**
 * The label of each value of a page's filters, in the order of the values. A new filter needs its own here.
 */
const labelsOf = (
  { words, dates }: PageContext,
  filters: Filters,
  categories: readonly Category[],
  names: FilterNames,
): Readonly<Record<keyof Filters, readonly string[]>> => {
  const namesOf = (parameter: string, values: readonly (string | number)[] = []) =>
    values.map(value => names.get(parameterKey(parameter, value)) ?? String(value))
  const nearby = filters.near === undefined ? undefined : surroundingsOf(filters.near)
  return {
    search: filters.search === undefined ? [] : [filled(words.quoted, { text: filters.search })],
    categories: (filters.categories ?? []).map(value => {
      const term = categories.find(({ slug, id }) => slug === value.toLowerCase() || String(id) === value)
      return term ? plain(term.name) : value
    }),
    tags: namesOf('tags', filters.tags),
    venue: namesOf('venue', filters.venue),
    organizer: namesOf('organizer', filters.organizer),
    featured: [words.featured],
    is_free: [filters.is_free ? words.free : words.notFree],
    ticket_availability: (filters.ticket_availability ?? []).map(
      availability => words[`${availability}_tickets`],
    ),
    wheelchair: (filters.wheelchair ?? []).map(access => words[`access_${access}`]),
    near: nearby ? [filled(words.nearYou, { km: dates.number(nearby.km) })] : [],
  }
}

/** The names of a page's filters, each with the remaining filters without it. */
export const removableFilters = (
  site: PageContext,
  filters: Filters,
  categories: readonly Category[],
  names: FilterNames,
): { name: string; without: Filters }[] => {
  const labels: Readonly<Record<string, readonly string[]>> = labelsOf(site, filters, categories, names)
  return Object.entries(filters).flatMap(([parameter, value = []]) =>
    [value].flat().map((item, i) => {
      const otherValues = [value].flat().filter(other => other !== item)
      const without = { ...filters, [parameter]: otherValues.length > 0 ? otherValues : undefined }
      return { name: labels[parameter]?.[i] ?? String(item), without }
    }),
  )
}

/** The filters of a page, each with a link that removes it and keeps the days of the page. */
export function filterChips(
  site: PageContext,
  selection: Selection,
  categories: readonly Category[],
  names: FilterNames,
): Html | '' {
  const { words } = site
  const shownFilters = removableFilters(site, selection.filters, categories, names)
  const address = (filters: Filters): string => selectionAddress(site, { ...selection, filters })
  if (shownFilters.length === 0) return ''
  return html`<div class="chips"><p id="filtered">${words.filtered}</p><ul aria-labelledby="filtered">
${shownFilters.map(
  ({ name, without }) =>
    html`<li><a class="chip" href="${address(without)}"><span class="hidden">${filled(words.remove, { name })}</span><span aria-hidden="true">${name}</span>${icon('close')}</a></li>`,
)}
${shownFilters.length > 1 && html`<li><a href="${address({})}">${words.clear}</a></li>`}
</ul></div>`
}
