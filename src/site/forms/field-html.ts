import { MAX_BODY_BYTES, readBytes } from '../../kit/http/body.ts'
import {
  isMultipart,
  MAX_FILE_BYTES,
  MAX_FORM_PARTS,
  parseForm,
  tooLargeFile,
} from '../../kit/http/form-data.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { type Catalogue, textsIn } from '../../words/words.ts'
import { type Html, html, type Options, optionsOf } from '../html/html.ts'

/** The name of the hidden field with the token. */
export const TOKEN = '_token'

type FormElement = {
  /** A path below /admin/. */
  action: string
  body: Html
  className?: string
  id?: string
  hasFiles?: boolean
  /** True if the page that follows opens in a tab of its own. */
  opensTab?: boolean | undefined
}

/** A form that is sent to an action, with the token that the action requires. */
export const form = (
  { token }: { token: string },
  { action, body, className, id, hasFiles, opensTab }: FormElement,
): Html =>
  html`<form method="post" action="${action}"${className && html` class="${className}"`}${id && html` id="${id}"`}${hasFiles && html` enctype="multipart/form-data"`}${opensTab && html` target="_blank"`}>
<input type="hidden" name="${TOKEN}" value="${token}">
${body}
</form>`

type Drafts = {
  /** The id of the user who may see the drafts, or `visitor`. */
  owner: number | string
  /** The names of inputs that are not kept, such as tokens. */
  without: readonly string[]
}

/**
 * The notice of the browser's draft of the form with the id `editor-form`, which a script fills in. The page
 * after saving says `data-saved`, with the owner, the action and any key of the form.
 */
export function draftNotice(language: string, { owner, without }: Drafts): Html {
  const words = textsIn(language).form
  return html`<div class="draft-notice" data-drafts data-user="${owner}" data-without="${without.join(' ')}"
 data-found="${words.draftFound}" data-older="${words.draftOlder}" data-offline="${words.draftOffline}" hidden><p role="status"></p>
<div class="actions"><button class="button" type="button" data-restore>${words.restoreDraft}</button>
<button class="button button-quiet" type="button" data-discard>${words.discardDraft}</button></div></div>`
}

type FormButton = {
  action: string
  text: string
  className?: string
  /** The accessible name, if the text alone does not say what the button is about. */
  label?: string
  hidden?: Html
  /** Fields above the button. */
  fields?: Html | ''
  id?: string
}

export const buttonForm = (
  visit: { token: string },
  { action, text, className = 'button button-quiet', label, hidden, fields, id }: FormButton,
): Html =>
  form(visit, {
    action,
    ...(fields && { className: 'stack' }),
    ...(id && { id }),
    body: html`${hidden}${fields}
<button class="${className}" type="submit"${label && html` aria-label="${label}"`}>${text}</button>`,
  })

/** The error of a form as a whole; '' without one. */
export const problem = (id: string, text: string | undefined): Html | '' =>
  text ? html`<p class="form-error" id="${id}" role="alert">${text}</p>` : ''

/** A field as people see it: its label, its help and its error. */
export type LabelledField = {
  /** The id of its first input, and the prefix of all others. */
  id: string
  label: string
  /** What stands below the inputs, such as a button that fills them. */
  offer?: Html | undefined
  help?: string | undefined
  error?: string | undefined
  isRequired?: boolean
  /** True for the field to focus. By default, every field with an error; browsers focus the first of them. */
  isFocused?: boolean
  /** The texts of forms, which mark a required field. */
  words?: Catalogue['form']
}

/** The error of a field. The inputs of the field refer to it. */
export const errorOf = ({ id, error }: LabelledField): Html | '' =>
  error ? html`<p class="field-error" id="${id}-error">${error}</p>` : ''

/** The help of a field. The inputs of the field refer to it. */
export const helpOf = ({ id, help }: LabelledField): Html | '' =>
  help ? html`<p class="field-help" id="${id}-help">${help}</p>` : ''

/** The attribute that connects an input with the help and the error of its field. */
export function describedByAttribute({ id, help, error }: LabelledField): Html | '' {
  const ids = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return ids && html` aria-describedby="${ids}"`
}

/** The attributes of a field's only input. */
export const stateOf = (field: LabelledField): Html =>
  html`${describedByAttribute(field)}${field.error && html` aria-invalid="true"`}${field.isRequired && html` required`}${(field.isFocused ?? field.error) && html` autofocus`}`

export const requiredMark = (words: Pick<Catalogue['form'], 'required'>): Html =>
  html` <span class="required">${words.required}</span>`

const labelOf = ({ label, isRequired, words }: LabelledField): Html =>
  html`${label}${isRequired && words && requiredMark(words)}`

/** A field with one input. */
export const labelledField = (field: LabelledField, input: Html): Html =>
  html`<div class="form-field${field.error && ' has-error'}"><label for="${field.id}">${labelOf(field)}</label>
${helpOf(field)}${errorOf(field)}${input}${field.offer}</div>`

/** A field with several inputs. */
export const group = (field: LabelledField, inputs: Html, className = ''): Html =>
  html`<fieldset class="form-field form-group${className && ` ${className}`}${field.error && ' has-error'}" id="${field.id}-group"${describedByAttribute(field)}><legend>${labelOf(field)}</legend>
${helpOf(field)}${errorOf(field)}${inputs}${field.offer}</fieldset>`

type PartOfField = { id: string; name: string; label: Html | string; value: string }

/** One of several lines of text in a field, with a label of its own. */
export const inputPart = ({ id, name, label, value }: PartOfField, attributes: Html): Html =>
  html`<div><label for="${id}">${label}</label>
<input id="${id}" name="${name}" value="${value}"${attributes} autocomplete="off"></div>`

type ChoiceOfField = PartOfField & { type: 'radio' | 'checkbox'; isChosen?: boolean; isFocused?: boolean }

/** One of several buttons or boxes in a field, with its label. */
export const choicePart = (
  { id, name, label, value, type, isChosen, isFocused }: ChoiceOfField,
  attributes: Html | '' = '',
): Html =>
  html`<input id="${id}" type="${type}" name="${name}" value="${value}"${attributes}${isChosen && html` checked`}${isFocused && html` autofocus`}><label for="${id}">${label}</label>`

/** A field with one line of text. @param attributes further ones of the input */
export const inputField = (
  { name, value, ...field }: LabelledField & { name?: string; value?: string },
  attributes: Html,
): Html =>
  labelledField(
    field,
    html`<input id="${field.id}" name="${name ?? field.id}"${value !== undefined && html` value="${value}"`}${attributes}${stateOf(field)}>`,
  )

/**
 * A field with several lines of text.
 * @param attributes further ones of the input
 * @param wrap adds markup around the input
 */
export const textField = (
  { name, value = '', rows, ...field }: LabelledField & { name?: string; value?: string; rows: number },
  attributes: Html | '',
  wrap = (input: Html): Html => input,
): Html =>
  labelledField(
    field,
    // HTML drops a line break right after the tag.
    wrap(html`<textarea id="${field.id}" name="${name ?? field.id}" rows="${rows}"${attributes}${stateOf(field)}>
${value}</textarea>`),
  )

type OptionList = { name?: string; options: Options }

/** A field with a list to choose from. */
export const selectField = (
  field: LabelledField,
  { name = field.id, options, chosen }: OptionList & { chosen: string },
): Html =>
  labelledField(
    field,
    html`<select id="${field.id}" name="${name}"${stateOf(field)}>
${optionsOf(options, chosen)}</select>`,
  )

/** A field with a button or box for each option. */
export const optionsField = (
  field: LabelledField,
  {
    name = field.id,
    options,
    chosen,
    type = 'radio',
  }: OptionList & { chosen: readonly string[]; type?: 'radio' | 'checkbox' },
  className = '',
): Html =>
  group(
    field,
    html`${options.map(([value, label], i) => {
      const part = {
        name,
        value,
        label,
        type,
        id: i === 0 ? field.id : `${field.id}-${value}`,
        isChosen: chosen.includes(value),
        isFocused: i === 0 && field.isFocused === true,
      }
      const required = field.isRequired && type === 'radio' && html` required`
      return html`<div class="${type === 'radio' ? 'form-radio' : 'form-check'}">${choicePart(part, required || '')}</div>\n`
    })}`,
    className,
  )

const readForms = new WeakMap<Request, Promise<FormData>>()

/** A text field of a form, trimmed; '' if it is absent. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** The limits of a form, since anybody may send any number of bytes and fields. */
export type FormLimits = {
  /** The most bytes, apart from files, that are read in order to report errors in them. */
  bytes?: number
  /** The most characters of all text fields together. */
  typed: number
  fields: number
  /** The most bytes of files. Absent for forms that browsers never send as multipart. */
  fileBytes?: number
}

/** The limits of the editor's forms. The form of an event is the largest. */
export const EDITOR_FORM: FormLimits = {
  typed: MAX_BODY_BYTES,
  fields: MAX_FORM_PARTS,
  fileBytes: MAX_FILE_BYTES,
}

/**
 * The fields of a submitted form. It may be called again for the same request.
 *
 * @throws ApiError for a body that is not a form, or too large
 */
export function readForm(request: Request, limits = EDITOR_FORM): Promise<FormData> {
  const form = readForms.get(request) ?? formIn(request, limits)
  readForms.set(request, form)
  return form
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'rest_payload_too_large'

/** The fields of a submitted form, if they have been read before. */
export const formAlreadyRead = async (request: Request): Promise<FormData | undefined> =>
  readForms.get(request)

async function formIn(
  request: Request,
  { bytes = MAX_BODY_BYTES, typed, fields, fileBytes }: FormLimits,
): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  const hasParts = fileBytes !== undefined && isMultipart(type)
  if (!hasParts && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new ApiError('rest_unsupported_media_type', 'This address takes forms only.')
  const body = await readBytes(request, bytes + (hasParts ? fileBytes : 0)).catch((error: unknown) => {
    // Nobody types that much: it is a file.
    throw hasParts && isTooLarge(error) ? tooLargeFile(fileBytes, 'file') : error
  })
  return parseForm(body, type, { fields, typed })
}
