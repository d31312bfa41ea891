import type { Status } from '../../../lib/statuses.ts'
import { html } from '../../html/html.ts'
import type { Control } from '../control.ts'
import { entry } from '../entries.ts'
import { group } from '../field.ts'

const FOR_PUBLISHERS: readonly Status[] = ['publish', 'future', 'draft', 'pending', 'private']
const FOR_OTHERS: readonly Status[] = ['draft', 'pending']

/** Who sees it, and from when on: only what the caller may choose is there. */
export const status: Control = {
  inputs: name => [name],
  show: (body, name) => [[name, [String(body[name] ?? '')]]],
  value: (entries, name) => entry(entries, name) || undefined,
  read: (entries, name, { options }) => options?.[entry(entries, name)] ?? entry(entries, name),
  render: view => {
    const offered = view.choices.mayPublish ? FOR_PUBLISHERS : FOR_OTHERS
    const chosen = entry(view.entries, view.name) || offered[0]
    return group(
      view,
      html`${offered.map(
        (value, i) =>
          html`<div class="form-radio"><input id="${view.id}${i > 0 && `-${value}`}" type="radio" name="${view.name}" value="${value}"${value === chosen && html` checked`}>
<label for="${view.id}${i > 0 && `-${value}`}">${view.options?.[value] ?? value}</label></div>`,
      )}`,
      'is-status',
    )
  },
}
