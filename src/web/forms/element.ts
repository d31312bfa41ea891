import { MAX_BODY_BYTES, readBytes } from '../../http/body.ts'
import { isMultipart, MAX_FILE_BYTES, MAX_PARTS, parseForm } from '../../http/form-data.ts'
import { ApiError } from '../../lib/errors.ts'
import { formWords } from '../../words/words.ts'
import { type Html, html } from '../html/html.ts'

/** The name of the hidden field with the token. */
export const TOKEN = '_token'

type FormElement = {
  /** A path below /admin/. */
  action: string
  body: Html
  /** Classes of the element. */
  look?: string
  id?: string
  /** True if it has files. */
  hasFiles?: boolean
}

/** A form that is sent to an action, with the token that the action requires. */
export const form = ({ token }: { token: string }, { action, body, look, id, hasFiles }: FormElement): Html =>
  html`<form method="post" action="${action}"${look && html` class="${look}"`}${id && html` id="${id}"`}${hasFiles && html` enctype="multipart/form-data"`}>
<input type="hidden" name="${TOKEN}" value="${token}">
${body}
</form>`

type Drafts = {
  /** The id of the user who may see them, or `visitor`. */
  owner: number | string
  /** The names of inputs that are not kept, such as tokens. */
  without: readonly string[]
}

/**
 * The notice of the browser's draft of the form with the id `editor-form`, which a script fills in. The page after saving says
 * `data-saved`, with the owner and the action of the form.
 */
export function draftNotice(language: string, { owner, without }: Drafts): Html {
  const words = formWords(language)
  return html`<div class="draft-notice" data-drafts data-user="${owner}" data-without="${without.join(' ')}" data-found="${words.draftFound}" data-older="${words.draftOlder}" data-offline="${words.draftOffline}" hidden><p role="status"></p>
<div class="actions"><button class="button" type="button" data-restore>${words.restoreDraft}</button><button class="button button-quiet" type="button" data-discard>${words.discardDraft}</button></div></div>`
}

type FormButton = {
  action: string
  text: string
  /** Classes of the button. */
  look?: string
  /** The accessible name, if the text alone does not say what the button is about. */
  label?: string
  /** Hidden inputs. */
  hidden?: Html
}

/** A form of one button. */
export const buttonForm = (
  visit: { token: string },
  { action, text, look = 'button button-quiet', label, hidden }: FormButton,
): Html =>
  form(visit, {
    action,
    body: html`${hidden}<button class="${look}" type="submit"${label && html` aria-label="${label}"`}>${text}</button>`,
  })

/** An error message; '' without an error. */
export const problem = (id: string, text: string | undefined): Html | '' =>
  text ? html`<p class="form-error" id="${id}" role="alert">${text}</p>` : ''

type InputField = {
  id: string
  /** The same as the id by default. */
  name?: string
  label: string
  hint: string
  value?: string
  error: string | undefined
}

/** A text input with its label, hint and error. @param attributes further ones of the input */
export const inputField = (
  { id, name = id, label, hint, value = '', error }: InputField,
  attributes: Html,
): Html =>
  html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" value="${value}"${attributes} aria-describedby="${id}-hint${error && ` ${id}-error`}"${error && html` aria-invalid="true" autofocus`}>
<p class="hint" id="${id}-hint">${hint}</p>
${problem(`${id}-error`, error)}</div>`

/** The addresses of the stylesheet and the script of pages with forms. */
export const STYLE = '/_admin/editor.css'
export const SCRIPT = '/_admin/editor.js'

const read = new WeakMap<Request, Promise<FormData>>()

/** A text field of a form, trimmed; '' if it is absent. */
export function textOf(form: FormData, name: string): string {
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

/** The limits of the editor's forms, of which that of an event is the largest. */
const EDITOR_FORM: FormLimits = { typed: MAX_BODY_BYTES, fields: MAX_PARTS, fileBytes: MAX_FILE_BYTES }

/**
 * The fields of a submitted form. It may be called again for the same request.
 *
 * @throws ApiError for a body that is not a form, or too large
 */
export function readForm(request: Request, limits = EDITOR_FORM): Promise<FormData> {
  const form = read.get(request) ?? formIn(request, limits)
  read.set(request, form)
  return form
}

/** The fields of a submitted form, if they have been read before. */
export const formReadFrom = async (request: Request): Promise<FormData | undefined> => read.get(request)

async function formIn(
  request: Request,
  { bytes = MAX_BODY_BYTES, typed, fields, fileBytes }: FormLimits,
): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  const hasParts = fileBytes !== undefined && isMultipart(type)
  if (!hasParts && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new ApiError('rest_unsupported_media_type', 'This takes a form.')
  return parseForm(await readBytes(request, bytes + (hasParts ? fileBytes : 0)), type, { fields, typed })
}
