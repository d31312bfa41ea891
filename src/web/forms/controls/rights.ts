import { isObject } from '../../../lib/values.ts'
import { html } from '../../html/html.ts'
import type { Control } from '../control.ts'
import { entry } from '../entries.ts'
import { group } from '../field.ts'

const PARTS = ['text', 'url'] as const

/** The rights to something: their name, and an address where one reads more. The words of its options are its labels. */
export const rights: Control = {
  inputs: name => PARTS.map(part => `${name}_${part}`),
  show: (body, name) => {
    const { [name]: value } = body
    return PARTS.map(part => [`${name}_${part}`, [isObject(value) ? String(value[part] ?? '') : '']])
  },
  value: (entries, name) =>
    Object.fromEntries(PARTS.map(part => [part, entry(entries, `${name}_${part}`).trim()])),
  read: (entries, name) =>
    PARTS.map(part => entry(entries, `${name}_${part}`))
      .filter(Boolean)
      .join(', '),
  render: view =>
    group(
      view,
      html`<div class="pair">${PARTS.map(
        part => html`<div><label for="${view.id}-${part}">${view.options?.[part]}</label>
<input id="${view.id}-${part}" name="${view.name}_${part}" value="${entry(view.entries, `${view.name}_${part}`)}"${part === 'url' && html` inputmode="url"`} maxlength="${part === 'url' ? 2_048 : 1_000}" autocomplete="off"></div>\n`,
      )}</div>`,
    ),
}
