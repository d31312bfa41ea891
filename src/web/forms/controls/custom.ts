import { decodeEntities } from '../../../lib/text.ts'
import { isObject } from '../../../lib/values.ts'
import { html } from '../../html/html.ts'
import { type Control, group } from '../control.ts'
import { entriesNamed } from '../entries.ts'

const PARTS = ['key', 'label', 'value'] as const
const inputs = (name: string) => PARTS.map(part => `${name}_${part}`)

type Row = Record<(typeof PARTS)[number], string>

const NONE: Row = { key: '', label: '', value: '' }
/** Empty rows after those that are filled. */
const SPARE: readonly Row[] = [NONE, NONE]

function rowsIn(entries: Parameters<Control['value']>[0], name: string): Row[] {
  const [keys = [], labels = [], values = []] = inputs(name).map(input => entriesNamed(entries, input))
  return labels.map((label, i) => ({ key: keys[i] ?? '', label, value: values[i] ?? '' }))
}

/** The key of a new field: its label, as far as keys may be written. */
const keyOf = (label: string, at: number): string =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64) || `field_${at + 1}`

/** Fields of the site's own: label and value. One whose texts are both emptied goes. */
export const custom: Control = {
  inputs,
  show: (body, name) => {
    const fields = isObject(body[name]) && !Array.isArray(body[name]) ? Object.entries(body[name]) : []
    const rows = [...fields.map(([key, field]): Row => ({ ...NONE, ...Object(field), key })), ...SPARE]
    return inputs(name).map((input, i) => [input, rows.map(row => decodeEntities(row[PARTS[i] ?? 'key']))])
  },
  value: (entries, name) => {
    const rows = rowsIn(entries, name).filter(({ key, label, value }) => key || label || value)
    return Object.fromEntries(
      rows.map(({ key, label, value }, at) => [
        key || keyOf(label, at),
        label || value ? { label: label || key, value } : null,
      ]),
    )
  },
  read: (entries, name) =>
    rowsIn(entries, name)
      .filter(({ label, value }) => label || value)
      .map(({ label, value }) => `${label}: ${value}`)
      .join('\n'),
  render: view => {
    const rows = rowsIn(view.entries, view.name).filter(({ key, label, value }) => key || label || value)
    return group(
      view,
      html`${[...rows, ...SPARE].map(
        (
          { key, label, value },
          i,
        ) => html`<div class="pair"><input type="hidden" name="${view.name}_key" value="${key}">
<div><label for="${view.id}-label-${i}">${view.words.nameLabel}</label><input id="${view.id}-label-${i}" name="${view.name}_label" value="${label}" maxlength="255" autocomplete="off"></div>
<div><label for="${view.id}-value-${i}">${view.words.customValue}</label><input id="${view.id}-value-${i}" name="${view.name}_value" value="${value}" maxlength="5000" autocomplete="off"></div></div>`,
      )}`,
    )
  },
}
