import type { TermRow } from '../../../calendar/terms/resource.ts'
import { decodeEntities } from '../../../kit/lib/text.ts'
import { inTreeOrder } from '../../html/finder.ts'
import { type Html, html } from '../../html/html.ts'
import type { Control, FieldView } from '../control.ts'
import { entriesNamed, entry, newInput } from '../entries.ts'
import { choicePart, group, inputPart, selectField } from '../field-html.ts'
import { itemsIn } from './links.ts'

const termName = ({ name }: TermRow): string => decodeEntities(name)

const categoryName = (categories: readonly TermRow[] = [], id: string): string => {
  const term = categories.find(each => String(each.id) === id)
  return term ? termName(term) : `#${id}`
}

export const categoryTree: Control = {
  isSet: true,
  inputs: name => [name, newInput(name, 'name')],
  show: (body, name) => [
    [name, itemsIn(body[name]).map(({ id }) => String(id))],
    [newInput(name, 'name'), ['']],
  ],
  value: (entries, name) => {
    const addedName = entry(entries, newInput(name, 'name')).trim()
    return [...entriesNamed(entries, name), ...(addedName ? [{ name: addedName }] : [])]
  },
  read: (entries, name, { choices }) =>
    [
      ...entriesNamed(entries, name).map(id => categoryName(choices.categories, id)),
      entry(entries, newInput(name, 'name')),
    ]
      .filter(Boolean)
      .join(', '),
  render: view => {
    const { id, name, entries, words, choices } = view
    const { categories = [], mayCreateTerms } = choices
    const ids = entriesNamed(entries, name)
    const addedInput = newInput(name, 'name')
    const hiddenIds = ids.filter(own => categories.every(term => String(term.id) !== own))
    return group(
      view,
      html`${hiddenIds.map(own => html`<input type="hidden" name="${name}" value="${own}">`)}
${treeBoxes(view, inTreeOrder(categories), ids)}
${
  mayCreateTerms &&
  html`<div class="in-place">${inputPart(
    { id: `${id}-new`, name: addedInput, label: words.newCategory, value: entry(entries, addedInput) },
    html` maxlength="200"`,
  )}</div>`
}`,
      'is-tree',
    )
  },
}

function treeBoxes(
  { id, name, words }: FieldView,
  tree: ReturnType<typeof inTreeOrder<TermRow>>,
  ids: readonly string[],
): Html {
  if (tree.length === 0) return html`<p class="small">${words.noCategories}</p>`
  return html`<ul class="tree">${tree.map(
    ({ term, depth }) =>
      html`<li class="form-check depth-${Math.min(depth, 5)}">${choicePart({ id: `${id}-${term.id}`, type: 'checkbox', name, value: String(term.id), isChosen: ids.includes(String(term.id)), label: termName(term) })}</li>`,
  )}</ul>`
}

export const parentCategory: Control = {
  show: (body, name) => [[name, [String(body[name] ?? 0)]]],
  value: entry,
  read: (entries, name, { choices, words }) => {
    const id = entry(entries, name)
    return id === '0' ? words.none : categoryName(choices.categories, id)
  },
  render: view => {
    const { categories = [] } = view.choices
    const chosenId = entry(view.entries, view.name) || '0'
    // The stored category may be missing from the offered ones, which are limited in number; saving something
    // else must not change it.
    const isOffered = chosenId === '0' || categories.some(term => String(term.id) === chosenId)
    const options = [
      ['0', view.words.none] as const,
      ...(isOffered ? [] : [[chosenId, categoryName(categories, chosenId)] as const]),
      ...inTreeOrder(categories).map(
        ({ term, depth }) => [String(term.id), `${'– '.repeat(depth)}${termName(term)}`] as const,
      ),
    ]
    return selectField(view, { name: view.name, options, chosen: chosenId })
  },
}
