import { html } from '../../html/html.ts'
import type { Control } from '../control.ts'
import { entriesNamed, entry } from '../entries.ts'
import { described, errorOf, helpOf, labelled, stateOf } from '../field.ts'

/** A box that is on or off. @param isOn what it is in a new form */
export const flagControl = (isOn = false): Control => ({
  inputs: name => [name],
  show: (body, name) => [[name, (body[name] ?? isOn) ? ['1'] : []]],
  value: (entries, name) => entriesNamed(entries, name).length > 0,
  read: (entries, name, { words }) => (entriesNamed(entries, name).length > 0 ? words.yes : words.no),
  render: view =>
    html`<div class="form-field form-check${view.error && ' has-error'}"><input id="${view.id}" name="${view.name}" type="checkbox" value="1"${entriesNamed(view.entries, view.name).length > 0 && html` checked`}${described(view)}${view.isFocused && html` autofocus`}>
<label for="${view.id}">${view.label}</label>${helpOf(view)}${errorOf(view)}</div>`,
})

/** One of some words. */
export const select = (values: readonly string[]): Control => ({
  inputs: name => [name],
  show: (body, name) => [[name, [String(body[name] ?? values[0] ?? '')]]],
  value: entry,
  read: (entries, name, { options }) => options?.[entry(entries, name)] ?? entry(entries, name),
  render: view =>
    labelled(
      view,
      html`<select id="${view.id}" name="${view.name}"${stateOf(view)}>
${values.map(value => html`<option value="${value}"${value === entry(view.entries, view.name) && html` selected`}>${view.options?.[value] ?? value}</option>`)}
</select>`,
    ),
})

/** A user, by name. */
export const user: Control = {
  inputs: name => [name],
  show: (body, name) => [[name, [String(body[name] ?? '')]]],
  value: (entries, name) => entry(entries, name) || undefined,
  read: (entries, name, { choices: { users = [] } }) =>
    users.find(({ id }) => String(id) === entry(entries, name))?.name ?? entry(entries, name),
  render: view => {
    const { users = [] } = view.choices
    const chosen = entry(view.entries, view.name)
    const isKnown = chosen === '' || users.some(({ id }) => String(id) === chosen)
    return labelled(
      view,
      html`<select id="${view.id}" name="${view.name}"${stateOf(view)}>
${chosen === '' && html`<option value="">${view.words.myself}</option>`}
${!isKnown && html`<option value="${chosen}" selected>${chosen}</option>`}
${users.map(({ id, name }) => html`<option value="${id}"${String(id) === chosen && html` selected`}>${name}</option>`)}
</select>`,
    )
  },
}
