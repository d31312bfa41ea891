import type { Status } from '../../../lib/statuses.ts'
import { addDays } from '../../../lib/time.ts'
import { isObject } from '../../../lib/values.ts'
import { html } from '../../html/html.ts'
import type { Control, FieldView } from '../control.ts'
import { described, errorOf, group, helpOf, inputPart, optionsField, selectField } from '../element.ts'
import { entriesNamed, entry } from '../entries.ts'
import { typedUrl, urlInput } from './text.ts'

/** A checkbox. @param isOn its state in a new form */
export const flagControl = (isOn = false): Control => ({
  show: (body, name) => [[name, (body[name] ?? isOn) ? ['1'] : []]],
  value: (entries, name) => entriesNamed(entries, name).length > 0,
  read: (entries, name, { words }) => (entriesNamed(entries, name).length > 0 ? words.yes : words.no),
  render: view =>
    html`<div class="form-field form-check${view.error && ' has-error'}"><input id="${view.id}" name="${view.name}" type="checkbox"
 value="1"${entriesNamed(view.entries, view.name).length > 0 && html` checked`}${described(view)}${view.isFocused && html` autofocus`}>
<label for="${view.id}">${view.label}</label>${helpOf(view)}${errorOf(view)}</div>`,
})

type OptionView = Pick<FieldView, 'site' | 'options'>

/** The name of an option in the catalogue. */
const optionName = (value: string, { options }: OptionView): string => options?.[value] ?? value

/** A choice between fixed values. @param nameOf the name of a value, if it is not in the catalogue */
export const select = (values: readonly string[], nameOf = optionName): Control => ({
  show: (body, name) => [[name, [String(body[name] ?? values[0] ?? '')]]],
  value: entry,
  read: (entries, name, view) => nameOf(entry(entries, name), view),
  render: view =>
    selectField(view, {
      name: view.name,
      options: values.map(value => [value, nameOf(value, view)]),
      chosen: entry(view.entries, view.name),
    }),
})

/** A choice between fixed values, and the stored one if programs may set others. */
export const selectOrStored = (values: readonly string[]): Control => {
  const fixed = select(values)
  return {
    ...fixed,
    render: view => {
      const chosen = entry(view.entries, view.name)
      return select(values.includes(chosen) ? values : [...values, chosen]).render(view)
    },
  }
}

/** A checkbox for each of some values. */
export const checkboxes = (values: readonly string[]): Control => ({
  isSet: true,
  show: (body, name) => [[name, [body[name] ?? []].flat().map(String)]],
  // Nothing is chosen: the field is empty.
  value: (entries, name) => (entriesNamed(entries, name).length > 0 ? entriesNamed(entries, name) : ''),
  read: (entries, name, view) =>
    entriesNamed(entries, name)
      .map(value => optionName(value, view))
      .join(', '),
  render: view =>
    optionsField(view, {
      name: view.name,
      options: values.map(value => [value, optionName(value, view)]),
      chosen: entriesNamed(view.entries, view.name),
      type: 'checkbox',
    }),
})

/** Some Monday at midnight. */
const MONDAY = '2027-01-04 00:00:00'

/** A day of the week. @param values from Monday on */
export const weekday = (values: readonly string[]): Control =>
  select(values, (value, { site }) =>
    site.dates.format('longWeekday', addDays(MONDAY, values.indexOf(value))),
  )

/** An hour of the day. */
export const hour = select(
  Array.from({ length: 24 }, (_, hour) => String(hour)),
  (value, { site }) => site.dates.clock(`${MONDAY.slice(0, 11)}${value.padStart(2, '0')}:00:00`),
)

/** The choice of a user by name. */
export const user: Control = {
  show: (body, name) => [[name, [String(body[name] ?? '')]]],
  value: (entries, name) => entry(entries, name) || undefined,
  read: (entries, name, { choices: { users = [] } }) =>
    users.find(({ id }) => String(id) === entry(entries, name))?.name ?? entry(entries, name),
  render: view => {
    const { users = [] } = view.choices
    const chosen = entry(view.entries, view.name)
    const isKnown = chosen === '' || users.some(({ id }) => String(id) === chosen)
    const options = [
      ...(chosen === '' ? [['', view.words.myself] as const] : []),
      ...(isKnown ? [] : [[chosen, chosen] as const]),
      ...users.map(({ id, name }) => [String(id), name] as const),
    ]
    return selectField(view, { name: view.name, options, chosen })
  },
}

const PARTS = ['text', 'url'] as const

/** The rights to something: a name, and an address with more information. Its options are the labels. */
export const rights: Control = {
  inputs: name => PARTS.map(part => `${name}_${part}`),
  show: (body, name) => {
    const { [name]: value } = body
    return PARTS.map(part => [`${name}_${part}`, [isObject(value) ? String(value[part] ?? '') : '']])
  },
  value: (entries, name) =>
    Object.fromEntries(
      PARTS.map(part => {
        const text = entry(entries, `${name}_${part}`)
        return [part, part === 'url' ? typedUrl(text) : text.trim()]
      }),
    ),
  read: (entries, name) =>
    PARTS.map(part => entry(entries, `${name}_${part}`))
      .filter(Boolean)
      .join(', '),
  render: view =>
    group(
      view,
      html`<div class="pair">${PARTS.map(part => {
        const [id, name] = [`${view.id}-${part}`, `${view.name}_${part}`]
        return inputPart(
          { id, name, label: view.options?.[part] ?? part, value: entry(view.entries, name) },
          part === 'url' ? urlInput : html` maxlength="1000"`,
        )
      })}</div>`,
    ),
}

const FOR_PUBLISHERS: readonly Status[] = ['publish', 'future', 'draft', 'pending', 'private']
const FOR_OTHERS: readonly Status[] = ['draft', 'pending']

/** The choice of a status, with the options that the caller may choose. */
export const status: Control = {
  show: (body, name) => [[name, [String(body[name] ?? '')]]],
  value: (entries, name) => entry(entries, name) || undefined,
  read: (entries, name, { options }) => options?.[entry(entries, name)] ?? entry(entries, name),
  render: view => {
    const offered = view.choices.mayPublish ? FOR_PUBLISHERS : FOR_OTHERS
    const options = offered.map(value => [value, view.options?.[value] ?? value] as const)
    const chosen = [entry(view.entries, view.name) || (offered[0] ?? '')]
    return optionsField(view, { name: view.name, options, chosen }, 'is-status')
  },
}
