import { isFieldName } from '../../../calendar/events/schema.ts'
import { TIMES } from '../../../calendar/events/shared-fields.ts'
import { isObject, textsOf } from '../../../kit/lib/values.ts'
import { html } from '../../html/html.ts'
import { type Control, type FieldView, wordsOfField } from '../control.ts'
import { entriesNamed } from '../entries.ts'
import { optionsField } from '../field-html.ts'
import { SPREAD_INPUT } from './rule.ts'

/** The hidden input with the names of the fields in which the date differs from its series. */
const SPREAD_FIELDS_INPUT = 'spread_own'

/** Fields without a checkbox: others cover them, or each date has to have another value. */
const WITHOUT_CHECKBOX: readonly string[] = ['is_virtual', 'date_utc', 'slug', ...TIMES.slice(1)]

/**
 * The fields in which a date differs from its series, by the names of their checkboxes. The fields of its
 * times have one together.
 */
function ownFields(series: unknown): string[] {
  const detachedFields = isObject(series) ? textsOf(JSON.stringify(series.detached)) : []
  const namedFields = detachedFields.map(name => (TIMES.some(time => time === name) ? 'start_date' : name))
  return [...new Set(namedFields)].filter(name => isFieldName(name) && !WITHOUT_CHECKBOX.includes(name))
}

const labelOf = ({ site }: FieldView, name: string): string =>
  wordsOfField(site.language, 'event', name).label

/**
 * A checkbox for each field in which a date differs from its series. It applies the value to the other dates
 * as well.
 */
export const spreadControl: Control = {
  isSet: true,
  show: ({ series }) => [
    [SPREAD_INPUT, []],
    [SPREAD_FIELDS_INPUT, ownFields(series)],
  ],
  value: (entries, name) =>
    entriesNamed(entries, name).length > 0 ? entriesNamed(entries, name) : undefined,
  read: (entries, name, view) =>
    entriesNamed(entries, name)
      .map(value => labelOf(view, value))
      .join(', '),
  render: view => {
    const ownNames = entriesNamed(view.entries, SPREAD_FIELDS_INPUT).filter(isFieldName)
    if (ownNames.length === 0) return html``
    return html`${ownNames.map(name => html`<input type="hidden" name="${SPREAD_FIELDS_INPUT}" value="${name}">`)}${optionsField(
      view,
      {
        name: SPREAD_INPUT,
        options: ownNames.map(name => [name, labelOf(view, name)]),
        chosen: entriesNamed(view.entries, SPREAD_INPUT),
        type: 'checkbox',
      },
    )}`
  },
}
