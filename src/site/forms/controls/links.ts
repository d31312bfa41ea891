import { decodeEntities } from '../../../kit/lib/text.ts'
import { FIELD_LIMITS, isObject } from '../../../kit/lib/values.ts'
import { type Catalogue, filled, textsIn } from '../../../words/words.ts'
import { type Html, html } from '../../html/html.ts'
import { type Choice, type Control, type FieldView, wordsOfField } from '../control.ts'
import { type Entries, entriesNamed, entry, newInput } from '../entries.ts'
import { choicePart, describedByAttribute, group, inputPart } from '../field-html.ts'
import { POSITION, positionFinder } from './position.ts'

/** A resource that can be made in the form: the names of its fields, the field with its name first. */
type NewItem = {
  names: readonly string[]
  resource: 'venue' | 'organizer' | 'tag'
  /** The key of the label under which the fields are folded. */
  folded?: keyof Catalogue['form']
  /** The key of the label once a name has been typed. */
  named?: keyof Catalogue['form']
}

const NEW_VENUE: NewItem = {
  resource: 'venue',
  names: ['venue', 'address', 'zip', 'city', 'country', ...POSITION],
  folded: 'newVenue',
  named: 'namedVenue',
}
const NEW_ORGANIZER: NewItem = {
  resource: 'organizer',
  names: ['organizer', 'email', 'phone'],
  folded: 'newOrganizer',
  named: 'namedOrganizer',
}
const NEW_TAGS: NewItem = { resource: 'tag', names: ['name'] }

export const searchInput = (name: string): string => `${name}_search`

/** The items that a field of a response links to: an object, a list of objects, or an empty list. */
export const itemsIn = (value: unknown): Readonly<Record<string, unknown>>[] =>
  [value].flat().filter(isObject)

/** The linked items of a response as options, so that the form can show their names. */
export const linkedIn = (body: Readonly<Record<string, unknown>>, name: string): Choice[] =>
  itemsIn(body[name]).map(item => ({
    id: Number(item.id),
    name: decodeEntities(String(item[name] ?? item.name ?? '')),
    ...detailIn(item),
  }))

/**
 * What distinguishes an item from others of the same name: the address of a venue, how to reach an organizer,
 * the day of an event.
 */
export function detailIn({ address, city, email, website, day }: Readonly<Record<string, unknown>>): {
  detail?: string
} {
  const detail = [address, city].filter(Boolean).join(', ') || email || website || day
  return detail ? { detail: decodeEntities(String(detail)) } : {}
}

const formerInput = (name: string): string => `${name}_was`
const severalInput = (name: string): string => `${name}_several`

/** The chosen ids that were not chosen yet when the form was made. */
function newlyChosen(entries: Entries, name: string): string[] {
  const was = entry(entries, formerInput(name)).split(',')
  return entriesNamed(entries, name).filter(id => id !== NO_ITEM && !was.includes(id))
}

export const nameInput = (name: string): string =>
  newInput(name, [NEW_VENUE, NEW_ORGANIZER].find(({ resource }) => resource === name)?.names[0] ?? 'name')

/** The names of new items: one is typed, and another may be ticked among the results of a search. */
const newNames = (entries: Entries, name: string): string[] => [
  ...new Set(
    entriesNamed(entries, nameInput(name))
      .map(text => text.trim())
      .filter(Boolean),
  ),
]

/** The name of the only new item of a form, if the name is all that was entered. */
export function bareName(entries: Entries, name: 'venue' | 'organizer'): string | undefined {
  const { names } = name === 'venue' ? NEW_VENUE : NEW_ORGANIZER
  const isBare = names.slice(1).every(field => entry(entries, newInput(name, field)).trim() === '')
  const [onlyName, ...otherNames] = newNames(entries, name)
  return isBare && otherNames.length === 0 ? onlyName : undefined
}

/** True if a search field has a text, but nothing was chosen or created with it. */
export const isSearching = (entries: Entries, name: string): boolean =>
  entry(entries, searchInput(name)).trim() !== '' &&
  entry(entries, nameInput(name)).trim() === '' &&
  newlyChosen(entries, name).length === 0

/**
 * An incomplete choice: a search text from which nothing was chosen, or two new items, although the inputs
 * describe only one.
 */
function unclearName(entries: Entries, name: string) {
  if (newNames(entries, name).length > 1) return 'oneNew'
  return isSearching(entries, name) ? 'chooseFound' : undefined
}

/**
 * Makes a control for links.
 *
 * @param values makes the values of a new item from the texts of its inputs
 * @param replaces true if a new choice replaces the former one, unless the user says that there are several
 */
function linkControl(
  newItem: NewItem,
  values: (texts: Readonly<Record<string, string>>) => unknown[],
  replaces = false,
): Control {
  const { names } = newItem
  const [nameField = ''] = names
  const newTexts = (entries: Entries, name: string) =>
    Object.fromEntries(
      names.flatMap(field => {
        const text = entry(entries, newInput(name, field)).trim()
        return text ? [[field, text]] : []
      }),
    )
  return {
    unclear: unclearName,
    inputs: name => [
      name,
      ...names.map(field => newInput(name, field)),
      ...(replaces ? [severalInput(name)] : []),
    ],
    show: (body, name) => {
      const ids = itemsIn(body[name]).map(({ id }) => String(id))
      return [
        [name, ids],
        ...names.map(field => [newInput(name, field), ['']] as const),
        [formerInput(name), [ids.join(',')]],
        ...(replaces && ids.length > 1 ? [[severalInput(name), ['1']] as const] : []),
      ]
    },
    value: (entries, name) => {
      const createdValues = values(newTexts(entries, name))
      const chosenValues = newlyChosen(entries, name)
      const isOnlyLastKept =
        replaces && !entries.has(severalInput(name)) && createdValues.length + chosenValues.length > 0
      return isOnlyLastKept
        ? [...chosenValues, ...createdValues].slice(-1)
        : [...entriesNamed(entries, name), ...createdValues]
    },
    read: (entries, name, { choices }) =>
      [
        ...entriesNamed(entries, name).map(id => choiceText(choiceOf(choices.chosen?.[name], id))),
        entry(entries, newInput(name, nameField)),
      ]
        .filter(Boolean)
        .join(', '),
    render: view =>
      group(
        view,
        html`<input type="hidden" name="${formerInput(view.name)}" value="${entry(view.entries, formerInput(view.name))}">
${chosenOptions(view)}
${searchBox(view, { replaces, canMake: newItem.resource !== 'tag' })}
${replaces && severalBox(view)}
${newItemFields(view, newItem)}`,
        'is-links',
      ),
  }
}

/** The box for events at several venues: a choice is then added to the others instead of replacing them. */
const severalBox = ({ id, name, words, entries }: FieldView): Html =>
  html`<p class="form-check several">${choicePart({ id: `${id}-several`, type: 'checkbox', name: severalInput(name), value: '1', isChosen: entries.has(severalInput(name)), label: words.several })}</p>`

/** A choice of one existing venue or organizer, or of none. Its value is an id, or 0. */
export const oneLink: Control = {
  unclear: unclearName,
  show: (body, name) => [[name, [String(itemsIn(body[name])[0]?.id ?? (body[name] || NO_ITEM))]]],
  value: (entries, name) => entry(entries, name) || NO_ITEM,
  read: (entries, name, { choices, words }) => {
    const id = entry(entries, name) || NO_ITEM
    return id === NO_ITEM ? words.none : choiceText(choiceOf(choices.chosen?.[name], id))
  },
  render: view =>
    group(view, html`${chosenOptions(view, 'radio')}${searchBox(view, { type: 'radio' })}`, 'is-links'),
}

const NO_ITEM = '0'

const choiceOf = (choices: readonly Choice[] = [], id: string): Choice =>
  choices.find(choice => String(choice.id) === id) ?? { id: Number(id), name: `#${id}` }

const choiceText = ({ name, detail }: Choice): string => (detail ? `${name}, ${detail}` : name)

type OptionType = 'checkbox' | 'radio'
type OptionState = { type: OptionType; isChosen?: boolean; isFocused?: boolean }

const linkOption = (
  view: FieldView,
  { id, name, detail }: Choice,
  { type, isChosen = false, isFocused = false }: OptionState,
): Html =>
  html`<li class="form-check">${choicePart({
    id: `${view.id}-${id}`,
    name: view.name,
    value: String(id),
    type,
    isChosen,
    isFocused,
    label: html`${name}${detail && html` <span class="small">${detail}</span>`}`,
  })}</li>`

/** The chosen items, each with a box to uncheck. A choice of only one has an option for none as well. */
function chosenOptions(view: FieldView, type: OptionType = 'checkbox'): Html {
  const ids = entriesNamed(view.entries, view.name).filter(id => id !== NO_ITEM)
  const knownChoices = view.choices.chosen?.[view.name] ?? []
  return html`<ul class="picked" data-picked="${type}">${
    type === 'radio' &&
    linkOption(view, { id: Number(NO_ITEM), name: view.words.none }, { type, isChosen: ids.length === 0 })
  }${ids.map(id => linkOption(view, choiceOf(knownChoices, id), { type, isChosen: true }))}</ul>`
}

/** The search input with its button, which submits the form and shows it again with the results. */
export function searchRow({ site, name, label, entries }: FieldView, id: string, extraHtml: Html): Html {
  const words = textsIn(site.language).frame
  return html`<label for="${id}"><span class="hidden">${label}${site.words.colon}</span>${words.byName}</label>
<div class="picker-row"><input id="${id}" type="search" name="${searchInput(name)}" value="${entry(entries, searchInput(name))}" autocomplete="off" maxlength="200"${extraHtml}>
<button class="button button-quiet" type="submit" name="do" value="find:${name}" formnovalidate>${words.find}</button></div>`
}

type Search = {
  type?: OptionType
  /** True if a choice replaces the former one. */
  replaces?: boolean
  /** True if what is not found can be made. */
  canMake?: boolean
}

function searchBox(view: FieldView, { type = 'checkbox', replaces = false, canMake = false }: Search): Html {
  const { id, name, words, entries, choices } = view
  const ids = entriesNamed(entries, name)
  const foundChoices = choices.matches?.[name]
  const otherChoices = foundChoices?.filter(choice => !ids.includes(String(choice.id)))
  const text = entry(entries, searchInput(name)).trim()
  const make =
    canMake &&
    text !== '' &&
    html`<li class="form-check">${choicePart({ id: `${id}-make`, type: 'checkbox', name: nameInput(name), value: text, label: filled(words.make, { name: text }) })}</li>`
  const row = searchRow(view, id, html`${describedByAttribute(view)}${view.isFocused && html` autofocus`}`)
  const scriptAttributes = html`${replaces && html` data-replaces`}${canMake && html` data-make="${words.make}" data-one="${words.oneNew}"`}`
  return html`<div class="picker" data-find="${name}" data-none="${words.noneFound}"${scriptAttributes}>${row}
${
  otherChoices &&
  html`${otherChoices.length === 0 && html`<p class="small">${words.noneFound}</p>`}<ul class="found">${otherChoices.map((choice, i) => linkOption(view, choice, { type, isFocused: i === 0 && !view.isFocused }))}${make}</ul>`
}</div>`
}

function newItemFields(view: FieldView, { resource, names, folded, named }: NewItem): Html | '' {
  const { language } = view.site
  if (view.name === 'tags' && !view.choices.mayCreateTerms) return ''
  const isTyped = (field: string) => entry(view.entries, newInput(view.name, field)) !== ''
  const find = resource === 'venue' ? positionFinder(view) : ''
  const shownNames = names.filter(field => find || isTyped(field) || !POSITION.includes(field))
  const inputs = shownNames.map(field => {
    const name = newInput(view.name, field)
    const label = resource === 'tag' ? view.words.newTags : wordsOfField(language, resource, field).label
    // A name that is ticked among the results comes before what is typed here.
    const value = entriesNamed(view.entries, name).findLast(text => text.trim() !== '') ?? ''
    return inputPart(
      { id: `${view.id}-new-${field}`, name, label, value },
      html` maxlength="${FIELD_LIMITS.text}"`,
    )
  })
  if (folded === undefined || named === undefined) return html`<div class="in-place">${inputs}</div>`
  const isNamed = newNames(view.entries, view.name).length > 0
  const [now, later] = isNamed ? [named, folded] : [folded, named]
  return html`<details class="in-place"${names.some(isTyped) && html` open`}><summary data-other="${view.words[later]}">${view.words[now]}</summary>${inputs}${find}</details>`
}

/** The venues of an event, with the inputs of a new one. */
export const venueLinks = linkControl(NEW_VENUE, texts => (texts.venue ? [texts] : []), true)

/** The organizers of an event, with the inputs of a new one. */
export const organizerLinks = linkControl(NEW_ORGANIZER, texts => (texts.organizer ? [texts] : []))

/** The tags of an event, and new ones by name, separated by commas. */
export const tagLinks = linkControl(NEW_TAGS, ({ name = '' }) =>
  name
    .split(',')
    .map(text => text.trim())
    .filter(Boolean)
    .map(text => ({ name: text })),
)
