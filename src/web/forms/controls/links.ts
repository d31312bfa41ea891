import { decodeEntities } from '../../../lib/text.ts'
import { isObject } from '../../../lib/values.ts'
import { type FormWords, frameWords } from '../../../words/words.ts'
import { type Html, html } from '../../html/html.ts'
import { type Choice, type Control, described, type FieldView, group, wordsOfField } from '../control.ts'
import { type Entries, entriesNamed, entry } from '../entries.ts'

/** A resource that can be made in the form: the names of its fields, its name first, and the label under which they are folded. */
type NewThing = {
  names: readonly string[]
  resource: 'venue' | 'organizer' | 'tag'
  folded?: keyof FormWords
}

const NEW_VENUE: NewThing = {
  resource: 'venue',
  names: ['venue', 'address', 'zip', 'city', 'country'],
  folded: 'newVenue',
}
const NEW_ORGANIZER: NewThing = {
  resource: 'organizer',
  names: ['organizer', 'email', 'phone'],
  folded: 'newOrganizer',
}
const NEW_TAGS: NewThing = { resource: 'tag', names: ['name'] }

const newInput = (name: string, field: string): string => `${name}_new_${field}`

/** The name of the search input of a field. */
export const searchInput = (name: string): string => `${name}_search`

/** The items that a field of a response links to: an object, a list of objects, or an empty list. */
const itemsIn = (value: unknown): Readonly<Record<string, unknown>>[] => [value].flat().filter(isObject)

/** The linked items of a response as options, so that the form can show their names. */
export const linkedIn = (body: Readonly<Record<string, unknown>>, name: string): Choice[] =>
  itemsIn(body[name]).map(item => ({
    id: Number(item.id),
    name: decodeEntities(String(item[name] ?? item.name ?? '')),
    ...(typeof item.city === 'string' && item.city && { detail: decodeEntities(item.city) }),
  }))

/** An incomplete choice: a search text from which nothing was chosen. */
const unclear = (entries: Entries, name: string) =>
  entry(entries, searchInput(name)).trim() === '' ? undefined : 'chooseFound'

/** Makes a control for links. @param values makes the values of a new item from the texts of its inputs */
function linking(thing: NewThing, values: (texts: Readonly<Record<string, string>>) => unknown[]): Control {
  const { names } = thing
  const [first = ''] = names
  const newTexts = (entries: Entries, name: string) =>
    Object.fromEntries(
      names.flatMap(field => {
        const text = entry(entries, newInput(name, field)).trim()
        return text ? [[field, text]] : []
      }),
    )
  return {
    unclear,
    inputs: name => [name, ...names.map(field => newInput(name, field))],
    show: (body, name) => [
      [name, itemsIn(body[name]).map(({ id }) => String(id))],
      ...names.map(field => [newInput(name, field), ['']] as const),
    ],
    value: (entries, name) => [...entriesNamed(entries, name), ...values(newTexts(entries, name))],
    read: (entries, name, { choices }) =>
      [
        ...entriesNamed(entries, name).map(id => nameOf(choices.chosen?.[name], id)),
        entry(entries, newInput(name, first)),
      ]
        .filter(Boolean)
        .join(', '),
    render: view => group(view, html`${chosen(view)}${search(view)}${inPlace(view, thing)}`, 'is-links'),
  }
}

/** A choice of one existing venue or organizer, or of none. Its value is an id, or 0. */
export const oneLink: Control = {
  unclear,
  inputs: name => [name],
  show: (body, name) => [[name, [String(body[name] || NONE)]]],
  value: (entries, name) => entry(entries, name) || NONE,
  read: (entries, name, { choices, words }) => {
    const id = entry(entries, name) || NONE
    return id === NONE ? words.none : nameOf(choices.chosen?.[name], id)
  },
  render: view => group(view, html`${chosen(view, 'radio')}${search(view, 'radio')}`, 'is-links'),
}

/** The value for none. */
const NONE = '0'

const nameOf = (choices: readonly Choice[] = [], id: string): string =>
  choices.find(choice => String(choice.id) === id)?.name ?? `#${id}`

type OptionType = 'checkbox' | 'radio'
type OptionState = { type: OptionType; isChosen?: boolean; isFocused?: boolean }

const option = (
  view: FieldView,
  { id, name, detail }: Choice,
  { type, isChosen, isFocused }: OptionState,
): Html =>
  html`<li class="form-check"><input id="${view.id}-${id}" type="${type}" name="${view.name}" value="${id}"${isChosen && html` checked`}${isFocused && html` autofocus`}><label for="${view.id}-${id}">${name}${detail && html` <span class="small">${detail}</span>`}</label></li>`

/** The chosen items, each with a box to uncheck. A choice of only one has an option for none as well. */
function chosen(view: FieldView, type: OptionType = 'checkbox'): Html {
  const ids = entriesNamed(view.entries, view.name).filter(id => id !== NONE)
  const known = view.choices.chosen?.[view.name] ?? []
  return html`<ul class="picked" data-picked="${type}">${
    type === 'radio' &&
    option(view, { id: Number(NONE), name: view.words.none }, { type, isChosen: ids.length === 0 })
  }${ids.map(id => option(view, { id: Number(id), name: nameOf(known, id) }, { type, isChosen: true }))}</ul>`
}

/** The search input with its button, which submits the form and shows it again with the results. */
export function searchRow({ site, name, entries }: FieldView, id: string, more: Html): Html {
  const words = frameWords(site.language)
  return html`<label for="${id}">${words.byName}</label>
<div class="picker-row"><input id="${id}" type="search" name="${searchInput(name)}" value="${entry(entries, searchInput(name))}" autocomplete="off" maxlength="200"${more}>
<button class="button button-quiet" type="submit" name="do" value="find:${name}" formnovalidate>${words.find}</button></div>`
}

/** The search with its results. */
function search(view: FieldView, type: OptionType = 'checkbox'): Html {
  const { id, name, words, entries, choices } = view
  const ids = entriesNamed(entries, name)
  const found = choices.found?.[name]
  const others = found?.filter(choice => !ids.includes(String(choice.id)))
  return html`<div class="picker" data-find="${name}" data-none="${words.noneFound}">${searchRow(view, id, html`${described(view)}${view.isFocused && html` autofocus`}`)}
${
  others &&
  (others.length === 0
    ? html`<p class="small">${words.noneFound}</p>`
    : html`<ul class="found">${others.map((choice, i) => option(view, choice, { type, isFocused: i === 0 && !view.isFocused }))}</ul>`)
}</div>`
}

/** The inputs of a new item. */
function inPlace(view: FieldView, { resource, names, folded }: NewThing): Html | '' {
  const { language } = view.site
  if (view.name === 'tags' && !view.choices.mayCreateTerms) return ''
  const isOpen = names.some(field => entry(view.entries, newInput(view.name, field)) !== '')
  const inputs = names.map(
    field => html`<div><label for="${view.id}-new-${field}">${resource === 'tag' ? view.words.newTags : wordsOfField(language, resource, field).label}</label>
<input id="${view.id}-new-${field}" name="${newInput(view.name, field)}" value="${entry(view.entries, newInput(view.name, field))}" maxlength="1000" autocomplete="off"></div>`,
  )
  if (folded === undefined) return html`<div class="in-place">${inputs}</div>`
  return html`<details class="in-place"${isOpen && html` open`}><summary>${view.words[folded]}</summary>${inputs}</details>`
}

/** The venues of an event, with the inputs of a new one. */
export const venueLinks = linking(NEW_VENUE, texts => (texts.venue ? [texts] : []))

/** The organizers of an event, with the inputs of a new one. */
export const organizerLinks = linking(NEW_ORGANIZER, texts => (texts.organizer ? [texts] : []))

/** The tags of an event, and new ones by name, separated by commas. */
export const tagLinks = linking(NEW_TAGS, ({ name = '' }) =>
  name
    .split(',')
    .map(text => text.trim())
    .filter(Boolean)
    .map(text => ({ name: text })),
)
