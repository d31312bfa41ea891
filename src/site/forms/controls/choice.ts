import { LOCALES, namedCodes } from '../../../kit/lib/languages.ts'
import type { Status } from '../../../kit/lib/statuses.ts'
import { FIELD_LIMITS, isObject } from '../../../kit/lib/values.ts'
import { zonesFor } from '../../../kit/lib/zones.ts'
import { textsIn } from '../../../words/words.ts'
import { html, type Options } from '../../html/html.ts'
import { weekdayName } from '../../html/when.ts'
import type { Control, FieldView } from '../control.ts'
import { entriesNamed, entry } from '../entries.ts'
import {
  describedByAttribute,
  errorOf,
  group,
  helpOf,
  inputPart,
  optionsField,
  selectField,
} from '../field-html.ts'
import { typedUrl, urlInput } from './text.ts'

/** A checkbox. @param isOn its state in a new form */
export const flagControl = (isOn = false): Control => ({
  show: (body, name) => [[name, (body[name] ?? isOn) ? ['1'] : []]],
  value: (entries, name) => entriesNamed(entries, name).length > 0,
  read: (entries, name, { words }) => (entriesNamed(entries, name).length > 0 ? words.yes : words.no),
  render: view =>
    html`<div class="form-field form-check${view.error && ' has-error'}"><input id="${view.id}" name="${view.name}" type="checkbox"
 value="1"${entriesNamed(view.entries, view.name).length > 0 && html` checked`}${describedByAttribute(view)}${view.isFocused && html` autofocus`}>
<label for="${view.id}">${view.label}</label>${helpOf(view)}${errorOf(view)}</div>`,
})

const optionName = (value: string, { options }: FieldView): string => options?.[value] ?? value

/**
 * A choice from a list, and of the stored value if the list lacks it: programs may set other values.
 *
 * @param options the values with their names
 * @param initial the value of a new form
 */
const choiceFrom = (options: (view: FieldView, chosen: string) => Options, initial = ''): Control => {
  const offeredOptions = (view: FieldView, chosen: string): Options => {
    const allOptions = options(view, chosen)
    const isKnown = chosen === '' || allOptions.some(([value]) => value === chosen)
    return isKnown ? allOptions : [[chosen, optionName(chosen, view)], ...allOptions]
  }
  return {
    show: (body, name) => [[name, [String(body[name] ?? initial)]]],
    value: entry,
    read: (entries, name, view) => {
      const chosen = entry(entries, name)
      return String(offeredOptions(view, chosen).find(([value]) => value === chosen)?.[1] ?? '')
    },
    render: view => {
      const chosen = entry(view.entries, view.name)
      return selectField(view, { name: view.name, options: offeredOptions(view, chosen), chosen })
    },
  }
}

/** A choice between fixed values. @param nameOf the name of a value, if it is not in the catalogue */
export const selectControl = (
  values: readonly string[],
  nameOf: (value: string, view: FieldView) => string = optionName,
): Control => choiceFrom(view => values.map(value => [value, nameOf(value, view)]), values[0])

/** Renders an input for each of some values. */
const optionInputs =
  (values: readonly string[], type: 'radio' | 'checkbox'): Control['render'] =>
  view =>
    optionsField(view, {
      name: view.name,
      options: values.map(value => [value, optionName(value, view)]),
      chosen: entriesNamed(view.entries, view.name),
      type,
    })

/** A radio button for each of some values, of which none is chosen in a new form. */
export const radiosControl = (values: readonly string[]): Control => ({
  show: (body, name) => [[name, [String(body[name] ?? '')]]],
  value: entry,
  read: (entries, name, view) => optionName(entry(entries, name), view),
  render: optionInputs(values, 'radio'),
})

export const checkboxesControl = (values: readonly string[]): Control => ({
  isSet: true,
  show: (body, name) => [[name, [body[name] ?? []].flat().map(String)]],
  // Nothing is chosen: the field is empty.
  value: (entries, name) => (entriesNamed(entries, name).length > 0 ? entriesNamed(entries, name) : ''),
  read: (entries, name, view) =>
    entriesNamed(entries, name)
      .map(value => optionName(value, view))
      .join(', '),
  render: optionInputs(values, 'checkbox'),
})

/** A day of the week. @param values from Monday on */
export const weekdayControl = (values: readonly string[]): Control =>
  selectControl(values, (value, { site }) => weekdayName(site, values.indexOf(value)))

export const hourControl = selectControl(
  Array.from({ length: 24 }, (_, hour) => String(hour)),
  (value, { site }) => site.dates.clock(`2027-01-04 ${value.padStart(2, '0')}:00:00`),
)

export const userControl: Control = {
  ...choiceFrom(({ choices: { users = [] }, words }, chosen) => [
    ...(chosen === '' ? [['', words.myself] as const] : []),
    ...users.map(({ id, name }) => [String(id), name] as const),
  ]),
  value: (entries, name) => entry(entries, name) || undefined,
}

const RIGHTS_INPUTS = ['text', 'url'] as const

/** The rights to something: a name, and an address with more information. Its options are the labels. */
export const rightsControl: Control = {
  inputs: name => RIGHTS_INPUTS.map(part => `${name}_${part}`),
  show: (body, name) => {
    const { [name]: value } = body
    return RIGHTS_INPUTS.map(part => [`${name}_${part}`, [isObject(value) ? String(value[part] ?? '') : '']])
  },
  value: (entries, name) =>
    Object.fromEntries(
      RIGHTS_INPUTS.map(part => {
        const text = entry(entries, `${name}_${part}`)
        return [part, part === 'url' ? typedUrl(text) : text.trim()]
      }),
    ),
  read: (entries, name) =>
    RIGHTS_INPUTS.map(part => entry(entries, `${name}_${part}`))
      .filter(Boolean)
      .join(', '),
  render: view =>
    group(
      view,
      html`<div class="pair">${RIGHTS_INPUTS.map(part => {
        const id = `${view.id}-${part}`
        const name = `${view.name}_${part}`
        return inputPart(
          { id, name, label: view.options?.[part] ?? part, value: entry(view.entries, name) },
          part === 'url' ? urlInput : html` maxlength="${FIELD_LIMITS.text}"`,
        )
      })}</div>`,
    ),
}

const STATUSES_FOR_PUBLISHERS: readonly Status[] = ['publish', 'future', 'draft', 'pending', 'private']
const STATUSES_FOR_OTHERS: readonly Status[] = ['pending', 'draft']

/** The choice of a status, with the options that the caller may choose. */
export const statusControl: Control = {
  show: (body, name) => [[name, [String(body[name] ?? '')]]],
  value: (entries, name) => entry(entries, name) || undefined,
  read: (entries, name, view) => optionName(entry(entries, name), view),
  render: view => {
    const offeredStatuses = view.choices.mayPublish ? STATUSES_FOR_PUBLISHERS : STATUSES_FOR_OTHERS
    const options = offeredStatuses.map(value => [value, optionName(value, view)] as const)
    const chosenStatus = [entry(view.entries, view.name) || (offeredStatuses[0] ?? '')]
    return optionsField(view, { name: view.name, options, chosen: chosenStatus }, 'is-status')
  },
}

/** A choice of a setting, or of its default. */
const settingChoice = (options: (language: string) => Options): Control =>
  choiceFrom(({ site: { language } }) => [['', textsIn(language).settings.none], ...options(language)])

export const zoneControl = settingChoice(language => zonesFor(language).map(zone => [zone, zone] as const))

/** A language of the pages, with or without a region. */
export const languageControl = settingChoice(language => namedCodes(language, 'language', LOCALES))

/**
 * The choice of a language: one of the pages, the calendar's own, or the stored one, whose region may be any.
 */
export const languageChoice = choiceFrom(({ site }, chosen) =>
  namedCodes(site.language, 'language', [
    ...new Set([...LOCALES, site.settings.language, chosen].filter(Boolean)),
  ]),
)

export const currencyControl = settingChoice(language =>
  namedCodes(language, 'currency', Intl.supportedValuesOf('currency')),
)
