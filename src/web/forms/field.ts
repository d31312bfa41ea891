import { type Html, html } from '../html/html.ts'
import { describedBy, type FieldView } from './control.ts'

type Parts = Pick<FieldView, 'id' | 'label' | 'help' | 'error' | 'isRequired' | 'words'>

/** The error of a field, which its inputs refer to. */
export const errorOf = ({ id, error }: Parts): Html | '' =>
  error ? html`<p class="field-error" id="${id}-error">${error}</p>` : ''

/** The help of a field, which its inputs refer to. */
export const helpOf = ({ id, help }: Parts): Html | '' =>
  help ? html`<p class="field-help" id="${id}-help">${help}</p>` : ''

/** The note beside the label of a field that must not be empty. */
const required = ({ isRequired, words }: Parts): Html | '' =>
  isRequired ? html` <span class="required">${words.required}</span>` : ''

/** A field with one input: label, help, input and error. */
export const labelled = (view: Parts, input: Html): Html =>
  html`<div class="form-field${view.error && ' has-error'}"><label for="${view.id}">${view.label}${required(view)}</label>
${helpOf(view)}${errorOf(view)}${input}</div>`

/** A field with several inputs. */
export const group = (view: Parts, inputs: Html, kind = ''): Html =>
  html`<fieldset class="form-field form-group${kind && ` ${kind}`}${view.error && ' has-error'}" id="${view.id}-group"${described(view)}><legend>${view.label}${required(view)}</legend>
${helpOf(view)}${errorOf(view)}${inputs}</fieldset>`

/** The attributes by which an input says what describes it, and if what it holds is wrong. */
export function described(view: Pick<FieldView, 'id' | 'help' | 'error'>): Html {
  const ids = describedBy(view)
  return html`${ids && html` aria-describedby="${ids}"`}`
}

/** The attributes of an input that a field may have one of. */
export const stateOf = (view: FieldView): Html =>
  html`${described(view)}${view.error && html` aria-invalid="true"`}${view.isRequired && html` required`}${view.isFocused && html` autofocus`}`
